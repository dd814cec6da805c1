//! A stone with its four lines.

use super::line::{Kind, Line, Mark, Shape};
use crate::game::{GameRecord, Setup};
use crate::pattern::LineJudge;
use crate::rules::{Fouls, IllegalMove, Position, Status, WinReason};
use crate::types::{Cell, Color, Direction, Move, Piece, Rule};

/// Two shapes that one stone makes at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combination {
    /// Two fours, in two lines or in one.
    DoubleFour,
    /// A closed four and a live three.
    FourThree,
    /// Two live threes.
    DoubleThree,
}

/// Whether the opponent has to answer a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sente {
    /// It threatens a straight four or two fours: he must answer it or make fours of his own.
    Sente,
    /// It threatens five: he must answer at once.
    Absolute,
}

/// What the stone comes to by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consequence {
    /// The game goes on (or the board is full).
    Nothing,
    /// It wins by a row.
    Wins,
    /// It wins by a row although it also makes what would otherwise be these fouls: the five takes precedence.
    WinsDespite(Fouls),
    /// It is forbidden, and loses.
    Foul(Fouls),
    /// It makes five while the half stone is in hand, and loses.
    EarlyFive,
}

/// What a stone makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shapes {
    /// The move.
    pub mv: Move,
    /// Who played it.
    pub color: Color,
    /// The rule in force.
    pub rule: Rule,
    /// The shapes on each line, in the order of [`Direction::ALL`]: one, none for a lone stone, or two fours.
    pub lines: [Vec<Shape>; 4],
    /// What they are together.
    pub combinations: Vec<Combination>,
    /// What the rules say.
    pub consequence: Consequence,
    /// Whether it has to be answered; `None` once the game is over.
    pub sente: Option<Sente>,
    /// Whether Black still has the half stone in hand, so that none of his fours threatens five yet. Always false for
    /// White.
    pub dormant: bool,
    /// For the half stone: the points where Black can make five now.
    pub wakes: Vec<Cell>,
}

/// Names what `mv` makes when it is played in `before`. The half stone makes no shape, nor does a pass.
///
/// # Errors
/// [`IllegalMove`] if the move cannot be played.
///
/// ```
/// use halfstone::game::parse_moves;
/// use halfstone::rules::Position;
/// use halfstone::shapes::{self, Combination};
/// use halfstone::types::{Rule, Size};
/// let mut game = Position::new(Rule::Freestyle, Size::STANDARD);
/// for mv in parse_moves("g8 a1 i8 c1 h7 e1 h9 g1", Size::STANDARD).unwrap() {
///     game.play(mv).unwrap();
/// }
/// let h8 = parse_moves("h8", Size::STANDARD).unwrap()[0];
/// let made = shapes::of(&game, h8).unwrap();
/// assert_eq!(made.combinations, [Combination::DoubleThree]);
/// assert_eq!(made.lines[0][0].chinese(), "连活三");
/// ```
pub fn of(before: &Position, mv: Move) -> Result<Shapes, IllegalMove> {
    let mut after = before.clone();
    let status = after.play(mv)?;
    let (color, rule) = (before.side_to_move(), before.rule());
    let mut shapes = Shapes {
        mv,
        color,
        rule,
        lines: Default::default(),
        combinations: Vec::new(),
        consequence: Consequence::Nothing,
        sente: None,
        dormant: color == Color::Black && after.half_in_hand(),
        wakes: Vec::new(),
    };
    match mv.cell() {
        Some(_) if mv.is_half() => {
            shapes.wakes = after.empty_cells().filter(|&cell| after.would_win(cell, Color::Black)).collect();
        }
        Some(cell) => {
            let may_play = |cells: &[Cell]| may_play(&after, color, cells);
            shapes.lines = Direction::ALL.map(|d| line(&after, cell, d, color).shapes(&may_play));
            shapes.combinations = shapes.combine();
        }
        None => {}
    }
    shapes.consequence = shapes.consequence_of(status);
    shapes.sente = if status.is_over() { None } else { shapes.threat() };
    Ok(shapes)
}

impl Shapes {
    /// All shapes, line by line.
    pub fn all(&self) -> impl Iterator<Item = &Shape> {
        self.lines.iter().flatten()
    }

    /// How many shapes are of this kind.
    fn count(&self, kind: Kind) -> usize {
        self.all().filter(|shape| shape.kind == kind).count()
    }

    /// Fours that can become five.
    fn fours(&self) -> usize {
        self.count(Kind::StraightFour) + self.count(Kind::ClosedFour)
    }

    fn combine(&self) -> Vec<Combination> {
        let threes = self.count(Kind::LiveThree);
        let holds = [
            (self.fours() >= 2, Combination::DoubleFour),
            (self.count(Kind::ClosedFour) == 1 && self.fours() == 1 && threes >= 1, Combination::FourThree),
            (threes >= 2, Combination::DoubleThree),
        ];
        holds.into_iter().filter_map(|(holds, combination)| holds.then_some(combination)).collect()
    }

    fn consequence_of(&self, status: Status) -> Consequence {
        let Status::Won { reason, .. } = status else { return Consequence::Nothing };
        match reason {
            WinReason::Foul(fouls) => Consequence::Foul(fouls),
            WinReason::EarlyFive => Consequence::EarlyFive,
            WinReason::Five => {
                let beaten = Fouls {
                    overline: self.count(Kind::Overline) > 0,
                    double_four: self.combinations.contains(&Combination::DoubleFour),
                    double_three: self.combinations.contains(&Combination::DoubleThree),
                };
                let forbids = self.rule == Rule::Renju && self.color == Color::Black;
                if forbids && beaten.any() { Consequence::WinsDespite(beaten) } else { Consequence::Wins }
            }
        }
    }

    fn threat(&self) -> Option<Sente> {
        let (fours, threes) = (self.fours(), self.count(Kind::LiveThree));
        // Placing the half stone comes before five, so White may ignore a four in hand once. He cannot if there is more
        // to come than the one five, which he would block then.
        let more = self.count(Kind::StraightFour) > 0 || fours >= 2 || fours == 1 && threes > 0;
        match (self.dormant, fours, threes) {
            (false, 1.., _) => Some(Sente::Absolute),
            (false, 0, 1..) => Some(Sente::Sente),
            (true, ..) if more => Some(Sente::Sente),
            _ => (!self.wakes.is_empty()).then_some(Sente::Absolute),
        }
    }
}

/// The line through a stone that lies on `cell`.
fn line(position: &Position, cell: Cell, direction: Direction, color: Color) -> Line {
    let on_board = |cell: &Cell| cell.on_board(position.size());
    let along = |sign: i32| {
        std::iter::successors(Some(cell), move |at| at.step(direction, sign)).skip(1).take_while(on_board)
    };
    let mut cells: Vec<Cell> = along(-1).collect();
    cells.reverse();
    let at = cells.len();
    cells.push(cell);
    cells.extend(along(1));
    let mark = |&cell: &Cell| match position.piece(cell) {
        None => Mark::Empty,
        Some(Piece::Stone(owner)) if owner == color => Mark::Own,
        Some(Piece::Stone(_)) => Mark::Enemy,
        Some(Piece::Half | Piece::Blocked) => Mark::Dead,
    };
    let marks = cells.iter().map(mark).collect();
    Line { cells, marks, at, judge: LineJudge::of(position.rule(), color) }
}

/// Whether the last of the cells is a plain move for `color` once his stones lie on the others: under renju, one that
/// is not forbidden to Black and makes no five.
fn may_play(position: &Position, color: Color, cells: &[Cell]) -> bool {
    let Some((&last, earlier)) = cells.split_last() else { return true };
    if position.rule() != Rule::Renju || color == Color::White {
        return true;
    }
    let judgement = if earlier.is_empty() {
        position.judge(last)
    } else {
        let size = position.size();
        let lying = size.cells().filter_map(|cell| Some((cell, position.piece(cell)?)));
        let added = earlier.iter().map(|&cell| (cell, Piece::Stone(Color::Black)));
        let setup = Setup { pieces: lying.chain(added).collect(), to_move: Color::Black };
        match Position::from_record(&GameRecord::with_setup(Rule::Renju, size, setup)) {
            Ok(further) => further.judge(last),
            Err(_) => return false,
        }
    };
    !judgement.five && !judgement.is_forbidden()
}
