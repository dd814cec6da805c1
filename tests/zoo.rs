//! Cases by hand in which a careless solver goes wrong, one test each; numbers as in the list of the design notes. All
//! eight symmetries, and both colours where the rule treats them alike. What `tests/solver.rs` has by hand already
//! (1, 2, 4, 9, 13) is not repeated.

use halfstone::board::Board;
use halfstone::control::StopSignal;
use halfstone::game::Symmetry;
use halfstone::pattern::PointClass;
use halfstone::solver::{Mode, Solver, Verdict};
use halfstone::types::{Color, Piece, Rule, Size};

use crate::solver::{Expected, crowd, expect, is_open, replay};
use crate::support::drawn;
use crate::support::random::{Rng, record};

/// `rows` on a board of this width, with empty rows below.
fn grid<S: AsRef<str>>(width: usize, rows: &[S]) -> Vec<String> {
    let mut all: Vec<String> = rows.iter().map(|row| format!("{:.<width$}", row.as_ref())).collect();
    all.resize(width, ".".repeat(width));
    all
}

fn check<S: AsRef<str>>(rule: Rule, width: usize, rows: &[S], side: Color, expected: Expected) {
    let rows = grid(width, rows);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    expect(rule, &rows, side, expected);
}

/// Whether a narrow search by threats finds a win, in all symmetries.
fn check_threats<S: AsRef<str> + std::fmt::Debug>(
    rule: Rule,
    width: usize,
    rows: &[S],
    side: Color,
    wins: bool,
) {
    let drawing = drawn(rule, &grid(width, rows), side);
    for symmetry in Symmetry::ALL {
        let game = symmetry.record(&drawing);
        let mut board = Board::from_record(&game);
        let before = board.clone();
        let mut solver = Solver::new(1 << 20);
        let (verdict, tree) = solver.vct_tree(&mut board, Mode::Narrow, 5_000, &StopSignal::default());
        assert_eq!(board, before);
        if let Some(tree) = tree {
            replay(&game, &tree, true);
        }
        assert_eq!(verdict.is_win(), wins, "{rule} {symmetry:?} {rows:?} {verdict:?}");
        assert!(wins || verdict == Verdict::NoWin, "{rule} {symmetry:?} {rows:?} {verdict:?}");
    }
}

#[test]
fn case_3_an_answer_that_makes_two_fours_at_once_ends_the_attack() {
    // e9 makes Black's four; the answer f9 makes White's, with five on e8. Black blocks with a four of his own and a
    // live three in row 8, and wins: e9, e8, a straight four, five.
    let single = ["OXXX.....", "..XX.....", "...OXO...", "..O.XO...", ".O......."];
    // With f5 white, the answer threatens five on f8 too.
    let double = ["OXXX.....", "..XX.....", "...OXO...", "..O.XO...", ".O...O..."];
    for rule in [Rule::Freestyle, Rule::Standard] {
        check(rule, 9, &single, Color::Black, Expected::Wins(4));
        check(rule, 9, &double, Color::Black, Expected::NoWin);
    }
}

#[test]
fn case_5_an_own_stone_beyond_the_end_spoils_an_exact_five_and_an_enemy_stone_does_not() {
    // e8 makes four with a8 and f8 to complete it; but with f8 the run would be six, up to g8.
    let own = ["", ".XXX..X.."];
    check(Rule::Freestyle, 9, &own, Color::Black, Expected::Wins(2));
    check(Rule::Standard, 9, &own, Color::Black, Expected::NoWin);
    check(Rule::CaroFive, 9, &own, Color::Black, Expected::NoWin);
    let enemy = ["", "OXXX.XO.."];
    check(Rule::Standard, 9, &enemy, Color::Black, Expected::Wins(1));
    check(Rule::Caro, 9, &enemy, Color::Black, Expected::NoWin);
}

#[test]
fn case_6_a_renju_five_outranks_every_foul_and_a_foul_is_no_four() {
    // f9 completes b9 to f9 and makes a four in the column and one on the diagonal besides.
    let five = ["", "", "", ".....X..X", ".....X.X", ".....XX", "OXXXX"];
    check(Rule::Renju, 15, &five, Color::Black, Expected::Wins(1));
    // Row 8 and column e each need e8 for a four. Both at once are a foul, and a8 and e7 only leave e8 to White.
    let foul = ["", "", "", "....O", "....X", "....X", "....X", ".XXX.O"];
    check(Rule::Renju, 15, &foul, Color::Black, Expected::NoWin);
    check(Rule::Renju, 15, &swapped(&foul), Color::White, Expected::Wins(2));
}

/// The same drawing with the colours exchanged.
fn swapped(rows: &[&str]) -> Vec<String> {
    let other = |c| match c {
        'X' => 'O',
        'O' => 'X',
        c => c,
    };
    rows.iter().map(|row| row.chars().map(other).collect()).collect()
}

#[test]
fn case_7_white_wins_by_a_four_whose_answer_is_a_foul_unless_it_makes_five() {
    // h8 makes White's four. Black's only answer i8 would be a run of six in the column: i6, i7, i9, i10, i11.
    let foul = ["", "", "", "", "........X", "........X", "........X", "...XOOO..", "........X", "........X"];
    check(Rule::Renju, 15, &foul, Color::White, Expected::Wins(2));
    // Without i6 it is five, and White comes too late.
    let five = ["", "", "", "", "........X", "........X", "........X", "...XOOO..", "........X"];
    check(Rule::Renju, 15, &five, Color::White, Expected::NoWin);
    // With i6 white Black can simply answer: a run of four in the column is no foul.
    let plain = ["", "", "", "", "", "........X", "........X", "...XOOO..", "........X", "........O"];
    check(Rule::Renju, 15, &plain, Color::White, Expected::NoWin);
}

#[test]
fn case_8_a_black_straight_four_of_which_one_end_is_an_overline_is_a_plain_four() {
    // White's b8 leaves Black g8: c8 completes it, h8 would make six with i8.
    let rows = ["", "", "", "", "", "", "", ".O.XXX..X"];
    check(Rule::Renju, 15, &rows, Color::Black, Expected::NoWin);
    check(Rule::Standard, 15, &rows, Color::Black, Expected::NoWin);
    check(Rule::Freestyle, 15, &rows, Color::Black, Expected::Wins(2));
    check(Rule::Renju, 15, &swapped(&rows), Color::White, Expected::Wins(2));
    // White to move against the three: c8 and g8 both make a straight four, and both points spoil both. With the stone
    // on i8 only c8 makes one, and b8 is a defence too.
    let defences = |row| {
        let drawing = drawn(Rule::Renju, &grid(15, &["", "", "", "", "", "", "", row]), Color::White);
        let cells = Board::from_record(&drawing).defences(Color::Black).expect("c8 makes a straight four");
        let mut names: Vec<String> = cells.iter().map(|cell| cell.text(Size::STANDARD).to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(defences("...XXX"), ["c8", "g8"]);
    assert_eq!(defences("...XXX..X"), ["b8", "c8", "g8"]);
}

#[test]
fn case_10_the_win_must_come_before_the_board_is_full() {
    // d5 makes two fours; White can stop one, and the other one's five is on the last empty point.
    let three = ["XXX..", "OXO.O", "OXOXO", "XOXXX", "OOOXO"];
    check(Rule::Freestyle, 5, &three, Color::Black, Expected::Wins(2));
    let two = ["XXX.O", "OXO.O", "OXOXO", "XOXXX", "OOOXO"];
    check(Rule::Freestyle, 5, &two, Color::Black, Expected::NoWin);
    let one = ["XXX.O", "OXOXO", "OXOXO", "XOXXX", "OOOXO"];
    check(Rule::Freestyle, 5, &one, Color::Black, Expected::Wins(1));
}

#[test]
fn case_11_what_is_remembered_of_one_side_or_phase_is_not_told_of_the_other() {
    let mut rng = Rng::new(11);
    let mut shared = Solver::new(1 << 18);
    let mut wins = 0;
    for round in 0..600 {
        let rule = if round % 2 == 0 { Rule::HalfStone } else { Rule::ALL[round % 6] };
        let game = crowd(&mut rng, rule, 10);
        let mut pieces = game.setup().pieces.clone();
        let with_half = game.clone();
        pieces.retain(|(_, piece)| *piece != Piece::Half);
        for side in Color::ALL {
            for pieces in [&pieces, &with_half.setup().pieces] {
                let game = record(rule, game.size(), pieces.clone(), side);
                if !is_open(&game) {
                    continue;
                }
                let mut board = Board::from_record(&game);
                let mut fresh = Solver::new(1 << 14);
                let known = fresh.vcf(&mut board, 2_000);
                let told = shared.vcf(&mut board, 2_000);
                assert_eq!(known.is_win(), told.is_win(), "{game:?}");
                let known = fresh.vct(&mut board, Mode::Narrow, 60, &StopSignal::default());
                let told = shared.vct(&mut board, Mode::Narrow, 60, &StopSignal::default());
                let contradict = |a: &Verdict, b: &Verdict| a.is_win() && *b == Verdict::NoWin;
                assert!(!contradict(&known, &told) && !contradict(&told, &known), "{game:?}");
                wins += usize::from(known.is_win());
            }
        }
    }
    assert!(wins > 100);
}

#[test]
fn case_12_three_and_three_is_no_threat_to_one_who_can_make_a_straight_four() {
    let threes = ["", "..XX.....", "....X....", "....X...."];
    let answered = ["", "..XX.....", "....X....", "....X....", "", "", "", "..OOO...."];
    for rule in [Rule::Freestyle, Rule::Standard] {
        check_threats(rule, 9, &threes, Color::Black, true);
        check_threats(rule, 9, &answered, Color::Black, false);
    }
    check_threats(Rule::Renju, 9, &swapped(&threes), Color::White, true);
}

#[test]
fn case_14_four_points_between_walls_are_no_room_for_five() {
    check(Rule::Freestyle, 9, &["XXX.O"], Color::Black, Expected::NoWin);
    check(Rule::Freestyle, 9, &["XXX..O"], Color::Black, Expected::NoWin);
    // A corner diagonal of four, and one of five.
    check(Rule::Freestyle, 9, &["...X", "..X", ".X", "."], Color::Black, Expected::NoWin);
    check(Rule::Freestyle, 9, &["....X", "...X", "..X", ".X", "."], Color::Black, Expected::Wins(1));
    let corner = drawn(Rule::Freestyle, &grid(9, &["XXX..O"]), Color::Black);
    assert_eq!(Board::from_record(&corner).count(Color::Black, PointClass::Four), 2);
}
