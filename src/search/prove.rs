//! Proofs on the principal variation: between iterations the solver of threats looks at the root and at the positions
//! of the best line, and puts what it proves into the table, where the next iteration meets it.
//!
//! The solver sees wins by threats that lie far beyond the search's horizon, for either side: a best move after which
//! the opponent wins by force is found out before it is played.

use super::pvs::Worker;
use crate::movegen::{self, MoveList, Situation};
use crate::solver::{Mode, Verdict};
use crate::tt::{Entry, PROVEN_DEPTH};
use crate::types::{Bound, Move, Score, mate_in};

/// Fewer nodes than this are not worth a call.
const LEAST_NODES: u64 = 100;
/// What a node of the solver may take, in microseconds, with its inner searches: it reads no clock.
const SLOWEST_NODE: u128 = 60;
/// Positions of the line that are looked at, the root included.
const POSITIONS: u64 = 6;

impl Worker<'_> {
    /// Looks for forced wins along `line`, the root first, and remembers them. Returns the score of the root if it is
    /// won with the move that wins, and whether anything new was proven.
    pub(super) fn prove_line(&mut self, line: &[Move]) -> (Option<(Score, Vec<Move>)>, bool) {
        let mut won = None;
        let mut news = false;
        let mut made = 0;
        for ply in 0..=line.len().min(POSITIONS as usize - 1) {
            if let Some((score, moves)) = self.prove_here(ply) {
                news = true;
                if ply == 0 {
                    won = Some((score, moves));
                }
                // What comes after a win in the line does not matter.
                break;
            }
            let Some(&mv) = line.get(ply) else { break };
            self.board.make(mv);
            made += 1;
        }
        for _ in 0..made {
            self.board.undo();
        }
        (won, news)
    }

    /// Looks for a win of the side to move, `ply` plies from the root; one that is known already is no news.
    fn prove_here(&mut self, ply: usize) -> Option<(Score, Vec<Move>)> {
        let nodes = self.proof_budget();
        if nodes < LEAST_NODES || self.board.empty_count() == 0 {
            return None;
        }
        let key = self.board.hash();
        if self.table.probe(key, ply).is_some_and(|entry| entry.depth >= PROVEN_DEPTH) {
            return None;
        }
        let mut answers = MoveList::new();
        if movegen::situation(&mut self.board, &mut answers) != Situation::Free {
            return None;
        }
        let before = self.solver.nodes();
        let verdict = self.solver.vct(&mut self.board, Mode::Narrow, nodes, self.stop);
        let spent = self.solver.nodes() - before;
        self.nodes += spent;
        self.proof_nodes += spent;
        let Verdict::Win(win) = verdict else { return None };
        let score = mate_in(ply + 2 * win.moves as usize - 1);
        let mv = win.line.first().copied();
        let entry = Entry { mv, score, eval: 0, depth: PROVEN_DEPTH, bound: Bound::Lower };
        self.table.store(key, ply, entry);
        Some((score, win.line.to_vec()))
    }

    /// What one more call may use: a share of all nodes so far, and no more than there is time for.
    fn proof_budget(&self) -> u64 {
        let share = self.parameters.prove_share.max(0) as u64;
        let allowed = (self.nodes * share / 100).saturating_sub(self.proof_nodes) / 2;
        let time = self.clock.remaining().map_or(u128::MAX, |left| left.as_micros() / SLOWEST_NODE);
        let left = self.node_limit.saturating_sub(self.nodes);
        allowed.min(u64::try_from(time).unwrap_or(u64::MAX)).min(left)
    }
}
