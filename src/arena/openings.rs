//! Openings: read from a file, drawn at random near the centre, or completed by an engine that knows what is even.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::error::ArenaError;
use super::process::{Process, Wait};
use crate::control::StopSignal;
use crate::formats::{Defaults, Format};
use crate::game::{GameRecord, Setup, Symmetry};
use crate::rules::Position;
use crate::types::{Cell, Color, Move, Piece, Rule, Size};
use crate::wire::Said;

/// How far from the centre random stones lie.
const RADIUS: usize = 3;
/// How few and how many stones they are.
const STONES: std::ops::RangeInclusive<usize> = 3..=6;

/// Reads the openings of a file in any format that [`crate::formats`] knows.
///
/// # Errors
/// [`ArenaError`] names the file and the line of the first opening that cannot be read or played.
pub fn load(path: &Path, rule: Rule, size: Size) -> Result<Vec<Vec<Move>>, ArenaError> {
    let bytes = fs::read(path).map_err(|error| ArenaError::file("read", path, error))?;
    let format = Format::detect(Some(path), &bytes);
    let games = format
        .read(&bytes, &Defaults { rule: Some(rule), size })
        .map_err(|source| ArenaError::Records { path: path.to_owned(), source })?;
    let mut openings = Vec::new();
    for mut game in games {
        let refuse = |problem: String| {
            let place = format!("{}:{}", path.display(), game.line);
            Err(ArenaError::Opening { place, problem })
        };
        game.record.set_rule(rule);
        if game.record.size() != size {
            return refuse(format!("its board has size {}", game.record.size()));
        }
        if *game.record.setup() != Setup::default() || game.record.moves().contains(&Move::PASS) {
            return refuse("it holds a starting position or a pass".to_owned());
        }
        match Position::from_record(&game.record) {
            Ok(position) if position.status().is_over() => return refuse("the game is over".to_owned()),
            Ok(_) => openings.push(game.record.moves().to_vec()),
            Err(problem) => return refuse(problem.to_string()),
        }
    }
    if openings.is_empty() {
        let place = path.display().to_string();
        return Err(ArenaError::Opening { place, problem: "the file holds none".to_owned() });
    }
    Ok(openings)
}

/// Openings of three to six stones in a square around the centre: no two alike up to symmetry, none with three of one
/// colour alone in five cells, none with a foul. Under the half-stone rule every second one holds the half stone.
///
/// # Errors
/// [`ArenaError::Settings`] if there are not so many.
pub fn random(rule: Rule, size: Size, count: usize, seed: u64) -> Result<Vec<Vec<Move>>, ArenaError> {
    let mut rng = StdRng::seed_from_u64(seed ^ (rule.info_value() as u64) << 56 ^ (size.get() as u64) << 48);
    let square = square(size);
    let mut found = Vec::new();
    let mut keys = HashSet::new();
    for _ in 0..1_000 * count + 1_000 {
        if found.len() == count {
            break;
        }
        let stones = rng.random_range(STONES);
        let half = (rule == Rule::HalfStone && found.len() % 2 == 0)
            .then(|| 2 * rng.random_range(0..stones.div_ceil(2)));
        let Some(moves) = draw(rule, size, &square, stones, half, &mut rng) else { continue };
        if keys.insert(key(&moves, size)) {
            found.push(moves);
        }
    }
    if found.len() < count {
        let problem = format!("there are no {count} different openings on a {size}x{size} board");
        return Err(ArenaError::Settings(problem));
    }
    Ok(found)
}

/// The cells in which random openings lie.
fn square(size: Size) -> Vec<Cell> {
    let center = size.center();
    let radius = RADIUS.min((size.get() - 1) / 2);
    let near = |cell: &Cell| center.x().abs_diff(cell.x()).max(center.y().abs_diff(cell.y())) <= radius;
    size.cells().filter(near).collect()
}

/// One opening; `None` if it does not come out as it should.
fn draw(
    rule: Rule,
    size: Size,
    square: &[Cell],
    stones: usize,
    half: Option<usize>,
    rng: &mut StdRng,
) -> Option<Vec<Move>> {
    let mut position = Position::new(rule, size);
    let mut moves: Vec<Move> = Vec::new();
    while moves.len() < stones {
        let beside = |a: Cell, b: Cell| a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())) <= RADIUS;
        let near: Vec<Cell> = square
            .iter()
            .copied()
            .filter(|&cell| position.is_empty(cell))
            .filter(|&cell| {
                moves.is_empty() || moves.iter().filter_map(|mv| mv.cell()).any(|at| beside(at, cell))
            })
            .collect();
        let &cell = near.choose(rng)?;
        let mv = if half == Some(moves.len()) { Move::half(cell) } else { Move::stone(cell) };
        if position.play(mv).ok()?.is_over() {
            return None;
        }
        moves.push(mv);
    }
    (!has_three(&position)).then_some(moves)
}

/// Whether three stones of one colour lie alone within five cells of a line.
fn has_three(position: &Position) -> bool {
    let size = position.size();
    let lines = [(1, 0), (0, 1), (1, 1), (1, -1)];
    size.cells().any(|cell| {
        lines.iter().any(|&(dx, dy)| {
            let mut counts = [0; 2];
            for step in 0..5 {
                let (x, y) = (cell.x() as i64 + step * dx, cell.y() as i64 + step * dy);
                let Some(at) = Cell::from_wire(x, y, size) else { return false };
                match position.piece(at) {
                    Some(Piece::Stone(Color::Black)) => counts[0] += 1,
                    Some(Piece::Stone(Color::White)) => counts[1] += 1,
                    Some(_) => return false,
                    None => {}
                }
            }
            matches!(counts, [black, 0] if black >= 3) || matches!(counts, [0, white] if white >= 3)
        })
    })
}

/// The same for openings that differ only in the order of moves or by turning and mirroring the board.
fn key(moves: &[Move], size: Size) -> Vec<(Move, usize)> {
    let turned = |symmetry: &Symmetry| {
        let mut stones: Vec<(Move, usize)> =
            moves.iter().enumerate().map(|(i, &mv)| (symmetry.mv(mv, size), i % 2)).collect();
        stones.sort_unstable();
        stones
    };
    Symmetry::ALL.iter().map(turned).min().unwrap_or_default()
}

/// An engine that completes openings so that they are even. It must know `YXBOARD` and `YXBALANCEONE`, as ours and
/// Yixin's family do.
pub struct Adviser {
    process: Process,
}

impl Adviser {
    /// Starts the engine and a game on it.
    ///
    /// # Errors
    /// [`ArenaError::Adviser`] if it does not play along.
    pub fn start(command: &[String], rule: Rule, size: Size, ms: u64) -> Result<Adviser, ArenaError> {
        let process = Process::spawn(command, None)
            .map_err(|error| ArenaError::Adviser(format!("cannot be started: {error}")))?;
        let mut adviser = Adviser { process };
        adviser.process.send(format!("START {size}\r\n"));
        match adviser.answer(Duration::from_secs(10))? {
            Said::Ok => {}
            other => return Err(ArenaError::Adviser(format!("answers START with {other:?}"))),
        }
        let rule = rule.info_value();
        adviser.process.send(format!(
            "INFO rule {rule}\r\nINFO thread_num 1\r\nINFO timeout_turn {ms}\r\nINFO timeout_match 0\r\n"
        ));
        Ok(adviser)
    }

    /// Replaces the last stone of an opening by the one that makes it most even. The half stone, if it is the last,
    /// stays where it is.
    ///
    /// # Errors
    /// [`ArenaError::Adviser`] if the engine gives no point that can be played.
    pub fn balance(&mut self, opening: &[Move], rule: Rule, size: Size) -> Result<Vec<Move>, ArenaError> {
        let mut record = GameRecord::new(rule, size);
        let Some((last, rest)) = opening.split_last() else { return Ok(Vec::new()) };
        if last.is_half() {
            return Ok(opening.to_vec());
        }
        rest.iter().for_each(|&mv| record.push(mv));
        let mover = record.side_to_move();
        let mut block = "YXBOARD\r\n".to_owned();
        for (cell, piece) in record.pieces() {
            let own = piece == Piece::Stone(mover) || (piece == Piece::Half && mover == Color::Black);
            let half = if piece == Piece::Half { 3 } else { 0 };
            block += &format!("{},{},{}\r\n", cell.x(), cell.y(), if own { 1 } else { 2 } + half);
        }
        self.process.send(block + "DONE\r\nYXBALANCEONE 0\r\n");
        let said = self.answer(Duration::from_secs(120))?;
        let Said::Move { point, half: false } = said else {
            return Err(ArenaError::Adviser(format!("answers YXBALANCEONE with {said:?}")));
        };
        let mv = Cell::from_wire(point.x, point.y, size).map(Move::stone);
        let legal = |mv: &Move| {
            Position::from_record(&record)
                .is_ok_and(|mut position| position.play(*mv).is_ok_and(|s| !s.is_over()))
        };
        let mv = mv.filter(legal);
        let mv = mv.ok_or_else(|| ArenaError::Adviser(format!("cannot play {point} in the opening")))?;
        record.push(mv);
        Ok(record.moves().to_vec())
    }

    /// The next line that is no chatter.
    fn answer(&mut self, patience: Duration) -> Result<Said, ArenaError> {
        let deadline = Instant::now() + patience;
        loop {
            match self.process.next_line(deadline, &StopSignal::default()) {
                Wait::Line((_, line)) => {
                    let said = Said::parse(&line).said;
                    if !said.is_chatter() {
                        return Ok(said);
                    }
                }
                Wait::Gone => return Err(ArenaError::Adviser(self.process.describe_end())),
                Wait::Late | Wait::Stopped => return Err(ArenaError::Adviser("does not answer".to_owned())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::parse_moves;

    #[test]
    fn random_openings_are_legal_different_and_repeatable() {
        for rule in Rule::ALL {
            let size = Size::new(if rule == Rule::Freestyle { 20 } else { 15 }).unwrap();
            let openings = random(rule, size, 40, 7).unwrap();
            assert_eq!(openings, random(rule, size, 40, 7).unwrap());
            assert_ne!(openings, random(rule, size, 40, 8).unwrap());
            let keys: HashSet<_> = openings.iter().map(|moves| key(moves, size)).collect();
            assert_eq!(keys.len(), 40);
            let halves = openings.iter().filter(|moves| moves.iter().any(|mv| mv.is_half())).count();
            assert_eq!(halves, if rule == Rule::HalfStone { 20 } else { 0 });
            assert!(openings.iter().all(|moves| STONES.contains(&moves.len())));
        }
        assert_eq!(random(Rule::Freestyle, Size::MIN, 10, 1).unwrap().len(), 10);
    }

    #[test]
    fn turned_and_reordered_openings_have_the_same_key() {
        let size = Size::STANDARD;
        let of = |text| key(&parse_moves(text, size).unwrap(), size);
        assert_eq!(of("h8 i9 g7"), of("g7 i9 h8"));
        assert_eq!(of("h8 i9"), of("h8 g7"));
        assert_ne!(of("h8 i9"), of("i9 h8"));
        assert_ne!(of("h8 i9"), of("*h8 i9"));
    }

    #[test]
    fn threes_are_seen() {
        let size = Size::STANDARD;
        let of = |text| {
            let mut record = GameRecord::new(Rule::Freestyle, size);
            parse_moves(text, size).unwrap().into_iter().for_each(|mv| record.push(mv));
            has_three(&Position::from_record(&record).unwrap())
        };
        assert!(of("h8 a1 i9 a2 k11"));
        assert!(!of("h8 a1 i9 a5 m13"));
    }
}
