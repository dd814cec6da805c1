//! A small stroke font of our own, so that pictures need no font file. Printable ASCII and a few signs.
//!
//! A glyph is a width and pen strokes: `M` go to, `L` line to, `Q` curve by one control point, `O` a whole ellipse
//! by centre and radii. Capitals reach from 0 down to the baseline at 14, small letters from 5, tails to 18.

/// Height of capitals in glyph units.
pub(super) const CAPITALS: f32 = 14.0;
/// Height of capitals as a share of the font size, as in common sans-serif fonts.
pub(super) const SHARE: f32 = 0.72;
/// Room between two glyphs.
const GAP: f32 = 3.0;
/// What is drawn for a character that the font lacks: a box.
const MISSING: (f32, &str) = (8.0, "M0 0 L8 0 L8 14 L0 14 L0 0");

/// One movement of the pen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pen {
    Move(f32, f32),
    Line(f32, f32),
    Curve(f32, f32, f32, f32),
    Ellipse(f32, f32, f32, f32),
}

/// The strokes of a text that starts at 0, and how wide it is, in glyph units.
pub(super) fn strokes(text: &str) -> (Vec<Pen>, f32) {
    let mut pens = Vec::new();
    let mut x = 0.0;
    for c in text.chars() {
        let (width, strokes) = glyph(c);
        pens.extend(parse(strokes).map(|pen| match pen {
            Pen::Move(a, b) => Pen::Move(a + x, b),
            Pen::Line(a, b) => Pen::Line(a + x, b),
            Pen::Curve(a, b, c, d) => Pen::Curve(a + x, b, c + x, d),
            Pen::Ellipse(a, b, c, d) => Pen::Ellipse(a + x, b, c, d),
        }));
        x += width + GAP;
    }
    (pens, (x - GAP).max(0.0))
}

fn parse(strokes: &str) -> impl Iterator<Item = Pen> + '_ {
    let starts: Vec<usize> =
        strokes.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    let ends = starts.clone().into_iter().skip(1).chain([strokes.len()]);
    starts.into_iter().zip(ends).filter_map(|(start, end)| {
        let part = strokes.get(start..end)?;
        let mut numbers = part.get(1..)?.split_whitespace().filter_map(|word| word.parse::<f32>().ok());
        let mut next = || numbers.next();
        Some(match part.chars().next()? {
            'M' => Pen::Move(next()?, next()?),
            'L' => Pen::Line(next()?, next()?),
            'Q' => Pen::Curve(next()?, next()?, next()?, next()?),
            'O' => Pen::Ellipse(next()?, next()?, next()?, next()?),
            _ => return None,
        })
    })
}

fn glyph(c: char) -> (f32, &'static str) {
    GLYPHS.iter().find(|(known, ..)| *known == c).map_or(MISSING, |&(_, width, strokes)| (width, strokes))
}

const GLYPHS: &[(char, f32, &str)] = &[
    (' ', 3.0, ""),
    ('0', 9.0, "O 4.5 7 4.5 7"),
    ('1', 5.5, "M0.6 3.2 L4.6 0 L4.6 14"),
    ('2', 9.0, "M0.4 4 Q0.6 0 4.5 0 Q8.4 0 8.4 3.8 Q8.4 6.2 6 8.4 L0.2 14 L9 14"),
    ('3', 8.8, "M0.7 0 L8.2 0 L4.2 5.2 Q8.8 5.2 8.8 9.6 Q8.8 14 4.3 14 Q1.2 14 0.1 11.4"),
    ('4', 9.2, "M6.8 14 L6.8 0 L0 9.8 L9.2 9.8"),
    ('5', 9.0, "M8.1 0 L1.5 0 L0.8 6.4 Q2.3 5 4.5 5 Q9 5 9 9.5 Q9 14 4.4 14 Q1.3 14 0.2 11.6"),
    ('6', 9.0, "M6.6 0 Q1.8 4.4 0.3 8 O 4.5 9.5 4.4 4.5"),
    ('7', 9.0, "M0 0 L9 0 L3.4 14"),
    ('8', 9.0, "O 4.5 3.4 3.8 3.4 O 4.5 10.4 4.5 3.6"),
    ('9', 9.0, "O 4.5 4.5 4.4 4.5 M2.4 14 Q7.2 9.6 8.7 6"),
    ('A', 10.4, "M0 14 L5.2 0 L10.4 14 M1.8 9.2 L8.6 9.2"),
    ('B', 9.2, "M5 6.6 Q8.4 6.6 8.4 3.3 Q8.4 0 5 0 L0 0 L0 14 L5 14 Q9.2 14 9.2 10.3 Q9.2 6.6 5 6.6 L0 6.6"),
    ('C', 9.8, "M9.6 3.2 Q8.4 0 5.2 0 Q0 0 0 7 Q0 14 5.2 14 Q8.4 14 9.8 10.6"),
    ('D', 9.6, "M0 0 L0 14 L3.8 14 Q9.6 14 9.6 7 Q9.6 0 3.8 0 L0 0"),
    ('E', 8.0, "M8 0 L0 0 L0 14 L8 14 M0 6.8 L7 6.8"),
    ('F', 7.8, "M7.8 0 L0 0 L0 14 M0 6.8 L6.8 6.8"),
    ('G', 10.0, "M9.6 3.2 Q8.4 0 5.2 0 Q0 0 0 7 Q0 14 5.2 14 Q10 14 10 8 L5.8 8"),
    ('H', 9.4, "M0 0 L0 14 M9.4 0 L9.4 14 M0 6.8 L9.4 6.8"),
    ('I', 4.0, "M2 0 L2 14 M0 0 L4 0 M0 14 L4 14"),
    ('J', 6.2, "M6.2 0 L6.2 10 Q6.2 14 3.1 14 Q0 14 0 10.6"),
    ('K', 9.0, "M0 0 L0 14 M8.6 0 L0 8.6 M3 5.6 L9 14"),
    ('L', 7.4, "M0 0 L0 14 L7.4 14"),
    ('M', 11.2, "M0 14 L0 0 L5.6 9 L11.2 0 L11.2 14"),
    ('N', 9.2, "M0 14 L0 0 L9.2 14 L9.2 0"),
    ('O', 10.8, "O 5.4 7 5.4 7"),
    ('P', 8.8, "M0 14 L0 0 L5 0 Q8.8 0 8.8 3.9 Q8.8 7.8 5 7.8 L0 7.8"),
    ('Q', 10.8, "O 5.4 7 5.4 7 M6.6 10.4 L10.4 14.6"),
    ('R', 9.0, "M0 14 L0 0 L5 0 Q8.6 0 8.6 3.8 Q8.6 7.6 5 7.6 L0 7.6 M4.8 7.6 L9 14"),
    ('S', 9.0, "M8.5 2.8 Q7.4 0 4.6 0 Q0.6 0 0.6 3.4 Q0.6 6 4.6 6.8 Q9 7.6 9 10.6 Q9 14 4.6 14 Q1 14 0 11.2"),
    ('T', 9.2, "M0 0 L9.2 0 M4.6 0 L4.6 14"),
    ('U', 9.2, "M0 0 L0 9 Q0 14 4.6 14 Q9.2 14 9.2 9 L9.2 0"),
    ('V', 9.8, "M0 0 L4.9 14 L9.8 0"),
    ('W', 14.0, "M0 0 L3.5 14 L7 1.6 L10.5 14 L14 0"),
    ('X', 9.0, "M0 0 L9 14 M9 0 L0 14"),
    ('Y', 9.2, "M0 0 L4.6 7 L9.2 0 M4.6 7 L4.6 14"),
    ('Z', 9.0, "M0.3 0 L8.8 0 L0 14 L9 14"),
    ('a', 7.8, "O 3.9 9.5 3.9 4.5 M7.8 5 L7.8 14"),
    ('b', 7.8, "M0 0 L0 14 O 3.9 9.5 3.9 4.5"),
    ('c', 7.0, "M7 6.8 Q5.9 5 4 5 Q0 5 0 9.5 Q0 14 4 14 Q5.9 14 7 12.2"),
    ('d', 7.8, "O 3.9 9.5 3.9 4.5 M7.8 0 L7.8 14"),
    ('e', 7.6, "M0 9.4 L7.6 9.4 Q7.6 5 3.8 5 Q0 5 0 9.5 Q0 14 4 14 Q6.2 14 7.2 12"),
    ('f', 4.8, "M4.8 0.3 Q1.8 -0.6 1.8 3 L1.8 14 M0 5 L4.4 5"),
    ('g', 7.8, "O 3.9 9.5 3.9 4.5 M7.8 5 L7.8 14.4 Q7.8 18.2 4 18.2 Q1.8 18.2 0.6 16.8"),
    ('h', 7.0, "M0 0 L0 14 M0 8.8 Q0.4 5 3.8 5 Q7 5 7 8.8 L7 14"),
    ('i', 0.2, "M0.1 5 L0.1 14 M0.1 0.9 L0.1 1.1"),
    ('j', 1.6, "M1.6 5 L1.6 15.4 Q1.6 18.4 -0.8 18.2 M1.6 0.9 L1.6 1.1"),
    ('k', 6.8, "M0 0 L0 14 M6.2 5 L0 10.8 M2.4 8.8 L6.8 14"),
    ('l', 0.2, "M0.1 0 L0.1 14"),
    (
        'm',
        11.0,
        "M0 5 L0 14 M0 8.6 Q0.4 5 3.1 5 Q5.5 5 5.5 8.6 L5.5 14 M5.5 8.6 Q5.9 5 8.6 5 Q11 5 11 8.6 L11 14",
    ),
    ('n', 7.0, "M0 5 L0 14 M0 8.8 Q0.4 5 3.8 5 Q7 5 7 8.8 L7 14"),
    ('o', 8.0, "O 4 9.5 4 4.5"),
    ('p', 7.8, "M0 5 L0 18.2 O 3.9 9.5 3.9 4.5"),
    ('q', 7.8, "O 3.9 9.5 3.9 4.5 M7.8 5 L7.8 18.2"),
    ('r', 4.2, "M0 5 L0 14 M0 9 Q0.4 5 4.2 5"),
    (
        's',
        6.6,
        "M6.2 6.8 Q5.3 5 3.3 5 Q0.4 5 0.4 7.3 Q0.4 9 3.3 9.4 Q6.6 9.9 6.6 11.8 Q6.6 14 3.3 14 Q0.9 14 0 12.2",
    ),
    ('t', 5.0, "M1.8 1.4 L1.8 11 Q1.8 14.4 5 13.8 M0 5 L4.6 5"),
    ('u', 7.0, "M0 5 L0 10.2 Q0 14 3.2 14 Q6.6 14 7 10.2 M7 5 L7 14"),
    ('v', 7.4, "M0 5 L3.7 14 L7.4 5"),
    ('w', 11.0, "M0 5 L2.7 14 L5.5 6 L8.3 14 L11 5"),
    ('x', 6.8, "M0 5 L6.8 14 M6.8 5 L0 14"),
    ('y', 7.4, "M0 5 L3.8 14 M7.4 5 L3.8 14 Q2.4 18.2 0.2 18.2"),
    ('z', 6.8, "M0.2 5 L6.6 5 L0 14 L6.8 14"),
    ('.', 0.2, "M0.1 13.8 L0.1 14"),
    (',', 1.0, "M0.8 13.6 L0 16.2"),
    (':', 0.2, "M0.1 7 L0.1 7.2 M0.1 13.8 L0.1 14"),
    (';', 1.0, "M0.8 7 L0.8 7.2 M0.8 13.6 L0 16.2"),
    ('-', 5.4, "M0 8.6 L5.4 8.6"),
    ('–', 8.0, "M0 8.6 L8 8.6"),
    ('+', 8.4, "M0 8 L8.4 8 M4.2 3.8 L4.2 12.2"),
    ('=', 8.4, "M0 6 L8.4 6 M0 10 L8.4 10"),
    ('_', 8.0, "M0 16 L8 16"),
    ('/', 6.4, "M0 15.6 L6.4 -1"),
    ('\\', 6.4, "M0 -1 L6.4 15.6"),
    ('|', 0.2, "M0.1 -1 L0.1 16"),
    ('(', 3.0, "M3 -1 Q0 2.6 0 7.4 Q0 12.4 3 16"),
    (')', 3.0, "M0 -1 Q3 2.6 3 7.4 Q3 12.4 0 16"),
    ('[', 3.0, "M3 -1 L0 -1 L0 16 L3 16"),
    (']', 3.0, "M0 -1 L3 -1 L3 16 L0 16"),
    ('{', 4.0, "M4 -1 Q1.6 -1 1.6 2 L1.6 5 Q1.6 7.4 0 7.4 Q1.6 7.4 1.6 10 L1.6 13 Q1.6 16 4 16"),
    ('}', 4.0, "M0 -1 Q2.4 -1 2.4 2 L2.4 5 Q2.4 7.4 4 7.4 Q2.4 7.4 2.4 10 L2.4 13 Q2.4 16 0 16"),
    ('<', 7.0, "M7 3 L0 8 L7 13"),
    ('>', 7.0, "M0 3 L7 8 L0 13"),
    ('\'', 0.2, "M0.1 0 L0.1 3.4"),
    ('"', 3.0, "M0 0 L0 3.4 M3 0 L3 3.4"),
    ('`', 2.0, "M0 0 L2 2.4"),
    ('^', 7.0, "M0 5 L3.5 0 L7 5"),
    ('~', 8.0, "M0 9 Q0.8 6.8 2.6 7 Q4 7.4 5.4 8.6 Q7.2 9.4 8 7"),
    ('*', 6.8, "M3.4 0.6 L3.4 8 M0.2 2.4 L6.6 6.2 M6.6 2.4 L0.2 6.2"),
    ('#', 9.4, "M3.2 0 L1.8 14 M8 0 L6.6 14 M0.4 4.6 L9.4 4.6 M0 9.4 L9 9.4"),
    ('%', 11.6, "O 2.4 3 2.4 3 O 9.2 11 2.4 3 M9.4 0 L2.2 14"),
    (
        '&',
        10.0,
        "M10 14 L2.4 4.4 Q1 2.4 2 1 Q3.2 -0.4 5 0.2 Q7 1 6.2 3.2 Q5.6 4.6 3 6.2 Q0 8 0.2 10.6 Q0.6 14 4 14 Q8 14 9.6 8",
    ),
    (
        '@',
        12.0,
        "O 6 7.4 2.8 3.4 M8.8 4 L8.8 9.4 Q9.2 11 10.6 10.6 Q12 10 12 7 Q12 0.4 6 0.4 Q0 0.4 0 7.4 Q0 14.6 6 14.6 Q8 14.6 9.6 13.8",
    ),
    (
        '$',
        8.6,
        "M8.2 3 Q7.2 1 4.4 1 Q0.6 1 0.6 4 Q0.6 6.2 4.4 6.9 Q8.6 7.7 8.6 10 Q8.6 13 4.4 13 Q1 13 0 11 M4.3 -1 L4.3 15",
    ),
    ('?', 7.4, "M0.2 3.4 Q0.6 0 3.8 0 Q7.4 0 7.4 3.2 Q7.4 5.4 5.2 6.8 Q3.8 7.8 3.8 9.6 M3.8 13.8 L3.8 14"),
    ('!', 0.2, "M0.1 0 L0.1 9.6 M0.1 13.8 L0.1 14"),
    ('·', 0.2, "M0.1 7.6 L0.1 7.8"),
    ('×', 7.0, "M0 4.4 L7 11.4 M7 4.4 L0 11.4"),
    (
        '½',
        13.0,
        "M0.4 1.6 L2.4 0 L2.4 6.4 M11 0 L2 14 M8 9.4 Q8.4 7.8 10.4 7.8 Q12.6 7.8 12.4 9.6 Q12 11 8 14 L13 14",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_a_glyph_that_parses() {
        for c in ' '..='~' {
            assert!(GLYPHS.iter().any(|(known, ..)| *known == c), "{c}");
        }
        for (c, width, strokes) in GLYPHS {
            let letters = strokes.chars().filter(char::is_ascii_alphabetic).count();
            assert_eq!(parse(strokes).count(), letters, "{c}");
            assert!((0.0..=14.0).contains(width));
        }
        let (pens, width) = strokes("10");
        assert_eq!((pens.len(), width), (4, 5.5 + GAP + 9.0));
    }
}
