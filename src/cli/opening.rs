//! `play --opening-rule`: the opening of a person's game, decision by decision.

use std::io::{BufRead, Write};

use super::ask::{self, Effort};
use super::render;
use crate::engine::Engine;
use crate::game::opening::{Choice, Demand, Opening, OpeningRule, Seat, Zone, named};
use crate::game::{GameRecord, NotationError, parse_moves, print_moves};
use crate::types::{Cell, Color, Move, Rule, Size};

/// What is understood besides the decisions.
const HELP: &str = "\
Answer the question: points such as h8, keep, swap. Besides:
  board    shows the board
  undo     takes your last decision back, and what came after it
  quit     leaves
The other commands of a game come after its opening.
";
/// Commands of a game that say nothing to an opening.
const LATER: [&str; 4] = ["hint", "resign", "save", "save!"];

/// An opening at the table.
pub(super) struct Table<'a> {
    pub(super) engine: &'a mut Engine,
    pub(super) effort: Effort,
    /// The person's seat: the first one places the first stone.
    pub(super) person: Seat,
    pub(super) prompts: bool,
    pub(super) color: bool,
}

impl Table<'_> {
    /// Goes through the opening. The result is the game after it and the person's colour, or `None` if the person has
    /// left.
    pub(super) fn play(
        &mut self,
        opening: OpeningRule,
        rule: Rule,
        size: Size,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> anyhow::Result<Option<(GameRecord, Color)>> {
        let mut opening = Opening::new(opening, rule, size);
        let who = if self.person == Seat::First { "You place" } else { "I place" };
        writeln!(out, "{rule}, {size}x{size}, opening rule {}. {who} the first stone.", opening.rule())?;
        // The opening before each decision of the person.
        let mut before: Vec<Opening> = Vec::new();
        while let Some(demand) = opening.demand() {
            let stones = opening.record().moves().len();
            if opening.turn() == self.person {
                writeln!(out, "{}", question(&opening, demand))?;
                if self.prompts {
                    write!(out, "> ")?;
                }
                out.flush()?;
                let mut line = Vec::new();
                if input.read_until(b'\n', &mut line)? == 0 {
                    return Ok(None);
                }
                let text = String::from_utf8_lossy(&line).trim().to_ascii_lowercase();
                match text.as_str() {
                    "" => continue,
                    "quit" | "exit" | "q" => return Ok(None),
                    "board" => out.write_all(render::board_text(opening.record(), self.color).as_bytes())?,
                    "help" | "?" => out.write_all(HELP.as_bytes())?,
                    "undo" => match before.pop() {
                        Some(earlier) => opening = earlier,
                        None => writeln!(out, "There is no decision of yours to take back.")?,
                    },
                    text if LATER.iter().any(|word| text.split_whitespace().next() == Some(word)) => {
                        writeln!(out, "'{text}' comes after the opening; help lists the commands.")?;
                    }
                    text => {
                        let now = opening.clone();
                        let chosen = answer(text, demand, size)
                            .and_then(|choice| opening.choose(&choice).map_err(|error| error.to_string()));
                        match chosen {
                            Ok(()) => before.push(now),
                            Err(problem) => writeln!(out, "{problem}")?,
                        }
                    }
                }
            } else {
                let choice = ask::decide(self.engine, &opening, self.effort)?;
                let told = tell(&opening, &choice);
                opening.choose(&choice)?;
                if opening.record().moves().len() > stones {
                    out.write_all(render::board_text(opening.record(), self.color).as_bytes())?;
                }
                writeln!(out, "{told}")?;
            }
            if stones < 3
                && opening.record().moves().len() == 3
                && let Some(name) = named(opening.record())
            {
                writeln!(out, "This opening is {} {} {}.", name.code, name.name, name.chinese)?;
            }
        }
        let black = opening.owner(Color::Black) == self.person;
        Ok(Some((opening.record().clone(), if black { Color::Black } else { Color::White })))
    }
}

/// What the person is asked.
fn question(opening: &Opening, demand: Demand) -> String {
    let color = opening.record().side_to_move();
    let place = |zone: Zone| match zone {
        Zone::ANYWHERE => format!("Place a {color} stone"),
        zone => format!("Place a {color} stone in {zone}"),
    };
    let yours = |seat: Seat| {
        let black = opening.owner(Color::Black) == seat;
        if black { Color::Black } else { Color::White }
    };
    match demand {
        Demand::Stone(zone) => format!("{}.", place(zone)),
        Demand::StoneAndCount { zone, most } => {
            format!(
                "{} and say how many fifth moves black offers, 1 to {most}: for example h8 3.",
                place(zone)
            )
        }
        Demand::Swap => format!("You have {}: keep or swap?", yours(opening.turn())),
        Demand::SwapOrAdd => {
            format!("You have {}: keep, swap, or add two stones and let me choose?", yours(opening.turn()))
        }
        Demand::Offer(count) => format!("Offer {count} different fifth moves for black."),
        Demand::StoneOrOffer { zone, count } => format!("{}, or offer {count} fifth moves.", place(zone)),
        Demand::Pick => format!("Pick black's fifth move: {}.", points(opening, opening.offers())),
    }
}

/// The decision that a line stands for.
fn answer(text: &str, demand: Demand, size: Size) -> Result<Choice, String> {
    let cells = |text: &str| -> Result<Vec<Cell>, String> {
        let moves = parse_moves(text, size).map_err(|error| match error {
            NotationError::NotAMove { token, .. } => {
                format!(
                    "'{token}' cannot be read here (allowed: points such as h8, and board, undo, help, quit)"
                )
            }
            error @ NotationError::OffBoard { .. } => error.to_string(),
        })?;
        let cells: Option<Vec<Cell>> =
            moves.into_iter().map(|mv| mv.cell().filter(|_| !mv.is_half())).collect();
        cells.ok_or_else(|| "only stones are placed in an opening".to_owned())
    };
    let one = |text: &str| match cells(text)?.as_slice() {
        &[cell] => Ok(cell),
        other => Err(format!("one point is needed, '{text}' holds {}", other.len())),
    };
    match demand {
        Demand::Swap | Demand::SwapOrAdd => match text {
            "keep" | "k" => Ok(Choice::Keep),
            "swap" | "s" => Ok(Choice::Swap),
            "add" | "a" if demand == Demand::SwapOrAdd => Ok(Choice::Add),
            _ if demand == Demand::Swap => Err(format!("'{text}' is neither keep nor swap")),
            _ => Err(format!("'{text}' is none of keep, swap and add")),
        },
        Demand::StoneAndCount { most, .. } => {
            let Some((point, count)) = text.rsplit_once(char::is_whitespace) else {
                one(text)?;
                return Err(format!(
                    "the number of fifth moves is missing (allowed: 1 to {most}, as in {text} 3)"
                ));
            };
            let no_number = || format!("'{count}' is no number of fifth moves (allowed: 1 to {most})");
            let count = count.parse().map_err(|_| no_number())?;
            Ok(Choice::StoneAndCount(one(point)?, count))
        }
        Demand::Stone(_) => one(text).map(Choice::Stone),
        Demand::Pick => one(text).map(Choice::Pick),
        Demand::Offer(_) => cells(text).map(Choice::Offer),
        Demand::StoneOrOffer { .. } => match cells(text)?.as_slice() {
            &[cell] => Ok(Choice::Stone(cell)),
            cells => Ok(Choice::Offer(cells.to_vec())),
        },
    }
}

/// What the engine has decided, in words.
fn tell(opening: &Opening, choice: &Choice) -> String {
    let black = opening.owner(Color::Black) == opening.turn();
    let own = if black { Color::Black } else { Color::White };
    let at = |cell: Cell| points(opening, &[cell]);
    match choice {
        Choice::Stone(cell) => format!("I place {}.", at(*cell)),
        Choice::StoneAndCount(cell, 1) => format!("I place {}; there will be 1 fifth move.", at(*cell)),
        Choice::StoneAndCount(cell, count) => {
            format!("I place {}; there will be {count} fifth moves.", at(*cell))
        }
        Choice::Keep => format!("I keep {own}."),
        Choice::Swap => format!("I swap and take {}.", !own),
        Choice::Add => "I add two stones, and you choose.".to_owned(),
        Choice::Offer(cells) => format!("I offer {}.", points(opening, cells)),
        Choice::Pick(cell) => format!("I pick {}.", at(*cell)),
    }
}

fn points(opening: &Opening, cells: &[Cell]) -> String {
    let moves: Vec<Move> = cells.iter().copied().map(Move::stone).collect();
    print_moves(&moves, opening.record().size())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The opening with this much of an answer from the person, and everything that was said.
    fn opening(rule: OpeningRule, person: Seat, lines: &str) -> (Option<(GameRecord, Color)>, String) {
        let effort = Effort { nodes: Some(1_000), ..Effort::default() };
        let mut engine = Engine::new();
        let mut table = Table { engine: &mut engine, effort, person, prompts: false, color: false };
        let mut out = Vec::new();
        let game = table.play(rule, Rule::Renju, Size::STANDARD, &mut lines.as_bytes(), &mut out).unwrap();
        (game, String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_engine_decides_in_every_opening_rule_from_either_seat() {
        // Lines of every kind; what does not fit is refused, and the next one is tried.
        let mut lines = "keep\nh8\nh9\nh10\nh11\nh10 2\n".to_owned();
        for column in 'a'..='o' {
            for row in 1..=15 {
                lines.push_str(&format!("{column}{row}\n{column}{row} 2\n"));
            }
        }
        for count in 1..=12 {
            let offers: Vec<String> = (1..=count).map(|row| format!("b{row}")).collect();
            lines.push_str(&format!("{}\n", offers.join(" ")));
        }
        for rule in OpeningRule::ALL {
            for person in [Seat::First, Seat::Second] {
                let (game, said) = opening(rule, person, &lines.repeat(20));
                let (record, _) = game.unwrap_or_else(|| panic!("{rule} {person:?}\n{said}"));
                let stones = record.moves().len();
                let expected: &[usize] = match rule {
                    OpeningRule::SwapAfterFirst => &[1],
                    OpeningRule::Swap2 => &[3, 5],
                    _ => &[5],
                };
                assert!(expected.contains(&stones), "{rule}: {stones} stones\n{said}");
            }
        }
    }

    #[test]
    fn answers_that_are_not_allowed_are_explained() {
        let (game, said) = opening(
            OpeningRule::Soosorv8,
            Seat::First,
            "h9\n*h8\nh8 i9\np1\nstone\nhint\nh8\nh9\nh10\nboard\nquit\n",
        );
        assert!(game.is_none());
        for line in [
            "renju, 15x15, opening rule soosorv8. You place the first stone.",
            "Place a black stone in the centre.",
            "the stone is confined to the centre",
            "only stones are placed in an opening",
            "one point is needed, 'h8 i9' holds 2",
            "Place a white stone in the 3x3 square in the centre.",
            "This opening is D1 Kansei 寒星.",
            "'stone' cannot be read here (allowed: points such as h8, and board, undo, help, quit)",
            "'hint' comes after the opening; help lists the commands.",
        ] {
            assert!(said.contains(line), "{line}\n{said}");
        }
    }

    #[test]
    fn decisions_are_taken_back_one_by_one() {
        let lines = "undo\nhelp\nh8\nh9\nundo\ni9\nh10 3\nundo\nundo\nundo\nquit\n";
        let (_, said) = opening(OpeningRule::Yamaguchi, Seat::First, lines);
        let asked = |line: &str| said.matches(line).count();
        assert_eq!(asked("There is no decision of yours to take back."), 1, "{said}");
        assert_eq!(asked("  undo     takes"), 1, "{said}");
        // Before and after each undo: h8, h9, h8 again, i9, and back through all of them.
        assert_eq!(asked("Place a black stone in the centre."), 4, "{said}");
        assert_eq!(asked("Place a white stone in the 3x3 square"), 3, "{said}");
    }
}
