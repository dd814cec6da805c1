//! A scene as SVG.

use std::fmt::Write;

use super::scene::{Anchor, Color, Paint, Scene, Shape, Text};

/// Height of capitals in the fonts that the text is likely to be shown in, as a share of the font size.
const CAPITALS: f32 = 0.72;

pub(super) fn draw(scene: &Scene) -> String {
    let mut paints: Vec<Paint> = Vec::new();
    let mut body = String::new();
    for shape in &scene.shapes {
        element(&mut body, shape, &mut paints);
    }
    let (width, height) = (number(scene.width), number(scene.height));
    // Writing into a string cannot fail.
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, 'Noto Sans CJK SC', sans-serif\">\n"
    );
    if !paints.is_empty() {
        svg += "<defs>\n";
        for (i, paint) in paints.iter().enumerate() {
            gradient(&mut svg, i, *paint);
        }
        svg += "</defs>\n";
    }
    let _ = writeln!(svg, "{body}</svg>");
    svg
}

fn gradient(svg: &mut String, index: usize, paint: Paint) {
    let (place, stops) = match paint {
        Paint::Flat(_) => return,
        Paint::Lit(near, far) => ("cx=\"0.35\" cy=\"0.3\" r=\"0.75\"", [near, far]),
        Paint::Soft(color) => ("cx=\"0.5\" cy=\"0.5\" r=\"0.5\"", [color, color.fade(0.0)]),
    };
    let _ = write!(svg, "<radialGradient id=\"g{index}\" {place}>");
    for (offset, color) in stops.into_iter().enumerate() {
        let opacity = if color.alpha < 1.0 {
            format!(" stop-opacity=\"{}\"", number(color.alpha))
        } else {
            String::new()
        };
        let _ = write!(svg, "<stop offset=\"{offset}\" stop-color=\"{}\"{opacity}/>", hex(color));
    }
    *svg += "</radialGradient>\n";
}

/// A paint as an attribute; gradients are collected.
fn fill(paint: Paint, paints: &mut Vec<Paint>) -> String {
    if let Paint::Flat(color) = paint {
        return ink("fill", color);
    }
    let index = paints.iter().position(|known| *known == paint).unwrap_or_else(|| {
        paints.push(paint);
        paints.len() - 1
    });
    format!("fill=\"url(#g{index})\"")
}

/// A colour as an attribute, with its opacity if it has one.
fn ink(attribute: &str, color: Color) -> String {
    let mut text = format!("{attribute}=\"{}\"", hex(color));
    if color.alpha < 1.0 {
        let _ = write!(text, " {attribute}-opacity=\"{}\"", number(color.alpha));
    }
    text
}

fn hex(color: Color) -> String {
    format!("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue)
}

/// A number with two decimals at most.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn element(svg: &mut String, shape: &Shape, paints: &mut Vec<Paint>) {
    let n = number;
    let _ = match *shape {
        Shape::Rect { x, y, width, height, color } => writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>",
            n(x),
            n(y),
            n(width),
            n(height),
            ink("fill", color)
        ),
        Shape::Line { from, to, width, color } => writeln!(
            svg,
            "<path d=\"M{} {}L{} {}\" stroke-width=\"{}\" stroke-linecap=\"round\" {}/>",
            n(from.0),
            n(from.1),
            n(to.0),
            n(to.1),
            n(width),
            ink("stroke", color)
        ),
        Shape::Disc { x, y, radius, paint } => {
            writeln!(
                svg,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>",
                n(x),
                n(y),
                n(radius),
                fill(paint, paints)
            )
        }
        Shape::HalfDisc { x, y, radius, color } => writeln!(
            svg,
            "<path d=\"M{0} {1}A{2} {2} 0 0 0 {0} {3}Z\" {4}/>",
            n(x),
            n(y - radius),
            n(radius),
            n(y + radius),
            ink("fill", color)
        ),
        Shape::Ring { x, y, radius, width, color } => writeln!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke-width=\"{}\" {}/>",
            n(x),
            n(y),
            n(radius),
            n(width),
            ink("stroke", color)
        ),
        Shape::Text(ref text) => text_element(svg, text),
    };
}

fn text_element(svg: &mut String, text: &Text) -> std::fmt::Result {
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let weight = if text.bold { " font-weight=\"bold\"" } else { "" };
    writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor}{weight} {}>{}</text>",
        number(text.x),
        number(text.y + text.size * CAPITALS / 2.0),
        number(text.size),
        ink("fill", text.color),
        escape(&text.text)
    )
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            // XML knows no other control characters, not even by number.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
