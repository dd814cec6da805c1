//! What a match says about strength: counts of games and of pairs, Elo with its error, likelihood of superiority.
//!
//! Outcomes are counted, worst first: three kinds of single games (loss, draw, win), or five kinds of pairs of games in
//! which an opening is played with both colours (0, ½, 1, 1½, 2 points). The two games of a pair are not independent,
//! and pairs vary less than single games would: so pairs are counted wherever there are enough (Van den Bergh, "A
//! practical introduction to the GSPRT"; the same in fishtest and fastchess).

/// 95 % of a normal distribution lie within so many standard deviations.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;
/// Normalised Elo for one standard deviation of a single game: 800 / ln 10.
pub(super) const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// The score that a difference in logistic Elo makes one expect: 1 / (1 + 10^(-elo/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in logistic Elo behind an expected score; infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Adding zero turns -0 into 0.
        -400.0 * (1.0 / score - 1.0).log10() + 0.0
    }
}

/// Counts of outcomes of `N` kinds, worst first, spread evenly over scores from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize>(pub [u64; N]);

/// Losses, draws, wins.
pub type Games = Counts<3>;
/// Pairs of games with 0, ½, 1, 1½, 2 points.
pub type Pairs = Counts<5>;

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Counts([0; N])
    }
}

impl<const N: usize> Counts<N> {
    /// How many outcomes were counted.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts one outcome by the points it is worth, in units of the smallest step.
    pub fn add(&mut self, kind: usize) {
        if let Some(count) = self.0.get_mut(kind) {
            *count += 1;
        }
    }

    /// Each kind's score from 0 to 1, with its count.
    pub(super) fn weighted(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.0.iter().enumerate().map(|(i, &count)| (i as f64 / (N - 1) as f64, count as f64))
    }

    /// Mean and variance of the score; `None` when nothing was counted.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let n = self.total() as f64;
        if n == 0.0 {
            return None;
        }
        let mean = self.weighted().map(|(score, count)| score * count).sum::<f64>() / n;
        let variance = self.weighted().map(|(score, count)| count * (score - mean).powi(2)).sum::<f64>() / n;
        Some((mean, variance))
    }

    /// Strength as these counts show it; `None` when nothing was counted.
    pub fn estimate(&self) -> Option<Estimate> {
        let (score, variance) = self.moments()?;
        let elo = elo_of_score(score);
        // All outcomes equal: nothing to measure an error by.
        if variance <= 1e-12 {
            let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
            return Some(Estimate { score, elo, low, high, error: None, los: None, normalised: None });
        }
        let sigma = (variance / self.total() as f64).sqrt();
        let low = elo_of_score(score - TWO_SIDED_95 * sigma);
        let high = elo_of_score(score + TWO_SIDED_95 * sigma);
        let error = Some((high - low) / 2.0).filter(|error| error.is_finite());
        let los = Some(normal_cdf((score - 0.5) / sigma));
        // A pair's mean has half the variance of a single game's score.
        let games = (N - 1) as f64 / 2.0;
        let per_game = (variance * games).sqrt();
        let normalised = Some((
            (score - 0.5) / per_game * NORMALISED,
            TWO_SIDED_95 * NORMALISED / (games * self.total() as f64).sqrt(),
        ));
        Some(Estimate { score, elo, low, high, error, los, normalised })
    }
}

/// What counts of outcomes say about a difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Share of the points, 0 to 1.
    pub score: f64,
    /// Difference in logistic Elo; infinite when one side took every point.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// Half its width; `None` when it is infinite or cannot be given.
    pub error: Option<f64>,
    /// Likelihood of superiority, 0 to 1; `None` when all outcomes were equal.
    pub los: Option<f64>,
    /// Normalised Elo and its 95 % error: the mean in standard deviations of a game, times 800 / ln 10.
    pub normalised: Option<(f64, f64)>,
}

/// The standard normal distribution function.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// The complementary error function: its Taylor series near zero, its continued fraction further out (Abramowitz and
/// Stegun 7.1.6 and 7.1.14). Good to about twelve digits.
fn erfc(x: f64) -> f64 {
    let z = x.abs();
    let tail = if z < 2.5 {
        let (mut term, mut sum) = (z, z);
        let mut n = 0.0;
        while term > 1e-17 * sum {
            n += 1.0;
            term *= 2.0 * z * z / (2.0 * n + 1.0);
            sum += term;
        }
        1.0 - 2.0 / std::f64::consts::PI.sqrt() * (-z * z).exp() * sum
    } else {
        let fraction = (1..=60).rev().fold(z, |below, k| z + f64::from(k) / 2.0 / below);
        (-z * z).exp() / std::f64::consts::PI.sqrt() / fraction
    };
    if x < 0.0 { 2.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64, within: f64) {
        assert!((found - wanted).abs() <= within, "{found} is not {wanted}");
    }

    #[test]
    fn the_normal_distribution_agrees_with_its_tables() {
        // Abramowitz and Stegun, table 26.1.
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (1.96, 0.975_002_104_851_780),
            (3.0, 0.998_650_101_968_370),
            (4.0, 0.999_968_328_758_167),
        ] {
            near(normal_cdf(x), p, 1e-12);
            near(normal_cdf(-x), 1.0 - p, 1e-12);
        }
    }

    #[test]
    fn elo_and_score_are_each_others_inverse() {
        near(elo_of_score(0.75), 190.848_501_887_865, 1e-9);
        near(score_of_elo(100.0), 0.640_064_999_811_4, 1e-9);
        assert_eq!((elo_of_score(0.5), elo_of_score(1.0)), (0.0, f64::INFINITY));
        for elo in [-700.0, -3.0, 0.0, 250.0] {
            near(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
    }

    #[test]
    fn single_games_agree_with_fastchess() {
        // Published in fastchess, app/tests/elo_test.cpp: wins 136, losses 96, draws 111.
        let found = Counts([96, 111, 136]).estimate().unwrap();
        near(found.elo, 40.70, 0.01);
        near(found.error.unwrap(), 30.43, 0.01);
        near(found.los.unwrap(), 0.9960, 5e-5);
        let (normalised, error) = found.normalised.unwrap();
        near(normalised, 49.77, 0.01);
        near(error, 36.77, 0.01);
        // Wins 76, losses 89, draws 123.
        let found = Counts([89, 123, 76]).estimate().unwrap();
        near(found.normalised.unwrap().0, -20.76, 0.01);
        near(found.los.unwrap(), 0.1553, 5e-5);
    }

    #[test]
    fn pairs_agree_with_fastchess() {
        // As above: pairs 34, 54, 31 + 32, 64, 75 and 332, 433, 457 + 41, 333, 334.
        for (pairs, elo, error, normalised, los) in [
            ([34, 54, 63, 64, 75], 55.58, 27.65, (57.94, 28.28), 0.99997),
            ([332, 433, 498, 333, 334], -8.64, 10.33, (-9.17, 10.96), 0.0505),
            ([7_895, 8_757, 5_685, 568, 9_999], -21.04, 2.95, (-19.01, 2.65), 0.0),
        ] {
            let found = Counts(pairs).estimate().unwrap();
            near(found.elo, elo, 0.01);
            near(found.error.unwrap(), error, 0.01);
            near(found.normalised.unwrap().0, normalised.0, 0.01);
            near(found.normalised.unwrap().1, normalised.1, 0.01);
            near(found.los.unwrap(), los, 5e-5);
        }
    }

    #[test]
    fn one_sided_and_empty_counts_claim_no_error() {
        assert_eq!(Counts([0, 0, 0]).estimate(), None);
        let won = Counts([0, 0, 7]).estimate().unwrap();
        assert_eq!((won.elo, won.low, won.error, won.los), (f64::INFINITY, f64::NEG_INFINITY, None, None));
        let drawn = Counts([0, 0, 9, 0, 0]).estimate().unwrap();
        assert_eq!((drawn.score, drawn.elo, drawn.error), (0.5, 0.0, None));
        // By hand: 1 loss, 9 wins; mean 0.9, sigma 0.3 / sqrt 10; the upper end lies beyond 1.
        let found = Counts([1, 0, 9]).estimate().unwrap();
        near(found.low, elo_of_score(0.9 - TWO_SIDED_95 * 0.3 / 10f64.sqrt()), 1e-9);
        assert_eq!((found.high, found.error), (f64::INFINITY, None));
    }
}
