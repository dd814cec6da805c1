//! Thinking on the opponent's time.
//!
//! After the engine's move the position is searched from the opponent's side. Nothing of it is printed; what it finds
//! stays in the table, and the search for the next move finds it there. Questions and settings that do not concern it
//! leave it running; everything else ends it.

use std::io::Write;

use crate::control::Limits;
use crate::engine::Task;
use crate::types::CellSet;
use crate::wire::{Info, InfoKey};

use super::session::Session;

impl<W: Write> Session<W> {
    /// Begins to think on the opponent's time, if that is wanted and the game goes on.
    pub(super) fn start_pondering(&mut self) {
        self.stop_pondering();
        let Some(game) = &self.game else { return };
        // Below full strength what it found would help too much.
        let wanted = self.options.pondering && self.options.strength().is_full();
        if wanted && self.require_ongoing(game).is_ok() {
            self.engine.set_excluded(CellSet::default());
            self.engine.set_watched(false);
            self.ponder = Some(self.engine.go(game, &Task::BestMove { lines: 1 }, Limits::default(), |_| {}));
        }
    }

    /// Ends it, and waits until its threads are gone: the next search needs their processors and their memory.
    pub(super) fn stop_pondering(&mut self) {
        if let Some(handle) = self.ponder.take() {
            handle.stop();
            handle.join();
        }
    }

    /// Whether a setting leaves it running: all do that change neither what is searched nor with which means.
    pub(super) fn ponders_through(info: &Info) -> bool {
        !matches!(
            info.key,
            InfoKey::Rule
                | InfoKey::MaxMemory
                | InfoKey::HashSize
                | InfoKey::ThreadNum
                | InfoKey::Pondering
                | InfoKey::AutoPondering
                | InfoKey::Strength
                | InfoKey::StrengthSeed
                | InfoKey::HalfProxy
                | InfoKey::Tune
        )
    }
}
