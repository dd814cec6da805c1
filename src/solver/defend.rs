//! The moves that do not lose to what the opponent threatens: each of them tried out, and all others excluded by a
//! theorem.

use super::threat::stones_and_halves;
use super::vcf::is_foul;
use super::{Mode, Solver, Verdict, Win};
use crate::board::Board;
use crate::control::StopSignal;
use crate::movegen::fours;
use crate::pattern::PointClass;
use crate::types::{CellSet, Move};

/// Own fours that may be played one after the other before a defence has to come.
const COUNTERS: u32 = 4;

/// What a player can do about a threat.
#[derive(Clone, Debug, Default)]
pub struct Defence {
    /// The win that the opponent would have after a pass; `None` when none was found, or when five is threatened
    /// already.
    pub threat: Option<Win>,
    /// Whether there is something to defend against; `None` when that is not known, because nodes or time ran out.
    pub is_needed: Option<bool>,
    /// The moves that do not lose to the threat, in index order, half stones last. Empty if all lose.
    pub holding: Vec<Move>,
    /// Moves of which that is not known, because nodes ran out.
    pub unclear: Vec<Move>,
}

/// Whether a defence holds; `None` when that is not known.
pub type Holds = Option<bool>;

/// What the opponent would do after a pass.
enum Danger {
    /// He has no win.
    None,
    /// A win (`None` for a five that threatens already), and every move that might help.
    Threat(Option<Win>, Vec<Move>),
    /// Nodes or time ran out.
    Unknown,
}

/// How hard each question is tried.
#[derive(Clone, Copy)]
struct Effort<'a> {
    mode: Option<Mode>,
    nodes: u64,
    stop: &'a StopSignal,
}

impl Solver {
    /// Exactly the moves that do not lose to the opponent's wins by fours or, with a `mode`, by threats (with the
    /// exception of the module's head where the opponent holds the half stone). `nodes` limits each single search.
    ///
    /// An own four holds if, after each answer to it, some move still does. Who can make five needs no defence: then
    /// only that holds. Once `stop` is raised, what has not been tried out is unclear.
    pub fn defend(
        &mut self,
        board: &mut Board,
        mode: Option<Mode>,
        nodes: u64,
        stop: &StopSignal,
    ) -> Defence {
        let us = board.side_to_move();
        let answer = |is_needed| Defence { is_needed, ..Defence::default() };
        if !board.is_dormant(us) && board.count(us, PointClass::Five) > 0 {
            if board.is_dormant(!us) || board.count(!us, PointClass::Five) == 0 {
                return answer(Some(false));
            }
            let holding = board.cells(us, PointClass::Five).map(Move::stone).collect();
            return Defence { holding, ..answer(Some(true)) };
        }
        let effort = Effort { mode, nodes, stop };
        let (threat, candidates) = match self.danger(board, effort) {
            Danger::None => return answer(Some(false)),
            Danger::Unknown => return answer(None),
            Danger::Threat(threat, candidates) => (threat, candidates),
        };
        let mut defence = Defence { threat, ..answer(Some(true)) };
        for mv in candidates {
            match self.holds(board, mv, effort, COUNTERS) {
                Some(true) => defence.holding.push(mv),
                Some(false) => {}
                None => defence.unclear.push(mv),
            }
        }
        defence
    }

    /// What threatens, and every move that might help.
    fn danger(&mut self, board: &mut Board, effort: Effort<'_>) -> Danger {
        let us = board.side_to_move();
        if !board.is_dormant(!us)
            && let Some(cells) = board.five_answers(!us)
        {
            let replies = stones_and_halves(board, &cells);
            return Danger::Threat(None, replies.into_iter().map(|reply| reply.mv).collect());
        }
        let by_fours = self.vcf_after_pass(board, effort.nodes);
        if let Ok(Some(threat)) = by_fours {
            let cells = threat.relevant.union(&fours(board, us));
            return Danger::Threat(Some(threat.win), legal_moves(board, &cells));
        }
        let Some(mode) = effort.mode else {
            return if by_fours.is_ok() { Danger::None } else { Danger::Unknown };
        };
        board.make_light(Move::PASS);
        let verdict = self.vct(board, mode, effort.nodes, effort.stop);
        board.undo();
        match verdict {
            Verdict::NoWin => Danger::None,
            Verdict::Unknown(_) => Danger::Unknown,
            // Between threes the defender may use threes of his own, so every move has to be tried.
            Verdict::Win(win) => Danger::Threat(Some(win), legal_moves(board, board.empty_cells())),
        }
    }

    /// Whether a move holds: the opponent has no win after it, and an own four can be followed up.
    fn holds(&mut self, board: &mut Board, mv: Move, effort: Effort<'_>, counters: u32) -> Holds {
        if effort.stop.is_raised() {
            return None;
        }
        let us = board.side_to_move();
        board.make_light(mv);
        let mut holds = self.opponent_fails(board, effort);
        if holds == Some(true)
            && !board.is_dormant(us)
            && let Some(answers) = board.five_answers(us)
        {
            for reply in stones_and_halves(board, &answers) {
                board.make_light(reply.mv);
                holds = self.can_hold(board, effort, counters);
                board.undo();
                if holds != Some(true) {
                    break;
                }
            }
        }
        board.undo();
        holds
    }

    /// Whether the side to move has no win.
    fn opponent_fails(&mut self, board: &mut Board, effort: Effort<'_>) -> Holds {
        let verdict = match (self.vcf(board, effort.nodes), effort.mode) {
            (Verdict::NoWin, Some(mode)) => self.vct(board, mode, effort.nodes, effort.stop),
            (verdict, _) => verdict,
        };
        match verdict {
            Verdict::Win(_) => Some(false),
            Verdict::NoWin => Some(true),
            Verdict::Unknown(_) => None,
        }
    }

    /// Whether any move of the side to move holds.
    fn can_hold(&mut self, board: &mut Board, effort: Effort<'_>, counters: u32) -> Holds {
        let us = board.side_to_move();
        if !board.is_dormant(us) && board.count(us, PointClass::Five) > 0 {
            return Some(true);
        }
        let candidates = match self.danger(board, effort) {
            Danger::None => return Some(true),
            Danger::Unknown => return None,
            Danger::Threat(_, candidates) => candidates,
        };
        if counters == 0 {
            return None;
        }
        let mut answer = Some(false);
        for mv in candidates {
            match self.holds(board, mv, effort, counters - 1) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => answer = None,
            }
        }
        answer
    }
}

/// Stones on the cells, fouls left out, and the half stone anywhere if it is in hand.
fn legal_moves(board: &Board, cells: &CellSet) -> Vec<Move> {
    let us = board.side_to_move();
    let stones = cells.iter().filter(|&cell| board.is_empty(cell) && !is_foul(board, us, cell));
    let mut moves: Vec<Move> = stones.map(Move::stone).collect();
    if board.is_dormant(us) {
        moves.extend(board.empty_cells().iter().map(Move::half));
    }
    moves
}
