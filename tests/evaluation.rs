//! The network beside the linear evaluation, on vector units, against the formula in integers so wide that they cannot
//! overflow.

use std::sync::Arc;

use halfstone::board::Board;
use halfstone::eval;
use halfstone::pattern::{
    ArrangedHead, CODES, HIDDEN, Head, LANES, MOST_BIAS, MOST_CODE, MOST_HIDDEN, Network, PointTable,
    SideWeights, Weights,
};
use halfstone::types::{Color, Move, Rule, Size};

use crate::support::random::Rng;

/// A number up to `most`, up or down, often at the bound.
fn number(rng: &mut Rng, most: i32) -> i32 {
    match rng.below(6) {
        0 => most,
        1 => -most,
        _ => (rng.below(2 * most as usize + 1) as i64 - i64::from(most)) as i32,
    }
}

fn random_head(rng: &mut Rng) -> Head {
    let mut head = Network::ZERO.head;
    let hidden = head.hidden.iter_mut().flatten();
    hidden.for_each(|weight| *weight = number(rng, MOST_HIDDEN.into()) as i16);
    head.bias.iter_mut().for_each(|bias| *bias = number(rng, MOST_BIAS));
    head.output.iter_mut().for_each(|weight| *weight = number(rng, i16::MAX.into()) as i16);
    head.output_bias = number(rng, i32::MAX);
    head
}

/// The formula of `pattern::network`, in numbers wide enough for anything, rounded down where it says so.
fn slow_value(head: &Head, us: &[i32; LANES], them: &[i32; LANES]) -> i128 {
    let inputs: Vec<i128> =
        us.iter().chain(them).map(|&sum| i128::from(sum.div_euclid(4)).min(8_191)).collect();
    let unit = |k: usize| {
        let sum: i128 = (0..2 * LANES).map(|i| i128::from(head.hidden[k][i]) * inputs[i]).sum();
        (sum + i128::from(head.bias[k])).max(0) / 256
    };
    let sum: i128 = (0..HIDDEN).map(|k| i128::from(head.output[k]) * unit(k)).sum();
    (sum + i128::from(head.output_bias)).div_euclid(8_192)
}

#[test]
fn the_layers_after_the_sums_do_not_overflow_and_follow_the_formula() {
    let mut rng = Rng::new(51);
    // The largest board, every point with the largest vector.
    let most = 22 * 22 * 2 * i32::from(MOST_CODE);
    for _ in 0..20_000 {
        let head = random_head(&mut rng);
        let mut sums = [(); 2].map(|()| [(); LANES].map(|()| number(&mut rng, most).abs()));
        if rng.percent(50) {
            sums = sums.map(|sum| sum.map(|lane| lane % 2_000));
        }
        let expected = slow_value(&head, &sums[0], &sums[1]);
        let expected = expected.clamp(i32::MIN.into(), i32::MAX.into());
        assert_eq!(i128::from(ArrangedHead::new(&head).value(&sums[0], &sums[1])), expected);
    }
}

#[test]
fn a_network_worked_out_by_hand() {
    let mut head = Network::ZERO.head;
    // Unit 0 is one where the mover's lane 3 is 1,024; unit 1 counts the other's lane 0 beyond 512.
    head.hidden[0][3] = 256;
    head.hidden[1][LANES] = 256;
    head.bias[1] = -128 * 256;
    head.output[0] = 3_200;
    head.output[1] = -32;
    let value = |us: i32, them: i32| {
        let (mut ours, mut theirs) = ([0; LANES], [0; LANES]);
        (ours[3], theirs[0]) = (us, them);
        ArrangedHead::new(&head).value(&ours, &theirs)
    };
    assert_eq!(value(0, 0), 0);
    // 1,024 / 4 × 256 / 256 × 3,200 / 8,192
    assert_eq!(value(1_024, 512), 100);
    // 512 more make (1,024 / 4 − 128) × −32 / 8,192, half a unit, rounded down.
    assert_eq!(value(0, 1_024), -1);
    assert_eq!(value(1_024, 1_024), 99);
}

#[test]
fn the_evaluation_is_the_linear_one_and_the_networks() {
    let mut rng = Rng::new(52);
    let mut side = |values: i16| {
        let mut network = Network::ZERO;
        let codes = network.own.iter_mut().chain(&mut network.theirs).flatten();
        codes.for_each(|number| *number = rng.below(61) as i16 - 30);
        network.head = random_head(&mut rng);
        network.head.output.iter_mut().for_each(|weight| *weight /= 2_000);
        network.head.output_bias = 0;
        network.head.hidden.iter_mut().flatten().for_each(|weight| *weight /= 64);
        network.head.bias.iter_mut().for_each(|bias| *bias /= 10_000);
        SideWeights { values: [values; CODES], network: Some(Arc::new(network)), ..SideWeights::ZERO }
    };
    let weights = Weights { after: [side(1), side(2)], in_hand: [side(3), side(4)] };
    let linear = |side: &SideWeights| SideWeights { network: None, ..side.clone() };
    let plain = Weights {
        after: weights.after.each_ref().map(linear),
        in_hand: weights.in_hand.each_ref().map(linear),
    };
    let mut differ = 0;
    for rule in [Rule::Freestyle, Rule::Renju, Rule::HalfStone] {
        let board =
            |weights| Board::with_points(rule, Size::STANDARD, Arc::new(PointTable::new(rule, weights)));
        let (mut board, mut plain) = (board(&weights), board(&plain));
        for ply in 0..40 {
            let us = board.side_to_move();
            let network = weights.side(board.half_in_hand(), us).network.as_ref().expect("it was put there");
            let beside = slow_value(&network.head, board.pooled(us), board.pooled(!us));
            let expected = (i128::from(eval::evaluate(&plain)) + beside).clamp(-6_000, 6_000);
            assert_eq!(i128::from(eval::evaluate(&board)), expected);
            assert_eq!(plain.pooled(Color::Black), &[0; LANES]);
            differ += usize::from(beside != 0);
            let cells: Vec<_> = board.candidates().collect();
            let cell = rng.pick(&cells).expect("the board is not full");
            let mv = if board.half_in_hand() && ply == 20 { Move::half(cell) } else { Move::stone(cell) };
            board.make(mv);
            plain.make(mv);
        }
    }
    assert!(differ > 60, "{differ} positions in which the networks say something");
}
