//! What the engine can say: one [`Reply`], one line.

use std::fmt;

use crate::types::{Cell, Move};

/// The answer to `ABOUT`: managers look for `name=` first and in lower case.
pub const ABOUT: &str = concat!(
    "name=\"halfstone\", version=\"",
    env!("CARGO_PKG_VERSION"),
    "\", author=\"the halfstone authors\", country=\"\""
);

/// The most bytes of free text on a line: Piskvork cuts at 8,000 and others at 4,095.
const TEXT_LIMIT: usize = 1_500;

/// A line to the manager. Prints without the line end, exactly as managers compare it: no trailing blank, no
/// decoration.
///
/// ```
/// use halfstone::types::{Move, Size};
/// use halfstone::wire::Reply;
/// let center = Size::STANDARD.center();
/// assert_eq!(Reply::Move(Move::stone(center)).to_string(), "7,7");
/// assert_eq!(Reply::Move(Move::half(center)).to_string(), "HALF 7,7");
/// assert_eq!(Reply::Forbid(vec![center]).to_string(), "FORBID 0707.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `OK`.
    Ok,
    /// A move of the engine: `x,y`, or `HALF x,y` for its half stone.
    Move(Move),
    /// Several points on one line, in order of play.
    Points(Vec<Cell>),
    /// `SWAP`: the engine takes the other colour.
    Swap,
    /// `MESSAGE text`, which every manager may ignore.
    Message(String),
    /// `ERROR text`: a known command failed and changed nothing.
    Error(String),
    /// `UNKNOWN text`: no such command.
    Unknown(String),
    /// `FORBID 0907.`: points forbidden to Black, two digits a coordinate.
    Forbid(Vec<Cell>),
    /// `INFO text`: a detail of the search, for the viewers that ask for such lines; others take them for moves.
    Detail(String),
    /// The line that names the engine.
    About,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::Move(mv) => {
                let Some(cell) = mv.cell() else {
                    // A protocol game contains no pass; should one come, it must not look like a move.
                    return f.write_str("MESSAGE pass");
                };
                write!(f, "{}{}", if mv.is_half() { "HALF " } else { "" }, XY(cell))
            }
            Reply::Points(cells) => {
                for (i, &cell) in cells.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { " " }, XY(cell))?;
                }
                Ok(())
            }
            Reply::Swap => f.write_str("SWAP"),
            Reply::Message(text) => write!(f, "MESSAGE {}", one_line(text)),
            Reply::Detail(text) => write!(f, "INFO {}", one_line(text)),
            Reply::Error(text) => write!(f, "ERROR {}", one_line(text)),
            Reply::Unknown(text) => write!(f, "UNKNOWN {}", one_line(text)),
            Reply::Forbid(cells) => {
                f.write_str("FORBID ")?;
                for cell in cells {
                    write!(f, "{:02}{:02}", cell.x(), cell.y())?;
                }
                f.write_str(".")
            }
            Reply::About => f.write_str(ABOUT),
        }
    }
}

struct XY(Cell);

impl fmt::Display for XY {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0.x(), self.0.y())
    }
}

/// Text that stays one line of bounded length, without blanks at its end.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        if line.len() + c.len_utf8() > TEXT_LIMIT {
            break;
        }
        line.push(c);
    }
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Size;

    #[test]
    fn replies_print_exactly() {
        let cell = |x, y| Cell::new(x, y, Size::STANDARD).unwrap();
        let lines = [
            (Reply::Ok, "OK"),
            (Reply::Move(Move::stone(cell(14, 0))), "14,0"),
            (Reply::Points(vec![cell(7, 7), cell(8, 9), cell(0, 1)]), "7,7 8,9 0,1"),
            (Reply::Swap, "SWAP"),
            (Reply::Forbid(vec![cell(9, 7), cell(11, 0)]), "FORBID 09071100."),
            (Reply::Forbid(vec![]), "FORBID ."),
            (Reply::Error("a\nb \r\n".to_owned()), "ERROR a b"),
            (Reply::Unknown("command".to_owned()), "UNKNOWN command"),
        ];
        for (reply, line) in lines {
            assert_eq!(reply.to_string(), line);
        }
        assert!(Reply::Message("x".repeat(9_999)).to_string().len() < 1_600);
        assert!(ABOUT.starts_with("name=\""));
    }
}
