//! Wins by continuous fours (VCF): every attacker's move threatens five, so the defender's replies are few and exact.
//!
//! A depth-first search over the board's four-making points, nearest to the last stone first, with a table of the
//! positions that failed. The path to a position does not matter, since stones are not taken off and nothing is cut by
//! depth; so a failure is one for good. (But for the half stone in hand, of which only some places are tried.)
//!
//! Where there is much to choose from, a first pass looks only at *linked* sequences, in which every four lies on a
//! line with the one before: most wins are of that kind, and what it leaves out is all the orders in which independent
//! fours can be mixed. Only the second pass, over everything, can say that there is no win. A short search leaves it at
//! the first one: to mix orders with a hundred nodes cost 54 Elo (−78 to −31, 400 games of 6,000 nodes) at the leaves of
//! the search, and searches by threats took half as many nodes again for the same proofs in positions of games, and
//! three times as many on quintet's problem. The idea of threats that
//! leave no choice is Allis's ("Searching for Solutions in Games and Artificial Intelligence", 1994, ch. 5).

use arrayvec::ArrayVec;

use super::failures::Failures;
use super::tree::{Line, Tree};
use crate::board::{Board, CellList};
use crate::control::StopSignal;
use crate::movegen::{half_stone_cells, has_four, straight_four};
use crate::pattern::{LineClass, PointClass};
use crate::types::{Cell, Color, Direction, Move, Rule, Size};

/// Four-making points from which on the pass over linked sequences comes first.
const LINKED_FOURS: u32 = 4;
/// Nodes of that pass. A search with fewer makes no other.
const LINKED_NODES: u64 = 256;
/// Attacker's moves where there is no limit on them.
pub(super) const ANY_LENGTH: u32 = u32::MAX;

/// Where an attacker's move of a found win is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeId(u32);

/// Where a defender's reply in it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ReplyId(u32);

/// An attacker's move of a found win.
#[derive(Clone, Copy, Debug)]
struct Node {
    mv: Move,
    after: After,
}

/// What follows an attacker's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// It makes five.
    Five,
    /// A five, whatever the defender does.
    Unanswerable,
    /// A reply, the first one in a list of them. All others lose to a five.
    Replies(ReplyId),
}

/// A defender's reply.
#[derive(Clone, Copy, Debug)]
struct Reply {
    mv: Move,
    /// The attacker's answer.
    then: NodeId,
    /// The next listed reply to the same move.
    next: Option<ReplyId>,
}

/// What a search by fours came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A win, kept until the next search.
    Win,
    /// There is none.
    No,
    /// The nodes ran out.
    Clipped,
}

/// As [`Found`], for a position inside the search: with the winning move, or with what follows the one just made.
enum Attempt<T> {
    Win(T),
    No,
    Clipped,
}

/// The solver of wins by fours: its table of failures, and the win that it found last.
#[derive(Debug)]
pub(super) struct Fours {
    /// Ends a search as running out of nodes does.
    pub(super) stop: StopSignal,
    failures: Failures,
    nodes: Vec<Node>,
    replies: Vec<Reply>,
    /// The winning move of the last search.
    root: Option<NodeId>,
    nodes_left: u64,
    searched: u64,
    /// Whether this is the pass over linked sequences.
    linked: bool,
}

/// Points in the order in which they are tried: the rank in the high bits, the index of the cell in the low ones.
type Candidates = ArrayVec<u32, { Size::MAX.area() }>;
/// The stop signal is looked at once in this many positions: about every millisecond.
const POLL_NODES: u64 = 1_024;
/// Bits of a cell's index.
const CELL_BITS: u32 = 10;

impl Fours {
    pub(super) fn new(bytes: usize) -> Fours {
        Fours {
            stop: StopSignal::default(),
            failures: Failures::new(bytes),
            nodes: Vec::with_capacity(64),
            replies: Vec::with_capacity(64),
            root: None,
            nodes_left: 0,
            searched: 0,
            linked: false,
        }
    }

    pub(super) fn clear(&mut self) {
        self.failures.clear();
    }

    /// Positions looked at since the solver was made.
    pub(super) fn searched(&self) -> u64 {
        self.searched
    }

    /// Whether the side to move wins by fours, with at most `length` moves of its own, the five included.
    pub(super) fn search(&mut self, board: &mut Board, length: u32, nodes: u64) -> Found {
        self.nodes.clear();
        self.replies.clear();
        self.root = None;
        self.nodes_left = nodes;
        self.linked = has_much_choice(board);
        let mut result = Attempt::No;
        if self.linked {
            self.nodes_left = nodes.min(LINKED_NODES);
            result = self.attack(board, None, length);
            self.nodes_left = match nodes.checked_sub(LINKED_NODES) {
                Some(rest) => self.nodes_left + rest,
                None => 0,
            };
            self.linked = false;
        }
        if !matches!(result, Attempt::Win(_)) {
            self.nodes.clear();
            self.replies.clear();
            let last = own_last_move(board);
            result = self.attack(board, last, length);
        }
        match result {
            Attempt::Win(root) => {
                self.root = Some(root);
                Found::Win
            }
            Attempt::No => Found::No,
            Attempt::Clipped => Found::Clipped,
        }
    }

    /// The first move of the win that was found last.
    pub(super) fn first_move(&self) -> Option<Move> {
        self.node(self.root?).map(|node| node.mv)
    }

    fn node(&self, id: NodeId) -> Option<Node> {
        self.nodes.get(id.0 as usize).copied()
    }

    /// The attacker to move.
    fn attack(&mut self, board: &mut Board, last: Option<Cell>, length: u32) -> Attempt<NodeId> {
        let us = board.side_to_move();
        let awake = !board.is_dormant(us);
        if length == 0 {
            return Attempt::No;
        }
        if awake && let Some(five) = board.first(us, PointClass::Five) {
            return Attempt::Win(self.won(Move::stone(five), After::Five));
        }
        if length == 1 {
            return Attempt::No;
        }
        let pressed = !board.is_dormant(!us) && board.count(!us, PointClass::Five) > 0;
        if !pressed
            && awake
            && let Some(cell) = straight_four(board, us)
        {
            return Attempt::Win(self.won(Move::stone(cell), After::Unanswerable));
        }
        if nothing_to_try(board, us, awake) {
            return Attempt::No;
        }
        let key = self.key(board, last, length);
        if self.failures.contains(key) {
            return Attempt::No;
        }
        let Some(left) = self.nodes_left.checked_sub(1) else { return Attempt::Clipped };
        self.nodes_left = left;
        self.searched += 1;
        if self.searched.is_multiple_of(POLL_NODES) && self.stop.is_raised() {
            self.nodes_left = 0;
            return Attempt::Clipped;
        }
        let mut clipped = false;
        let link = last.filter(|_| self.linked && awake && !pressed);
        for candidate in candidates(board, last, pressed, link) {
            let Some(cell) = cell_of(candidate) else { continue };
            let mv = if awake { Move::stone(cell) } else { Move::half(cell) };
            let (nodes, replies) = (self.nodes.len(), self.replies.len());
            if awake && (is_foul(board, us, cell) || !pressed && self.is_dead_end(board, cell)) {
                continue;
            }
            board.make_light(mv);
            let result = self.defend(board, mv, length - 1);
            board.undo();
            match result {
                Attempt::Win(after) => return Attempt::Win(self.won(mv, after)),
                Attempt::No => {}
                Attempt::Clipped => clipped = true,
            }
            self.nodes.truncate(nodes);
            self.replies.truncate(replies);
            if clipped && self.nodes_left == 0 {
                break;
            }
        }
        if clipped {
            return Attempt::Clipped;
        }
        self.failures.insert(key);
        Attempt::No
    }

    /// The key of a failure: the position, its rule and size, how many moves were allowed, and in the pass over linked
    /// sequences the stone to go on from.
    #[inline]
    fn key(&self, board: &Board, last: Option<Cell>, length: u32) -> u64 {
        let length = if length == ANY_LENGTH { 0 } else { u64::from(length) };
        let link = if self.linked { 1 + last.map_or(0, Cell::index) as u64 } else { 0 };
        board.hash() ^ salt(board) ^ (length << 16 | link).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn won(&mut self, mv: Move, after: After) -> NodeId {
        self.nodes.push(Node { mv, after });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// The defender to move, facing a five.
    fn defend(&mut self, board: &mut Board, four: Move, length: u32) -> Attempt<After> {
        let them = board.side_to_move();
        let us = !them;
        let holds_half = board.is_dormant(them);
        if !holds_half && board.count(them, PointClass::Five) > 0 {
            return Attempt::No;
        }
        let answers = match (board.count(us, PointClass::Five), board.rule()) {
            (0, _) => return Attempt::No,
            (_, Rule::Caro | Rule::CaroFive) => board.five_answers(us).unwrap_or_default(),
            (1, _) => board.first(us, PointClass::Five).into_iter().collect::<CellList>(),
            _ => return Attempt::Win(After::Unanswerable),
        };
        let mut first = None;
        for answer in answers {
            let stone = (!is_foul(board, them, answer)).then_some(Move::stone(answer));
            let half = holds_half.then_some(Move::half(answer));
            for mv in [stone, half].into_iter().flatten() {
                if four.cell().is_some_and(|four| !self.goes_on(board, four, answer)) {
                    return Attempt::No;
                }
                let result = if let Some(straight) = straight_four_after(board, answer, length) {
                    Attempt::Win(self.won(straight, After::Unanswerable))
                } else {
                    board.make_light(mv);
                    let result = self.attack(board, four.cell(), length);
                    board.undo();
                    result
                };
                match result {
                    Attempt::Win(then) => {
                        self.replies.push(Reply { mv, then, next: first });
                        first = Some(ReplyId(self.replies.len() as u32 - 1));
                    }
                    Attempt::No => return Attempt::No,
                    Attempt::Clipped => return Attempt::Clipped,
                }
            }
        }
        Attempt::Win(first.map_or(After::Unanswerable, After::Replies))
    }

    /// Whether nothing can follow the four on `cell`, judged before it is made.
    ///
    /// A four alone on its line opens no others: what goes on from there must be a four already, or come about on the
    /// same line. (Points are left alone where the answer might be a foul; and under caro, where it is not the only
    /// one.)
    fn is_dead_end(&self, board: &Board, cell: Cell) -> bool {
        let us = board.side_to_move();
        let mut direction = None;
        for d in Direction::ALL {
            match board.line_class(us, cell, d) {
                LineClass::C4 if direction.is_none() => direction = Some(d),
                class if class < LineClass::C3 => {}
                _ => return false,
            }
        }
        if matches!(board.rule(), Rule::Caro | Rule::CaroFive) {
            return false;
        }
        let Some(after) = direction.and_then(|d| board.after_four(us, cell, d)) else { return false };
        let might_be_foul =
            board.rule() == Rule::Renju && us == Color::White && board.foul_suspect(after.answer);
        !after.again && !might_be_foul && !self.goes_on(board, cell, after.answer)
    }

    /// Whether the attack can go on after the defender's answer to a four, judged before it is made: the answer adds no
    /// four to the attacker's, so one of those that are there now has to do. (Under renju a white answer can turn what
    /// was two fours on one line, a foul, into a single one. But the outer gap of such a line makes a four alone, and is
    /// among those that are there.)
    fn goes_on(&self, board: &Board, four: Cell, answer: Cell) -> bool {
        use PointClass::WinFour;
        let us = if board.is_empty(four) { board.side_to_move() } else { !board.side_to_move() };
        let is_counter = board.class(!us, answer).is_four();
        let is_free = !self.linked || is_counter;
        let useful = |cell: Cell, class: PointClass| {
            (class == WinFour || is_free || is_linked(four, cell))
                && cell != four
                && board.keeps_four(us, cell, answer)
        };
        PointClass::FOURS
            .into_iter()
            .any(|class| board.count(us, class) > 0 && board.cells(us, class).any(|cell| useful(cell, class)))
    }

    /// Writes the win that was found last into a tree.
    pub(super) fn write(&self, tree: &mut Tree, depth: usize) {
        self.root.iter().for_each(|&root| self.write_node(tree, depth, root));
    }

    fn write_node(&self, tree: &mut Tree, depth: usize, node: NodeId) {
        let Some(node) = self.node(node) else { return };
        tree.push(depth, node.mv);
        for reply in self.replies_to(node) {
            tree.push(depth + 1, reply.mv);
            self.write_node(tree, depth + 2, reply.then);
        }
    }

    /// Adds the longest variation of the win that was found last to a line.
    pub(super) fn write_line(&self, line: &mut Line) {
        let mut at = self.root;
        while let Some(node) = at.and_then(|at| self.node(at)) {
            line.push(node.mv);
            let mut longest: Option<(u32, Reply)> = None;
            for reply in self.replies_to(node) {
                let length = self.length_of(reply.then);
                if longest.is_none_or(|(most, _)| length > most) {
                    longest = Some((length, reply));
                }
            }
            let Some((_, reply)) = longest else { break };
            line.push(reply.mv);
            at = Some(reply.then);
        }
    }

    fn replies_to(&self, node: Node) -> impl Iterator<Item = Reply> + '_ {
        let at = |id: ReplyId| self.replies.get(id.0 as usize).copied();
        let first = if let After::Replies(first) = node.after { at(first) } else { None };
        std::iter::successors(first, move |reply| reply.next.and_then(at))
    }

    /// Calls `see` in the position before each attacker's move of the win that was found last, and then with `true`
    /// in the position after it. `replied` hears of every listed reply.
    pub(super) fn walk(
        &self,
        board: &mut Board,
        see: &mut dyn FnMut(&mut Board, Move, bool),
        replied: &mut dyn FnMut(Move),
    ) {
        if let Some(root) = self.root {
            self.walk_node(board, root, see, replied);
        }
    }

    fn walk_node(
        &self,
        board: &mut Board,
        node: NodeId,
        see: &mut dyn FnMut(&mut Board, Move, bool),
        replied: &mut dyn FnMut(Move),
    ) {
        let Some(node) = self.node(node) else { return };
        see(board, node.mv, false);
        board.make_light(node.mv);
        see(board, node.mv, true);
        for reply in self.replies_to(node) {
            replied(reply.mv);
            board.make_light(reply.mv);
            self.walk_node(board, reply.then, see, replied);
            board.undo();
        }
        board.undo();
    }

    /// The most attacker's moves that the win found last can take, the five included.
    pub(super) fn length(&self) -> u32 {
        self.root.map_or(0, |root| self.length_of(root))
    }

    /// Moves of the win found last, over all its branches.
    pub(super) fn size(&self) -> u64 {
        // What fails is taken off both lists.
        self.nodes.len() as u64 + self.replies.len() as u64
    }

    fn length_of(&self, node: NodeId) -> u32 {
        let Some(node) = self.node(node) else { return 0 };
        let replies = self.replies_to(node).map(|reply| self.length_of(reply.then)).max();
        if node.after == After::Five { 1 } else { 1 + replies.unwrap_or(1) }
    }
}

/// What tells apart equal stones under different rules and on different sizes.
#[inline]
pub(super) fn salt(board: &Board) -> u64 {
    (board.rule().index() as u64 * 64 + board.size().get() as u64).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Whether a stone of the defender loses at once, so that it is no answer.
#[inline]
pub(super) fn is_foul(board: &Board, color: Color, cell: Cell) -> bool {
    color == Color::Black && board.is_forbidden(cell)
}

/// A straight four that the attacker can make after the answer to a four, told before that is made. He needs two moves
/// for five.
fn straight_four_after(board: &Board, answer: Cell, length: u32) -> Option<Move> {
    let them = board.side_to_move();
    let us = !them;
    // A white answer can change what is a foul, and a counter-four or the half stone what is to be done.
    let is_plain = board.rule() != Rule::Renju || us == Color::White;
    if length < 2
        || board.count(us, PointClass::WinFour) == 0
        || board.class(them, answer).is_four()
        || !is_plain
        || board.is_dormant(them)
    {
        return None;
    }
    board
        .cells(us, PointClass::WinFour)
        .find(|&cell| board.keeps_straight_four(us, cell, answer))
        .map(Move::stone)
}

/// Without a four to make, or a dormant one to wake, there is no attack.
fn nothing_to_try(board: &Board, us: Color, awake: bool) -> bool {
    if awake { !has_four(board, us) } else { board.count(us, PointClass::Five) == 0 }
}

/// The attacker's stone nearest in time: where a search at the root begins to look.
fn own_last_move(board: &Board) -> Option<Cell> {
    board.moves().rev().nth(1).and_then(Move::cell)
}

/// The points to try, best first: where the half stone is to be placed, or fours. While a five threatens, only those
/// that stop it. With a `link` only points that can be part of a five with it.
fn candidates(board: &Board, last: Option<Cell>, pressed: bool, link: Option<Cell>) -> Candidates {
    use PointClass::{Four, FourPlus, FourThree, WinFour};
    let us = board.side_to_move();
    let mut list = Candidates::new();
    let mut push = |penalty: u32, cell: Cell| {
        let rank = penalty + last.map_or(0, |last| distance(last, cell));
        if link.is_none_or(|last| is_linked(last, cell)) {
            let _ = list.try_push(rank << CELL_BITS | cell.index() as u32);
        }
    };
    let answers = if pressed { board.five_answers(!us) } else { None };
    match (board.is_dormant(us), answers) {
        (true, Some(cells)) => cells.into_iter().for_each(|cell| push(0, cell)),
        (true, None) => {
            // First where it holds a straight four of White's too.
            let holding = board.defences(!us).unwrap_or_default();
            let useful = half_stone_cells(board).into_iter().filter(|cell| !holding.contains(cell));
            for (place, cell) in holding.iter().copied().chain(useful).enumerate() {
                push(64 * place as u32, cell);
            }
        }
        (false, Some(cells)) => {
            cells.into_iter().filter(|&cell| board.class(us, cell).is_four()).for_each(|cell| push(0, cell));
        }
        (false, None) => {
            for (class, penalty) in [(WinFour, 0), (FourThree, 2), (FourPlus, 8), (Four, 8)] {
                if board.count(us, class) > 0 {
                    board.cells(us, class).for_each(|cell| push(penalty, cell));
                }
            }
        }
    }
    list.sort_unstable();
    list
}

fn cell_of(candidate: u32) -> Option<Cell> {
    Cell::from_index((candidate & ((1 << CELL_BITS) - 1)) as usize)
}

/// Whether there are so many fours to begin with that mixing their orders could take long.
fn has_much_choice(board: &Board) -> bool {
    let us = board.side_to_move();
    let fours = PointClass::FOURS.into_iter().map(|class| board.count(us, class));
    fours.sum::<u32>() >= LINKED_FOURS
}

/// Whether two stones can be part of one five.
fn is_linked(a: Cell, b: Cell) -> bool {
    let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
    (dx == 0 || dy == 0 || dx == dy) && dx.max(dy) <= 4
}

/// Steps of a king from one cell to the other.
fn distance(a: Cell, b: Cell) -> u32 {
    (a.x().abs_diff(b.x())).max(a.y().abs_diff(b.y())) as u32
}
