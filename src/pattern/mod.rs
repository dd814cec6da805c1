//! Layer 2: what a stone on an empty point would make, line by line and for the whole point.
//!
//! A [`LineClass`] is found by one definition for every rule: place the stone, and ask recursively what one more
//! stone would reach. Results are remembered per line content, so each distinct content is worked out once.

use fxhash::FxHashMap;

use crate::types::{Color, Rule};

/// What a line becomes for a colour when it plays the point at the centre. Ordered by strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum LineClass {
    /// No five can come of it.
    Dead,
    /// A run too long to win, or (renju, Black) two fours in this one line.
    Over,
    /// One more stone makes a closed three.
    Two,
    /// One more stone makes a live three.
    LiveTwo,
    /// One more stone makes a four.
    Three,
    /// One more stone makes a straight four.
    LiveThree,
    /// One more stone makes five, at one point.
    Four,
    /// One more stone makes five, and no single enemy stone on the line prevents it.
    StraightFour,
    /// It is five.
    Five,
}

/// The digest of a point's four line classes for a colour, as if the move were legal. Ordered by strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum PointClass {
    /// Nothing of note.
    None,
    /// A live two.
    Two,
    /// A closed three.
    ClosedThree,
    /// Two live twos.
    TwoTwo,
    /// A closed three with a second one or a live two.
    ClosedThreePlus,
    /// A live three.
    Three,
    /// A live three with a closed three or a live two.
    ThreePlus,
    /// Two live threes.
    ThreeThree,
    /// A four.
    Four,
    /// A four with a closed three or a live two.
    FourPlus,
    /// A four with a live three.
    FourThree,
    /// A straight four or two fours.
    WinFour,
    /// Five.
    Five,
}

/// Reach of a line window on each side of its centre.
pub const REACH: usize = 5;
/// Cells of a line window.
pub const WINDOW: usize = 2 * REACH + 1;

/// What lies on a cell of a line, seen by one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Content {
    /// Nothing.
    Empty,
    /// A stone of this colour.
    Own,
    /// A stone of the other colour.
    Enemy,
    /// Off the board, or a dead piece.
    Wall,
}

/// A line window, centre included.
pub type Line = [Content; WINDOW];

/// Classifies lines for one rule and colour.
#[derive(Clone, Debug)]
pub struct Classifier {
    rule: Rule,
    color: Color,
    known: FxHashMap<u32, LineClass>,
}

impl Classifier {
    /// A classifier that has seen nothing yet.
    pub fn new(rule: Rule, color: Color) -> Classifier {
        Classifier { rule, color, known: FxHashMap::default() }
    }

    /// The class of a line whose centre holds an own stone.
    pub fn classify(&mut self, line: &Line) -> LineClass {
        let key = line.iter().fold(0, |key, &content| key << 2 | content as u32);
        if let Some(&class) = self.known.get(&key) {
            return class;
        }
        let class = self.work_out(line);
        self.known.insert(key, class);
        class
    }

    fn work_out(&mut self, line: &Line) -> LineClass {
        let blocks = |i: usize| matches!(line[i], Content::Enemy | Content::Wall);
        let run_start = (0..REACH).rev().find(|&i| line[i] != Content::Own).map_or(0, |i| i + 1);
        let run_end = (REACH + 1..WINDOW).find(|&i| line[i] != Content::Own).unwrap_or(WINDOW);
        let run = run_end - run_start;
        if run >= 5 {
            let enemy = |i: Option<usize>| i.and_then(|i| line.get(i)) == Some(&Content::Enemy);
            let enclosed = enemy(run_start.checked_sub(1)) && enemy(Some(run_end));
            let wins = match (self.rule, self.color) {
                (Rule::Freestyle | Rule::HalfStone, _) | (Rule::Renju, Color::White) => true,
                (Rule::Standard, _) | (Rule::Renju, Color::Black) => run == 5,
                (Rule::Caro, _) => run > 5 || !enclosed,
                (Rule::CaroFive, _) => run == 5 && !enclosed,
            };
            return if wins { LineClass::Five } else { LineClass::Over };
        }
        let span_start = (0..REACH).rev().find(|&i| blocks(i)).map_or(0, |i| i + 1);
        let span_end = (REACH + 1..WINDOW).find(|&i| blocks(i)).unwrap_or(WINDOW);
        if span_end - span_start < 5 {
            return LineClass::Dead;
        }
        let mut fives = Vec::new();
        let mut best = LineClass::Dead;
        for i in span_start..span_end {
            if line[i] == Content::Empty {
                let mut next = *line;
                next[i] = Content::Own;
                let class = self.classify(&next);
                if class == LineClass::Five {
                    fives.push(i);
                }
                best = best.max(class);
            }
        }
        match best {
            LineClass::Five if self.survives_any_block(line, &fives) => {
                let two_fours = self.rule == Rule::Renju
                    && self.color == Color::Black
                    && fives.last().zip(fives.first()).is_some_and(|(last, first)| last - first < 5);
                if two_fours { LineClass::Over } else { LineClass::StraightFour }
            }
            LineClass::Five => LineClass::Four,
            LineClass::StraightFour => LineClass::LiveThree,
            LineClass::Four => LineClass::Three,
            LineClass::LiveThree => LineClass::LiveTwo,
            LineClass::Three | LineClass::LiveTwo => LineClass::Two,
            _ => LineClass::Dead,
        }
    }

    /// Whether at least one completion is left after every single enemy stone on the line. Outside caro that is the
    /// same as having two completions.
    fn survives_any_block(&mut self, line: &Line, fives: &[usize]) -> bool {
        fives.len() >= 2
            && (0..WINDOW).filter(|&i| line[i] == Content::Empty).all(|block| {
                fives.iter().any(|&five| {
                    let mut next = *line;
                    next[five] = Content::Own;
                    next[block] = Content::Enemy;
                    five != block && self.classify(&next) == LineClass::Five
                })
            })
    }
}

/// The digest of four line classes.
pub fn combine(lines: [LineClass; 4]) -> PointClass {
    let count = |class| lines.iter().filter(|&&l| l == class).count();
    let (fours, threes) = (count(LineClass::Four), count(LineClass::LiveThree));
    let (closed, twos) = (count(LineClass::Three), count(LineClass::LiveTwo));
    if count(LineClass::Five) > 0 {
        PointClass::Five
    } else if count(LineClass::StraightFour) > 0 || fours >= 2 {
        PointClass::WinFour
    } else if fours > 0 && threes > 0 {
        PointClass::FourThree
    } else if fours > 0 && closed + twos > 0 {
        PointClass::FourPlus
    } else if fours > 0 {
        PointClass::Four
    } else if threes >= 2 {
        PointClass::ThreeThree
    } else if threes > 0 && closed + twos > 0 {
        PointClass::ThreePlus
    } else if threes > 0 {
        PointClass::Three
    } else if closed >= 2 || closed > 0 && twos > 0 {
        PointClass::ClosedThreePlus
    } else if twos >= 2 {
        PointClass::TwoTwo
    } else if closed > 0 {
        PointClass::ClosedThree
    } else if twos > 0 {
        PointClass::Two
    } else {
        PointClass::None
    }
}
