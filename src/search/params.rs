//! The numbers of the search in one list: name, default, range and a line of why.
//!
//! Depths are in plies, reductions in 1/1024 plies, scores in evaluation units. The list is what `tuning/` varies
//! and what `INFO tune` sets, so that any of them can be switched off and measured without another build.

use once_cell::sync::Lazy;
use thiserror::Error;

use crate::types::{Depth, Score};

/// One number of the search, as a tuner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value unless set otherwise.
    pub default: i32,
    /// The least value that makes sense.
    pub least: i32,
    /// The greatest value that makes sense.
    pub most: i32,
    /// A change that is worth trying.
    pub step: i32,
}

/// Defines the structure, its defaults and the list from one table, so that they cannot drift apart.
macro_rules! parameters {
    ($($(#[$doc:meta])+ $name:ident = $default:literal in $least:literal..=$most:literal by $step:literal;)+) => {
        /// The numbers of the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])+ pub $name: i32,)+
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)+ }
            }
        }

        impl Parameters {
            /// Every number, in the order of the table.
            pub const LIST: &'static [Parameter] = &[
                $(Parameter {
                    name: stringify!($name),
                    default: $default,
                    least: $least,
                    most: $most,
                    step: $step,
                },)+
            ];

            /// The number with this name, to read or to change.
            fn slot(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

parameters! {
    /// Whether scores from the transposition table end a search; its moves are used in any case.
    table_cutoffs = 1 in 0..=1 by 1;
    /// Deepest node at which razoring is tried.
    razor_depth = 2 in 0..=6 by 1;
    /// How far below the window an evaluation must be for razoring.
    razor_base = 90 in 0..=400 by 20;
    /// The same, for each ply of depth.
    razor_slope = 80 in 0..=300 by 15;
    /// Deepest node at which the static null move is tried.
    static_null_depth = 8 in 0..=16 by 1;
    /// How far above the window an evaluation must be for the static null move.
    static_null_base = 0 in -200..=200 by 15;
    /// The same, for each ply of depth.
    static_null_slope = 60 in 20..=200 by 8;
    /// Shallowest node that is searched less deeply for want of a table move.
    iir_depth = 4 in 2..=99 by 1;
    /// Shallowest node that is searched less deeply because it stands far above the window; 99 switches it off.
    fail_high_depth = 3 in 2..=99 by 1;
    /// How far above the window that is, for each ply of depth.
    fail_high_slope = 15 in 0..=200 by 4;
    /// Deepest reduced search below which a quiet move must promise to reach the window; −1 switches it off.
    futility_depth = 6 in -1..=12 by 1;
    /// The most that a quiet move is expected to add.
    futility_base = 90 in 0..=400 by 15;
    /// The same, for each ply that it would be searched to.
    futility_slope = 70 in 10..=250 by 10;
    /// Moves that even the shallowest node looks at before the rest counts as late; 999 switches it off.
    late_base = 5 in 2..=999 by 1;
    /// How the number of moves grows with depth^1.6, in hundredths.
    late_slope = 150 in 5..=600 by 15;
    /// Late-move reduction before its corrections.
    lmr_base = 307 in -1024..=2048 by 100;
    /// How it grows with the product of the logarithms of depth and move number; 0 with a base of 0 switches it off.
    lmr_slope = 819 in 0..=2048 by 60;
    /// Added to the reduction where the static evaluation has not risen since the mover's last turn.
    lmr_not_improving = 1024 in -512..=3072 by 128;
    /// Taken off on the principal variation.
    lmr_pv = 1024 in -512..=3072 by 128;
    /// Taken off for moves that make or take a three or four.
    lmr_threat = 1024 in -512..=3072 by 128;
    /// Added where a null-window search is expected to fail high.
    lmr_cut = 0 in -512..=3072 by 128;
    /// Taken off for each 1,000 points of history.
    lmr_history = 333 in 0..=1500 by 40;
    /// Added for each point by which a move promises less than the best one (about 40 of them make it e times less
    /// likely).
    lmr_gap = 15 in 0..=100 by 4;
    /// The most that is added so.
    lmr_gap_most = 2400 in 0..=6000 by 200;
    /// A quiet move that promises this much less than the best one is not searched; 9999 switches it off.
    gap_base = 9999 in 0..=9999 by 10;
    /// The same, for each ply that it would be searched to.
    gap_slope = 25 in 0..=100 by 3;
    /// The depth that is left to a reduced move at least.
    lmr_floor = 1 in 0..=3 by 1;
    /// Shallowest node at which a table move is tested for being the only good one; 99 switches it off.
    singular_depth = 99 in 4..=99 by 1;
    /// How far below the table score the others must stay, for each ply of depth, in sixteenths.
    singular_margin = 48 in 1..=320 by 8;
    /// How much further below for a second ply; 9999 switches it off.
    singular_double = 9999 in 0..=9999 by 20;
    /// Points of history that weigh as much as one of promise in the order of moves.
    order_history = 64 in 8..=512 by 8;
    /// What a killer move is worth in the order of moves.
    order_killer = 60 in 0..=400 by 15;
    /// What a counter-move is worth in the order of moves.
    order_counter = 40 in 0..=400 by 15;
    /// Moves at the root that are searched to full depth before reductions begin; 999 switches these off.
    root_full = 3 in 1..=999 by 1;
    /// Positions that a leaf's search for a win by fours may look at; 0 switches it off.
    leaf_nodes = 100 in 0..=2000 by 40;
    /// Shallowest node at which the opponent's win by fours after a pass is looked for; 99 switches it off.
    pass_depth = 99 in 1..=99 by 1;
    /// Positions that this search may look at.
    pass_nodes = 200 in 10..=5000 by 50;
    /// Nodes that the solver of threats may use on the best line, in percent of all; 0 switches it off.
    prove_share = 0 in 0..=50 by 4;
    /// Whether a loss with the half stone in hand counts as proven although not every place for it was tried.
    half_losses = 0 in 0..=1 by 1;
    /// Half-width of the first aspiration window.
    aspiration = 25 in 5..=200 by 5;
}

/// Why a number was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParameterError {
    /// No number has this name.
    #[error("no parameter is called `{0}`")]
    Unknown(String),
    /// The text is not `NAME=INTEGER`.
    #[error("`{0}` is not NAME=INTEGER")]
    Syntax(String),
    /// The value is outside the range that makes sense.
    #[error("{name} must be {least} to {most}, not {value}")]
    Range {
        /// The number.
        name: &'static str,
        /// Its least value.
        least: i32,
        /// Its greatest value.
        most: i32,
        /// What was asked for.
        value: i32,
    },
}

impl Parameters {
    /// Everything that approximates switched off: the score of a search to a fixed depth is then that of plain
    /// negamax over the same moves. Slow, and what the search is tested against.
    pub fn plain() -> Parameters {
        Parameters {
            table_cutoffs: 0,
            razor_depth: 0,
            static_null_depth: 0,
            iir_depth: 99,
            fail_high_depth: 99,
            futility_depth: -1,
            late_base: 999,
            lmr_base: 0,
            lmr_slope: 0,
            lmr_not_improving: 0,
            lmr_gap: 0,
            lmr_cut: 0,
            lmr_history: 0,
            gap_base: 9_999,
            singular_depth: 99,
            root_full: 999,
            pass_depth: 99,
            prove_share: 0,
            ..Parameters::default()
        }
    }

    /// The value of a number.
    pub fn get(&self, name: &str) -> Option<i32> {
        let mut copy = *self;
        copy.slot(name).copied()
    }

    /// Sets a number.
    ///
    /// # Errors
    /// [`ParameterError`] if there is no such number or the value is out of its range; nothing changes then.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        let unknown = || ParameterError::Unknown(name.to_owned());
        let &Parameter { name, least, most, .. } =
            Parameters::LIST.iter().find(|parameter| parameter.name == name).ok_or_else(unknown)?;
        if !(least..=most).contains(&value) {
            return Err(ParameterError::Range { name, least, most, value });
        }
        *self.slot(name).ok_or_else(unknown)? = value;
        Ok(())
    }

    /// Sets the numbers of a text `NAME=VALUE;NAME=VALUE…`.
    ///
    /// # Errors
    /// As [`Parameters::set`]; nothing changes then.
    pub fn set_all(&mut self, text: &str) -> Result<(), ParameterError> {
        let mut copy = *self;
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let syntax = || ParameterError::Syntax(part.to_owned());
            let (name, value) = part.split_once('=').ok_or_else(syntax)?;
            copy.set(name.trim(), value.trim().parse().map_err(|_| syntax())?)?;
        }
        *self = copy;
        Ok(())
    }

    pub(super) fn razor(&self, depth: Depth) -> Score {
        self.razor_base + self.razor_slope * depth
    }

    pub(super) fn static_null(&self, depth: Depth, improving: bool) -> Score {
        self.static_null_base + self.static_null_slope * (depth - Depth::from(improving))
    }

    pub(super) fn futility(&self, reduced: Depth) -> Score {
        self.futility_base + self.futility_slope * reduced.max(0)
    }

    /// How many moves a node looks at: the rest come too late to matter.
    pub(super) fn late_move_limit(&self, depth: Depth, improving: bool) -> usize {
        /// 256 × depth^1.6.
        static GROWTH: Lazy<[i32; DEPTHS]> =
            Lazy::new(|| std::array::from_fn(|depth| (256.0 * (depth as f64).powf(1.6)) as i32));
        let limit = self.late_base + self.late_slope * GROWTH[slot(depth)] / 25_600;
        (if improving { limit } else { (limit / 2).max(3) }) as usize
    }

    /// Late-move reduction before its corrections: grows with the logarithms of depth and move number.
    pub(super) fn reduction(&self, depth: Depth, index: usize) -> i32 {
        /// 256 × ln n.
        static LN: Lazy<[i32; MOVES]> =
            Lazy::new(|| std::array::from_fn(|n| (256.0 * (n.max(1) as f64).ln()) as i32));
        self.lmr_base + self.lmr_slope * LN[slot(depth)] / 256 * LN[(index + 1).min(MOVES - 1)] / 256
    }
}

const DEPTHS: usize = 64;
const MOVES: usize = 128;

fn slot(depth: Depth) -> usize {
    (depth.max(0) as usize).min(DEPTHS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_within_their_ranges_and_names_differ() {
        let parameters = Parameters::default();
        for (i, parameter) in Parameters::LIST.iter().enumerate() {
            assert_eq!(parameters.get(parameter.name), Some(parameter.default));
            assert!((parameter.least..=parameter.most).contains(&parameter.default), "{parameter:?}");
            assert!(Parameters::LIST[..i].iter().all(|other| other.name != parameter.name));
        }
    }

    #[test]
    fn a_bad_setting_is_named_and_changes_nothing() {
        let mut parameters = Parameters::default();
        let before = parameters;
        let mut refused = |text: &str| {
            let error = parameters.set_all(text).unwrap_err().to_string();
            assert_eq!(parameters, before);
            error
        };
        assert_eq!(refused("razor_base=100;speed=3"), "no parameter is called `speed`");
        assert_eq!(refused("razor_base"), "`razor_base` is not NAME=INTEGER");
        assert_eq!(refused("razor_base=x"), "`razor_base=x` is not NAME=INTEGER");
        assert_eq!(refused("aspiration=0"), "aspiration must be 5 to 200, not 0");
        parameters.set_all(" razor_base = 100 ; aspiration=30;").unwrap();
        assert_eq!((parameters.razor_base, parameters.aspiration), (100, 30));
    }
}
