//! The course of a game as a picture: Black's chances after every move.

use super::scene::{Anchor, Color, Paint, Scene, Shape};
use super::svg;

const PAPER: Color = Color::new(0xffffff);
const INK: Color = Color::new(0x333333);
const PALE: Color = Color::new(0xcfcfcf);
const BLACKS: Color = Color::new(0x4a4a52);
const MARGIN: (f32, f32) = (46.0, 34.0);
const HEIGHT: f32 = 240.0;

/// The position after some number of moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli) struct GraphPoint {
    /// Black's chance to win, 0 to 1.
    pub(in crate::cli) black: f64,
    /// How bad the move before it was, 1 to 3; 0 for no mistake.
    pub(in crate::cli) mistake: usize,
}

/// The graph as SVG. The first point is the position before the first move.
pub(in crate::cli) fn graph(points: &[GraphPoint], title: &str) -> String {
    let count = points.len().max(2) - 1;
    let step = (720.0 / count as f32).clamp(4.0, 40.0);
    let width = step * count as f32;
    let mut scene = Scene::new(width + 2.0 * MARGIN.0, HEIGHT + 2.4 * MARGIN.1, PAPER);
    let at = |index: usize, black: f64| {
        (MARGIN.0 + index as f32 * step, MARGIN.1 + HEIGHT * (1.0 - black.clamp(0.0, 1.0) as f32))
    };
    scene.text((MARGIN.0, MARGIN.1 / 2.0), 13.0, Anchor::Start, INK, title);
    for percent in [0u8, 25, 50, 75, 100] {
        let (_, y) = at(0, f64::from(percent) / 100.0);
        let color = if percent == 50 { INK } else { PALE };
        scene.line((MARGIN.0, y), (MARGIN.0 + width, y), 1.0, color);
        scene.text((MARGIN.0 - 6.0, y), 11.0, Anchor::End, INK, format!("{percent} %"));
    }
    // Numbers at a distance at which they do not touch.
    let every = if step < 8.0 { 10 } else { 5 };
    for index in (0..=count).filter(|index| index.is_multiple_of(every)) {
        let (x, y) = at(index, 0.0);
        scene.text((x, y + 14.0), 11.0, Anchor::Middle, INK, index.to_string());
    }
    let places: Vec<(f32, f32)> =
        points.iter().enumerate().map(|(index, point)| at(index, point.black)).collect();
    for (&from, &to) in places.iter().zip(places.iter().skip(1)) {
        scene.line(from, to, 2.0, BLACKS);
    }
    for (point, &(x, y)) in points.iter().zip(&places) {
        let color = match point.mistake {
            0 => continue,
            1 => Color::new(0xe8b21a),
            2 => Color::new(0xe8701a),
            _ => Color::new(0xd3221b),
        };
        scene.push(Shape::Disc { x, y, radius: 4.5, paint: Paint::Flat(color) });
    }
    svg::draw(&scene)
}
