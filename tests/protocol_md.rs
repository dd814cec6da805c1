//! The example sessions of `protocol.md`, played against the engine.

use std::time::Duration;

use crate::dialogue::{Dialogue, points};

/// The fenced `session` blocks, each with the number of its first line.
fn sessions(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut sessions = Vec::new();
    let mut open: Option<(usize, Vec<&str>)> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line) {
            (None, "```session") => open = Some((number + 2, Vec::new())),
            (Some(_), "```") => sessions.extend(open.take()),
            (Some((_, lines)), _) => lines.push(line),
            (None, _) => {}
        }
    }
    assert!(open.is_none(), "a session block is not closed");
    sessions
}

fn matches(expected: &str, got: &str) -> bool {
    match expected {
        "<move>" => points(got) == Some(1),
        "<half or move>" => points(got.strip_prefix("HALF ").unwrap_or(got)) == Some(1),
        _ => {
            if let Some(count) = expected.strip_prefix("<points ").and_then(|rest| rest.strip_suffix('>')) {
                points(got) == count.parse().ok()
            } else if let Some(start) = expected.strip_suffix("...") {
                got.starts_with(start)
            } else {
                got == expected
            }
        }
    }
}

#[test]
fn the_examples_hold() {
    let sessions = sessions(include_str!("../protocol.md"));
    assert!(sessions.len() >= 8);
    for (first, lines) in sessions {
        let mut session = Dialogue::new();
        for (i, line) in lines.into_iter().enumerate() {
            if let Some(sent) = line.strip_prefix("> ") {
                session.send(sent);
            } else if let Some(expected) = line.strip_prefix("< ") {
                let got = if expected.starts_with("MESSAGE ") {
                    session.any_line(Duration::from_secs(10)).unwrap_or_default()
                } else {
                    session.line()
                };
                assert!(matches(expected, &got), "protocol.md:{}: expected {expected}, got {got}", first + i);
            } else {
                panic!("protocol.md:{}: neither sent nor expected: {line}", first + i);
            }
        }
        session.end();
    }
}

#[test]
fn every_setting_and_no_other_is_documented() {
    let text = include_str!("../protocol.md");
    for key in halfstone::wire::InfoKey::ALL {
        assert!(text.contains(&format!("`{}`", key.name())), "protocol.md does not mention {}", key.name());
    }
}
