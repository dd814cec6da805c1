//! The settings that `INFO` lines change. They outlive games: `START` and `RESTART` leave them alone.

use std::time::Instant;

use crate::control::Limits;
use crate::engine::Strength;
use crate::types::Rule;
use crate::wire::{Info, InfoKey, InfoValue};

use super::clock::Clock;
use super::error::SessionError;

/// Everything the manager has asked for.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) clock: Clock,
    /// `INFO rule`, as it was sent: an unsupported value must not be answered on the spot.
    rule: i64,
    depth: Option<u32>,
    nodes: Option<u64>,
    threads: usize,
    memory: Option<u64>,
    /// Size of the table in bytes, where the manager sets it.
    table: Option<u64>,
    detail: i64,
    half_proxy: bool,
    /// From 0 to 100.
    strength: i64,
    strength_seed: i64,
    /// Whether to think on the opponent's time.
    pub(super) pondering: bool,
    /// The manager speaks the Yixin dialect, in which rule 2 is renju.
    pub(super) yixin: bool,
}

impl Options {
    pub(super) fn new() -> Options {
        Options {
            clock: Clock::default(),
            rule: Rule::Freestyle.info_value(),
            depth: None,
            nodes: None,
            threads: 1,
            memory: None,
            table: None,
            detail: 0,
            half_proxy: false,
            strength: 100,
            strength_seed: 0,
            pondering: false,
            yixin: false,
        }
    }

    /// Takes a setting over. What has no effect here is accepted all the same.
    pub(super) fn set(&mut self, info: &Info) {
        let value = match &info.value {
            &InfoValue::Number(value) => value,
            InfoValue::Text(text) => return self.set_text(info.key, text),
        };
        match info.key {
            InfoKey::TimeoutTurn => self.clock.set_turn(value),
            InfoKey::TimeoutMatch => self.clock.set_match(value),
            InfoKey::TimeLeft => self.clock.set_left(value),
            InfoKey::TimeIncrement => self.clock.set_increment(value),
            InfoKey::Rule => self.rule = value,
            InfoKey::MaxDepth => self.depth = positive(value).map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
            InfoKey::MaxNode => self.nodes = positive(value),
            InfoKey::ThreadNum => self.threads = usize::try_from(value.max(1)).unwrap_or(usize::MAX),
            InfoKey::MaxMemory => self.memory = positive(value),
            InfoKey::HashSize => self.table = Some(u64::try_from(value).unwrap_or(0).saturating_mul(1 << 10)),
            InfoKey::Pondering | InfoKey::AutoPondering => self.pondering = value > 0,
            InfoKey::Strength => self.strength = value,
            InfoKey::StrengthSeed => self.strength_seed = value,
            InfoKey::ShowDetail => self.detail = value,
            _ => {}
        }
    }

    fn set_text(&mut self, key: InfoKey, text: &str) {
        if key == InfoKey::HalfProxy {
            self.half_proxy = text.trim().eq_ignore_ascii_case("random");
        }
    }

    /// The rule to play.
    pub(super) fn rule(&self) -> Result<Rule, SessionError> {
        if self.yixin && self.rule == 2 {
            return Ok(Rule::Renju);
        }
        Rule::from_info(self.rule).ok_or(SessionError::Rule(self.rule))
    }

    /// The limits of a search whose command arrived at `started`.
    pub(super) fn limits(&self, started: Instant) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, ..self.clock.limits(started, self.yixin) }
    }

    /// Search threads, at least 1; the engine knows the most.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Memory limit in bytes; `None` for the engine's default.
    pub(super) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Whether to play the half-stone rule without knowing it.
    pub(super) fn half_proxy(&self) -> bool {
        self.half_proxy
    }

    /// How strongly to play.
    pub(super) fn strength(&self) -> Strength {
        Strength::new(self.strength, self.strength_seed.cast_unsigned())
    }

    /// Limit of the table in bytes; `None` for what the memory limit allows.
    pub(super) fn table(&self) -> Option<u64> {
        self.table
    }

    /// Whether the manager reads `INFO` lines about the search.
    pub(super) fn details(&self) -> bool {
        self.detail & 2 != 0
    }

    /// Whether the manager marks the search's progress on its board.
    pub(super) fn realtime(&self) -> bool {
        self.detail & 1 != 0
    }
}

/// Zero and below mean "no limit".
fn positive(value: i64) -> Option<u64> {
    u64::try_from(value).ok().filter(|&n| n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(settings: &[(InfoKey, i64)]) -> Options {
        let mut options = Options::new();
        for &(key, value) in settings {
            options.set(&Info { key, value: InfoValue::Number(value) });
        }
        options
    }

    #[test]
    fn rule_two_is_renju_in_the_yixin_dialect_only() {
        let mut options = with(&[(InfoKey::Rule, 2)]);
        assert_eq!(options.rule(), Err(SessionError::Rule(2)));
        options.yixin = true;
        assert_eq!(options.rule(), Ok(Rule::Renju));
        assert_eq!(with(&[(InfoKey::Rule, 32)]).rule(), Ok(Rule::HalfStone));
        assert!(with(&[(InfoKey::Rule, -1)]).rule().is_err());
    }

    #[test]
    fn the_half_stone_is_forgotten_on_request_only() {
        let mut options = Options::new();
        for (text, expected) in [("random", true), ("off", false), (" RANDOM ", true), ("", false)] {
            options.set(&Info { key: InfoKey::HalfProxy, value: InfoValue::Text(text.to_owned()) });
            assert_eq!(options.half_proxy(), expected, "{text:?}");
        }
    }

    #[test]
    fn limits_of_zero_and_below_are_none() {
        let limits = |depth, nodes| {
            let options = with(&[(InfoKey::MaxDepth, depth), (InfoKey::MaxNode, nodes)]);
            let limits = options.limits(Instant::now());
            (limits.depth, limits.nodes)
        };
        assert_eq!(limits(4, 2_000), (Some(4), Some(2_000)));
        assert_eq!(limits(0, -1), (None, None));
        assert_eq!(limits(i64::MAX, i64::MAX), (Some(u32::MAX), Some(i64::MAX as u64)));
        assert_eq!(with(&[(InfoKey::ThreadNum, -4)]).threads(), 1);
        assert_eq!(with(&[(InfoKey::MaxMemory, 0)]).memory(), None);
        assert_eq!(with(&[(InfoKey::MaxMemory, i64::MIN)]).memory(), None);
    }
}
