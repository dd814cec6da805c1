//! The Yixin-Board dialect: analysis, queries, and what is accepted without effect.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use crate::engine::{Engine, FileTask, TableFileError, Task};
use crate::types::{Cell, Color, INFINITE, Rule, Score, Size};
use crate::wire::{BlockKind, Follows, Reply, Unsupported, parse_block_part};

use super::blocks::Block;
use super::game::cell_at;
use super::queue::Event;
use super::session::{Handled, Session};
use super::think::Purpose;

/// The most lines of play that `YXNBEST` searches.
const LINES_LIMIT: usize = 225;
/// The most paths that are ruled out at the same time.
const PATHS_LIMIT: usize = 1_000;

/// Lines that belong to an earlier command and are swallowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// None.
    Nothing,
    /// Points, up to `DONE`; or up to the first other line, since some managers leave `DONE` out.
    Points,
    /// A file name: exactly one line. Without a task the command is not supported.
    File(Option<FileTask>),
}

impl Tail {
    /// Whether this line belongs to the earlier command.
    pub(super) fn takes(&mut self, text: &str) -> bool {
        match std::mem::replace(self, Tail::Nothing) {
            Tail::Nothing => false,
            Tail::File(_) => true,
            Tail::Points => {
                let part = [BlockKind::YxBoard, BlockKind::Swap2Board]
                    .into_iter()
                    .map(|kind| parse_block_part(kind, text))
                    .find(|part| part.error.is_none());
                if part.as_ref().is_some_and(|part| !part.done) {
                    *self = Tail::Points;
                }
                part.is_some()
            }
        }
    }
}

impl<W: Write> Session<W> {
    /// `YXSHOWINFO`.
    pub(super) fn show_info(&mut self) -> Handled {
        self.options.yixin = true;
        self.out.send(&Reply::Message(format!("INFO MAX_THREAD_NUM {}", Engine::max_threads())));
        // The base-two logarithm of the largest table in KiB.
        let largest = (Engine::most_table_bytes() >> 10).max(1).ilog2();
        Ok(Some(Reply::Message(format!("INFO MAX_HASH_SIZE {largest}"))))
    }

    /// `YXSHOWFORBID`: only Black, on the move in renju, has forbidden points.
    pub(super) fn show_forbid(&mut self) -> Handled {
        let game = self.current()?;
        // The rule may have changed since the stones were put there.
        self.status(&game)?;
        let points = if game.rule() == Rule::Renju && game.side_to_move() == Color::Black {
            self.engine.forbidden(&game)
        } else {
            Vec::new()
        };
        Ok(Some(Reply::Forbid(points)))
    }

    /// `YXNBEST`: zero lines and fewer mean one.
    pub(super) fn n_best(&mut self, lines: i64, arrived: Instant) -> Handled {
        let game = self.current()?;
        self.require_ongoing(&game)?;
        let lines = usize::try_from(lines).unwrap_or(0).clamp(1, LINES_LIMIT);
        self.think(&game, &Task::BestMove { lines }, Purpose::Analysis, arrived);
        self.game = Some(game);
        Ok(None)
    }

    /// `YXBALANCEONE` and `YXBALANCETWO`.
    pub(super) fn balance(&mut self, score: i64, two: bool, arrived: Instant) -> Handled {
        let game = self.current()?;
        self.require_ongoing(&game)?;
        let limit = i64::from(INFINITE);
        let score = Score::try_from(score.clamp(-limit, limit)).unwrap_or(0);
        let task = if two { Task::BalanceTwo(score) } else { Task::BalanceOne(score) };
        self.think(&game, &task, Purpose::Points, arrived);
        Ok(None)
    }

    /// `YXSEARCHDEFEND`: the move is played, as that of `YXNBEST` is.
    pub(super) fn search_defend(&mut self, arrived: Instant) -> Handled {
        let game = self.current()?;
        self.require_ongoing(&game)?;
        self.think(&game, &Task::Defend, Purpose::Analysis, arrived);
        self.game = Some(game);
        Ok(None)
    }

    /// `YXSHOWHASHUSAGE`.
    pub(super) fn hash_usage(&mut self) -> Handled {
        let (permille, kib) = (self.engine.table_permille(), self.engine.table_bytes() >> 10);
        Ok(Some(Reply::Message(format!("hash usage {}.{}% of {kib} KiB", permille / 10, permille % 10))))
    }

    /// `YXHASHDUMP` and `YXHASHLOAD`, with the name of the file on the line or on the next one.
    pub(super) fn table_file_command(&mut self, task: FileTask, name: &str) -> Handled {
        if name.is_empty() {
            self.tail = Tail::File(Some(task));
            return Ok(None);
        }
        self.table_file(task, name)
    }

    /// Writes or reads the table; one `MESSAGE` tells what came of it, after the file is done if a search is running.
    pub(super) fn table_file(&mut self, task: FileTask, name: &str) -> Handled {
        let word = word_of(task);
        let outcome = move |result: Result<u64, TableFileError>| {
            Reply::Message(match result {
                Ok(entries) => format!("hash {word}: {entries} entries"),
                Err(error) => format!("hash {word} failed: {error}"),
            })
        };
        // Names in different encodings would all become the same one.
        if name.contains(char::REPLACEMENT_CHARACTER) {
            return Ok(Some(Reply::Message(format!(
                "hash {word} failed: the name of the file is not UTF-8"
            ))));
        }
        let game = self.current()?;
        let path = Path::new(name);
        if self.search.is_some() {
            // It keeps the table it has, and its move does not wait for the file.
            let (sender, unfinished) = (self.sender.clone(), self.unfinished.clone());
            let tell = move |result| {
                // The session may have ended meanwhile; then nobody wants to know.
                let _ = sender.send(Event::Said(outcome(result)));
                drop(unfinished);
            };
            let started = self.engine.table_file_beside(task, path.to_owned(), &game, tell);
            let failed = |error| Reply::Message(format!("hash {word} failed: {error}"));
            return Ok(started.err().map(failed));
        }
        self.finish_file();
        self.stop_pondering();
        if task == FileTask::Load {
            self.set_up_engine();
        }
        Ok(Some(outcome(self.engine.table_file(task, path, &game))))
    }

    /// A command that still waits for the name of its file and gets another command instead.
    pub(super) fn no_file_name(&mut self, task: FileTask) -> Handled {
        Ok(Some(Reply::Message(format!("hash {} failed: no name of a file", word_of(task)))))
    }

    /// `YXBLOCKPATH` and `YXBLOCKPATHUNDO`: silent, too.
    pub(super) fn exclude_path(&mut self, block: Block, add: bool) -> Handled {
        let stones = block.stones.unwrap_or_default();
        let path: Vec<Cell> =
            stones.iter().filter_map(|stone| cell_at(stone.point, Size::MAX).ok()).collect();
        // A path of which a point is missing would be another path.
        if path.len() == stones.len() && !path.is_empty() {
            self.paths.retain(|other| *other != path);
            if add && self.paths.len() < PATHS_LIMIT {
                self.paths.push(path);
            }
        }
        Ok(None)
    }

    /// `YXBLOCK` and `YXBLOCKUNDO`: silent, whatever the lines hold.
    pub(super) fn exclude(&mut self, block: Block, add: bool) -> Handled {
        for stone in block.stones.unwrap_or_default() {
            if let Ok(cell) = cell_at(stone.point, Size::MAX) {
                if add {
                    self.excluded.insert(cell);
                } else {
                    self.excluded.remove(cell);
                }
            }
        }
        Ok(None)
    }

    /// A command that is known and not supported: one `MESSAGE`, never a line that could pass for a move.
    pub(super) fn unsupported(&mut self, unsupported: Unsupported) -> Handled {
        self.tail = match unsupported.follows {
            Follows::Nothing => Tail::Nothing,
            Follows::Points => Tail::Points,
            Follows::File => Tail::File(None),
        };
        let why = if unsupported.concerns_database() { "there is no database" } else { "not supported" };
        Ok(Some(Reply::Message(format!("{}: {why}", unsupported.word))))
    }
}

/// What a command about a file is called in its answer.
const fn word_of(task: FileTask) -> &'static str {
    match task {
        FileTask::Save => "dump",
        FileTask::Load => "load",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_ends_at_done_or_at_the_first_other_line() {
        let mut tail = Tail::Points;
        assert!(tail.takes("7,7") && tail.takes("8,8,1") && tail.takes("done"));
        assert!(!tail.takes("7,7"));
        let mut tail = Tail::Points;
        assert!(tail.takes("7,7") && !tail.takes("ABOUT") && !tail.takes("7,7"));
        let mut tail = Tail::File(None);
        assert!(tail.takes("a b.tt") && !tail.takes("a b.tt"));
    }
}
