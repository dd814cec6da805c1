//! The engine without any knowledge of the half stone, as an opponent to measure that knowledge by: it plays
//! freestyle, takes the half stone on the board for a wall, and drops its own at random.

use crate::game::{GameRecord, Setup};
use crate::pattern::PointClass;
use crate::selfplay::Rng;
use crate::types::{Cell, Color, Move, Piece, Rule};

/// On one turn in so many the half stone is placed.
const TURNS: usize = 8;

/// The game as somebody sees it who knows freestyle only: the half stone on the board is a blocked point, and one in
/// hand does not exist.
pub fn without_half_stone(game: &GameRecord) -> GameRecord {
    let dead = |piece| if piece == Piece::Half { Piece::Blocked } else { piece };
    let pieces = game.pieces().map(|(cell, piece)| (cell, dead(piece))).collect();
    GameRecord::with_setup(Rule::Freestyle, game.size(), Setup { pieces, to_move: game.side_to_move() })
}

/// What is played instead of `found`, the move of a search of [`without_half_stone`]: the half stone on a random empty
/// point, one turn in eight, and when the move found would make five too early and lose at once.
///
/// Chance is drawn from the position and this seed, so that a game can be repeated.
pub fn with_random_half_stone(game: &GameRecord, found: Move, seed: u64) -> Move {
    if game.side_to_move() == Color::White || !game.half_in_hand() {
        return found;
    }
    let board = super::board(game);
    let mut rng = Rng::new(seed, board.hash());
    let too_early = found.cell().is_some_and(|cell| board.class(Color::Black, cell) == PointClass::Five);
    if !too_early && rng.below(TURNS) > 0 {
        return found;
    }
    let empty: Vec<Cell> = board.empty_cells().iter().collect();
    rng.pick(&empty).map_or(found, Move::half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::parse_moves;
    use crate::types::Size;

    fn game(moves: &str) -> GameRecord {
        let mut game = GameRecord::new(Rule::HalfStone, Size::STANDARD);
        parse_moves(moves, Size::STANDARD).unwrap().into_iter().for_each(|mv| game.push(mv));
        game
    }

    #[test]
    fn the_half_stone_is_seen_as_a_wall_and_the_hand_not_at_all() {
        let seen = without_half_stone(&game("h8 i9 *j10 a1"));
        assert_eq!((seen.rule(), seen.side_to_move()), (Rule::Freestyle, Color::Black));
        let pieces: Vec<Piece> = seen.pieces().map(|(_, piece)| piece).collect();
        use Color::{Black, White};
        assert_eq!(pieces, [Piece::Stone(Black), Piece::Stone(White), Piece::Blocked, Piece::Stone(White)]);
    }

    #[test]
    fn a_five_that_would_lose_becomes_a_half_stone_and_other_moves_do_now_and_then() {
        let early = game("h8 a1 g8 a3 f8 a5 e8 a7");
        let five = parse_moves("d8", Size::STANDARD).unwrap()[0];
        assert!(with_random_half_stone(&early, five, 1).is_half());
        let quiet = parse_moves("o15", Size::STANDARD).unwrap()[0];
        let halves = (0..800).filter(|&seed| with_random_half_stone(&early, quiet, seed).is_half()).count();
        assert!((60..140).contains(&halves), "{halves} of 800 at one in eight");
        // White has none, and neither has Black once it is placed.
        for moves in ["h8", "*h8 a1"] {
            let game = game(moves);
            assert!((0..100).all(|seed| with_random_half_stone(&game, quiet, seed) == quiet));
        }
    }
}
