//! Commands that span several lines: a command word, lines of points, `DONE`.

use super::error::WireError;
use super::token::{Point, Token, number, numbers};

/// The block commands whose lines have a meaning here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `BOARD`: a position, to be answered by a move.
    Board,
    /// `YXBOARD`: a position, to be answered by nothing.
    YxBoard,
    /// `SWAP2BOARD`: the stones of a swap2 opening.
    Swap2Board,
    /// `YXBLOCK`: points that the engine shall not play.
    YxBlock,
    /// `YXBLOCKUNDO`: points that it may play again.
    YxBlockUndo,
    /// `YXBLOCKPATH`: lines of play to leave out.
    YxBlockPath,
    /// `YXBLOCKPATHUNDO`: lines of play to take in again.
    YxBlockPathUndo,
    /// `YXSOOSORVSTEP2`: three stones; swap?
    Soosorv2,
    /// `YXSOOSORVSTEP3`: three stones; the fourth, and how many fifth ones?
    Soosorv3,
    /// `YXSOOSORVSTEP4 n`: four stones; swap?
    Soosorv4,
    /// `YXSOOSORVSTEP5 n`: four stones; which fifth ones?
    Soosorv5,
    /// `YXSOOSORVSTEP6`: four stones and the fifth ones; which of these?
    Soosorv6,
}

impl BlockKind {
    /// Every kind.
    pub const ALL: [BlockKind; 12] = [
        BlockKind::Board,
        BlockKind::YxBoard,
        BlockKind::Swap2Board,
        BlockKind::YxBlock,
        BlockKind::YxBlockUndo,
        BlockKind::YxBlockPath,
        BlockKind::YxBlockPathUndo,
        BlockKind::Soosorv2,
        BlockKind::Soosorv3,
        BlockKind::Soosorv4,
        BlockKind::Soosorv5,
        BlockKind::Soosorv6,
    ];

    /// The command word.
    pub const fn name(self) -> &'static str {
        match self {
            BlockKind::Board => "BOARD",
            BlockKind::YxBoard => "YXBOARD",
            BlockKind::Swap2Board => "SWAP2BOARD",
            BlockKind::YxBlock => "YXBLOCK",
            BlockKind::YxBlockUndo => "YXBLOCKUNDO",
            BlockKind::YxBlockPath => "YXBLOCKPATH",
            BlockKind::YxBlockPathUndo => "YXBLOCKPATHUNDO",
            BlockKind::Soosorv2 => "YXSOOSORVSTEP2",
            BlockKind::Soosorv3 => "YXSOOSORVSTEP3",
            BlockKind::Soosorv4 => "YXSOOSORVSTEP4",
            BlockKind::Soosorv5 => "YXSOOSORVSTEP5",
            BlockKind::Soosorv6 => "YXSOOSORVSTEP6",
        }
    }

    /// Whether the lines carry a third number that says whose piece it is.
    pub const fn has_field(self) -> bool {
        matches!(self, BlockKind::Board | BlockKind::YxBoard)
    }

    /// Whether a number comes with the block, usually on the line of the command word.
    pub const fn has_number(self) -> bool {
        matches!(self, BlockKind::Soosorv4 | BlockKind::Soosorv5)
    }

    const fn line_form(self) -> &'static str {
        if self.has_field() { "x,y,field or DONE" } else { "x,y or DONE" }
    }
}

/// One line of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockStone {
    /// Where it lies.
    pub point: Point,
    /// Whose it is, as sent; `None` in blocks without that field.
    pub field: Option<i64>,
}

/// What a line inside a block contributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockPart {
    /// The pieces, in order.
    pub stones: Vec<BlockStone>,
    /// The number, in blocks that have one.
    pub number: Option<i64>,
    /// The first thing on the line that is neither a piece nor `DONE`.
    pub error: Option<WireError>,
    /// Whether the block ends here.
    pub done: bool,
}

/// Reads a line inside a block, or what follows the command word on its own line: one piece, or several separated
/// by blanks (some managers send the whole block on one line), or `DONE`, after which nothing counts.
///
/// ```
/// use halfstone::wire::{BlockKind, parse_block_part};
/// let part = parse_block_part(BlockKind::Board, "7,7,1 8,8,2 DONE");
/// assert_eq!((part.stones.len(), part.error, part.done), (2, None, true));
/// ```
pub fn parse_block_part(kind: BlockKind, text: &str) -> BlockPart {
    let mut part = BlockPart::default();
    if let Some(stone) = parse_stone(kind, text) {
        part.stones.push(stone);
        return part;
    }
    for word in text.split_ascii_whitespace() {
        if word.eq_ignore_ascii_case("DONE") {
            part.done = true;
            break;
        }
        match parse_stone(kind, word) {
            Some(stone) => part.stones.push(stone),
            None if kind.has_number() && number(word).is_some() => part.number = number(word),
            None if part.error.is_none() => {
                part.error = Some(WireError::Bad {
                    command: kind.name(),
                    token: Token::new(word),
                    allowed: kind.line_form(),
                });
            }
            None => {}
        }
    }
    part
}

fn parse_stone(kind: BlockKind, text: &str) -> Option<BlockStone> {
    match (numbers(text)?.as_slice(), kind.has_field()) {
        (&[x, y, field], true) => Some(BlockStone { point: Point { x, y }, field: Some(field) }),
        (&[x, y], false) => Some(BlockStone { point: Point { x, y }, field: None }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_piece_several_pieces_or_done() {
        let part = parse_block_part(BlockKind::Board, "7 , 7 , 1");
        assert_eq!(
            part.stones,
            [BlockStone { point: Point { x: 7, y: 7 }, field: Some(1) }],
            "blanks around the commas"
        );
        assert!(parse_block_part(BlockKind::Board, "done").done);
        assert_eq!(parse_block_part(BlockKind::Swap2Board, "7,7 8,8").stones.len(), 2);
        assert_eq!(parse_block_part(BlockKind::Board, ""), BlockPart::default());
        let part = parse_block_part(BlockKind::Soosorv4, "3 7,7 DONE");
        assert_eq!((part.number, part.stones.len(), part.error), (Some(3), 1, None));
    }

    #[test]
    fn a_bad_line_is_named_and_does_not_hide_done() {
        let part = parse_block_part(BlockKind::Board, "7,7,1 foo DONE");
        assert!(part.done);
        assert_eq!(part.error.unwrap().to_string(), "BOARD: bad argument 'foo' (allowed: x,y,field or DONE)");
        assert!(parse_block_part(BlockKind::Board, "7,7").error.is_some());
        assert!(parse_block_part(BlockKind::Swap2Board, "7,7,1").error.is_some());
    }
}
