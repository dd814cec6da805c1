//! Opening rules as state machines: who acts next, what he may do, and who has which colour in the end.
//!
//! An opening rule is data, a list of steps; one small interpreter walks through it for all of them. Nobody searches
//! here: what is wise to choose is for [`crate::engine`] to say. After the opening the record is an ordinary game.
//!
//! | rule | course |
//! |---|---|
//! | swap after first move | a stone; swap? |
//! | swap2 | three stones; keep, swap, or two more stones and the other one chooses |
//! | RIF | one of the 26 openings; swap?; 4th; two 5th moves, White picks |
//! | Yamaguchi | one of the 26 and a number up to 12; swap?; 4th; so many 5th moves, White picks |
//! | Soosõrv-8 | one of the 26; swap?; 4th and a number up to 8; swap?; so many 5th moves, White picks |
//! | Taraguchi-10 | four stones in growing squares, swap? after each; then a 5th in a larger square and swap?, or ten 5th moves anywhere, of which White picks |
//!
//! The 26 openings are the ways, up to symmetry, to put the second stone beside the first in the centre and the third
//! within two points of it; [`NAMED`] lists them.

mod named;
mod rule;

use std::collections::VecDeque;
use std::fmt;

use thiserror::Error;

use super::{GameRecord, Symmetry};
use crate::types::{Cell, Color, Move, Piece, Rule, Size};

pub use named::{NAMED, NamedOpening, named};
pub use rule::{OpeningRule, OpeningRuleError};

/// One of the two players, by who started the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The one who places the first stone.
    First,
    /// The other one.
    Second,
}

impl Seat {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

/// Where a stone may go: the square of points at most this far from the centre in each direction, or anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone(Option<usize>);

impl Zone {
    /// The whole board.
    pub const ANYWHERE: Zone = Zone(None);

    /// The square with this distance from the centre to its sides: 0 is the centre itself, 2 a square of 5×5.
    pub const fn within(distance: usize) -> Zone {
        Zone(Some(distance))
    }

    /// Whether the zone holds a point of a board of this size.
    pub fn contains(self, cell: Cell, size: Size) -> bool {
        let center = size.center();
        self.0.is_none_or(|distance| {
            cell.x().abs_diff(center.x()) <= distance && cell.y().abs_diff(center.y()) <= distance
        })
    }

    /// The side of the square in points; `None` for the whole board.
    pub fn side(self) -> Option<usize> {
        self.0.map(|distance| 2 * distance + 1)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side() {
            None => f.write_str("the board"),
            Some(1) => f.write_str("the centre"),
            Some(side) => write!(f, "the {side}x{side} square in the centre"),
        }
    }
}

/// What has to be decided next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// A stone of the colour to move.
    Stone(Zone),
    /// A stone, and how many fifth moves will be offered, from 1 to `most`.
    StoneAndCount {
        /// Where the stone may go.
        zone: Zone,
        /// The largest number.
        most: usize,
    },
    /// Keep the colour, or take the other one.
    Swap,
    /// Keep, swap, or place two more stones and leave the choice to the opponent.
    SwapOrAdd,
    /// So many fifth moves, no two of which are the same up to symmetry.
    Offer(usize),
    /// Either a stone in the zone, or so many fifth moves.
    StoneOrOffer {
        /// Where the stone may go.
        zone: Zone,
        /// How many fifth moves there are otherwise.
        count: usize,
    },
    /// One of the fifth moves that were offered.
    Pick,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A stone there.
    Stone(Cell),
    /// A stone there, and so many fifth moves will be offered.
    StoneAndCount(Cell, usize),
    /// The colours stay as they are.
    Keep,
    /// The colours are exchanged.
    Swap,
    /// Two more stones, then the opponent chooses.
    Add,
    /// The fifth moves to choose from.
    Offer(Vec<Cell>),
    /// The fifth move that is played.
    Pick(Cell),
}

/// A decision that is not allowed. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The opening is over.
    #[error("the opening is over")]
    Over,
    /// Something else has to be decided now.
    #[error("that is not asked now")]
    NotAsked,
    /// The point is taken.
    #[error("the point is taken")]
    Taken,
    /// The point is not on the board, or outside the square that this stone is confined to.
    #[error("the stone is confined to {0}")]
    OutsideZone(Zone),
    /// The number of fifth moves.
    #[error("{count} fifth moves (allowed: 1 to {most})")]
    Count {
        /// What was said.
        count: usize,
        /// The largest number.
        most: usize,
    },
    /// Too few or too many fifth moves.
    #[error("{0} fifth moves were offered, {1} have to be")]
    OfferSize(usize, usize),
    /// Two fifth moves are the same but for a symmetry of the position.
    #[error("two of the fifth moves are the same up to symmetry")]
    SameOffer,
    /// None of the offered moves.
    #[error("only an offered move can be picked")]
    NotOffered,
}

/// Who places a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Seat(Seat),
    /// The owner of the colour to move.
    Mover,
}

/// A step of an opening rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Place(By, Zone),
    PlaceAndCount(By, Zone, usize),
    /// The one who did not place the last stone may swap.
    MaySwap,
    Swap2,
    Fifth(Zone, usize),
    Offer,
    Pick,
}

/// An opening in progress.
///
/// ```
/// use halfstone::game::opening::{Choice, Demand, Opening, OpeningRule, Seat};
/// use halfstone::types::{Color, Rule, Size};
/// let mut opening = Opening::new(OpeningRule::SwapAfterFirst, Rule::Standard, Size::STANDARD);
/// opening.choose(&Choice::Stone(Size::STANDARD.center())).unwrap();
/// assert_eq!((opening.turn(), opening.demand()), (Seat::Second, Some(Demand::Swap)));
/// opening.choose(&Choice::Swap).unwrap();
/// assert_eq!((opening.demand(), opening.owner(Color::Black)), (None, Seat::Second));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    rule: OpeningRule,
    record: GameRecord,
    steps: VecDeque<Step>,
    black: Seat,
    /// Who placed the last stone.
    placed: Seat,
    /// How many fifth moves are to be offered.
    count: usize,
    offers: Vec<Cell>,
}

impl Opening {
    /// The start of an opening, on an empty board.
    pub fn new(opening: OpeningRule, rule: Rule, size: Size) -> Opening {
        let (steps, count) = script(opening);
        Opening {
            rule: opening,
            record: GameRecord::new(rule, size),
            steps: steps.into(),
            black: Seat::First,
            placed: Seat::First,
            count,
            offers: Vec::new(),
        }
    }

    /// The opening rule.
    pub fn rule(&self) -> OpeningRule {
        self.rule
    }

    /// The stones so far.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// What has to be decided next; `None` when the opening is over and the game goes on as any other.
    pub fn demand(&self) -> Option<Demand> {
        Some(match *self.steps.front()? {
            Step::Place(_, zone) => Demand::Stone(zone),
            Step::PlaceAndCount(_, zone, most) => Demand::StoneAndCount { zone, most },
            Step::MaySwap => Demand::Swap,
            Step::Swap2 => Demand::SwapOrAdd,
            Step::Fifth(zone, count) => Demand::StoneOrOffer { zone, count: self.offer_size(count) },
            Step::Offer => Demand::Offer(self.offer_size(self.count)),
            Step::Pick => Demand::Pick,
        })
    }

    /// Who decides next; after the opening, who is to move.
    pub fn turn(&self) -> Seat {
        match self.steps.front() {
            Some(Step::Place(By::Seat(seat), _) | Step::PlaceAndCount(By::Seat(seat), _, _)) => *seat,
            Some(Step::MaySwap | Step::Swap2) => self.placed.other(),
            // White picks, though it is Black's move that is chosen.
            Some(Step::Pick) => self.owner(Color::White),
            _ => self.owner(self.record.side_to_move()),
        }
    }

    /// Who has this colour as things stand.
    pub fn owner(&self, color: Color) -> Seat {
        if color == Color::Black { self.black } else { self.black.other() }
    }

    /// How many fifth moves will be offered; 0 if that is not known or there are none.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The fifth moves to pick from.
    pub fn offers(&self) -> &[Cell] {
        &self.offers
    }

    /// Whether the colours may be exchanged once the stone that is asked for lies on the board.
    pub fn swap_follows(&self) -> bool {
        matches!(self.steps.get(1), Some(Step::MaySwap | Step::Swap2))
    }

    /// Carries out a decision of the one whose turn it is.
    ///
    /// # Errors
    /// [`OpeningError`] says what is not allowed about it.
    pub fn choose(&mut self, choice: &Choice) -> Result<(), OpeningError> {
        let step = *self.steps.front().ok_or(OpeningError::Over)?;
        let turn = self.turn();
        let mut then = Vec::new();
        match (step, choice) {
            (Step::Place(_, zone), &Choice::Stone(cell)) => self.place(cell, zone, turn)?,
            (Step::PlaceAndCount(_, zone, most), &Choice::StoneAndCount(cell, count)) => {
                if count == 0 || count > most {
                    return Err(OpeningError::Count { count, most });
                }
                self.place(cell, zone, turn)?;
                self.count = count;
            }
            (Step::MaySwap | Step::Swap2, Choice::Keep) => {}
            (Step::MaySwap | Step::Swap2, Choice::Swap) => self.black = self.black.other(),
            (Step::Swap2, Choice::Add) => {
                let stone = Step::Place(By::Seat(turn), Zone::ANYWHERE);
                then = vec![stone, stone, Step::MaySwap];
            }
            (Step::Fifth(zone, _), &Choice::Stone(cell)) => {
                self.place(cell, zone, turn)?;
                then = vec![Step::MaySwap];
            }
            (Step::Fifth(_, count), Choice::Offer(cells)) => {
                self.offer(cells, count)?;
                then = vec![Step::Pick];
            }
            (Step::Offer, Choice::Offer(cells)) => self.offer(cells, self.count)?,
            (Step::Pick, &Choice::Pick(cell)) => {
                if !self.offers.contains(&cell) {
                    return Err(OpeningError::NotOffered);
                }
                self.place(cell, Zone::ANYWHERE, self.black)?;
                self.offers.clear();
            }
            _ => return Err(OpeningError::NotAsked),
        }
        self.steps.pop_front();
        then.into_iter().rev().for_each(|step| self.steps.push_front(step));
        Ok(())
    }

    fn place(&mut self, cell: Cell, zone: Zone, by: Seat) -> Result<(), OpeningError> {
        let size = self.record.size();
        if !cell.on_board(size) || !zone.contains(cell, size) {
            return Err(OpeningError::OutsideZone(zone));
        }
        if self.record.piece_at(cell).is_some() {
            return Err(OpeningError::Taken);
        }
        self.record.push(Move::stone(cell));
        self.placed = by;
        Ok(())
    }

    /// How many fifth moves can be offered where so many should be: a symmetrical position of a 5×5 board may have
    /// only 11 that are different.
    fn offer_size(&self, count: usize) -> usize {
        let free: Vec<Cell> =
            self.record.size().cells().filter(|&cell| self.record.piece_at(cell).is_none()).collect();
        count.min(distinct(&self.record, &free).len())
    }

    fn offer(&mut self, cells: &[Cell], count: usize) -> Result<(), OpeningError> {
        let size = self.record.size();
        let count = self.offer_size(count);
        if cells.len() != count {
            return Err(OpeningError::OfferSize(cells.len(), count));
        }
        if cells.iter().any(|cell| !cell.on_board(size) || self.record.piece_at(*cell).is_some()) {
            return Err(OpeningError::Taken);
        }
        if distinct(&self.record, cells).len() != cells.len() {
            return Err(OpeningError::SameOffer);
        }
        self.count = count;
        self.offers = cells.to_vec();
        Ok(())
    }
}

/// The cells, in order, without those that a symmetry of the position makes equal to an earlier one.
pub fn distinct(record: &GameRecord, cells: &[Cell]) -> Vec<Cell> {
    let size = record.size();
    let piece_at = |cell| record.piece_at(cell);
    let holds = |symmetry: &Symmetry| {
        let image = |(cell, piece): (Cell, Piece)| piece_at(symmetry.cell(cell, size)) == Some(piece);
        record.pieces().all(image)
    };
    let symmetries: Vec<Symmetry> = Symmetry::ALL.into_iter().filter(holds).collect();
    let mut kept: Vec<Cell> = Vec::new();
    for &cell in cells {
        if !symmetries.iter().any(|symmetry| kept.contains(&symmetry.cell(cell, size))) {
            kept.push(cell);
        }
    }
    kept
}

/// The course of an opening rule, and how many fifth moves it asks for where that is fixed.
fn script(rule: OpeningRule) -> (Vec<Step>, usize) {
    use Step::{Fifth, MaySwap, Offer, Pick, Place, PlaceAndCount, Swap2};
    const FIRST: By = By::Seat(Seat::First);
    const ANYWHERE: Zone = Zone::ANYWHERE;
    let first_two = [Place(FIRST, Zone::within(0)), Place(FIRST, Zone::within(1))];
    let opening = [first_two.as_slice(), &[Place(FIRST, Zone::within(2))]].concat();
    let and_then = |start: &[Step], rest: &[Step]| [start, rest].concat();
    match rule {
        OpeningRule::SwapAfterFirst => (vec![Place(FIRST, ANYWHERE), MaySwap], 0),
        OpeningRule::Swap2 => {
            (vec![Place(FIRST, ANYWHERE), Place(FIRST, ANYWHERE), Place(FIRST, ANYWHERE), Swap2], 0)
        }
        OpeningRule::Rif => (and_then(&opening, &[MaySwap, Place(By::Mover, ANYWHERE), Offer, Pick]), 2),
        OpeningRule::Yamaguchi => {
            let third = PlaceAndCount(FIRST, Zone::within(2), 12);
            (and_then(&first_two, &[third, MaySwap, Place(By::Mover, ANYWHERE), Offer, Pick]), 0)
        }
        OpeningRule::Soosorv8 => {
            let fourth = PlaceAndCount(By::Mover, ANYWHERE, 8);
            (and_then(&opening, &[MaySwap, fourth, MaySwap, Offer, Pick]), 0)
        }
        OpeningRule::Taraguchi10 => {
            let mut steps = Vec::new();
            for distance in 0..=3 {
                steps.extend([Place(By::Mover, Zone::within(distance)), MaySwap]);
            }
            steps.push(Fifth(Zone::within(4), 10));
            (steps, 0)
        }
    }
}

#[cfg(test)]
mod tests;
