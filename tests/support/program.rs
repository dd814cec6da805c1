//! Running the program as a user does.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The samples of every format; where the program runs.
pub(crate) const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/formats");

/// Starts the program with pipes for everything.
pub(crate) fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_pbrain-halfstone"))
        .args(arguments)
        .current_dir(DATA)
        .env_remove("NO_COLOR")
        .env("COLUMNS", "60")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // A program that reads nothing may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

/// What it prints, when all is well.
pub(crate) fn stdout(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?} {output:?}");
    String::from_utf8(output.stdout).expect("text is UTF-8")
}

/// The exit code and what it says on stderr, when it prints nothing.
pub(crate) fn stderr(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let output = run(arguments, input);
    assert!(output.stdout.is_empty(), "{arguments:?} {output:?}");
    (output.status.code(), String::from_utf8(output.stderr).expect("text is UTF-8"))
}

/// A fresh folder for the files of one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}
