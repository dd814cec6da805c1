//! The time manager: how long a move may and should take.

use std::time::{Duration, Instant};

use super::Limits;

/// Time kept back for pipes and the scheduler: a sixth of the limit, within these bounds.
const RESERVE_PART: u32 = 6;
const RESERVE_MIN: Duration = Duration::from_millis(3);
const RESERVE_MAX: Duration = Duration::from_millis(40);
/// At most one part in this many of a move's time is kept back beyond that, on a machine that keeps the program
/// waiting.
const WAITING_PART: u32 = 3;
/// What a move gets when the clock says "at once" or has already run out.
const EMERGENCY: Duration = Duration::from_millis(5);
/// Never spend more than one part in this many of the time that is left for the game, beyond the increment.
const LEAST_MOVES: u32 = 7;
/// Plan the game's time for this many more moves.
const PLANNED_MOVES: u32 = 22;
/// Below this part of the turn limit, planning stays out of the way: the game clock is ample.
const AMPLE_TURNS: u32 = 40;

/// A running move clock.
///
/// With 1,000 ms for a move and no clock for the game, 40 ms are kept back, so that the search ends after 960 at the
/// latest, and as nothing can be saved, that is what it takes. If the command was read 15 ms late, and the program was
/// once kept waiting for 50 ms, it ends after 1000 − 3 − (2 · 15 + 50) = 917. With 60 s left for the game as well, enough
/// for forty such moves, nothing changes; with 10 s it plans 455 ms, and stops between two iterations.
///
/// It starts when the command arrived, not when it was understood, so queues and parsing count. On a machine that is
/// loaded the process waits for a processor again and again, and will wait once more before its move is out; so the
/// clock notices how long it took from the command to the search, and how long the longest time between two looks at
/// it was, and ends the search so much earlier. A sixth of the move's time, 40 ms at most, is
/// kept back in any case, and covers small waits.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    budget: Duration,
    maximum: Option<Duration>,
    optimum: Option<Duration>,
    /// Whether later moves can use what this one leaves.
    saves: bool,
    /// From the start to the making of this clock, as far as it counts.
    delay: Duration,
    /// When [`Clock::tick`] was called last, and the longest time between two calls.
    looked: Duration,
    gap: Duration,
}

impl Clock {
    /// The clock of a search under these limits.
    pub fn new(limits: &Limits) -> Clock {
        let started = limits.started.unwrap_or_else(Instant::now);
        let Some(budget) = hard_budget(limits) else {
            return Clock::at(started);
        };
        let reserve = (budget / RESERVE_PART).clamp(RESERVE_MIN, RESERVE_MAX);
        let maximum = budget.saturating_sub(reserve).max(EMERGENCY);
        let scarce = |left: &Duration| limits.turn.is_none_or(|turn| *left / AMPLE_TURNS < turn);
        let scarce = limits.time_left.filter(scarce);
        let planned = scarce.map_or(maximum, |left| left / PLANNED_MOVES + limits.increment * 3 / 4);
        let optimum = Some(planned.min(maximum));
        Clock { budget, maximum: Some(maximum), optimum, saves: scarce.is_some(), ..Clock::at(started) }
    }

    /// A clock without a limit.
    fn at(started: Instant) -> Clock {
        let (budget, gap) = (Duration::ZERO, Duration::ZERO);
        // What is longer is work that was done before on the same clock.
        let delay = started.elapsed().min(RESERVE_MAX);
        let looked = started.elapsed();
        Clock { started, budget, maximum: None, optimum: None, saves: false, delay, looked, gap }
    }

    /// Time since the clock started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search must end now.
    pub fn is_over(&self) -> bool {
        self.end().is_some_and(|end| self.elapsed() >= end)
    }

    /// The same, for a search that asks at short intervals: what lies between two questions and is no work is waiting.
    pub fn tick(&mut self) -> bool {
        if self.maximum.is_none() {
            return false;
        }
        let now = self.elapsed();
        self.gap = self.gap.max(now.saturating_sub(self.looked));
        self.looked = now;
        self.end().is_some_and(|end| now >= end)
    }

    /// When the search must end, after what has been seen of the machine so far. The answer has to wake one thread to
    /// be written and another process to be read. Where there is no time at all, none is kept back.
    fn end(&self) -> Option<Duration> {
        if self.budget <= 2 * EMERGENCY {
            return self.maximum;
        }
        let waiting = (2 * self.delay + self.gap).min(self.budget / WAITING_PART);
        let early = self.budget.saturating_sub(RESERVE_MIN + waiting);
        self.maximum.map(|maximum| maximum.min(early).max(maximum / 2))
    }

    /// Whether starting another iteration is worth it. `settled` says how sure the search is of its move: 1 for the
    /// usual share of the time, less when the best move has been stable for long, more when it has just changed.
    ///
    /// Time that cannot be saved for later moves is used up: an iteration that is cut short still helps if it has
    /// found a better move by then.
    pub fn allows_iteration(&self, settled: f64) -> bool {
        let (Some(optimum), Some(maximum)) = (self.optimum, self.maximum) else { return true };
        if !self.saves {
            return !self.is_over();
        }
        // The next iteration takes about as long as all before it together, and is useless when it is cut short
        // before its first move is through.
        self.elapsed() < optimum.mul_f64(settled).min(maximum.mul_f64(0.85))
    }

    /// Time until a search that means to leave something for later moves should end; `None` without a limit.
    pub fn planned(&self) -> Option<Duration> {
        let planned = self.optimum?.saturating_sub(self.elapsed());
        self.remaining().map(|most| planned.min(most))
    }

    /// Time until the search must end; `None` without a limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.end().map(|end| end.saturating_sub(self.elapsed()))
    }

    /// Whether there is a time limit at all.
    pub fn is_limited(&self) -> bool {
        self.maximum.is_some()
    }
}

/// The most that the move may take by the clock's rules; `None` without a clock.
fn hard_budget(limits: &Limits) -> Option<Duration> {
    // The increment comes after the move, so it cannot be spent in it: a quarter of what is there stays in any case.
    let of_game = limits.time_left.map(|left| (left / LEAST_MOVES + limits.increment).min(left * 3 / 4));
    let budget = match (limits.turn, of_game) {
        (None, None) => return None,
        (Some(turn), None) => turn,
        (None, Some(share)) => share,
        (Some(turn), Some(share)) => turn.min(share),
    };
    Some(budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(turn: Option<u64>, left: Option<u64>) -> (u128, u128) {
        millis_with(turn, left, 0)
    }

    fn millis_with(turn: Option<u64>, left: Option<u64>, increment: u64) -> (u128, u128) {
        let limits = Limits {
            turn: turn.map(Duration::from_millis),
            time_left: left.map(Duration::from_millis),
            increment: Duration::from_millis(increment),
            ..Limits::default()
        };
        let clock = Clock::new(&limits);
        (clock.optimum.unwrap().as_millis(), clock.maximum.unwrap().as_millis())
    }

    #[test]
    fn a_move_never_plans_beyond_its_limit() {
        for turn in [20, 50, 200, 500, 5_000, 300_000] {
            for left in [None, Some(100), Some(5_000), Some(180_000), Some(100_000_000)] {
                let (optimum, maximum) = millis(Some(turn), left);
                assert!(optimum <= maximum);
                assert!(maximum < u128::from(turn), "turn {turn} left {left:?}: {maximum}");
                assert!(left.is_none_or(|left| maximum <= u128::from(left).max(10)));
            }
        }
    }

    #[test]
    fn no_time_still_gives_an_answer_at_once() {
        for (turn, left) in
            [(Some(0), None), (Some(0), Some(100_000)), (Some(5_000), Some(0)), (Some(1), None)]
        {
            let (_, maximum) = millis(turn, left);
            assert!((1..=10).contains(&maximum), "{turn:?} {left:?}: {maximum}");
        }
    }

    #[test]
    fn the_game_clock_is_spread_over_the_game() {
        // Gomocup fast game: 5 s a move, 120 s a game. Spending 5 s each would end after 24 moves.
        let (optimum, maximum) = millis(Some(5_000), Some(120_000));
        assert!(optimum <= 120_000 / 22 && maximum < 5_000);
        // But not saved up either: forty moves must not leave half of it.
        assert!(optimum >= 120_000 / 80);
        // So are questions that consist of several searches: by the plan, not by the most that a move may take.
        let limits = Limits { time_left: Some(Duration::from_secs(120)), ..Limits::default() };
        let (planned, most) =
            (Clock::new(&limits).planned().unwrap(), Clock::new(&limits).remaining().unwrap());
        assert!(planned <= Duration::from_secs(120) / 22 && planned < most, "{planned:?} {most:?}");
        // Ample: use the turn.
        let (optimum, maximum) = millis(Some(200), Some(100_000));
        assert_eq!(optimum, maximum);
        // Nine tenths into a move of 5 s no other iteration begins if what it leaves can be used later.
        for (left, again) in [(None, true), (Some(1_000), true), (Some(120), false)] {
            let limits = Limits {
                turn: Some(Duration::from_secs(5)),
                time_left: left.map(Duration::from_secs),
                started: Instant::now().checked_sub(Duration::from_millis(4_500)),
                ..Limits::default()
            };
            assert_eq!(Clock::new(&limits).allows_iteration(1.0), again, "{left:?}");
        }
    }

    #[test]
    fn an_increment_is_used_but_never_before_it_has_come() {
        for left in [0, 20, 1_000, 60_000] {
            for increment in [100, 3_000, 60_000] {
                for turn in [None, Some(5_000), Some(60_000)] {
                    let (optimum, maximum) = millis_with(turn, Some(left), increment);
                    let most = u128::from(left) * 3 / 4;
                    assert!(
                        optimum <= maximum && maximum <= most.max(5),
                        "{turn:?} {left} {increment}: {maximum}"
                    );
                }
            }
        }
        let (with, without) = (millis_with(None, Some(60_000), 2_000).0, millis(None, Some(60_000)).0);
        assert_eq!(with - without, 1_500);
    }

    /// The end of a move of 60 ms that the machine let wait this long, in ms, before and within the search.
    fn end_after(delay: u64, gap: u64) -> u128 {
        let [delay, gap] = [delay, gap].map(Duration::from_millis);
        let turn = Some(Duration::from_millis(60));
        let clock = Clock::new(&Limits { turn, ..Limits::default() });
        Clock { delay, gap, ..clock }.end().unwrap().as_millis()
    }

    #[test]
    fn a_search_that_is_kept_waiting_ends_earlier() {
        // A sixth is kept back in any case, which covers small delays.
        assert_eq!(end_after(0, 0), 50);
        assert_eq!(end_after(1, 5), 50);
        // 60 − 3 − 2·4 − 8.
        assert_eq!(end_after(4, 8), 41);
        // Not more than a third beyond.
        assert_eq!((end_after(30, 0), end_after(0, 900)), (37, 37));
    }

    #[test]
    fn waiting_is_noticed_between_two_looks_at_the_clock() {
        let mut clock = Clock::new(&Limits { turn: Some(Duration::from_millis(600)), ..Limits::default() });
        assert!(!clock.tick());
        std::thread::sleep(Duration::from_millis(20));
        clock.tick();
        assert!(clock.gap >= Duration::from_millis(20));
        let longest = clock.gap;
        clock.tick();
        assert!(clock.gap >= longest);
        // No limit, no looks.
        assert!(!Clock::new(&Limits::default()).tick());
    }

    #[test]
    fn without_limits_there_is_no_clock() {
        let clock = Clock::new(&Limits::default());
        assert!(!clock.is_limited() && !clock.is_over() && clock.allows_iteration(1.0));
    }
}
