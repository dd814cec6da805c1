//! Files other than games: tables, weights, the state of a match. And the program itself, on damaged files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use proptest::sample::{Index, select};

use halfstone::arena::{Config, EngineLimits, EngineSpec, Files, State, Tournament};
use halfstone::board::Board;
use halfstone::engine;
use halfstone::eval::{MAX_EVAL, WeightFile, built_in, evaluate};
use halfstone::game::GameRecord;
use halfstone::movegen::{MoveList, Promises, candidate_moves};
use halfstone::pattern::PointTable;
use halfstone::rules::{Position, Status};
use halfstone::types::{Cell, Color, Move, Piece, Rule, Size};

use super::hunt;
use super::model::{Model, Sent, is_ongoing};
use super::mutate::{Mutation, apply, mutations};
use super::position::{Sketch, sketch};
use super::session::{close, read_move};
use crate::dialogue::Dialogue;
use crate::support::program;

/// A file of its own for every case.
fn fresh(ending: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let number = COUNT.fetch_add(1, Ordering::Relaxed) % 64;
    folder.join(format!("{}-{number}.{ending}", std::process::id()))
}

/// A table whose checksum is right and whose entries are nonsense about this position and those after its moves.
fn table_file(game: &GameRecord, entries: &[(Index, u64)]) -> Vec<u8> {
    let board = engine::board(game);
    let moves = Position::from_record(game).expect("the position is legal").legal_moves();
    let version = env!("CARGO_PKG_VERSION");
    let mut bytes = format!("halfstone table 1\n{version} {} {}\n", game.rule(), game.size()).into_bytes();
    for (which, data) in entries {
        let key = match which.index(moves.len() + 1) {
            0 => board.hash(),
            n => board.hash_after(moves[n - 1]),
        };
        bytes.extend(key.to_le_bytes());
        bytes.extend(data.max(&1).to_le_bytes());
    }
    bytes.extend([0; 16]);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// An entry: any bits, or a move of the board with a score near the ends of its range.
fn entry() -> impl Strategy<Value = (Index, u64)> {
    let score =
        select(vec![-32_768i16, -32_767, -30_000, -29_999, -29_000, -1, 0, 29_000, 29_999, 30_000, 32_767]);
    let plausible = (0u16..1 << 12, score, any::<i16>(), any::<u8>(), any::<u8>()).prop_map(
        |(mv, score, eval, depth, bound)| {
            u64::from(mv)
                | u64::from(score.cast_unsigned()) << 16
                | u64::from(eval.cast_unsigned()) << 32
                | u64::from(depth) << 48
                | u64::from(bound) << 56
        },
    );
    (any::<Index>(), prop_oneof![1 => any::<u64>(), 200 => plausible])
}

#[test]
fn a_table_of_nonsense_does_no_harm() {
    let entries = prop::collection::vec(entry(), 1..60);
    let damage = prop_oneof![2 => Just(Vec::new()), 1 => mutations(3)];
    hunt("files, tables", 32, &(sketch(), entries, damage, 1u64..400), |(sketch, entries, damage, nodes)| {
        let mut game = sketch.game(true);
        // The session is told the position as stones.
        while game.moves().contains(&Move::PASS) || !is_ongoing(&game) {
            if game.pop().is_none() {
                return Ok(());
            }
        }
        let path = fresh("tt");
        let mut bytes = table_file(&game, &entries);
        apply(&mut bytes, &damage);
        fs::write(&path, bytes).expect("the file can be written");
        let us = game.side_to_move();
        let stones: Vec<String> = game.pieces().map(|(cell, piece)| sent(cell, piece, us)).collect();
        let mut session = Dialogue::new();
        let rule = game.rule().info_value();
        session.send(&format!(
            "INFO timeout_turn 2000\nINFO max_node {nodes}\nINFO rule {rule}\nSTART {}",
            game.size()
        ));
        session.expect("OK");
        session.send(&format!("YXBOARD\n{}\nDONE", stones.join("\n")));
        // Counts of stones that fit no game are another's turn.
        let model = Model { rule, game: Some(game.clone()), hindered: true };
        let sent: Vec<_> = stones.iter().map(|stone| read_sent(stone)).collect();
        let Some(mut game) = model.after_block(&sent) else { return Ok(()) };
        session.send(&format!("YXHASHLOAD {}", path.display()));
        session.message("hash load");
        for _ in 0..3 {
            if !is_ongoing(&game) {
                break;
            }
            session.send("YXNBEST 2");
            let line = session.line();
            let mv = read_move(&line, game.size());
            let fault = mv.map_or(Some("no move".to_owned()), |mv| model.fault(&game, mv));
            prop_assert!(fault.is_none(), "{line} in {game:?}: {fault:?}");
            mv.into_iter().for_each(|mv| game.push(mv));
        }
        let _ = fs::remove_file(&path);
        close(session).map(drop)
    });
}

/// A piece as a line of a block, for the engine as this colour.
fn sent(cell: Cell, piece: Piece, us: Color) -> String {
    let field = match piece {
        Piece::Stone(color) if color == us => 1,
        Piece::Stone(_) => 2,
        Piece::Blocked => 3,
        Piece::Half if us == Color::Black => 4,
        Piece::Half => 5,
    };
    format!("{},{},{field}", cell.x(), cell.y())
}

fn read_sent(text: &str) -> Sent {
    let numbers: Vec<i64> = text.split(',').map(|word| word.parse().expect("a number")).collect();
    (numbers[0], numbers[1], numbers[2])
}

/// Plays random moves with these weights and judges each position.
fn judge(file: &WeightFile, sketch: &Sketch) -> Result<(), TestCaseError> {
    let game = sketch.clone().under(file.rule).game(true);
    if Position::from_record(&game).is_ok_and(|position| position.status() == Status::Ongoing) {
        let table = Arc::new(PointTable::new(file.rule, &file.weights));
        let board = Board::from_record_with_points(&game, table);
        prop_assert!(evaluate(&board).abs() <= MAX_EVAL);
        let mut moves = MoveList::new();
        candidate_moves(&board, &mut moves);
        // What a move promises orders it: any number will do, but it must be one.
        let promises = Promises::of(&board);
        moves.iter().for_each(|&mv| _ = promises.get(mv));
    }
    Ok(())
}

#[test]
fn weights_of_any_numbers_are_judged_by_or_refused() {
    // Words at the ends of their range, and a checksum that fits or does not.
    let word = (any::<Index>(), select(vec![0i16, 1, -1, 383, -383, 8_191, -8_191, i16::MAX, i16::MIN]));
    let input = (
        select(Rule::ALL.to_vec()),
        prop::collection::vec(word, 0..400),
        prop_oneof![3 => Just(Vec::new()), 1 => mutations(2)],
        prop::bool::weighted(0.9),
        sketch(),
    );
    hunt("files, weights", 24, &input, |(rule, words, damage, checked, sketch)| {
        let mut bytes = built_in(rule).expect("the built-in files are whole").to_bytes();
        for (at, word) in words {
            // Behind the header, whose words are the damage's business.
            let at = 200 + 2 * at.index((bytes.len() - 204) / 2);
            bytes[at..at + 2].copy_from_slice(&word.to_le_bytes());
        }
        apply(&mut bytes, &damage);
        if let (true, Some(body)) = (checked, bytes.len().checked_sub(4)) {
            let sum = crc32fast::hash(&bytes[..body]);
            bytes[body..].copy_from_slice(&sum.to_le_bytes());
        }
        match WeightFile::from_bytes(&bytes) {
            Ok(file) => judge(&file, &sketch),
            Err(error) => {
                prop_assert!(!error.to_string().contains(char::is_control));
                Ok(())
            }
        }
    });
}

/// A match that was interrupted.
fn state() -> State {
    let engine = |name: &str| EngineSpec {
        name: name.to_owned(),
        command: vec!["self".to_owned()],
        cwd: None,
        limits: EngineLimits { turn_ms: 100, ..EngineLimits::default() },
        info: BTreeMap::new(),
    };
    let config = Config {
        engines: vec![engine("one"), engine("two")],
        rule: 32,
        size: 15,
        games: 2,
        format: Tournament::RoundRobin,
        swap2: false,
        tolerance_ms: 100,
        start_ms: 1_000,
        end_ms: 1_000,
        max_moves: 0,
        resign: None,
        strict_memory: false,
        sprt: None,
        concurrency: 1,
        seed: 1,
        log: None,
    };
    let size = Size::STANDARD;
    let opening =
        vec![Move::stone(size.center()), Move::stone(size.cells().next().expect("there are cells"))];
    State::new(config, &[opening], Files::default())
}

#[test]
fn a_damaged_state_of_a_match_is_refused_or_whole() {
    hunt("files, states", 48, &mutations(4), |damage: Vec<Mutation>| {
        let path = fresh("json");
        state().save(&path).expect("the file can be written");
        let mut bytes = fs::read(&path).expect("the file is there");
        apply(&mut bytes, &damage);
        fs::write(&path, &bytes).expect("the file can be written");
        match State::load(&path) {
            Ok(state) => {
                state.save(&path).expect("the file can be written");
                prop_assert_eq!(State::load(&path).ok(), Some(state));
            }
            Err(error) => prop_assert!(!damage.is_empty(), "{error}"),
        }
        let _ = fs::remove_file(&path);
        Ok(())
    });
}

/// Samples of every format, with the endings of their names.
const SAMPLES: [(&str, &[u8]); 8] = [
    ("txt", include_bytes!("../data/formats/demo.txt")),
    ("psq", include_bytes!("../data/formats/demo.psq")),
    ("sgf", include_bytes!("../data/formats/demo.sgf")),
    ("pgn", include_bytes!("../data/formats/demo.pgn")),
    ("pos", include_bytes!("../data/formats/demo.pos")),
    ("offset", include_bytes!("../data/formats/demo.offset")),
    ("csv", include_bytes!("../data/formats/demo.csv")),
    ("txt", include_bytes!("../data/formats/renju.txt")),
];

/// What the program is asked to do with a file.
const COMMANDS: [&[&str]; 12] = [
    &["convert", "--to", "sgf"],
    &["convert", "--to", "csv", "--rule", "32"],
    &["check", "--rule", "renju"],
    &["check", "--json"],
    &["render"],
    &["render", "--to", "svg", "-n", "--forbidden"],
    &["render", "--sheet", "--to", "svg"],
    &["shapes"],
    &["solve", "vct", "--nodes", "200", "--memory", "1", "--check"],
    &["solve", "defend", "--nodes", "50", "--memory", "1", "--json"],
    &["analyze", "--nodes", "200"],
    &["analyze", "--game", "--nodes", "20", "--json"],
];

#[test]
fn the_program_takes_damaged_files_or_says_what_is_wrong() {
    hunt(
        "files, program",
        24,
        &(select(SAMPLES.to_vec()), mutations(4), select(COMMANDS.to_vec())),
        |input| {
            let ((ending, sample), damage, command) = input;
            let path = fresh(ending);
            let mut bytes = sample.to_vec();
            apply(&mut bytes, &damage);
            fs::write(&path, &bytes).expect("the file can be written");
            let name = path.to_str().expect("the path is text");
            let output = program::run(&[command, &[name]].concat(), "");
            let said = String::from_utf8_lossy(&output.stderr);
            // 101 is a panic; no code at all a signal.
            prop_assert!(matches!(output.status.code(), Some(0..=2)), "{:?} {}", output.status, said);
            prop_assert!(!said.contains("panicked"), "{}", said);
            prop_assert!(
                output.status.code() != Some(2) || said.starts_with("pbrain-halfstone: "),
                "{}",
                said
            );
            // What a file says must not move the cursor of a terminal or break a picture.
            let shown = String::from_utf8_lossy(&output.stdout);
            let plain = |text: &str| !text.contains(|c: char| c.is_control() && c != '\n');
            prop_assert!(plain(&said) && (command[0] == "convert" || plain(&shown)), "{said:?} {shown:?}");
            let _ = fs::remove_file(&path);
            Ok(())
        },
    );
}
