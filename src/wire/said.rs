//! What an engine's line says, for whoever sits on the manager's side.

use super::token::{Point, clean, number, point, split_word};

/// A line from an engine, understood word by word but not yet judged by any board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// `OK`.
    Ok,
    /// A move: `x,y`, or `HALF x,y` for the half stone.
    Move {
        /// Where.
        point: Point,
        /// Whether it is the half stone.
        half: bool,
    },
    /// Several points on one line, as swap2 and balanced openings answer.
    Points(Vec<Point>),
    /// `SWAP`: the engine takes the other colour.
    Swap,
    /// `MESSAGE text`: free text for the manager's user.
    Message(String),
    /// `DEBUG text`: free text for the engine's author.
    Debug(String),
    /// `ERROR text`: a command failed.
    Error(String),
    /// `UNKNOWN text`: a command is not known.
    Unknown(String),
    /// `SUGGEST x,y`: a move that the manager shall confirm by `PLAY`.
    Suggest(Point),
    /// `FORBID …`: points forbidden to Black.
    Forbid(String),
    /// Anything else; the answer to `ABOUT` is free text and comes here.
    Other(String),
}

/// A line with the manner in which it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// What it says.
    pub said: Said,
    /// Whether every manager understands it: no blank at either end or beside the comma, words in capitals.
    pub strict: bool,
}

impl Said {
    /// Reads one line without its end. Whatever it holds, it says something.
    ///
    /// ```
    /// use halfstone::wire::{Heard, Point, Said};
    /// let centre = Said::Move { point: Point { x: 7, y: 7 }, half: false };
    /// assert_eq!(Said::parse(b"7,7"), Heard { said: centre.clone(), strict: true });
    /// assert_eq!(Said::parse(b"7,7 "), Heard { said: centre, strict: false });
    /// ```
    pub fn parse(line: &[u8]) -> Heard {
        let text = clean(line);
        let said = Said::of(&text);
        let strict = line == said.strict_form(&text).as_bytes();
        Heard { said, strict }
    }

    /// Whether this is text that may come at any time and answers nothing.
    pub fn is_chatter(&self) -> bool {
        matches!(self, Said::Message(_) | Said::Debug(_))
    }

    fn of(text: &str) -> Said {
        if let Some(point) = point(text) {
            return Said::Move { point, half: false };
        }
        let (word, rest) = split_word(text);
        let rest_point = point(rest);
        match (word.to_ascii_uppercase().as_str(), rest_point) {
            ("OK", _) if rest.is_empty() => Said::Ok,
            ("SWAP", _) if rest.is_empty() => Said::Swap,
            ("HALF", Some(point)) => Said::Move { point, half: true },
            ("SUGGEST", Some(point)) => Said::Suggest(point),
            ("ERROR", _) => Said::Error(rest.to_owned()),
            ("UNKNOWN", _) => Said::Unknown(rest.to_owned()),
            ("FORBID", _) => Said::Forbid(rest.to_owned()),
            // Managers know chatter by its capitals.
            ("MESSAGE", _) if word == "MESSAGE" => Said::Message(rest.to_owned()),
            ("DEBUG", _) if word == "DEBUG" => Said::Debug(rest.to_owned()),
            _ => match points(text) {
                Some(points) => Said::Points(points),
                None => Said::Other(text.to_owned()),
            },
        }
    }

    /// How the same thing is said so that every manager understands it.
    fn strict_form(&self, text: &str) -> String {
        match self {
            Said::Ok => "OK".to_owned(),
            Said::Swap => "SWAP".to_owned(),
            Said::Move { point, half } => format!("{}{point}", if *half { "HALF " } else { "" }),
            Said::Points(points) => {
                let words: Vec<String> = points.iter().map(ToString::to_string).collect();
                words.join(" ")
            }
            _ => text.to_owned(),
        }
    }
}

/// Two points or more, with blanks between them.
fn points(text: &str) -> Option<Vec<Point>> {
    let words: Vec<&str> = text.split_ascii_whitespace().take(65).collect();
    if words.len() < 2 || words.len() > 64 {
        return None;
    }
    words.into_iter().map(point).collect()
}

/// What a search says about itself in a `MESSAGE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// Depth of the last finished iteration.
    pub depth: Option<u32>,
    /// Nodes searched so far.
    pub nodes: Option<u64>,
    /// Evaluation of the best line, as the engine writes it: `35`, `-M7`.
    pub eval: Option<String>,
}

impl SearchInfo {
    /// Reads `depth 12-20 ev 35 n 1234K …` and `Depth 12-20 | Eval 35 | Node 1234K`; `None` for other text and for
    /// lines of play that are not the best.
    ///
    /// ```
    /// use halfstone::wire::SearchInfo;
    /// let info = SearchInfo::parse("depth 12-20 multipv 1 ev -M7 n 2K pv 7,7").unwrap();
    /// assert_eq!((info.depth, info.nodes, info.eval.as_deref()), (Some(12), Some(2_000), Some("-M7")));
    /// ```
    pub fn parse(text: &str) -> Option<SearchInfo> {
        let mut info = SearchInfo::default();
        let mut words = text.split(|c: char| c.is_whitespace() || c == '|').filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "multipv" if words.next().is_some_and(|line| line != "1") => return None,
                "depth" => {
                    info.depth = words.next().and_then(|value| value.split('-').next()?.parse().ok());
                }
                "n" | "node" | "nodes" => info.nodes = words.next().and_then(scaled),
                "ev" | "eval" => info.eval = words.next().map(|value| value.chars().take(16).collect()),
                "pv" | "bestline" => break,
                _ => {}
            }
        }
        info.depth.is_some().then_some(info)
    }

    /// The evaluation as a number; a mate in sight is ±30,000 or a little less.
    pub fn score(&self) -> Option<i64> {
        let text = self.eval.as_deref()?;
        let (sign, rest) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        match rest.strip_prefix(['M', 'm', '#']) {
            Some(plies) => Some(sign * (30_000 - number(plies)?.clamp(0, 1_000))),
            None => number(rest).map(|value| sign * value.clamp(-30_000, 30_000)),
        }
    }
}

/// A count with `K`, `M` or `G` behind it.
fn scaled(text: &str) -> Option<u64> {
    let (digits, factor) = match text.char_indices().last()? {
        (at, 'K' | 'k') => (text.get(..at)?, 1e3),
        (at, 'M' | 'm') => (text.get(..at)?, 1e6),
        (at, 'G' | 'g') => (text.get(..at)?, 1e9),
        _ => (text, 1.0),
    };
    let value: f64 = digits.parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some((value * factor) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> (Said, bool) {
        let heard = Said::parse(line.as_bytes());
        (heard.said, heard.strict)
    }

    #[test]
    fn moves_are_understood_in_any_dress_and_the_dress_is_noted() {
        let at = |x, y| Said::Move { point: Point { x, y }, half: false };
        for line in [" 7,8", "7, 8", "7,8 ", "+7,8", "07,8", "7,8\r"] {
            assert_eq!(said(line), (at(7, 8), false), "{line:?}");
        }
        assert_eq!(said("14,0"), (at(14, 0), true));
        assert_eq!(said("-1,99"), (at(-1, 99), true));
        let half = Said::Move { point: Point { x: 7, y: 8 }, half: true };
        assert_eq!(said("HALF 7,8"), (half.clone(), true));
        assert_eq!(said("half 7,8"), (half, false));
    }

    #[test]
    fn words_of_the_protocol_are_told_from_other_text() {
        assert_eq!(said("OK"), (Said::Ok, true));
        assert_eq!(said("ok "), (Said::Ok, false));
        assert_eq!(said("OK - fine").0, Said::Other("OK - fine".to_owned()));
        assert_eq!(said("SWAP"), (Said::Swap, true));
        assert!(said("MESSAGE hello").0.is_chatter() && said("DEBUG").0.is_chatter());
        assert!(!said("message hello").0.is_chatter() && !said("MESSAGES").0.is_chatter());
        assert_eq!(said("ERROR no").0, Said::Error("no".to_owned()));
        assert_eq!(said("7,7,1").0, Said::Other("7,7,1".to_owned()));
        let two = Said::Points(vec![Point { x: 7, y: 7 }, Point { x: 8, y: 9 }]);
        assert_eq!(said("7,7 8,9"), (two.clone(), true));
        assert_eq!(said("7,7  8,9"), (two, false));
        assert_eq!(said("").0, Said::Other(String::new()));
    }

    #[test]
    fn search_messages_of_two_styles_are_read() {
        let info = SearchInfo::parse("Depth 9-15 | Eval -35 | Node 67K | Time 1s").unwrap();
        assert_eq!((info.depth, info.nodes, info.score()), (Some(9), Some(67_000), Some(-35)));
        assert_eq!(SearchInfo::parse("depth 3 multipv 2 ev 5"), None);
        assert_eq!(SearchInfo::parse("hello"), None);
        let mate = SearchInfo::parse("depth 3 ev +M5").unwrap();
        assert_eq!(mate.score(), Some(29_995));
    }
}
