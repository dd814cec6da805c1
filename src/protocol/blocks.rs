//! Block commands: collecting their lines, and making a position of them.

use std::time::Instant;

use crate::game::{GameRecord, Setup};
use crate::types::{Cell, CellSet, Color, Move, Piece, Rule, Size};
use crate::wire::{BlockKind, BlockStone, parse_block_part};

use super::error::SessionError;
use super::game::{cell_at, point_of};

/// More lines than the largest board has points are an accident or an attack.
const STONES_LIMIT: usize = 1_000;

/// A block that has begun and not ended.
#[derive(Debug)]
pub(super) struct OpenBlock {
    pub(super) kind: BlockKind,
    stones: Vec<BlockStone>,
    number: Option<i64>,
    error: Option<SessionError>,
}

/// A block that has ended.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// The pieces as sent, or the first line that was none.
    pub(super) stones: Result<Vec<BlockStone>, SessionError>,
    /// The number that some blocks have.
    pub(super) number: Option<i64>,
    /// When `DONE` arrived.
    pub(super) arrived: Instant,
}

impl OpenBlock {
    pub(super) fn new(kind: BlockKind) -> OpenBlock {
        OpenBlock { kind, stones: Vec::new(), number: None, error: None }
    }

    /// Takes a line, or what stands behind the command word; true when the block ends with it.
    pub(super) fn add(&mut self, text: &str) -> bool {
        let part = parse_block_part(self.kind, text);
        if self.stones.len() + part.stones.len() > STONES_LIMIT {
            self.fail(SessionError::LongBlock(STONES_LIMIT));
        } else {
            self.stones.extend(part.stones);
        }
        self.number = part.number.or(self.number);
        if let Some(error) = part.error {
            self.fail(error.into());
        }
        part.done
    }

    /// Notes what is wrong; only the first fault is reported, after `DONE`.
    pub(super) fn fail(&mut self, error: SessionError) {
        self.error.get_or_insert(error);
    }

    pub(super) fn close(self, arrived: Instant) -> Block {
        let stones = match self.error {
            Some(error) => Err(error),
            None => Ok(self.stones),
        };
        Block { kind: self.kind, stones, number: self.number, arrived }
    }
}

/// Whose piece a field stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Own,
    Opponent,
}

/// A field of a `BOARD` line: 1 and 2 are stones, 4 and 5 half stones, of the engine and of its opponent; 3 is a
/// blocked point.
fn owner_and_half(stone: &BlockStone) -> Result<Option<(Owner, bool)>, SessionError> {
    match stone.field {
        Some(1) => Ok(Some((Owner::Own, false))),
        Some(2) => Ok(Some((Owner::Opponent, false))),
        Some(3) => Ok(None),
        Some(4) => Ok(Some((Owner::Own, true))),
        Some(5) => Ok(Some((Owner::Opponent, true))),
        _ => Err(SessionError::Field(*stone)),
    }
}

/// The position that a `BOARD` block describes, with the engine to move.
///
/// Pieces in the order of a game become its moves, so that they can be taken back; anything else is set up.
pub(super) fn position(stones: &[BlockStone], rule: Rule, size: Size) -> Result<GameRecord, SessionError> {
    let mut seen = CellSet::default();
    let mut blocked = Vec::new();
    let mut pieces = Vec::new();
    for stone in stones {
        let cell = cell_at(stone.point, size)?;
        if seen.contains(cell) {
            return Err(SessionError::Occupied(stone.point));
        }
        seen.insert(cell);
        match owner_and_half(stone)? {
            None => blocked.push((cell, Piece::Blocked)),
            Some((_, true)) if rule != Rule::HalfStone => return Err(SessionError::HalfRule(stone.point)),
            Some((owner, half)) => pieces.push((cell, owner, half)),
        }
    }
    let own = own_color(&pieces);
    let mut halves = pieces.iter().filter(|&&(_, _, half)| half);
    match (halves.next(), halves.next()) {
        (_, Some(&(cell, ..))) => return Err(SessionError::HalfTwice(point_of(cell))),
        (Some(&(cell, owner, _)), None) if color_of(owner, own) == Color::White => {
            return Err(SessionError::HalfWhite(point_of(cell)));
        }
        _ => {}
    }
    let in_order = own == next_color(pieces.len())
        && pieces
            .iter()
            .zip([Color::Black, Color::White].into_iter().cycle())
            .all(|(&(_, owner, _), color)| color_of(owner, own) == color);
    if in_order {
        let mut game = GameRecord::with_setup(rule, size, Setup { pieces: blocked, to_move: Color::Black });
        for (cell, _, half) in pieces {
            game.push(if half { Move::half(cell) } else { Move::stone(cell) });
        }
        return Ok(game);
    }
    let placed = pieces.into_iter().map(|(cell, owner, half)| {
        (cell, if half { Piece::Half } else { Piece::Stone(color_of(owner, own)) })
    });
    blocked.extend(placed);
    Ok(GameRecord::with_setup(rule, size, Setup { pieces: blocked, to_move: own }))
}

const fn color_of(owner: Owner, own: Color) -> Color {
    match (owner, own) {
        (Owner::Own, Color::Black) | (Owner::Opponent, Color::White) => Color::Black,
        (Owner::Own, Color::White) | (Owner::Opponent, Color::Black) => Color::White,
    }
}

/// Who moves after this many moves.
const fn next_color(moves: usize) -> Color {
    if moves.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// The engine's colour; it is always the engine that is to move. Equal counts make it Black, one stone less White.
/// Where the counts fit neither, a half stone tells, which is always Black's, and then the parity of all pieces.
fn own_color(pieces: &[(Cell, Owner, bool)]) -> Color {
    let own = pieces.iter().filter(|&&(_, owner, _)| owner == Owner::Own).count();
    let theirs = pieces.len() - own;
    if own == theirs {
        return Color::Black;
    }
    if theirs == own + 1 {
        return Color::White;
    }
    match pieces.iter().find(|&&(_, _, half)| half) {
        Some(&(_, owner, _)) => color_of(owner, Color::Black),
        None => next_color(pieces.len()),
    }
}

/// The stones of a swap2 opening as a game: Black, White, Black, and then White, Black.
pub(super) fn opening(stones: &[BlockStone], rule: Rule, size: Size) -> Result<GameRecord, SessionError> {
    let mut game = GameRecord::new(rule, size);
    for cell in different_cells(stones, size)? {
        game.push(Move::stone(cell));
    }
    Ok(game)
}

/// The cells of the stones, which must all be different and on the board.
pub(super) fn different_cells(stones: &[BlockStone], size: Size) -> Result<Vec<Cell>, SessionError> {
    let mut cells = Vec::new();
    for stone in stones {
        let cell = cell_at(stone.point, size)?;
        if cells.contains(&cell) {
            return Err(SessionError::Occupied(stone.point));
        }
        cells.push(cell);
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Point;

    fn block(text: &str) -> Block {
        let mut open = OpenBlock::new(BlockKind::Board);
        open.add(text);
        open.close(Instant::now())
    }

    fn game(text: &str, rule: Rule) -> Result<GameRecord, SessionError> {
        position(&block(text).stones?, rule, Size::STANDARD)
    }

    fn to_move(text: &str) -> (Color, usize) {
        let game = game(text, Rule::HalfStone).unwrap();
        (game.side_to_move(), game.moves().len())
    }

    #[test]
    fn stones_in_game_order_become_moves() {
        assert_eq!(to_move(""), (Color::Black, 0));
        assert_eq!(to_move("7,7,2"), (Color::White, 1));
        assert_eq!(to_move("7,7,1 8,8,2"), (Color::Black, 2));
        assert_eq!(to_move("7,7,5 8,8,1 9,9,2"), (Color::White, 3));
        assert_eq!(to_move("7,7,3 8,8,1 9,9,2"), (Color::Black, 2), "blocked points are no moves");
    }

    #[test]
    fn other_orders_are_set_up_for_the_right_side() {
        assert_eq!(to_move("7,7,1 8,8,1 7,8,2 8,7,2"), (Color::Black, 0), "grouped by colour");
        assert_eq!(to_move("7,7,2 8,8,1"), (Color::Black, 0), "equal counts, White's stone first");
        assert_eq!(to_move("7,7,2 8,8,1 6,6,5"), (Color::White, 3));
        assert_eq!(to_move("7,7,1"), (Color::White, 0), "parity");
        assert_eq!(to_move("7,7,1 8,8,1"), (Color::Black, 0), "parity");
        assert_eq!(to_move("7,7,4 8,8,1 9,9,1"), (Color::Black, 0), "own half stone");
        assert_eq!(to_move("7,7,5 8,8,2"), (Color::White, 0), "the opponent's half stone");
    }

    #[test]
    fn half_stones_are_blacks_and_there_is_one() {
        use SessionError::{HalfRule, HalfTwice, HalfWhite};
        for (text, error) in [
            ("7,7,4 8,8,2 6,6,4 9,6,2", HalfTwice(Point { x: 6, y: 6 })),
            ("7,7,5 8,8,1 6,6,5", HalfTwice(Point { x: 6, y: 6 })),
            ("7,7,4 8,8,5", HalfTwice(Point { x: 8, y: 8 })),
            ("7,7,1 8,8,5", HalfWhite(Point { x: 8, y: 8 })),
            ("7,7,2 8,8,4 6,6,2", HalfWhite(Point { x: 8, y: 8 })),
        ] {
            assert_eq!(game(text, Rule::HalfStone), Err(error), "{text}");
        }
        assert_eq!(game("7,7,4 8,8,2", Rule::Renju), Err(HalfRule(Point { x: 7, y: 7 })));
    }

    #[test]
    fn bad_lines_are_named() {
        let error = |text| game(text, Rule::Freestyle).unwrap_err().to_string();
        assert_eq!(error("7,7,1 15,0,2"), "15,0 is outside the board (allowed: 0 to 14)");
        assert_eq!(error("7,7,1 7,7,2"), "7,7 is occupied");
        assert_eq!(error("7,7,6"), "bad field in '7,7,6' (allowed: 1 to 5)");
        assert_eq!(error("foo"), "BOARD: bad argument 'foo' (allowed: x,y,field or DONE)");
        let mut open = OpenBlock::new(BlockKind::Board);
        for _ in 0..=STONES_LIMIT {
            open.add("7,7,1");
        }
        assert_eq!(open.close(Instant::now()).stones, Err(SessionError::LongBlock(STONES_LIMIT)));
    }
}
