//! Matches inside one process: pairs of games from balanced openings, each played with both colours.

use std::sync::Mutex;

use anyhow::Result;
use halfstone::arena::{Estimate, Games, Pairs};
use halfstone::eval;
use halfstone::types::{Color, Rule, Size};

use crate::crew;
use crate::openings;
use crate::selfplay::{self, Desk, Player};

/// What the games of a match have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The rule.
    pub rule: Rule,
    /// Points along one edge of the board.
    pub size: Size,
    /// What the openings come from.
    pub seed: u64,
}

/// The outcome of a pair of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Half points of the first player: 0 to 4.
    pub half_points: usize,
    /// Its results with Black and with White, in half points.
    pub results: [usize; 2],
    /// Moves of both games, the openings included.
    pub moves: usize,
}

/// Plays pair `number`: a game from its opening with the first player as Black, and one with colours exchanged.
///
/// # Errors
/// If a player broke the rules.
pub fn pair(desk: &mut Desk, terms: &Terms, number: u64, players: [&Player; 2]) -> Result<Pair> {
    // Always the same judge, so that openings do not depend on who plays.
    let judge = Player::new(eval::points(terms.rule), 0);
    let opening = openings::for_match(desk, terms.seed, number, terms.rule, terms.size, &judge);
    let mut pair = Pair::default();
    for first in Color::ALL {
        let seats = if first == Color::Black { players } else { [players[1], players[0]] };
        let game = selfplay::contest(desk, terms.rule, terms.size, &opening, seats)?;
        let result = game.winner.map_or(1, |winner| if winner == first { 2 } else { 0 });
        pair.results[first.index()] = result;
        pair.half_points += result;
        pair.moves += game.moves;
    }
    Ok(pair)
}

/// Counts of a match, in the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Single games.
    pub games: Games,
    /// Pairs.
    pub pairs: Pairs,
    /// Half points of Black, whoever it was.
    pub black: usize,
    /// Moves of all games.
    pub moves: usize,
}

impl Tally {
    /// Counts a pair.
    pub fn add(&mut self, pair: &Pair) {
        pair.results.iter().for_each(|&result| self.games.add(result));
        self.pairs.add(pair.half_points);
        self.black += pair.results[0] + 2 - pair.results[1];
        self.moves += pair.moves;
    }

    /// One line: games, Elo with its 95 % interval from pairs, likelihood of superiority, and how even the openings
    /// are.
    pub fn line(&self) -> String {
        let ([losses, draws, wins], games) = (self.games.0, self.games.total().max(1) as f64);
        let [p0, p1, p2, p3, p4] = self.pairs.0;
        let strength = self.pairs.estimate().map_or_else(String::new, |estimate: Estimate| {
            let los = estimate.los.map_or("?".to_owned(), |los| format!("{:.1}", 100.0 * los));
            let Estimate { elo, low, high, .. } = estimate;
            format!(", Elo {elo:+.1} ({low:+.1} to {high:+.1}), LOS {los} %")
        });
        format!(
            "+{wins} ={draws} -{losses} of {}{strength}; pairs {p0}-{p1}-{p2}-{p3}-{p4}, Black {:.1} %, {:.1} moves a game",
            self.games.total(),
            50.0 * self.black as f64 / games,
            self.moves as f64 / games,
        )
    }
}

/// Plays `pairs` pairs on some threads; what comes out does not depend on how many. Tells `listener` the counts after
/// every pair.
///
/// # Errors
/// If a player broke the rules.
pub fn play(
    terms: &Terms,
    players: [&Player; 2],
    pairs: usize,
    threads: usize,
    listener: impl Fn(&Tally) + Sync,
) -> Result<Tally> {
    let tally = Mutex::new(Tally::default());
    let desk = || Desk::new(players[0].nodes.max(players[1].nodes));
    crew::share(threads, pairs, desk, |desk, number| {
        let pair = pair(desk, terms, number as u64, players)?;
        let mut tally = tally.lock().expect("nothing here panics");
        tally.add(&pair);
        listener(&tally);
        Ok(())
    })?;
    Ok(tally.into_inner().expect("nothing here panics"))
}
