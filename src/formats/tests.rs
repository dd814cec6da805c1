//! Round trips of random games through every format, malformed files, detection, and readers on random bytes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use super::*;
use crate::game::{Claim, parse_moves};
use crate::types::{Cell, Color};

const GAMES: u64 = 1200;

/// A random game of any rule and size, with everything a game can hold. Nothing in it need be legal.
fn random_game(rng: &mut SmallRng) -> Game {
    let rule = *Rule::ALL.choose(rng).unwrap();
    let size = Size::new(rng.random_range(5..=22)).unwrap();
    let mut cells: Vec<Cell> = size.cells().collect();
    cells.shuffle(rng);
    let mut setup = Setup::default();
    if rng.random_bool(0.3) {
        setup.to_move = if rng.random_bool(0.5) { Color::White } else { Color::Black };
        for _ in 0..rng.random_range(0..8) {
            let kinds = [Piece::Stone(Color::Black), Piece::Stone(Color::White), Piece::Blocked, Piece::Half];
            let kinds = &kinds[..if rule == Rule::HalfStone { 4 } else { 3 }];
            setup.pieces.push((cells.pop().unwrap(), *kinds.choose(rng).unwrap()));
        }
    }
    let mut game = Game::with_setup(Some(rule), size, setup);
    for _ in 0..rng.random_range(0..=cells.len().min(60)) {
        let black = game.record.side_to_move() == Color::Black;
        let mv = match rng.random_range(0..20) {
            0 => Move::PASS,
            1 if black && rule == Rule::HalfStone => Move::half(cells.pop().unwrap()),
            _ => Move::stone(cells.pop().unwrap()),
        };
        game.push(mv, None);
    }
    decorate(&mut game, rng);
    game
}

fn decorate(game: &mut Game, rng: &mut SmallRng) {
    let mut word = |words: &[&str]| (*words.choose(rng).unwrap()).to_owned();
    let names =
        ["", "pbrain-halfstone", "王 五子", "a \"quoted\", one", "back\\slash ] : end", "12", "#9", "8;8"];
    let meta = &mut game.meta;
    (meta.black, meta.white) = (word(&names), word(&names));
    (meta.event, meta.round) = (word(&["", "Gomocup 2026"]), word(&["", "3.1"]));
    (meta.date, meta.reason) = (word(&["", "2026.11.29"]), word(&["", "five", "time", "resign", "foul"]));
    meta.comment = word(&["", "about, the game"]);
    let claims = [Claim::Won(Color::Black), Claim::Won(Color::White), Claim::Drawn, Claim::Unfinished];
    meta.result = claims.choose(rng).copied();
    for i in 0..game.record.moves().len() {
        if rng.random_bool(0.5) {
            game.meta.note_mut(i).time_ms = Some(rng.random_range(0..100_000));
        }
        if rng.random_bool(0.1) {
            game.meta.note_mut(i).comment =
                (*["a, comment", "says \"no\"", "好棋", "5ms is short"].choose(rng).unwrap()).to_owned();
        }
    }
}

/// Sets that a file cannot order, in one order; and only the notes that say something.
fn normal(game: &Game) -> Game {
    let mut setup = game.record.setup().clone();
    setup.pieces.sort_by_key(|&(cell, piece)| (cell, format!("{piece:?}")));
    let mut normal = Game::with_setup(game.rule(), game.record.size(), setup);
    game.record.moves().iter().for_each(|&mv| normal.push(mv, None));
    normal.meta = game.meta.clone();
    let said = normal.meta.notes.iter().rposition(|note| *note != crate::game::MoveNote::default());
    normal.meta.notes.truncate(said.map_or(0, |i| i + 1));
    normal
}

/// What is left of a game in a format that can hold it.
fn expected(format: Format, game: &Game) -> Game {
    let mut game = normal(game);
    let meta = &mut game.meta;
    match format {
        Format::Text | Format::Pos | Format::Offset => *meta = Meta::default(),
        Format::Psq => {
            meta.comment.clear();
            for i in 0..game.record.moves().len() {
                let note = meta.note_mut(i);
                note.comment.clear();
                note.time_ms.get_or_insert(0);
            }
            // Zeros stand for what is not known.
            if meta.notes.iter().all(|note| note.time_ms == Some(0)) {
                meta.notes.clear();
            }
        }
        Format::Pgn => {
            meta.result = meta.result.filter(|claim| *claim != Claim::Unfinished);
            for text in [&mut meta.black, &mut meta.white] {
                *text = text.replace('"', "'").replace(']', ")");
            }
        }
        Format::Sgf | Format::Csv => {
            // `resign`, `time` and `forfeit` have their place in SGF; everything else is as it was.
        }
    }
    if format == Format::Csv {
        meta.notes.iter_mut().for_each(|note| note.comment = note.comment.trim().to_owned());
    }
    game
}

#[test]
fn random_games_round_trip_through_every_format() {
    let mut rng = SmallRng::seed_from_u64(4);
    let mut written = [0; 7];
    for _ in 0..GAMES {
        let game = random_game(&mut rng);
        for (i, format) in Format::ALL.into_iter().enumerate() {
            let Ok(text) = format.write(std::slice::from_ref(&game)) else {
                let record = &game.record;
                assert!(matches!(format, Format::Psq | Format::Pos | Format::Offset), "{format}");
                let odd = record.moves().is_empty() || record.moves().contains(&Move::PASS);
                assert!(odd || *record.setup() != Setup::default(), "{format}");
                continue;
            };
            written[i] += 1;
            let mut defaults = Defaults::default();
            if matches!(format, Format::Pos | Format::Offset) {
                defaults = Defaults { rule: game.rule(), size: game.record.size() };
            }
            let read = format.read(text.as_bytes(), &defaults).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(read.len(), 1, "{format}\n{text}");
            assert_eq!(normal(&read[0]), expected(format, &game), "{format}\n{text}");
            // What is written is in normal form: writing what was read gives the same bytes.
            assert_eq!(
                format.write(&[normal(&read[0])]).unwrap(),
                format.write(&[expected(format, &game)]).unwrap()
            );
            if !matches!(format, Format::Text | Format::Pos | Format::Offset) {
                assert_eq!(Format::detect(None, text.as_bytes()), format);
            }
        }
    }
    // psq and the opening formats refuse set-ups and passes, which most long games have one of.
    assert!(written.iter().all(|&n| n > 150), "{written:?}");
}

#[test]
fn many_games_share_a_file() {
    let mut rng = SmallRng::seed_from_u64(5);
    let games: Vec<Game> = (0..50).map(|_| random_game(&mut rng)).collect();
    for format in [Format::Text, Format::Sgf, Format::Pgn, Format::Csv] {
        let text = format.write(&games).unwrap();
        let read = format.read(text.as_bytes(), &Defaults::default()).unwrap();
        let want: Vec<Game> = games.iter().map(|game| expected(format, game)).collect();
        assert_eq!(read.iter().map(normal).collect::<Vec<_>>(), want, "{format}");
        assert!(read.windows(2).all(|pair| pair[0].line < pair[1].line));
    }
    assert_eq!(
        Format::Psq.write(&games).unwrap_err().to_string(),
        "game 2: the psq format cannot hold more than one game"
    );
}

/// Reads one game and gives its moves in text notation.
fn moves_of(format: Format, bytes: &[u8]) -> String {
    let games = format.read(bytes, &Defaults::default()).unwrap();
    assert_eq!(games.len(), 1);
    crate::game::print_moves(games[0].record.moves(), games[0].record.size())
}

#[test]
fn readers_are_tolerant() {
    for (format, text) in [
        (Format::Text, "\u{feff}\r\n  # note\r\nH8i9,*J10 # end\r\n"),
        (Format::Psq, "\n\n piskvorky 15 x 15\n 8 , 8\n\n9,7,-1\r\n*10,6 , 12\nname\n"),
        (Format::Sgf, "junk (\n;;B[hh](;W[ig];HS[jf](;W[])(;B[aa]))(;W[aa](;B[bb])))"),
        (Format::Sgf, "(;GaMe[4]Black[h8];White[i9];HS[ jf ];W[tt])"),
        (Format::Pgn, "1.h8{first}i9 2... *j10"),
        (Format::Pos, "# from the top\nH8, i7 *j6\n\n"),
        (Format::Offset, "0,0,1,-1   *2 -2"),
        (Format::Csv, "\"x\",y,kind\r\n7,7,\r\n8,6,stone\r\n\r\n9,5,half"),
    ] {
        let got = moves_of(format, text.as_bytes());
        assert!(got == "h8 i9 *j10" || got == "h8 i9 *j10 --", "{format} {text}: {got}");
        assert!(
            format.read(text.as_bytes(), &Defaults::default()).unwrap()[0].rule() == Some(Rule::HalfStone)
        );
    }
    // A lone CR ends a line, and letter case says nothing, in our own words either.
    let read = |format: Format, text: &str| {
        let games = format.read(text.as_bytes(), &Defaults::default()).unwrap();
        games.iter().map(|game| (game.rule(), game.record.moves().len())).collect::<Vec<_>>()
    };
    let renju = Some(Rule::Renju);
    assert_eq!(read(Format::Text, "# mine\r#! Rule Renju\rh8 i9\rg7\r"), [(renju, 2), (renju, 1)]);
    assert_eq!(read(Format::Pos, "h8 i9\rg7"), [(None, 2), (None, 1)]);
    assert_eq!(read(Format::Offset, "0,0\r1,1 2,2\r\n\r3,3"), [(None, 1), (None, 2), (None, 1)]);
    assert_eq!(read(Format::Csv, "Game,Point,Rule\r1,h8,RENJU\r1,i9,RENJU\r"), [(renju, 2)]);
    let psq = "Piskvorky 15x15\r8,8,0\r9,9,0\rA\rB\r0\r#Rule Renju\r#RESULT Black\r";
    assert_eq!(read(Format::Psq, psq), [(renju, 2)]);
    for text in ["h8 i9\rg7 h9\r", "point\rh8\r", "0,0\r1,1"] {
        let format = Format::detect(None, text.as_bytes());
        assert_eq!(read(format, text).len(), if format == Format::Csv { 1 } else { 2 }, "{format}");
    }
    // UTF-16 with a byte order mark, and Latin-1.
    let utf16: Vec<u8> =
        [0xfeff].into_iter().chain("h8 i9".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(moves_of(Format::Text, &utf16), "h8 i9");
    let latin = Format::Sgf.read(b"(;PB[J\xfcrgen];B[aa])", &Defaults::default()).unwrap();
    assert_eq!(latin[0].meta.black, "Jürgen");
}

#[test]
fn sgf_details_are_understood() {
    let read = |text: &str| Format::Sgf.read(text.as_bytes(), &Defaults::default()).unwrap().remove(0);
    let game = read(
        "(;FF[4]GM[4]SZ[15:15]RU[4]PB[a\\]b\\\\c\\\n d]RE[W+T]AB[aa:bb]AE[bb]AW[oo]AX[ha]PL[W]C[start];W[hh]C[x\\:y])",
    );
    assert_eq!(game.record.rule(), Rule::Renju);
    assert_eq!(game.meta.black, "a]b\\c d");
    assert_eq!((game.meta.result, game.meta.reason.as_str()), (Some(Claim::Won(Color::White)), "time"));
    assert_eq!((game.meta.comment.as_str(), game.meta.notes[0].comment.as_str()), ("start", "x:y"));
    let text = Format::Text.write(&[game]).unwrap();
    assert_eq!(
        text,
        "#! rule renju\n#! size 15\n{black a15 b15 a14; white o1; blocked h15; to-move white} h8\n"
    );
    // Twice the same side: the other passed. The side of the first move begins. An unknown rule is no rule.
    let game = read("(;RU[swap after 3];W[aa];W[bb])");
    assert_eq!(game.rule(), None);
    assert_eq!(Format::Text.write(&[game]).unwrap(), "#! size 15\n{to-move white} a15 -- b14\n");
    // c-gomoku-cli's scores are no reasons.
    assert_eq!(read("(;RE[B+1];B[aa])").meta.reason, "");
}

#[test]
fn psq_names_follow_who_began() {
    let read = |text: &str| Format::Psq.read(text.as_bytes(), &Defaults::default()).unwrap();
    let game = read("Piskvorky 20x20, 0:11, 1\n1,1,5\none\ntwo\n0\n");
    assert_eq!((game[0].meta.black.as_str(), game[0].meta.white.as_str()), ("two", "one"));
    assert_eq!(game[0].record.size().get(), 20);
    assert_eq!(game[0].meta.notes[0].time_ms, Some(5));
    // Piskvork writes 0 for what it does not know.
    let game = read("Piskvorky 15x15, 0:11, 0\n1,1,0\n2,2,0\n");
    assert_eq!(game[0].meta.notes, []);
    // What follows the end code is another program's; and such names are names.
    let game = read(
        "Piskvorky 15x15, 11:11, 0\n1,1,5\n2,2,6\n2024 01 05\nThe 3 of 4\n-1\n1,Freestyle\n0, 5\n3,3,0\n",
    );
    assert_eq!((game[0].meta.black.as_str(), game[0].meta.white.as_str()), ("2024 01 05", "The 3 of 4"));
    assert_eq!(game[0].record.moves().len(), 2);
}

#[test]
fn pgn_comments_belong_to_the_move_before_them() {
    let read = |text: &str| Format::Pgn.read(text.as_bytes(), &Defaults::default()).unwrap();
    let games = read(
        "{a} {b} 1. h8 {20ms c} 1... {30ms d} i9 {4ms} 0-1 {5ms e}\n{f}\n\n[Rule \"4\"]\n1. g7 {} {5ms is short} *",
    );
    assert_eq!(games.len(), 2);
    let notes = |i: usize| {
        let notes = games[i].meta.notes.iter().map(|note| (note.time_ms, note.comment.as_str()));
        notes.collect::<Vec<_>>()
    };
    assert_eq!(games[0].meta.comment, "a b");
    assert_eq!(notes(0), [(Some(20), "c 30ms d"), (Some(4), "5ms e f")]);
    assert_eq!(notes(1), [(None, "5ms is short")]);
    // A comment that reads as a time does not become one.
    let text = Format::Pgn.write(&games[1..]).unwrap();
    assert!(text.contains("g7 {} {5ms is short} *"), "{text}");
}

#[test]
fn malformed_files_name_the_place_and_what_is_allowed() {
    let mut wrong = Vec::new();
    for (format, bytes, message) in MALFORMED {
        let got = format
            .read(bytes, &Defaults::default())
            .map_or_else(|e| e.to_string(), |_| "no error".to_owned());
        if got != *message {
            wrong.push(format!("{format} {:?}\n got {got}\nwant {message}", String::from_utf8_lossy(bytes)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const MALFORMED: &[(Format, &[u8], &str)] = &[
    (
        Format::Text,
        b"h8 i9\n\nh8 i99 # off\n",
        "line 3, column 4: 'i99' is off the board (allowed: columns a to o, rows 1 to 15)",
    ),
    (
        Format::Text,
        b"h8 i\0",
        "line 1, column 4: 'i\\u{0}' cannot be read here (allowed: points such as h8, *h8 for the half stone, -- for a pass)",
    ),
    (
        Format::Text,
        b"h8 \xff\xfe",
        "line 1, column 4: 'ÿþ' cannot be read here (allowed: points such as h8, *h8 for the half stone, -- for a pass)",
    ),
    (Format::Text, b"#! size 23\n", "line 1, column 9: unsupported board size 23 (allowed: 5 to 22)"),
    (
        Format::Text,
        b"#! rule go\n",
        "line 1, column 9: unknown rule 'go' (allowed: freestyle, standard, renju, caro, caro-five, half-stone, or 0, 1, 4, 8, 9, 32)",
    ),
    (
        Format::Text,
        b"  {black h8",
        "line 1, column 3: '{black h8' cannot be read here (allowed: a starting position that ends with })",
    ),
    (
        Format::Text,
        b"{green h8} i9",
        "line 1, column 2: 'green' cannot be read here (allowed: black, white, half, blocked, to-move)",
    ),
    (
        Format::Text,
        b"{white h8; to-move red}",
        "line 1, column 20: 'red' cannot be read here (allowed: black, white)",
    ),
    (Format::Psq, b"", "line 1, column 1: the file ends here, before Piskvorky 15x15, 11:11, 0"),
    (
        Format::Psq,
        b"Gomoku 15x15",
        "line 1, column 1: 'Gomoku 15x15' cannot be read here (allowed: Piskvorky 15x15, 11:11, 0)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x",
        "line 1, column 11: '15x' cannot be read here (allowed: the size of the board, as in 15x15)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x20, 1:1, 0",
        "line 1, column 11: '15x20' cannot be read here (allowed: square boards only)",
    ),
    (
        Format::Psq,
        b"Piskvorky 99999999999999999999x99999999999999999999",
        "line 1, column 11: unsupported board size 9223372036854775807 (allowed: 5 to 22)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n8,8,0\n8,\n",
        "line 3, column 1: '8,' cannot be read here (allowed: x,y,milliseconds)",
    ),
    // A damaged move neither ends the game nor becomes a name.
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n8,8,0\nx,9,0\n9,9,0\nA\nB\n0\n",
        "line 3, column 1: 'x' cannot be read here (allowed: x,y,milliseconds)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n8;8;0\n9;9;0\n",
        "line 2, column 1: '8;8;0' cannot be read here (allowed: x,y,milliseconds)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n8 8 0\n",
        "line 2, column 1: '8 8 0' cannot be read here (allowed: x,y,milliseconds)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n8,8,0\nh9\n9,9,0\n",
        "line 3, column 1: 'h9' cannot be read here (allowed: x,y,milliseconds, or a name after the last move)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n 8, x1,0\n",
        "line 2, column 5: 'x1' cannot be read here (allowed: x,y,milliseconds)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n0,1,0\n",
        "line 2, column 1: '0,1' is off the board (allowed: x and y from 1 to 15)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n-99999999999999999999,1,0\n",
        "line 2, column 1: '-99999999999999999999,1' is off the board (allowed: x and y from 1 to 15)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n1,1,0,7\n",
        "line 2, column 7: '7' cannot be read here (allowed: no more than x,y,milliseconds)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n1,1,z\n",
        "line 2, column 5: 'z' cannot be read here (allowed: milliseconds)",
    ),
    (
        Format::Psq,
        b"Piskvorky 15x15, 11:11, 0\n1,1,0\n0\n#result both\n",
        "line 4, column 9: 'both' cannot be read here (allowed: black, white, draw, unfinished)",
    ),
    (Format::Sgf, b"", "line 1, column 1: the file ends here, before a game that starts with (;"),
    (Format::Sgf, b"(;B[hh]", "line 1, column 8: the file ends here, before the ) that ends this game"),
    (Format::Sgf, b"(;B[hh];W[i", "line 1, column 10: the file ends here, before the ] that ends this value"),
    (Format::Sgf, b"(;B[hh]\n;W)", "line 2, column 3: ')' cannot be read here (allowed: a value in [ ])"),
    (
        Format::Sgf,
        b"(;B[hh]\n;W[pa])",
        "line 2, column 4: 'pa' is off the board (allowed: two letters from a to o, or nothing for a pass)",
    ),
    (
        Format::Sgf,
        b"(;B[h])",
        "line 1, column 5: 'h' cannot be read here (allowed: two letters from a to o, or nothing for a pass)",
    ),
    (
        Format::Sgf,
        b"(;B[\0\0])",
        "line 1, column 5: '\\u{0}\\u{0}' cannot be read here (allowed: two letters from a to o, or nothing for a pass)",
    ),
    (
        Format::Sgf,
        b"(;SZ[19:15])",
        "line 1, column 6: '19:15' cannot be read here (allowed: one number, 5 to 22)",
    ),
    (
        Format::Sgf,
        b"(;SZ[99999999999999999999])",
        "line 1, column 6: unsupported board size 9223372036854775807 (allowed: 5 to 22)",
    ),
    (Format::Sgf, b"(;GM[1];B[hh])", "line 1, column 6: '1' cannot be read here (allowed: 4, five in a row)"),
    (
        Format::Sgf,
        b"(;B[hh];AW[aa])",
        "line 1, column 12: 'AW' cannot be read here (allowed: set-up only before the first move)",
    ),
    (Format::Sgf, b"(B[hh])", "line 1, column 2: 'B' cannot be read here (allowed: (;)"),
    (
        Format::Sgf,
        b"(;B[hh]?)",
        "line 1, column 8: '?)' cannot be read here (allowed: ; ( ) or a property such as B[hh])",
    ),
    (
        Format::Pgn,
        b"[Black \"x]\n1. h8",
        "line 1, column 11: '\\n' cannot be read here (allowed: [Name \"value\"])",
    ),
    (Format::Pgn, b"[BoardSize \"x\"]\n", "line 1, column 13: 'x' cannot be read here (allowed: 5 to 22)"),
    (
        Format::Pgn,
        b"[Rule \"2\"]\n",
        "line 1, column 8: unknown rule '2' (allowed: freestyle, standard, renju, caro, caro-five, half-stone, or 0, 1, 4, 8, 9, 32)",
    ),
    (
        Format::Pgn,
        b"[Rule \"4\"]\n\n1. h8 {x",
        "line 3, column 7: the file ends here, before the } of this comment",
    ),
    (
        Format::Pgn,
        b"1. d4 Nf6",
        "line 1, column 7: 'Nf6' cannot be read here (allowed: points such as h8, *h8 for the half stone, -- for a pass)",
    ),
    (
        Format::Pgn,
        b"1.h8 1.p1",
        "line 1, column 8: 'p1' is off the board (allowed: columns a to o, rows 1 to 15)",
    ),
    (
        Format::Pgn,
        b"[Setup \"black h8; red i9\"]",
        "line 1, column 19: 'red' cannot be read here (allowed: black, white, half, blocked, to-move)",
    ),
    (
        Format::Pos,
        b"h8i9\nh8z9\n",
        "line 2, column 3: 'z9' is off the board (allowed: columns a to o, rows 1 to 15)",
    ),
    (
        Format::Offset,
        b"0,0, 1\n",
        "line 1, column 6: '1' cannot be read here (allowed: numbers in pairs, as in 1,-2)",
    ),
    (
        Format::Offset,
        b"0,0, 8,-7\n",
        "line 1, column 6: '8,-7' is off the board (allowed: numbers from -7 to 7 on size 15)",
    ),
    (
        Format::Offset,
        b"0,0, 99999999999999999999,0\n",
        "line 1, column 6: '99999999999999999999,0' is off the board (allowed: numbers from -7 to 7 on size 15)",
    ),
    (
        Format::Offset,
        b"0,h\n",
        "line 1, column 3: 'h' cannot be read here (allowed: a whole number, as in -3)",
    ),
    (
        Format::Csv,
        b"",
        "line 1, column 1: the file ends here, before a header with the column point, or x and y",
    ),
    (
        Format::Csv,
        b"a,b\n1,2\n",
        "line 1, column 1: 'a,b' cannot be read here (allowed: a header with the column point, or x and y)",
    ),
    (
        Format::Csv,
        b"number,point\n1,h8\n2,h16\n",
        "line 3, column 3: 'h16' is off the board (allowed: columns a to o, rows 1 to 15)",
    ),
    (
        Format::Csv,
        b"x,y\n7,15\n",
        "line 2, column 1: '7,15' is off the board (allowed: x and y from 0 to 14)",
    ),
    (Format::Csv, b"x,y\n7,a\n", "line 2, column 3: 'a' cannot be read here (allowed: a whole number)"),
    (
        Format::Csv,
        b"point,comment\nh8,\"x\n",
        "line 2, column 4: the file ends here, before the quote that ends this field",
    ),
    (
        Format::Csv,
        b"point,comment\nh8,\"x\"y\n",
        "line 2, column 7: 'y' cannot be read here (allowed: a comma or the end of the line after a quoted field)",
    ),
    (
        Format::Csv,
        b"point,kind\nh8,queen\n",
        "line 2, column 4: 'queen' cannot be read here (allowed: stone, half, pass; for number 0 stone, half, blocked, start)",
    ),
    (
        Format::Csv,
        b"point,color\nh8,black\ni9,black\n",
        "line 3, column 4: 'black' cannot be read here (allowed: white, whose turn it is)",
    ),
];

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let size = Size::STANDARD;
    let game = |text: &str| {
        let mut game = Game::new(None, size);
        parse_moves(text, size).unwrap().into_iter().for_each(|mv| game.push(mv, None));
        game
    };
    for (format, game, message) in [
        (Format::Psq, game("h8 --"), "game 1: the psq format cannot hold a pass (move 2)"),
        (Format::Pos, game("--"), "game 1: the pos format cannot hold a pass (move 1)"),
        (Format::Offset, game(""), "game 1: the offset format cannot hold a game without moves"),
        (Format::Sgf, game("h8 *i9"), "game 1: the sgf format cannot hold a half stone of White's (move 2)"),
    ] {
        assert_eq!(format.write(&[game]).unwrap_err().to_string(), message);
    }
    let point = size.center();
    let pieces = vec![(point, Piece::Stone(Color::Black)), (point, Piece::Blocked)];
    let game = Game::with_setup(None, size, Setup { pieces, ..Setup::default() });
    let message = "game 1: the sgf format cannot hold two pieces on one point (h8)";
    assert_eq!(Format::Sgf.write(&[game]).unwrap_err().to_string(), message);
    let setup = Setup { to_move: Color::White, ..Setup::default() };
    let error = Format::Psq.write(&[Game::with_setup(None, size, setup)]).unwrap_err();
    assert_eq!(error.to_string(), "game 1: the psq format cannot hold a starting position");
}

#[test]
fn contents_come_before_names_in_detection() {
    let detect = |name: &str, bytes: &[u8]| Format::detect(Some(Path::new(name)), bytes);
    assert_eq!(detect("a.txt", b"Piskvorky 15x15, 0:0, 0\n"), Format::Psq);
    assert_eq!(detect("a.psq", b" \n( ;B[hh])"), Format::Sgf);
    assert_eq!(detect("a.txt", b"[Event \"x\"]\n"), Format::Pgn);
    assert_eq!(detect("a", b"game,number,point\n"), Format::Csv);
    assert_eq!(detect("a.pos", b"h8i9\n"), Format::Pos);
    assert_eq!(detect("a.txt", b"h8i9\n"), Format::Text);
    assert_eq!(detect("a.txt", b"0,0, *1,-1\n"), Format::Offset);
    assert_eq!(Format::detect(None, b""), Format::Text);
    assert!(
        "doc".parse::<Format>().unwrap_err().to_string().contains("text, psq, sgf, pgn, pos, offset, csv")
    );
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = "(;".repeat(200_000);
    assert!(Format::Sgf.read(deep.as_bytes(), &Defaults::default()).is_err());
}
