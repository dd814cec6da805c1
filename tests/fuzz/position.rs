//! Positions of any make: the fast board against the reference rules.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

use halfstone::engine::{self, Engine};
use halfstone::game::{GameRecord, Setup};
use halfstone::pattern::PointClass;
use halfstone::rules::{Position, Status};
use halfstone::types::{Cell, Color, Move, Piece, Rule, Size};

use super::hunt;

/// A piece or a move: how many in a hundred are of which kind is told by the number, where it lies by the place. Places
/// are drawn from a part of the board, so that shapes and collisions come about.
type Drawn = (Index, u8);

/// How a position is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    rule: Rule,
    size: i64,
    /// Side of the box that all is drawn in.
    crowd: usize,
    white_begins: bool,
    pieces: Vec<Drawn>,
    moves: Vec<Drawn>,
}

pub(crate) fn sketch() -> impl Strategy<Value = Sketch> {
    let drawn = |most: usize| prop::collection::vec((any::<Index>(), 0u8..100), 0..most);
    let pieces = prop_oneof![1 => Just(Vec::new()), 1 => drawn(12), 1 => drawn(60)];
    let rule = select(Rule::ALL.into_iter().chain([Rule::Renju, Rule::HalfStone]).collect::<Vec<_>>());
    (rule, 5i64..23, 4usize..12, any::<bool>(), pieces, drawn(50)).prop_map(
        |(rule, size, crowd, white_begins, pieces, moves)| Sketch {
            rule,
            size,
            crowd,
            white_begins,
            pieces,
            moves,
        },
    )
}

impl Sketch {
    /// The same under another rule.
    pub(crate) fn under(self, rule: Rule) -> Sketch {
        Sketch { rule, ..self }
    }

    /// The record, legal or not; with `tidy`, what cannot be played is left out.
    pub(crate) fn game(&self, tidy: bool) -> GameRecord {
        let size = Size::new(self.size).expect("a size that is played");
        let side = self.crowd.min(size.get());
        // The box lies in a corner on some boards, and in the middle on others.
        let corner = if self.crowd.is_multiple_of(2) { 0 } else { (size.get() - side) / 2 };
        let cell = |at: Index| {
            let at = at.index(side * side);
            Cell::new(corner + at % side, corner + at / side, size).expect("the box lies on the board")
        };
        let mut setup = Setup::default();
        if self.white_begins && !self.pieces.is_empty() {
            setup.to_move = Color::White;
        }
        for &(at, kind) in &self.pieces {
            let piece = match kind {
                0..45 => Piece::Stone(Color::Black),
                45..90 => Piece::Stone(Color::White),
                90..97 => Piece::Blocked,
                _ => Piece::Half,
            };
            let taken = setup
                .pieces
                .iter()
                .any(|&(old, kind)| old == cell(at) || kind == piece && piece == Piece::Half);
            if !tidy || !taken && (piece != Piece::Half || self.rule == Rule::HalfStone) {
                setup.pieces.push((cell(at), piece));
            }
        }
        let mut game = GameRecord::with_setup(self.rule, size, setup);
        let Ok(mut position) = Position::from_record(&game) else { return game };
        for &(at, kind) in &self.moves {
            let mv = match kind {
                0..2 => Move::PASS,
                2..8 => Move::half(cell(at)),
                _ => Move::stone(cell(at)),
            };
            // A game that is over now and then goes on for a move.
            let is_played = position.play(mv).is_ok_and(|status| !tidy || !status.is_over());
            if is_played || !tidy && kind > 95 {
                game.push(mv);
            } else if tidy && Position::from_record(&game).is_ok_and(|before| before != position) {
                break;
            }
        }
        game
    }
}

/// The board of a game that goes on, point by point.
fn compare(game: &GameRecord, position: &Position) -> TestCaseResult {
    let mut board = engine::board(game);
    prop_assert_eq!(board.side_to_move(), position.side_to_move());
    prop_assert_eq!(board.half_in_hand(), position.half_in_hand());
    for cell in game.size().cells() {
        prop_assert_eq!(board.piece(cell), position.piece(cell));
        for color in Color::ALL {
            let five = board.class(color, cell) == PointClass::Five;
            prop_assert_eq!(five, position.makes_five(cell, color), "{:?} {:?}", color, cell);
        }
        let loses = position.is_empty(cell) && position.would_lose(cell, Color::Black);
        prop_assert_eq!(position.is_empty(cell) && board.is_forbidden(cell), loses, "{:?}", cell);
    }
    // The way that led here does not show, and no move leaves a trace.
    let end = Setup { pieces: game.pieces().collect(), to_move: game.side_to_move() };
    let end = engine::board(&GameRecord::with_setup(game.rule(), game.size(), end));
    prop_assert!(end.same_position(&board));
    for mv in position.legal_moves().into_iter().step_by(7).chain([Move::PASS]) {
        board.make(mv);
        board.undo();
        prop_assert!(end.same_position(&board), "{:?}", mv);
    }
    Ok(())
}

#[test]
fn any_record_is_a_position_or_an_error() {
    hunt("position", 192, &(sketch(), prop::bool::weighted(0.8)), |(sketch, tidy)| {
        let game = sketch.game(tidy);
        let position = match Position::from_record(&game) {
            Ok(position) => position,
            Err(error) => {
                prop_assert!(!tidy, "{error}");
                return Ok(());
            }
        };
        let status = Engine::new().status(&game);
        if position.status() != Status::Ongoing {
            prop_assert_ne!(status.ok(), Some(engine::Status::Ongoing));
            return Ok(());
        }
        prop_assert_eq!(status.ok(), Some(engine::Status::Ongoing));
        compare(&game, &position)
    });
}
