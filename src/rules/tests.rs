//! Hand-made cases from the text of the rules, `docs/rules.md`.

use super::*;
use crate::game::{GameRecord, Setup, parse_moves};
use crate::types::{Cell, Color, Move, Piece, Rule, Size};

const EARLY_FIVE: Status = Status::Won { winner: Color::White, reason: WinReason::EarlyFive };

fn won(winner: Color) -> Status {
    Status::Won { winner, reason: WinReason::Five }
}

fn cells(text: &str) -> Vec<Cell> {
    parse_moves(text, Size::STANDARD).unwrap().into_iter().filter_map(Move::cell).collect()
}

fn cell(text: &str) -> Cell {
    cells(text)[0]
}

fn mv(text: &str) -> Move {
    parse_moves(text, Size::STANDARD).unwrap()[0]
}

/// A 15×15 record with these stones set up; a `*` among the black ones is the half stone.
fn record(rule: Rule, black: &str, white: &str, to_move: Color) -> GameRecord {
    let black = parse_moves(black, Size::STANDARD)
        .unwrap()
        .into_iter()
        .map(|mv| (mv.cell().unwrap(), if mv.is_half() { Piece::Half } else { Piece::Stone(Color::Black) }));
    let white = cells(white).into_iter().map(|cell| (cell, Piece::Stone(Color::White)));
    GameRecord::with_setup(rule, Size::STANDARD, Setup { pieces: black.chain(white).collect(), to_move })
}

fn position(rule: Rule, black: &str, white: &str, to_move: Color) -> Position {
    Position::from_record(&record(rule, black, white, to_move)).unwrap()
}

/// The status after one more move.
fn after(position: &Position, text: &str) -> Result<Status, IllegalMove> {
    position.clone().play(mv(text))
}

fn blocked(mut game: GameRecord, points: &str) -> GameRecord {
    let mut setup = game.setup().clone();
    setup.pieces.extend(cells(points).into_iter().map(|cell| (cell, Piece::Blocked)));
    game = GameRecord::with_setup(game.rule(), game.size(), setup);
    game
}

// Lengths, per rule and colour.

#[test]
fn which_lengths_win_under_which_rule() {
    // Rows through h8 of 4 to 7 stones, the last one played at h8.
    let rows = ["e8 f8 g8", "d8 e8 f8 g8", "d8 e8 f8 g8 i8", "d8 e8 f8 g8 i8 j8"];
    let expected = [
        (Rule::Freestyle, Color::Black, [false, true, true, true]),
        (Rule::Freestyle, Color::White, [false, true, true, true]),
        (Rule::Standard, Color::Black, [false, true, false, false]),
        (Rule::Standard, Color::White, [false, true, false, false]),
        (Rule::Renju, Color::Black, [false, true, false, false]),
        (Rule::Renju, Color::White, [false, true, true, true]),
        (Rule::Caro, Color::Black, [false, true, true, true]),
        (Rule::Caro, Color::White, [false, true, true, true]),
        (Rule::CaroFive, Color::Black, [false, true, false, false]),
        (Rule::CaroFive, Color::White, [false, true, false, false]),
        (Rule::HalfStone, Color::White, [false, true, true, true]),
    ];
    for (rule, color, wins) in expected {
        for (row, win) in rows.into_iter().zip(wins) {
            let (black, white) = if color == Color::Black { (row, "") } else { ("", row) };
            let position = position(rule, black, white, color);
            let status = after(&position, "h8").unwrap();
            assert_eq!(status == won(color), win, "{rule} {color} {row}");
            assert_eq!(position.would_win(cell("h8"), color), win);
            assert_eq!(position.makes_five(cell("h8"), color), win);
        }
    }
}

#[test]
fn a_five_beside_an_overline_wins_under_exact_rules() {
    for rule in [Rule::Standard, Rule::Renju, Rule::CaroFive] {
        let position = position(rule, "d8 e8 f8 g8 i8 h9 h10 h11 h12", "", Color::Black);
        assert_eq!(after(&position, "h8"), Ok(won(Color::Black)), "{rule}");
    }
}

#[test]
fn rows_do_not_run_around_the_edge() {
    let position = position(Rule::Freestyle, "n8 o8 a7 b7 a8", "", Color::Black);
    assert_eq!(after(&position, "c7"), Ok(Status::Ongoing));
}

// Caro.

#[test]
fn caro_five_enclosed_by_two_enemy_stones_is_nothing() {
    for rule in [Rule::Caro, Rule::CaroFive] {
        let both = position(rule, "d8 e8 f8 g8", "c8 i8", Color::Black);
        assert_eq!(after(&both, "h8"), Ok(Status::Ongoing));
        let one = position(rule, "d8 e8 f8 g8", "c8 j8", Color::Black);
        assert_eq!(after(&one, "h8"), Ok(won(Color::Black)));
        let white = position(rule, "c8 i8", "d8 e8 f8 g8", Color::White);
        assert_eq!(after(&white, "h8"), Ok(Status::Ongoing));
    }
}

#[test]
fn caro_six_enclosed_wins_only_where_six_counts() {
    let stones = ("d8 e8 f8 g8 i8", "c8 j8");
    assert_eq!(after(&position(Rule::Caro, stones.0, stones.1, Color::Black), "h8"), Ok(won(Color::Black)));
    let five_only = position(Rule::CaroFive, stones.0, stones.1, Color::Black);
    assert_eq!(after(&five_only, "h8"), Ok(Status::Ongoing));
}

#[test]
fn caro_edges_and_dead_points_do_not_enclose() {
    for rule in [Rule::Caro, Rule::CaroFive] {
        let edge = position(rule, "b8 c8 d8 e8", "f8", Color::Black);
        assert_eq!(after(&edge, "a8"), Ok(won(Color::Black)));
        let wall = blocked(record(rule, "d8 e8 f8 g8", "c8", Color::Black), "i8");
        assert_eq!(after(&Position::from_record(&wall).unwrap(), "h8"), Ok(won(Color::Black)));
        let walls = blocked(record(rule, "d8 e8 f8 g8", "", Color::Black), "c8 i8");
        assert_eq!(after(&Position::from_record(&walls).unwrap(), "h8"), Ok(won(Color::Black)));
    }
}

#[test]
fn caro_enclosing_a_finished_five_later_is_too_late() {
    let position = position(Rule::Caro, "d8 e8 f8 g8 h8", "c8", Color::White);
    assert_eq!(position.status(), won(Color::Black));
    assert_eq!(after(&position, "i8"), Err(IllegalMove::GameOver));
}

// Renju.

/// The fouls of a black stone, by name.
fn fouls(black: &str, white: &str, at: &str) -> Vec<&'static str> {
    position(Rule::Renju, black, white, Color::Black).judge(cell(at)).fouls.names().collect()
}

#[test]
fn renju_the_three_fouls() {
    assert_eq!(fouls("d8 e8 f8 g8 i8", "", "h8"), ["overline"]);
    assert_eq!(fouls("e8 f8 g8 h5 h6 h7", "d8 h4", "h8"), ["double-four"]);
    assert_eq!(fouls("f8 g8 h6 h7", "", "h8"), ["double-three"]);
    // Both fours on one line, through the gaps e8 and i8.
    assert_eq!(fouls("d8 f8 g8 j8", "", "h8"), ["double-four"]);
    // A straight four is one four.
    assert_eq!(fouls("e8 f8 g8", "", "h8"), [""; 0]);
    // A four and a three together are allowed.
    assert_eq!(fouls("e8 f8 g8 h6 h7", "d8", "h8"), [""; 0]);
}

#[test]
fn renju_a_five_takes_precedence_over_every_foul() {
    let position = position(Rule::Renju, "d8 e8 f8 g8 f10 g9 h9 h10 h11 i9 j10", "", Color::Black);
    let judgement = position.judge(cell("h8"));
    assert!(judgement.five && !judgement.is_forbidden());
    assert_eq!(after(&position, "h8"), Ok(won(Color::Black)));
}

#[test]
fn renju_a_three_that_cannot_be_made_a_straight_four_counts_not() {
    // The row could only become a four that at its right end makes six.
    assert_eq!(fouls("f8 g8 k8 h6 h7", "d8", "h8"), [""; 0]);
    // Stopped closely at one end, it is no three.
    assert_eq!(fouls("f8 g8 h6 h7", "e8", "h8"), [""; 0]);
}

#[test]
fn renju_a_straight_four_square_that_makes_five_elsewhere_does_not_count() {
    // The official judge's reading.
    let judgement = position(Rule::Renju, "f8 i8 h9 h10 g4 g5 g6 g7", "", Color::Black).judge(cell("h8"));
    assert!(!judgement.is_forbidden());
    // Without the column the same stone is a double three.
    assert_eq!(fouls("f8 i8 h9 h10", "", "h8"), ["double-three"]);
}

#[test]
fn renju_a_foul_can_be_entered_and_loses() {
    let position = position(Rule::Renju, "f8 g8 h6 h7", "", Color::Black);
    assert_eq!(position.forbidden_points(), cells("h8"));
    assert!(position.legal_moves().contains(&mv("h8")));
    assert!(position.would_lose(cell("h8"), Color::Black) && !position.would_lose(cell("h8"), Color::White));
    let fouls = Fouls { double_three: true, ..Fouls::default() };
    assert_eq!(
        after(&position, "h8"),
        Ok(Status::Won { winner: Color::White, reason: WinReason::Foul(fouls) })
    );
}

#[test]
fn nothing_is_forbidden_to_white_or_outside_renju() {
    let white = position(Rule::Renju, "", "f8 g8 h6 h7", Color::White);
    assert_eq!(after(&white, "h8"), Ok(Status::Ongoing));
    for rule in Rule::ALL.into_iter().filter(|&rule| rule != Rule::Renju) {
        let position = position(rule, "f8 g8 h6 h7", "", Color::Black);
        assert_eq!(position.forbidden_points(), []);
        assert_eq!(position.judge(cell("h8")), Judgement::default());
        assert_eq!(after(&position, "h8"), Ok(Status::Ongoing));
    }
}

#[test]
fn renju_dead_points_stop_black_like_white_stones() {
    let game = blocked(record(Rule::Renju, "f8 g8 h6 h7", "", Color::Black), "e8");
    assert!(!Position::from_record(&game).unwrap().judge(cell("h8")).is_forbidden());
}

// The half stone, by the numbers of the rule's seven paragraphs.

#[test]
fn half_stone_1_is_a_whole_turn_once_in_the_game_and_only_blacks() {
    let mut game = Position::new(Rule::HalfStone, Size::STANDARD);
    assert!(game.half_in_hand());
    assert_eq!(game.legal_moves().len(), 450);
    game.play(mv("h8")).unwrap();
    assert_eq!(game.legal_moves().len(), 224);
    assert_eq!(game.play(mv("*h9")), Err(IllegalMove::HalfByWhite));
    game.play(mv("h9")).unwrap();
    assert_eq!(game.play(mv("*j10")), Ok(Status::Ongoing));
    assert_eq!(game.side_to_move(), Color::White);
    assert!(!game.half_in_hand());
    game.play(mv("a1")).unwrap();
    assert_eq!(game.play(mv("*a2")), Err(IllegalMove::SecondHalf));
    assert_eq!(game.legal_moves().len(), 221);
}

#[test]
fn half_stone_2_may_be_played_on_any_turn_on_any_empty_point() {
    for at in ["*h8", "*a1", "*o15"] {
        assert_eq!(after(&Position::new(Rule::HalfStone, Size::STANDARD), at), Ok(Status::Ongoing));
    }
    let position = position(Rule::HalfStone, "h8", "h9", Color::Black);
    assert_eq!(after(&position, "*h8"), Err(IllegalMove::Occupied));
    assert_eq!(after(&position, "*h9"), Err(IllegalMove::Occupied));
}

#[test]
fn half_stone_3_counts_in_nobodys_five_and_can_not_be_played_on() {
    let black = position(Rule::HalfStone, "d8 e8 f8 *h8 i8", "", Color::Black);
    assert_eq!(after(&black, "g8"), Ok(Status::Ongoing));
    assert_eq!(after(&black, "h8"), Err(IllegalMove::Occupied));
    let white = position(Rule::HalfStone, "*h8", "d8 e8 f8 i8 j8", Color::White);
    assert_eq!(after(&white, "g8"), Ok(Status::Ongoing));
    // Three, two and the half stone between them are six points in a row and no five.
    let overline = position(Rule::HalfStone, "e8 f8 *h8 i8 j8", "", Color::Black);
    assert_eq!(after(&overline, "g8"), Ok(Status::Ongoing));
}

#[test]
fn half_stone_4_five_and_more_win_once_it_is_placed_and_for_white_always() {
    for (row, at) in [("d8 e8 f8 g8", "h8"), ("d8 e8 f8 g8 i8", "h8"), ("d8 e8 f8 g8 i8 j8", "h8")] {
        let black = position(Rule::HalfStone, &format!("*a1 {row}"), "", Color::Black);
        assert_eq!(after(&black, at), Ok(won(Color::Black)));
        for half in ["", "*a1"] {
            let white = position(Rule::HalfStone, half, row, Color::White);
            assert_eq!(after(&white, at), Ok(won(Color::White)));
        }
    }
}

#[test]
fn half_stone_5_a_five_in_hand_is_legal_and_loses() {
    for row in ["d8 e8 f8 g8", "d8 e8 f8 g8 i8"] {
        let position = position(Rule::HalfStone, row, "", Color::Black);
        assert!(position.legal_moves().contains(&mv("h8")));
        assert!(position.makes_five(cell("h8"), Color::Black));
        assert!(!position.would_win(cell("h8"), Color::Black));
        assert!(position.would_lose(cell("h8"), Color::Black));
        assert_eq!(after(&position, "h8"), Ok(EARLY_FIVE));
    }
}

#[test]
fn half_stone_6_a_full_board_draws_whether_or_not_it_was_placed() {
    let size = Size::MIN;
    // Rows that no five runs through: each line of five holds both colours.
    let rows = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOO."];
    for last in [Move::stone, Move::half] {
        let mut pieces = Vec::new();
        let mut hole = None;
        for (cell, mark) in size.cells().zip(rows.concat().chars()) {
            match mark {
                'X' => pieces.push((cell, Piece::Stone(Color::Black))),
                'O' => pieces.push((cell, Piece::Stone(Color::White))),
                _ => hole = Some(cell),
            }
        }
        let setup = Setup { pieces, to_move: Color::Black };
        let mut game = Position::from_record(&GameRecord::with_setup(Rule::HalfStone, size, setup)).unwrap();
        assert_eq!(game.status(), Status::Ongoing);
        assert_eq!(game.play(last(hole.unwrap())), Ok(Status::Drawn));
        assert_eq!(game.legal_moves(), []);
        assert_eq!(game.play(Move::PASS), Err(IllegalMove::GameOver));
    }
}

#[test]
fn half_stone_7_filling_the_gap_of_a_four_with_it_makes_no_five() {
    let mut game = position(Rule::HalfStone, "d8 e8 g8 h8", "", Color::Black);
    assert_eq!(after(&game, "f8"), Ok(EARLY_FIVE));
    assert_eq!(game.play(mv("*f8")), Ok(Status::Ongoing));
    assert!(!game.half_in_hand());
}

#[test]
fn half_stone_placing_it_wakes_the_fours_that_are_there() {
    let mut game = position(Rule::HalfStone, "d8 e8 f8 g8", "", Color::Black);
    for text in ["*a1", "h8"] {
        assert_eq!(game.play(mv(text)), Ok(Status::Ongoing));
    }
    assert_eq!(game.play(mv("c8")), Ok(won(Color::Black)));
}

#[test]
fn half_stone_exists_under_no_other_rule() {
    for rule in Rule::ALL.into_iter().filter(|&rule| rule != Rule::HalfStone) {
        let position = Position::new(rule, Size::STANDARD);
        assert!(!position.half_in_hand());
        assert_eq!(position.legal_moves().len(), 225);
        assert_eq!(after(&position, "*h8"), Err(IllegalMove::HalfUnderOtherRule(rule)));
    }
}

// Set-ups, records, passes.

#[test]
fn a_setup_with_a_winning_row_is_a_finished_game() {
    for rule in Rule::ALL {
        let expected = if rule == Rule::HalfStone { EARLY_FIVE } else { won(Color::Black) };
        for to_move in Color::ALL {
            assert_eq!(position(rule, "d8 e8 f8 g8 h8", "", to_move).status(), expected);
            assert_eq!(position(rule, "", "d8 e8 f8 g8 h8", to_move).status(), won(Color::White));
        }
    }
    let placed = position(Rule::HalfStone, "d8 e8 f8 g8 h8 *a1", "", Color::White);
    assert_eq!(placed.status(), won(Color::Black));
    // Rows that are nothing under the rule do not end the game.
    assert_eq!(position(Rule::Renju, "d8 e8 f8 g8 h8 i8", "", Color::White).status(), Status::Ongoing);
    assert_eq!(position(Rule::CaroFive, "d8 e8 f8 g8 h8", "c8 i8", Color::White).status(), Status::Ongoing);
}

#[test]
fn a_setup_with_two_winning_rows_was_won_by_who_played_last() {
    for to_move in Color::ALL {
        let position = position(Rule::Freestyle, "d8 e8 f8 g8 h8", "d1 e1 f1 g1 h1", to_move);
        assert_eq!(position.status(), won(!to_move));
    }
}

#[test]
fn a_setup_without_an_empty_point_is_a_draw() {
    let size = Size::MIN;
    let setup =
        Setup { pieces: size.cells().map(|cell| (cell, Piece::Blocked)).collect(), to_move: Color::White };
    for rule in Rule::ALL {
        let game = GameRecord::with_setup(rule, size, setup.clone());
        assert_eq!(Position::from_record(&game).unwrap().status(), Status::Drawn);
    }
}

#[test]
fn dead_points_from_outside_stop_rows_and_can_not_be_played_on() {
    for rule in Rule::ALL {
        for color in Color::ALL {
            let row = "d8 e8 f8 i8 j8";
            let (black, white) = if color == Color::Black { (row, "") } else { ("", row) };
            let game = blocked(record(rule, black, white, color), "h8");
            let position = Position::from_record(&game).unwrap();
            assert_eq!(after(&position, "g8"), Ok(Status::Ongoing));
            assert_eq!(after(&position, "h8"), Err(IllegalMove::Occupied));
            assert_eq!(position.piece(cell("h8")), Some(Piece::Blocked));
            assert_eq!(position.half_in_hand(), rule == Rule::HalfStone);
        }
    }
}

#[test]
fn a_pass_is_a_turn_under_every_rule() {
    for rule in Rule::ALL {
        let mut game = Position::new(rule, Size::STANDARD);
        for color in [Color::Black, Color::White, Color::Black] {
            assert_eq!(game.side_to_move(), color);
            assert_eq!(game.play(Move::PASS), Ok(Status::Ongoing));
        }
        assert_eq!(game.empty_cells().count(), 225);
        assert!(!game.legal_moves().contains(&Move::PASS));
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = position(Rule::HalfStone, "h8 *h9", "", Color::White);
    let before = game.clone();
    let wall = Cell::from_index(1).unwrap();
    for mv in [mv("h8"), mv("h9"), mv("*a1"), Move::stone(wall), Move::half(wall)] {
        assert!(game.play(mv).is_err());
        assert_eq!(game, before);
    }
    assert_eq!(game.play(Move::stone(wall)), Err(IllegalMove::OffBoard));
    assert!(!game.is_empty(wall) && game.piece(wall).is_none() && !game.makes_five(wall, Color::White));
}

fn record_error(rule: Rule, size: Size, pieces: &[(Cell, Piece)], moves: &str) -> String {
    let setup = Setup { pieces: pieces.to_vec(), to_move: Color::Black };
    let mut game = GameRecord::with_setup(rule, size, setup);
    for mv in parse_moves(moves, Size::STANDARD).unwrap() {
        game.push(mv);
    }
    Position::from_record(&game).unwrap_err().to_string()
}

#[test]
fn a_record_names_its_first_bad_piece_or_move() {
    use Piece::{Blocked, Half, Stone};
    let (h8, h9) = (cell("h8"), cell("h9"));
    let wall = Cell::from_index(1).unwrap();
    let normal = Size::STANDARD;
    let black = Stone(Color::Black);
    for (rule, pieces, moves, error) in [
        (
            Rule::Standard,
            vec![(h8, black), (h8, Stone(Color::White))],
            "",
            "piece 2 of the starting position, white h8: the point is taken",
        ),
        (
            Rule::Standard,
            vec![(h8, Blocked), (wall, Blocked)],
            "",
            "piece 2 of the starting position, blocked Cell(-4,-5): the point is off the board",
        ),
        (
            Rule::Caro,
            vec![(h8, Half)],
            "",
            "piece 1 of the starting position, half stone h8: there is no half stone under the rule caro",
        ),
        (
            Rule::HalfStone,
            vec![(h8, Half), (h9, Half)],
            "",
            "piece 2 of the starting position, half stone h9: there is one half stone at most",
        ),
        (Rule::HalfStone, vec![(h8, Half)], "*h9", "move 1, *h9: the half stone has been placed before"),
        (Rule::HalfStone, vec![], "*h8 a1 *h9", "move 3, *h9: the half stone has been placed before"),
        (Rule::HalfStone, vec![], "h8 *h9", "move 2, *h9: the half stone belongs to black"),
        (Rule::Renju, vec![], "h8 h9 *a1", "move 3, *a1: there is no half stone under the rule renju"),
        (Rule::Renju, vec![(h8, black)], "h9 h8", "move 2, h8: the point is taken"),
        (Rule::Freestyle, vec![], "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2", "move 10, e2: the game is over"),
        (Rule::HalfStone, vec![], "a1 a2 b1 b2 c1 c2 d1 d2 e1 --", "move 10, --: the game is over"),
    ] {
        assert_eq!(record_error(rule, normal, &pieces, moves), error);
    }
    // h9 on 15×15 is below the last row of a 5×5 board.
    assert!(record_error(Rule::Freestyle, Size::MIN, &[], "h9").ends_with("the point is off the board"));
}
