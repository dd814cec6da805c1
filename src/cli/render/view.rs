//! What is to be seen of a game at one moment, whatever it is drawn with.

use anyhow::{Context, bail};

use crate::game::{GameRecord, Setup, parse_moves};
use crate::rules::{Position, Status, WinReason};
use crate::types::{Cell, Direction, MoveKind, Piece, Rule, Size};

/// A candidate point with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) cell: Cell,
    pub(super) value: f32,
    /// The value as it was written.
    pub(super) label: String,
    /// 0 for the lowest value of all, 1 for the highest.
    pub(super) share: f32,
}

/// A board to draw.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) size: Size,
    /// What lies where, with the number of the move that put it there.
    pub(super) pieces: Vec<(Cell, Piece, Option<usize>)>,
    pub(super) last: Option<Cell>,
    pub(super) forbidden: Vec<Cell>,
    pub(super) candidates: Vec<Candidate>,
    /// The stones of the row that won.
    pub(super) row: Vec<Cell>,
    pub(super) numbers: bool,
}

impl View {
    /// The board at the end of a record, which need not be legal.
    pub(super) fn of(record: &GameRecord) -> View {
        let mut pieces: Vec<_> =
            record.setup().pieces.iter().map(|&(cell, piece)| (cell, piece, None)).collect();
        let mut color = record.setup().to_move;
        for (i, mv) in record.moves().iter().enumerate() {
            if let Some(cell) = mv.cell() {
                let piece = if mv.kind() == MoveKind::Half { Piece::Half } else { Piece::Stone(color) };
                pieces.push((cell, piece, Some(i + 1)));
            }
            color = !color;
        }
        let last = record.moves().last().and_then(|mv| mv.cell());
        let row = last.and_then(|last| winning_row(record, last)).unwrap_or_default();
        let size = record.size();
        View { size, pieces, last, forbidden: Vec::new(), candidates: Vec::new(), row, numbers: false }
    }

    /// Marks the points that renju forbids to Black, whatever rule the game is played by.
    pub(super) fn mark_forbidden(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        // Only what lies there counts, not how it came there; and the half stone is dead for both.
        let dead = |piece| if piece == Piece::Half { Piece::Blocked } else { piece };
        let pieces = record.pieces().map(|(cell, piece)| (cell, dead(piece))).collect();
        let setup = Setup { pieces, to_move: record.side_to_move() };
        let position = Position::from_record(&GameRecord::with_setup(Rule::Renju, record.size(), setup))
            .context("cannot judge forbidden points of an illegal game")?;
        self.forbidden = position.forbidden_points();
        Ok(())
    }
}

/// The row of five or more through the last stone, if it has won by that.
fn winning_row(record: &GameRecord, last: Cell) -> Option<Vec<Cell>> {
    let position = Position::from_record(record).ok()?;
    let Status::Won { reason: WinReason::Five, .. } = position.status() else { return None };
    let piece = position.piece(last)?;
    let row = |direction: Direction| {
        let along =
            |sign: i32| std::iter::successors(Some(last), move |cell| cell.step(direction, sign)).skip(1);
        let same = |cell: &Cell| position.piece(*cell) == Some(piece);
        let back = along(-1).take_while(same);
        back.chain([last]).chain(along(1).take_while(same)).collect::<Vec<Cell>>()
    };
    Direction::ALL.into_iter().map(row).filter(|row| row.len() >= 5).max_by_key(Vec::len)
}

/// Candidates from pairs such as `h8=0.62`; `:` or a blank may stand for `=`.
pub(super) fn candidates(text: &str, size: Size) -> anyhow::Result<Vec<Candidate>> {
    let plain = text.replace(['=', ':', ','], " ");
    let mut words = plain.split_whitespace();
    let mut found: Vec<Candidate> = Vec::new();
    while let Some(point) = words.next() {
        let moves = parse_moves(point, size)?;
        let [mv] = moves.as_slice() else {
            bail!("'{point}' is not one point (allowed: pairs such as h8=0.62)")
        };
        let cell = mv.cell().with_context(|| format!("'{point}' is no point of the board"))?;
        let label = words.next().with_context(|| format!("the value of {point} is missing"))?;
        let value: f32 = label.trim_end_matches('%').parse().unwrap_or(f32::NAN);
        if !value.is_finite() {
            bail!("'{label}' is not a value for {point} (allowed: numbers such as 0.62, -120, 55%)");
        }
        found.push(Candidate { cell, value, label: label.to_owned(), share: 1.0 });
    }
    let lowest = found.iter().map(|c| c.value).fold(f32::INFINITY, f32::min);
    let highest = found.iter().map(|c| c.value).fold(f32::NEG_INFINITY, f32::max);
    for candidate in found.iter_mut().filter(|_| highest > lowest) {
        candidate.share = (candidate.value - lowest) / (highest - lowest);
    }
    found.sort_by(|a, b| b.value.total_cmp(&a.value));
    Ok(found)
}

/// The star points: four corners and the centre, on large odd boards the middles of the sides too.
pub(super) fn stars(size: Size) -> Vec<Cell> {
    let n = size.get();
    let edge = if n >= 13 { 3 } else { 2 };
    let mut lines = if n >= 9 { vec![edge, n - 1 - edge] } else { Vec::new() };
    let mut stars = Vec::new();
    if n % 2 == 1 {
        stars.extend(Cell::new(n / 2, n / 2, size));
        if n >= 19 {
            lines.push(n / 2);
        }
    }
    for &x in &lines {
        stars.extend(lines.iter().filter_map(|&y| Cell::new(x, y, size)));
    }
    stars.sort();
    stars.dedup();
    stars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_points_of_the_usual_board_are_the_five_of_the_rules() {
        let names = |n: i64| {
            let size = Size::new(n).unwrap();
            stars(size).into_iter().map(|cell| cell.text(size).to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(15), "d12 l12 h8 d4 l4");
        assert_eq!(names(5), "c3");
        assert_eq!(names(6), "");
        assert_eq!(names(9), "c7 g7 e5 c3 g3");
        assert_eq!(names(19), "d16 j16 p16 d10 j10 p10 d4 j4 p4");
        assert_eq!(names(20), "d17 q17 d4 q4");
    }

    #[test]
    fn candidates_are_ranked_and_bad_ones_named() {
        let size = Size::STANDARD;
        let found = candidates("h8=0.5 i9:1, j10 0", size).unwrap();
        let labels: Vec<_> = found.iter().map(|c| (c.label.as_str(), c.share)).collect();
        assert_eq!(labels, [("1", 1.0), ("0.5", 0.5), ("0", 0.0)]);
        assert_eq!(candidates("h8", size).unwrap_err().to_string(), "the value of h8 is missing");
        let error = candidates("h8=nan", size).unwrap_err().to_string();
        assert_eq!(error, "'nan' is not a value for h8 (allowed: numbers such as 0.62, -120, 55%)");
        assert!(candidates("h16=1", size).is_err() && candidates("h8i9=1", size).is_err());
    }
}
