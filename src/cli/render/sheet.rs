//! The record sheet (谱纸): a page to print, with the heading fields, the board with numbered moves, and the list of
//! moves by rounds. Fields and rows that are not known stay empty lines, to be filled in by hand.

use super::board::{self, Layout, Theme};
use super::scene::{Anchor, Color, Paint, Scene, Shape};
use super::view::View;
use crate::formats::Game;
use crate::game::Claim;
use crate::rules::{Position, Status};
use crate::types::{Color as Side, MoveKind};

const INK: Color = Color::new(0x222222);
const PALE: Color = Color::new(0x8a8a8a);
const RULE: Color = Color::new(0xc8c8c8);
/// Columns of the list of moves, and the least number of rounds in each.
const COLUMNS: usize = 4;
const LEAST_ROWS: usize = 12;

/// The sheet of a game, of which `view` shows the board. `chinese` where the writing can show it.
pub(super) fn picture(game: &Game, view: &View, cell: f32, chinese: bool) -> Scene {
    let unit = 0.42 * cell;
    let (board_width, board_height) = Layout::extent(view.size, cell);
    let margin = 3.0 * unit;
    let width = board_width.max(13.0 * cell) + 2.0 * margin;
    let rounds = rounds(game);
    let rows = rounds.len().div_ceil(COLUMNS).max(LEAST_ROWS);
    let row_height = 1.75 * unit;
    let head_height = 14.5 * unit;
    let list_top = margin + head_height + board_height + 1.5 * unit;
    let height = list_top + (rows + 1) as f32 * row_height + margin;

    let mut scene = Scene::new(width, height, Theme::PAPER.ground);
    let title = if chinese { "Game record · 谱纸" } else { "Game record" };
    scene.text((width / 2.0, margin + unit), 2.0 * unit, Anchor::Middle, INK, title);
    heading(&mut scene, game, (margin, margin + 4.2 * unit), width - 2.0 * margin, unit);
    let left = (width - board_width) / 2.0 - 0.2 * cell;
    board::draw(&mut scene, view, Theme::PAPER, Layout::new(view.size, cell, (left, margin + head_height)));
    list(&mut scene, &rounds, rows, (margin, list_top), width - 2.0 * margin, (unit, row_height));
    scene
}

/// The fields above the board, two in a row.
fn heading(scene: &mut Scene, game: &Game, (left, top): (f32, f32), width: f32, unit: f32) {
    let meta = &game.meta;
    let (result, size) = (result(game), game.record.size());
    let rule = game.rule().map_or(String::new(), |rule| format!("{rule}, {size} × {size}"));
    let fields = [
        ("Black", meta.black.clone()),
        ("White", meta.white.clone()),
        ("Event", meta.event.clone()),
        ("Round", meta.round.clone()),
        ("Date", meta.date.clone()),
        ("Rule", rule),
        ("Result", result),
        (
            "Moves",
            if game.record.moves().is_empty() {
                String::new()
            } else {
                game.record.moves().len().to_string()
            },
        ),
    ];
    let gap = 1.6 * unit;
    let column = (width - gap) / 2.0;
    for (i, (name, value)) in fields.into_iter().enumerate() {
        let x = left + (i % 2) as f32 * (column + gap);
        let y = top + (i / 2) as f32 * 2.4 * unit;
        scene.text((x, y), 0.95 * unit, Anchor::Start, PALE, name);
        let start = x + 4.0 * unit;
        // As much as fits the line, by the width of common letters.
        let room = ((column - 4.0 * unit) / (0.62 * unit)) as usize;
        let value: String = value.chars().take(room).collect();
        scene.text((start + 0.2 * unit, y), 1.1 * unit, Anchor::Start, INK, value);
        scene.line((start, y + 0.85 * unit), (x + column, y + 0.85 * unit), 0.05 * unit, PALE);
    }
}

/// The result in words: as claimed, else as the rules have it.
fn result(game: &Game) -> String {
    let status = Position::from_record(&game.record).map(|position| position.status());
    let claim = game.meta.result.or(match status {
        Ok(Status::Won { winner, .. }) => Some(Claim::Won(winner)),
        Ok(Status::Drawn) => Some(Claim::Drawn),
        Ok(Status::Ongoing) | Err(_) => None,
    });
    let who = match claim {
        Some(Claim::Won(Side::Black)) => "Black wins",
        Some(Claim::Won(Side::White)) => "White wins",
        Some(Claim::Drawn) => "Draw",
        Some(Claim::Unfinished) => "Unfinished",
        None => "",
    };
    match game.meta.reason.as_str() {
        "" => who.to_owned(),
        reason if who.is_empty() => reason.to_owned(),
        reason => format!("{who} ({reason})"),
    }
}

/// One move in the list.
#[derive(Clone, Debug)]
struct Entry {
    text: String,
    kind: MoveKind,
}

/// The moves in pairs of Black and White.
fn rounds(game: &Game) -> Vec<[Option<Entry>; 2]> {
    let record = &game.record;
    let mut rounds: Vec<[Option<Entry>; 2]> = Vec::new();
    let mut color = record.setup().to_move;
    for mv in record.moves() {
        let text = match mv.cell() {
            Some(cell) => cell.text(record.size()).to_string().to_ascii_uppercase(),
            None => "--".to_owned(),
        };
        let entry = Some(Entry { text, kind: mv.kind() });
        if color == Side::Black {
            rounds.push([entry, None]);
        } else {
            match rounds.last_mut() {
                Some([_, white]) => *white = entry,
                None => rounds.push([None, entry]),
            }
        }
        color = !color;
    }
    rounds
}

/// The list of moves under the board.
fn list(
    scene: &mut Scene,
    rounds: &[[Option<Entry>; 2]],
    rows: usize,
    (left, top): (f32, f32),
    width: f32,
    (unit, row_height): (f32, f32),
) {
    let gap = 1.4 * unit;
    let column = (width - gap * (COLUMNS - 1) as f32) / COLUMNS as f32;
    let thin = 0.05 * unit;
    for c in 0..COLUMNS {
        let x = left + c as f32 * (column + gap);
        // Centres of the three parts: number, Black, White.
        let parts = [x + 0.12 * column, x + 0.42 * column, x + 0.8 * column];
        for (part, color) in parts.into_iter().skip(1).zip([INK, Theme::PAPER.ground]) {
            let (y, radius) = (top + 0.45 * row_height, 0.5 * unit);
            scene.push(Shape::Disc { x: part, y, radius, paint: Paint::Flat(color) });
            scene.push(Shape::Ring { x: part, y, radius, width: 2.0 * thin, color: INK });
        }
        scene.line((x, top + row_height), (x + column, top + row_height), 1.6 * thin, INK);
        for r in 0..rows {
            let y = top + (r as f32 + 1.5) * row_height;
            let index = c * rows + r;
            let below = y + row_height / 2.0;
            scene.text((parts[0], y), 0.85 * unit, Anchor::Middle, PALE, (index + 1).to_string());
            scene.line((x, below), (x + column, below), thin, RULE);
            for (entry, part) in rounds.get(index).into_iter().flatten().zip(&parts[1..]) {
                let Some(entry) = entry else { continue };
                let half = entry.kind == MoveKind::Half;
                let aside = if half { 0.45 * unit } else { 0.0 };
                scene.text((part + aside, y), 1.05 * unit, Anchor::Middle, INK, entry.text.as_str());
                if half {
                    half_mark(scene, (part - 1.05 * unit, y), 0.38 * unit);
                }
            }
        }
        let bottom = top + (rows + 1) as f32 * row_height;
        for share in [0.24, 0.61] {
            scene.line((x + share * column, top), (x + share * column, bottom), thin, RULE);
        }
    }
}

/// A small half stone before a move.
fn half_mark(scene: &mut Scene, (x, y): (f32, f32), radius: f32) {
    scene.push(Shape::HalfDisc { x, y, radius, color: INK });
    scene.push(Shape::Ring { x, y, radius, width: 0.22 * radius, color: INK });
}
