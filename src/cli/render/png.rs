//! A scene as PNG.

use anyhow::{Context, anyhow};
use tiny_skia::{
    FillRule, GradientStop, LineCap, LineJoin, Paint as Brush, Path, PathBuilder, Pixmap, Point,
    RadialGradient, Rect, SpreadMode, Stroke, Transform,
};

use super::font::{self, Pen};
use super::scene::{Anchor, Color, Paint, Scene, Shape, Text};

/// Thickness of the pen as a share of the font size, plain and bold.
const PEN: (f32, f32) = (0.082, 0.115);

pub(super) fn draw(scene: &Scene) -> anyhow::Result<Vec<u8>> {
    let mut canvas = Pixmap::new(scene.width.ceil() as u32, scene.height.ceil() as u32)
        .ok_or_else(|| anyhow!("a picture of {} by {} points cannot be made", scene.width, scene.height))?;
    for shape in &scene.shapes {
        shape_on(&mut canvas, shape);
    }
    canvas.encode_png().context("cannot encode the picture")
}

fn ink(color: Color) -> tiny_skia::Color {
    let alpha = (color.alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
    tiny_skia::Color::from_rgba8(color.red, color.green, color.blue, alpha)
}

fn brush(color: Color) -> Brush<'static> {
    let mut brush = Brush { anti_alias: true, ..Brush::default() };
    brush.set_color(ink(color));
    brush
}

/// A brush for a disc.
fn disc_brush(paint: Paint, x: f32, y: f32, radius: f32) -> Brush<'static> {
    let (center, reach, near, far) = match paint {
        Paint::Flat(color) => return brush(color),
        // The same numbers as in the SVG, where they are shares of the disc's square.
        Paint::Lit(near, far) => ((x - 0.3 * radius, y - 0.4 * radius), 1.5 * radius, near, far),
        Paint::Soft(color) => ((x, y), radius, color, color.fade(0.0)),
    };
    let center = Point::from_xy(center.0, center.1);
    let stops = vec![GradientStop::new(0.0, ink(near)), GradientStop::new(1.0, ink(far))];
    let shader =
        RadialGradient::new(center, 0.0, center, reach, stops, SpreadMode::Pad, Transform::identity());
    match shader {
        Some(shader) => Brush { shader, anti_alias: true, ..Brush::default() },
        None => brush(near),
    }
}

fn pen(width: f32) -> Stroke {
    Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() }
}

fn shape_on(canvas: &mut Pixmap, shape: &Shape) {
    let still = Transform::identity();
    match *shape {
        Shape::Rect { x, y, width, height, color } => {
            if let Some(rect) = Rect::from_xywh(x, y, width, height) {
                canvas.fill_rect(rect, &brush(color), still, None);
            }
        }
        Shape::Line { from, to, width, color } => {
            let mut path = PathBuilder::new();
            path.move_to(from.0, from.1);
            path.line_to(to.0, to.1);
            stroke(canvas, path.finish(), width, color);
        }
        Shape::Disc { x, y, radius, paint } => {
            if let Some(path) = PathBuilder::from_circle(x, y, radius) {
                canvas.fill_path(&path, &disc_brush(paint, x, y, radius), FillRule::Winding, still, None);
            }
        }
        Shape::HalfDisc { x, y, radius, color } => {
            // Two quarters, each a curve that stays within 0.03 % of the circle.
            let k = radius * 0.5523;
            let mut path = PathBuilder::new();
            path.move_to(x, y - radius);
            path.cubic_to(x - k, y - radius, x - radius, y - k, x - radius, y);
            path.cubic_to(x - radius, y + k, x - k, y + radius, x, y + radius);
            path.close();
            if let Some(path) = path.finish() {
                canvas.fill_path(&path, &brush(color), FillRule::Winding, still, None);
            }
        }
        Shape::Ring { x, y, radius, width, color } => {
            stroke(canvas, PathBuilder::from_circle(x, y, radius), width, color);
        }
        Shape::Text(ref text) => write(canvas, text),
    }
}

fn stroke(canvas: &mut Pixmap, path: Option<Path>, width: f32, color: Color) {
    if let Some(path) = path {
        canvas.stroke_path(&path, &brush(color), &pen(width), Transform::identity(), None);
    }
}

fn write(canvas: &mut Pixmap, text: &Text) {
    let scale = text.size * font::SHARE / font::CAPITALS;
    let (pens, width) = font::strokes(&text.text);
    let left = match text.anchor {
        Anchor::Start => text.x,
        Anchor::Middle => text.x - width * scale / 2.0,
        Anchor::End => text.x - width * scale,
    };
    let top = text.y - font::CAPITALS * scale / 2.0;
    let at = |x: f32, y: f32| (left + x * scale, top + y * scale);
    let mut path = PathBuilder::new();
    for pen in pens {
        match pen {
            Pen::Move(x, y) => {
                let (x, y) = at(x, y);
                path.move_to(x, y);
            }
            Pen::Line(x, y) => {
                let (x, y) = at(x, y);
                path.line_to(x, y);
            }
            Pen::Curve(cx, cy, x, y) => {
                let ((cx, cy), (x, y)) = (at(cx, cy), at(x, y));
                path.quad_to(cx, cy, x, y);
            }
            Pen::Ellipse(cx, cy, rx, ry) => {
                let (x, y) = at(cx - rx, cy - ry);
                if let Some(rect) = Rect::from_xywh(x, y, 2.0 * rx * scale, 2.0 * ry * scale) {
                    path.push_oval(rect);
                }
            }
        }
    }
    let Some(path) = path.finish() else { return };
    let width = text.size * if text.bold { PEN.1 } else { PEN.0 };
    stroke(canvas, Some(path), width, text.color);
}
