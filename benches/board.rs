//! How fast the board and its tables are: `cargo bench --bench board`.
//!
//! The make/undo figures are per pair, in sixteen fixed middle-game positions on 15×15 in which every candidate move is
//! made and taken back in turn.

use divan::Bencher;
use halfstone::board::{Board, Exercise};
use halfstone::pattern::Patterns;
use halfstone::types::{Color, Rule, Size};

fn main() {
    divan::main();
}

const RULES: [&str; 5] = ["freestyle", "standard", "renju", "caro", "half-stone"];

fn rule(name: &str) -> Rule {
    name.parse().expect("the names are rules")
}

fn pairs(bencher: Bencher<'_, '_>, name: &str, light: bool) {
    let mut exercise = Exercise::new(rule(name), Size::STANDARD);
    bencher.counter(divan::counter::ItemsCount::new(exercise.pairs())).bench_local(|| exercise.run(light));
}

/// All candidate moves of all positions, made and undone.
#[divan::bench(args = RULES)]
fn make_undo(bencher: Bencher<'_, '_>, name: &str) {
    pairs(bencher, name, false);
}

/// The same with light moves.
#[divan::bench(args = RULES)]
fn make_light_undo(bencher: Bencher<'_, '_>, name: &str) {
    pairs(bencher, name, true);
}

/// The tables of a rule from nothing.
#[divan::bench(args = RULES, sample_count = 10)]
fn build_tables(name: &str) -> Patterns {
    Patterns::build(rule(name))
}

/// A board with its history, as a search thread gets one.
#[divan::bench]
fn clone_board(bencher: Bencher<'_, '_>) {
    let board = Board::new(Rule::Freestyle, Size::STANDARD);
    bencher.bench(|| board.clone());
}

/// Black's forbidden points in the middle-game positions.
#[divan::bench]
fn forbidden_set(bencher: Bencher<'_, '_>) {
    let exercise = Exercise::new(Rule::Renju, Size::STANDARD);
    bencher.bench(|| exercise.boards().map(|board| board.forbidden_set().len()).sum::<usize>());
}

/// Exact defences, where there is a threat.
#[divan::bench]
fn defences(bencher: Bencher<'_, '_>) {
    let exercise = Exercise::new(Rule::Freestyle, Size::STANDARD);
    let sets = |board: &Board| Color::ALL.iter().filter_map(|&color| board.defences(color)).count();
    bencher.bench(|| exercise.boards().map(sets).sum::<usize>());
}
