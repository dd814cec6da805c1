//! Layer 2: the grammar of the Gomocup protocol and its extensions, in both directions and without any state.
//!
//! A line of raw bytes becomes a [`Command`] or a [`WireError`] that names the bad token; a [`Reply`] prints as exactly
//! one line. The other side of the table reads an engine's lines as [`Said`]. What a command means, and in which state
//! it is allowed, is for the session to say.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod block;
mod command;
mod error;
mod info;
mod reply;
mod said;
mod token;

pub use block::{BlockKind, BlockPart, BlockStone, parse_block_part};
pub use command::{Command, Follows, Unsupported, parse};
pub use error::WireError;
pub use info::{Info, InfoKey, InfoValue};
pub use reply::{ABOUT, Reply};
pub use said::{Heard, Said, SearchInfo};
pub use token::{Point, Token, clean};
