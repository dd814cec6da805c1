//! Matches inside one process and SPSA, with tiny numbers of nodes.

use std::path::PathBuf;
use std::sync::Arc;

use halfstone::arena::Counts;
use halfstone::eval;
use halfstone::game::parse_moves;
use halfstone::pattern::{PointTable, Weights};
use halfstone::rules::Position;
use halfstone::search::Parameters;
use halfstone::types::{Color, Rule, Size};
use halfstone_tuning::duel::{self, Pair, Tally, Terms};
use halfstone_tuning::openings;
use halfstone_tuning::selfplay::{self, Desk, Finished, Player};
use halfstone_tuning::spsa::{Number, Setup, State};

fn player(rule: Rule, nodes: u32) -> Player {
    Player::new(eval::points(rule), nodes)
}

fn terms(rule: Rule, size: i64) -> Terms {
    Terms { rule, size: Size::new(size).unwrap(), seed: 5 }
}

#[test]
fn openings_follow_from_their_seed_and_can_be_played() {
    for rule in Rule::ALL {
        let judge = player(rule, 0);
        let draw = |seed, number| {
            let mut desk = Desk::new(1);
            openings::for_match(&mut desk, seed, number, rule, Size::STANDARD, &judge)
        };
        let opening = draw(1, 2);
        assert_eq!(opening, draw(1, 2));
        assert_ne!(opening, draw(2, 2));
        assert_ne!(opening, draw(1, 3));
        assert!((3..=7).contains(&opening.len()));
        let mut position = Position::new(rule, Size::STANDARD);
        for mv in opening {
            position.play(mv).unwrap();
        }
        assert!(!position.status().is_over());
    }
}

#[test]
fn a_player_against_itself_takes_half_of_every_pair() {
    for rule in Rule::ALL {
        let (a, b) = (player(rule, 100), player(rule, 100));
        let tally = duel::play(&terms(rule, 9), [&a, &b], 4, 1, |_| {}).unwrap();
        assert_eq!(tally.pairs.0, [0, 0, 4, 0, 0], "{rule}");
        let [losses, draws, wins] = tally.games.0;
        assert_eq!((losses, losses + draws + wins), (wins, 8), "{rule}");
    }
}

#[test]
fn the_stronger_player_wins_whatever_the_threads_and_the_order() {
    let rule = Rule::Freestyle;
    let strong = player(rule, 600);
    let mut weak = player(rule, 20);
    weak.points = Arc::new(PointTable::new(rule, &Weights::ZERO));
    let play = |players, threads| duel::play(&terms(rule, 15), players, 6, threads, |_| {}).unwrap();
    let one = play([&strong, &weak], 1);
    assert_eq!(one, play([&strong, &weak], 3));
    assert!(one.games.0[2] >= 9, "{}", one.line());
    let exchanged = play([&weak, &strong], 2);
    let mut mirrored = one.pairs.0;
    mirrored.reverse();
    assert_eq!((exchanged.pairs.0, exchanged.moves), (mirrored, one.moves));
}

#[test]
fn numbers_of_the_search_matter() {
    let rule = Rule::Freestyle;
    let mut other = player(rule, 1_000);
    other.parameters.set_all("order_history=512;order_killer=400;late_base=2;late_slope=20").unwrap();
    let usual = player(rule, 1_000);
    let tally = duel::play(&terms(rule, 15), [&other, &usual], 6, 1, |_| {}).unwrap();
    assert_ne!(tally.pairs.0, [0, 0, 6, 0, 0]);
}

#[test]
fn games_end_with_the_rules_and_not_with_a_claim() {
    let (size, mut desk) = (Size::STANDARD, Desk::new(50));
    let mut play = |moves: &str, nodes| {
        let player = player(Rule::Freestyle, nodes);
        let opening = parse_moves(moves, size).unwrap();
        selfplay::contest(&mut desk, Rule::Freestyle, size, &opening, [&player, &player])
    };
    // Black has an open four and the move.
    let won = Finished { winner: Some(Color::Black), moves: 9 };
    assert_eq!(play("h8 a1 i8 a3 j8 a5 k8 a7", 50).unwrap(), won);
    // White must block at one end, Black completes at the other; nobody needs to search for that.
    let won = Finished { winner: Some(Color::Black), moves: 9 };
    assert_eq!(play("h8 a1 i8 a3 j8 a5 k8", 50).unwrap(), won);
    // The point is taken.
    assert!(play("h8 h8", 50).is_err());
}

#[test]
fn a_tally_counts_in_the_first_players_view() {
    let mut tally = Tally::default();
    // Won with both colours; won with Black, lost with White; drawn with Black, won with White.
    for results in [[2, 2], [2, 0], [1, 2]] {
        tally.add(&Pair { half_points: results[0] + results[1], results, moves: 50 });
    }
    assert_eq!(tally.games, Counts([1, 1, 4]));
    assert_eq!(tally.pairs, Counts([0, 0, 1, 1, 1]));
    // Black took 2 + 0, 2 + 2, 1 + 0 half points of 12, and there were 150 moves in 6 games.
    assert_eq!((tally.black, tally.moves), (7, 150));
    let line = tally.line();
    // 9 half points of 12: 75 %, which is +190.8 Elo.
    assert!(line.starts_with("+4 =1 -1 of 6, Elo +190.8 ("), "{line}");
    assert!(line.ends_with("pairs 0-0-1-1-1, Black 58.3 %, 25.0 moves a game"), "{line}");
}

/// A file in the folder for temporary files, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("halfstone-contest-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn spsa_gives_the_same_whether_interrupted_and_however_many_threads() {
    let player = player(Rule::Freestyle, 300);
    let number = |(name, step)| Number { step, ..Number::new(name, &Parameters::default()).unwrap() };
    let setup = Setup {
        terms: terms(Rule::Freestyle, 15),
        nodes: 300,
        weights: 0,
        base: 0,
        pairs: 11,
        batch: 3,
        rate: 0.05,
        numbers: [("late_slope", 120.0), ("order_history", 200.0)].map(number).to_vec(),
    };
    let mut straight = State::new(setup.clone());
    while !straight.is_finished() {
        straight.batch(&player, 1).unwrap();
    }
    let scratch = Scratch::new("state");
    let mut state = State::new(setup);
    while !state.is_finished() {
        state.save(&scratch.0).unwrap();
        state = State::load(&scratch.0).unwrap();
        state.batch(&player, 2).unwrap();
    }
    assert_eq!(state, straight);
    assert_eq!((state.done, state.games.total()), (11, 22));
    assert_ne!(state.values, [150.0, 64.0], "nothing was learnt");
}
