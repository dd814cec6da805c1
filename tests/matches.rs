//! `match` and `compliance` with an engine that misbehaves on order: whatever it does, it loses that game and the
//! match goes on; and what comes out is told, written and resumed as it should be.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;

const OWN: &str = env!("CARGO_BIN_EXE_pbrain-halfstone");

/// The misbehaving engine, an example of this package. `cargo test` builds it; where only this test was asked for and
/// the engine is missing or older than its source, it is built here.
fn fake() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let name = format!("examples/fake-engine{}", std::env::consts::EXE_SUFFIX);
        let path = Path::new(OWN).with_file_name(name);
        let changed = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/fake_engine.rs");
        if changed(&path) < changed(&source) {
            let mut cargo = Command::new(env!("CARGO"));
            cargo
                .args(["build", "--quiet", "--example", "fake-engine"])
                .current_dir(env!("CARGO_MANIFEST_DIR"));
            if Path::new(OWN).parent().is_some_and(|folder| folder.ends_with("release")) {
                cargo.arg("--release");
            }
            assert!(cargo.status().unwrap().success(), "the fake engine cannot be built");
        }
        path
    })
}

/// A fresh directory for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matches").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn engine(name: &str, orders: &str) -> String {
    format!("name={name},cmd=\"{}\" {orders}", fake().display())
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(OWN);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A short match of a good engine against one that takes these orders; its JSON and its report.
fn against(test: &str, orders: &str, more: &[&str]) -> (Value, String) {
    match_of(test, "", orders, &[&["--turn-ms", "200"], more].concat())
}

/// A short match of two engines that take these orders.
fn match_of(test: &str, good: &str, bad: &str, more: &[&str]) -> (Value, String) {
    let folder = folder(test);
    let engines = [engine("good", good), engine("bad", bad)];
    let mut arguments = vec!["match", "--engine", &engines[0], "--engine", &engines[1]];
    arguments.extend(["--tolerance-ms", "600", "--quiet", "--json", "m.json"]);
    if !more.contains(&"--swap2") {
        arguments.extend(["--openings", "none"]);
    }
    arguments.extend(more);
    let output = run(&folder, &arguments);
    assert!(output.status.success(), "{bad}: {output:?}");
    let json = fs::read_to_string(folder.join("m.json")).unwrap();
    assert!(fs::read_dir(&folder).unwrap().count() == 1, "{bad}: the state is left behind");
    (serde_json::from_str(&json).unwrap(), text(&output.stdout))
}

fn reasons(json: &Value) -> Vec<&str> {
    json["games"].as_array().unwrap().iter().map(|game| game["ending"]["reason"].as_str().unwrap()).collect()
}

#[test]
fn the_first_to_five_wins() {
    let (json, report) = against("good", "", &[]);
    assert_eq!(reasons(&json), ["five", "five"]);
    assert_eq!(json["result"]["pairings"][0]["wdl"], serde_json::json!([1, 0, 1]));
    assert_eq!(json["result"]["pairings"][0]["pairs"], serde_json::json!([0, 0, 1, 0, 0]));
    assert_eq!(json["result"]["clean"], true);
    assert_eq!(json["games"][0]["moves"], "a13 a8 b13 b8 c13 c8 d13 d8 e13");
    assert!(report.starts_with("good against bad: freestyle, 15x15, 200 ms a move\n"), "{report}");
    assert!(report.contains("good against bad: +1 =0 -1 of 2, 50.0 %\n"), "{report}");
}

#[test]
fn misbehaviour_loses_the_game_and_the_report_says_why() {
    for (orders, reason, detail) in [
        ("crash:3", "crash", "exited with code 9"),
        ("hang:2", "time", "no move within 200 + 600 ms"),
        ("flood:2", "flood", "in its turn"),
        ("off-board:2", "illegal", "off the board (answered '15,0')"),
        ("occupied:2", "illegal", "the point is taken"),
        ("half:2", "illegal", "no half stone under the rule freestyle"),
        ("late:2", "time", "no move within 200 + 600 ms"),
        ("text:2", "time", "last line 'I resign'"),
        ("partial:2", "time", "unfinished line '"),
        ("grandchild:2", "crash", "exited with code 9"),
        ("error-start", "start", "answered START with 'ERROR unsupported size'"),
    ] {
        let test = format!("bad-{}", orders.replace(':', "-"));
        let (json, report) = against(&test, orders, &[]);
        assert_eq!(reasons(&json), [reason; 2], "{orders}: {report}");
        assert_eq!(json["result"]["pairings"][0]["wdl"], serde_json::json!([2, 0, 0]), "{orders}");
        let wanted = format!("game 1: bad lost by {reason}: ");
        assert!(report.contains(&wanted) && report.contains(detail), "{orders}: {report}");
        assert!(
            report.contains(" bad > ") || report.contains(" bad < "),
            "{orders}: no last lines: {report}"
        );
    }
}

/// The referee looks at the memory once a second; a move that comes at that moment is none the worse.
#[test]
fn a_move_that_takes_a_second_is_no_loss() {
    let (json, report) = match_of("second", "", "second", &["--turn-ms", "3000"]);
    assert_eq!(reasons(&json), ["five"; 2], "{report}");
}

/// It writes while the other one thinks, faster than the referee reads.
#[test]
fn a_flood_out_of_turn_loses_and_holds_nothing_up() {
    let (json, report) = match_of("babble", "second", "babble", &["--turn-ms", "3000"]);
    assert_eq!(reasons(&json), ["flood"; 2], "{report}");
    assert!(report.contains("out of turn"), "{report}");
}

#[test]
fn faults_are_told_and_do_not_lose() {
    for (orders, fault) in [
        ("trailing", "format"),
        ("lower-ok", "format"),
        ("banner", "unexpected-line"),
        ("two-lines:2", "stray-line"),
        ("dirty-exit", "exit-status"),
    ] {
        let (json, report) = against(&format!("fault-{}", orders.replace(':', "-")), orders, &[]);
        assert_eq!(reasons(&json), ["five"; 2], "{orders}: {report}");
        let faults = &json["result"]["engines"][1]["conduct"]["faults"];
        assert!(faults[fault].as_u64() >= Some(1), "{orders}: {faults}");
        assert!(report.contains(&format!("bad faults: {fault} ")), "{orders}: {report}");
        assert_eq!(json["result"]["clean"], false);
    }
}

#[test]
fn an_engine_that_ignores_end_is_killed() {
    let begun = Instant::now();
    let (json, _) = against("deaf", "deaf-end", &[]);
    assert_eq!(json["result"]["engines"][1]["conduct"]["faults"]["no-exit"], 2);
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn stderr_is_counted_and_its_end_is_told_after_a_crash() {
    let (json, report) = against("stderr", "stderr crash:2", &[]);
    assert!(json["result"]["engines"][1]["conduct"]["stderr_bytes"].as_u64() > Some(50));
    assert!(report.contains("bad E assertion failed: the sky is up"), "{report}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_watched() {
    let limit = ["--max-memory", "30000000"];
    let (json, report) = against("hog", "hog:1", &limit);
    assert_eq!(reasons(&json), ["five"; 2]);
    assert!(report.contains("bad took more than its 30000000 bytes in 2 games"), "{report}");
    let (json, _) = against("strict-hog", "hog:1", &["--max-memory", "30000000", "--strict-memory"]);
    assert_eq!(reasons(&json), ["memory"; 2]);
}

#[test]
fn long_games_are_cut_and_hopeless_ones_given_up() {
    let (json, _) = against("cut", "draw", &["--max-moves", "6"]);
    assert_eq!(reasons(&json), ["max-moves"; 2]);
    assert_eq!(json["result"]["pairings"][0]["wdl"], serde_json::json!([0, 2, 0]));
    let (json, _) = against("resign", "", &["--resign", "9000,2"]);
    assert_eq!(reasons(&json), ["resign"; 2]);
    assert_eq!(json["games"][0]["ending"]["winner"], "white");
}

#[test]
fn swap2_gives_colours_as_the_engines_choose() {
    for (orders, black, moves) in [
        // The second engine takes Black: the first goes on as White with the fourth stone.
        ("swap", 1, "h8 i7 j8 a8"),
        ("stay", 0, "h8 i7 j8 b2"),
        // Five stones; the first takes White and plays the sixth.
        ("two", 1, "h8 i7 j8 a15 o1 b2"),
    ] {
        let (json, _) = against(&format!("swap2-{orders}"), orders, &["--swap2", "--games", "1"]);
        let game = &json["games"][0];
        assert_eq!(game["black"], black, "{orders}: {game}");
        assert!(game["moves"].as_str().unwrap().starts_with(moves), "{orders}: {game}");
    }
}

#[test]
fn records_of_all_formats_are_legal_and_claim_the_right_result() {
    let folder = folder("records");
    let (a, b) = (engine("A", ""), engine("B", "crash:4"));
    let mut arguments = vec!["match", "--engine", &a, "--engine", &b, "--games", "4", "--quiet"];
    arguments.extend([
        "--rule",
        "half-stone",
        "--pgn",
        "m.pgn",
        "--sgf",
        "m.sgf",
        "--psq",
        "psq",
        "--log",
        "logs",
    ]);
    assert!(run(&folder, &arguments).status.success());
    for file in ["m.pgn", "m.sgf"] {
        let output = run(&folder, &["check", file]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(text(&output.stdout).lines().count(), 4);
    }
    assert_eq!(fs::read_dir(folder.join("psq")).unwrap().count(), 4);
    // What is there is not written over, not even by the same match.
    let pgn = fs::read(folder.join("m.pgn")).unwrap();
    let output = run(&folder, &arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("m.pgn exists"), "{output:?}");
    assert_eq!(fs::read(folder.join("m.pgn")).unwrap(), pgn);
    let log = fs::read_to_string(folder.join("logs/game_00001.log")).unwrap();
    assert!(log.contains(" > START 15") && log.contains("INFO rule 32"), "{log}");
}

#[test]
fn a_round_robin_ranks_and_a_test_stops() {
    let folder = folder("robin");
    let engines = [engine("A", ""), engine("B", "crash:2"), engine("C", "off-board:2")];
    let [a, b, c] = engines.each_ref().map(String::as_str);
    let arguments = ["match", "--engine", a, "--engine", b, "--engine", c, "--concurrency", "2", "--quiet"];
    let output = run(&folder, &arguments);
    let report = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(report.lines().nth(2).is_some_and(|line| line.starts_with("A           4    4")), "{report}");
    assert!(report.contains("B against C: ") && report.contains("ended by: "), "{report}");

    let test = "elo0=0,elo1=400,alpha=0.2,beta=0.2,model=logistic";
    let weak = ["match", "--engine", b, "--engine", a, "--games", "60", "--sprt", test, "--quiet"];
    let output = run(&folder, &weak);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stdout).contains("H0 accepted"));
}

#[cfg(unix)]
#[test]
fn a_stopped_match_says_how_to_go_on_and_does() {
    let folder = folder("resume");
    let (a, b) = (engine("A", ""), engine("B", "late:2"));
    let mut arguments = vec!["match", "--engine", &a, "--engine", &b, "--games", "6", "--pgn", "m.pgn"];
    arguments.extend(["--turn-ms", "2000", "--json", "m.json"]);
    let mut stopped = command(&folder, &arguments);
    let child = stopped.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !fs::read_to_string(folder.join("m.pgn")).is_ok_and(|pgn| pgn.contains("[Round")) {
        assert!(Instant::now() < deadline, "no game has ended");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let error = text(&output.stderr);
    let line =
        error.lines().find(|line| line.contains("match --resume")).unwrap_or_else(|| panic!("{error}"));
    let file = line.rsplit(' ').next().unwrap();
    let output = run(&folder, &["match", "--resume", file, "--quiet"]);
    assert!(output.status.success(), "{output:?}");
    let json: Value = serde_json::from_str(&fs::read_to_string(folder.join("m.json")).unwrap()).unwrap();
    assert_eq!(json["games"].as_array().unwrap().len(), 6);
    assert_eq!(fs::read_to_string(folder.join("m.pgn")).unwrap().matches("[Round").count(), 6);
    assert!(!Path::new(file).exists(), "the state is left behind");
}

#[test]
fn the_state_is_kept_by_a_resumed_match_where_it_was_asked_for() {
    let folder = folder("keep");
    let (a, b) = (engine("A", ""), engine("B", ""));
    let new = ["match", "--engine", &a, "--engine", &b, "--games", "4", "--autosave", "s.json", "--quiet"];
    assert!(run(&folder, &new).status.success());
    let path = folder.join("s.json");
    let mut state: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    state["games"].as_array_mut().unwrap().truncate(2);
    let resume = ["match", "--resume", "s.json", "--quiet"];
    for keep in [true, false] {
        if !keep {
            // A state that the program made by itself.
            state["keep"] = false.into();
        }
        fs::write(&path, state.to_string()).unwrap();
        let output = run(&folder, &resume);
        assert!(output.status.success(), "{output:?}");
        assert!(text(&output.stdout).contains("+2 =0 -2 of 4"), "{output:?}");
        assert_eq!(path.exists(), keep);
    }
    fs::write(&path, state.to_string()).unwrap();
    let output = run(&folder, &new);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("s.json exists"), "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_match_whose_files_cannot_be_written_can_be_resumed() {
    let folder = folder("full-disk");
    let (a, b) = (engine("A", ""), engine("B", ""));
    let arguments = ["match", "--engine", &a, "--engine", &b, "--games", "4", "--pgn", "/dev/full"];
    let output = run(&folder, &arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        error.contains("cannot write /dev/full") && error.contains("stopped after 1 of 4 games"),
        "{error}"
    );
    let line = error.lines().find(|line| line.contains("match --resume")).unwrap();
    let file = line.rsplit(' ').next().unwrap();
    let state = fs::read_to_string(file).unwrap().replace("/dev/full", "/dev/null");
    fs::write(file, state).unwrap();
    let output = run(&folder, &["match", "--resume", file, "--quiet"]);
    assert!(text(&output.stdout).contains("+2 =0 -2 of 4"), "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_leaves_no_engine_behind() {
    // It never reads again, so that it would not notice the end of its input.
    let hanging = format!("sh -c 'echo $$ > pid; exec \"{}\" hang:1'", fake().display());
    let other = format!("name=B,cmd={hanging}");
    let arguments = ["match", "--engine", &engine("A", ""), "--engine", &other, "--turn-ms", "60000"];
    signals_leave_no_engine_behind("signals", &arguments, "kill -TERM $0; kill -INT $0");
    // There is nothing to be finished before the first one is obeyed.
    let arguments = ["compliance", &hanging, "--slack", "100"];
    signals_leave_no_engine_behind("signals-compliance", &arguments, "kill -INT $0");
}

/// Runs a command whose engine writes its process number to `pid`, sends signals, and waits for that engine's end.
#[cfg(target_os = "linux")]
fn signals_leave_no_engine_behind(name: &str, arguments: &[&str], kill: &str) {
    let folder = folder(name);
    let mut child = command(&folder, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    let engine = loop {
        match fs::read_to_string(folder.join("pid")) {
            Ok(pid) if pid.ends_with('\n') => break pid.trim().to_owned(),
            _ => assert!(Instant::now() < deadline, "no engine was started"),
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let id = child.id().to_string();
    assert!(Command::new("sh").args(["-c", kill, &id]).status().unwrap().success());
    child.wait().unwrap();
    // Whoever inherits the process may be slow to reap it.
    let gone = || match fs::read_to_string(format!("/proc/{engine}/stat")) {
        Ok(stat) => stat.contains(") Z ") || stat.contains(") X "),
        Err(_) => true,
    };
    while !gone() {
        assert!(Instant::now() < deadline, "the engine lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn bad_command_lines_say_what_is_wrong() {
    let folder = folder("usage");
    fs::write(folder.join("over.txt"), "h8 a1 h9 a2 h10 a3 h11 a4 h12\n").unwrap();
    fs::write(folder.join("broken.txt"), "h8 i9\nh8 z9\n").unwrap();
    fs::write(folder.join("state.json"), "{}").unwrap();
    for (arguments, wanted) in [
        (&["--engine", "name=a"][..], "give --engine twice or more"),
        (&["--engine", "name=a", "--engine", "name=a"], "two engines are called 'a'"),
        (&["--engine", "name=a", "--engine", "hello"], "--engine 'hello': cannot read 'hello'"),
        (&["--engine", "a=1", "--engine", "name=b"], "unknown key"),
        (&["--engine", "name=a", "--engine", "name=b", "--sprt", "elo0=5"], "cannot read 'elo0=5'"),
        (
            &["--engine", "name=a", "--engine", "name=b", "--openings", "over.txt"],
            "over.txt:1: not an opening: the game is over",
        ),
        (&["--engine", "name=a", "--engine", "name=b", "--openings", "broken.txt"], "line 2, column 4"),
        (&["--engine", "name=a", "--engine", "name=b", "--openings", "no.txt"], "cannot read no.txt"),
        (&["--engine", "name=a", "--engine", "name=b", "--sprt", "elo0=0,elo1=250"], "from -200 to 200"),
        (&["--resume", "state.json"], "not the state of a match"),
        (&["--engine", "name=a", "--engine", "name=b", "--rule", "renju", "--swap2"], "--swap2 goes with"),
    ] {
        let arguments: Vec<&str> = std::iter::once("match").chain(arguments.iter().copied()).collect();
        let output = run(&folder, &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(text(&output.stderr).contains(wanted), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn help_is_as_written() {
    // Written anew by running the tests with UPDATE_GOLDEN set.
    for subcommand in ["match", "compliance"] {
        let output = Command::new(OWN).args([subcommand, "--help"]).env("COLUMNS", "100").output().unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/help/{subcommand}.txt"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &output.stdout).unwrap();
        }
        let wanted = fs::read_to_string(&path).unwrap();
        assert_eq!(text(&output.stdout), wanted, "{subcommand} --help has changed");
    }
}

#[test]
fn compliance_tells_good_engines_from_bad() {
    let folder = folder("compliance");
    let output =
        run(&folder, &["compliance", "self", "--only", "start-15,about,turn-first,unknown", "--slack", "5"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text(&output.stdout).ends_with("passed 4, failed 0\n"));

    let bad = format!("'{}' trailing banner", fake().display());
    let output = run(&folder, &["compliance", &bad, "--only", "start-15,turn-first", "--slack", "2"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(report.contains("FAIL  start") && report.contains("Fake engine, welcome"), "{report}");
    assert!(report.ends_with("passed 0, failed 2\n"), "{report}");
    let talking = format!("'{}' last-word", fake().display());
    let output = run(&folder, &["compliance", &talking, "--only", "end", "--slack", "5"]);
    assert!(text(&output.stdout).contains("a line after the end"), "{output:?}");
    assert_eq!(run(&folder, &["compliance", "self", "--only", "nothing"]).status.code(), Some(2));
    assert_eq!(
        run(&folder, &["compliance", "self", "--only", "end", "--skip", "end"]).status.code(),
        Some(2)
    );
    assert_eq!(run(&folder, &["compliance", "/no/such/engine"]).status.code(), Some(2));
}
