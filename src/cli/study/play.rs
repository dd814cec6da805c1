//! One game of the study. Everything in it follows from the setting, the seed and the number of the game.

use std::sync::Arc;

use anyhow::Context;

use super::setting::{Opening, Setting, Timing};
use crate::engine::{self, proxy};
use crate::eval;
use crate::game::GameRecord;
use crate::movegen::{self, MoveList, Situation};
use crate::pattern::PointTable;
use crate::selfplay::{self, Game, Rng, Standing};
use crate::tt::Table;
use crate::types::{Cell, Color, MATE_IN_MAX_PLY, Move, Rule, Score, Size};

/// Bytes of the transposition table, made anew for every game.
const TABLE_BYTES: usize = 2 << 20;
/// From the empty board, chance chooses among near-best moves in so many plies.
pub(super) const VARIED_PLIES: usize = 8;
/// The moves that it chooses among: at most so many,
pub(super) const VARIED_LINES: usize = 8;
/// none worse than the best by more than this in evaluation units,
pub(super) const NEAR: Score = 40;
/// found by a search with so many times the nodes of other moves, since it has to judge several.
pub(super) const VARIED_EFFORT: u64 = 4;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) setting: Setting,
    pub(super) number: usize,
    /// `None` after a draw.
    pub(super) winner: Option<Color>,
    /// The moves, those of the opening included.
    pub(super) record: GameRecord,
}

/// Plays the game with this number from `opening`.
pub(super) fn play(
    setting: Setting,
    size: Size,
    seed: u64,
    number: usize,
    opening: &[Move],
) -> anyhow::Result<Played> {
    let mut record = GameRecord::new(setting.rule, size);
    opening.iter().for_each(|&mv| record.push(mv));
    let game = Game::new(record, eval::points(setting.rule), Table::new(TABLE_BYTES))?;
    let mut player = Player {
        setting,
        game,
        rng: Rng::new(seed, number as u64),
        seed,
        proxy: setting.proxy(number),
        // It thinks under another rule, so it has a memory of its own.
        proxy_table: Table::new(if setting.proxy(number).is_some() { TABLE_BYTES } else { 0 }),
    };
    let winner = player.finish().with_context(|| format!("game {number} of {setting}"))?;
    Ok(Played { setting, number, winner, record: player.game.record().clone() })
}

struct Player {
    setting: Setting,
    game: Game,
    rng: Rng,
    seed: u64,
    proxy: Option<Color>,
    proxy_table: Table,
}

impl Player {
    fn finish(&mut self) -> anyhow::Result<Option<Color>> {
        loop {
            match self.game.standing() {
                Standing::Won(winner) => return Ok(Some(winner)),
                Standing::Drawn => return Ok(None),
                Standing::Ongoing => {}
            }
            let mv = self.choose().context("the engine has no move")?;
            self.game.play(mv)?;
        }
    }

    fn choose(&mut self) -> Option<Move> {
        let number = self.game.record().moves().len() + 1;
        let side = self.game.board().side_to_move();
        if self.proxy == Some(side) {
            return self.proxy_move();
        }
        let holds = side == Color::Black && self.game.board().half_in_hand();
        let varied = self.setting.opening == Opening::Empty && number <= VARIED_PLIES;
        match self.setting.timing {
            Timing::At(moment) if holds && number >= moment => return self.half_stone(varied),
            _ => {}
        }
        let may_place = !holds || self.setting.timing == Timing::AtWill;
        if varied {
            let mut lines = self.game.lines(VARIED_EFFORT * self.setting.nodes, VARIED_LINES);
            lines.retain(|line| may_place || line.pv.first().is_some_and(|mv| !mv.is_half()));
            let moves = lines.iter().filter_map(|line| Some((line.score, *line.pv.first()?)));
            if let Some(mv) = self.near_best(&moves.collect::<Vec<_>>()) {
                return Some(mv);
            }
        }
        let best = self.game.think(self.setting.nodes)?.best;
        if may_place || !best.is_half() {
            return Some(best);
        }
        // More lines than there are points tried for the half stone: one of them is a stone.
        let lines = self.game.lines(VARIED_EFFORT * self.setting.nodes, 2 * VARIED_LINES);
        let mut stones = lines.iter().filter_map(|line| line.pv.first()).filter(|mv| !mv.is_half());
        Some(stones.next().copied().unwrap_or(best))
    }

    /// One of the moves that are nearly as good as the best, by chance; the best one where the game is decided.
    fn near_best(&mut self, moves: &[(Score, Move)]) -> Option<Move> {
        let &(best, first) = moves.iter().max_by_key(|(score, _)| *score)?;
        if best.abs() >= MATE_IN_MAX_PLY {
            return Some(first);
        }
        let near: Vec<Move> =
            moves.iter().filter(|(score, _)| *score >= best - NEAR).map(|&(_, mv)| mv).collect();
        self.rng.pick(&near)
    }

    /// The best place for the half stone, which must be placed now.
    fn half_stone(&mut self, varied: bool) -> Option<Move> {
        let moves = self.half_stones();
        let nodes = VARIED_EFFORT * self.setting.nodes / moves.len().max(1) as u64;
        let judged = moves.into_iter().filter_map(|mv| {
            let mut record = self.game.record().clone();
            record.push(mv);
            let points: Arc<PointTable> = eval::points(self.setting.rule);
            let after = Game::new(record, points, Table::new(TABLE_BYTES)).ok()?;
            Some((-after.think(nodes)?.score, mv))
        });
        let judged: Vec<(Score, Move)> = judged.collect();
        if varied {
            return self.near_best(&judged);
        }
        // The first of equals.
        judged.into_iter().rev().max_by_key(|(score, _)| *score).map(|(_, mv)| mv)
    }

    /// The places worth a look.
    fn half_stones(&mut self) -> Vec<Move> {
        let size = self.game.board().size();
        let board = self.game.board_mut();
        if board.stones() == 0 {
            return octant(size).map(Move::half).collect();
        }
        let mut answers = MoveList::new();
        let situation = movegen::situation(board, &mut answers);
        if let Situation::Win(mv, _) = situation
            && mv.is_half()
        {
            return vec![mv];
        }
        let forced: Vec<Move> = answers.iter().copied().filter(|mv| mv.is_half()).collect();
        if !forced.is_empty() {
            return forced;
        }
        movegen::half_stone_cells(board).into_iter().map(Move::half).collect()
    }

    fn proxy_move(&self) -> Option<Move> {
        let record = self.game.record();
        let seen = engine::board(&proxy::without_half_stone(record));
        let found = selfplay::think(&seen, &self.proxy_table, self.setting.nodes)?.best;
        let knows_rule = self.setting.rule != Rule::HalfStone;
        Some(if knows_rule { found } else { proxy::with_random_half_stone(record, found, self.seed) })
    }
}

/// Every second point of an eighth of the board, centre and corner included (on odd boards): all of it, but for
/// symmetry.
fn octant(size: Size) -> impl Iterator<Item = Cell> {
    let half = size.get().div_ceil(2);
    let from_center = move |x: usize, y: usize| Cell::new(half - 1 - x, half - 1 - y, size);
    (0..half).step_by(2).flat_map(move |x| (x..half).step_by(2).filter_map(move |y| from_center(x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(text: &str) -> Setting {
        text.parse().unwrap()
    }

    fn game(text: &str, number: usize) -> Played {
        play(setting(text), Size::new(9).unwrap(), 5, number, &[]).unwrap()
    }

    #[test]
    fn a_game_follows_from_its_number_and_another_number_gives_another_game() {
        let text = "half-stone,empty,60,at-will,itself";
        assert_eq!(game(text, 3), game(text, 3));
        assert_ne!(game(text, 3).record, game(text, 4).record);
    }

    #[test]
    fn the_half_stone_comes_when_it_is_told_to() {
        for moment in [1, 5] {
            for number in 0..4 {
                let played = game(&format!("half-stone,empty,60,{moment},itself"), number);
                let placed = played.record.moves().iter().position(|mv| mv.is_half());
                // Unless the game was over before, or only half stones were left to play.
                assert!(placed == Some(moment - 1) || played.record.moves().len() < moment, "{played:?}");
            }
        }
    }

    #[test]
    fn the_octant_reaches_from_the_centre_to_the_corner() {
        let cells: Vec<String> =
            octant(Size::new(9).unwrap()).map(|cell| cell.text(Size::new(9).unwrap()).to_string()).collect();
        assert_eq!(cells, ["e5", "e7", "e9", "c7", "c9", "a9"]);
    }
}
