//! The course of each opening rule, step by step, from the text of the rules.

use super::*;
use crate::game::parse_moves;

fn at(text: &str) -> Cell {
    parse_moves(text, Size::STANDARD).unwrap()[0].cell().unwrap()
}

fn cells(text: &str) -> Vec<Cell> {
    parse_moves(text, Size::STANDARD).unwrap().iter().map(|mv| mv.cell().unwrap()).collect()
}

fn opening(rule: OpeningRule) -> Opening {
    Opening::new(rule, Rule::Renju, Size::STANDARD)
}

/// Stones by one seat, one after the other.
fn stones(opening: &mut Opening, seat: Seat, text: &str) {
    for cell in cells(text) {
        assert_eq!(opening.turn(), seat);
        opening.choose(&Choice::Stone(cell)).unwrap();
    }
}

fn over(opening: &Opening, black: Seat, to_move: Color) {
    assert_eq!((opening.demand(), opening.owner(Color::Black)), (None, black));
    assert_eq!((opening.record().side_to_move(), opening.turn()), (to_move, opening.owner(to_move)));
}

#[test]
fn names_are_read_in_several_spellings() {
    for rule in OpeningRule::ALL {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    assert_eq!("Soosõrv-8".parse(), Ok(OpeningRule::Soosorv8));
    assert_eq!("taraguchi".parse(), Ok(OpeningRule::Taraguchi10));
    assert_eq!("swap".parse(), Ok(OpeningRule::SwapAfterFirst));
    assert!("swap3".parse::<OpeningRule>().is_err() && "8".parse::<OpeningRule>().is_err());
}

#[test]
fn there_are_26_openings_and_each_is_listed_once() {
    // Every placement that the rule allows has one of the names, and every name is reached; on a board without a middle
    // point, too.
    for size in [Size::STANDARD, Size::new(20).unwrap()] {
        let zone = |radius| size.cells().filter(move |&cell| Zone::within(radius).contains(cell, size));
        let center = size.center();
        let mut seen = Vec::new();
        for second in zone(1).filter(|&second| second != center) {
            for third in zone(2).filter(|&third| third != center && third != second) {
                let mut record = GameRecord::new(Rule::Renju, size);
                [center, second, third].map(Move::stone).into_iter().for_each(|mv| record.push(mv));
                seen.push(named(&record).expect("it has a name").code);
            }
        }
        // Eight seconds, 23 thirds each; a code stands for as many placements as its position has images.
        assert_eq!(seen.len(), 8 * 23);
        for opening in &NAMED {
            let on_axis = ["D1", "D8", "D11", "I1", "I11", "I13"].contains(&opening.code);
            let times = seen.iter().filter(|&&code| code == opening.code).count();
            assert_eq!(times, if on_axis { 4 } else { 8 }, "{}", opening.code);
        }
    }
}

#[test]
fn swap_after_first_move() {
    for (choice, black) in [(Choice::Keep, Seat::First), (Choice::Swap, Seat::Second)] {
        let mut opening = opening(OpeningRule::SwapAfterFirst);
        stones(&mut opening, Seat::First, "a1");
        assert_eq!((opening.turn(), opening.demand()), (Seat::Second, Some(Demand::Swap)));
        assert_eq!(opening.choose(&Choice::Add), Err(OpeningError::NotAsked));
        opening.choose(&choice).unwrap();
        over(&opening, black, Color::White);
        assert_eq!(opening.choose(&Choice::Keep), Err(OpeningError::Over));
    }
}

#[test]
fn swap2_has_three_ways() {
    let start = || {
        let mut opening = opening(OpeningRule::Swap2);
        stones(&mut opening, Seat::First, "a1 o15 h8");
        assert_eq!((opening.turn(), opening.demand()), (Seat::Second, Some(Demand::SwapOrAdd)));
        opening
    };
    for (choice, black) in [(Choice::Keep, Seat::First), (Choice::Swap, Seat::Second)] {
        let mut opening = start();
        opening.choose(&choice).unwrap();
        over(&opening, black, Color::White);
    }
    for (choice, black) in [(Choice::Keep, Seat::First), (Choice::Swap, Seat::Second)] {
        let mut opening = start();
        opening.choose(&Choice::Add).unwrap();
        stones(&mut opening, Seat::Second, "b2 c3");
        assert_eq!((opening.turn(), opening.demand()), (Seat::First, Some(Demand::Swap)));
        opening.choose(&choice).unwrap();
        // Five stones: White is to move.
        over(&opening, black, Color::White);
    }
}

#[test]
fn the_first_stones_of_the_26_openings_are_confined() {
    for rule in [OpeningRule::Rif, OpeningRule::Soosorv8] {
        let mut opening = opening(rule);
        assert_eq!(opening.choose(&Choice::Stone(at("h9"))), Err(OpeningError::OutsideZone(Zone::within(0))));
        stones(&mut opening, Seat::First, "h8");
        assert_eq!(opening.choose(&Choice::Stone(at("h8"))), Err(OpeningError::Taken));
        assert_eq!(
            opening.choose(&Choice::Stone(at("h10"))),
            Err(OpeningError::OutsideZone(Zone::within(1)))
        );
        stones(&mut opening, Seat::First, "i9");
        assert_eq!(opening.choose(&Choice::Stone(at("k8"))), Err(OpeningError::OutsideZone(Zone::within(2))));
        stones(&mut opening, Seat::First, "f6");
        assert_eq!(opening.demand(), Some(Demand::Swap));
        assert_eq!(named(opening.record()).map(|opening| opening.code), Some("I13"));
    }
}

#[test]
fn rif_offers_two_fifth_moves() {
    let mut opening = opening(OpeningRule::Rif);
    stones(&mut opening, Seat::First, "h8 h9 h10");
    opening.choose(&Choice::Swap).unwrap();
    // White is First now.
    stones(&mut opening, Seat::First, "h7");
    assert_eq!((opening.turn(), opening.demand()), (Seat::Second, Some(Demand::Offer(2))));
    let refused = [
        ("g8", OpeningError::OfferSize(1, 2)),
        ("g8 h9", OpeningError::Taken),
        // The position is its own mirror image.
        ("g8 i8", OpeningError::SameOffer),
        ("g8 g8", OpeningError::SameOffer),
    ];
    for (text, error) in refused {
        assert_eq!(opening.choose(&Choice::Offer(cells(text))), Err(error), "{text}");
    }
    opening.choose(&Choice::Offer(cells("g8 g9"))).unwrap();
    assert_eq!((opening.turn(), opening.demand()), (Seat::First, Some(Demand::Pick)));
    assert_eq!(opening.choose(&Choice::Pick(at("i8"))), Err(OpeningError::NotOffered));
    opening.choose(&Choice::Pick(at("g9"))).unwrap();
    assert_eq!(opening.record().piece_at(at("g9")), Some(Piece::Stone(Color::Black)));
    over(&opening, Seat::Second, Color::White);
}

#[test]
fn yamaguchi_tells_the_number_with_the_opening() {
    let mut opening = opening(OpeningRule::Yamaguchi);
    stones(&mut opening, Seat::First, "h8 h9");
    assert_eq!(opening.choose(&Choice::Stone(at("h10"))), Err(OpeningError::NotAsked));
    for count in [0, 13] {
        let error = Err(OpeningError::Count { count, most: 12 });
        assert_eq!(opening.choose(&Choice::StoneAndCount(at("h10"), count)), error);
    }
    opening.choose(&Choice::StoneAndCount(at("i10"), 3)).unwrap();
    assert_eq!((opening.turn(), opening.demand()), (Seat::Second, Some(Demand::Swap)));
    opening.choose(&Choice::Keep).unwrap();
    stones(&mut opening, Seat::Second, "a1");
    assert_eq!((opening.turn(), opening.demand()), (Seat::First, Some(Demand::Offer(3))));
    opening.choose(&Choice::Offer(cells("a2 a3 a4"))).unwrap();
    assert_eq!(opening.turn(), Seat::Second);
    opening.choose(&Choice::Pick(at("a4"))).unwrap();
    over(&opening, Seat::First, Color::White);
}

#[test]
fn no_more_fifth_moves_are_asked_for_than_there_are() {
    // Four stones on the middle column of the smallest board: its last point and ten pairs of mirror images are free.
    let mut opening = Opening::new(OpeningRule::Yamaguchi, Rule::Freestyle, Size::new(5).unwrap());
    let cell = |x, y| Cell::new(x, y, Size::new(5).unwrap()).unwrap();
    opening.choose(&Choice::Stone(cell(2, 2))).unwrap();
    opening.choose(&Choice::Stone(cell(2, 1))).unwrap();
    opening.choose(&Choice::StoneAndCount(cell(2, 0), 12)).unwrap();
    opening.choose(&Choice::Keep).unwrap();
    opening.choose(&Choice::Stone(cell(2, 3))).unwrap();
    assert_eq!(opening.demand(), Some(Demand::Offer(11)));
    let free: Vec<Cell> = (0..2).flat_map(|x| (0..5).map(move |y| (x, y))).map(|(x, y)| cell(x, y)).collect();
    assert_eq!(opening.choose(&Choice::Offer(free.clone())), Err(OpeningError::OfferSize(10, 11)));
    opening.choose(&Choice::Offer([free, vec![cell(2, 4)]].concat())).unwrap();
    assert_eq!((opening.demand(), opening.count()), (Some(Demand::Pick), 11));
}

#[test]
fn soosorv_has_two_swaps() {
    for (swaps, black) in
        [([false, false], Seat::First), ([true, false], Seat::Second), ([true, true], Seat::First)]
    {
        let mut opening = opening(OpeningRule::Soosorv8);
        let choice = |swap| if swap { Choice::Swap } else { Choice::Keep };
        stones(&mut opening, Seat::First, "h8 i9 h6");
        assert_eq!(opening.turn(), Seat::Second);
        opening.choose(&choice(swaps[0])).unwrap();
        // White places the fourth stone and tells the number; the other one may swap.
        let white = opening.owner(Color::White);
        assert_eq!(opening.demand(), Some(Demand::StoneAndCount { zone: Zone::ANYWHERE, most: 8 }));
        assert_eq!(opening.turn(), white);
        assert!(opening.choose(&Choice::StoneAndCount(at("a1"), 9)).is_err());
        opening.choose(&Choice::StoneAndCount(at("a1"), 1)).unwrap();
        assert_eq!((opening.turn(), opening.demand()), (white.other(), Some(Demand::Swap)));
        opening.choose(&choice(swaps[1])).unwrap();
        assert_eq!((opening.turn(), opening.demand()), (black, Some(Demand::Offer(1))));
        opening.choose(&Choice::Offer(cells("b1"))).unwrap();
        opening.choose(&Choice::Pick(at("b1"))).unwrap();
        over(&opening, black, Color::White);
    }
}

#[test]
fn taraguchi_may_swap_after_each_stone() {
    let mut opening = opening(OpeningRule::Taraguchi10);
    // The colours change after every stone, so that one player places all of them.
    for (text, outside) in [("h8", "h9"), ("h9", "h10"), ("h10", "h11"), ("h11", "h12")] {
        assert_eq!(opening.turn(), Seat::First);
        assert!(matches!(opening.choose(&Choice::Stone(at(outside))), Err(OpeningError::OutsideZone(_))));
        opening.choose(&Choice::Stone(at(text))).unwrap();
        assert_eq!((opening.turn(), opening.demand()), (Seat::Second, Some(Demand::Swap)));
        opening.choose(&Choice::Swap).unwrap();
    }
    // Four swaps: the colours are as they were.
    assert_eq!(opening.owner(Color::Black), Seat::First);
    assert_eq!(opening.demand(), Some(Demand::StoneOrOffer { zone: Zone::within(4), count: 10 }));
    let mut single = opening.clone();
    assert!(single.choose(&Choice::Stone(at("h13"))).is_err());
    single.choose(&Choice::Stone(at("h12"))).unwrap();
    assert_eq!((single.turn(), single.demand()), (Seat::Second, Some(Demand::Swap)));
    single.choose(&Choice::Keep).unwrap();
    over(&single, Seat::First, Color::White);
    let ten = cells("a1 a2 a3 a4 a5 a6 a7 a8 a9 b1");
    assert_eq!(opening.choose(&Choice::Offer(ten[1..].to_vec())), Err(OpeningError::OfferSize(9, 10)));
    opening.choose(&Choice::Offer(ten)).unwrap();
    assert_eq!((opening.turn(), opening.demand()), (Seat::Second, Some(Demand::Pick)));
    opening.choose(&Choice::Pick(at("a9"))).unwrap();
    over(&opening, Seat::First, Color::White);
}
