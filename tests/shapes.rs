//! The names of shapes against lines drawn by hand from the definitions, and against the two judges of the crate.

use std::collections::BTreeSet;

use halfstone::board::Board;
use halfstone::game::{GameRecord, Symmetry, parse_moves};
use halfstone::pattern::LineClass;
use halfstone::rules::{Fouls, Position};
use halfstone::shapes::{self, Combination, Consequence, Kind, Sente, Shape, Shapes};
use halfstone::types::{Cell, Color, Direction, Move, Piece, Rule, Size};

use crate::support::random::{Rng, random_pieces, record, size};

const BLACK: Color = Color::Black;
const WHITE: Color = Color::White;

/// Five or more wins.
const FREE: &[(Rule, Color)] = &[
    (Rule::Freestyle, BLACK),
    (Rule::Freestyle, WHITE),
    (Rule::HalfStone, BLACK),
    (Rule::HalfStone, WHITE),
    (Rule::Renju, WHITE),
];
/// Exactly five wins.
const EXACT: &[(Rule, Color)] = &[(Rule::Standard, BLACK), (Rule::Standard, WHITE), (Rule::Renju, BLACK)];
const CARO: &[(Rule, Color)] = &[(Rule::Caro, BLACK), (Rule::Caro, WHITE)];
const CARO_FIVE: &[(Rule, Color)] = &[(Rule::CaroFive, BLACK), (Rule::CaroFive, WHITE)];
const ALL: &[&[(Rule, Color)]] = &[FREE, EXACT, CARO, CARO_FIVE];

/// Rules; a line of at most 15 points from edge to edge (`X` own stones, `@` the one just played, `O` the other
/// colour's, `#` blocked, `+` the empty points where the shape goes on); the names. `~` leaves open where it goes on,
/// for lines with two equal shapes.
type Drawn = (&'static [&'static [(Rule, Color)]], &'static str, &'static str);

const LINES: &[Drawn] = &[
    // Rows of five and more.
    (ALL, "....XX@XX......", "five, wins"),
    (ALL, "XX@XXO.........", "five, wins"),
    (ALL, "....#X@XXXO....", "five, wins"),
    (&[FREE, EXACT], "...OXX@XXO.....", "five, wins"),
    (&[CARO, CARO_FIVE], "...OXX@XXO.....", "five"),
    (&[FREE, CARO], "...XXX@XX......", "overline, wins"),
    (&[EXACT, CARO_FIVE], "...XXX@XX......", "overline"),
    (&[FREE, CARO], "..OXXX@XXO.....", "overline, wins"),
    // Fours.
    (ALL, "....+X@XX+.....", "straight four"),
    (ALL, "....OX@XX+.....", "four"),
    (ALL, "X@XX+..........", "four"),
    (ALL, "...#XX@X+......", "four"),
    (ALL, "....X@+XX......", "split four"),
    (ALL, "....@+XXX......", "split four"),
    (ALL, ".....X+XX@.....", "split four"),
    (&[FREE, EXACT], "..O+X@XX+O.....", "straight four"),
    // Filled at one end it wins, but one stone at either end stops it.
    (&[CARO, CARO_FIVE], "..O+X@XX+O.....", "four"),
    (&[FREE, EXACT], "..#+X@XX+O.....", "straight four"),
    (&[CARO, CARO_FIVE], "..#+X@XX+O.....", "four"),
    (ALL, "..#+X@XX+#.....", "straight four"),
    (&[FREE, CARO], "....X+X@XX+....", "straight four"),
    (&[EXACT, CARO_FIVE], "....X.X@XX+....", "four"),
    (&[FREE, CARO], "...XX+@XXXO....", "four"),
    (&[EXACT, CARO_FIVE], "...XX.@XXXO....", "dead four"),
    (ALL, "....OX@XXO.....", "dead four"),
    (ALL, "XX@XO..........", "dead four"),
    (ALL, "..OXX#@XO......", "dead four"),
    // Two fours in one line.
    (ALL, "....X+X@X+X....", "split four; split four"),
    (ALL, "...XX+X@+XX....", "split four; split four"),
    (ALL, "...XXX+@+XXX...", "split four; split four"),
    // Threes.
    (ALL, ".....+X@X+.....", "live three, contiguous"),
    (ALL, ".....X+@X......", "live three, split"),
    (ALL, "....OX+@X......", "closed three~"),
    (&[FREE, EXACT], "....O.X@X+.....", "live three, contiguous"),
    (&[CARO, CARO_FIVE], "....O+X@X++....", "closed three"),
    (&[FREE, CARO], "...X.+X@X+.....", "live three, contiguous"),
    (&[EXACT, CARO_FIVE], "...X..X@X+.....", "live three, contiguous"),
    (&[FREE, CARO], "....X.X@.X.....", "live three, split~"),
    (&[EXACT, CARO_FIVE], "....X.X@.X.....", "closed three~"),
    (&[FREE, EXACT], "....O+X@X+O....", "closed three"),
    (&[CARO, CARO_FIVE], "....O.X@X.O....", "dead three"),
    (ALL, "....OX@X++.....", "closed three"),
    (ALL, ".....X++@X.....", "closed three"),
    (ALL, "....X+@+X......", "closed three"),
    (ALL, "X@X++..........", "closed three"),
    (ALL, "+X@X+#.........", "closed three"),
    (ALL, "....OX@XO......", "dead three"),
    (ALL, "....OX@X.O.....", "dead three"),
    (ALL, "X@X.O..........", "dead three"),
    // Twos.
    (ALL, "....++X@++.....", "live two, contiguous"),
    (ALL, ".....+X+@+.....", "live two, split by one"),
    (ALL, ".....X++@......", "live two, split by two"),
    (ALL, "....OX@+++.....", "closed two"),
    (ALL, ".....X+++@.....", "closed two"),
    (ALL, "....OX++@+.....", "closed two"),
    (&[FREE, EXACT], "...O+X@++O.....", "closed two"),
    (&[CARO, CARO_FIVE], "...O.X@..O.....", "dead two"),
    // Not the four stones on five points, which can no more become five, but what still can.
    (ALL, "...XX#@X+++....", "closed two"),
    (ALL, "....OX@..O.....", "dead two"),
    (ALL, ".....XO@O......", "dead two"),
    (ALL, "X@..#..........", "dead two"),
    // A lone stone.
    (ALL, ".......@.......", ""),
    (ALL, "..X....@.......", ""),
    (ALL, ".X.....@......X", ""),
];

/// Where the points of a drawn line lie.
fn place(direction: Direction, index: usize, size: Size) -> Cell {
    let (x, y) = match direction {
        Direction::Horizontal => (index, 7),
        Direction::Vertical => (7, index),
        Direction::Diagonal => (index, index),
        Direction::AntiDiagonal => (index, 14 - index),
    };
    Cell::new(x, y, size).unwrap()
}

fn check_line(rule: Rule, color: Color, line: &str, expected: &str, direction: Direction) {
    let size = Size::STANDARD;
    let mut pieces = Vec::new();
    let mut next = BTreeSet::new();
    let mut played = None;
    for (index, mark) in line.chars().enumerate() {
        let cell = place(direction, index, size);
        match mark {
            'X' => pieces.push((cell, Piece::Stone(color))),
            'O' => pieces.push((cell, Piece::Stone(!color))),
            '#' => pieces.push((cell, Piece::Blocked)),
            '@' => played = Some(cell),
            '+' => drop(next.insert(cell)),
            _ => {}
        }
    }
    let game = Position::from_record(&record(rule, size, pieces, color)).unwrap();
    let made = shapes::of(&game, Move::stone(played.unwrap())).unwrap();
    let what = format!("{rule} {color} {direction:?} {line}");
    let found = &made.lines[direction.index()];
    let names: Vec<String> = found
        .iter()
        .map(|shape| format!("{}{}", shape.english(), if shape.wins { ", wins" } else { "" }))
        .collect();
    assert_eq!(names.join("; "), expected.trim_end_matches('~'), "{what}");
    if !expected.ends_with('~') {
        let goes_on: BTreeSet<Cell> = found.iter().flat_map(|shape| shape.next.iter().copied()).collect();
        assert_eq!(goes_on, next, "{what}");
    }
    assert_eq!(made.all().count(), found.len(), "{what}: other lines hold the stone alone");
}

#[test]
fn drawn_lines_have_the_names_of_the_definitions() {
    for &(groups, line, expected) in LINES {
        assert_eq!(line.len(), 15, "{line}");
        let mirrored: String = line.chars().rev().collect();
        for &(rule, color) in groups.iter().copied().flatten() {
            for direction in Direction::ALL {
                check_line(rule, color, line, expected, direction);
                check_line(rule, color, &mirrored, expected, direction);
            }
        }
    }
}

/// What a move makes after others.
fn made(rule: Rule, moves: &str, mv: &str) -> Shapes {
    let mut game = GameRecord::new(rule, Size::STANDARD);
    parse_moves(moves, Size::STANDARD).unwrap().into_iter().for_each(|mv| game.push(mv));
    let position = Position::from_record(&game).unwrap();
    shapes::of(&position, parse_moves(mv, Size::STANDARD).unwrap()[0]).unwrap()
}

/// Chinese names line by line.
fn chinese(made: &Shapes) -> Vec<String> {
    made.lines
        .iter()
        .map(|line| line.iter().map(Shape::chinese_short).collect::<Vec<_>>().join("+"))
        .collect()
}

const THREES: &str = "g8 a1 i8 c1 h7 e1 h9 g1";
const FOUR_THREE: &str = "e8 d8 f8 a1 g8 c1 h6 e1 h7 g1";
const FOURS: &str = "e8 d8 f8 h4 g8 c1 h5 e1 h6 g1 h7 i1";

#[test]
fn combinations_are_named() {
    use Combination::{DoubleFour, DoubleThree, FourThree};
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Caro, Rule::CaroFive] {
        let threes = made(rule, THREES, "h8");
        assert_eq!(chinese(&threes), ["连三", "连三", "", ""]);
        assert_eq!((threes.combinations, threes.sente), (vec![DoubleThree], Some(Sente::Sente)));
        let both = made(rule, FOUR_THREE, "h8");
        assert_eq!(chinese(&both), ["冲四", "连三", "", ""]);
        assert_eq!((both.combinations, both.sente), (vec![FourThree], Some(Sente::Absolute)));
        let fours = made(rule, FOURS, "h8");
        assert_eq!(chinese(&fours), ["冲四", "冲四", "", ""]);
        assert_eq!((fours.combinations, fours.consequence), (vec![DoubleFour], Consequence::Nothing));
    }
    // A straight four and a three are no four-three.
    let straight = made(Rule::Freestyle, "e8 a1 f8 c1 g8 e1 h6 g1 h7 i1", "h8");
    assert_eq!(
        (chinese(&straight), straight.combinations),
        (["活四", "连三", "", ""].map(String::from).into(), vec![])
    );
}

#[test]
fn renju_forbids_and_the_five_takes_precedence() {
    let none = Fouls::default();
    let threes = Fouls { double_three: true, ..none };
    assert_eq!(made(Rule::Renju, THREES, "h8").consequence, Consequence::Foul(threes));
    assert_eq!(
        made(Rule::Renju, FOURS, "h8").consequence,
        Consequence::Foul(Fouls { double_four: true, ..none })
    );
    assert_eq!(made(Rule::Renju, FOUR_THREE, "h8").consequence, Consequence::Nothing);
    let long = made(Rule::Renju, "c8 a1 d8 c1 e8 e1 g8 g1 h8 i1", "f8");
    assert_eq!(long.consequence, Consequence::Foul(Fouls { overline: true, ..none }));
    assert_eq!(long.consequence.chinese().unwrap(), "长连禁手，判负");
    // Five on the row, threes on the column and on a diagonal.
    let five = made(Rule::Renju, "d8 c8 e8 a1 f8 c1 g8 e1 h9 g1 h10 i1 i9 k1 j10 m1", "h8");
    assert_eq!(chinese(&five), ["五连", "连三", "", "连三"]);
    assert_eq!(five.consequence, Consequence::WinsDespite(threes));
    assert_eq!(
        five.consequence.english().unwrap(),
        "makes five and wins: the five beats the foul (double three)"
    );
    // White has no fouls.
    let white = made(Rule::Renju, "a1 g8 c1 i8 e1 h7 g1 h9 i1", "h8");
    assert_eq!(
        (white.combinations, white.consequence),
        (vec![Combination::DoubleThree], Consequence::Nothing)
    );
}

#[test]
fn a_three_whose_straight_four_is_forbidden_is_closed() {
    // With c8 taken, only h8 makes a straight four of e8 f8 g8, and on the column it makes six.
    let moves = "f8 c8 g8 a1 h5 c1 h6 e1 h7 g1 h9 i1 h10 k1";
    assert_eq!(made(Rule::Renju, moves, "e8").lines[0][0].kind, Kind::ClosedThree);
    assert_eq!(made(Rule::Standard, moves, "e8").lines[0][0].english(), "live three, contiguous");
}

#[test]
fn the_half_stone_in_hand_makes_black_dormant() {
    let four = "e8 a1 f8 c1 g8 e1";
    let asleep = made(Rule::HalfStone, four, "h8");
    assert_eq!(
        (chinese(&asleep)[0].as_str(), asleep.dormant, asleep.sente),
        ("活四", true, Some(Sente::Sente))
    );
    // White may ignore the four once: after the half stone he blocks its one five.
    let closed = made(Rule::HalfStone, "e8 d8 f8 c1 g8 e1", "h8");
    assert_eq!((chinese(&closed)[0].as_str(), closed.dormant, closed.sente), ("冲四", true, None));
    // He cannot block two; nor stop the straight four that a three beside it becomes.
    let double = made(Rule::HalfStone, "e8 d8 f8 c1 g8 e1 h9 h12 h10 g1 h11 a3", "h8");
    assert_eq!((double.dormant, double.sente), (true, Some(Sente::Sente)));
    let beside = made(Rule::HalfStone, "e8 d8 f8 c1 g8 e1 h9 a3 h10 a5", "h8");
    assert_eq!((beside.dormant, beside.sente), (true, Some(Sente::Sente)));
    let three = made(Rule::HalfStone, "e8 a1 f8 c1", "g8");
    assert_eq!((three.dormant, three.sente), (true, None));
    let white = made(Rule::HalfStone, "a1 e8 c1 f8 e1 g8 g1", "h8");
    assert_eq!((white.dormant, white.sente), (false, Some(Sente::Absolute)));
    let early = made(Rule::HalfStone, "e8 a1 f8 c1 g8 e1 h8 g1", "i8");
    assert_eq!((early.consequence, early.sente), (Consequence::EarlyFive, None));
    assert_eq!(early.consequence.chinese().unwrap(), "未下半子而成五，犯规判负");

    // The half stone wakes the four; on one of its ends only the other is left. It makes no shape itself.
    let played = "e8 a1 f8 c1 g8 e1 h8 g1";
    let points = |mv: &str| {
        let made = made(Rule::HalfStone, played, mv);
        assert!(made.all().count() == 0 && !made.dormant);
        assert_eq!(made.sente, Some(Sente::Absolute));
        crate::support::names(made.wakes, Size::STANDARD)
    };
    assert_eq!(points("*h1"), ["d8", "i8"]);
    assert_eq!(points("*d8"), ["i8"]);
    // Lying in a gap it leaves nothing.
    let gap = made(Rule::HalfStone, "e8 a1 f8 c1 h8 e1 i8 g1", "*g8");
    assert!(gap.wakes.is_empty() && gap.sente.is_none());
    // A stone beside it then sees a dead four, as ●●★●● is.
    let dead = made(Rule::HalfStone, "e8 d8 f8 a1 h8 j8 *g8 c1", "i8");
    assert_eq!(chinese(&dead), ["死四", "", "", ""]);
}

/// Compares one stone with the fast board's classes, which count straight and two fours in a line alike.
fn agrees_with_the_tables(board: &Board, made: &Shapes, cell: Cell, what: &dyn Fn() -> String) {
    for direction in Direction::ALL {
        let kinds: Vec<Kind> = made.lines[direction.index()].iter().map(|shape| shape.kind).collect();
        let wins = made.lines[direction.index()].iter().any(|shape| shape.wins);
        let class = board.line_class(made.color, cell, direction);
        let fits = match class {
            LineClass::W5 => wins,
            LineClass::Over => {
                !wins && matches!(kinds[..], [Kind::Overline] | [Kind::ClosedFour, Kind::ClosedFour])
            }
            LineClass::S4 => matches!(kinds[..], [Kind::StraightFour] | [Kind::ClosedFour, Kind::ClosedFour]),
            LineClass::C4 => kinds == [Kind::ClosedFour],
            // Where one more stone makes two fours in the line the tables see a live three, and so with a straight
            // four that is forbidden.
            LineClass::L3 | LineClass::L3Plus => matches!(kinds[..], [Kind::LiveThree | Kind::ClosedThree]),
            LineClass::C3 => kinds == [Kind::ClosedThree],
            _ => kinds.iter().all(|kind| *kind > Kind::ClosedThree || *kind == Kind::Five && !wins),
        };
        assert!(fits, "{direction:?}: {class:?} is not {kinds:?}\n{}", what());
    }
}

#[test]
fn random_stones_agree_with_the_judge_and_with_the_tables() {
    let mut rng = Rng::new(31);
    let mut seen = [0; 3];
    for round in 0..900 {
        let rule = if round % 2 == 0 { Rule::Renju } else { Rule::ALL[round / 2 % Rule::ALL.len()] };
        let size = size(5 + rng.below(11));
        let pieces = random_pieces(&mut rng, size, 35, 3);
        let color = if rng.percent(70) { BLACK } else { WHITE };
        let game = record(rule, size, pieces, color);
        let position = Position::from_record(&game).unwrap();
        if position.status().is_over() {
            continue;
        }
        let board = Board::from_record(&game);
        for cell in position.empty_cells().take(40) {
            let made = shapes::of(&position, Move::stone(cell)).unwrap();
            let what =
                || format!("{rule} {color} {:?}\n{}", cell, crate::support::draw(&position).join("\n"));
            agrees_with_the_tables(&board, &made, cell, &what);
            if rule == Rule::Renju && color == BLACK {
                let judgement = position.judge(cell);
                if judgement.five {
                    continue;
                }
                let has = |combination| made.combinations.contains(&combination);
                let found = Fouls {
                    overline: made.all().any(|shape| shape.kind == Kind::Overline),
                    double_four: has(Combination::DoubleFour),
                    double_three: has(Combination::DoubleThree),
                };
                assert_eq!(found, judgement.fouls, "{}", what());
                seen[0] += usize::from(found.overline);
                seen[1] += usize::from(found.double_four);
                seen[2] += usize::from(found.double_three);
            }
        }
    }
    // Each kind of foul was among them.
    assert!(seen.iter().all(|&count| count >= 5), "{seen:?}");
}

#[test]
fn turned_boards_have_the_same_names() {
    let mut rng = Rng::new(5);
    for _ in 0..60 {
        let rule = Rule::ALL[rng.below(Rule::ALL.len())];
        let size = size(6 + rng.below(8));
        let game = record(rule, size, random_pieces(&mut rng, size, 30, 2), BLACK);
        let position = Position::from_record(&game).unwrap();
        let Some(cell) = rng.pick(&position.empty_cells().collect::<Vec<_>>()) else { continue };
        let Ok(plain) = shapes::of(&position, Move::stone(cell)) else { continue };
        let names = |made: &Shapes| {
            let mut names: Vec<&str> = made.all().map(|shape| shape.kind.name()).collect();
            names.sort_unstable();
            (names, made.combinations.clone(), made.consequence)
        };
        for symmetry in Symmetry::ALL {
            let turned = Position::from_record(&symmetry.record(&game)).unwrap();
            let image = shapes::of(&turned, symmetry.mv(Move::stone(cell), size)).unwrap();
            assert_eq!(names(&image), names(&plain));
        }
    }
}
