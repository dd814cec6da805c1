//! The names of what a line, and a point with its four lines, can be.

/// What one line through an empty point becomes when a colour puts a stone on that point.
///
/// Only runs that contain the point count. From [`LineClass::L3`] upward the meaning is exact; the classes below
/// are ordered hints for the evaluation. "Raises" means: one more own stone on that cell of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum LineClass {
    /// Fewer than five usable cells, or nothing useful.
    Dead = 0,
    /// A run too long to win (exact-five rules), or, for Black under renju, two fours in this one line.
    Over = 1,
    /// Some cell raises it to [`LineClass::C2`].
    C1 = 2,
    /// Some cell raises it to a live two.
    L1 = 3,
    /// Some cell raises it to [`LineClass::C3`].
    C2 = 4,
    /// One or two cells raise it to a live three.
    L2a = 5,
    /// Three cells raise it to a live three.
    L2b = 6,
    /// Four or more cells raise it to a live three.
    L2c = 7,
    /// Closed three: some cell raises it to [`LineClass::C4`], none to [`LineClass::S4`].
    C3 = 8,
    /// Live three: exactly one cell raises it to a straight four.
    L3 = 9,
    /// Live three that two or more cells raise to a straight four.
    L3Plus = 10,
    /// Four: it can be completed to five, and a single enemy stone stops that.
    C4 = 11,
    /// Straight four: some completion survives every single enemy stone on the line.
    S4 = 12,
    /// A winning five, now.
    W5 = 13,
}

impl LineClass {
    /// How many classes there are.
    pub const COUNT: usize = 14;

    /// All classes, weakest first.
    pub const ALL: [LineClass; LineClass::COUNT] = [
        LineClass::Dead,
        LineClass::Over,
        LineClass::C1,
        LineClass::L1,
        LineClass::C2,
        LineClass::L2a,
        LineClass::L2b,
        LineClass::L2c,
        LineClass::C3,
        LineClass::L3,
        LineClass::L3Plus,
        LineClass::C4,
        LineClass::S4,
        LineClass::W5,
    ];

    /// The class in the low four bits; the two unused values read as [`LineClass::Dead`].
    #[inline]
    pub const fn from_nibble(nibble: u32) -> LineClass {
        let i = (nibble & 15) as usize;
        if i < LineClass::COUNT { LineClass::ALL[i] } else { LineClass::Dead }
    }

    /// 0 to 13: an index for per-class arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// A four of either kind: five can be completed next.
    #[inline]
    pub const fn is_four(self) -> bool {
        matches!(self, LineClass::C4 | LineClass::S4)
    }

    /// A live three of either kind.
    #[inline]
    pub const fn is_live_three(self) -> bool {
        matches!(self, LineClass::L3 | LineClass::L3Plus)
    }

    /// A live two of any of the three kinds.
    #[inline]
    pub const fn is_live_two(self) -> bool {
        matches!(self, LineClass::L2a | LineClass::L2b | LineClass::L2c)
    }
}

/// What an empty point is worth to a colour: the digest of its four line classes, weakest first.
///
/// For Black under renju this is the class *as if the move were legal*; whether it might be a foul is kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PointClass {
    /// Nothing below applies.
    None = 0,
    /// One live two.
    Two = 1,
    /// One closed three.
    ClosedThree = 2,
    /// Two or more live twos.
    TwoTwo = 3,
    /// Two closed threes, or one with a live two.
    ClosedThreePlus = 4,
    /// One live three.
    Three = 5,
    /// A live three with a closed three or a live two.
    ThreePlus = 6,
    /// Two or more live threes.
    ThreeThree = 7,
    /// One four.
    Four = 8,
    /// A four with a closed three or a live two.
    FourPlus = 9,
    /// A four with a live three.
    FourThree = 10,
    /// A straight four, or two fours: five next turn unless the opponent makes five first.
    WinFour = 11,
    /// Five.
    Five = 12,
}

impl PointClass {
    /// How many classes there are.
    pub const COUNT: usize = 13;

    /// All classes, weakest first.
    pub const ALL: [PointClass; PointClass::COUNT] = [
        PointClass::None,
        PointClass::Two,
        PointClass::ClosedThree,
        PointClass::TwoTwo,
        PointClass::ClosedThreePlus,
        PointClass::Three,
        PointClass::ThreePlus,
        PointClass::ThreeThree,
        PointClass::Four,
        PointClass::FourPlus,
        PointClass::FourThree,
        PointClass::WinFour,
        PointClass::Five,
    ];

    /// The classes of a point where a stone makes a four, strongest first.
    pub const FOURS: [PointClass; 4] =
        [PointClass::WinFour, PointClass::FourThree, PointClass::FourPlus, PointClass::Four];

    /// The class in the low four bits; the three unused values read as [`PointClass::None`].
    #[inline]
    pub const fn from_nibble(nibble: u8) -> PointClass {
        let i = (nibble & 15) as usize;
        if i < PointClass::COUNT { PointClass::ALL[i] } else { PointClass::None }
    }

    /// 0 to 12: an index for per-class arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether a stone here makes at least one four (five points are not counted).
    #[inline]
    pub const fn is_four(self) -> bool {
        matches!(self, PointClass::Four | PointClass::FourPlus | PointClass::FourThree | PointClass::WinFour)
    }
}
