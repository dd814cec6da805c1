//! The sequential probability ratio test: is the first engine stronger by `elo1`, or only by `elo0`?
//!
//! The generalised test of Van den Bergh, as fishtest and fastchess run it: the log-likelihood ratio of the two
//! distributions of outcomes that fit the counts best, one under each hypothesis. Outcomes that were never seen count
//! as a thousandth. The logistic model asks for a mean score (Elo as rating lists have it); the normalised one for a
//! mean in units of the standard deviation, which does not change with the share of draws or the balance of openings.
//!
//! The best fit with a given mean is p = f / (1 + x (a − mean)) ("Comments on normalised Elo" and "MLE for multinomial
//! distributions", both by Van den Bergh); for a given t-value the same is iterated on the linearised condition.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::statistics::{Counts, NORMALISED, Pairs, score_of_elo};

/// What the two hypotheses are stated in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Normalised Elo.
    #[default]
    Normalised,
    /// Logistic Elo.
    Logistic,
}

/// The furthest hypothesis of the normalised model. [`fit_to_t_value`] begins with an even guess,
/// from which, for pairs, its condition has no solution beyond about 231.
const MOST_NORMALISED: f64 = 200.0;

/// A test with its hypotheses and error rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Elo under H0.
    pub elo0: f64,
    /// Elo under H1.
    pub elo1: f64,
    /// How often H1 may be accepted although H0 holds.
    pub alpha: f64,
    /// How often H0 may be accepted although H1 holds.
    pub beta: f64,
    /// What Elo means.
    pub model: Model,
}

/// A description of a test that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "cannot read '{0}' (allowed: elo0=NUMBER,elo1=NUMBER with elo0 < elo1, for model=normalized (the default) from \
     -200 to 200; alpha and beta between 0 and 0.5; model=normalized or logistic)"
)]
pub struct SprtError(pub String);

/// Where a test stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// More games are needed.
    #[default]
    Continue,
    /// The first engine is not stronger.
    H0,
    /// The first engine is stronger.
    H1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decision::Continue => "undecided",
            Decision::H0 => "H0 accepted",
            Decision::H1 => "H1 accepted",
        })
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// `elo0=0,elo1=5`, and perhaps `alpha=`, `beta=` and `model=`.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let bad = |part: &str| SprtError(part.to_owned());
        let mut sprt =
            Sprt { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: Model::default() };
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(|| bad(part))?;
            let number = || value.parse::<f64>().map_err(|_| bad(part));
            match key.trim() {
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = number()?,
                "beta" => sprt.beta = number()?,
                "model" if matches!(value, "normalized" | "normalised") => sprt.model = Model::Normalised,
                "model" if value == "logistic" => sprt.model = Model::Logistic,
                _ => return Err(bad(part)),
            }
        }
        if sprt.is_sound() { Ok(sprt) } else { Err(bad(text)) }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match self.model {
            Model::Normalised => "normalized",
            Model::Logistic => "logistic",
        };
        let Sprt { elo0, elo1, alpha, beta, .. } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}

impl Sprt {
    /// Whether the test can be made: hypotheses in order and within reach of the model, rates that are rates.
    pub(super) fn is_sound(&self) -> bool {
        let elos = [self.elo0, self.elo1];
        let within_reach = match self.model {
            Model::Normalised => elos.iter().all(|elo| elo.abs() <= MOST_NORMALISED),
            Model::Logistic => elos.iter().all(|elo| elo.is_finite()),
        };
        let rates = [self.alpha, self.beta];
        within_reach && self.elo0 < self.elo1 && rates.iter().all(|&rate| rate > 0.0 && rate < 0.5)
    }

    /// The log-likelihood ratio at which H0 is accepted: ln(beta / (1 − alpha)).
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at which H1 is accepted: ln((1 − beta) / alpha).
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 against H0; 0 when nothing was counted.
    pub fn llr<const N: usize>(&self, counts: &Counts<N>) -> f64 {
        if counts.total() == 0 {
            return 0.0;
        }
        let seen: Vec<(f64, f64)> = counts
            .weighted()
            .map(|(score, count)| (score, if count == 0.0 { 1e-3 } else { count }))
            .collect();
        let n: f64 = seen.iter().map(|&(_, count)| count).sum();
        let observed: Vec<(f64, f64)> = seen.into_iter().map(|(score, count)| (score, count / n)).collect();
        let fit = |elo: f64| match self.model {
            Model::Logistic => fit_to_mean(&observed, score_of_elo(elo)),
            // A pair's mean varies by 1/√2 of a game's, so its t-value is √2 times as large.
            Model::Normalised => fit_to_t_value(&observed, elo / NORMALISED * ((N - 1) as f64 / 2.0).sqrt()),
        };
        let (p0, p1) = (fit(self.elo0), fit(self.elo1));
        let gain = observed.iter().zip(p0.iter().zip(&p1));
        n * gain.map(|(&(_, f), (p0, p1))| f * (p1 / p0).ln()).sum::<f64>()
    }

    /// Where the test stands after these pairs.
    pub fn decide(&self, pairs: &Pairs) -> Decision {
        let llr = self.llr(pairs);
        if llr >= self.upper() {
            Decision::H1
        } else if llr <= self.lower() {
            Decision::H0
        } else {
            Decision::Continue
        }
    }
}

/// The distribution with this mean under which the observed one is most likely: f / (1 + x (a − mean)), with x found
/// by bisection.
fn fit_to_mean(observed: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let highest = observed.iter().fold(f64::NEG_INFINITY, |high, &(a, _)| high.max(a));
    let lowest = observed.iter().fold(f64::INFINITY, |low, &(a, _)| low.min(a));
    let (mut low, mut high) = (-1.0 / (highest - mean), 1.0 / (mean - lowest));
    for _ in 0..200 {
        let x = f64::midpoint(low, high);
        let slope: f64 = observed.iter().map(|&(a, f)| f * (a - mean) / (1.0 + x * (a - mean))).sum();
        if slope > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = f64::midpoint(low, high);
    observed.iter().map(|&(a, f)| f / (1.0 + x * (a - mean))).collect()
}

/// The distribution under which the observed one is most likely among those whose mean lies `t` standard deviations
/// above ½. The condition is linearised around the current guess and solved as a mean; a few rounds suffice.
fn fit_to_t_value(observed: &[(f64, f64)], t: f64) -> Vec<f64> {
    const ROUNDS: usize = 50;
    let mut guess = vec![1.0 / observed.len() as f64; observed.len()];
    for _ in 0..ROUNDS {
        let mean: f64 = observed.iter().zip(&guess).map(|(&(a, _), p)| a * p).sum();
        let variance: f64 = observed.iter().zip(&guess).map(|(&(a, _), p)| (a - mean).powi(2) * p).sum();
        let sigma = variance.sqrt();
        let linear: Vec<(f64, f64)> = observed
            .iter()
            .map(|&(a, f)| (a - 0.5 - t * sigma * (1.0 + ((mean - a) / sigma).powi(2)) / 2.0, f))
            .collect();
        let next = fit_to_mean(&linear, 0.0);
        let change = next.iter().zip(&guess).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
        guess = next;
        if change < 1e-9 {
            break;
        }
    }
    guess
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64) {
        // Published to two digits.
        assert!((found - wanted).abs() <= 0.006, "{found} is not {wanted}");
    }

    fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    #[test]
    fn pairs_agree_with_fastchess() {
        use Model::{Logistic, Normalised};
        // Published in fastchess, app/tests/sprt_test.cpp; there the pairs of 1 point are given in two parts.
        for (pairs, elo0, elo1, model, llr) in [
            ([365, 16_618, 36_029 + 200, 16_974, 390], 0.0, 2.0, Normalised, 2.25),
            ([127, 4_883, 10_311 + 401, 5_150, 104], -1.75, 0.25, Normalised, 3.01),
            ([223, 9_863, 20_279 + 1_000, 10_037, 246], 0.5, 2.5, Logistic, -3.07),
            ([871, 26_175, 55_003 + 980, 26_678, 821], 0.0, 2.0, Logistic, -4.98),
        ] {
            near(sprt(elo0, elo1, model).llr(&Counts(pairs)), llr);
        }
    }

    #[test]
    fn single_games_agree_with_fastchess() {
        use Model::{Logistic, Normalised};
        for (games, elo0, elo1, model, llr) in [
            ([36_027, 68_692, 36_433], 0.0, 2.0, Normalised, 0.92),
            ([10_650, 20_431, 10_871], -1.75, 0.25, Normalised, 2.30),
            ([21_184, 40_708, 21_404], 0.5, 2.5, Logistic, -1.57),
            ([57_030, 106_593, 57_433], 0.0, 2.0, Logistic, -2.59),
        ] {
            near(sprt(elo0, elo1, model).llr(&Counts(games)), llr);
        }
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let test = sprt(0.0, 5.0, Model::Normalised);
        // ln 19.
        assert!((test.upper() - 2.944_438_979_166_44).abs() < 1e-12);
        assert!((test.lower() + 2.944_438_979_166_44).abs() < 1e-12);
        assert_eq!(test.decide(&Counts([0; 5])), Decision::Continue);
        assert_eq!(test.decide(&Counts([0, 10, 100, 300, 90])), Decision::H1);
        assert_eq!(test.decide(&Counts([90, 300, 100, 10, 0])), Decision::H0);
    }

    #[test]
    fn the_furthest_hypotheses_give_a_number_for_any_counts() {
        let test = sprt(-MOST_NORMALISED, MOST_NORMALISED, Model::Normalised);
        const KINDS: [u64; 3] = [0, 1, 20_000];
        for number in 0..3usize.pow(5) {
            let counts = Counts([1, 3, 9, 27, 81].map(|place| KINDS[number / place % 3]));
            let mirrored = Counts([4, 3, 2, 1, 0].map(|kind| counts.0[kind]));
            let llr = test.llr(&counts);
            assert!(llr.is_finite(), "{counts:?}: {llr}");
            // The hypotheses are each other's mirror image.
            assert!((llr + test.llr(&mirrored)).abs() <= 1e-6 * (1.0 + llr.abs()), "{counts:?}: {llr}");
        }
        for (elo0, elo1, allowed) in [(0, 200, true), (-201, 0, false), (0, 201, false)] {
            let text = format!("elo0={elo0},elo1={elo1}");
            let refused = text.parse::<Sprt>().err().map(|error| error.to_string());
            assert_eq!(refused.is_none(), allowed, "{text}");
            assert!(refused.is_none_or(|error| error.contains("from -200 to 200")), "{text}");
            assert!(format!("{text},model=logistic").parse::<Sprt>().is_ok(), "{text}");
        }
    }

    #[test]
    fn descriptions_are_read_and_bad_ones_quoted() {
        let test: Sprt = "elo0=0,elo1=5,alpha=0.1,model=logistic".parse().unwrap();
        assert_eq!(test, Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.1, beta: 0.05, model: Model::Logistic });
        assert_eq!(test.to_string().parse(), Ok(test));
        for bad in
            ["", "elo0=0", "elo0=5,elo1=0", "elo0=0,elo1=x", "elo0=0,elo1=5,gamma=1", "elo0=0,elo1=5,beta=2"]
        {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }
}
