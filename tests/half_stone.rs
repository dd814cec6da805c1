//! The half-stone rule in both phases, by brute force: what `movegen` says is forced, what the search and the solver
//! claim, and the search after the half stone against freestyle with a wall.

use halfstone::board::Board;
use halfstone::control::{Limits, StopSignal};
use halfstone::engine;
use halfstone::eval;
use halfstone::game::{GameRecord, Setup};
use halfstone::movegen::{MoveList, Situation, half_stone_cells, situation};
use halfstone::pattern::PointClass;
use halfstone::rules::{Position, Status};
use halfstone::search::{Outcome, Settings, search};
use halfstone::solver::{Mode, Solver};
use halfstone::tt::Table;
use halfstone::types::{Cell, Color, MATE, MATE_IN_MAX_PLY, Move, Piece, Rule, Size, mated_in};

use crate::support::brute::{Exact, cannot_escape, forces_win, small, wins_by};
use crate::support::random::{Rng, random_pieces, record};
use crate::support::{draw, drawn, move_names};

fn shown(position: &Position) -> String {
    format!(
        "{}\n{:?} to move, half stone {}",
        draw(position).join("\n"),
        position.side_to_move(),
        if position.half_in_hand() { "in hand" } else { "on the board" }
    )
}

/// The points where a stone of this colour would complete five, the half stone aside.
fn fives(position: &Position, color: Color) -> Vec<Cell> {
    position.empty_cells().filter(|&cell| position.makes_five(cell, color)).collect()
}

/// The position with one more stone of this colour, out of turn.
fn with(position: &Position, cell: Cell, color: Color) -> Position {
    let mut next = position.clone();
    if next.side_to_move() != color {
        next.play(Move::PASS).unwrap();
    }
    next.play(Move::stone(cell)).unwrap();
    next
}

/// How many points this colour has whose stone would leave two points for a five or more.
fn winning_fours(position: &Position, color: Color) -> usize {
    let quiet: Vec<Cell> = position.empty_cells().filter(|&cell| !position.makes_five(cell, color)).collect();
    quiet.into_iter().filter(|&cell| fives(&with(position, cell, color), color).len() >= 2).count()
}

/// What `movegen` says about a position, with its list of answers.
fn forced(game: &GameRecord) -> (Situation, Vec<Move>) {
    let mut answers = MoveList::new();
    let mut board = Board::from_record(game);
    let before = board.clone();
    let found = situation(&mut board, &mut answers);
    assert_eq!(board, before);
    (found, answers.to_vec())
}

/// Random games on 7×7 that go on, with the half stone in hand and this side to move.
fn crowds(seed: u64, side: Color, percent: usize) -> impl Iterator<Item = (GameRecord, Position)> {
    let mut rng = Rng::new(seed);
    std::iter::repeat_with(move || {
        let size = Size::new(7).unwrap();
        let lean = percent + rng.below(15);
        let game = record(Rule::HalfStone, size, random_pieces(&mut rng, size, lean, 3), side);
        let position = Position::from_record(&game).ok()?;
        (position.status() == Status::Ongoing && position.half_in_hand()).then_some((game, position))
    })
    .flatten()
}

/// The static facts about the half stone in hand, each by brute force and as `movegen` tells it.
fn static_facts(wanted: usize) {
    use Color::{Black, White};
    // White to move with a winning four and no five yet wins in three plies, whatever Black's dormant fives.
    let r1 = crowds(1, White, 45).filter(|(_, p)| fives(p, White).is_empty() && winning_fours(p, White) > 0);
    for (game, position) in r1.take(wanted) {
        match forced(&game).0 {
            Situation::Win(mv, 3) => assert!(wins_by(&position, mv, 3), "R1\n{}", shown(&position)),
            other => panic!("R1: {other:?}\n{}", shown(&position)),
        }
    }
    // Black to move over two dormant fives, no white five: the half stone wins in three.
    let r2 = crowds(2, Black, 55).filter(|(_, p)| fives(p, White).is_empty() && fives(p, Black).len() >= 2);
    for (game, position) in r2.take(wanted) {
        match forced(&game).0 {
            Situation::Win(mv, 3) => {
                assert!(mv.is_half() && wins_by(&position, mv, 3), "R2\n{}", shown(&position));
            }
            other => panic!("R2: {other:?}\n{}", shown(&position)),
        }
    }
    // Black to move against two white fives: lost in two.
    for (game, position) in crowds(3, Black, 55).filter(|(_, p)| fives(p, White).len() >= 2).take(wanted) {
        assert!(cannot_escape(&position, 2), "R3\n{}", shown(&position));
        assert_eq!(forced(&game).0, Situation::Lost(2), "R3\n{}", shown(&position));
    }
    // Black to move with one dormant five or none has no win in three.
    for dormant in [0, 1] {
        let r56 = crowds(5 + dormant as u64, Black, 50).filter(|(_, p)| fives(p, Black).len() == dormant);
        for (game, position) in r56.take(wanted) {
            assert!(!forces_win(&position, 3), "R5, R6\n{}", shown(&position));
            assert!(!matches!(forced(&game).0, Situation::Win(..)), "R5, R6\n{}", shown(&position));
        }
    }
    // White to move under the threat of the half stone over two dormant fives: whatever is not listed loses in four.
    let threat = crowds(8, White, 55)
        .filter(|(_, p)| fives(p, Black).len() >= 2 && fives(p, White).is_empty())
        .filter(|(_, p)| winning_fours(p, White) == 0);
    let mut seen = 0;
    for (game, position) in threat.take(wanted) {
        let (found, answers) = forced(&game);
        match found {
            Situation::Lost(4) => assert!(cannot_escape(&position, 4), "{}", shown(&position)),
            Situation::MustDefend => {
                for mv in position.legal_moves().into_iter().filter(|mv| !answers.contains(mv)) {
                    let mut next = position.clone();
                    next.play(mv).unwrap();
                    let name = move_names([mv], position.size());
                    assert!(forces_win(&next, 3), "{name:?}\n{}", shown(&position));
                }
            }
            Situation::Win(..) => continue,
            other => panic!("{other:?}\n{}", shown(&position)),
        }
        seen += 1;
    }
    assert!(2 * seen > wanted);
}

/// White's double threats against Black without a dormant five: claimed wins in five are wins in five.
fn wins_in_five(wanted: usize) {
    use PointClass::{FourThree, ThreeThree};
    for (name, seed, class) in [("R4", 4, ThreeThree), ("R7", 7, FourThree)] {
        let claims = crowds(seed, Color::White, 25).filter_map(|(game, position)| {
            let (found, _) = forced(&game);
            let board = Board::from_record(&game);
            match found {
                Situation::Win(mv, 5) if board.class(Color::White, mv.cell()?) == class => {
                    Some((game, position, mv))
                }
                _ => None,
            }
        });
        let mut with_dormant_fours = 0;
        for (game, position, mv) in claims.take(wanted) {
            assert!(fives(&position, Color::Black).is_empty(), "{name}\n{}", shown(&position));
            assert!(wins_by(&position, mv, 5), "{name}\n{}", shown(&position));
            let board = Board::from_record(&game);
            with_dormant_fours += usize::from(
                [PointClass::Four, PointClass::FourPlus, FourThree]
                    .iter()
                    .any(|&class| board.count(Color::Black, class) > 0),
            );
        }
        // The point of it: under freestyle Black's fours would disturb.
        assert!(with_dormant_fours > 0, "{name}");
    }
}

#[test]
fn static_wins_and_losses_with_the_half_stone_in_hand() {
    static_facts(150);
}

#[test]
fn double_threats_of_white_with_the_half_stone_in_hand() {
    wins_in_five(12);
}

#[test]
#[ignore = "minutes"]
fn static_wins_and_losses_with_the_half_stone_in_hand_in_full() {
    static_facts(4_000);
    wins_in_five(300);
}

// Played out to the end.

fn run(board: &Board, limits: Limits) -> Outcome {
    let settings = Settings::default();
    search(board, &Table::new(1 << 20), &limits, settings, &StopSignal::default(), |_| {}).unwrap()
}

/// What search, solver and `movegen` make of one position, against its exact value.
#[derive(Default)]
struct Tally {
    positions: usize,
    in_hand: usize,
    wins: usize,
    /// Wins that the search announced.
    found: usize,
    /// Wins and draws that the search's move keeps.
    kept: usize,
    /// Wins that the solver proved.
    proved: usize,
}

fn check(game: &GameRecord, tally: &mut Tally) {
    let position = Position::from_record(game).unwrap();
    let mut exact = Exact::default();
    let value = exact.value(&position);
    let mut board = engine::board(game);
    tally.positions += 1;
    tally.in_hand += usize::from(position.half_in_hand());
    tally.wins += usize::from(value == 1);

    let depth = 2 * board.empty_count() as u32 + 2;
    // A search that is cut short must not announce anything either.
    let search = |nodes| {
        let outcome = run(&board, Limits { depth: Some(depth), nodes: Some(nodes), ..Limits::default() });
        let claim = if outcome.score.abs() < MATE_IN_MAX_PLY { 0 } else { outcome.score.signum() };
        let score = outcome.score;
        assert!(claim == 0 || claim == i32::from(value), "{nodes} nodes say {score}\n{}", shown(&position));
        (outcome, claim)
    };
    for nodes in [10, 100, 1_000] {
        search(nodes);
    }
    let (outcome, claim) = search(50_000);
    tally.found += usize::from(claim == 1);
    let after = exact.value_of(&position, outcome.best);
    tally.kept += usize::from(after == value);
    // A five that loses at once is played only if everything loses at once.
    let suicide = outcome.best.cell().is_some_and(|cell| position.would_lose(cell, position.side_to_move()));
    assert!(!suicide || outcome.best.is_half(), "a five in hand\n{}", shown(&position));

    let mut solver = Solver::new(1 << 18);
    for mode in [Mode::Narrow, Mode::Wide] {
        let proved = solver.vct(&mut board, mode, 2_000, &StopSignal::default()).is_win();
        assert!(!proved || value == 1, "solver, {mode:?}\n{}", shown(&position));
        tally.proved += usize::from(proved && mode == Mode::Wide);
    }

    let (found, answers) = forced(game);
    let other = |mv: &Move| !answers.contains(mv);
    match found {
        Situation::Win(mv, plies) => {
            assert!(wins_by(&position, mv, plies), "{found:?}\n{}", shown(&position));
        }
        Situation::Lost(plies) => {
            assert!(value == -1 && cannot_escape(&position, plies), "{found:?}\n{}", shown(&position));
        }
        Situation::MustBlock => {
            for mv in position.legal_moves().into_iter().filter(other) {
                let name = move_names([mv], position.size());
                assert_eq!(exact.value_of(&position, mv), -1, "{name:?} helps\n{}", shown(&position));
            }
        }
        Situation::MustDefend => {
            // Over a dormant five the half stone is a four wherever it lies; only the better places are listed.
            let anywhere = position.half_in_hand()
                && position.side_to_move() == Color::Black
                && !fives(&position, Color::Black).is_empty();
            for mv in
                position.legal_moves().into_iter().filter(other).filter(|mv| !(anywhere && mv.is_half()))
            {
                let name = move_names([mv], position.size());
                assert_eq!(exact.value_of(&position, mv), -1, "{name:?} helps\n{}", shown(&position));
            }
        }
        Situation::Free => {}
    }
}

/// Search and solver against the exact values of so many random positions, half of them with the half stone in hand.
fn agrees(seed: u64, wanted: usize) {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    while tally.positions < wanted {
        let empty = 4 + rng.below(5);
        if let Some(game) = small(&mut rng, Rule::HalfStone, empty) {
            check(&game, &mut tally);
        }
    }
    let Tally { positions, in_hand, wins, found, kept, proved } = tally;
    println!(
        "{positions} positions, {in_hand} in hand, {wins} won: {found} found by search, {proved} proved; \
         {kept} moves keep the value"
    );
    assert!(in_hand * 3 > positions && wins * 10 > positions);
    assert!(found * 100 >= 98 * wins, "{found} of {wins}");
    assert!(kept * 100 >= 98 * positions, "{kept} of {positions}");
}

#[test]
fn search_and_solver_agree_with_brute_force() {
    agrees(1, 600);
}

#[test]
#[ignore = "minutes"]
fn search_and_solver_agree_with_brute_force_on_ten_thousand_positions() {
    agrees(2, 10_000);
}

/// Every win and loss in at most five plies that the search announces on 7×7, with many empty points and the half stone
/// in hand, is one.
fn announced(seed: u64, wanted: usize) {
    for side in Color::ALL {
        let mut losses = 0;
        let claims = crowds(seed, side, 35).filter_map(|(game, position)| {
            let outcome = run(&engine::board(&game), Limits { depth: Some(4), ..Limits::default() });
            let plies = (MATE - outcome.score.abs()) as usize;
            (plies <= 5).then_some((position, outcome.score, plies))
        });
        for (position, score, plies) in claims.take(wanted) {
            let real = if score > 0 { forces_win(&position, plies) } else { cannot_escape(&position, plies) };
            assert!(real, "{score} in {plies}\n{}", shown(&position));
            losses += usize::from(score < 0);
        }
        println!("{side}: {wanted} announced, {losses} of them losses");
    }
}

#[test]
fn announced_wins_and_losses_with_the_half_stone_in_hand_are_real() {
    announced(11, 60);
}

#[test]
#[ignore = "minutes"]
fn announced_wins_and_losses_with_the_half_stone_in_hand_are_real_in_full() {
    announced(12, 500);
}

/// The same for losses in six plies of Black holding the half stone, found with few nodes. That takes more than the
/// places for the half stone that the search looks at by itself.
#[test]
#[ignore = "minutes"]
fn losses_in_six_with_the_half_stone_in_hand_are_real() {
    let limits = Limits { depth: Some(8), nodes: Some(3_000), ..Limits::default() };
    let claims = crowds(13, Color::Black, 35)
        .filter(|(game, _)| run(&engine::board(game), limits).score == mated_in(6));
    for (_, position) in claims.take(20) {
        assert!(cannot_escape(&position, 6), "{}", shown(&position));
    }
}

/// White threatens three live threes by a stone on d4. Black's stone there would be a five too early, and any other
/// stone leaves White two of the three; so does the half stone, although it wakes a four, for White stops that on d4.
const ONLY_HALF_STONE: [&str; 7] =
    [".......", "...O...", "...O...", "XXX.X..", "..O.O..", ".O...O.", "......."];

/// Whether White wins in at most five plies after this move, the stone on `key` tried first.
fn loses_in_six(position: &Position, mv: Move, key: Move) -> bool {
    let mut next = position.clone();
    match next.play(mv).unwrap() {
        Status::Ongoing => wins_by(&next, key, 5) || forces_win(&next, 3),
        status => status.winner() == Some(Color::White),
    }
}

/// The one move that does not lose places the half stone on a point that is worth more to Black than to White, where
/// the search does not look for it at first.
#[test]
fn a_loss_is_announced_only_after_every_place_for_the_half_stone() {
    let game = drawn(Rule::HalfStone, &ONLY_HALF_STONE.map(String::from), Color::Black);
    let (position, mut board) = (Position::from_record(&game).unwrap(), engine::board(&game));
    let d4 = Cell::new(3, 3, game.size()).unwrap();
    for mv in position.legal_moves() {
        assert_eq!(loses_in_six(&position, mv, Move::stone(d4)), mv != Move::half(d4), "{mv:?}");
    }
    assert!(!half_stone_cells(&board).contains(&d4));

    for (lines, nodes) in [(1, 1_000), (1, 3_000), (1, 50_000), (4, 50_000)] {
        let settings = Settings { lines, ..Settings::default() };
        let (limits, table) = (Limits { nodes: Some(nodes), ..Limits::default() }, Table::new(1 << 20));
        let mut said = Vec::new();
        let best = search(&board, &table, &limits, settings, &StopSignal::default(), |iteration| {
            said.extend(iteration.lines.first().map(|line| line.score));
        });
        let best = best.unwrap();
        assert!(
            best.score > -MATE_IN_MAX_PLY && said.iter().all(|&score| score > -MATE_IN_MAX_PLY),
            "{said:?}"
        );
        assert!(nodes < 3_000 || best.best == Move::half(d4), "{best:?}");
    }

    let defence = Solver::new(1 << 20).defend(&mut board, Some(Mode::Wide), 20_000, &StopSignal::default());
    // Of that move the solver may not know; all others it must find to lose.
    let left = [&defence.holding[..], &defence.unclear].concat();
    assert!(defence.is_needed == Some(true) && left == [Move::half(d4)], "{defence:?}");
}

// After the half stone.

#[test]
fn after_the_half_stone_trees_are_those_of_freestyle_with_a_wall() {
    let mut rng = Rng::new(9);
    let mut tried = 0;
    while tried < 12 {
        let size = Size::new(9 + rng.below(7) as i64).unwrap();
        let mut pieces = random_pieces(&mut rng, size, 25, 0);
        let free: Vec<Cell> = size.cells().filter(|cell| pieces.iter().all(|(at, _)| at != cell)).collect();
        let Some(half) = rng.pick(&free) else { continue };
        let to_move = Color::ALL[rng.below(2)];
        let mut boards =
            [(Rule::HalfStone, Piece::Half), (Rule::Freestyle, Piece::Blocked)].map(|(rule, dead)| {
                pieces.push((half, dead));
                let game = GameRecord::with_setup(rule, size, Setup { pieces: pieces.clone(), to_move });
                pieces.pop();
                // The evaluations of the two rules are fitted apart; everything else is to be the same.
                Position::from_record(&game)
                    .is_ok_and(|position| position.status() == Status::Ongoing)
                    .then(|| Board::from_record_with_points(&game, eval::points(Rule::HalfStone)))
            });
        let [Some(played), Some(walled)] = &mut boards else { continue };
        let limits = Limits { depth: Some(6), nodes: Some(100_000), ..Limits::default() };
        assert_eq!(run(played, limits), run(walled, limits));
        tried += 1;
    }
}
