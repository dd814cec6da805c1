//! The smallest pieces of a line: clean text, numbers, points, and tokens that are safe to quote.

use std::borrow::Cow;
use std::fmt;

/// The most characters of a bad token that a message repeats.
const QUOTED: usize = 32;

/// A piece of input, fit to be quoted in a reply: short, printable, one line, valid UTF-8.
///
/// ```
/// use halfstone::wire::Token;
/// assert_eq!(Token::new("a\0b\n").to_string(), r"a\0b\n");
/// assert_eq!(Token::new(&"x".repeat(99)).to_string().len(), 32 + "...".len());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Escapes what cannot be printed and cuts what is too long.
    pub fn new(text: &str) -> Token {
        let mut quoted: String = text.chars().take(QUOTED).flat_map(char::escape_debug).collect();
        if text.chars().nth(QUOTED).is_some() {
            quoted.push_str("...");
        }
        Token(quoted)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Two coordinates as they were sent: `x` from the left and `y` from the top, of any sign and size. Only a board
/// can say whether they name one of its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Column from the left.
    pub x: i64,
    /// Row from the top.
    pub y: i64,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// A line as text: a byte order mark, the line end and surrounding blanks are dropped, invalid UTF-8 is replaced.
pub fn clean(line: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(line) {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_start_matches(is_blank).trim_end_matches(is_blank)),
        Cow::Owned(text) => {
            Cow::Owned(text.trim_start_matches(is_blank).trim_end_matches(is_blank).to_owned())
        }
    }
}

/// What does not count at either end of a line.
fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{feff}'
}

/// The first word of a line and the rest behind it, without the blanks between.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    match text.split_once([' ', '\t']) {
        Some((word, rest)) => (word, rest.trim_matches(is_blank)),
        None => (text, ""),
    }
}

/// A decimal integer. Managers send values beyond every integer type ("no limit"): those become the nearest `i64`.
pub(super) fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().or(Some(if negative { i64::MIN } else { i64::MAX }))
}

/// Numbers separated by commas, with blanks around them allowed.
pub(super) fn numbers(text: &str) -> Option<Vec<i64>> {
    // Nothing on the wire has more than three parts; the limit keeps a hostile line cheap.
    text.splitn(5, ',').map(number).collect()
}

/// `x,y`.
pub(super) fn point(text: &str) -> Option<Point> {
    match numbers(text)?.as_slice() {
        &[x, y] => Some(Point { x, y }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_every_type_saturate() {
        assert_eq!(number("123456789012345678901234567890"), Some(i64::MAX));
        assert_eq!(number("-123456789012345678901234567890"), Some(i64::MIN));
        assert_eq!(number(" +7 "), Some(7));
        for bad in ["", "-", "+", "1.5", "1e3", "0x10", "--1", "+-1", "7 7", "７"] {
            assert_eq!(number(bad), None, "{bad}");
        }
    }

    #[test]
    fn points_tolerate_blanks_and_nothing_else() {
        assert_eq!(point(" 7 ,\t8 "), Some(Point { x: 7, y: 8 }));
        assert_eq!(point("-1,99999999999999999999"), Some(Point { x: -1, y: i64::MAX }));
        for bad in ["7", "7,", ",7", ",", "7 7", "7,7,1", "a,b", "7\0,7", "1,2,3,4,5,6,7"] {
            assert_eq!(point(bad), None, "{bad}");
        }
    }

    #[test]
    fn lines_are_cleaned_of_ends_blanks_and_marks() {
        assert_eq!(clean(b"\xef\xbb\xbf \tABOUT \r\n"), "ABOUT");
        assert_eq!(clean(b"\xff\xfe x"), "\u{fffd}\u{fffd} x");
        assert_eq!(split_word("TURN \t 7 , 7"), ("TURN", "7 , 7"));
        // What is left over is the same when it is read as a line again.
        assert_eq!(split_word("BOARD \u{feff} \u{a0}"), ("BOARD", "\u{a0}"));
    }
}
