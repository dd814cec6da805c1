//! Exact answers to a threat: the cells that stop every winning point at once.
//!
//! Each winning point has a set of cells on which an enemy stone spoils it, and the intersection of those sets is
//! all that the defender can do. This needs no memory of the last move, so it works in any position.

use super::scratch::Scratch;
use super::{Board, CellList};
use crate::pattern::{LineClass, PointClass};
use crate::types::{Cell, CellSet, Color, Direction, Rule};

impl Board {
    /// The cells on which a stone of the other colour (or the half stone) leaves `attacker` without a
    /// [`PointClass::WinFour`] point; `None` if he has none now, so that there is nothing to defend against.
    ///
    /// Where neither side has a five point and the defender is to move, every other move that makes no four loses.
    /// Whether the defender may play there is not looked at. For Black as attacker under renju, only points that
    /// are no foul threaten, and a stone that makes a forbidden one legal is no defence. For Black with the half
    /// stone in hand the answer is about the time after it.
    pub fn defences(&self, attacker: Color) -> Option<CellList> {
        if self.count(attacker, PointClass::WinFour) == 0 {
            return None;
        }
        let threats = self.set(attacker, PointClass::WinFour);
        if self.rule == Rule::Renju && attacker == Color::Black {
            return self.defences_to_renju_black(threats);
        }
        Some(intersect(
            threats,
            |threat| self.line_killers(attacker, threat, still_wins),
            |threat, cell| self.kills(attacker, threat, cell, still_wins),
        ))
    }

    /// The cells on which a stone of the other colour leaves `attacker` without a five point: all answers to a
    /// four. `None` if there is no five point. One point is its own only answer, and two have none, except under
    /// caro, where enclosing the five answers it too.
    pub fn five_answers(&self, attacker: Color) -> Option<CellList> {
        let fives = self.set(attacker, PointClass::Five);
        match (self.count(attacker, PointClass::Five), self.rule) {
            (0, _) => None,
            (_, Rule::Caro | Rule::CaroFive) => Some(intersect(
                fives,
                |five| self.line_killers(attacker, five, still_five),
                |five, cell| self.kills(attacker, five, cell, still_five),
            )),
            (1, _) => Some(fives.iter().collect()),
            _ => Some(CellList::new()),
        }
    }

    /// Whether the empty point `cell`, where `attacker` makes a four, would still make one with an enemy stone on the
    /// empty point `block`.
    #[inline]
    pub fn keeps_four(&self, attacker: Color, cell: Cell, block: Cell) -> bool {
        !self.kills(attacker, cell, block, still_four)
    }

    /// Whether the empty point `cell`, which is [`PointClass::WinFour`] for `attacker`, would still be one with an
    /// enemy stone on the empty point `block`. Fouls are not looked at.
    #[inline]
    pub fn keeps_straight_four(&self, attacker: Color, cell: Cell, block: Cell) -> bool {
        !self.kills(attacker, cell, block, still_wins)
    }

    /// White's answers to Black's `WinFour` points under renju. White stones also change what is forbidden, so every
    /// answer is tried out.
    fn defences_to_renju_black(&self, threats: &CellSet) -> Option<CellList> {
        let mut scratch = Scratch::new(self);
        let legal: CellSet =
            threats.iter().filter(|&cell| !self.foul_suspect(cell) || !scratch.is_forbidden(cell)).collect();
        legal.first()?;
        // A plain point stays no foul whatever White plays, so only its lines matter. One that merely looks like a
        // double three may be made a real one from afar: then every empty point has to be tried.
        let plain = legal.iter().find(|&cell| !self.foul_suspect(cell));
        let tried: Vec<Cell> = match plain {
            Some(cell) => self.line_killers(Color::Black, cell, still_wins).into_iter().collect(),
            None => self.state.empty.iter().collect(),
        };
        let mut answers = CellList::new();
        for cell in tried {
            scratch.toggle(cell, Color::White);
            let threat_left = threats.iter().filter(|&threat| threat != cell).any(|threat| {
                let digest = scratch.digest(Color::Black, threat);
                digest.class == PointClass::WinFour && (!digest.foul_suspect || !scratch.is_forbidden(threat))
            });
            scratch.toggle(cell, Color::White);
            if !threat_left {
                answers.push(cell);
            }
        }
        Some(answers)
    }

    /// The point itself and the cells of its lines on which an enemy stone makes it fall below what `holds` asks.
    fn line_killers(&self, attacker: Color, point: Cell, holds: fn([LineClass; 4]) -> bool) -> CellList {
        let half = self.patterns.windows().half() as i32;
        let mut killers = CellList::new();
        killers.push(point);
        for direction in Direction::ALL {
            if !self.line_class(attacker, point, direction).is_winning_part() {
                continue;
            }
            for steps in (-half..=half).filter(|&steps| steps != 0) {
                if let Some(cell) = point.step(direction, steps)
                    && self.is_empty(cell)
                    && !holds(self.lines_after(attacker, point, direction, steps))
                {
                    killers.push(cell);
                }
            }
        }
        killers
    }

    /// Whether an enemy stone on the empty `cell` makes the point fall below what `holds` asks.
    fn kills(&self, attacker: Color, point: Cell, cell: Cell, holds: fn([LineClass; 4]) -> bool) -> bool {
        let half = self.patterns.windows().half() as i32;
        point == cell
            || between(point, cell).is_some_and(|(direction, steps)| {
                steps.abs() <= half && !holds(self.lines_after(attacker, point, direction, steps))
            })
    }

    /// The attacker's line classes on a point after an enemy stone on the empty cell `steps` away in `direction`.
    fn lines_after(&self, attacker: Color, point: Cell, direction: Direction, steps: i32) -> [LineClass; 4] {
        let half = self.patterns.windows().half();
        let place = half as i32 + if steps < 0 { steps } else { steps - 1 };
        let key = self.state.lines.key(point, direction, half) & !((1 << attacker.index()) << (2 * place));
        let mut lines = Direction::ALL.map(|direction| self.line_class(attacker, point, direction));
        lines[direction.index()] = self.patterns.line_class(attacker, key);
        lines
    }
}

impl LineClass {
    /// A line that can make a point win at once or next turn.
    const fn is_winning_part(self) -> bool {
        self.is_four() || matches!(self, LineClass::W5)
    }
}

/// Still a straight four or two fours.
fn still_wins(lines: [LineClass; 4]) -> bool {
    lines.contains(&LineClass::S4) || lines.iter().filter(|line| line.is_four()).count() >= 2
}

/// Still a four of some kind.
fn still_four(lines: [LineClass; 4]) -> bool {
    lines.iter().any(|line| line.is_four())
}

/// Still a five.
fn still_five(lines: [LineClass; 4]) -> bool {
    lines.contains(&LineClass::W5)
}

/// The killers of the first point that kill all others too.
fn intersect(
    points: &CellSet,
    killers: impl FnOnce(Cell) -> CellList,
    kills: impl Fn(Cell, Cell) -> bool,
) -> CellList {
    let mut points = points.iter();
    let Some(first) = points.next() else { return CellList::new() };
    let mut cells = killers(first);
    for point in points {
        cells.retain(|cell| kills(point, *cell));
        if cells.is_empty() {
            break;
        }
    }
    cells
}

/// The direction and signed number of steps from one cell to another on a common line.
fn between(from: Cell, to: Cell) -> Option<(Direction, i32)> {
    let dx = to.x() as i32 - from.x() as i32;
    let dy = to.y() as i32 - from.y() as i32;
    match (dx, dy) {
        (0, 0) => None,
        (_, 0) => Some((Direction::Horizontal, dx)),
        (0, _) => Some((Direction::Vertical, dy)),
        _ if dx == dy => Some((Direction::Diagonal, dx)),
        _ if dx == -dy => Some((Direction::AntiDiagonal, dx)),
        _ => None,
    }
}
