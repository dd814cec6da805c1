//! The language of `checks.txt`.

use super::GROUPS;
use crate::wire::Point;

/// A check: a short dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// The group that it belongs to.
    pub group: String,
    /// What is required.
    pub title: String,
    /// The dialogue.
    pub steps: Vec<Step>,
}

/// What a line may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// `OK`.
    Ok,
    /// `ERROR …`.
    Error,
    /// `UNKNOWN …`.
    Unknown,
    /// A stone on an empty point.
    Move,
    /// A stone or the half stone on an empty point.
    Half,
    /// So many different empty points on one line.
    Points(usize),
    /// `SWAP`.
    Swap,
    /// `FORBID ….`
    Forbid,
    /// `name="…"`.
    About,
}

/// One step of a dialogue. Times are in ms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send a line.
    Send(String),
    /// Send bytes.
    Raw(Vec<u8>),
    /// Begin a game: rule, size, time for a move.
    New(i64, usize, u64),
    /// A line of one of these kinds within the time.
    Expect(Vec<Wanted>, u64),
    /// No line for so long.
    Silent(u64),
    /// `ABOUT` is answered, and nothing else is said.
    Alive,
    /// The process ends in time.
    Exit(u64),
    /// The engine's input ends.
    Close,
    /// Wait.
    Sleep(u64),
    /// Memory stays below so many MiB.
    Memory(u64),
    /// So many short games.
    Games(usize),
    /// The next move is not this point.
    Not(Point),
}

/// Reads a file of checks; the error names the line.
pub(super) fn parse(text: &str) -> Result<Vec<Check>, String> {
    let mut checks: Vec<Check> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_end();
        let bad = |what: &str| format!("checks, line {}: {what}: {line}", number + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(head) = line.strip_prefix('[') {
            checks.push(parse_head(head).ok_or_else(|| bad("no head"))?);
            continue;
        }
        let check = checks.last_mut().ok_or_else(|| bad("a step before the first check"))?;
        check.steps.push(parse_step(line).ok_or_else(|| bad("no step"))?);
    }
    Ok(checks)
}

/// `name] group: title`
fn parse_head(head: &str) -> Option<Check> {
    let (name, rest) = head.split_once(']')?;
    let (group, title) = rest.split_once(':')?;
    let group = group.trim();
    GROUPS.iter().find(|(known, ..)| *known == group)?;
    Some(Check {
        name: name.to_owned(),
        group: group.to_owned(),
        title: title.trim().to_owned(),
        steps: Vec::new(),
    })
}

fn parse_step(line: &str) -> Option<Step> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let words: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = || rest.trim().parse().ok();
    Some(match (word, words.as_slice()) {
        (">", _) => Step::Send(rest.to_owned()),
        ("raw", _) => Step::Raw(unescape(rest)?),
        ("long", _) => Step::Raw(vec![b'x'; usize::try_from(number()?).ok()?]),
        ("new", [rule, size, turn]) => Step::New(rule.parse().ok()?, size.parse().ok()?, turn.parse().ok()?),
        ("<", [kinds, ms]) => {
            let kinds: Option<Vec<Wanted>> = kinds.split('|').map(wanted).collect();
            Step::Expect(kinds?, ms.parse().ok()?)
        }
        ("silent", _) => Step::Silent(number()?),
        ("alive", []) => Step::Alive,
        ("exit", _) => Step::Exit(number()?),
        ("close", []) => Step::Close,
        ("sleep", _) => Step::Sleep(number()?),
        ("memory", _) => Step::Memory(number()?),
        ("games", _) => Step::Games(usize::try_from(number()?).ok()?),
        ("not", [point]) => {
            let (x, y) = point.split_once(',')?;
            Step::Not(Point { x: x.parse().ok()?, y: y.parse().ok()? })
        }
        _ => return None,
    })
}

fn wanted(word: &str) -> Option<Wanted> {
    Some(match word {
        "ok" => Wanted::Ok,
        "error" => Wanted::Error,
        "unknown" => Wanted::Unknown,
        "move" => Wanted::Move,
        "half" => Wanted::Half,
        "two" => Wanted::Points(2),
        "three" => Wanted::Points(3),
        "swap" => Wanted::Swap,
        "forbid" => Wanted::Forbid,
        "about" => Wanted::About,
        _ => return None,
    })
}

/// Text with `\r \n \t \0 \\ \xFF` as bytes.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match (byte, byte == b'\\') {
            (byte, false) => byte,
            _ => match rest.next()? {
                b'r' => b'\r',
                b'n' => b'\n',
                b't' => b'\t',
                b'0' => 0,
                b'\\' => b'\\',
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                _ => return None,
            },
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_checks_are_sound() {
        let checks = super::super::checks().unwrap();
        assert!(checks.len() > 60);
        let names: HashSet<_> = checks.iter().map(|check| &check.name).collect();
        assert_eq!(names.len(), checks.len());
        for (group, ..) in GROUPS {
            assert!(checks.iter().any(|check| check.group == group), "{group} is empty");
        }
        assert!(checks.iter().all(|check| check.steps.len() > 1 && !check.title.is_empty()));
    }

    #[test]
    fn broken_data_is_named_by_line() {
        assert_eq!(parse("[a] start: x\n> B\n\nfoo 1").unwrap_err(), "checks, line 4: no step: foo 1");
        assert!(parse("[a] nothing: x").is_err() && parse("> B").is_err());
        assert_eq!(unescape(r"a\0\xff\\\r").unwrap(), b"a\0\xff\\\r");
    }
}
