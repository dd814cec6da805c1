//! Files of games: written from random games, damaged, and read as every format.

use std::path::Path;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

use halfstone::engine::Engine;
use halfstone::formats::{Defaults, Format, Game};
use halfstone::game::{Claim, Meta, Setup};
use halfstone::rules::Position;
use halfstone::types::{Cell, Color, Move, Piece, Rule, Size};

use super::hunt;
use super::mutate::{apply, mutations};

/// Text with all that some format must escape, cut or refuse.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        2 => select(vec![
            "王 五子", "a \"b\", c", "\\ ] : [ ( ; {", "}", "12", "#9", "-", "--", "1-0", "5 120ms", "line\nline", "\r",
            " x ", "\t", "8,8,1", "*", "120ms", "\u{feff}", "\u{85}", "\u{2028}", "?", "h8", "0", "*8,8,0", "\\\n", "\\",
        ]).prop_map(str::to_owned),
        2 => "[ -~]{0,12}",
        1 => any::<String>(),
    ]
}

fn piece() -> impl Strategy<Value = Piece> {
    select(vec![Piece::Stone(Color::Black), Piece::Stone(Color::White), Piece::Blocked, Piece::Half])
}

/// A game with everything that a game can hold. Nothing in it need be legal, and a point may be played twice.
fn game() -> impl Strategy<Value = Game> {
    let head = (prop::option::of(select(Rule::ALL.to_vec())), 5i64..23, any::<bool>());
    let pieces =
        prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec((any::<Index>(), piece()), 0..9)];
    let moves = prop::collection::vec((any::<Index>(), 0u8..24, any::<u64>(), text()), 0..40);
    let claim = prop::option::of(select(vec![
        Claim::Won(Color::Black),
        Claim::Won(Color::White),
        Claim::Drawn,
        Claim::Unfinished,
    ]));
    let meta = (prop::array::uniform7(text()), claim);
    (head, pieces, moves, meta).prop_map(|((rule, size, black), pieces, moves, (texts, result))| {
        let size = Size::new(size).expect("a size that is played");
        let cells: Vec<Cell> = size.cells().collect();
        let mut setup = Setup::default();
        if !pieces.is_empty() && !black {
            setup.to_move = Color::White;
        }
        setup.pieces = pieces.iter().map(|(at, piece)| (cells[at.index(cells.len())], *piece)).collect();
        let mut game = Game::with_setup(rule, size, setup);
        let [black, white, event, round, date, reason, comment] = texts;
        game.meta = Meta { black, white, event, round, date, result, reason, comment, notes: Vec::new() };
        for (i, (at, kind, time, comment)) in moves.into_iter().enumerate() {
            let cell = cells[at.index(cells.len())];
            game.record.push(match kind {
                0 => Move::PASS,
                1 => Move::half(cell),
                _ => Move::stone(cell),
            });
            let note = game.meta.note_mut(i);
            note.time_ms = (kind % 3 == 0).then_some(time >> (time % 64));
            note.comment = comment;
        }
        game
    })
}

/// Rule, size and moves, and how the starting position is made up: what every format keeps if it can hold it at all.
fn essence(game: &Game) -> impl PartialEq + std::fmt::Debug {
    let record = &game.record;
    let mut pieces: Vec<String> = record.setup().pieces.iter().map(|piece| format!("{piece:?}")).collect();
    pieces.sort();
    (game.rule(), record.size(), pieces, record.setup().to_move, record.moves().to_vec())
}

/// Reads bytes as one format, and writes what was read in every format that can hold it: each must read the same games
/// again, and then write them in the same words.
fn read_and_write(bytes: &[u8], as_format: Format, defaults: &Defaults) -> TestCaseResult {
    let games = match as_format.read(bytes, defaults) {
        Ok(games) => games,
        Err(error) => {
            let text = error.to_string();
            prop_assert!(error.line > 0 && error.column > 0, "{text}");
            prop_assert!(text.len() < 1_000 && !text.contains(char::is_control), "{text:?}");
            return Ok(());
        }
    };
    // A file without games is one in some formats only.
    for format in Format::ALL.into_iter().filter(|_| !games.is_empty()) {
        let Ok(text) = format.write(&games) else { continue };
        let mut defaults = Defaults::default();
        if matches!(format, Format::Pos | Format::Offset) {
            // These tell neither size nor rule.
            let (rule, size) = (games[0].rule(), games[0].record.size());
            if games.iter().any(|game| (game.rule(), game.record.size()) != (rule, size)) {
                continue;
            }
            defaults = Defaults { rule, size };
        }
        let again = format.read(text.as_bytes(), &defaults);
        let again =
            again.map_err(|error| TestCaseError::fail(format!("{as_format}, {format}: {error}\n{text}")))?;
        prop_assert_eq!(again.len(), games.len(), "{}, {}\n{}", as_format, format, &text);
        for (old, new) in games.iter().zip(&again) {
            prop_assert_eq!(essence(old), essence(new), "{}, {}\n{}", as_format, format, &text);
        }
        // Names and comments may come out changed once, as where a format has a word for what is not known.
        let second = format.write(&again).unwrap_or_default();
        let games = format.read(second.as_bytes(), &defaults).unwrap_or_default();
        prop_assert_eq!(format.write(&games).ok(), Some(second), "{}, {}", as_format, format);
    }
    judge(&games)
}

/// What `check` and `analyze` do with what they have read: a position of it, or a reason why there is none.
fn judge(games: &[Game]) -> TestCaseResult {
    for game in games.iter().take(3) {
        if let Err(error) = Position::from_record(&game.record) {
            let text = error.to_string();
            prop_assert!(text.len() < 1_000 && !text.contains(char::is_control), "{text:?}");
        } else {
            prop_assert!(Engine::new().status(&game.record).is_ok());
            let board = halfstone::engine::board(&game.record);
            prop_assert_eq!(board.side_to_move(), game.record.side_to_move());
        }
    }
    Ok(())
}

fn defaults() -> impl Strategy<Value = Defaults> {
    (prop::option::of(select(Rule::ALL.to_vec())), select(vec![5, 15, 22]))
        .prop_map(|(rule, size)| Defaults { rule, size: Size::new(size).expect("a size that is played") })
}

#[test]
fn any_game_is_written_and_read_back() {
    hunt("formats, games", 48, &(prop::collection::vec(game(), 0..4)), |games| {
        for format in Format::ALL {
            let Ok(text) = format.write(&games) else { continue };
            let defaults = games
                .first()
                .map_or(Defaults::default(), |game| Defaults { rule: game.rule(), size: game.record.size() });
            read_and_write(text.as_bytes(), format, &defaults)?;
        }
        Ok(())
    });
}

#[test]
fn damaged_files_are_read_or_refused() {
    let input = (prop::collection::vec(game(), 1..3), select(Format::ALL.to_vec()), mutations(6), defaults());
    hunt("formats, damaged", 128, &input, |(mut games, format, mutations, defaults)| {
        if format.write(&games).is_err() {
            // Leave out what the format has no place for.
            games.truncate(1);
            let game = &mut games[0];
            let mut plain = Game::new(game.rule(), game.record.size());
            let moves = game.record.moves().iter().filter(|mv| mv.cell().is_some());
            moves.for_each(|&mv| plain.record.push(mv));
            plain.meta = std::mem::take(&mut game.meta);
            *game = plain;
        }
        let mut bytes = format.write(&games).unwrap_or_default().into_bytes();
        apply(&mut bytes, &mutations);
        read_and_write(&bytes, format, &defaults)?;
        let detected = Format::detect(Some(Path::new("games.txt")), &bytes);
        read_and_write(&bytes, detected, &defaults)
    });
}

/// Pieces of real files.
const PIECES: [&str; 40] = [
    "(",
    ";",
    ")",
    "[",
    "]",
    "\\",
    "B[hh]",
    "W[",
    "HS[ii]",
    "AB[aa:cc]",
    "AE[aa]",
    "SZ[15]",
    "SZ[5]",
    "RU[32]",
    "PL[W]",
    "Piskvorky 15x15, 11:11, 0\n",
    "8,8,10\n",
    "*",
    "{",
    "}",
    "[Rule \"4\"]",
    "[Setup \"white h8\"]",
    "\"",
    "h8",
    "*j10",
    "--",
    " ",
    "\n",
    "\r",
    "#! size 7\n",
    "#! rule renju\n",
    "# ",
    "-3,2, ",
    "game,number,kind,point\n",
    "1,0,start,\n",
    "1,h8\n",
    "black ",
    "99999999999999999999",
    "ü",
    "1-0",
];

#[test]
fn bytes_and_shuffled_pieces_are_read_or_refused() {
    let shuffled =
        prop::collection::vec(select(PIECES.to_vec()), 0..60).prop_map(|pieces| pieces.concat().into_bytes());
    let input = prop_oneof![1 => prop::collection::vec(any::<u8>(), 0..200), 3 => shuffled];
    hunt("formats, pieces", 512, &(input, defaults()), |(bytes, defaults)| {
        Format::ALL.into_iter().try_for_each(|format| read_and_write(&bytes, format, &defaults))
    });
}
