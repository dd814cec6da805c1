//! What a position forces, read from the board's counters without searching.
//!
//! Written once for all rules: while Black holds the half stone his fives are fouls and his fours threaten nothing
//! yet, and every question here takes that into account.

use arrayvec::ArrayVec;

use crate::board::Board;
use crate::pattern::PointClass;
use crate::types::{Cell, Color, Move, Piece, Rule, Size};

/// Room for every move of the largest board, stones and half stones.
pub const MAX_MOVES: usize = 2 * Size::MAX.area();

/// A list of moves.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// What the side to move is facing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Situation {
    /// A win in this many plies, beginning with this move.
    Win(Move, usize),
    /// A loss in this many plies whatever is played.
    Lost(usize),
    /// A five threatens: only these moves prevent it.
    MustBlock,
    /// A straight four threatens: only its defence points and own fours are of use.
    MustDefend,
    /// Nothing is forced.
    Free,
}

/// Whether `color` is Black with the half stone still in hand: fives are fouls, fours are dormant.
pub fn is_dormant(board: &Board, color: Color) -> bool {
    color == Color::Black && board.half_in_hand()
}

/// What the side to move is facing, and the moves that answer it if something is forced.
pub fn situation(board: &mut Board, answers: &mut MoveList) -> Situation {
    answers.clear();
    let us = board.side_to_move();
    let (we_sleep, they_sleep) = (is_dormant(board, us), is_dormant(board, !us));
    if !we_sleep && let Some(cell) = board.cells(us, PointClass::Five).next() {
        return Situation::Win(Move::stone(cell), 1);
    }
    if !they_sleep && board.count(!us, PointClass::Five) > 0 {
        five_answers(board, answers);
        return if answers.is_empty() { Situation::Lost(2) } else { Situation::MustBlock };
    }
    if we_sleep {
        if let Some(mv) = activation_win(board) {
            return Situation::Win(mv, 3);
        }
    } else if let Some(cell) = sound_win_four(board, us) {
        return Situation::Win(Move::stone(cell), 3);
    }
    if !they_sleep && board.count(!us, PointClass::WinFour) > 0 {
        straight_four_answers(board, answers);
        return Situation::MustDefend;
    }
    Situation::Free
}

/// A point where `color` makes two ways to five at once, legally.
///
/// The opponent, who has no five, cannot stop both. Under caro an enemy stone beyond one end may enclose a five at
/// the other, so there the claim is tried out.
fn sound_win_four(board: &mut Board, color: Color) -> Option<Cell> {
    if board.count(color, PointClass::WinFour) == 0 {
        return None;
    }
    let cells: ArrayVec<Cell, 16> = board.cells(color, PointClass::WinFour).take(16).collect();
    cells.into_iter().find(|&cell| match (board.rule(), color) {
        (Rule::Renju, Color::Black) => !board.is_forbidden(cell),
        (Rule::Caro | Rule::CaroFive, _) => {
            board.make(Move::stone(cell));
            let mut answers = MoveList::new();
            five_answers(board, &mut answers);
            board.undo();
            answers.is_empty()
        }
        _ => true,
    })
}

/// The moves after which the opponent, who threatens five, cannot make it next turn.
fn five_answers(board: &mut Board, answers: &mut MoveList) {
    let us = board.side_to_move();
    let mut fives = board.cells(!us, PointClass::Five);
    let (first, more) = (fives.next(), fives.next().is_some());
    drop(fives);
    let Some(first) = first else { return };
    if matches!(board.rule(), Rule::Caro | Rule::CaroFive) {
        // A stone beyond the far end may enclose the five, and one stone may stop two fives: try what is near.
        let near: ArrayVec<Cell, 41> = crate::types::Direction::ALL
            .into_iter()
            .flat_map(|d| (-5..=5).filter_map(move |k| first.step(d, k)))
            .filter(|&cell| board.is_empty(cell))
            .take(41)
            .collect();
        for cell in near {
            if answers.contains(&Move::stone(cell)) {
                continue;
            }
            board.make(Move::stone(cell));
            if board.count(!us, PointClass::Five) == 0 {
                answers.push(Move::stone(cell));
            }
            board.undo();
        }
    } else if !more {
        push_block(board, first, answers);
    }
}

/// A stone on `cell`, if that is no foul, and the half stone if it is in hand.
fn push_block(board: &mut Board, cell: Cell, answers: &mut MoveList) {
    if is_playable(board, cell) {
        answers.push(Move::stone(cell));
    }
    if is_dormant(board, board.side_to_move()) {
        answers.push(Move::half(cell));
    }
}

/// Whether an ordinary stone of the side to move on the empty `cell` does not lose at once as a foul.
pub fn is_playable(board: &mut Board, cell: Cell) -> bool {
    let us = board.side_to_move();
    if is_dormant(board, us) {
        return board.class(us, cell) != PointClass::Five;
    }
    us == Color::White || !board.is_forbidden(cell)
}

/// Answers to a straight-four threat: every point where the opponent would make a four or better (the defences of a
/// three are among them), and own fours.
fn straight_four_answers(board: &mut Board, answers: &mut MoveList) {
    let us = board.side_to_move();
    let in_hand = is_dormant(board, us);
    // With a dormant four on the board the half stone is a four wherever it is put.
    let activates = in_hand && board.count(us, PointClass::Five) > 0;
    let mut cells: ArrayVec<Cell, MAX_MOVES> = board.candidates().collect();
    if cells.is_empty() {
        cells.extend(board.size().cells().filter(|&cell| board.is_empty(cell)));
    }
    for &cell in &cells {
        let defends = board.class(!us, cell) >= PointClass::Four;
        let four = !in_hand && board.class(us, cell) >= PointClass::Four;
        if (defends || four) && is_playable(board, cell) {
            answers.push(Move::stone(cell));
        }
        if in_hand && (defends || activates) {
            answers.push(Move::half(cell));
        }
    }
}

/// Black, holding the half stone over two dormant fives, wins by placing it where it spoils neither.
fn activation_win(board: &mut Board) -> Option<Move> {
    let us = board.side_to_move();
    let fives = board.count(us, PointClass::Five);
    if fives < 2 {
        return None;
    }
    let quiet = board.candidates().find(|&cell| board.class(us, cell) != PointClass::Five);
    let any = || {
        board.size().cells().find(|&cell| board.is_empty(cell) && board.class(us, cell) != PointClass::Five)
    };
    let cell = quiet.or_else(any).or_else(|| {
        // Every empty point is a five: placing on one of three still leaves two.
        board.cells(us, PointClass::Five).next().filter(|_| fives >= 3)
    })?;
    Some(Move::half(cell))
}

/// All moves worth trying when nothing is forced: stones near other stones and, for Black holding it, the half stone
/// where it hurts. Fouls are left out unless nothing else exists.
pub fn candidate_moves(board: &mut Board, moves: &mut MoveList) {
    moves.clear();
    let mut cells: ArrayVec<Cell, MAX_MOVES> = board.candidates().collect();
    cells.retain(|cell| is_playable(board, *cell));
    if cells.is_empty() {
        cells.extend(board.size().cells().filter(|&cell| board.is_empty(cell)));
        cells.retain(|cell| is_playable(board, *cell));
    }
    moves.extend(cells.iter().map(|&cell| Move::stone(cell)));
    if is_dormant(board, board.side_to_move()) {
        half_stone_moves(board, moves);
    }
}

/// How many points are tried for the half stone beside the points of White's hot threats.
const HALF_MOVES: usize = 6;

/// Where the half stone is worth trying: the points that mean most to White and least to Black, and one dead point
/// as a pure tempo move.
fn half_stone_moves(board: &Board, moves: &mut MoveList) {
    let damage = |cell: Cell| {
        let of = |color| crate::eval::attack_value(board.class(color, cell));
        of(Color::White) - of(Color::Black)
    };
    let mut cells: ArrayVec<Cell, MAX_MOVES> = board.candidates().collect();
    if cells.is_empty() {
        cells.extend(board.size().cells().filter(|&cell| board.is_empty(cell)));
    }
    cells.sort_by_key(|&cell| (-damage(cell), cell));
    moves.extend(cells.iter().take(HALF_MOVES).map(|&cell| Move::half(cell)));
    let dead = board
        .size()
        .cells()
        .filter(|&cell| board.is_empty(cell) && !cells.iter().take(HALF_MOVES).any(|&taken| taken == cell))
        .min_by_key(|&cell| {
            (Color::ALL.map(|color| board.class(color, cell) as usize).iter().sum::<usize>(), cell)
        });
    moves.extend(dead.map(Move::half));
}

/// Whether `mv` may be played at all: its cell is empty, and a half stone is in hand.
pub fn is_legal(board: &Board, mv: Move) -> bool {
    match mv.cell() {
        Some(cell) => board.is_empty(cell) && (!mv.is_half() || is_dormant(board, board.side_to_move())),
        None => false,
    }
}

/// The piece that `mv` puts on the board.
pub fn piece_of(board: &Board, mv: Move) -> Piece {
    if mv.is_half() { Piece::Half } else { Piece::Stone(board.side_to_move()) }
}
