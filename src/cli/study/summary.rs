//! What a series of games comes to.

use serde::Serialize;

use super::games::Games;
use super::placement::{Placement, What};
use super::setting::{Opponent, Setting};
use crate::game::Symmetry;
use crate::rules::{Position, Status, WinReason};
use crate::types::{Color, Rule, Size};

/// Standard deviations on either side of the mean that hold 95 % of a normal distribution.
const SIGMAS: f64 = 1.96;
/// The moves of the game up to which placements are counted together, beginning after the one before.
pub(super) const MOMENTS: [usize; 9] = [1, 3, 5, 9, 15, 21, 31, 51, usize::MAX];

/// A mean with half the width of its 95 % interval, both in per cent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Share {
    pub(super) percent: f64,
    pub(super) error: f64,
    pub(super) count: usize,
}

/// Win, draw and loss as shares of a point; the rest follows from them.
pub(super) fn share(points: impl IntoIterator<Item = f64>) -> Share {
    let points: Vec<f64> = points.into_iter().collect();
    let n = points.len() as f64;
    if points.is_empty() {
        return Share { percent: 50.0, error: 50.0, count: 0 };
    }
    let mean = points.iter().sum::<f64>() / n;
    let variance = points.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    Share { percent: 100.0 * mean, error: 100.0 * SIGMAS * (variance / n).sqrt(), count: points.len() }
}

/// A series under one setting.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Series {
    #[serde(serialize_with = "as_text")]
    pub(super) setting: Setting,
    pub(super) games: usize,
    pub(super) black_wins: usize,
    pub(super) draws: usize,
    pub(super) white_wins: usize,
    /// Black's score.
    pub(super) black: Share,
    /// The score of the engine that knows the half stone, where the other one does not.
    pub(super) known: Option<Share>,
    /// Games lost by a foul: renju's, or a five before the half stone.
    pub(super) fouls: usize,
    /// Moves of a game: mean.
    pub(super) length: f64,
    /// Games in which the half stone was placed, by move, with Black's score in them; the last entry is never.
    pub(super) moments: Vec<Share>,
    /// Where it was placed, as shares of the placements in a thousand, the eight symmetries averaged: rows from the
    /// top.
    pub(super) places: Vec<Vec<f64>>,
    /// What it stopped (rows) and what it woke (columns): four, three, nothing; with Black's score.
    pub(super) purposes: Vec<Vec<Share>>,
    /// The move of the placement: median.
    pub(super) median: Option<usize>,
}

fn as_text<S: serde::Serializer>(setting: &Setting, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(setting)
}

struct Look {
    points: f64,
    length: usize,
    number: usize,
    foul: bool,
    placement: Option<Placement>,
}

/// The games of a setting with numbers below `games`.
pub(super) fn series(all: &Games, setting: Setting, games: usize, size: Size) -> Series {
    let looks: Vec<Look> = all
        .range((setting, 0)..(setting, games))
        .map(|(_, game)| Look {
            points: points(game.winner, Color::Black),
            length: game.record.moves().len(),
            number: game.number,
            foul: ends_with_a_foul(game),
            placement: (setting.rule == Rule::HalfStone).then(|| Placement::of(&game.record)).flatten(),
        })
        .collect();
    let count = |points: f64| looks.iter().filter(|look| look.points == points).count();
    let known = |look: &Look| {
        if setting.proxy(look.number) == Some(Color::Black) { 1.0 - look.points } else { look.points }
    };
    let mut numbers: Vec<usize> = looks.iter().filter_map(|l| l.placement.map(|p| p.number)).collect();
    numbers.sort_unstable();
    Series {
        setting,
        games: looks.len(),
        black_wins: count(1.0),
        draws: count(0.5),
        white_wins: count(0.0),
        black: share(looks.iter().map(|look| look.points)),
        known: (setting.opponent == Opponent::Proxy).then(|| share(looks.iter().map(known))),
        fouls: looks.iter().filter(|look| look.foul).count(),
        length: looks.iter().map(|look| look.length as f64).sum::<f64>() / looks.len().max(1) as f64,
        moments: moments(&looks),
        places: places(&looks, size),
        purposes: purposes(&looks),
        median: numbers.get(numbers.len() / 2).copied(),
    }
}

/// What a result is worth to a colour.
pub(super) fn points(winner: Option<Color>, color: Color) -> f64 {
    winner.map_or(0.5, |winner| if winner == color { 1.0 } else { 0.0 })
}

fn ends_with_a_foul(game: &super::play::Played) -> bool {
    let status = Position::from_record(&game.record).map(|position| position.status());
    matches!(status, Ok(Status::Won { reason: WinReason::Foul(_) | WinReason::EarlyFive, .. }))
}

fn moments(looks: &[Look]) -> Vec<Share> {
    let mut from = 1;
    let mut found = Vec::new();
    for to in MOMENTS {
        let within = |look: &&Look| look.placement.is_some_and(|p| (from..=to).contains(&p.number));
        found.push(share(looks.iter().filter(within).map(|look| look.points)));
        from = to.saturating_add(1);
    }
    found.push(share(looks.iter().filter(|look| look.placement.is_none()).map(|look| look.points)));
    found
}

fn places(looks: &[Look], size: Size) -> Vec<Vec<f64>> {
    let n = size.get();
    let mut board = vec![vec![0.0; n]; n];
    let placed: Vec<_> = looks.iter().filter_map(|look| look.placement).collect();
    for placement in &placed {
        for symmetry in Symmetry::ALL {
            let cell = symmetry.cell(placement.cell, size);
            if let Some(slot) = board.get_mut(cell.y()).and_then(|row| row.get_mut(cell.x())) {
                *slot += 1_000.0 / (Symmetry::ALL.len() * placed.len()) as f64;
            }
        }
    }
    board
}

fn purposes(looks: &[Look]) -> Vec<Vec<Share>> {
    let cell = |stops: What, wakes: What| {
        let fits = |look: &&Look| look.placement.is_some_and(|p| (p.stops, p.wakes) == (stops, wakes));
        share(looks.iter().filter(fits).map(|look| look.points))
    };
    What::ALL.map(|stops| What::ALL.map(|wakes| cell(stops, wakes)).to_vec()).to_vec()
}

/// By how much Black scores more under `one` setting than under `other`, game by game with the same number.
pub(super) fn difference(all: &Games, one: Setting, other: Setting, games: usize) -> Share {
    share((0..games).filter_map(|number| {
        let of = |setting| all.get(&(setting, number)).map(|game| points(game.winner, Color::Black));
        Some(of(one)? - of(other)?)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_the_error_of_the_mean() {
        // Two wins and two losses: deviations of a half, variance 1/3, 1.96 * sqrt(1/12) = 0.5658.
        let even = share([1.0, 0.0, 1.0, 0.0]);
        assert_eq!((even.percent, even.count), (50.0, 4));
        assert!((even.error - 56.58).abs() < 0.01, "{}", even.error);
        assert_eq!(share([0.5, 0.5]).error, 0.0);
        assert_eq!(share([]).count, 0);
    }

    #[test]
    fn places_sum_to_a_thousand_and_are_alike_on_all_sides() {
        let size = Size::new(5).unwrap();
        let cell = |x, y| crate::types::Cell::new(x, y, size).unwrap();
        let look = |cell| Look {
            points: 1.0,
            length: 9,
            number: 0,
            foul: false,
            placement: Some(Placement { number: 3, cell, stops: What::Four, wakes: What::Nothing }),
        };
        let board = places(&[look(cell(2, 2)), look(cell(0, 0))], size);
        assert_eq!(board[2][2], 500.0);
        assert_eq!([board[0][0], board[4][0], board[0][4], board[4][4]], [125.0; 4]);
        assert_eq!(board.iter().flatten().sum::<f64>(), 1_000.0);
    }
}
