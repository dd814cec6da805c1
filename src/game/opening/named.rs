//! The 26 openings by name.

use super::super::GameRecord;
use crate::types::{Cell, Color, Piece, Size};

/// One of the 26 openings. The first stone is in the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOpening {
    /// `D1` to `D13` for the direct ones, whose second stone lies beside the first, `I1` to `I13` for the indirect
    /// ones, whose second stone lies diagonally from it.
    pub code: &'static str,
    /// Its Japanese name in Latin letters.
    pub name: &'static str,
    /// Its Chinese name.
    pub chinese: &'static str,
    /// The third stone, as offsets from the centre to the right and up. The second is at (0, 1) or (1, 1).
    pub third: (i8, i8),
}

impl NamedOpening {
    /// Whether the second stone lies beside the first.
    pub fn is_direct(&self) -> bool {
        self.code.starts_with('D')
    }

    /// The three points on a board of this size, in order of play.
    pub fn cells(&self, size: Size) -> Option<[Cell; 3]> {
        let second = if self.is_direct() { (0, 1) } else { (1, 1) };
        let at = |(right, up): (i8, i8)| {
            let center = size.center();
            Cell::from_wire(center.x() as i64 + i64::from(right), center.y() as i64 - i64::from(up), size)
        };
        Some([at((0, 0))?, at(second)?, at(self.third)?])
    }
}

const fn opening(
    code: &'static str,
    name: &'static str,
    chinese: &'static str,
    third: (i8, i8),
) -> NamedOpening {
    NamedOpening { code, name, chinese, third }
}

/// The 26 openings in their usual order.
pub const NAMED: [NamedOpening; 26] = [
    opening("D1", "Kansei", "寒星", (0, 2)),
    opening("D2", "Keigetsu", "溪月", (1, 2)),
    opening("D3", "Sosei", "疏星", (2, 2)),
    opening("D4", "Kagetsu", "花月", (1, 1)),
    opening("D5", "Zangetsu", "残月", (2, 1)),
    opening("D6", "Ugetsu", "雨月", (1, 0)),
    opening("D7", "Kinsei", "金星", (2, 0)),
    opening("D8", "Shogetsu", "松月", (0, -1)),
    opening("D9", "Kyugetsu", "丘月", (1, -1)),
    opening("D10", "Shingetsu", "新月", (2, -1)),
    opening("D11", "Zuisei", "瑞星", (0, -2)),
    opening("D12", "Sangetsu", "山月", (1, -2)),
    opening("D13", "Yusei", "游星", (2, -2)),
    opening("I1", "Chosei", "长星", (2, 2)),
    opening("I2", "Kyogetsu", "峡月", (2, 1)),
    opening("I3", "Kosei", "恒星", (2, 0)),
    opening("I4", "Suigetsu", "水月", (2, -1)),
    opening("I5", "Ryusei", "流星", (2, -2)),
    opening("I6", "Ungetsu", "云月", (1, 0)),
    opening("I7", "Hogetsu", "浦月", (1, -1)),
    opening("I8", "Rangetsu", "岚月", (1, -2)),
    opening("I9", "Gingetsu", "银月", (0, -1)),
    opening("I10", "Myojo", "明星", (0, -2)),
    opening("I11", "Shagetsu", "斜月", (-1, -1)),
    opening("I12", "Meigetsu", "名月", (-1, -2)),
    opening("I13", "Suisei", "彗星", (-2, -2)),
];

/// Which of the 26 openings the first three stones of a game are, in any orientation; `None` if none.
///
/// ```
/// use halfstone::game::opening::named;
/// use halfstone::game::{GameRecord, parse_moves};
/// use halfstone::types::{Rule, Size};
/// let mut game = GameRecord::new(Rule::Renju, Size::STANDARD);
/// parse_moves("h8 i8 i9", Size::STANDARD).unwrap().into_iter().for_each(|mv| game.push(mv));
/// assert_eq!(named(&game).map(|opening| opening.name), Some("Kagetsu"));
/// ```
pub fn named(record: &GameRecord) -> Option<&'static NamedOpening> {
    let size = record.size();
    let pieces: Vec<(Cell, Piece)> = record.pieces().take(3).collect();
    let colors = [Color::Black, Color::White, Color::Black].map(Piece::Stone);
    if !pieces.iter().map(|&(_, piece)| piece).eq(colors) {
        return None;
    }
    // Around the first stone, which is not the middle of a board of even size.
    let center = size.center();
    let offset = |cell: Cell| (cell.x() as i64 - center.x() as i64, cell.y() as i64 - center.y() as i64);
    let turned = |(x, y): (i64, i64), (flip_x, flip_y, swap): (bool, bool, bool)| {
        let (x, y) = if swap { (y, x) } else { (x, y) };
        (if flip_x { -x } else { x }, if flip_y { -y } else { y })
    };
    let flips = [false, true];
    let turns = flips.iter().flat_map(|&x| flips.iter().flat_map(move |&y| flips.map(|swap| (x, y, swap))));
    let is_turned = |cells: [Cell; 3], turn| {
        pieces.iter().zip(cells).all(|(&(cell, _), named)| turned(offset(named), turn) == offset(cell))
    };
    NAMED.iter().find(|opening| {
        opening.cells(size).is_some_and(|cells| turns.clone().any(|turn| is_turned(cells, turn)))
    })
}
