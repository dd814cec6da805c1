//! Fault drills with the program itself: what managers, operating systems and accidents do to an engine.
//! `docs/reliability.md` lists them with their results; those that take long are ignored here and run by hand.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::dialogue::points;
use crate::support::program::folder;
use crate::support::random::Rng;

const BINARY: &str = env!("CARGO_BIN_EXE_pbrain-halfstone");
/// Longer than anything takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(20);
/// How soon an idle or a searching program has to be gone: managers kill after half a second, a loaded machine may need
/// longer.
const EXIT: Duration = Duration::from_secs(3);

/// The program as a manager holds it.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    fn start() -> Program {
        Program::from(Command::new(BINARY))
    }

    fn from(mut command: Command) -> Program {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let line = line.expect("output is UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Program { input: child.stdin.take(), child, lines }
    }

    /// A program that was told to use this much time for a move.
    fn thinking(turn: &str, settings: &str) -> Program {
        let mut program = Program::start();
        program.send(&format!("INFO timeout_turn {turn}\n{settings}\nSTART 15"));
        program.expect("OK");
        program
    }

    /// A program that has ended does not hear.
    fn send(&mut self, text: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(text.as_bytes()).and_then(|()| input.write_all(b"\n"));
        }
    }

    /// The next line that is no `MESSAGE`.
    fn line(&mut self) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("a reply comes");
            if !line.starts_with("MESSAGE ") {
                return line;
            }
        }
    }

    fn expect(&mut self, expected: &str) {
        assert_eq!(self.line(), expected);
    }

    fn mv(&mut self) -> String {
        let line = self.line();
        assert_eq!(points(&line), Some(1), "{line}");
        line
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the program is there");
    }

    /// Stops the program and waits until all of it stands still: a line that is written now is read only later.
    fn freeze(&self) {
        self.signal(Signal::STOP);
        let tasks = format!("/proc/{}/task", self.child.id());
        let stopped = |task: fs::DirEntry| {
            let stat = fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('T'))
        };
        while !fs::read_dir(&tasks).unwrap().all(|task| stopped(task.unwrap())) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Unique set size in bytes: what this process alone occupies.
    fn unique_bytes(&self) -> u64 {
        self.kib("smaps_rollup", &["Private_Clean:", "Private_Dirty:"]) << 10
    }

    /// The same when there is no table and no search.
    fn bytes_between_games(&mut self) -> u64 {
        self.send("RESTART");
        self.expect("OK");
        self.unique_bytes()
    }

    /// The most that was resident at any time, code that is shared with others included, in bytes.
    fn peak_bytes(&self) -> u64 {
        self.kib("status", &["VmHWM:"]) << 10
    }

    fn kib(&self, file: &str, keys: &[&str]) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).expect("it runs");
        let value = |line: &str| {
            let (key, rest) = line.split_once(char::is_whitespace)?;
            keys.contains(&key).then(|| rest.split_whitespace().next()?.parse::<u64>().ok()).flatten()
        };
        text.lines().filter_map(value).sum()
    }

    /// Waits for a good end: code 0, nothing on stderr. Returns the time it took and the lines that came, `MESSAGE`
    /// lines left out.
    fn gone(mut self) -> (Duration, Vec<String>) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > EXIT {
                self.child.kill().unwrap();
                panic!("it did not end");
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let took = start.elapsed();
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert!(status.success() && errors.is_empty(), "{status} {errors}");
        (took, self.lines.iter().filter(|line| !line.starts_with("MESSAGE ")).collect())
    }

    /// Closes the input and waits.
    fn close(mut self) -> (Duration, Vec<String>) {
        self.input = None;
        self.gone()
    }
}

/// `END` after 0 to 30 ms of a search, or of thinking on the opponent's time.
fn random_ends(runs: u64) {
    let mut rng = Rng::new(9);
    let mut slowest = Duration::ZERO;
    for run in 0..runs {
        let mut program = Program::thinking("5000", "INFO thread_num 8\nINFO pondering 1");
        if run % 2 == 0 {
            program.send("BEGIN");
        } else {
            program.send("INFO timeout_turn 5\nBEGIN");
            program.mv();
        }
        std::thread::sleep(Duration::from_micros(rng.below(30_000) as u64));
        program.send("END\nABOUT");
        let (took, lines) = program.gone();
        assert!(lines.iter().all(|line| points(line) == Some(1)), "{lines:?}");
        slowest = slowest.max(took);
    }
    println!("{runs} ends, the slowest took {slowest:?}");
}

#[test]
fn end_comes_at_any_moment() {
    random_ends(20);
}

#[test]
#[ignore = "a minute"]
fn end_comes_at_any_moment_many_times() {
    random_ends(500);
}

#[test]
fn the_input_ends_after_any_line_and_inside_any_line() {
    let script = "yxshowinfo\nINFO rule 2\nINFO timeout_turn 600000\nINFO pondering 1\nSTART 15\nBOARD\n7,7,1\n8,8,2\nDONE\n\
                  TURN 1,1\nYXBOARD\n7,7,1\n8,8,2\nDONE\nYXNBEST 2\nYXSTOP\nSWAP2BOARD\n7,7\nDONE\nYXBLOCK\n7,7\nDONE\n\
                  YXQUERYDATABASEALL\n7,7\nYXHASHLOAD\nno such file\nyxsoosorvstep5 3\n7,7\n7,8\n7,9\n0,0\ndone\n\
                  yxsearchdefend\nTAKEBACK 7,7";
    let mut slowest = Duration::ZERO;
    for (index, (end, _)) in script.match_indices('\n').enumerate() {
        // After the line, or two bytes before its end.
        let cut = if index % 2 == 0 { end + 1 } else { end - 2 };
        let mut program = Program::start();
        program.input.as_mut().unwrap().write_all(&script.as_bytes()[..cut]).unwrap();
        slowest = slowest.max(program.close().0);
    }
    println!("the slowest end took {slowest:?}");
}

#[test]
fn a_stopped_program_goes_on_and_its_clock_starts_when_it_reads() {
    let mut program = Program::thinking("400", "");
    program.send("BEGIN");
    program.mv();
    program.freeze();
    program.send("TURN 0,0");
    std::thread::sleep(Duration::from_millis(1_500));
    let woken = Instant::now();
    program.signal(Signal::CONT);
    program.mv();
    // Had the clock started with the writing, the answer would have come at once.
    assert!(woken.elapsed() > Duration::from_millis(150), "{:?}", woken.elapsed());
    // In the middle of a search the clock runs on, and the move comes as soon as the program does.
    program.send("TURN 0,1");
    std::thread::sleep(Duration::from_millis(50));
    program.freeze();
    std::thread::sleep(Duration::from_millis(800));
    program.signal(Signal::CONT);
    program.mv();
    program.close();
}

#[test]
fn a_killed_manager_takes_the_program_with_it() {
    let fifo = folder("killed manager").join("pipe");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" < \"$1\"", BINARY]).arg(&fifo);
    let program = Program::from(command);
    let mut manager = Command::new("sh")
        .args(["-c", "exec > \"$0\"; printf 'START 15\nINFO timeout_turn 600000\nBEGIN\n'; read line"])
        .arg(&fifo)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut program = program;
    program.expect("OK");
    manager.kill().unwrap();
    manager.wait().unwrap();
    let (took, lines) = program.gone();
    assert!(lines.len() == 1 && points(&lines[0]) == Some(1), "{lines:?}");
    println!("gone after {took:?}");
}

/// Games in one process, with boards of two sizes and thinking on the opponent's time.
fn many_games(games: u64) {
    let mut program = Program::thinking("2", "INFO max_memory 60000000\nINFO pondering 1");
    let mut early = 0;
    let start = Instant::now();
    for game in 0..games {
        let size = if game % 2 == 0 { 15 } else { 20 };
        program.send(&format!("INFO rule {}\nSTART {size}\nBEGIN", [0, 1, 4, 8, 9, 32][game as usize % 6]));
        program.expect("OK");
        program.line();
        program.send("BOARD 7,7,2 DONE\nBOARD 7,7,2 8,8,1 9,9,2 DONE");
        program.mv();
        program.mv();
        if game == games / 4 {
            early = program.bytes_between_games();
        }
    }
    let late = program.bytes_between_games();
    println!(
        "{games} games in {:?}: {} KiB after a quarter, {} KiB at the end",
        start.elapsed(),
        early >> 10,
        late >> 10
    );
    assert!(late < early + (2 << 20), "{early} {late}");
    program.close();
}

#[test]
fn memory_stays_flat_over_many_games() {
    many_games(48);
}

#[test]
#[ignore = "a minute"]
fn memory_stays_flat_over_a_thousand_games() {
    many_games(1_000);
}

/// Programs that do nothing but use up a processor each, as long as this lives.
struct Hogs(Vec<Child>);

impl Hogs {
    fn new(count: usize) -> Hogs {
        let hog = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Hogs(std::iter::repeat_with(hog).take(count).collect())
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

/// A number from the environment, for drills that may be made longer.
fn from_environment(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
#[ignore = "two seconds a game, 20 games unless HALFSTONE_GAMES says otherwise; tells more on a machine that is idle apart from it"]
fn moves_are_in_time_beside_hogs() {
    const TURN_MS: usize = 50;
    let games = from_environment("HALFSTONE_GAMES", 20);
    let hogs = from_environment("HALFSTONE_HOGS", 2);
    let folder = folder("hogs");
    let file = folder.join("match.json");
    let beside = Hogs::new(hogs);
    let output = Command::new(BINARY)
        .args(["match", "--engine", "name=one", "--engine", "name=two", "--quiet", "--json"])
        .arg(&file)
        .args(["--games", &games.to_string(), "--turn-ms", &TURN_MS.to_string()])
        .current_dir(&folder)
        .output()
        .unwrap();
    drop(beside);
    assert!(output.status.success(), "{output:?}");
    let played: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let played = played["games"].as_array().unwrap();
    let steps = played.iter().flat_map(|game| game["steps"].as_array().unwrap());
    let mut late: Vec<f64> = steps.map(|step| step["ms"].as_f64().unwrap() - TURN_MS as f64).collect();
    late.sort_by(f64::total_cmp);
    let share = |share: f64| late[((late.len() - 1) as f64 * share) as usize];
    let over = |ms: f64| late.iter().filter(|&&late| late > ms).count();
    println!(
        "{games} games beside {hogs} hogs, {} moves of {TURN_MS} ms; against the limit: median {:+.1} ms, 99 % {:+.1}, \
         99.9 % {:+.1}, worst {:+.1}; {} over the limit, {} by more than 30 ms",
        late.len(),
        share(0.5),
        share(0.99),
        share(0.999),
        share(1.0),
        over(0.0),
        over(30.0)
    );
    let lost_on_time = played.iter().filter(|game| game["ending"]["reason"] == "time").count();
    assert_eq!(lost_on_time, 0);
}

/// The program with its three streams in hand.
fn piped() -> std::process::Child {
    let mut command = Command::new(BINARY);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_closed_output_ends_the_program() {
    let mut child = piped();
    drop(child.stdout.take());
    child.stdin.as_mut().unwrap().write_all(b"START 15\nABOUT\n").unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < EXIT, "it did not end");
        std::thread::sleep(Duration::from_millis(1));
    }
    // The input is still open: the program has not waited for its end.
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty() && output.status.success(), "{output:?}");
}

#[test]
fn a_slow_reader_gets_every_line() {
    const QUESTIONS: usize = 5_000;
    let mut child = piped();
    let mut input = child.stdin.take().unwrap();
    // Both pipes fill up until the reader begins.
    let writer = std::thread::spawn(move || {
        for _ in 0..QUESTIONS {
            input.write_all(b"ABOUT\n").unwrap();
        }
    });
    std::thread::sleep(Duration::from_millis(500));
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.map(Result::unwrap).filter(|line| line.starts_with("name=\"")).count(), QUESTIONS);
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
}

/// A search without an end, and more answers than a pipe holds.
const UNREAD: &str = "INFO timeout_turn 2000000\nINFO timeout_match 100000000\nINFO max_memory 200000000\nSTART 15\nTURN 7,7\n";
const UNREAD_QUESTIONS: usize = 950;

/// Waits for the end of a program whose output nobody reads, and tells how long that took.
fn end_of(mut child: Child) -> (Duration, std::process::ExitStatus) {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return (start.elapsed(), status);
        }
        assert!(start.elapsed() < 4 * EXIT, "it did not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_manager_that_reads_nothing_is_left_all_the_same() {
    let mut child = piped();
    let input = child.stdin.as_mut().unwrap();
    input.write_all((UNREAD.to_owned() + &"ABOUT\n".repeat(UNREAD_QUESTIONS)).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    input.write_all(b"END\n").unwrap();
    assert!(child.try_wait().unwrap().is_none());
    let (took, status) = end_of(child);
    // Something was left unsaid.
    assert_eq!(status.code(), Some(1));
    assert!(took > Duration::from_millis(700), "the pipe was not full: {took:?}");
    println!("left after {} ms", took.as_millis());
}

#[test]
fn a_file_of_the_table_is_finished_before_the_end() {
    let folder = folder("file before the end");
    for (name, questions) in [("read.tt", 0), ("unread.tt", UNREAD_QUESTIONS)] {
        let file = folder.join(name);
        let mut child = piped();
        let input = child.stdin.as_mut().unwrap();
        input.write_all(UNREAD.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let questions = "ABOUT\n".repeat(questions);
        input.write_all(format!("YXHASHDUMP {}\n{questions}END\n", file.display()).as_bytes()).unwrap();
        end_of(child);
        let mut other = Program::start();
        other.send(&format!("START 15\nYXHASHLOAD {}", file.display()));
        other.expect("OK");
        let told = other.lines.recv_timeout(PATIENCE).unwrap();
        assert!(told.starts_with("MESSAGE hash load: "), "{name}: {told}");
        other.close();
    }
}

#[test]
fn new_games_of_other_sizes_come_in_the_middle_of_searches() {
    let mut program = Program::thinking("600000", "INFO thread_num 2");
    let mut rng = Rng::new(15);
    for round in 0..40 {
        program.send("BEGIN");
        std::thread::sleep(Duration::from_millis(rng.below(15) as u64));
        program.send(if round % 2 == 0 { "START 20" } else { "START 15" });
        program.mv();
        program.expect("OK");
    }
    program.close();
}

/// Lines, and whether an answer is waited for: a search that the next line cut short would answer differently.
const SCRIPT: [(&str, bool); 14] = [
    ("INFO rule 4", false),
    ("INFO max_node 3000", false),
    ("INFO timeout_turn 2000000", false),
    ("START 15", true),
    ("BOARD", false),
    ("7,7,1", false),
    ("8,8,2", false),
    ("DONE", true),
    ("TURN 1,1", true),
    ("YXBOARD 7,7,1 8,8,2 DONE", false),
    ("YXSHOWFORBID", true),
    ("FOOBAR", true),
    ("TURN 99,1", true),
    ("TAKEBACK 8,8", true),
];

/// The answers to the script with these line ends, used in turn, and this before the first line.
fn answers(command: Command, before: &str, ends: &[&str]) -> Vec<String> {
    let mut program = Program::from(command);
    let mut answers = Vec::new();
    program.input.as_mut().unwrap().write_all(before.as_bytes()).unwrap();
    for ((line, answered), end) in SCRIPT.iter().zip(ends.iter().cycle()) {
        program.input.as_mut().unwrap().write_all(format!("{line}{end}").as_bytes()).unwrap();
        if *answered {
            answers.push(program.line());
        }
    }
    assert!(program.close().1.is_empty());
    answers
}

#[test]
fn line_ends_locale_folder_and_path_make_no_difference() {
    let program = || Command::new(BINARY);
    let plain = answers(program(), "", &["\n"]);
    assert_eq!(plain.len(), 7);
    for (name, before, ends) in [
        ("CR LF", "", &["\r\n"][..]),
        ("CR", "", &["\r"]),
        ("blank lines", "\r\n", &["\n\r\n \t\r\n"]),
        ("mixed line ends", "", &["\r\n", "\n", "\r"]),
        ("byte order mark", "\u{feff}", &["\n"]),
    ] {
        assert_eq!(answers(program(), before, ends), plain, "{name}");
    }
    let mut others: Vec<(&str, Command)> = Vec::new();
    for locale in ["de_DE.UTF-8", "tr_TR.UTF-8", "zh_CN.GB18030", "C"] {
        let mut command = program();
        command.env("LC_ALL", locale).env("LANG", locale);
        others.push((locale, command));
    }
    let mut command = program();
    command.env_clear();
    others.push(("no environment", command));
    let home = folder("drill folders");
    let deleted = home.join("deleted");
    fs::create_dir(&deleted).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "cd \"$1\" && rmdir \"$1\" && exec \"$0\"", BINARY]).arg(&deleted);
    others.push(("deleted folder", command));
    let read_only = home.join("read only");
    fs::create_dir(&read_only).unwrap();
    fs::set_permissions(&read_only, fs::Permissions::from_mode(0o555)).unwrap();
    let mut command = program();
    command.current_dir(&read_only);
    others.push(("read-only folder", command));
    let odd: PathBuf = home.join("a b").join("棋 力").join("pbrain ё 棋");
    fs::create_dir_all(odd.parent().unwrap()).unwrap();
    fs::copy(BINARY, &odd).unwrap();
    let mut command = Command::new(&odd);
    command.current_dir(odd.parent().unwrap());
    others.push(("blanks and Chinese in the path", command));
    for (name, command) in others {
        assert_eq!(answers(command, "", &["\n"]), plain, "{name}");
    }
}

#[test]
fn the_process_stays_within_its_memory() {
    for mib in [20, 32, 83, 350] {
        for (rule, threads) in [(0, 1), (4, 2)] {
            let settings = format!(
                "INFO max_memory {}\nINFO thread_num {threads}\nINFO rule {rule}\nINFO pondering 1",
                mib << 20
            );
            let mut program = Program::thinking("700", &settings);
            program.send("START 20\nBOARD 9,9,1 10,10,2 10,9,1 9,10,2 DONE");
            program.expect("OK");
            program.mv();
            program.send("TURN 0,0");
            program.mv();
            let (unique, peak) = (program.unique_bytes(), program.peak_bytes());
            println!(
                "max_memory {mib} MiB, rule {rule}, {threads} threads: {} KiB unique, peak {} KiB resident",
                unique >> 10,
                peak >> 10
            );
            assert!(unique < mib << 20 && peak < mib << 20, "{mib} MiB: {unique} {peak}");
            program.close();
        }
    }
}

#[test]
fn any_memory_limit_is_survived() {
    for memory in
        ["1", "1000", "0", "-1", "9223372036854775807", "18446744073709551615", "1000000000000000000000000"]
    {
        let mut program = Program::thinking("20", &format!("INFO max_memory {memory}"));
        program.send("BEGIN");
        program.mv();
        println!("max_memory {memory}: {} KiB unique", program.unique_bytes() >> 10);
        program.close();
    }
}

/// What the program says to a script that needs no waiting.
fn said(mut command: Command, script: &[u8]) -> String {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The script ends with END; the program may be gone before all is written.
    let _ = child.stdin.as_mut().unwrap().write_all(script);
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty() && output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| !line.starts_with("MESSAGE ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_log_is_written_beside_the_dialogue() {
    let folder = folder("log").join("记 录");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("a log.txt");
    for arguments in [vec!["--log"], vec!["play", "--log"]] {
        let mut command = Command::new(BINARY);
        command.args(arguments).arg(&file);
        assert_eq!(said(command, b"START 15\r\nFOOBAR\r\n"), "OK\nUNKNOWN unknown command 'FOOBAR'");
    }
    let text = fs::read_to_string(&file).unwrap();
    for line in [" > START 15", " < OK", " > FOOBAR", " < UNKNOWN unknown command 'FOOBAR'"] {
        assert_eq!(text.lines().filter(|other| other.ends_with(line)).count(), 2, "{line}\n{text}");
    }
    assert_eq!(text.lines().filter(|line| line.starts_with("halfstone ")).count(), 2);
    // A log that cannot be written is mentioned where managers expect chatter, and play goes on.
    let mut command = Command::new(BINARY);
    command.arg("--log").arg(Path::new("/no such folder/log"));
    let mut program = Program::from(command);
    program.send("INFO timeout_turn 20\nSTART 15\nBEGIN");
    assert_eq!(program.lines.recv_timeout(PATIENCE).unwrap(), "OK");
    assert!(
        program.lines.recv_timeout(PATIENCE).unwrap().starts_with("MESSAGE no log in /no such folder/log: ")
    );
    program.mv();
    program.close();
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_ends_on_a_full_disk_is_mentioned() {
    let mut command = Command::new(BINARY);
    command.args(["--log", "/dev/full"]);
    let mut program = Program::from(command);
    program.send("INFO timeout_turn 20\nSTART 15\nBEGIN");
    assert_eq!(program.lines.recv_timeout(PATIENCE).unwrap(), "OK");
    assert!(program.lines.recv_timeout(PATIENCE).unwrap().starts_with("MESSAGE the log ends here: "));
    program.mv();
    program.close();
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_the_system_does_not_grant_is_made_smaller() {
    let mut command = Command::new("sh");
    // 800 MB of addresses, and a table of 4 GiB.
    command.args(["-c", "ulimit -v 800000 && exec \"$0\"", BINARY]);
    let mut program = Program::from(command);
    program.send("INFO timeout_turn 20\nINFO hash_size 4194304\nSTART 15\nBEGIN");
    assert_eq!(program.lines.recv_timeout(PATIENCE).unwrap(), "OK");
    program.mv();
    program.send("TURN 0,0");
    program.mv();
    program.close();
}
