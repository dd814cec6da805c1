//! The incremental board against a rebuild: random games with undos, all rules, all sizes, half stones, blocked
//! points and passes; symmetries; the hash; the half-stone rule's second phase.

use std::collections::HashMap;
use std::sync::Arc;

use halfstone::board::Board;
use halfstone::game::GameRecord;
use halfstone::pattern::{
    LANES, LineJudge, Network, PointClass, PointTable, SideWeights, Weights, code_of, digest,
};
use halfstone::types::{Cell, CellSet, Color, Direction, Move, Piece, Rule, Size};

use crate::support::random::{Rng, random_pieces, record, size};

/// A network whose vectors tell all codes and colours apart, with numbers up to the bound.
fn odd_network(set: usize) -> Network {
    let number = |part: usize, code: usize, lane: usize| {
        ((code * 7907 + lane * 50_021 + (2 * set + part) * 104_723) % 767) as i16 - 383
    };
    let mut network = Network::ZERO;
    network.own = std::array::from_fn(|code| std::array::from_fn(|lane| number(0, code, lane)));
    network.theirs = std::array::from_fn(|code| std::array::from_fn(|lane| number(1, code, lane)));
    network
}

/// Values that tell all codes and colours apart.
fn odd_weights() -> Weights {
    let value = |set: usize, code: usize| ((code * 7919 + set * 104_729) % 2003) as i16 - 1001;
    let side = |set: usize| SideWeights {
        values: std::array::from_fn(|code| value(set, code)),
        network: Some(Arc::new(odd_network(set))),
        ..SideWeights::ZERO
    };
    Weights { after: [side(0), side(1)], in_hand: [side(2), side(3)] }
}

fn odd_points(rule: Rule) -> Arc<PointTable> {
    Arc::new(PointTable::new(rule, &odd_weights()))
}

/// The window key of a cell, read off the pieces.
fn slow_key(board: &Board, cell: Cell, direction: Direction) -> u32 {
    let half = board.patterns().windows().half() as i32;
    let offsets = (-half..=half).filter(|&k| k != 0);
    offsets.enumerate().fold(0, |key, (i, k)| {
        let at = cell.step(direction, k).filter(|at| at.on_board(board.size()));
        let bits = match at.map(|at| board.piece(at)) {
            Some(None) => 3,
            Some(Some(Piece::Stone(Color::Black))) => 1,
            Some(Some(Piece::Stone(Color::White))) => 2,
            _ => 0,
        };
        key | bits << (2 * i)
    })
}

/// Checks everything that the board says of itself against what its pieces say.
fn assert_true_to_its_pieces(board: &Board) {
    let weights = odd_weights();
    for color in Color::ALL {
        let mut sets: HashMap<PointClass, CellSet> = HashMap::new();
        let mut value = 0;
        let mut sums = [0i64; LANES];
        let network =
            |of: Color| weights.side(board.half_in_hand(), of).network.as_ref().expect("there is one");
        for cell in board.size().cells() {
            if !board.is_empty(cell) {
                assert_eq!(board.class(color, cell), PointClass::None);
                assert_eq!(board.code(color, cell), 0);
                continue;
            }
            let lines = Direction::ALL.map(|direction| {
                let class = board.patterns().line_class(color, slow_key(board, cell, direction));
                assert_eq!(board.line_class(color, cell, direction), class, "{cell:?} {direction:?}");
                class
            });
            let code = code_of(lines);
            let digest = digest(LineJudge::of(board.rule(), color), lines);
            assert_eq!(board.code(color, cell), code);
            assert_eq!(board.class(color, cell), digest.class);
            if color == Color::Black {
                assert_eq!(board.foul_suspect(cell), digest.foul_suspect);
            }
            let other = Direction::ALL
                .map(|direction| board.patterns().line_class(!color, slow_key(board, cell, direction)));
            for (lane, sum) in sums.iter_mut().enumerate() {
                let own = network(color).own[code as usize][lane];
                let theirs = network(color).theirs[code_of(other) as usize][lane];
                *sum += (i64::from(own) + i64::from(theirs)).max(0);
            }
            sets.entry(digest.class).or_default().insert(cell);
            value += i32::from(weights.side(board.half_in_hand(), color).values[code as usize]);
        }
        for class in PointClass::ALL {
            let set = sets.remove(&class).unwrap_or_default();
            assert_eq!(board.set(color, class), &set);
            assert_eq!(board.count(color, class) as usize, set.len());
            assert_eq!(board.first(color, class), set.iter().next());
        }
        assert_eq!(board.value(color), value);
        assert_eq!(board.pooled(color).map(i64::from), sums);
        assert_eq!(board.alive_windows(color), slow_windows(board, color));
    }
    assert_eq!(board.candidate_set(), slow_candidates(board));
    assert_eq!(board.candidates().collect::<CellSet>(), slow_candidates(board));
    assert_eq!(board.empty_count(), board.empty_cells().len());
}

fn slow_windows(board: &Board, color: Color) -> u32 {
    let usable = |cell: Option<Cell>| {
        cell.is_some_and(|cell| {
            cell.on_board(board.size())
                && matches!(board.piece(cell), None | Some(Piece::Stone(_)))
                && board.piece(cell) != Some(Piece::Stone(!color))
        })
    };
    let starts = board.size().cells().flat_map(|cell| Direction::ALL.map(|direction| (cell, direction)));
    starts.filter(|&(cell, direction)| (0..5).all(|k| usable(cell.step(direction, k)))).count() as u32
}

fn slow_candidates(board: &Board) -> CellSet {
    let stones: Vec<Cell> = board.size().cells().filter(|&cell| board.piece(cell).is_some()).collect();
    let near = |cell: &Cell| {
        stones.iter().any(|stone| {
            let (dx, dy) = (cell.x().abs_diff(stone.x()), cell.y().abs_diff(stone.y()));
            dx.max(dy) <= 3 || dx.max(dy) == 4 && (dx == 0 || dy == 0 || dx == dy)
        })
    };
    let empty = || board.size().cells().filter(|cell| board.is_empty(*cell));
    let candidates: CellSet = empty().filter(near).collect();
    match candidates.is_empty() {
        false => candidates,
        true if stones.is_empty() && board.is_empty(board.size().center()) => {
            [board.size().center()].into_iter().collect()
        }
        true => empty().collect(),
    }
}

/// A random legal move: mostly near others, now and then far away, a pass or the half stone.
fn random_move(rng: &mut Rng, board: &Board) -> Move {
    let cells: Vec<Cell> =
        if rng.percent(85) { board.candidates().collect() } else { board.empty_cells().iter().collect() };
    match rng.pick(&cells) {
        Some(_) if rng.percent(4) => Move::PASS,
        Some(cell) if board.half_in_hand() && board.side_to_move() == Color::Black && rng.percent(15) => {
            Move::half(cell)
        }
        Some(cell) => Move::stone(cell),
        None => Move::PASS,
    }
}

/// A start with some pieces and blocked points on it, or none.
fn random_start(rng: &mut Rng, rule: Rule, size: Size) -> GameRecord {
    let (percent, dead) = (rng.below(20), rng.below(8));
    let pieces = if rng.percent(50) { random_pieces(rng, size, percent, dead) } else { Vec::new() };
    let to_move = if rng.percent(70) { Color::Black } else { Color::White };
    record(rule, size, pieces, to_move)
}

/// Plays a random game with undos and light moves; every position is compared with its pieces and with a board
/// set up from scratch, every undo with the board from before.
fn play(rule: Rule, size: Size, steps: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let start = random_start(&mut rng, rule, size);
    let points = odd_points(rule);
    let mut board = Board::from_record_with_points(&start, Arc::clone(&points));
    let mut before: Vec<Board> = Vec::new();
    let mut game = start;
    for _ in 0..steps {
        if !before.is_empty() && (rng.percent(30) || board.empty_count() == 0) {
            for _ in 0..=rng.below(before.len().min(4)) {
                board.undo();
                game.pop();
                assert_eq!(Some(&board), before.pop().as_ref());
            }
            continue;
        }
        light_moves_restore_everything(&mut rng, &mut board);
        before.push(board.clone());
        let mv = random_move(&mut rng, &board);
        board.make(mv);
        game.push(mv);
        assert_true_to_its_pieces(&board);
        assert_eq!(board.side_to_move(), game.side_to_move());
        assert_eq!(board.half_in_hand(), game.half_in_hand());
        assert_eq!(board.last_move(), Some(mv));
        let scratch = record(rule, size, game.pieces().collect(), game.side_to_move());
        let scratch = Board::from_record_with_points(&scratch, Arc::clone(&points));
        assert!(board.same_position(&scratch), "{game:?}");
    }
}

/// Two or three light moves give the classes of full ones and leave no trace.
fn light_moves_restore_everything(rng: &mut Rng, board: &mut Board) {
    let before = board.clone();
    let moves = 1 + rng.below(3);
    let mut full = before.clone();
    for _ in 0..moves {
        let mv = random_move(rng, &full);
        board.make_light(mv);
        full.make(mv);
        for color in Color::ALL {
            for class in PointClass::ALL {
                assert_eq!(board.set(color, class), full.set(color, class));
                assert_eq!(board.count(color, class), full.count(color, class));
            }
        }
        assert_eq!(board.hash(), full.hash());
    }
    for _ in 0..moves {
        board.undo();
    }
    assert_eq!(board, &before);
}

fn play_all_sizes(rule: Rule, steps: usize) {
    for n in 5..=22 {
        play(rule, size(n), steps, 100 * n as u64 + rule.index() as u64);
    }
}

const STEPS: usize = 120;

#[test]
fn freestyle_games_are_true_to_their_pieces() {
    play_all_sizes(Rule::Freestyle, STEPS);
}

#[test]
fn standard_games_are_true_to_their_pieces() {
    play_all_sizes(Rule::Standard, STEPS);
}

#[test]
fn renju_games_are_true_to_their_pieces() {
    play_all_sizes(Rule::Renju, STEPS);
}

#[test]
fn caro_games_are_true_to_their_pieces() {
    play_all_sizes(Rule::Caro, STEPS);
    play_all_sizes(Rule::CaroFive, STEPS);
}

#[test]
fn half_stone_games_are_true_to_their_pieces() {
    play_all_sizes(Rule::HalfStone, 2 * STEPS);
}

#[test]
#[ignore = "about 100,000 steps"]
fn long_games_are_true_to_their_pieces() {
    for rule in Rule::ALL {
        play_all_sizes(rule, 1_000);
    }
}

#[test]
fn a_whole_game_can_be_taken_back() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(7);
        let empty = Board::new(rule, size(22));
        let mut board = empty.clone();
        while board.empty_count() > 0 {
            let mv = random_move(&mut rng, &board);
            board.make(mv);
        }
        assert_eq!(
            Color::ALL.map(|color| PointClass::ALL.map(|class| board.count(color, class))),
            [[0; 13]; 2]
        );
        while board.ply() > 0 {
            board.undo();
        }
        assert_eq!(board, empty);
    }
}

/// The cell under one of the eight symmetries of the square.
fn turned(cell: Cell, size: Size, symmetry: usize) -> Cell {
    let last = size.get() - 1;
    let (mut x, mut y) = (cell.x(), cell.y());
    if symmetry & 1 != 0 {
        x = last - x;
    }
    if symmetry & 2 != 0 {
        y = last - y;
    }
    if symmetry & 4 != 0 {
        (x, y) = (y, x);
    }
    Cell::new(x, y, size).expect("turning keeps cells on the board")
}

#[test]
fn all_eight_views_of_a_position_say_the_same() {
    let mut rng = Rng::new(31);
    for round in 0..600 {
        let rule = Rule::ALL[round % 6];
        let size = size(5 + rng.below(18));
        let pieces = random_pieces(&mut rng, size, 30, 3);
        let points = odd_points(rule);
        let make = |pieces| {
            Board::from_record_with_points(&record(rule, size, pieces, Color::Black), points.clone())
        };
        let board = make(pieces.clone());
        for symmetry in 1..8 {
            let view =
                make(pieces.iter().map(|&(cell, piece)| (turned(cell, size, symmetry), piece)).collect());
            let turn =
                |set: &CellSet| set.iter().map(|cell| turned(cell, size, symmetry)).collect::<CellSet>();
            for color in Color::ALL {
                assert_eq!(board.value(color), view.value(color));
                assert_eq!(board.pooled(color), view.pooled(color));
                assert_eq!(board.alive_windows(color), view.alive_windows(color));
                for class in PointClass::ALL {
                    assert_eq!(&turn(board.set(color, class)), view.set(color, class));
                }
            }
            // The centre of an even board is not the same point in all views.
            if board.stones_of(Color::Black).len() + board.stones_of(Color::White).len() > 0 {
                assert_eq!(turn(&board.candidate_set()), view.candidate_set());
            }
            assert_eq!(turn(&board.forbidden_set()), view.forbidden_set());
        }
    }
}

#[test]
fn colours_are_alike_where_the_rule_treats_them_alike() {
    let mut rng = Rng::new(32);
    for round in 0..500 {
        let rule = [Rule::Freestyle, Rule::Standard, Rule::Caro, Rule::CaroFive, Rule::HalfStone][round % 5];
        let size = size(5 + rng.below(18));
        let pieces = random_pieces(&mut rng, size, 30, 3);
        let swap = |&(cell, piece)| match piece {
            Piece::Stone(color) => (cell, Piece::Stone(!color)),
            _ => (cell, piece),
        };
        let swapped = pieces.iter().map(swap).collect();
        let board = Board::from_record(&record(rule, size, pieces, Color::Black));
        let swapped = Board::from_record(&record(rule, size, swapped, Color::Black));
        for color in Color::ALL {
            assert_eq!(board.alive_windows(color), swapped.alive_windows(!color));
            for cell in size.cells() {
                assert_eq!(board.code(color, cell), swapped.code(!color, cell));
                assert_eq!(board.class(color, cell), swapped.class(!color, cell));
            }
            assert_eq!(
                board.defences(color).map(|list| list.to_vec()),
                swapped.defences(!color).map(|list| list.to_vec())
            );
        }
    }
}

#[test]
fn an_opponents_stone_never_raises_a_point() {
    let mut rng = Rng::new(33);
    for round in 0..3_000 {
        let rule = Rule::ALL[round % 6];
        let size = size(5 + rng.below(18));
        let pieces = random_pieces(&mut rng, size, 30, 3);
        let color = Color::ALL[rng.below(2)];
        let mut board = Board::from_record(&record(rule, size, pieces, color));
        let before = board.clone();
        let cells: Vec<Cell> = board.candidates().collect();
        let Some(cell) = rng.pick(&cells) else { continue };
        board.make(Move::stone(cell));
        for at in board.empty_cells().iter() {
            let no_longer_foul = !board.foul_suspect(at) || before.foul_suspect(at);
            let exempt =
                rule == Rule::Renju && color == Color::White && before.foul_suspect(at) && no_longer_foul;
            assert!(exempt || board.class(!color, at) <= before.class(!color, at), "{rule} {at:?}");
        }
    }
}

#[test]
fn the_hash_knows_positions_and_not_the_way_to_them() {
    let size = size(15);
    let mut rng = Rng::new(34);
    let mut seen: HashMap<u64, Vec<(Cell, Piece)>> = HashMap::new();
    for _ in 0..300 {
        let mut board = Board::new(Rule::HalfStone, size);
        let mut game = GameRecord::new(Rule::HalfStone, size);
        for _ in 0..60 {
            let mv = random_move(&mut rng, &board);
            board.make(mv);
            game.push(mv);
            let mut pieces: Vec<_> = game.pieces().collect();
            pieces.sort_by_key(|&(cell, _)| cell);
            // The same pieces in another order, set up at once.
            let again =
                Board::from_record(&record(Rule::HalfStone, size, pieces.clone(), game.side_to_move()));
            assert_eq!(board.hash(), again.hash());
            let other =
                Board::from_record(&record(Rule::HalfStone, size, pieces.clone(), !game.side_to_move()));
            assert_ne!(board.hash(), other.hash());
            if game.side_to_move() == Color::Black {
                let known = seen.entry(board.hash()).or_insert_with(|| pieces.clone());
                assert_eq!(known, &pieces, "two positions, one key");
            }
        }
    }
    // The half stone in hand and on the board are two positions; on the board it is any dead point.
    let cell = size.center();
    let board =
        |rule, piece| Board::from_record(&record(rule, size, vec![(cell, piece)], Color::Black)).hash();
    let keys = [
        board(Rule::HalfStone, Piece::Half),
        board(Rule::HalfStone, Piece::Blocked),
        board(Rule::HalfStone, Piece::Stone(Color::Black)),
        board(Rule::Freestyle, Piece::Stone(Color::Black)),
        board(Rule::HalfStone, Piece::Stone(Color::White)),
    ];
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "{i}");
    }
    assert_eq!(keys[0], board(Rule::Freestyle, Piece::Blocked));
}

#[test]
fn after_the_half_stone_the_game_is_freestyle_with_a_wall() {
    for seed in 0..60 {
        let mut rng = Rng::new(1_000 + seed);
        let size = size(5 + rng.below(18));
        let half = rng.pick(&size.cells().collect::<Vec<_>>()).expect("a board has points");
        let mut board = Board::with_points(Rule::HalfStone, size, odd_points(Rule::HalfStone));
        board.make(Move::half(half));
        let walled = record(Rule::Freestyle, size, vec![(half, Piece::Blocked)], Color::White);
        let mut wall = Board::from_record_with_points(&walled, odd_points(Rule::Freestyle));
        for _ in 0..40 {
            let mv = match random_move(&mut rng, &board) {
                Move::PASS => continue,
                mv => mv,
            };
            board.make(mv);
            wall.make(mv);
            for color in Color::ALL {
                assert_eq!(board.value(color), wall.value(color));
                assert_eq!(board.pooled(color), wall.pooled(color));
                assert_eq!(board.alive_windows(color), wall.alive_windows(color));
                for class in PointClass::ALL {
                    assert_eq!(board.set(color, class), wall.set(color, class));
                }
                for cell in size.cells() {
                    assert_eq!(board.code(color, cell), wall.code(color, cell));
                }
            }
        }
    }
}
