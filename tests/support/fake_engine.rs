//! An engine that plays along a row and misbehaves on order: what the match runner is tested with.
//!
//! Each argument is one disorder, `KIND` or `KIND:MOVE` with the number of its own move at which it shows (1 if none
//! is given): `crash hang flood babble text off-board occupied late trailing two-lines half partial hog grandchild` at a
//! move, `stderr banner no-ok slow-ok error-start lower-ok deaf-end dirty-exit last-word draw` at any time; `second`
//! takes one for every move. `swap`, `stay` and `two` choose the answer to three stones, `keep` the answer to five.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::Duration;

struct Engine {
    orders: Vec<(String, usize)>,
    size: usize,
    taken: HashSet<(usize, usize)>,
    row: Option<usize>,
    moves: usize,
    hoard: Vec<Vec<u8>>,
}

fn main() {
    let orders = std::env::args().skip(1).map(|order| match order.split_once(':') {
        Some((kind, at)) => (kind.to_owned(), at.parse().unwrap()),
        None => (order, 1),
    });
    let mut engine = Engine {
        orders: orders.collect(),
        size: 15,
        taken: HashSet::new(),
        row: None,
        moves: 0,
        hoard: Vec::new(),
    };
    if engine.has("banner") {
        say("Fake engine, welcome");
    }
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let mut words = line.split_whitespace();
        match (words.next().unwrap_or(""), words.next().unwrap_or("")) {
            ("START", size) => engine.start(size),
            ("BEGIN", _) => engine.play(2),
            ("TURN" | "HALF", at) => {
                engine.taken.insert(point(at));
                engine.play(7);
            }
            ("BOARD", _) => {
                let block: Vec<String> = lines.by_ref().take_while(|line| line.trim() != "DONE").collect();
                engine.taken = block.iter().map(|line| point(line)).collect();
                let row = if engine.taken.len().is_multiple_of(2) { 2 } else { 7 };
                engine.play(row);
            }
            ("SWAP2BOARD", _) => {
                engine.swap2(lines.by_ref().take_while(|line| line.trim() != "DONE").count());
            }
            ("ABOUT", _) => say("name=\"fake\", version=\"1\", author=\"nobody\", country=\"\""),
            ("END", _) if engine.has("deaf-end") => {}
            ("END", _) if engine.has("last-word") => {
                say("MESSAGE good bye");
                say("7,7");
                exit(0);
            }
            ("END", _) => exit(if engine.has("dirty-exit") { 3 } else { 0 }),
            _ => {}
        }
    }
    if engine.has("deaf-end") {
        sleep(Duration::from_secs(600));
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(format!("{text}\n").as_bytes()).and_then(|()| out.flush());
}

fn point(text: &str) -> (usize, usize) {
    let mut parts = text.split(',').map(|part| part.trim().parse().unwrap());
    (parts.next().unwrap(), parts.next().unwrap())
}

impl Engine {
    fn has(&self, kind: &str) -> bool {
        self.orders.iter().any(|(order, _)| order == kind)
    }

    /// Whether this disorder is due at this move.
    fn due(&self, kind: &str) -> bool {
        self.orders.iter().any(|(order, at)| order == kind && *at == self.moves)
    }

    fn start(&mut self, size: &str) {
        self.size = size.parse().unwrap();
        self.taken.clear();
        if self.has("no-ok") {
            return;
        }
        if self.has("slow-ok") {
            sleep(Duration::from_millis(400));
        }
        match () {
            () if self.has("error-start") => say("ERROR unsupported size"),
            () if self.has("lower-ok") => say("ok"),
            () => say("OK"),
        }
    }

    /// The first empty point from its row on; `draw` leaves gaps, so that no five comes about.
    fn choose(&self, row: usize) -> (usize, usize) {
        let gaps = self.has("draw");
        let cells = (0..self.size * self.size).map(|i| (i % self.size, (row + i / self.size) % self.size));
        let free: Vec<_> = cells.filter(|cell| !self.taken.contains(cell)).collect();
        free.iter().find(|(x, y)| !gaps || (x + 2 * y) % 5 < 2).or(free.first()).copied().unwrap_or((0, 0))
    }

    fn play(&mut self, row: usize) {
        self.moves += 1;
        let row = *self.row.get_or_insert(row);
        if self.has("stderr") {
            eprintln!("thinking about move {}", self.moves);
        }
        if self.due("crash") {
            eprintln!("assertion failed: the sky is up");
            exit(9);
        }
        if self.due("hang") {
            sleep(Duration::from_secs(600));
        }
        while self.due("flood") {
            say("MESSAGE and so on and so on and so on and so on and so on");
        }
        if self.due("late") {
            sleep(Duration::from_millis(1200));
        }
        if self.due("hog") {
            self.hoard.push(vec![1; 48 << 20]);
        }
        if self.due("grandchild") {
            // It holds the pipes open when its parent is gone.
            let _ = Command::new("sleep").arg("600").spawn();
            exit(9);
        }
        let (x, y) = self.choose(row);
        match () {
            () if self.due("text") => return say("I resign"),
            () if self.due("off-board") => return say(&format!("{},0", self.size)),
            () if self.due("occupied") => {
                let &(x, y) = self.taken.iter().next().unwrap_or(&(x, y));
                return say(&format!("{x},{y}"));
            }
            () if self.due("half") => return say(&format!("HALF {x},{y}")),
            () if self.due("partial") => {
                print!("{x},{y}");
                let _ = io::stdout().flush();
                sleep(Duration::from_secs(600));
            }
            () => {}
        }
        self.taken.insert((x, y));
        say("MESSAGE depth 3-5 ev -9000 n 2K pv 7,7");
        let end = if self.has("trailing") { " " } else { "" };
        let more = if self.due("two-lines") { "\n0,0" } else { "" };
        if self.has("second") {
            sleep(Duration::from_secs(1));
        }
        say(&format!("{x},{y}{end}{more}"));
        if self.due("babble") {
            sleep(Duration::from_millis(30));
            loop {
                say("MESSAGE and so on and so on and so on and so on and so on");
            }
        }
    }

    fn swap2(&self, stones: usize) {
        match stones {
            0 => say("7,7 8,8 9,7"),
            3 if self.has("swap") => say("SWAP"),
            3 if self.has("two") => say("0,0 14,14"),
            5 if self.has("keep") => say("SWAP"),
            _ => say("1,13"),
        }
    }
}
