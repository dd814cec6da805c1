//! Exact defence sets against trying every move.

use std::collections::BTreeSet;

use halfstone::board::Board;
use halfstone::pattern::{LineClass, PointClass};
use halfstone::types::{Cell, Color, Direction, Move, Piece, Rule};

use crate::support::random::{Rng, random_pieces, record, size};
use crate::support::tried::{Grid, Point};

fn points(cells: impl IntoIterator<Item = Cell>) -> BTreeSet<Point> {
    cells.into_iter().map(|cell| (cell.x() as i32, cell.y() as i32)).collect()
}

/// What a run over random positions saw.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    answers: usize,
    lost: usize,
    fours: usize,
    far_answers: usize,
}

/// Compares every set in `wanted` random positions with a winning four (and in the fours met on the way).
fn check(rule: Rule, wanted: usize, seed: u64) -> Seen {
    let mut rng = Rng::new(seed);
    let mut seen = Seen::default();
    while seen.positions < wanted {
        let size = size(7 + rng.below(6));
        let percent = 12 + rng.below(30);
        let dead = if rng.percent(25) { 4 } else { 0 };
        let mut pieces = random_pieces(&mut rng, size, percent, dead);
        // Both phases of the half-stone rule: some positions with the half stone on the board.
        if rule == Rule::HalfStone && rng.percent(50) {
            let free =
                size.cells().filter(|cell| pieces.iter().all(|(at, _)| at != cell)).collect::<Vec<_>>();
            pieces.extend(rng.pick(&free).map(|cell| (cell, Piece::Half)));
        }
        let game = record(rule, size, pieces.clone(), Color::Black);
        let board = Board::from_record(&game);
        let mut grid = Grid::new(size, &pieces);
        for attacker in Color::ALL {
            let fives: BTreeSet<Point> = grid.five_points(rule, attacker).into_iter().collect();
            assert_eq!(points(board.cells(attacker, PointClass::Five)), fives, "{game:?} {attacker}");
            if !fives.is_empty() {
                let answers: BTreeSet<Point> = grid.five_answers(rule, attacker).into_iter().collect();
                let fast = board.five_answers(attacker).expect("there is a five point");
                assert_eq!(points(fast), answers, "{game:?} {attacker} five");
                seen.fours += 1;
                seen.far_answers += answers.difference(&fives).count();
            } else if board.count(!attacker, PointClass::Five) == 0 {
                assert_eq!(board.five_answers(attacker), None);
                // Most positions have no threat; a part of those is enough.
                if board.defences(attacker).is_none() && rng.percent(85) {
                    continue;
                }
                let points_of_four = grid.unstoppable_points(rule, attacker);
                let mut threats = points_of_four.clone();
                threats.retain(|&point| !grid.is_foul(rule, attacker, point));
                let Some(fast) = board.defences(attacker) else {
                    assert!(threats.is_empty(), "{game:?} {attacker}: {threats:?}");
                    continue;
                };
                let answers: BTreeSet<Point> =
                    grid.defences(rule, attacker, &points_of_four).into_iter().collect();
                assert!(!threats.is_empty(), "{game:?} {attacker}");
                assert_eq!(points(fast), answers, "{game:?} {attacker} threats {threats:?}");
                seen.positions += 1;
                seen.answers += answers.len();
                seen.lost += usize::from(answers.is_empty());
            }
        }
    }
    println!("{rule}: {seen:?}");
    seen
}

/// Per rule, in the quick run.
const POSITIONS: usize = 3_000;

#[test]
fn freestyle_defences_are_exact() {
    check(Rule::Freestyle, POSITIONS, 21);
}

#[test]
fn standard_defences_are_exact() {
    check(Rule::Standard, POSITIONS, 22);
}

#[test]
fn renju_defences_are_exact() {
    check(Rule::Renju, POSITIONS, 23);
}

#[test]
fn caro_defences_are_exact() {
    let seen = check(Rule::Caro, POSITIONS, 24);
    assert!(seen.far_answers > 0, "{seen:?}");
}

#[test]
fn caro_five_defences_are_exact() {
    let seen = check(Rule::CaroFive, POSITIONS, 25);
    assert!(seen.far_answers > 0, "{seen:?}");
}

#[test]
fn half_stone_defences_are_exact_in_both_phases() {
    check(Rule::HalfStone, POSITIONS, 26);
}

#[test]
#[ignore = "10,000 positions per rule: a minute"]
fn many_defences_are_exact() {
    for rule in Rule::ALL {
        check(rule, 10_000, 40 + rule.index() as u64);
    }
}

/// White's straight four wins however many dormant fours Black has, as long as the half stone does not come with one.
#[test]
fn only_the_defence_set_holds_against_white_while_the_half_stone_is_in_hand() {
    let mut rng = Rng::new(28);
    let mut positions = 0;
    while positions < 500 {
        let size = size(7 + rng.below(3));
        let pieces = random_pieces(&mut rng, size, 25, 0);
        let mut board = Board::from_record(&record(Rule::HalfStone, size, pieces, Color::Black));
        let Some(answers) = board.defences(Color::White) else { continue };
        if Color::ALL.iter().any(|&color| board.count(color, PointClass::Five) > 0) {
            continue;
        }
        positions += 1;
        for cell in *board.empty_cells() {
            for mv in [Move::half(cell), Move::stone(cell)] {
                board.make(mv);
                // Black's fives count only once the half stone lies on the board.
                let black_threatens = mv.is_half() && board.count(Color::Black, PointClass::Five) > 0;
                let wins = !black_threatens && white_wins_in_three(&mut board);
                if !black_threatens {
                    assert_eq!(wins, !answers.contains(&cell), "{mv:?}");
                }
                board.undo();
            }
        }
    }
}

/// Whether White, to move, has a stone after which no black move, stone or half stone, takes his five away.
fn white_wins_in_three(board: &mut Board) -> bool {
    let has_five = |board: &Board| board.count(Color::White, PointClass::Five) > 0;
    for white in *board.empty_cells() {
        board.make(Move::stone(white));
        let mut wins = has_five(board);
        for black in *board.empty_cells() {
            if !wins {
                break;
            }
            let replies: &[Move] = if board.half_in_hand() {
                &[Move::stone(black), Move::half(black)]
            } else {
                &[Move::stone(black)]
            };
            for &reply in replies {
                // With the half stone on the board a five of Black's own would come first; there is none here.
                board.make(reply);
                wins &= has_five(board);
                board.undo();
            }
        }
        board.undo();
        if wins {
            return true;
        }
    }
    false
}

#[test]
fn the_half_stone_stops_what_a_stone_stops() {
    let mut rng = Rng::new(27);
    let mut positions = 0;
    while positions < 1_000 {
        let size = size(7 + rng.below(6));
        let pieces = random_pieces(&mut rng, size, 25, 0);
        let board = Board::from_record(&record(Rule::HalfStone, size, pieces, Color::Black));
        let Some(answers) = board.defences(Color::White) else { continue };
        if board.count(Color::White, PointClass::Five) > 0 {
            continue;
        }
        positions += 1;
        for cell in board.empty_cells().iter() {
            for mv in [Move::half(cell), Move::stone(cell)] {
                let mut after = board.clone();
                after.make(mv);
                assert_eq!(after.count(Color::White, PointClass::WinFour) == 0, answers.contains(&cell));
            }
        }
    }
}

#[test]
fn a_caro_four_can_be_answered_at_its_far_flank() {
    // White on d8 and four black stones e8 to h8: five at i8 is enclosed once j8 is white.
    let size = size(15);
    let at = |x| Cell::new(x, 7, size).expect("a point of the board");
    let mut pieces: Vec<_> = (4..8).map(|x| (at(x), Piece::Stone(Color::Black))).collect();
    pieces.push((at(3), Piece::Stone(Color::White)));
    let answers = |rule| {
        let board = Board::from_record(&record(rule, size, pieces.clone(), Color::White));
        points(board.five_answers(Color::Black).expect("there is a five point"))
    };
    assert_eq!(answers(Rule::Caro), [(8, 7), (9, 7)].into());
    assert_eq!(answers(Rule::CaroFive), [(8, 7), (9, 7)].into());
    assert_eq!(answers(Rule::Freestyle), [(8, 7)].into());
}

/// What is told of a four before it is made is what comes about when it is made and answered.
fn tell_fours(rule: Rule, wanted: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let reach = if matches!(rule, Rule::Freestyle | Rule::HalfStone) { 4 } else { 5 };
    let (mut fours, mut again, mut kept) = (0, 0, 0);
    while fours < wanted {
        let size = size(7 + rng.below(9));
        let percent = 20 + rng.below(25);
        let pieces = random_pieces(&mut rng, size, percent, 2);
        let us = Color::ALL[rng.below(2)];
        let board = Board::from_record(&record(rule, size, pieces, us));
        let made = |moves: &[Move]| {
            let mut after = board.clone();
            moves.iter().for_each(|&mv| after.make(mv));
            after
        };
        for cell in board.empty_cells().iter().filter(|&cell| board.class(us, cell).is_four()) {
            for direction in Direction::ALL.into_iter().filter(|&d| board.line_class(us, cell, d).is_four()) {
                let with = |board: &Board, wanted: fn(LineClass) -> bool| -> Vec<Cell> {
                    (-reach..=reach)
                        .filter_map(|steps| cell.step(direction, steps))
                        .filter(|&at| board.is_empty(at) && wanted(board.line_class(us, at, direction)))
                        .collect()
                };
                let four = made(&[Move::stone(cell)]);
                let fives = with(&four, |class| class == LineClass::W5);
                let told = board.after_four(us, cell, direction);
                assert_eq!(told.map(|told| vec![told.answer]), (fives.len() == 1).then(|| fives.clone()));
                fours += 1;
                let Some(told) = told else { continue };
                let answered = made(&[Move::stone(cell), Move::stone(told.answer)]);
                assert_eq!(told.again, !with(&answered, LineClass::is_four).is_empty());
                again += usize::from(told.again);
            }
            let blocks: Vec<Cell> = board.empty_cells().iter().collect();
            let block = rng.pick(&blocks).expect("the four's own point is empty");
            let after = made(&[Move::PASS, Move::stone(block)]);
            assert_eq!(board.keeps_four(us, cell, block), after.class(us, cell).is_four());
            kept += usize::from(after.class(us, cell).is_four());
            if board.class(us, cell) == PointClass::WinFour && (rule, us) != (Rule::Renju, Color::Black) {
                let stays = after.class(us, cell) == PointClass::WinFour;
                assert_eq!(board.keeps_straight_four(us, cell, block), stays);
            }
        }
    }
    assert!(again > 0 && kept > 0, "{rule}");
}

#[test]
fn what_is_told_of_a_four_before_it_is_made_comes_true() {
    for rule in Rule::ALL {
        tell_fours(rule, 1_500, 900 + rule.index() as u64);
    }
}
