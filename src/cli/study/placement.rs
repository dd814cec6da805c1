//! When, where and what for the half stone was placed in a game.

use crate::board::Board;
use crate::game::GameRecord;
use crate::pattern::PointClass;
use crate::types::{Cell, Color, Move};

/// What a half stone stops or wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// Nothing.
    Nothing,
    /// A three: White's threat of a straight four, or Black's.
    Three,
    /// A four: a five that White would make next, or Black.
    Four,
}

impl What {
    pub(super) const ALL: [What; 3] = [What::Four, What::Three, What::Nothing];
}

/// The half stone of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    /// Number of the move.
    pub(super) number: usize,
    pub(super) cell: Cell,
    /// What of White's it stops: defence.
    pub(super) stops: What,
    /// What of Black's counts from now on: attack.
    pub(super) wakes: What,
}

impl Placement {
    /// The half stone that was played in a game; `None` if there was none.
    pub(super) fn of(game: &GameRecord) -> Option<Placement> {
        let index = game.moves().iter().position(|mv| mv.is_half())?;
        let cell = game.moves().get(index)?.cell()?;
        let mut before = game.clone();
        while before.moves().len() > index {
            before.pop();
        }
        let mut board = Board::from_record(&before);
        let stops = stopped(&board, cell);
        board.make(Move::half(cell));
        Some(Placement { number: index + 1, cell, stops, wakes: woken(&board) })
    }
}

fn stopped(board: &Board, cell: Cell) -> What {
    if board.count(Color::White, PointClass::Five) > 0 {
        let stops = board.class(Color::White, cell) == PointClass::Five;
        return if stops { What::Four } else { What::Nothing };
    }
    match board.defences(Color::White) {
        Some(cells) if cells.contains(&cell) => What::Three,
        _ => What::Nothing,
    }
}

fn woken(board: &Board) -> What {
    if board.count(Color::Black, PointClass::Five) > 0 {
        What::Four
    } else if board.count(Color::Black, PointClass::WinFour) > 0 {
        What::Three
    } else {
        What::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::parse_moves;
    use crate::types::{Rule, Size};

    fn placed(moves: &str) -> Option<(usize, What, What)> {
        let mut game = GameRecord::new(Rule::HalfStone, Size::STANDARD);
        parse_moves(moves, Size::STANDARD).unwrap().into_iter().for_each(|mv| game.push(mv));
        Placement::of(&game).map(|placement| (placement.number, placement.stops, placement.wakes))
    }

    #[test]
    fn defence_and_attack_are_told_apart() {
        use What::{Four, Nothing, Three};
        assert_eq!(placed("h8 i9"), None);
        assert_eq!(placed("*h8 i9"), Some((1, Nothing, Nothing)));
        // White's three h8 i8 j8, stopped beside it and ignored.
        assert_eq!(placed("a1 h8 a15 i8 o1 j8 *k8"), Some((7, Three, Nothing)));
        assert_eq!(placed("a1 h8 a15 i8 o1 j8 *h1"), Some((7, Nothing, Nothing)));
        // White's four g8 to j8 with f8 taken.
        assert_eq!(placed("f8 g8 a15 h8 o1 i8 o15 j8 *k8"), Some((9, Four, Nothing)));
        assert_eq!(placed("f8 g8 a15 h8 o1 i8 o15 j8 *k9"), Some((9, Nothing, Nothing)));
        // Black's dormant four and three.
        assert_eq!(placed("h8 a1 i8 a3 j8 a5 k8 a7 *o15"), Some((9, Nothing, Four)));
        assert_eq!(placed("h8 a1 i8 a3 j8 a5 *o15"), Some((7, Nothing, Three)));
    }
}
