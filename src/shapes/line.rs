//! The shapes of one line through a stone.

use crate::pattern::{Flank, LineJudge, Verdict};
use crate::types::Cell;

/// What a shape is, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Exactly five in an unbroken row.
    Five,
    /// Six and more in an unbroken row.
    Overline,
    /// A four with two points that make five, of which the opponent can take one.
    StraightFour,
    /// A four with one point that makes five.
    ClosedFour,
    /// A three that one more stone makes a straight four.
    LiveThree,
    /// A three that one more stone makes a closed four.
    ClosedThree,
    /// A two that one more stone makes a live three.
    LiveTwo,
    /// A two that one more stone makes a closed three.
    ClosedTwo,
    /// A four that cannot become five.
    DeadFour,
    /// A three that cannot become five.
    DeadThree,
    /// A two that cannot become five.
    DeadTwo,
}

/// A shape on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What it is.
    pub kind: Kind,
    /// Its stones, in the order of the line.
    pub stones: Vec<Cell>,
    /// The points where one more stone makes it what its kind promises: five for a four, a straight four for a live
    /// three, a four for a closed three, and so on. Empty for rows of five and more and for dead shapes.
    pub next: Vec<Cell>,
    /// Whether it is a row that wins under the rule.
    pub wins: bool,
}

impl Shape {
    /// Points between the first and the last stone that hold none of the shape's stones.
    pub fn gaps(&self) -> usize {
        let (Some(first), Some(last)) = (self.stones.first(), self.stones.last()) else { return 0 };
        let steps = first.x().abs_diff(last.x()).max(first.y().abs_diff(last.y()));
        (steps + 1).saturating_sub(self.stones.len())
    }
}

/// A point of the line as the owner of the stone sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Own,
    Enemy,
    Empty,
    /// The half stone or a blocked point.
    Dead,
}

/// A whole line of the board from edge to edge.
pub(super) struct Line {
    pub(super) cells: Vec<Cell>,
    pub(super) marks: Vec<Mark>,
    /// Place of the stone that has just been played.
    pub(super) at: usize,
    pub(super) judge: LineJudge,
}

/// Five successive points that hold the stone.
struct Window {
    stones: Vec<usize>,
    empty: Vec<usize>,
    /// Filled up with own stones it wins.
    completes: bool,
}

/// Stones that belong together, with the places that lead one step up.
struct Group {
    stones: Vec<usize>,
    next: Vec<usize>,
}

impl Group {
    /// Orders shapes of one kind: the closest stones first, then the leftmost.
    fn order(&self) -> (usize, usize) {
        let (first, last) = (self.stones.first().copied(), self.stones.last().copied());
        (last.unwrap_or(0) - first.unwrap_or(0), first.unwrap_or(0))
    }
}

impl Line {
    /// The strongest shape that holds the stone; two fours if there are two in this line; nothing for a lone stone.
    ///
    /// `may_play` says whether a stone may follow on the last of these cells once the others hold own stones.
    pub(super) fn shapes(&self, may_play: &dyn Fn(&[Cell]) -> bool) -> Vec<Shape> {
        let row = self.row(&self.marks, self.at);
        if row.len() >= 5 {
            let kind = if row.len() == 5 { Kind::Five } else { Kind::Overline };
            let wins = self.wins(&self.marks, self.at);
            return vec![Shape { kind, stones: self.named(row), next: Vec::new(), wins }];
        }
        let windows = self.windows();
        let fours = self.fours(&windows);
        if !fours.is_empty() {
            return fours;
        }
        let found = self
            .live(&windows, 3, may_play)
            .or_else(|| self.closed(&windows, 3))
            .or_else(|| self.live(&windows, 2, may_play))
            .or_else(|| self.closed(&windows, 2))
            .or_else(|| self.dead(&windows));
        found.into_iter().collect()
    }

    /// Places of the unbroken row of own stones that `place` belongs to.
    fn row(&self, marks: &[Mark], place: usize) -> std::ops::Range<usize> {
        let own = |i: &usize| marks.get(*i) == Some(&Mark::Own);
        let start = (0..place).rev().take_while(own).last().unwrap_or(place);
        let end = (place..marks.len()).take_while(own).last().map_or(place, |last| last + 1);
        start..end
    }

    /// Whether the row through `place` wins.
    fn wins(&self, marks: &[Mark], place: usize) -> bool {
        let row = self.row(marks, place);
        let flank = |place: Option<usize>| match place.and_then(|place| marks.get(place)) {
            Some(Mark::Empty) => Flank::Empty,
            Some(Mark::Enemy) => Flank::Enemy,
            Some(Mark::Own | Mark::Dead) | None => Flank::Wall,
        };
        let (left, right) = (flank(row.start.checked_sub(1)), flank(Some(row.end)));
        self.judge.judge(row.len(), left, right) == Verdict::Win
    }

    /// The marks with `mark` on these places.
    fn with(&self, places: &[usize], mark: Mark) -> Vec<Mark> {
        let mut marks = self.marks.clone();
        places.iter().for_each(|&place| marks[place] = mark);
        marks
    }

    /// All rows of five points on the board that hold the stone.
    fn windows(&self) -> Vec<Window> {
        let starts = self.at.saturating_sub(4)..=self.at;
        let inside = starts.filter(|start| start + 5 <= self.marks.len());
        let window = |start: usize| {
            let of = |mark: Mark| -> Vec<usize> {
                (start..start + 5).filter(|&place| self.marks[place] == mark).collect()
            };
            let (stones, empty) = (of(Mark::Own), of(Mark::Empty));
            let open = stones.len() + empty.len() == 5;
            let completes = open && self.wins(&self.with(&empty, Mark::Own), start);
            Window { stones, empty, completes }
        };
        inside.map(window).collect()
    }

    /// The straight four, or the closed fours, one for each point that makes five.
    fn fours(&self, windows: &[Window]) -> Vec<Shape> {
        let mut fours = groups(windows.iter().filter(|w| w.stones.len() == 4 && w.completes), |w| &w.empty);
        if let Some(four) = fours.iter().find(|four| self.is_straight(&four.stones, &self.marks)) {
            return vec![self.shape(Kind::StraightFour, four)];
        }
        let mut points: Vec<usize> = Vec::new();
        fours.retain(|four| {
            let new = four.next.iter().any(|point| !points.contains(point));
            points.extend(&four.next);
            new
        });
        fours.sort_by_key(|four| four.stones.first().copied());
        fours.iter().map(|four| self.shape(Kind::ClosedFour, four)).collect()
    }

    /// Whether four places are a straight four when `marks` lie on the line: an unbroken row that both ends make
    /// five, either of them even if the opponent has taken the other.
    fn is_straight(&self, four: &[usize], marks: &[Mark]) -> bool {
        let &[first, _, _, last] = four else { return false };
        let (Some(left), right) = (first.checked_sub(1), last + 1) else { return false };
        let free = |place: usize| marks.get(place) == Some(&Mark::Empty);
        if last - first != 3 || !free(left) || !free(right) {
            return false;
        }
        let completes = |end: usize, other: usize, taken: Mark| {
            let mut marks = marks.to_vec();
            marks[end] = Mark::Own;
            marks[other] = taken;
            self.wins(&marks, end)
        };
        [Mark::Empty, Mark::Enemy]
            .into_iter()
            .all(|taken| completes(left, right, taken) && completes(right, left, taken))
    }

    /// The live three or two.
    fn live(&self, windows: &[Window], count: usize, may_play: &dyn Fn(&[Cell]) -> bool) -> Option<Shape> {
        let kind = if count == 3 { Kind::LiveThree } else { Kind::LiveTwo };
        let mut found: Vec<Group> = Vec::new();
        for window in windows.iter().filter(|w| w.stones.len() == count && w.completes) {
            for order in orders(&window.empty, 4 - count) {
                let mut four = [window.stones.as_slice(), &order].concat();
                four.sort_unstable();
                let legal = |made: usize| may_play(&self.cells_of(&order[..made]));
                if self.is_straight(&four, &self.with(&order, Mark::Own)) && (1..=order.len()).all(legal) {
                    add(&mut found, &window.stones, &order[..1]);
                }
            }
        }
        best(found).map(|group| self.shape(kind, &group))
    }

    /// The closed three or two.
    fn closed(&self, windows: &[Window], count: usize) -> Option<Shape> {
        let kind = if count == 3 { Kind::ClosedThree } else { Kind::ClosedTwo };
        let found = groups(windows.iter().filter(|w| w.stones.len() == count && w.completes), |w| &w.empty);
        best(found).map(|group| self.shape(kind, &group))
    }

    /// The dead shape with the most stones.
    fn dead(&self, windows: &[Window]) -> Option<Shape> {
        [(4, Kind::DeadFour), (3, Kind::DeadThree), (2, Kind::DeadTwo)].into_iter().find_map(
            |(count, kind)| {
                let found = groups(windows.iter().filter(|w| w.stones.len() == count), |_| &[]);
                best(found).map(|group| self.shape(kind, &group))
            },
        )
    }

    fn shape(&self, kind: Kind, group: &Group) -> Shape {
        let (stones, next) = (self.cells_of(&group.stones), self.cells_of(&group.next));
        Shape { kind, stones, next, wins: false }
    }

    fn named(&self, places: impl IntoIterator<Item = usize>) -> Vec<Cell> {
        places.into_iter().map(|place| self.cells[place]).collect()
    }

    fn cells_of(&self, places: &[usize]) -> Vec<Cell> {
        self.named(places.iter().copied())
    }
}

/// Windows with the same stones, put together.
fn groups<'a>(windows: impl Iterator<Item = &'a Window>, next: fn(&Window) -> &[usize]) -> Vec<Group> {
    let mut found = Vec::new();
    windows.for_each(|window| add(&mut found, &window.stones, next(window)));
    found.sort_by_key(Group::order);
    found
}

fn add(found: &mut Vec<Group>, stones: &[usize], next: &[usize]) {
    let known = found.iter().position(|group| group.stones == stones);
    let index = known.unwrap_or_else(|| {
        found.push(Group { stones: stones.to_vec(), next: Vec::new() });
        found.len() - 1
    });
    let all = &mut found[index].next;
    all.extend(next);
    all.sort_unstable();
    all.dedup();
}

fn best(found: Vec<Group>) -> Option<Group> {
    found.into_iter().min_by_key(Group::order)
}

/// Every way to pick `count` of the places one after the other.
fn orders(places: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in orders(places, count - 1) {
        for &place in places.iter().filter(|place| !shorter.contains(place)) {
            all.push([shorter.as_slice(), &[place]].concat());
        }
    }
    all
}
