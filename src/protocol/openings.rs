//! The opening dialogues of Yixin-Board: swap2 and Soosõrv's rule, step by step.
//!
//! Each step is a question that carries the whole position, so nothing is remembered between them, and each answer is a
//! `MESSAGE`, whose coordinates are separated by a blank.

use std::io::Write;
use std::time::Instant;

use crate::engine::{Answer, Task};
use crate::game::GameRecord;
use crate::game::opening::{Choice, Opening, OpeningRule, distinct};
use crate::types::{Cell, Move, Piece};
use crate::wire::{BlockKind, Reply};

use super::blocks::{Block, different_cells};
use super::error::SessionError;
use super::game::point_of;
use super::session::{Handled, Session};
use super::think::Purpose;

/// A question about an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Swap2Open,
    Swap2Respond,
    Swap2Choose,
    SoosorvOpen,
    SoosorvFirstSwap,
    SoosorvFourth,
    SoosorvSecondSwap,
    SoosorvOffer,
    SoosorvPick,
}

impl Step {
    /// The lines that answer the question; `None` if the answer is not of the kind that was asked for.
    pub(super) fn lines(self, answer: &Answer) -> Option<Vec<Reply>> {
        let texts = match (self, answer) {
            (Step::Swap2Open, Answer::Moves(moves)) => numbered("SWAP2 MOVE", 1, moves),
            (Step::Swap2Respond, Answer::Swap) => vec!["SWAP2 SWAP1 YES".to_owned()],
            (Step::Swap2Respond, Answer::Moves(moves)) if moves.len() == 2 => {
                numbered("SWAP2 MOVE", 4, moves)
            }
            (Step::Swap2Respond, Answer::Moves(_)) => vec!["SWAP2 SWAP1 NO".to_owned()],
            (Step::Swap2Choose, Answer::Swap) => vec!["SWAP2 SWAP2 YES".to_owned()],
            (Step::Swap2Choose, Answer::Moves(_)) => vec!["SWAP2 SWAP2 NO".to_owned()],
            (Step::SoosorvOpen, Answer::Moves(moves)) => numbered("SOOSORV MOVE", 1, moves),
            (Step::SoosorvFirstSwap, Answer::Choice(choice)) => {
                vec![format!("SOOSORV SWAP1 {}", yes_or_no(choice))]
            }
            (Step::SoosorvFourth, Answer::Choice(Choice::StoneAndCount(cell, count))) => {
                vec![format!("SOOSORV MOVE4 {} {count}", spaced(*cell))]
            }
            (Step::SoosorvSecondSwap, Answer::Choice(choice)) => {
                vec![format!("SOOSORV SWAP2 {}", yes_or_no(choice))]
            }
            (Step::SoosorvOffer, Answer::Choice(Choice::Offer(cells))) => {
                let mut texts = vec!["SOOSORV MOVE5 REFRESH".to_owned()];
                texts.extend(cells.iter().map(|&cell| format!("SOOSORV MOVE5 {}", spaced(cell))));
                texts.push("SOOSORV MOVE5 DONE".to_owned());
                texts
            }
            (Step::SoosorvPick, Answer::Choice(Choice::Pick(cell))) => {
                vec![format!("SOOSORV MOVE5C {}", spaced(*cell))]
            }
            _ => return None,
        };
        (!texts.is_empty()).then(|| texts.into_iter().map(Reply::Message).collect())
    }
}

fn yes_or_no(choice: &Choice) -> char {
    if *choice == Choice::Swap { 'Y' } else { 'N' }
}

fn spaced(cell: Cell) -> String {
    format!("{} {}", cell.x(), cell.y())
}

fn numbered(start: &str, first: usize, moves: &[Move]) -> Vec<String> {
    let cells = moves.iter().filter_map(|mv| mv.cell());
    cells.enumerate().map(|(i, cell)| format!("{start}{} {}", first + i, spaced(cell))).collect()
}

impl<W: Write> Session<W> {
    /// `YXSWAP2STEP1` to `3`. The stones are those of the game, whoever they were said to belong to: the order tells
    /// their colours.
    pub(super) fn swap2_step(&mut self, step: u8, arrived: Instant) -> Handled {
        let current = self.current()?;
        let (step, task, command, stones) = match step {
            1 => (Step::Swap2Open, Task::Swap2Open, "YXSWAP2STEP1", 0),
            2 => (Step::Swap2Respond, Task::Swap2Respond, "YXSWAP2STEP2", 3),
            _ => (Step::Swap2Choose, Task::Swap2Choose, "YXSWAP2STEP3", 5),
        };
        let mut game = GameRecord::new(current.rule(), current.size());
        if stones > 0 {
            for (cell, piece) in current.pieces().filter(|&(_, piece)| piece != Piece::Blocked) {
                if piece == Piece::Half {
                    return Err(SessionError::HalfOpening(point_of(cell)));
                }
                game.push(Move::stone(cell));
            }
            let count = game.moves().len();
            if count != stones {
                let allowed = if stones == 3 { "3, by YXBOARD" } else { "5, by YXBOARD" };
                return Err(SessionError::StepCount { command, count, allowed });
            }
        }
        self.require_ongoing(&game)?;
        self.think(&game, &task, Purpose::Step(step), arrived);
        Ok(None)
    }

    /// `YXSOOSORVSTEP1`.
    pub(super) fn soosorv_open(&mut self, arrived: Instant) -> Handled {
        let current = self.current()?;
        let empty = GameRecord::new(current.rule(), current.size());
        self.think(&empty, &Task::RenjuOpen, Purpose::Step(Step::SoosorvOpen), arrived);
        Ok(None)
    }

    /// `YXSOOSORVSTEP2` to `6`.
    pub(super) fn soosorv_step(&mut self, block: Block) -> Handled {
        let current = self.current()?;
        let (kind, arrived) = (block.kind, block.arrived);
        let cells = different_cells(&block.stones?, current.size())?;
        let (step, opening) = soosorv(kind, &cells, block.number, &current)?;
        let record = opening.record().clone();
        self.think(&record, &Task::Opening(opening), Purpose::Step(step), arrived);
        Ok(None)
    }
}

/// The opening that a question is about, walked through to the point where its answer is due. Who swapped before does
/// not matter for it.
fn soosorv(
    kind: BlockKind,
    cells: &[Cell],
    number: Option<i64>,
    current: &GameRecord,
) -> Result<(Step, Opening), SessionError> {
    let (step, stones, allowed) = match kind {
        BlockKind::Soosorv2 => (Step::SoosorvFirstSwap, 3..=3, "3"),
        BlockKind::Soosorv3 => (Step::SoosorvFourth, 3..=3, "3"),
        BlockKind::Soosorv4 => (Step::SoosorvSecondSwap, 4..=4, "4"),
        BlockKind::Soosorv5 => (Step::SoosorvOffer, 4..=4, "4"),
        _ => (Step::SoosorvPick, 5..=12, "5 to 12"),
    };
    if !stones.contains(&cells.len()) {
        return Err(SessionError::StepCount { command: kind.name(), count: cells.len(), allowed });
    }
    let (first, rest) = cells.split_at_checked(3).unwrap_or((cells, &[]));
    let mut opening = Opening::new(OpeningRule::Soosorv8, current.rule(), current.size());
    for &cell in first {
        opening.choose(&Choice::Stone(cell))?;
    }
    if step == Step::SoosorvFirstSwap {
        return Ok((step, opening));
    }
    opening.choose(&Choice::Keep)?;
    let Some((&fourth, fifths)) = rest.split_first() else { return Ok((step, opening)) };
    // Offers that are the same up to symmetry would be refused among players; here one of them stands for both.
    let mut position = opening.record().clone();
    position.push(Move::stone(fourth));
    let fifths = distinct(&position, fifths);
    let count = match (step, number) {
        (Step::SoosorvPick, _) => fifths.len(),
        (_, Some(number)) => {
            let count = usize::try_from(number).ok().filter(|count| (1..=8).contains(count));
            count.ok_or(SessionError::FifthCount(number))?
        }
        (_, None) => return Err(SessionError::NoNumber(kind.name())),
    };
    opening.choose(&Choice::StoneAndCount(fourth, count))?;
    if step != Step::SoosorvSecondSwap {
        opening.choose(&Choice::Keep)?;
    }
    if step == Step::SoosorvPick {
        opening.choose(&Choice::Offer(fifths))?;
    }
    Ok((step, opening))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::opening::Demand;
    use crate::types::{Rule, Size};

    fn cells(points: &[(usize, usize)]) -> Vec<Cell> {
        points.iter().map(|&(x, y)| Cell::new(x, y, Size::STANDARD).unwrap()).collect()
    }

    #[test]
    fn answers_have_the_form_that_the_board_reads() {
        let moves: Vec<Move> = cells(&[(7, 7), (8, 6), (10, 0)]).into_iter().map(Move::stone).collect();
        let pick = cells(&[(7, 9)])[0];
        let text = |step: Step, answer: Answer| -> Vec<String> {
            step.lines(&answer).unwrap_or_default().iter().map(Reply::to_string).collect()
        };
        assert_eq!(
            text(Step::Swap2Open, Answer::Moves(moves.clone())),
            ["MESSAGE SWAP2 MOVE1 7 7", "MESSAGE SWAP2 MOVE2 8 6", "MESSAGE SWAP2 MOVE3 10 0"]
        );
        assert_eq!(
            text(Step::Swap2Respond, Answer::Moves(moves[..2].to_vec())),
            ["MESSAGE SWAP2 MOVE4 7 7", "MESSAGE SWAP2 MOVE5 8 6"]
        );
        assert_eq!(text(Step::Swap2Respond, Answer::Swap), ["MESSAGE SWAP2 SWAP1 YES"]);
        assert_eq!(text(Step::Swap2Respond, Answer::Moves(moves[..1].to_vec())), ["MESSAGE SWAP2 SWAP1 NO"]);
        assert_eq!(text(Step::Swap2Choose, Answer::Swap), ["MESSAGE SWAP2 SWAP2 YES"]);
        assert_eq!(text(Step::SoosorvFirstSwap, Answer::Choice(Choice::Keep)), ["MESSAGE SOOSORV SWAP1 N"]);
        assert_eq!(text(Step::SoosorvSecondSwap, Answer::Choice(Choice::Swap)), ["MESSAGE SOOSORV SWAP2 Y"]);
        assert_eq!(
            text(Step::SoosorvFourth, Answer::Choice(Choice::StoneAndCount(pick, 3))),
            ["MESSAGE SOOSORV MOVE4 7 9 3"]
        );
        assert_eq!(
            text(Step::SoosorvOffer, Answer::Choice(Choice::Offer(vec![pick]))),
            ["MESSAGE SOOSORV MOVE5 REFRESH", "MESSAGE SOOSORV MOVE5 7 9", "MESSAGE SOOSORV MOVE5 DONE"]
        );
        assert_eq!(
            text(Step::SoosorvPick, Answer::Choice(Choice::Pick(pick))),
            ["MESSAGE SOOSORV MOVE5C 7 9"]
        );
        assert!(Step::SoosorvPick.lines(&Answer::Swap).is_none());
    }

    #[test]
    fn each_step_leads_to_its_question() {
        let game = GameRecord::new(Rule::Renju, Size::STANDARD);
        let stones = cells(&[(7, 7), (7, 6), (7, 5), (7, 8), (6, 6), (8, 6), (5, 5)]);
        let ask = |kind, count: usize, number| soosorv(kind, &stones[..count], number, &game);
        let demand = |kind, count, number| ask(kind, count, number).unwrap().1.demand().unwrap();
        assert_eq!(demand(BlockKind::Soosorv2, 3, None), Demand::Swap);
        assert!(matches!(demand(BlockKind::Soosorv3, 3, None), Demand::StoneAndCount { most: 8, .. }));
        assert_eq!(demand(BlockKind::Soosorv4, 4, Some(3)), Demand::Swap);
        assert_eq!(demand(BlockKind::Soosorv5, 4, Some(3)), Demand::Offer(3));
        let (_, opening) = ask(BlockKind::Soosorv6, 7, None).unwrap();
        assert_eq!(opening.demand(), Some(Demand::Pick));
        assert_eq!(opening.offers().len(), 2, "two of the three are mirror images");
        assert!(ask(BlockKind::Soosorv2, 4, None).is_err());
        assert!(ask(BlockKind::Soosorv4, 4, None).is_err());
        assert!(ask(BlockKind::Soosorv5, 4, Some(9)).is_err());
        assert!(ask(BlockKind::Soosorv6, 4, None).is_err());
    }
}
