//! Playing below full strength: what is never overlooked, that chance can be repeated, and that weaker is weaker only.

use std::collections::BTreeSet;
use std::sync::mpsc::channel;

use halfstone::control::Limits;
use halfstone::engine::{Answer, Engine, Event, Strength, Task};
use halfstone::game::{GameRecord, parse_moves};
use halfstone::rules::Position;
use halfstone::types::{Move, Rule, Size};

use crate::dialogue::Dialogue;
use crate::support::move_names;

fn game(rule: Rule, moves: &str) -> GameRecord {
    let mut game = GameRecord::new(rule, Size::STANDARD);
    parse_moves(moves, Size::STANDARD).unwrap().into_iter().for_each(|mv| game.push(mv));
    game
}

/// The move of a new engine, and the first move of the line that it reported last.
fn answer(game: &GameRecord, strength: Strength, nodes: u64) -> (Move, Move) {
    let mut engine = Engine::new();
    engine.set_strength(strength);
    engine.set_max_memory(Some(20 << 20));
    let (sender, events) = channel();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let handle = engine.go(game, &Task::BestMove { lines: 1 }, limits, move |event| {
        sender.send(event).unwrap();
    });
    let mut told = None;
    let mut best = None;
    for event in events {
        match event {
            Event::Report(report) => told = report.pv.first().copied(),
            Event::Done(Answer::Moves(moves)) => best = moves.first().copied(),
            other => panic!("{other:?}"),
        }
    }
    handle.join();
    (best.unwrap(), told.unwrap())
}

/// The moves of a level with many seeds.
fn moves(game: &GameRecord, level: i64, seeds: u64) -> BTreeSet<String> {
    let played = (0..seeds).map(|seed| answer(game, Strength::new(level, seed), 2_000).0);
    played.flat_map(|mv| move_names([mv], game.size())).collect()
}

#[test]
fn fives_are_never_missed_from_level_ten_on() {
    // Black to move: an own four e8-h8, closed at d8; and White's, closed at d8 as well. (Under caro j8 stops it, too.)
    let own = "e8 d8 f8 a1 g8 c1 h8 e1";
    let theirs = "d8 e8 a1 f8 c1 g8 e1 h8";
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        for moves_so_far in [own, theirs] {
            let game = game(rule, moves_so_far);
            for level in [10, 30] {
                assert_eq!(moves(&game, level, 30), BTreeSet::from(["i8".to_owned()]), "{rule} {level}");
            }
        }
    }
    // Below, one in five to six.
    for moves_so_far in [own, theirs] {
        assert!(moves(&game(Rule::Freestyle, moves_so_far), 5, 40).len() > 1);
    }
}

#[test]
fn chance_can_be_repeated_and_full_strength_has_none() {
    let game = game(Rule::Freestyle, "h8 i9 i8 g8 h9");
    for level in [0, 50, 99, 100] {
        let once = |seed| answer(&game, Strength::new(level, seed), 3_000);
        assert_eq!(once(4), once(4), "level {level}");
    }
    let full = answer(&game, Strength::default(), 3_000);
    assert!((0..5).all(|seed| answer(&game, Strength::new(100, seed), 3_000) == full));
    let (weak, middling) = (moves(&game, 0, 30).len(), moves(&game, 75, 30).len());
    assert!(weak > middling && weak > 2, "{weak} different moves at level 0, {middling} at 75");
}

#[test]
fn weak_moves_are_legal_in_every_rule_and_the_last_line_told_is_theirs() {
    for rule in Rule::ALL {
        let mut game = game(rule, "h8 i9");
        for seed in 0..30 {
            let position = Position::from_record(&game).unwrap();
            if position.status().is_over() {
                break;
            }
            let (played, told) = answer(&game, Strength::new(5, seed), 500);
            assert!(position.check(played).is_ok(), "{rule}: {played:?}");
            assert_eq!(played, told, "{rule}");
            game.push(played);
        }
    }
}

#[test]
fn managers_set_the_strength() {
    let mut session = Dialogue::game(0, 15);
    session.send("INFO STRENGTH 20\nINFO pondering 1\nINFO timeout_turn 2000000\nTURN 7,7");
    let text = session.message("rule freestyle");
    assert!(text.contains("strength 20"), "{text}");
    // No clock, and yet an answer: few nodes are looked at.
    let first = session.mv();
    for (settings, same) in [("INFO strength_seed 0", true), ("INFO strength 100\nINFO max_node 500", false)]
    {
        session.send(&format!("{settings}\nRESTART\nTURN 7,7"));
        session.expect("OK");
        let again = session.mv();
        assert!(!same || first == again, "{first} {again}");
    }
    session.send("INFO strength -7\nRESTART\nTURN 7,7");
    session.expect("OK");
    session.message("rule freestyle size 15x15 threads 1 memory default strength 0");
    session.mv();
    session.end();
}
