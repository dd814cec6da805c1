//! The tables, and the place of everything generated in a page that people have written around it.

use anyhow::{Context, bail};

use super::placement::What;
use super::play::Played;
use super::setting::{Opponent, Setting, Timing};
use super::summary::{MOMENTS, Series, Share};
use super::verdict::{self, thousands, told};
use crate::game::print_moves;
use crate::types::{Rule, Size};

/// All that the page tells.
pub(super) struct Findings {
    pub(super) size: Size,
    pub(super) series: Vec<Series>,
    /// Black's score under the half-stone rule less that under freestyle, game by game.
    pub(super) differences: Vec<(Setting, Share)>,
    pub(super) examples: Vec<Example>,
    /// Heat maps: the setting and the file.
    pub(super) maps: Vec<(Setting, String)>,
    /// How it was made.
    pub(super) command: String,
}

/// A game to be shown.
pub(super) struct Example {
    pub(super) game: Played,
    /// What to look at.
    pub(super) title: &'static str,
    /// The file of its diagram.
    pub(super) file: String,
}

/// The parts of a page that are filled.
const MARKS: [&str; 3] = ["verdict", "verdict-chinese", "results"];

/// Puts the findings between the marks of a page; everything else stays as it is.
///
/// # Errors
/// If a pair of marks is missing.
pub(super) fn fill(page: &str, findings: &Findings) -> anyhow::Result<String> {
    let series = &findings.series;
    let texts = [verdict::english(series), verdict::chinese(series), results(findings)];
    MARKS.iter().zip(&texts).try_fold(page.to_owned(), |page, (name, text)| replace(&page, name, text))
}

/// The page with `text` between `<!-- NAME -->` and `<!-- end NAME -->`.
fn replace(page: &str, name: &str, text: &str) -> anyhow::Result<String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end {name} -->"));
    let parts = page.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    match parts {
        Some((before, after)) => Ok(format!("{before}{begin}{text}{end}{after}")),
        None => bail!("the page has no lines '{}' and '{end}'", begin.trim_end()),
    }
}

/// Everything between the marks of the results.
pub(super) fn results(findings: &Findings) -> String {
    let mut text = format!("Made by `{}`.\n", findings.command);
    let mut section = |title: &str, body: String| {
        if !body.is_empty() {
            text += &format!("\n### {title}\n\n{body}");
        }
    };
    let series = &findings.series;
    section("Black's score", scores(series));
    section("The half-stone rule against freestyle, game by game", differences(&findings.differences));
    section("What the moment is worth", timings(series));
    section("What the knowledge is worth", knowledge(series));
    let placed: Vec<&Series> = series.iter().filter(|series| series.setting.is_natural()).collect();
    section("When the half stone is placed", placed.iter().map(|series| moments(series)).collect());
    section("Attack and defence", placed.iter().map(|series| purposes(series)).collect());
    section("Where it is placed", findings.maps.iter().filter_map(|map| places(map, findings)).collect());
    section("Games", findings.examples.iter().map(|example| shown(example, findings.size)).collect());
    text
}

/// The conditions that tables tell apart, in words.
fn conditions(setting: Setting) -> String {
    format!("{} nodes, {} board", thousands(setting.nodes), setting.opening)
        .replace("random board", "random openings")
}

fn scores(series: &[Series]) -> String {
    let mut text =
        "| nodes | opening | rule | games | Black | draw | White | Black's score | moves | fouls |\n\
                    |---|---|---|---|---|---|---|---|---|---|\n"
            .to_owned();
    let plain = |s: &&Series| (s.setting.timing, s.setting.opponent) == (Timing::AtWill, Opponent::Itself);
    for s in series.iter().filter(plain) {
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {} |\n",
            thousands(s.setting.nodes),
            s.setting.opening,
            s.setting.rule,
            s.games,
            s.black_wins,
            s.draws,
            s.white_wins,
            told(s.black),
            s.length,
            s.fouls
        );
    }
    text
}

fn differences(differences: &[(Setting, Share)]) -> String {
    if differences.is_empty() {
        return String::new();
    }
    let mut text =
        "| conditions | pairs | Black's score, half stone less freestyle |\n|---|---|---|\n".to_owned();
    for &(setting, share) in differences {
        text += &format!(
            "| {} | {} | {:+.1} % ± {:.1} |\n",
            conditions(setting),
            share.count,
            share.percent,
            share.error
        );
    }
    text
}

/// Black's score by when he has to place the half stone.
fn timings(series: &[Series]) -> String {
    // Only where there is something to compare with.
    let prescribed = |like: Setting| {
        let mut settings = series.iter().map(|other| other.setting);
        settings.any(|s| s.timing != Timing::AtWill && (s.nodes, s.opening) == (like.nodes, like.opening))
    };
    let told_when = |s: &&Series| {
        let Setting { rule, opponent, .. } = s.setting;
        (rule, opponent) == (Rule::HalfStone, Opponent::Itself) && prescribed(s.setting)
    };
    let series: Vec<&Series> = series.iter().filter(told_when).collect();
    if series.is_empty() {
        return String::new();
    }
    let mut text =
        "| conditions | Black places it | games | Black's score | moves |\n|---|---|---|---|---|\n"
            .to_owned();
    for s in series {
        let when = match s.setting.timing {
            Timing::AtWill => "at will".to_owned(),
            Timing::At(number) => format!("at move {number}"),
        };
        let conditions = conditions(s.setting);
        text += &format!("| {conditions} | {when} | {} | {} | {:.1} |\n", s.games, told(s.black), s.length);
    }
    text
}

fn knowledge(series: &[Series]) -> String {
    let known: Vec<_> = series.iter().filter_map(|s| Some((s, s.known?))).collect();
    if known.is_empty() {
        return String::new();
    }
    let mut text =
        "| conditions | games | score of the engine that knows the half stone |\n|---|---|---|\n".to_owned();
    for (s, known) in known {
        text += &format!("| {} | {} | {} |\n", conditions(s.setting), s.games, told(known));
    }
    text
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// A histogram with Black's score in each class.
fn moments(series: &Series) -> String {
    let mut text = format!(
        "{} ({} games; median move {}):\n\n| move | games | share | | Black's score |\n|---|---|---|---|---|\n",
        conditions(series.setting),
        series.games,
        series.median.map_or("–".to_owned(), |median| median.to_string())
    );
    let mut from = 1;
    for (i, share) in series.moments.iter().enumerate() {
        let name = match MOMENTS.get(i) {
            None => "never".to_owned(),
            Some(&usize::MAX) => format!("{from} and later"),
            Some(&to) if to == from => to.to_string(),
            Some(&to) => format!("{from}–{to}"),
        };
        from = MOMENTS.get(i).map_or(0, |to| to.saturating_add(2));
        let part = percent(share.count, series.games);
        let bar = "█".repeat((part / 2.5).round() as usize);
        let score = if share.count == 0 { "–".to_owned() } else { told(*share) };
        text += &format!("| {name} | {} | {part:.1} % | {bar} | {score} |\n", share.count);
    }
    text + "\n"
}

/// What it stopped and what it woke.
fn purposes(series: &Series) -> String {
    let placed: usize = series.purposes.iter().flatten().map(|share| share.count).sum();
    let mut text = format!(
        "{} ({placed} placements), shares and Black's score:\n\n\
         | | wakes a four | wakes a three | wakes nothing |\n|---|---|---|---|\n",
        conditions(series.setting)
    );
    for (stops, row) in What::ALL.iter().zip(&series.purposes) {
        let name = match stops {
            What::Four => "stops a four",
            What::Three => "stops a three",
            What::Nothing => "stops nothing",
        };
        let cells: Vec<String> = row
            .iter()
            .map(|share| match share.count {
                0 => "–".to_owned(),
                count => format!("{:.1} % (Black {:.0} %)", percent(count, placed), share.percent),
            })
            .collect();
        text += &format!("| **{name}** | {} |\n", cells.join(" | "));
    }
    text + "\n"
}

/// A heat map as picture and text.
fn places((setting, file): &(Setting, String), findings: &Findings) -> Option<String> {
    let series = findings.series.iter().find(|series| series.setting == *setting)?;
    let conditions = conditions(*setting);
    let mut text = format!("![Where the half stone is placed, {conditions}]({file})\n\n");
    text +=
        &format!("{conditions}, in thousandths of the placements, the eight symmetries averaged:\n\n```\n");
    let n = findings.size.get();
    for (y, row) in series.places.iter().enumerate() {
        text += &format!("{:>2} ", n - y);
        for &share in row {
            text += &if share == 0.0 { "   .".to_owned() } else { format!("{share:>4.0}") };
        }
        text.push('\n');
    }
    let letters: String = (0..n).map(|x| format!("{:>4}", char::from(b'a' + x as u8))).collect();
    Some(text + &format!("   {letters}\n```\n\n"))
}

fn shown(example: &Example, size: Size) -> String {
    let Example { game, title, file } = example;
    let result = match game.winner {
        Some(color) => format!("{color} wins"),
        None => "draw".to_owned(),
    };
    format!(
        "**{title}** (game {}, {}; {result}):\n\n![{title}]({file})\n\n```\n{}\n```\n\n",
        game.number,
        conditions(game.setting),
        wrapped(&print_moves(game.record.moves(), size))
    )
}

/// Words in lines of at most 100 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        if lines.last().is_some_and(|line| line.len() + word.len() >= 100) {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

/// The page's text, in which every mark has been found.
pub(super) fn read(path: &std::path::Path) -> anyhow::Result<String> {
    let page =
        std::fs::read_to_string(path).with_context(|| format!("cannot read the page {}", path.display()))?;
    for name in MARKS {
        replace(&page, name, "").with_context(|| path.display().to_string())?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_between_the_marks_changes() {
        let page = "a\n<!-- results -->\nold\n<!-- end results -->\nb\n";
        let filled = replace(page, "results", "new\n").unwrap();
        assert_eq!(filled, "a\n<!-- results -->\nnew\n<!-- end results -->\nb\n");
        assert_eq!(replace(&filled, "results", "old\n").unwrap(), page);
        assert!(replace(page, "verdict", "").is_err());
    }

    #[test]
    fn long_lines_are_wrapped_between_moves() {
        let text = "h8 ".repeat(60);
        let wrapped = wrapped(text.trim());
        assert!(wrapped.lines().all(|line| line.len() <= 100));
        assert_eq!(wrapped.replace('\n', " "), text.trim());
    }
}
