//! Which moves can disturb a win by fours that would follow a pass: all others, if they make no four, lose to it.
//!
//! This is the relevancy zone of λ-search (T. Thomsen, "Lambda-search in game trees – with application to Go", 2000),
//! made exact for fours. A stone of the defender matters only
//!
//! 1. on a cell that the win uses: its moves, the replies and the points of five (under caro also where the five
//!    could be enclosed from);
//! 2. where it gives one of the forced replies a four: a *tempo cell*;
//! 3. under renju, where it can change whether a point that the win relies on is a foul.

use arrayvec::ArrayVec;

use super::vcf::Fours;
use crate::board::Board;
use crate::pattern::{LineClass, PointClass};
use crate::types::{Cell, CellSet, Color, Direction, Move, Rule};

/// How far a stone can matter to a point on its lines.
const REACH: i32 = 5;
/// Consecutive points that can be a five.
const ROW: i32 = 5;

/// The relevant cells of the win that `fours` found last for the side to move.
pub(super) fn relevant_cells(board: &mut Board, fours: &Fours) -> CellSet {
    let attacker = board.side_to_move();
    let mut cells = CellSet::default();
    let mut replies = CellSet::default();
    fours.walk(
        board,
        &mut |board, mv, made| {
            let Some(cell) = mv.cell() else { return };
            if !made {
                cells.insert(cell);
                if attacker == Color::Black && !mv.is_half() {
                    add_foul_region(board, cell, &mut cells);
                }
            } else {
                add_fives(board, attacker, &mut cells);
            }
        },
        &mut |reply| {
            if let Some(cell) = reply.cell() {
                replies.insert(cell);
            }
        },
    );
    add_tempo_cells(board, attacker, &replies, &mut cells);
    cells.union(&replies).intersection(board.empty_cells())
}

/// The points of five after an attacker's move, where caro could enclose them, and what decides whether the
/// defender may answer there.
fn add_fives(board: &mut Board, attacker: Color, cells: &mut CellSet) {
    let fives = *board.set(attacker, PointClass::Five);
    let caro = matches!(board.rule(), Rule::Caro | Rule::CaroFive);
    for five in fives {
        cells.insert(five);
        if attacker == Color::White {
            add_foul_region(board, five, cells);
        }
        if !caro {
            continue;
        }
        for direction in Direction::ALL {
            if board.line_class(attacker, five, direction) == LineClass::W5 {
                add_line(five, direction, cells);
            }
        }
    }
}

fn add_line(cell: Cell, direction: Direction, cells: &mut CellSet) {
    for steps in -REACH..=REACH {
        cell.step(direction, steps).into_iter().for_each(|at| cells.insert(at));
    }
}

/// Everything that the question "may Black play here?" can depend on: the lines of the point and, for each of its
/// threes, the same for the points that would make it a straight four.
///
/// Nothing is added for a point that is no suspect: where Black attacks, a white stone does not make it one, and
/// where Black defends, it is then an ordinary reply.
fn add_foul_region(board: &mut Board, cell: Cell, cells: &mut CellSet) {
    if board.rule() != Rule::Renju || !board.foul_suspect(cell) {
        return;
    }
    for direction in Direction::ALL {
        add_line(cell, direction, cells);
    }
    let threes: ArrayVec<Direction, 4> = Direction::ALL
        .into_iter()
        .filter(|&direction| board.line_class(Color::Black, cell, direction).is_live_three())
        .collect();
    // A black stone on the point, and Black to move again.
    let black_moves = board.side_to_move() == Color::Black;
    if !black_moves {
        board.make_light(Move::PASS);
    }
    board.make_light(Move::stone(cell));
    board.make_light(Move::PASS);
    for direction in threes {
        for step in [1, -1] {
            if let Some(end) = end_of_run(board, cell, direction, step) {
                for direction in Direction::ALL {
                    add_line(end, direction, cells);
                }
                add_foul_region(board, end, cells);
            }
        }
    }
    board.undo();
    board.undo();
    if !black_moves {
        board.undo();
    }
}

/// The first empty cell met when walking from a black stone over black stones.
fn end_of_run(board: &Board, cell: Cell, direction: Direction, step: i32) -> Option<Cell> {
    let mut at = cell.step(direction, step)?;
    while board.stones_of(Color::Black).contains(at) {
        at = at.step(direction, step)?;
    }
    board.is_empty(at).then_some(at)
}

/// The empty cells of every row of five in which a forced reply and a further stone could make four of the
/// defender's: no attacker's stone, nothing dead, and three defender's stones once all replies are counted.
fn add_tempo_cells(board: &Board, attacker: Color, replies: &CellSet, cells: &mut CellSet) {
    let own = board.stones_of(!attacker);
    for reply in replies.iter() {
        for direction in Direction::ALL {
            for start in 1 - ROW..=0 {
                let row = (start..start + ROW).map(|k| reply.step(direction, k));
                let usable = |at: &Option<Cell>| at.is_some_and(|at| own.contains(at) || board.is_empty(at));
                let stones = |at: &Cell| own.contains(*at) || replies.contains(*at);
                if row.clone().all(|at| usable(&at)) && row.clone().flatten().filter(stones).count() >= 3 {
                    row.flatten().filter(|&at| board.is_empty(at)).for_each(|at| cells.insert(at));
                }
            }
        }
    }
}
