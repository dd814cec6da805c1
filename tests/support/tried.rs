//! A board of characters, so to speak: wins, fours, fouls and defences found by placing stones and walking lines.

use halfstone::types::{Cell, Color, Piece, Rule, Size};

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Empty,
    Stone(Color),
    Dead,
}

/// A point as column and row.
pub(crate) type Point = (i32, i32);

/// The pieces of a position.
#[derive(Clone)]
pub(crate) struct Grid {
    n: i32,
    cells: Vec<At>,
}

impl Grid {
    pub(crate) fn new(size: Size, pieces: &[(Cell, Piece)]) -> Grid {
        let n = size.get() as i32;
        let mut grid = Grid { n, cells: vec![At::Empty; size.area()] };
        for &(cell, piece) in pieces {
            let what = match piece {
                Piece::Stone(color) => At::Stone(color),
                Piece::Half | Piece::Blocked => At::Dead,
            };
            grid.put((cell.x() as i32, cell.y() as i32), what);
        }
        grid
    }

    fn put(&mut self, (x, y): Point, what: At) {
        self.cells[(y * self.n + x) as usize] = what;
    }

    /// Off the board is dead.
    fn at(&self, (x, y): Point) -> At {
        if (0..self.n).contains(&x) && (0..self.n).contains(&y) {
            self.cells[(y * self.n + x) as usize]
        } else {
            At::Dead
        }
    }

    pub(crate) fn empties(&self) -> Vec<Point> {
        let points = (0..self.n * self.n).map(|i| (i % self.n, i / self.n));
        points.filter(|&point| self.at(point) == At::Empty).collect()
    }

    /// Looks at the position with one more stone.
    pub(crate) fn with<T>(&mut self, point: Point, color: Color, look: impl FnOnce(&mut Grid) -> T) -> T {
        self.put(point, At::Stone(color));
        let seen = look(self);
        self.put(point, At::Empty);
        seen
    }

    /// The run of `color` through `point`: stones before it, stones after it, and whether both flanks are enemies.
    fn run(&self, (x, y): Point, (dx, dy): Point, color: Color) -> (i32, i32, bool) {
        let walk = |sign: i32| {
            let mut k = 1;
            while self.at((x + sign * k * dx, y + sign * k * dy)) == At::Stone(color) {
                k += 1;
            }
            (k - 1, self.at((x + sign * k * dx, y + sign * k * dy)) == At::Stone(!color))
        };
        let ((before, left), (after, right)) = (walk(-1), walk(1));
        (before, after, left && right)
    }

    fn is_five(&self, rule: Rule, color: Color, point: Point, direction: Point) -> bool {
        let (before, after, enclosed) = self.run(point, direction, color);
        let length = before + 1 + after;
        match (rule, color) {
            (Rule::Standard, _) | (Rule::Renju, Color::Black) => length == 5,
            (Rule::Caro, _) => length > 5 || length == 5 && !enclosed,
            (Rule::CaroFive, _) => length == 5 && !enclosed,
            _ => length >= 5,
        }
    }

    /// Whether a stone of `color` on the empty point would make five.
    pub(crate) fn makes_five(&self, rule: Rule, color: Color, point: Point) -> bool {
        self.at(point) == At::Empty
            && DIRECTIONS.iter().any(|&direction| self.is_five(rule, color, point, direction))
    }

    pub(crate) fn five_points(&self, rule: Rule, color: Color) -> Vec<Point> {
        self.empties().into_iter().filter(|&point| self.makes_five(rule, color, point)).collect()
    }

    /// Whether a stone here gives fives that no single enemy stone stops, in a position without a five point: all
    /// fives then lie on the lines of the stone.
    pub(crate) fn makes_unstoppable_four(&mut self, rule: Rule, color: Color, point: Point) -> bool {
        self.with(point, color, |grid| {
            let mut around = Vec::new();
            for (dx, dy) in DIRECTIONS {
                around.extend((-6..=6).map(|k| ((point.0 + k * dx, point.1 + k * dy), (dx, dy))));
            }
            around.retain(|&(near, _)| grid.at(near) == At::Empty);
            let mut fives = around.clone();
            fives.retain(|&(five, direction)| grid.is_five(rule, color, five, direction));
            // One five is stopped on its own point.
            fives.len() > 1
                && around.iter().all(|&(block, _)| {
                    grid.with(block, !color, |grid| {
                        fives.iter().any(|&(five, direction)| {
                            five != block && grid.is_five(rule, color, five, direction)
                        })
                    })
                })
        })
    }

    /// Points from which five follows whatever the opponent does, fouls included, in a position without a five point.
    pub(crate) fn unstoppable_points(&mut self, rule: Rule, color: Color) -> Vec<Point> {
        let points = self.empties();
        points.into_iter().filter(|&point| self.makes_unstoppable_four(rule, color, point)).collect()
    }

    /// Whether the point is forbidden to `color` under the rule.
    pub(crate) fn is_foul(&mut self, rule: Rule, color: Color, point: Point) -> bool {
        rule == Rule::Renju && color == Color::Black && self.is_renju_foul(point)
    }

    /// The points on which a stone of the other colour leaves `attacker` without a winning four.
    /// `threats` are the [`Grid::unstoppable_points`].
    pub(crate) fn defences(&mut self, rule: Rule, attacker: Color, threats: &[Point]) -> Vec<Point> {
        // Except that white stones decide about fouls from anywhere, a stone off the lines of a threat leaves it be.
        let fouls = rule == Rule::Renju && attacker == Color::Black;
        let out_of_reach = |(x, y): Point, threat: Point| {
            let (dx, dy) = (x - threat.0, y - threat.1);
            dx.abs().max(dy.abs()) > 6 || dx != 0 && dy != 0 && dx.abs() != dy.abs()
        };
        let stops = |grid: &mut Grid, threat: Point| {
            grid.at(threat) != At::Empty
                || !grid.makes_unstoppable_four(rule, attacker, threat)
                || grid.is_foul(rule, attacker, threat)
        };
        self.empties()
            .into_iter()
            .filter(|&point| fouls || !threats.iter().any(|&threat| out_of_reach(point, threat)))
            .filter(|&point| {
                self.with(point, !attacker, |grid| threats.iter().all(|&threat| stops(grid, threat)))
            })
            .collect()
    }

    /// The points on which a stone of the other colour leaves `attacker` without a five.
    pub(crate) fn five_answers(&mut self, rule: Rule, attacker: Color) -> Vec<Point> {
        let fives = self.five_points(rule, attacker);
        let stops = |grid: &mut Grid| fives.iter().all(|&five| !grid.makes_five(rule, attacker, five));
        self.empties().into_iter().filter(|&point| self.with(point, !attacker, stops)).collect()
    }

    /// Whether a black stone here is a foul under renju.
    pub(crate) fn is_renju_foul(&mut self, point: Point) -> bool {
        if self.makes_five(Rule::Renju, Color::Black, point) {
            return false;
        }
        self.with(point, Color::Black, |grid| {
            let lengths = DIRECTIONS.map(|direction| {
                let (before, after, _) = grid.run(point, direction, Color::Black);
                before + 1 + after
            });
            if lengths.iter().any(|&length| length > 5) {
                return true;
            }
            let fours = DIRECTIONS.map(|direction| grid.fours(point, direction));
            if fours.iter().sum::<usize>() >= 2 {
                return true;
            }
            let threes = DIRECTIONS
                .iter()
                .zip(fours)
                .filter(|&(&direction, fours)| fours == 0 && grid.is_three(point, direction));
            threes.count() >= 2
        })
    }

    /// Fours of Black's through the stone on `point` in one line.
    fn fours(&mut self, point: Point, direction: Point) -> usize {
        let fives =
            self.line(point, direction).into_iter().filter(|&five| self.completes(five, point, direction));
        let fives = fives.count();
        if fives == 2 && self.is_row_of_four(point, direction) { 1 } else { fives }
    }

    fn line(&self, (x, y): Point, (dx, dy): Point) -> Vec<Point> {
        let points = (-5..=5).map(|k| (x + k * dx, y + k * dy));
        points.filter(|&near| self.at(near) == At::Empty).collect()
    }

    /// Whether a black stone on `five` makes the run through `point` exactly five.
    fn completes(&self, five: Point, point: Point, direction: Point) -> bool {
        let mut grid = self.clone();
        grid.put(five, At::Stone(Color::Black));
        grid.is_five(Rule::Renju, Color::Black, point, direction)
    }

    fn is_row_of_four(&self, point: Point, direction: Point) -> bool {
        let (before, after, _) = self.run(point, direction, Color::Black);
        before + after == 3
    }

    /// Whether the black stone on `point` is part of a three in this line: a legal move that is no five elsewhere
    /// makes a straight four of it.
    fn is_three(&mut self, point: Point, direction: Point) -> bool {
        self.line(point, direction).into_iter().any(|next| {
            let straight = self.with(next, Color::Black, |grid| {
                grid.is_row_of_four(point, direction)
                    && {
                        let (before, after, _) = grid.run(point, direction, Color::Black);
                        let row = -before..=after;
                        row.map(|k| (point.0 + k * direction.0, point.1 + k * direction.1))
                            .any(|at| at == next)
                    }
                    && grid
                        .line(point, direction)
                        .iter()
                        .filter(|&&five| grid.completes(five, point, direction))
                        .count()
                        == 2
            });
            straight && !self.makes_five(Rule::Renju, Color::Black, next) && !self.is_renju_foul(next)
        })
    }
}
