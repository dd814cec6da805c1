//! The results in words: a line while the match runs, the table at its end, and the same as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::config::{Config, Limits};
use super::game::PlayedGame;
use super::runner::Match;
use super::statistics::{Counts, Estimate};
use super::tally::{EngineTally, Pairing, Tally};
use crate::types::{Color, Rule};

/// Games lost by misbehaviour that are told with their last lines.
const TOLD_GAMES: usize = 5;

fn name(config: &Config, engine: usize) -> &str {
    config.engines.get(engine).map_or("?", |spec| spec.name.as_str())
}

/// `+3 =1 -2`
fn score<const N: usize>(games: &Counts<N>) -> String {
    match games.0.as_slice() {
        &[losses, draws, wins] => format!("+{wins} ={draws} -{losses}"),
        counts => counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// `+12.3`, `+inf`
fn elo(value: f64) -> String {
    format!("{value:+.1}")
}

/// `Elo +12.3 ± 20.1`
fn elo_with_error(estimate: &Estimate) -> String {
    let error = estimate.error.map_or(String::new(), |error| format!(" ± {error:.1}"));
    format!("Elo {}{error}", elo(estimate.elo))
}

/// One line that says how the match stands.
pub fn live(config: &Config, tally: &Tally) -> String {
    let [pairing] = tally.pairings.as_slice() else {
        let points =
            |i: &usize| tally.engines.get(*i).and_then(|e| e.games().moments()).map_or(0.0, |(m, _)| m);
        let mut order: Vec<usize> = (0..config.engines.len()).collect();
        order.sort_by(|a, b| points(b).total_cmp(&points(a)));
        let shown = order.iter().take(4).map(|i| format!("{} {:.0} %", name(config, *i), 100.0 * points(i)));
        return shown.collect::<Vec<_>>().join(", ");
    };
    let (a, b) = (name(config, pairing.engines.0), name(config, pairing.engines.1));
    let mut line = format!("{a} {} {b}", score(&pairing.games));
    if let Some((estimate, _)) = pairing.estimate() {
        let _ = write!(line, ", {}", elo_with_error(&estimate));
    }
    if let Some(sprt) = &config.sprt {
        let llr = sprt.llr(&pairing.pairs);
        let _ = write!(line, ", LLR {llr:.2} ({:.2}, {:.2})", sprt.lower(), sprt.upper());
    }
    line
}

/// The whole report of a match.
pub fn report(contest: &Match) -> String {
    let (config, tally) = (contest.config(), contest.tally());
    let mut out = head(config) + "\n";
    if tally.pairings.len() > 1 {
        out += &standings(config, tally);
    }
    for pairing in &tally.pairings {
        out += &pairing_lines(contest, pairing);
    }
    out += &endings(&contest.state().games);
    out += "\n";
    out += &timing(config, tally);
    for (number, engine) in tally.engines.iter().enumerate() {
        out += &conduct_lines(config, number, engine);
    }
    out += &failures(config, &contest.state().games);
    out
}

/// What was played.
fn head(config: &Config) -> String {
    let names: Vec<&str> = config.engines.iter().map(|spec| spec.name.as_str()).collect();
    let rule = Rule::from_info(config.rule).map_or("?", Rule::name);
    let size = config.size;
    let limits: Vec<String> = config.engines.iter().map(|spec| limits_text(&spec.limits)).collect();
    let same = limits.windows(2).all(|pair| pair.first() == pair.last());
    let limits = if same { limits.first().cloned().unwrap_or_default() } else { "limits differ".to_owned() };
    let swap2 = if config.swap2 { ", swap2" } else { "" };
    format!("{}: {rule}, {size}x{size}{swap2}, {limits}", names.join(" against "))
}

fn limits_text(limits: &Limits) -> String {
    let Limits { turn_ms, match_ms, increment_ms, nodes, depth, threads, .. } = limits;
    let mut parts = vec![format!("{turn_ms} ms a move")];
    for (value, text) in [
        (match_ms, "ms a game"),
        (increment_ms, "ms increment"),
        (nodes, "nodes"),
        (depth, "plies"),
        (threads, "threads"),
    ] {
        if *value > 0 {
            parts.push(format!("{value} {text}"));
        }
    }
    parts.join(", ")
}

/// The order of more than two engines, by their share of the points; Elo against the field.
fn standings(config: &Config, tally: &Tally) -> String {
    let mut rows = vec![["engine", "games", "won", "drawn", "lost", "score", "Elo", "±"].map(str::to_owned)];
    let mut order: Vec<(usize, Option<Estimate>)> =
        tally.engines.iter().enumerate().map(|(i, engine)| (i, engine.games().estimate())).collect();
    let share = |estimate: &Option<Estimate>| estimate.map_or(0.0, |estimate| estimate.score);
    order.sort_by(|(_, a), (_, b)| share(b).total_cmp(&share(a)));
    for (i, estimate) in order {
        let Some(engine) = tally.engines.get(i) else { continue };
        let [losses, draws, wins] = engine.games().0;
        let error = estimate.and_then(|estimate| estimate.error);
        rows.push([
            name(config, i).to_owned(),
            (wins + draws + losses).to_string(),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            format!("{:.1} %", 100.0 * share(&estimate)),
            estimate.map_or("-".to_owned(), |estimate| elo(estimate.elo)),
            error.map_or("-".to_owned(), |error| format!("{error:.1}")),
        ]);
    }
    table(&rows) + "\n"
}

/// Two engines against each other.
fn pairing_lines(contest: &Match, pairing: &Pairing) -> String {
    let (config, tally) = (contest.config(), contest.tally());
    let (a, b) = pairing.engines;
    let mut out = String::new();
    let games = &pairing.games;
    let share = games.moments().map_or(String::new(), |(mean, _)| format!(", {:.1} %", 100.0 * mean));
    let total = games.total();
    let _ =
        writeln!(out, "{} against {}: {} of {total}{share}", name(config, a), name(config, b), score(games));
    if tally.pairings.len() == 1
        && let Some(engine) = tally.engines.get(a)
    {
        let [black, white] = &engine.by_color;
        let _ = writeln!(out, "  as Black {}, as White {}", score(black), score(white));
    }
    let Some((estimate, by_pairs)) = pairing.estimate() else { return out };
    let los = estimate.los.map_or("n/a".to_owned(), |los| format!("{:.1} %", 100.0 * los));
    let from = if by_pairs { "pairs" } else { "single games" };
    let _ = writeln!(
        out,
        "  {} (95 %: {} to {}), LOS {los}, from {from}",
        elo_with_error(&estimate),
        elo(estimate.low),
        elo(estimate.high)
    );
    if let Some((value, error)) = estimate.normalised {
        let _ = writeln!(out, "  normalised Elo {value:+.1} ± {error:.1}");
    }
    let _ = writeln!(out, "  pairs with 0, 1/2, 1, 3/2, 2 points: {}", score(&pairing.pairs));
    if let Some(sprt) = &config.sprt {
        let (llr, decision) = (sprt.llr(&pairing.pairs), contest.decision());
        let (lower, upper) = (sprt.lower(), sprt.upper());
        let when = if sprt.decide(&pairing.pairs) == decision { "" } else { " before the last games" };
        let _ = writeln!(out, "  SPRT {sprt}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {decision}{when}");
    }
    out
}

/// How often each reason ended a game.
fn endings(games: &[PlayedGame]) -> String {
    let mut counts = std::collections::BTreeMap::new();
    for game in games {
        *counts.entry(game.ending.reason).or_insert(0) += 1;
    }
    let words: Vec<String> = counts.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if words.is_empty() { String::new() } else { format!("ended by: {}\n", words.join(", ")) }
}

/// What the engines took of time and memory.
fn timing(config: &Config, tally: &Tally) -> String {
    let head = [
        "engine",
        "moves",
        "mean ms",
        "max ms",
        ">limit",
        "worst",
        ">tolerance",
        "depth",
        "nodes",
        "peak MB",
        "own MB",
        "faults",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    for (number, engine) in tally.engines.iter().enumerate() {
        let conduct = &engine.conduct;
        let mean = |sum: f64, count: u64, digits: usize| match count {
            0 => "-".to_owned(),
            count => format!("{:.digits$}", sum / count as f64),
        };
        let megabytes = |kb: u64| format!("{:.0}", kb as f64 / 1024.0);
        rows.push([
            name(config, number).to_owned(),
            conduct.moves.to_string(),
            mean(conduct.total_ms, conduct.moves, 1),
            format!("{:.1}", conduct.max_ms),
            conduct.over_limit.to_string(),
            format!("{:.1}", conduct.max_over_ms),
            conduct.over_tolerance.to_string(),
            mean(conduct.depth.0 as f64, conduct.depth.1, 1),
            mean(conduct.nodes.0 as f64, conduct.nodes.1, 0),
            megabytes(conduct.peak_kb),
            megabytes(conduct.unique_kb),
            conduct.faults.values().sum::<u64>().to_string(),
        ]);
    }
    table(&rows)
}

/// Rows in columns: the first to the left, the others to the right.
fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |i: usize| {
        rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate() {
            let width = width(i);
            let _ = if i == 0 { write!(line, "{cell:<width$}") } else { write!(line, "  {cell:>width$}") };
        }
        out += line.trim_end();
        out += "\n";
    }
    out
}

/// What one engine lost by and did wrong.
fn conduct_lines(config: &Config, number: usize, engine: &EngineTally) -> String {
    let name = name(config, number);
    let mut out = String::new();
    if !engine.lost_by.is_empty() {
        let words: Vec<String> =
            engine.lost_by.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let _ = writeln!(out, "{name} lost by: {}", words.join(", "));
    }
    if engine.over_memory > 0 {
        let limit = config.engines.get(number).map_or(0, |spec| spec.limits.max_memory);
        let _ = writeln!(out, "{name} took more than its {limit} bytes in {} games", engine.over_memory);
    }
    if engine.conduct.stderr_bytes > 0 {
        let _ = writeln!(out, "{name} wrote {} bytes to stderr", engine.conduct.stderr_bytes);
    }
    if !engine.conduct.faults.is_empty() {
        let faults = engine.conduct.faults.iter();
        let words: Vec<String> = faults.map(|(kind, count)| format!("{kind} {count}")).collect();
        let _ = writeln!(out, "{name} faults: {}", words.join(", "));
        for example in &engine.examples {
            let _ = writeln!(out, "    {example}");
        }
    }
    out
}

/// The games that were lost by misbehaviour, with the end of their dialogues.
fn failures(config: &Config, games: &[PlayedGame]) -> String {
    let failed: Vec<&PlayedGame> = games.iter().filter(|game| game.ending.reason.is_misbehaviour()).collect();
    let mut out = String::new();
    for game in failed.iter().take(TOLD_GAMES) {
        let loser = if game.ending.winner.is(Color::Black) { game.white } else { game.black };
        let _ = writeln!(out, "game {}: {} lost by {}", game.index + 1, name(config, loser), game.ending);
        for line in &game.last_lines {
            let _ = writeln!(out, "    {line}");
        }
    }
    if failed.len() > TOLD_GAMES {
        let _ = writeln!(out, "and {} more such games", failed.len() - TOLD_GAMES);
    }
    out
}

/// The results as JSON; infinite numbers become null.
pub fn summary(contest: &Match) -> Value {
    let (config, tally) = (contest.config(), contest.tally());
    let pairings: Vec<Value> = tally.pairings.iter().map(|pairing| pairing_json(contest, pairing)).collect();
    let engines: Vec<Value> = tally
        .engines
        .iter()
        .enumerate()
        .map(|(number, engine)| {
            let [black, white] = &engine.by_color;
            let lost_by =
                engine.lost_by.iter().map(|(reason, count)| (reason.name().to_owned(), json!(count)));
            json!({
                "name": name(config, number),
                "wdl": wdl(&engine.games()),
                "as_black": wdl(black),
                "as_white": wdl(white),
                "lost_by": Value::Object(lost_by.collect()),
                "conduct": engine.conduct,
                "over_memory_games": engine.over_memory,
            })
        })
        .collect();
    json!({ "games": tally.total(), "pairings": pairings, "engines": engines, "clean": tally.is_clean() })
}

fn wdl<const N: usize>(games: &Counts<N>) -> Value {
    json!(games.0.iter().rev().collect::<Vec<_>>())
}

fn pairing_json(contest: &Match, pairing: &Pairing) -> Value {
    let config = contest.config();
    let finite = |value: f64| value.is_finite().then_some(value);
    let estimate = pairing.estimate().map(|(estimate, by_pairs)| {
        json!({
            "from": if by_pairs { "pairs" } else { "games" },
            "score": estimate.score,
            "elo": finite(estimate.elo),
            "low": finite(estimate.low),
            "high": finite(estimate.high),
            "error": estimate.error,
            "los": estimate.los,
            "normalised_elo": estimate.normalised.map(|(value, _)| value),
            "normalised_error": estimate.normalised.map(|(_, error)| error),
        })
    });
    let sprt = config.sprt.map(|sprt| {
        json!({
            "test": sprt,
            "llr": sprt.llr(&pairing.pairs),
            "lower": sprt.lower(),
            "upper": sprt.upper(),
            "decision": contest.decision().to_string(),
        })
    });
    json!({
        "engines": [name(config, pairing.engines.0), name(config, pairing.engines.1)],
        "wdl": wdl(&pairing.games),
        "pairs": pairing.pairs.0,
        "estimate": estimate,
        "sprt": sprt,
    })
}
