//! Curves of a fit, as SVG.

use std::fmt::Write;

use crate::fit::Curve;

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 300.0;
const MARGIN: f64 = 60.0;

/// Training and validation loss of several fits, side by side.
pub fn svg(curves: &[(&str, &Curve)]) -> String {
    let width = WIDTH * curves.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (i, (title, curve)) in curves.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = panel(&mut out, WIDTH * i as f64, title, curve);
    }
    out.push_str("</svg>\n");
    out
}

fn panel(out: &mut String, left: f64, title: &str, curve: &Curve) -> std::fmt::Result {
    let all = curve.losses.iter().flat_map(|&(train, validation)| [train, validation]);
    let (low, high) = all.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    let passes = (curve.losses.len().max(2) - 1) as f64;
    let x = |pass: usize| left + MARGIN + (WIDTH - 1.5 * MARGIN) * pass as f64 / passes;
    let y = |loss: f64| HEIGHT - MARGIN + (2.0 * MARGIN - HEIGHT) * (loss - low) / (high - low).max(1e-9);
    writeln!(out, "<text x=\"{:.0}\" y=\"20\">{title}: loss by pass</text>", left + MARGIN)?;
    for loss in [low, high] {
        writeln!(out, "<text x=\"{:.0}\" y=\"{:.1}\">{loss:.4}</text>", left + 8.0, y(loss))?;
    }
    for (name, color, pick) in [
        ("training", "#4477aa", (|loss: &(f64, f64)| loss.0) as fn(&(f64, f64)) -> f64),
        ("validation", "#cc3311", |loss| loss.1),
    ] {
        let points: Vec<String> = curve
            .losses
            .iter()
            .enumerate()
            .map(|(pass, loss)| format!("{:.1},{:.1}", x(pass), y(pick(loss))))
            .collect();
        writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>",
            points.join(" ")
        )?;
        let row = if name == "training" { HEIGHT - 30.0 } else { HEIGHT - 12.0 };
        writeln!(out, "<text x=\"{:.0}\" y=\"{row:.0}\" fill=\"{color}\">{name}</text>", left + MARGIN)?;
    }
    writeln!(
        out,
        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#cc3311\"/>",
        x(curve.best),
        y(curve.after())
    )
}
