//! Which move several threads that searched the same position should play.
//!
//! Each thread has one ballot. What it is worth grows with the depth that the thread has finished and with how far its
//! score lies above the worst one of all; moves with more weight behind them win. Proofs are stronger than any
//! majority.

use super::iterate::{Iteration, Line};
use crate::types::{MATE_IN_MAX_PLY, Score};

/// What the worst score is worth for each ply of depth, in evaluation units: with a large number depth and majority
/// decide, with a small one the scores do.
const BASE: i64 = 40;
/// Scores that lie further above the worst one count no more.
const MARGIN_LIMIT: i64 = 400;

/// What one thread has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ballot {
    /// The last iteration that was searched to its end, in plies; 0 if there was none.
    pub(super) depth: u32,
    /// Its best line, or a better one of the iteration that was cut short.
    pub(super) line: Line,
}

impl Ballot {
    /// The ballot after one more iteration; nothing changes if that has no move.
    pub(super) fn update(ballot: &mut Option<Ballot>, iteration: &Iteration) {
        let Some(line) = iteration.lines.first().filter(|line| !line.pv.is_empty()) else { return };
        let before = ballot.as_ref().map_or(0, |ballot| ballot.depth);
        let depth = if iteration.complete { iteration.depth } else { before };
        *ballot = Some(Ballot { depth, line: line.clone() });
    }

    fn is_won(&self) -> bool {
        self.line.score >= MATE_IN_MAX_PLY
    }

    fn is_lost(&self) -> bool {
        self.line.score <= -MATE_IN_MAX_PLY
    }
}

/// The number of the ballot that wins; 0 if there are none, and among equals the first.
///
/// A proven win beats everything, the shortest one first. A proven loss never beats a ballot that is none; if there
/// are only losses, the longest one wins. Otherwise the move with the greatest weight is played, with the ballot for
/// it that weighs most.
pub(super) fn vote(ballots: &[Ballot]) -> usize {
    let numbered = || ballots.iter().enumerate().rev();
    let best_score = |(_, ballot): &(usize, &Ballot)| ballot.line.score;
    if ballots.iter().any(Ballot::is_won) || ballots.iter().all(Ballot::is_lost) {
        return numbered().max_by_key(best_score).map_or(0, |(number, _)| number);
    }
    let open = || ballots.iter().filter(|ballot| !ballot.is_lost());
    let worst = open().map(|ballot| ballot.line.score).min().unwrap_or(0);
    let weight = |ballot: &Ballot| weight(ballot.depth, ballot.line.score, worst);
    let behind = |ballot: &Ballot| -> i64 {
        open().filter(|other| other.line.pv.first() == ballot.line.pv.first()).map(weight).sum()
    };
    let candidates = numbered().filter(|(_, ballot)| !ballot.is_lost());
    candidates.max_by_key(|(_, ballot)| (behind(ballot), weight(ballot))).map_or(0, |(number, _)| number)
}

/// What a ballot is worth if the worst score of all is `worst`.
fn weight(depth: u32, score: Score, worst: Score) -> i64 {
    let margin = (i64::from(score) - i64::from(worst)).min(MARGIN_LIMIT);
    i64::from(depth) * (BASE + margin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Cell, Move, Size, mate_in, mated_in};

    /// A ballot for the point with this column.
    fn ballot(column: usize, depth: u32, score: Score) -> Ballot {
        let mv = Move::stone(Cell::new(column, 7, Size::STANDARD).unwrap());
        Ballot { depth, line: Line { score, pv: vec![mv] } }
    }

    fn winner(ballots: &[(usize, u32, Score)]) -> usize {
        vote(&ballots.iter().map(|&(column, depth, score)| ballot(column, depth, score)).collect::<Vec<_>>())
    }

    #[test]
    fn one_thread_decides_by_itself() {
        for score in [0, -300, mate_in(3), mated_in(4)] {
            assert_eq!(winner(&[(7, 0, score)]), 0);
        }
        assert_eq!(vote(&[]), 0);
    }

    #[test]
    fn a_proven_win_beats_every_majority() {
        assert_eq!(winner(&[(1, 12, 900), (1, 12, 900), (2, 3, mate_in(9))]), 2);
        // The shortest one, and the first of those.
        assert_eq!(winner(&[(1, 12, mate_in(9)), (2, 3, mate_in(5)), (3, 20, mate_in(5))]), 1);
    }

    #[test]
    fn a_proven_loss_never_beats_what_is_none() {
        assert_eq!(winner(&[(1, 14, mated_in(6)), (1, 14, mated_in(6)), (2, 1, -2_000)]), 2);
        assert_eq!(winner(&[(1, 14, mated_in(6)), (2, 0, 0)]), 1);
        // If all is lost, what lasts longest.
        assert_eq!(winner(&[(1, 14, mated_in(6)), (2, 9, mated_in(10)), (3, 9, mated_in(8))]), 1);
        // A lost ballot for the same move lends it no weight: 10·(40+0) against 9·(40+30).
        assert_eq!(winner(&[(1, 30, mated_in(6)), (1, 10, 0), (2, 9, 30)]), 2);
    }

    #[test]
    fn depth_margin_and_number_count() {
        // 10·40 against 8·(40+5): the deeper thread.
        assert_eq!(winner(&[(1, 10, 0), (2, 8, 5)]), 0);
        // 10·40 against 8·(40+20): the better score.
        assert_eq!(winner(&[(1, 10, 0), (2, 8, 20)]), 1);
        // 10·(40+10) = 500 against 8·40 + 7·40 = 600: two agree.
        assert_eq!(winner(&[(1, 10, 10), (2, 8, 0), (2, 7, 0)]), 1);
        // Equals: the first, which is the main thread.
        assert_eq!(winner(&[(1, 9, 3), (2, 9, 3)]), 0);
        // A margin beyond the limit does not grow: 5·440 against 6·440.
        assert_eq!(winner(&[(3, 1, -900), (1, 5, 5_000), (2, 6, 0)]), 2);
        // Whoever has finished nothing has no weight.
        assert_eq!(winner(&[(1, 0, 500), (2, 1, 0)]), 1);
    }

    #[test]
    fn an_iteration_that_was_cut_short_brings_its_move_but_no_depth() {
        let mut ballot = None;
        let iteration = |depth, column, complete| Iteration {
            depth,
            selective_depth: depth,
            lines: vec![super::tests::ballot(column, depth, 10).line],
            nodes: 1,
            elapsed: std::time::Duration::ZERO,
            complete,
        };
        for (depth, column, complete, expected) in [(0, 1, true, 0), (1, 2, true, 1), (2, 3, false, 1)] {
            Ballot::update(&mut ballot, &iteration(depth, column, complete));
            assert_eq!(ballot, Some(Ballot { depth: expected, ..self::ballot(column, 0, 10) }));
        }
        let empty = Iteration { lines: Vec::new(), ..iteration(9, 1, true) };
        Ballot::update(&mut ballot, &empty);
        assert_eq!(ballot.unwrap().depth, 1);
    }
}
