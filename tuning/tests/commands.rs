//! The commands as a user runs them: those of the README, and what is left when the disk is full.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use halfstone::eval;
use halfstone::search::Parameters;
use halfstone::types::{Rule, Size};
use halfstone_tuning::duel::Terms;
use halfstone_tuning::selfplay::Player;
use halfstone_tuning::spsa::{self, Number, Setup, State};
use halfstone_tuning::{games, run};

/// A folder for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("halfstone-commands-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Runs lines of shell with `$tuning` set.
    fn shell(&self, script: &str) -> Output {
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", script]).current_dir(&self.0).env("tuning", env!("CARGO_BIN_EXE_tuning"));
        shell.output().unwrap()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The commands of a section of the README, in the order in which they are to be run.
fn documented(section: &str) -> Vec<&'static str> {
    let (_, rest) = include_str!("../README.md").split_once(section).unwrap();
    let body = rest.split("\n#").next().unwrap();
    body.lines().filter_map(|line| line.strip_prefix("    ")).collect()
}

#[test]
fn the_small_run_of_the_readme_gives_the_same_file_every_time() {
    let commands = documented("### A small run, to the bit");
    assert_eq!(commands.len(), 3, "{commands:?}");
    let files = ["first", "second"].map(|name| {
        let folder = Folder::new(name);
        succeeded(&folder.shell(&commands.join("\n")));
        assert!(games::read(&folder.0.join("small.bin")).unwrap().games.len() >= 40);
        folder.read("small-weights.bin")
    });
    assert!(files[0] == files[1], "two runs gave different weights");
    let folder = Folder::new("weights");
    std::fs::write(folder.0.join("w"), &files[0]).unwrap();
    let fitted = run::read_weights(&folder.0.join("w")).unwrap();
    assert_eq!(fitted.rule, Rule::Freestyle);
    assert_ne!(fitted.weights, run::prior(Rule::Freestyle, None), "nothing was learnt");
}

const GAMES: &str = "$tuning datagen --rule renju --sizes 9 --games 30 --nodes 60 --seed 3 --out";

/// `script` under a limit on the size of files: a write beyond it fails as on a full disk, or kills the process.
fn limited(script: &str, kills: bool) -> String {
    let trap = if kills { "" } else { "trap '' XFSZ; " };
    format!("{trap}ulimit -c 0; ulimit -f 2; {script}")
}

#[test]
fn a_full_disk_loses_no_finished_game() {
    let folder = Folder::new("full");
    succeeded(&folder.shell(&format!("{GAMES} whole.bin")));
    for (name, kills) in [("full.bin", false), ("killed.bin", true)] {
        let output = folder.shell(&limited(&format!("{GAMES} {name}"), kills));
        assert!(!output.status.success());
        if !kills {
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                error.contains("cannot write to full.bin; all games before this one are kept"),
                "{error}"
            );
        }
        let kept = games::read(&folder.0.join(name)).unwrap().games;
        let whole = games::read(&folder.0.join("whole.bin")).unwrap().games;
        assert!(!kept.is_empty() && kept.len() < 30, "{}", kept.len());
        assert_eq!(kept, whole[..kept.len()]);
        // With room again, it goes on where it was.
        succeeded(&folder.shell(&format!("{GAMES} {name}")));
        assert!(folder.read(name) == folder.read("whole.bin"));
    }
    // Joining onto one of the parts keeps the part when there is no room.
    let before = folder.read("full.bin");
    let output = folder.shell(&limited("$tuning merge full.bin whole.bin --out full.bin", false));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("cannot write full.bin; what was there before is kept"), "{error}");
    assert!(folder.read("full.bin") == before);
}

/// The beginning of an SPSA run over all numbers, and the command that goes on with it.
fn begun(path: &Path) -> String {
    let player = Player::new(eval::points(Rule::Freestyle), 40);
    let number = |name| Number::new(name, &Parameters::default()).unwrap();
    let setup = Setup {
        terms: Terms { rule: Rule::Freestyle, size: Size::new(9).unwrap(), seed: 2 },
        nodes: 40,
        weights: run::checksum(&eval::built_in(Rule::Freestyle).unwrap()),
        base: spsa::checksum(&Parameters::default()),
        pairs: 6,
        batch: 2,
        rate: 0.01,
        numbers: Parameters::LIST.iter().map(|parameter| number(parameter.name)).collect(),
    };
    let mut state = State::new(setup);
    state.batch(&player, 1).unwrap();
    state.save(path).unwrap();
    "$tuning spsa --params all --rule freestyle --size 9 --nodes 40 --games 12 --batch 2 --rate 0.01 --seed 2 \
     --state state"
        .to_owned()
}

#[test]
fn spsa_goes_on_from_its_state_which_a_full_disk_does_not_spoil() {
    let folder = Folder::new("spsa");
    let command = begun(&folder.0.join("state"));
    let before = folder.read("state");
    let output = folder.shell(&limited(&command, false).replace("ulimit -f 2", "ulimit -f 1"));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("cannot write state; what was there before is kept"), "{error}");
    assert!(folder.read("state") == before);
    // Other settings are another run.
    let output = folder.shell(&command.replace("--nodes 40", "--nodes 41"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("other settings"));
    let output = folder.shell(&command);
    succeeded(&output);
    let answer = String::from_utf8(output.stdout).unwrap();
    let mut parameters = Parameters::default();
    parameters.set_all(answer.trim()).unwrap();
    assert_eq!(answer.matches('=').count(), Parameters::LIST.len());
    let state = State::load(&folder.0.join("state")).unwrap();
    assert_eq!((state.done, state.answer()), (6, answer.trim().to_owned()));
}

#[test]
fn damaged_files_are_refused_by_every_command_that_reads_them() {
    let folder = Folder::new("damaged");
    std::fs::write(folder.0.join("junk"), "junk").unwrap();
    for (command, reason) in [
        ("$tuning stats junk", "file of games"),
        ("$tuning merge junk --out joined", "file of games"),
        ("$tuning fit junk --out weights", "file of games"),
        ("$tuning datagen --games 1 --out junk", "file of games"),
        ("$tuning datagen --games 1 --weights junk --out games", "file of weights"),
        ("$tuning duel --games 2 --weights-a junk", "file of weights"),
        ("$tuning spsa --params razor_base --weights junk --state state", "file of weights"),
        ("$tuning spsa --params razor_base --state junk", "not a state of spsa"),
    ] {
        let output = folder.shell(command);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{command}: {error}");
        assert!(error.contains("junk") && error.contains(reason), "{command}: {error}");
        assert_eq!(folder.read("junk"), b"junk");
    }
}
