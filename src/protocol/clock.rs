//! From the time settings of the managers to the [`Limits`] of one search.

use std::time::{Duration, Instant};

use crate::control::Limits;

/// `time_left` with this value, or a larger one, is no limit.
const UNLIMITED: i64 = 2_147_483_647;
/// Yixin-Board writes "no limit for a move" and "no limit for the game" like this, its older versions with the second
/// number. Its `time_left` counts down from such a limit all the same. From another manager, without the game's value
/// beside it, 2000 s for a move are what they say.
const YIXIN_TURN_UNLIMITED: [i64; 2] = [2_000_000, 1_000_000_000];
const YIXIN_MATCH_UNLIMITED: [i64; 2] = [100_000_000, 1_000_000_000];
/// The time for a move when nobody has said anything about time.
const DEFAULT_TURN: Duration = Duration::from_secs(5);

/// What the manager has said about time, in its own units (ms), and what the engine has used of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    turn: Option<i64>,
    match_time: Option<i64>,
    left: Option<i64>,
    increment: i64,
    /// Spent since the game began or, if that was later, since `time_left` was last set.
    used: i64,
}

impl Clock {
    /// `timeout_turn`.
    pub(super) fn set_turn(&mut self, ms: i64) {
        self.turn = Some(ms);
    }

    /// `timeout_match`.
    pub(super) fn set_match(&mut self, ms: i64) {
        self.match_time = Some(ms);
    }

    /// `time_left`.
    pub(super) fn set_left(&mut self, ms: i64) {
        self.left = Some(ms);
        self.used = 0;
    }

    /// `time_increment`.
    pub(super) fn set_increment(&mut self, ms: i64) {
        self.increment = ms.max(0);
    }

    /// A new game starts with a full clock, or with what `time_left` said last: managers send that before `START`, too.
    pub(super) fn new_game(&mut self) {
        self.used = 0;
    }

    /// Takes the time of a move off the clock, for managers that do not send `time_left` before each move.
    pub(super) fn spend(&mut self, elapsed: Duration) {
        let elapsed = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
        self.used = self.used.saturating_add(elapsed).saturating_sub(self.increment);
    }

    /// The limits of a search whose command arrived at `started`; `yixin`: the manager speaks that dialect.
    pub(super) fn limits(&self, started: Instant, yixin: bool) -> Limits {
        let time_left = self.time_left();
        let yixin = yixin || self.match_time.is_some_and(|ms| YIXIN_MATCH_UNLIMITED.contains(&ms));
        let turn = match self.turn {
            Some(ms) if yixin && YIXIN_TURN_UNLIMITED.contains(&ms) => None,
            Some(ms) => Some(milliseconds(ms)),
            None if time_left.is_none() => Some(DEFAULT_TURN),
            None => None,
        };
        Limits {
            turn,
            time_left,
            increment: milliseconds(self.increment),
            started: Some(started),
            ..Limits::default()
        }
    }

    /// `time_left` counts if it was ever sent, else `timeout_match` does.
    fn time_left(&self) -> Option<Duration> {
        let is_unlimited = |ms: i64| ms >= UNLIMITED || YIXIN_MATCH_UNLIMITED.contains(&ms);
        let full = match (self.left, self.match_time) {
            (Some(left), Some(total)) if is_unlimited(total) && left > total / 2 => return None,
            (Some(left), _) if !is_unlimited(left) => left,
            (None, Some(total)) if total > 0 && !is_unlimited(total) => total,
            _ => return None,
        };
        Some(milliseconds(full.saturating_sub(self.used)))
    }
}

/// A duration; a clock that has run out counts as zero.
fn milliseconds(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Option<Duration> {
        Some(Duration::from_millis(n))
    }

    /// `(turn, time_left)` of a clock that was told these three values.
    fn limits(
        turn: Option<i64>,
        total: Option<i64>,
        left: Option<i64>,
    ) -> (Option<Duration>, Option<Duration>) {
        let mut clock = Clock::default();
        if let Some(turn) = turn {
            clock.set_turn(turn);
        }
        if let Some(total) = total {
            clock.set_match(total);
        }
        if let Some(left) = left {
            clock.set_left(left);
        }
        let limits = clock.limits(Instant::now(), false);
        (limits.turn, limits.time_left)
    }

    #[test]
    fn managers_settings_become_limits() {
        let unlimited = Some(UNLIMITED);
        // What was sent: turn, match, left. What comes out: turn, left.
        assert_eq!(limits(None, None, None), (ms(5000), None), "no INFO at all");
        assert_eq!(limits(None, Some(0), unlimited), (ms(5000), None), "no clock at all");
        assert_eq!(limits(Some(0), None, None), (ms(0), None), "at once");
        assert_eq!(limits(Some(0), Some(100_000), None), (ms(0), ms(100_000)), "at once with a match clock");
        assert_eq!(limits(Some(500), Some(0), unlimited), (ms(500), None), "turn only");
        assert_eq!(limits(Some(500), Some(180_000), Some(9_000)), (ms(500), ms(9_000)), "time_left wins");
        assert_eq!(limits(Some(500), Some(180_000), unlimited), (ms(500), None), "even when unlimited");
        assert_eq!(limits(None, Some(180_000), None), (None, ms(180_000)), "match only");
        assert_eq!(limits(Some(5_000), None, Some(0)), (ms(5_000), ms(0)), "flag about to fall");
        assert_eq!(limits(Some(5_000), None, Some(-500)), (ms(5_000), ms(0)), "flag fallen");
        assert_eq!(limits(Some(-1), None, None), (ms(0), None), "negative turn");
        assert_eq!(limits(Some(i64::MIN), Some(i64::MAX), Some(i64::MIN)), (ms(0), ms(0)), "extremes");
        assert_eq!(
            limits(Some(2_000_000), Some(100_000_000), Some(100_000_000)),
            (None, None),
            "Yixin-Board without a clock"
        );
        assert_eq!(
            limits(Some(2_000_000), Some(100_000_000), Some(99_876_543)),
            (None, None),
            "the same later in the game"
        );
        assert_eq!(
            limits(Some(1_000_000_000), Some(1_000_000_000), Some(999_990_000)),
            (None, None),
            "an older one"
        );
        assert_eq!(
            limits(Some(2_000_000), Some(100_000_000), Some(5_000)),
            (None, ms(5_000)),
            "a manager that means what it says"
        );
        assert_eq!(limits(Some(2_000_000), None, None), (ms(2_000_000), None), "another one");
        let mut clock = Clock::default();
        clock.set_turn(2_000_000);
        assert_eq!(clock.limits(Instant::now(), true).turn, None, "Yixin-Board before it tells the game's");
        assert_eq!(
            limits(Some(2_000_000), Some(600_000), Some(599_000)),
            (ms(2_000_000), ms(599_000)),
            "no limit for a move: longer than the game"
        );
    }

    #[test]
    fn used_time_is_tracked_until_the_manager_tells() {
        let mut clock = Clock::default();
        clock.set_match(10_000);
        clock.spend(Duration::from_millis(4_000));
        assert_eq!(clock.limits(Instant::now(), false).time_left, ms(6_000));
        clock.set_increment(1_000);
        clock.spend(Duration::from_millis(3_000));
        assert_eq!(clock.limits(Instant::now(), false).time_left, ms(4_000));
        clock.set_left(9_000);
        assert_eq!(clock.limits(Instant::now(), false).time_left, ms(9_000));
        clock.spend(Duration::from_secs(60));
        assert_eq!(clock.limits(Instant::now(), false).time_left, ms(0));
        clock.new_game();
        assert_eq!(clock.limits(Instant::now(), false).time_left, ms(9_000));
        clock.spend(Duration::MAX);
        assert_eq!(clock.limits(Instant::now(), false).time_left, ms(0));
    }
}
