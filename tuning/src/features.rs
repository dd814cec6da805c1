//! What fitting sees of a game: the quiet positions as sparse features, and the choices among moves.

use halfstone::board::Board;
use halfstone::engine;
use halfstone::eval::{self, MAX_EVAL};
use halfstone::game::GameRecord;
use halfstone::movegen::{self, MoveList, Situation};
use halfstone::pattern::{CODES, OFFSETS, PointClass, offset_class};
use halfstone::types::{Cell, Color, Move, Rule};

use crate::games::{Game, UNSEARCHED};
use crate::pooled;
use crate::selfplay::last_ply;

/// Which tables a rule has, and who uses which.
///
/// Colours share a table where the rule treats them alike; the half-stone rule has two more for the time while Black
/// holds the half stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    rule: Rule,
}

impl Layout {
    /// The layout of a rule.
    pub fn of(rule: Rule) -> Layout {
        Layout { rule }
    }

    /// How many tables there are.
    pub fn tables(self) -> usize {
        match self.rule {
            Rule::Renju => 2,
            Rule::HalfStone => 3,
            _ => 1,
        }
    }

    /// The table of a colour in a phase.
    pub fn table(self, half_in_hand: bool, color: Color) -> usize {
        match self.rule {
            Rule::Renju => color.index(),
            Rule::HalfStone if half_in_hand => 1 + color.index(),
            _ => 0,
        }
    }

    /// A phase and a colour that use a table.
    pub fn user(self, table: usize) -> (bool, Color) {
        let users = [false, true].into_iter().flat_map(|hand| Color::ALL.map(|color| (hand, color)));
        users
            .into_iter()
            .find(|&(hand, color)| self.table(hand, color) == table)
            .unwrap_or((false, Color::Black))
    }
}

/// Positions with everything that is fitted to them, packed.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    /// Feature (table × [`CODES`] + code) and how often, the mover's view; position by position.
    pub codes: Vec<(u16, i16)>,
    /// Where the features of each position begin, and the end.
    pub starts: Vec<u32>,
    /// Index into the tempo tables: table × 2,048 + facts.
    pub tempo: Vec<u16>,
    /// Table of the colour that is not to move.
    pub their_table: Vec<u8>,
    /// The empty points by their codes, position by position; those that nothing is near are left out.
    pub pairs: Vec<Pair>,
    /// Where the points of each position begin, and the end.
    pub pair_starts: Vec<u32>,
    /// Result for the mover: 0, ½, 1, or [`NO_RESULT`].
    pub result: Vec<f32>,
    /// Score of the search.
    pub score: Vec<i16>,
}

/// Where a chance move came between the position and the end of its game: only the score of the search is learnt from.
pub const NO_RESULT: f32 = f32::NAN;

/// How many empty points of a position have two codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The mover's code, and the other's.
    pub codes: [u16; 2],
    /// How many.
    pub count: u16,
}

/// A candidate move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Table × codes + own code, table × codes + the other's code.
    pub codes: [u16; 2],
    /// Table × offsets + class of the offset from the opponent's last move and from the mover's own; none before they
    /// have moved.
    pub offsets: [Option<u8>; 2],
}

/// Choices: a candidate list each, the played move first.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The candidates.
    pub moves: Vec<Choice>,
    /// Where each list begins, and the end.
    pub starts: Vec<u32>,
}

/// What a list of games gives to fit.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// For the evaluation.
    pub positions: Positions,
    /// For the move scores.
    pub choices: Choices,
}

impl Positions {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.tempo.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tempo.is_empty()
    }

    /// The code features of a position.
    pub fn codes(&self, i: usize) -> &[(u16, i16)] {
        &self.codes[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The points of a position, by their codes.
    pub fn pairs(&self, i: usize) -> &[Pair] {
        &self.pairs[self.pair_starts[i] as usize..self.pair_starts[i + 1] as usize]
    }
}

impl Choices {
    /// Number of choices.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The candidates of a choice, the played one first.
    pub fn moves(&self, i: usize) -> &[Choice] {
        &self.moves[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

impl Samples {
    /// An empty list.
    pub fn new() -> Samples {
        let mut samples = Samples::default();
        samples.positions.starts.push(0);
        samples.positions.pair_starts.push(0);
        samples.choices.starts.push(0);
        samples
    }

    /// Appends the samples of another list.
    pub fn append(&mut self, other: &Samples) {
        let (base, from) = (self.positions.codes.len() as u32, &other.positions);
        self.positions.codes.extend(&from.codes);
        self.positions.starts.extend(from.starts.iter().skip(1).map(|start| base + start));
        self.positions.tempo.extend(&from.tempo);
        let base = self.positions.pairs.len() as u32;
        self.positions.pairs.extend(&from.pairs);
        self.positions.pair_starts.extend(from.pair_starts.iter().skip(1).map(|start| base + start));
        self.positions.their_table.extend(&from.their_table);
        self.positions.result.extend(&from.result);
        self.positions.score.extend(&from.score);
        let (base, from) = (self.choices.moves.len() as u32, &other.choices);
        self.choices.moves.extend(&from.moves);
        self.choices.starts.extend(from.starts.iter().skip(1).map(|start| base + start));
    }

    /// Adds everything that a game under `rule` has to offer: what was searched, without a proof, on a board that is
    /// not yet half full. Hardly a game is decided after that, and long draws would outweigh all others.
    pub fn add(&mut self, rule: Rule, game: &Game) {
        let layout = Layout::of(rule);
        let mut board = engine::board(&GameRecord::new(rule, game.size));
        let mut candidates = MoveList::new();
        let told_from = last_chance_move(rule, game).map_or(0, |ply| ply + 1);
        for (ply, &(mv, score)) in game.moves.iter().enumerate().take(last_ply(game.size)) {
            if score != UNSEARCHED && i32::from(score).abs() <= MAX_EVAL {
                let result = match game.winner {
                    _ if ply < told_from => NO_RESULT,
                    None => 0.5,
                    Some(winner) if winner == board.side_to_move() => 1.0,
                    Some(_) => 0.0,
                };
                let free = movegen::situation(&mut board, &mut candidates) == Situation::Free;
                if is_quiet(&board) {
                    self.positions.add(layout, &board, result, score);
                }
                if free && !mv.is_half() {
                    movegen::candidate_moves(&board, &mut candidates);
                    self.choices.add(layout, &board, mv, &candidates);
                }
            }
            board.make(mv);
        }
    }
}

/// The last move after the opening that chance made: one that was not searched although nothing was forced. What came of
/// the game says nothing of the positions before it.
fn last_chance_move(rule: Rule, game: &Game) -> Option<usize> {
    let mut board = engine::board(&GameRecord::new(rule, game.size));
    let mut answers = MoveList::new();
    let mut last = None;
    for (ply, &(mv, score)) in game.moves.iter().enumerate() {
        if ply >= game.opening
            && score == UNSEARCHED
            && movegen::situation(&mut board, &mut answers) == Situation::Free
        {
            last = Some(ply);
        }
        board.make(mv);
    }
    last
}

/// Nobody can make five, and the mover has no straight four: the evaluation is about what comes later.
fn is_quiet(board: &Board) -> bool {
    let us = board.side_to_move();
    let fives = Color::ALL.iter().any(|&c| board.count(c, PointClass::Five) > 0 && !board.is_dormant(c));
    !fives && (board.count(us, PointClass::WinFour) == 0 || board.is_dormant(us))
}

impl Positions {
    fn add(&mut self, layout: Layout, board: &Board, result: f32, score: i16) {
        let mut counts = vec![0i16; layout.tables() * CODES];
        let us = board.side_to_move();
        for color in Color::ALL {
            let base = layout.table(board.half_in_hand(), color) * CODES;
            let sign = if color == us { 1 } else { -1 };
            for cell in board.empty_cells().iter() {
                counts[base + board.code(color, cell) as usize] += sign;
            }
        }
        let present = counts.iter().enumerate().filter(|&(_, &count)| count != 0);
        self.codes.extend(present.map(|(feature, &count)| (feature as u16, count)));
        self.starts.push(self.codes.len() as u32);
        self.add_pairs(board);
        self.their_table.push(layout.table(board.half_in_hand(), !us) as u8);
        self.tempo.push((layout.table(board.half_in_hand(), us) << 11 | eval::facts(board)) as u16);
        self.result.push(result);
        self.score.push(score);
    }

    fn add_pairs(&mut self, board: &Board) {
        let us = board.side_to_move();
        let codes = board.empty_cells().iter().map(|cell| [board.code(us, cell), board.code(!us, cell)]);
        let void = [pooled::void(); 2];
        let mut codes: Vec<[u16; 2]> = codes.filter(|&codes| codes != void).collect();
        codes.sort_unstable();
        let groups = codes.chunk_by(|a, b| a == b);
        self.pairs.extend(groups.map(|group| Pair { codes: group[0], count: group.len() as u16 }));
        self.pair_starts.push(self.pairs.len() as u32);
    }
}

/// The class of the offset between two points.
fn between(from: Cell, to: Cell) -> usize {
    let difference = |to: usize, from: usize| to as isize - from as isize;
    offset_class(difference(to.x(), from.x()), difference(to.y(), from.y()))
}

impl Choices {
    fn add(&mut self, layout: Layout, board: &Board, played: Move, candidates: &MoveList) {
        let us = board.side_to_move();
        let table = layout.table(board.half_in_hand(), us);
        let mut last = board.moves().rev().map(Move::cell);
        let last = [last.next().flatten(), last.next().flatten()];
        let feature = |mv: &Move| {
            let cell = mv.cell()?;
            let code = |color| (table * CODES + board.code(color, cell) as usize) as u16;
            let offset = |from: Cell| (table * OFFSETS + between(from, cell)) as u8;
            Some(Choice { codes: [code(us), code(!us)], offsets: last.map(|from| from.map(offset)) })
        };
        if candidates.len() < 2 || !candidates.contains(&played) {
            return;
        }
        self.moves.extend(feature(&played));
        let others = candidates.iter().filter(|&&mv| mv != played && !mv.is_half());
        self.moves.extend(others.filter_map(feature));
        self.starts.push(self.moves.len() as u32);
    }
}
