//! An engine's clock as the referee keeps it.

use super::config::Limits;

/// What `INFO time_left` says when the game has no limit.
const UNLIMITED: i64 = 2_147_483_647;

/// The time of one engine in one game, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    turn: u64,
    total: u64,
    increment: u64,
    used: f64,
    gained: u64,
}

impl Clock {
    pub(super) fn new(limits: &Limits) -> Clock {
        Clock {
            turn: limits.turn_ms,
            total: limits.match_ms,
            increment: limits.increment_ms,
            used: 0.0,
            gained: 0,
        }
    }

    /// What is left for the game; `None` without limit. Negative within the tolerance.
    fn left(&self) -> Option<f64> {
        (self.total > 0).then(|| (self.total + self.gained) as f64 - self.used)
    }

    /// What `INFO time_left` says before this move.
    pub(super) fn time_left(&self) -> i64 {
        self.left().map_or(UNLIMITED, |left| left.floor() as i64)
    }

    /// How long this move may take.
    pub(super) fn limit(&self) -> f64 {
        let turn = self.turn as f64;
        self.left().map_or(turn, |left| turn.min(left))
    }

    /// Whether the limit is one that can be kept: 0 asks for a move at once.
    pub(super) fn is_fair(&self) -> bool {
        self.turn > 0
    }

    /// Books a move.
    pub(super) fn spend(&mut self, elapsed: f64) {
        self.used += elapsed;
        self.gained += self.increment;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_limit_counts() {
        let mut clock = Clock::new(&Limits { turn_ms: 500, ..Limits::default() });
        clock.spend(400.0);
        assert_eq!((clock.limit(), clock.time_left()), (500.0, 2_147_483_647));
        let mut clock = Clock::new(&Limits { turn_ms: 500, match_ms: 1_000, ..Limits::default() });
        clock.spend(700.5);
        assert_eq!((clock.limit(), clock.time_left()), (299.5, 299));
        clock.spend(400.0);
        assert_eq!(clock.time_left(), -101);
    }

    #[test]
    fn increments_are_gained_with_each_move() {
        let limits = Limits { turn_ms: 9_000, match_ms: 1_000, increment_ms: 100, ..Limits::default() };
        let mut clock = Clock::new(&limits);
        assert_eq!(clock.time_left(), 1_000);
        clock.spend(300.0);
        clock.spend(300.0);
        assert_eq!((clock.time_left(), clock.limit()), (600, 600.0));
    }
}
