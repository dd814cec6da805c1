//! The program itself, as a manager starts it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-halfstone"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // A program that prints its version and goes does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

#[test]
fn it_speaks_the_protocol_with_and_without_a_subcommand() {
    for arguments in [&[][..], &["play"]] {
        let output = run(arguments, "START 15\r\nFOOBAR\r\nINFO timeout_turn 0\r\nEND\r\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "OK\nUNKNOWN unknown command 'FOOBAR'\n");
        assert!(output.stderr.is_empty() && output.status.success(), "{output:?}");
    }
}

#[test]
fn a_piped_script_gets_its_move() {
    let output = run(&[], "START 15\nINFO timeout_turn 2000\nBEGIN");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("MESSAGE ")).collect();
    assert!(matches!(lines[..], ["OK", mv] if crate::dialogue::points(mv) == Some(1)), "{text}");
    assert!(output.stderr.is_empty() && output.status.success(), "{output:?}");
}

#[test]
fn it_knows_its_version_and_refuses_bad_arguments() {
    let output = run(&["--version"], "");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        concat!("pbrain-halfstone ", env!("CARGO_PKG_VERSION"), "\n")
    );
    assert!(run(&["--help"], "").status.success());
    assert_eq!(run(&["no-such-command"], "").status.code(), Some(2));
}
