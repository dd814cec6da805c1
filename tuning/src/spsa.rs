//! SPSA over the numbers of the search (J. Spall, "Implementation of the simultaneous perturbation algorithm for
//! stochastic optimization", 1998), in the form that chess engines use.
//!
//! Pair k of N, counted from 1, moves all numbers θ at once by ±c, up or down by the toss of a coin for each, and lets
//! the two sets of numbers play a pair of games. With r the first set's wins minus its losses, −2 to 2,
//!
//! * c = step · (N / k)^0.101: the perturbation, which ends at the number's step;
//! * R = rate · ((A + N) / (A + k))^0.602 · (k / N)^0.202 with A = N / 10: the gain, which ends at the rate;
//! * θ ← θ ± R · c · r, with the sign of its coin, kept within the number's range.
//!
//! Played values are whole: a fraction is rounded up as often as it is large, for both sets alike. Some pairs (a
//! *batch*) are played from the same θ, so that they can be played at once; what comes out depends on the size of a
//! batch and the seed, never on the number of threads.
//!
//! The state is a text, rewritten as a whole after every batch: the first line has a magic word and the version, the
//! last one a CRC-32 of all bytes before it. In between: what was asked for, what was played, and one line per number
//! with its name, start, step and present value.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result, bail, ensure};
use halfstone::arena::{Counts, Games};
use halfstone::search::{Parameter, Parameters};
use halfstone::types::{Rule, Size};

use crate::crew;
use crate::duel::{self, Pair, Terms};
use crate::files;
use crate::rng::Rng;
use crate::selfplay::{Desk, Player};

const MAGIC: &str = "halfstone-spsa";
const VERSION: u32 = 2;
/// Exponents of the perturbation and of the gain.
const GAMMA: f64 = 0.101;
const ALPHA: f64 = 0.602;
/// The part of all pairs by which the gain is held down at the beginning.
const STABILITY: f64 = 0.1;

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Rule, board and seed.
    pub terms: Terms,
    /// Nodes per move.
    pub nodes: u32,
    /// Checksum of the weights that both sides judge by.
    pub weights: u32,
    /// Checksum of all numbers of the search as they are before any is varied.
    pub base: u32,
    /// Pairs of games in all, at least 1.
    pub pairs: u64,
    /// Pairs that are played from the same values, at least 1.
    pub batch: u64,
    /// The gain at the end; 0.002 is usual.
    pub rate: f64,
    /// The numbers that are varied.
    pub numbers: Vec<Number>,
}

/// A number that is varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Which.
    pub parameter: &'static Parameter,
    /// Where it starts.
    pub start: i32,
    /// How far it is moved at the end.
    pub step: f64,
}

impl Number {
    /// A number by its name, with its present value as the start and the step of the list.
    ///
    /// # Errors
    /// If there is no such number.
    pub fn new(name: &str, present: &Parameters) -> Result<Number> {
        let parameter = Parameters::LIST.iter().find(|parameter| parameter.name == name);
        let parameter = parameter.with_context(|| format!("no parameter is called `{name}`"))?;
        let start = present.get(name).unwrap_or(parameter.default);
        Ok(Number { parameter, start, step: parameter.step.into() })
    }
}

/// A checksum over the numbers of a search, those included that are not tuned.
pub fn checksum(parameters: &Parameters) -> u32 {
    let values = Parameters::LIST.iter().map(|parameter| (parameter.name, parameters.get(parameter.name)));
    crc32fast::hash(format!("{:?}", values.collect::<Vec<_>>()).as_bytes())
}

/// How far a run has come.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What was asked for.
    pub setup: Setup,
    /// Pairs that were played.
    pub done: u64,
    /// The games of the sets that were moved one way against those moved the other way.
    pub games: Games,
    /// The numbers, in the order of the setup.
    pub values: Vec<f64>,
}

/// The two sets of numbers of a pair, and which way each number was moved for the first.
struct Perturbed {
    sets: [Parameters; 2],
    signs: Vec<f64>,
}

impl State {
    /// The beginning.
    pub fn new(setup: Setup) -> State {
        let values = setup.numbers.iter().map(|number| number.start.into()).collect();
        State { setup, done: 0, games: Games::default(), values }
    }

    /// The perturbation of a number and the gain for pair `k`, counted from 1.
    fn schedule(&self, k: u64, step: f64) -> (f64, f64) {
        let (k, n) = (k as f64, self.setup.pairs as f64);
        let a = STABILITY * n;
        let perturbation = step * (n / k).powf(GAMMA);
        let gain = self.setup.rate * ((a + n) / (a + k)).powf(ALPHA) * (k / n).powf(2.0 * GAMMA);
        (perturbation, gain)
    }

    /// The sets of numbers that play pair `k`, on top of `base`.
    fn perturbed(&self, base: &Parameters, k: u64) -> Result<Perturbed> {
        let mut rng = Rng::new(!self.setup.terms.seed, k);
        let mut sets = [*base; 2];
        let mut signs = Vec::new();
        for (number, &value) in self.setup.numbers.iter().zip(&self.values) {
            let Parameter { name, least, most, .. } = *number.parameter;
            let (perturbation, _) = self.schedule(k, number.step);
            let sign = if rng.percent(50) { 1.0 } else { -1.0 };
            let fraction = rng.below(1 << 20) as f64 / f64::from(1 << 20);
            for (set, sign) in sets.iter_mut().zip([sign, -sign]) {
                let moved = (value + sign * perturbation + fraction).floor();
                set.set(name, moved.clamp(least.into(), most.into()) as i32)?;
            }
            signs.push(sign);
        }
        Ok(Perturbed { sets, signs })
    }

    /// Learns from pair `k`.
    fn learn(&mut self, k: u64, signs: &[f64], pair: &Pair) {
        let won = pair.half_points as f64 - 2.0;
        for (i, number) in self.setup.numbers.iter().enumerate() {
            let (perturbation, gain) = self.schedule(k, number.step);
            let (least, most) = (number.parameter.least.into(), number.parameter.most.into());
            self.values[i] = (self.values[i] + signs[i] * gain * perturbation * won).clamp(least, most);
        }
        pair.results.iter().for_each(|&result| self.games.add(result));
        self.done += 1;
    }

    /// Plays the next batch on some threads, and learns from it. Both sides are `player` but for the numbers.
    ///
    /// # Errors
    /// If a player broke the rules.
    pub fn batch(&mut self, player: &Player, threads: usize) -> Result<()> {
        let first = self.done + 1;
        let count = self.setup.batch.min(self.setup.pairs - self.done);
        let results = Mutex::new(vec![None; count as usize]);
        crew::share(
            threads,
            count as usize,
            || Desk::new(player.nodes),
            |desk, i| {
                let k = first + i as u64;
                let Perturbed { sets, signs } = self.perturbed(&player.parameters, k)?;
                let [plus, minus] = sets.map(|parameters| Player { parameters, ..player.clone() });
                let pair = duel::pair(desk, &self.setup.terms, k, [&plus, &minus])?;
                results.lock().expect("nothing here panics")[i] = Some((signs, pair));
                Ok(())
            },
        )?;
        let results = results.into_inner().expect("nothing here panics");
        for (k, (signs, pair)) in (first..).zip(results.into_iter().flatten()) {
            self.learn(k, &signs, &pair);
        }
        Ok(())
    }

    /// Whether all pairs were played.
    pub fn is_finished(&self) -> bool {
        self.done >= self.setup.pairs
    }

    /// The numbers as `NAME=VALUE;NAME=VALUE…`, for `INFO tune`.
    pub fn answer(&self) -> String {
        let numbers = self.setup.numbers.iter().zip(&self.values);
        let numbers =
            numbers.map(|(number, value)| format!("{}={}", number.parameter.name, value.round() as i32));
        numbers.collect::<Vec<_>>().join(";")
    }

    /// One line on how far things are.
    pub fn line(&self) -> String {
        let [minus, draws, plus] = self.games.0;
        let mut line = format!("{} of {} pairs, +{plus} ={draws} -{minus}:", self.done, self.setup.pairs);
        for (number, value) in self.setup.numbers.iter().zip(&self.values) {
            // Writing to a string cannot fail.
            let _ = write!(line, " {}={value:.2}", number.parameter.name);
        }
        line
    }

    /// Writes the state, in place of an older one.
    ///
    /// # Errors
    /// If it cannot be written; the old one is there then.
    pub fn save(&self, path: &Path) -> Result<()> {
        files::replace(path, self.to_text().as_bytes())
    }

    /// Reads a state.
    ///
    /// # Errors
    /// If it cannot be read, is of another kind or version, is damaged, or has numbers that this search does not.
    pub fn load(path: &Path) -> Result<State> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        State::from_text(&bytes).with_context(|| format!("{}", path.display()))
    }

    fn to_text(&self) -> String {
        let Setup { terms, nodes, weights, base, pairs, batch, rate, numbers } = &self.setup;
        let [minus, draws, plus] = self.games.0;
        let mut text = format!(
            "{MAGIC} {VERSION}\nrule {}\nsize {}\nseed {}\nnodes {nodes}\nweights {weights:08x}\n\
             base {base:08x}\npairs {pairs}\nbatch {batch}\nrate {rate}\ndone {}\ngames {minus} {draws} {plus}\n",
            terms.rule, terms.size, terms.seed, self.done
        );
        for (number, value) in numbers.iter().zip(&self.values) {
            let _ =
                writeln!(text, "number {} {} {} {value}", number.parameter.name, number.start, number.step);
        }
        let _ = writeln!(text, "crc32 {:08x}", crc32fast::hash(text.as_bytes()));
        text
    }

    fn from_text(bytes: &[u8]) -> Result<State> {
        let version = bytes.strip_prefix(MAGIC.as_bytes()).context("not a state of spsa")?;
        let version = version.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let version = String::from_utf8_lossy(version);
        let version: u32 = version.trim().parse().context("not a state of spsa")?;
        ensure!(version == VERSION, "version {version} of a state; this program reads version {VERSION}");
        let text = std::str::from_utf8(bytes).context("damaged: not a text")?;
        let (body, last) = text
            .strip_suffix('\n')
            .and_then(|text| text.rfind('\n'))
            .map(|end| text.split_at(end + 1))
            .context("cut off")?;
        let checksum =
            last.trim_end().strip_prefix("crc32 ").context("cut off: it does not end in a checksum")?;
        ensure!(
            checksum == format!("{:08x}", crc32fast::hash(body.as_bytes())),
            "damaged: the checksum does not fit"
        );
        let mut lines = Lines(body.lines().skip(1));
        let terms = Terms {
            rule: lines.value::<Rule>("rule")?,
            size: Size::new(lines.value("size")?)?,
            seed: lines.value("seed")?,
        };
        let nodes = lines.value("nodes")?;
        let weights = u32::from_str_radix(lines.field("weights")?, 16).context("in `weights`")?;
        let base = u32::from_str_radix(lines.field("base")?, 16).context("in `base`")?;
        let (pairs, batch, rate) = (lines.value("pairs")?, lines.value("batch")?, lines.value("rate")?);
        let done = lines.value("done")?;
        let games: Vec<u64> = lines
            .field("games")?
            .split(' ')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .context("in `games`")?;
        let games = Counts(games.try_into().ok().context("`games` has not three counts")?);
        let (mut numbers, mut values) = (Vec::new(), Vec::new());
        for line in lines.0 {
            let line = named(line, "number")?;
            let [name, start, step, value] = line.split(' ').collect::<Vec<_>>()[..] else {
                bail!("`{line}` is not a number with its start, step and value");
            };
            let number = Number {
                start: start.parse()?,
                step: step.parse()?,
                ..Number::new(name, &Parameters::default())?
            };
            let (value, range): (f64, _) = (value.parse()?, number.parameter.least..=number.parameter.most);
            let within = f64::from(*range.start())..=f64::from(*range.end());
            ensure!(
                range.contains(&number.start) && within.contains(&value),
                "`{line}` is outside {range:?}"
            );
            ensure!(number.step.is_finite() && number.step >= 0.0, "`{line}` has no step");
            numbers.push(number);
            values.push(value);
        }
        ensure!(f64::is_finite(rate), "the rate is {rate}");
        ensure!(pairs > 0 && batch > 0 && done <= pairs, "damaged: {done} of {pairs} pairs, {batch} at once");
        let setup = Setup { terms, nodes, weights, base, pairs, batch, rate, numbers };
        Ok(State { setup, done, games, values })
    }
}

/// The lines of a state after the first.
struct Lines<'a>(std::iter::Skip<std::str::Lines<'a>>);

impl<'a> Lines<'a> {
    /// What the next line says after its name.
    fn field(&mut self, name: &str) -> Result<&'a str> {
        named(self.0.next().with_context(|| format!("`{name}` is missing"))?, name)
    }

    fn value<T: std::str::FromStr>(&mut self, name: &str) -> Result<T> {
        let text = self.field(name)?;
        text.parse().ok().with_context(|| format!("`{text}` is no {name}"))
    }
}

fn named<'a>(line: &'a str, name: &str) -> Result<&'a str> {
    let (found, rest) = line.split_once(' ').unwrap_or((line, ""));
    ensure!(found == name, "`{line}` where `{name}` is expected");
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(names: &[&str], pairs: u64) -> State {
        let present = Parameters::default();
        State::new(Setup {
            terms: Terms { rule: Rule::Renju, size: Size::STANDARD, seed: 3 },
            nodes: 100,
            weights: 0xabc,
            base: 0xdef,
            pairs,
            batch: 4,
            rate: 0.02,
            numbers: names.iter().map(|name| Number::new(name, &present).unwrap()).collect(),
        })
    }

    fn text_with_checksum(body: &str) -> String {
        format!("{body}crc32 {:08x}\n", crc32fast::hash(body.as_bytes()))
    }

    #[test]
    fn perturbation_and_gain_end_where_they_were_told_to() {
        let state = state(&["razor_base"], 1_000);
        let (perturbation, gain) = state.schedule(1_000, 20.0);
        assert!((perturbation - 20.0).abs() < 1e-9 && (gain - 0.02).abs() < 1e-9);
        // Both as Spall writes them: c / k^gamma, and a / (A + k)^alpha divided by the square of the former.
        let (perturbation, gain) = state.schedule(10, 20.0);
        let c = 20.0 * 1_000f64.powf(0.101);
        let a = 0.02 * 20.0 * 20.0 * 1_100f64.powf(0.602);
        assert!((perturbation - c / 10f64.powf(0.101)).abs() < 1e-9);
        assert!((gain - a / 110f64.powf(0.602) / perturbation.powi(2)).abs() < 1e-9);
    }

    #[test]
    fn both_sets_lie_around_the_values_and_within_the_ranges() {
        let mut state = state(&["razor_base", "static_null_depth"], 100);
        state.values = vec![100.4, 15.9];
        let base = Parameters { lmr_base: 1, ..Parameters::default() };
        for k in 1..=100 {
            let Perturbed { sets: [plus, minus], signs } = state.perturbed(&base, k).unwrap();
            let (perturbation, _) = state.schedule(k, 20.0);
            let apart = f64::from(plus.razor_base - minus.razor_base);
            assert!((apart - 2.0 * signs[0] * perturbation).abs() < 1.0);
            assert!((f64::from(plus.razor_base + minus.razor_base) / 2.0 - 100.4).abs() < 1.5);
            assert!(plus.static_null_depth.max(minus.static_null_depth) <= 16);
            assert_eq!((plus.lmr_base, minus.lmr_base), (1, 1));
        }
    }

    #[test]
    fn values_go_where_games_are_won() {
        // A made-up game that the set nearer to 150 and 120 wins.
        let mut state = state(&["razor_base", "razor_slope"], 4_000);
        for k in 1..=4_000 {
            let Perturbed { sets, signs } = state.perturbed(&Parameters::default(), k).unwrap();
            let miss = sets.map(|set| (set.razor_base - 150).pow(2) + (set.razor_slope - 120).pow(2));
            let pair = match miss[0].cmp(&miss[1]) {
                std::cmp::Ordering::Less => Pair { half_points: 4, results: [2, 2], moves: 0 },
                std::cmp::Ordering::Equal => Pair { half_points: 2, results: [1, 1], moves: 0 },
                std::cmp::Ordering::Greater => Pair::default(),
            };
            state.learn(k, &signs, &pair);
        }
        assert!(state.is_finished());
        assert!((state.values[0] - 150.0).abs() < 20.0, "{}", state.line());
        assert!((state.values[1] - 120.0).abs() < 15.0, "{}", state.line());
        assert!(state.answer().starts_with("razor_base=1") && state.answer().contains(";razor_slope=1"));
    }

    #[test]
    fn states_round_trip() {
        let mut state = state(&["razor_base", "late_slope"], 7);
        state.values = vec![0.1 + 0.2, 5.0 + 1e-7];
        state.done = 3;
        state.games = Counts([1, 2, 3]);
        assert_eq!(State::from_text(state.to_text().as_bytes()).unwrap(), state);
    }

    #[test]
    fn damaged_and_foreign_states_are_refused_with_the_reason() {
        let good = state(&["razor_base"], 7).to_text();
        let refused = |bytes: &[u8]| format!("{:#}", State::from_text(bytes).unwrap_err());
        for length in 0..good.len() {
            refused(&good.as_bytes()[..length]);
        }
        for at in 0..good.len() {
            let mut bytes = good.clone().into_bytes();
            bytes[at] ^= 1;
            refused(&bytes);
        }
        assert_eq!(refused(b""), "not a state of spsa");
        assert_eq!(refused(b"HSGAMES\0"), "not a state of spsa");
        assert!(refused(good.replacen('2', "1", 1).as_bytes()).contains("version 1"));
        assert!(refused(good.replacen("size 15", "size 16", 1).as_bytes()).contains("checksum"));
        assert!(refused(&good.as_bytes()[..good.len() - 20]).contains("cut off"));
        // Whole, but with what cannot be.
        let body = &good[..good.rfind("crc32").unwrap()];
        let changed = |from: &str, to: &str| {
            assert!(body.contains(from));
            refused(text_with_checksum(&body.replacen(from, to, 1)).as_bytes())
        };
        assert!(changed("razor_base", "speed").contains("no parameter is called `speed`"));
        assert!(changed("rule renju", "rule chess").contains("chess"));
        assert!(changed("pairs", "peers").contains("`pairs` is expected"));
        assert!(changed("done 0", "done 8").contains("8 of 7"));
        assert!(changed("games 0 0 0", "games 0 0").contains("three counts"));
    }
}
