//! Renju's forbidden points against a judge that places stones, and against the corpus of disputed shapes.

use std::collections::BTreeSet;

use halfstone::board::Board;
use halfstone::game::GameRecord;
use halfstone::types::{Cell, Color, Move, Piece, Rule};
use serde::Deserialize;

use crate::support::random::{Rng, random_pieces, record, size};
use crate::support::tried::Grid;

/// The slow judge. To compare with another one, replace the body.
fn slow_fouls(game: &GameRecord) -> BTreeSet<(usize, usize)> {
    let pieces: Vec<_> = game.pieces().collect();
    let mut grid = Grid::new(game.size(), &pieces);
    let points = grid.empties().into_iter().filter(|&point| grid.is_renju_foul(point)).collect::<Vec<_>>();
    points.into_iter().map(|(x, y)| (x as usize, y as usize)).collect()
}

fn fast_fouls(board: &Board) -> BTreeSet<(usize, usize)> {
    board.forbidden_set().iter().map(|cell| (cell.x(), cell.y())).collect()
}

#[derive(Deserialize)]
struct Case {
    id: String,
    size: usize,
    board: Vec<String>,
    forbidden: Vec<(usize, usize)>,
}

#[test]
fn every_case_of_the_corpus_is_judged_as_written() {
    let mut cases = 0;
    for line in include_str!("data/cases/forbidden.jsonl").lines().filter(|line| !line.trim().is_empty()) {
        let case: Case = serde_json::from_str(line).expect("a case per line");
        let size = size(case.size);
        let mut pieces = Vec::new();
        for (y, row) in case.board.iter().enumerate() {
            for (x, what) in row.chars().enumerate() {
                let color = match what {
                    'X' => Color::Black,
                    'O' => Color::White,
                    _ => continue,
                };
                pieces.push((Cell::new(x, y, size).expect("rows fit the board"), Piece::Stone(color)));
            }
        }
        let game = record(Rule::Renju, size, pieces, Color::Black);
        let expected: BTreeSet<_> = case.forbidden.into_iter().collect();
        assert_eq!(fast_fouls(&Board::from_record(&game)), expected, "{}", case.id);
        assert_eq!(slow_fouls(&game), expected, "{} by the slow judge", case.id);
        cases += 1;
    }
    assert!(cases > 250);
}

fn check_random_boards(boards: usize, seed: u64) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    let (mut points, mut fouls) = (0, 0);
    for _ in 0..boards {
        let size = size(7 + rng.below(9));
        let percent = 25 + rng.below(40);
        let dead = if rng.percent(20) { 3 } else { 0 };
        let game = record(Rule::Renju, size, random_pieces(&mut rng, size, percent, dead), Color::Black);
        let board = Board::from_record(&game);
        let slow = slow_fouls(&game);
        assert_eq!(fast_fouls(&board), slow, "{game:?}");
        for &(x, y) in &slow {
            assert!(board.foul_suspect(Cell::new(x, y, size).expect("a point of the board")));
        }
        points += board.empty_count();
        fouls += slow.len();
    }
    (points, fouls)
}

#[test]
fn fouls_on_random_boards_are_those_of_the_slow_judge() {
    let (points, fouls) = check_random_boards(10_500, 11);
    assert!(points >= 1_000_000 && fouls > 5_000, "{points} points, {fouls} fouls");
}

#[test]
#[ignore = "ten times as many boards"]
fn fouls_on_many_random_boards_are_those_of_the_slow_judge() {
    check_random_boards(100_000, 12);
}

#[test]
fn a_five_with_the_half_stone_in_hand_is_a_foul_and_nothing_else_is() {
    let size = size(15);
    let at = |x, y| Cell::new(x, y, size).expect("a point of the board");
    let pieces = (4..8).map(|x| (at(x, 7), Piece::Stone(Color::Black))).collect();
    let mut board = Board::from_record(&record(Rule::HalfStone, size, pieces, Color::Black));
    let fouls: Vec<Cell> = board.forbidden_set().iter().collect();
    assert_eq!(fouls, [at(3, 7), at(8, 7)]);
    assert!(board.is_forbidden(at(3, 7)) && !board.is_forbidden(at(2, 7)));
    board.make(Move::half(at(0, 0)));
    assert!(board.forbidden_set().is_empty() && !board.is_forbidden(at(3, 7)));
}
