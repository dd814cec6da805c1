//! Checks a claimed win move by move on the reference rules: every reply of the defender is tried, not only those that
//! the claim thought of. No shapes, no tables, and no search beyond "is there a five now".

use thiserror::Error;

use super::outcome::Status;
use super::position::Position;
use crate::types::{Cell, Color, Direction, Move};

/// How far from a winning point a stone can matter to it: enclosing a five is the longest reach.
const REACH: i32 = 5;

/// What is wrong with a claimed win.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("after {} moves: {fault}", path.len())]
pub struct Flaw {
    /// The moves that lead to the flaw, the last one included.
    pub path: Vec<Move>,
    /// What is wrong there.
    pub fault: Fault,
}

/// Kinds of flaws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The claim holds no move where the attacker needs one.
    #[error("the claim has no answer")]
    NoAnswer,
    /// The attacker's move cannot be played.
    #[error("the winner's move is illegal")]
    Illegal,
    /// The game is over and the attacker has not won.
    #[error("the game ends without a win")]
    NotWon,
}

/// A claim under examination.
struct Checker<'a> {
    /// Depth and move, in preorder.
    steps: &'a [(usize, Move)],
    attacker: Color,
    /// Whether replies that cannot matter for plain reasons are tried too.
    thorough: bool,
    path: Vec<Move>,
    tried: u64,
}

/// Checks that the side to move wins by a strategy, and returns the number of replies that were tried.
///
/// The strategy is a tree in preorder, depth (from 0) and move. At even depths stands the one move of the attacker, at
/// odd depths the replies that have an answer of their own. After every other reply, stones and half stones on all
/// empty points, the attacker must have won, or have a five, or win by one of the continuations that the tree lists
/// under a pass.
///
/// Unless `thorough`, where the attacker threatens five only such replies are tried as lie on a line with the five
/// point, at most five steps away, or win at once: others cannot prevent it.
///
/// # Errors
/// [`Flaw`] with the first variation that does not win.
pub fn check_win(position: &Position, steps: &[(usize, Move)], thorough: bool) -> Result<u64, Flaw> {
    let attacker = position.side_to_move();
    let mut checker = Checker { steps, attacker, thorough, path: Vec::new(), tried: 0 };
    checker.attack(position, 0, 0)?;
    Ok(checker.tried)
}

impl Checker<'_> {
    fn flaw<T>(&self, fault: Fault) -> Result<T, Flaw> {
        Err(Flaw { path: self.path.clone(), fault })
    }

    /// The attacker plays the step at `at`, which must have this depth.
    fn attack(&mut self, position: &Position, at: usize, depth: usize) -> Result<(), Flaw> {
        let Some(&(_, mv)) = self.steps.get(at).filter(|&&(found, _)| found == depth) else {
            return self.flaw(Fault::NoAnswer);
        };
        let mut next = position.clone();
        self.path.push(mv);
        let result = match next.play(mv) {
            _ if mv == Move::PASS => self.flaw(Fault::Illegal),
            Err(_) => self.flaw(Fault::Illegal),
            Ok(Status::Ongoing) => self.defend(&next, at, depth + 1),
            Ok(status) if status.winner() == Some(self.attacker) => Ok(()),
            Ok(_) => self.flaw(Fault::NotWon),
        };
        if result.is_ok() {
            self.path.pop();
        }
        result
    }

    /// Every reply to the step at `at` must lose.
    fn defend(&mut self, position: &Position, at: usize, depth: usize) -> Result<(), Flaw> {
        let after = self.steps.get(at + 1..).unwrap_or_default();
        let replies: Vec<(Move, usize)> = after
            .iter()
            .enumerate()
            .take_while(|(_, step)| step.0 >= depth)
            .filter(|(_, step)| step.0 == depth)
            .map(|(i, step)| (step.1, at + 1 + i))
            .collect();
        let fives: Vec<Cell> =
            position.empty_cells().filter(|&cell| position.would_win(cell, self.attacker)).collect();
        for mv in position.legal_moves() {
            let listed = replies.iter().find(|(reply, _)| *reply == mv).map(|&(_, place)| place);
            if listed.is_none() && !self.thorough && !matters(position, &fives, mv) {
                continue;
            }
            self.tried += 1;
            let mut next = position.clone();
            self.path.push(mv);
            match next.play(mv) {
                Ok(Status::Ongoing) => match listed {
                    Some(place) => self.attack(&next, place + 1, depth + 1)?,
                    None => self.answer_any(&next, &fives, &replies, depth)?,
                },
                Ok(status) if status.winner() == Some(self.attacker) => {}
                Ok(_) | Err(_) => return self.flaw(Fault::NotWon),
            }
            self.path.pop();
        }
        Ok(())
    }

    /// The position after a reply that has no answer of its own.
    fn answer_any(
        &mut self,
        position: &Position,
        fives: &[Cell],
        replies: &[(Move, usize)],
        depth: usize,
    ) -> Result<(), Flaw> {
        if fives.iter().any(|&cell| position.would_win(cell, self.attacker)) {
            return Ok(());
        }
        let known = self.path.len();
        for &(_, place) in replies.iter().filter(|(reply, _)| *reply == Move::PASS) {
            if self.attack(position, place + 1, depth + 1).is_ok() {
                return Ok(());
            }
            self.path.truncate(known);
        }
        self.flaw(Fault::NoAnswer)
    }
}

/// Whether a reply can be more than a wasted move while one of `fives` threatens.
fn matters(position: &Position, fives: &[Cell], mv: Move) -> bool {
    let Some(&five) = fives.first() else { return true };
    let Some(cell) = mv.cell() else { return true };
    let near = |direction| (-REACH..=REACH).any(|steps| five.step(direction, steps) == Some(cell));
    Direction::ALL.into_iter().any(near) || !mv.is_half() && position.would_win(cell, position.side_to_move())
}
