//! The board as part of a picture.

use super::scene::{Anchor, Color, Paint, Scene, Shape, Text};
use super::view::{Candidate, View, stars};
use crate::types::{Cell, Color as Side, Piece, Size};

const RED: Color = Color::new(0xd3221b);
const BLACK: Color = Color::new(0x141416);
const WHITE: Color = Color::new(0xffffff);
/// Low, middle and high of the heat map.
const HEAT: [Color; 3] = [Color::new(0x2f6fc4), Color::new(0xf0c419), Color::new(0xd8301f)];

/// How a board looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    pub(super) ground: Color,
    pub(super) ink: Color,
    /// Stones with light and shadow, or flat as in print.
    shaded: bool,
}

impl Theme {
    /// A wooden board.
    pub(super) const WOOD: Theme =
        Theme { ground: Color::new(0xe5bd78), ink: Color::new(0x5b4122), shaded: true };
    /// Print on white paper.
    pub(super) const PAPER: Theme = Theme { ground: WHITE, ink: Color::new(0x333333), shaded: false };
}

/// Where a board lies in a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    size: Size,
    /// Distance between two points.
    cell: f32,
    /// The upper left point of the board.
    origin: (f32, f32),
}

impl Layout {
    /// A board whose margins begin at `(left, top)`.
    pub(super) fn new(size: Size, cell: f32, (left, top): (f32, f32)) -> Layout {
        Layout { size, cell, origin: (left + 1.35 * cell, top + 0.9 * cell) }
    }

    /// Width and height with the margins.
    pub(super) fn extent(size: Size, cell: f32) -> (f32, f32) {
        let lines = (size.get() - 1) as f32 * cell;
        (lines + 2.25 * cell, lines + 2.25 * cell)
    }

    fn at(&self, cell: Cell) -> (f32, f32) {
        (self.origin.0 + cell.x() as f32 * self.cell, self.origin.1 + cell.y() as f32 * self.cell)
    }
}

/// The whole picture of a board.
pub(super) fn picture(view: &View, cell: f32) -> Scene {
    let (width, height) = Layout::extent(view.size, cell);
    let mut scene = Scene::new(width, height, Theme::WOOD.ground);
    draw(&mut scene, view, Theme::WOOD, Layout::new(view.size, cell, (0.0, 0.0)));
    scene
}

/// Draws the board with everything on it.
pub(super) fn draw(scene: &mut Scene, view: &View, theme: Theme, layout: Layout) {
    grid(scene, theme, layout);
    let unit = layout.cell;
    if theme.shaded {
        for &(cell, ..) in &view.pieces {
            let (x, y) = layout.at(cell);
            let paint = Paint::Soft(Color::new(0x2a1a05).fade(0.75));
            scene.push(Shape::Disc { x: x + 0.05 * unit, y: y + 0.08 * unit, radius: 0.54 * unit, paint });
        }
    }
    for &(cell, piece, number) in &view.pieces {
        let at = layout.at(cell);
        let last = view.last == Some(cell);
        stone(scene, piece, at, unit, theme);
        match number.filter(|_| view.numbers) {
            Some(number) => self::number(scene, piece, number, last, at, unit),
            None if last => {
                scene.push(Shape::Disc { x: at.0, y: at.1, radius: 0.15 * unit, paint: Paint::Flat(WHITE) });
                scene.push(Shape::Disc { x: at.0, y: at.1, radius: 0.11 * unit, paint: Paint::Flat(RED) });
            }
            None => {}
        }
    }
    for &cell in &view.row {
        let (x, y) = layout.at(cell);
        scene.push(Shape::Ring { x, y, radius: 0.455 * unit, width: 0.07 * unit, color: RED });
    }
    for &cell in &view.forbidden {
        let ((x, y), reach) = (layout.at(cell), 0.2 * unit);
        scene.line((x - reach, y - reach), (x + reach, y + reach), 0.085 * unit, RED);
        scene.line((x - reach, y + reach), (x + reach, y - reach), 0.085 * unit, RED);
    }
    for (i, candidate) in view.candidates.iter().enumerate() {
        heat(scene, candidate, i == 0, layout.at(candidate.cell), unit);
    }
}

/// Lines, star points and coordinates.
fn grid(scene: &mut Scene, theme: Theme, layout: Layout) {
    let Layout { size, cell: unit, origin: (left, top) } = layout;
    let n = size.get();
    let far = (n - 1) as f32 * unit;
    for i in 0..n {
        let along = i as f32 * unit;
        let width = if i == 0 || i == n - 1 { 0.055 * unit } else { 0.03 * unit };
        scene.line((left, top + along), (left + far, top + along), width, theme.ink);
        scene.line((left + along, top), (left + along, top + far), width, theme.ink);
        let size = 0.38 * unit;
        let letter = char::from(b'A' + i as u8).to_string();
        scene.text((left + along, top + far + 0.85 * unit), size, Anchor::Middle, theme.ink, letter);
        scene.text((left - 0.68 * unit, top + along), size, Anchor::End, theme.ink, (n - i).to_string());
    }
    for cell in stars(size) {
        let (x, y) = layout.at(cell);
        scene.push(Shape::Disc { x, y, radius: 0.11 * unit, paint: Paint::Flat(theme.ink) });
    }
}

fn stone(scene: &mut Scene, piece: Piece, (x, y): (f32, f32), unit: f32, theme: Theme) {
    let radius = 0.46 * unit;
    let ring = |scene: &mut Scene, width: f32, color: Color| {
        scene.push(Shape::Ring { x, y, radius: radius - width / 2.0, width, color });
    };
    match (piece, theme.shaded) {
        (Piece::Stone(Side::Black), true) => {
            let paint = Paint::Lit(Color::new(0x727278), BLACK);
            scene.push(Shape::Disc { x, y, radius, paint });
        }
        (Piece::Stone(Side::White), true) => {
            let paint = Paint::Lit(WHITE, Color::new(0xc9c3b6));
            scene.push(Shape::Disc { x, y, radius, paint });
            ring(scene, 0.02 * unit, Color::new(0x8d8473).fade(0.8));
        }
        (Piece::Stone(Side::Black), false) => {
            scene.push(Shape::Disc { x, y, radius, paint: Paint::Flat(BLACK) });
        }
        (Piece::Stone(Side::White), false) => {
            scene.push(Shape::Disc { x, y, radius, paint: Paint::Flat(WHITE) });
            ring(scene, 0.045 * unit, BLACK);
        }
        (Piece::Half, _) => {
            let light = if theme.shaded { Color::new(0xfbf3e2) } else { WHITE };
            scene.push(Shape::Disc { x, y, radius, paint: Paint::Flat(light) });
            scene.push(Shape::HalfDisc { x, y, radius, color: BLACK });
            ring(scene, 0.05 * unit, BLACK);
        }
        (Piece::Blocked, _) => {
            let (side, grey) = (0.62 * unit, Color::new(0x7a6c58));
            scene.push(Shape::Rect {
                x: x - side / 2.0,
                y: y - side / 2.0,
                width: side,
                height: side,
                color: grey,
            });
        }
    }
}

/// The number of a move on its stone; the last one in red.
fn number(scene: &mut Scene, piece: Piece, number: usize, last: bool, (x, y): (f32, f32), unit: f32) {
    let text = number.to_string();
    let mut size = match text.len() {
        1 => 0.52,
        2 => 0.47,
        _ => 0.37,
    } * unit;
    if piece == Piece::Half {
        // Neither black nor white can be read on both halves.
        scene.push(Shape::Disc { x, y, radius: 0.3 * unit, paint: Paint::Flat(WHITE) });
        size *= 0.8;
    }
    let color = match (piece, last) {
        (Piece::Stone(Side::Black), true) => Color::new(0xff6b5e),
        (Piece::Stone(Side::Black), false) => WHITE,
        (_, true) => RED,
        (_, false) => BLACK,
    };
    scene.push(Shape::Text(Text { x, y, size, text, anchor: Anchor::Middle, color, bold: true }));
}

/// A candidate point: a disc from cold to hot with its value; the best has a rim.
fn heat(scene: &mut Scene, candidate: &Candidate, best: bool, (x, y): (f32, f32), unit: f32) {
    let [low, middle, high] = HEAT;
    let share = candidate.share;
    let color =
        if share < 0.5 { low.towards(middle, 2.0 * share) } else { middle.towards(high, 2.0 * share - 1.0) };
    scene.push(Shape::Disc { x, y, radius: 0.44 * unit, paint: Paint::Flat(color.fade(0.88)) });
    if best {
        scene.push(Shape::Ring { x, y, radius: 0.44 * unit, width: 0.06 * unit, color: BLACK });
    }
    let letters = candidate.label.chars().count();
    if letters <= 5 {
        let size = if letters <= 2 { 0.42 } else { 1.1 / letters as f32 }.min(0.42) * unit;
        // Yellow wants dark writing.
        let color = if (0.25..0.75).contains(&share) { BLACK } else { WHITE };
        let (text, anchor) = (candidate.label.clone(), Anchor::Middle);
        scene.push(Shape::Text(Text { x, y, size, text, anchor, color, bold: true }));
    }
}
