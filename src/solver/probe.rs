//! What a search asks in the middle of its own work, on its own board: short answers, and no allocation once the memory
//! has grown to its working size.
//!
//! A search may take a *win* or a *threat* from here as proven under every rule, in both phases of the half-stone rule
//! and for both colours under renju. "Nothing found" restricts nothing.

use super::relevance::relevant_cells;
use super::vcf::{ANY_LENGTH, Found, is_foul};
use super::{Limit, Line, Mode, Solver, Verdict};
use crate::board::Board;
use crate::control::StopSignal;
use crate::movegen::{MoveList, fours, half_stone_cells};
use crate::pattern::PointClass;
use crate::types::{CellSet, Move};

/// Whether the side to move has a win of the kind that was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// It wins by this move, in at most so many plies, the last one included.
    Win(Move, usize),
    /// It has none of this kind.
    NoWin,
    /// The limit was met.
    Unknown,
}

/// What the opponent would do if the side to move passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassProbe {
    /// He wins by fours, beginning with this move, in at most so many plies after the pass.
    Threat(Move, usize),
    /// He has no win by fours. Also where a five of either side decides what is played: then there is nothing to
    /// restrict.
    None,
    /// The limit was met.
    Unknown,
}

/// Attacker's moves as plies: the defender does not move after the last one.
fn plies(moves: u32) -> usize {
    (2 * moves as usize).saturating_sub(1)
}

impl Solver {
    /// Whether the side to move wins by continuous fours. `nodes` limits the attacker's positions.
    ///
    /// Costs about 0.8 µs a node, and next to nothing where the side to move has no four to make.
    /// [`Solver::write_line`] tells the moves.
    #[inline]
    pub fn probe_vcf(&mut self, board: &mut Board, nodes: u64) -> Probe {
        match self.fours.search(board, ANY_LENGTH, nodes) {
            Found::No => Probe::NoWin,
            Found::Clipped => Probe::Unknown,
            Found::Win => match self.fours.first_move() {
                Some(mv) => Probe::Win(mv, plies(self.fours.length())),
                None => Probe::Unknown,
            },
        }
    }

    /// The longest variation of the win by fours that was found last, up to the five or the foul. `board` must be as
    /// it was then; after [`Solver::probe_pass`], with the pass made.
    pub fn write_line(&self, board: &mut Board, line: &mut Line) {
        line.clear();
        self.fours.write_line(line);
        super::complete(board, line);
    }

    /// Whether the opponent would win by fours after a pass; if so, `answers` are the only moves that might prevent it.
    ///
    /// After every stone that is not listed the opponent wins within as many plies as are told. The list holds the
    /// relevant cells of the win and the mover's fours, fouls left out; if it is empty, the mover is lost. Black with
    /// the half stone in hand may place it anywhere, and the list holds the places worth trying, as that of
    /// [`crate::movegen::candidate_moves`] does; it is never empty then.
    ///
    /// The list is for a position in which nothing is forced: where a straight four threatens already, that of
    /// [`crate::movegen::situation`] is shorter. Costs what [`Solver::probe_vcf`] does, and some 5 µs more for a
    /// threat.
    pub fn probe_pass(&mut self, board: &mut Board, nodes: u64, answers: &mut MoveList) -> PassProbe {
        answers.clear();
        let found = self.fours_after_pass(board, nodes);
        let cells = match found {
            Ok(Some(cells)) => cells,
            Ok(None) => return PassProbe::None,
            Err(_) => return PassProbe::Unknown,
        };
        let Some(first) = self.fours.first_move() else { return PassProbe::Unknown };
        let us = board.side_to_move();
        let stones = cells.union(&fours(board, us));
        answers.extend(stones.iter().filter(|&cell| !is_foul(board, us, cell)).map(Move::stone));
        if board.is_dormant(us) {
            let places: CellSet = half_stone_cells(board).into_iter().collect();
            let room = answers.remaining_capacity();
            answers.extend(places.union(&cells).iter().map(Move::half).take(room));
        }
        PassProbe::Threat(first, plies(self.fours.length()))
    }

    /// Whether the side to move wins by fours or by continuous threats: [`Solver::vct`] in short. `nodes` limits the
    /// positions of the search by threats, at some 2.5 µs each.
    ///
    /// The number of plies is that of the shortest way through the proof that was found. The tables are of fixed size;
    /// each node allocates a list of its children.
    pub fn probe_vct(&mut self, board: &mut Board, mode: Mode, nodes: u64, stop: &StopSignal) -> Probe {
        match self.vct(board, mode, nodes, stop) {
            Verdict::Win(win) => match win.line.first() {
                Some(&mv) => Probe::Win(mv, plies(win.moves)),
                None => Probe::Unknown,
            },
            Verdict::NoWin => Probe::NoWin,
            Verdict::Unknown(_) => Probe::Unknown,
        }
    }

    /// The relevant cells of the opponent's win by fours after a pass, which is then the win that was found last.
    /// `None` without such a win, and where somebody has a five.
    pub(super) fn fours_after_pass(
        &mut self,
        board: &mut Board,
        nodes: u64,
    ) -> Result<Option<CellSet>, Limit> {
        let us = board.side_to_move();
        let fives = |color| !board.is_dormant(color) && board.count(color, PointClass::Five) > 0;
        if fives(us) || fives(!us) {
            return Ok(None);
        }
        board.make_light(Move::PASS);
        let found = self.fours.search(board, ANY_LENGTH, nodes);
        let cells = (found == Found::Win).then(|| relevant_cells(board, &self.fours));
        board.undo();
        if found == Found::Clipped { Err(Limit::Nodes) } else { Ok(cells) }
    }
}
