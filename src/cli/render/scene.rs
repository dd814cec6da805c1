//! A picture as a list of shapes, which the SVG and PNG writers draw alike.

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Color {
    pub(super) red: u8,
    pub(super) green: u8,
    pub(super) blue: u8,
    /// 0 to 1.
    pub(super) alpha: f32,
}

impl Color {
    /// From `0xRRGGBB`.
    pub(super) const fn new(rgb: u32) -> Color {
        Color { red: (rgb >> 16) as u8, green: (rgb >> 8) as u8, blue: rgb as u8, alpha: 1.0 }
    }

    /// The same colour, less opaque.
    pub(super) const fn fade(self, alpha: f32) -> Color {
        Color { alpha, ..self }
    }

    /// A colour between this (0) and another (1).
    pub(super) fn towards(self, other: Color, share: f32) -> Color {
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Color {
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue),
            alpha: self.alpha + (other.alpha - self.alpha) * share,
        }
    }
}

/// How a disc is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Paint {
    /// One colour.
    Flat(Color),
    /// Lit from the upper left: one colour at the light, the other at the far edge.
    Lit(Color, Color),
    /// One colour in the middle that is gone at the edge: a soft shadow.
    Soft(Color),
}

/// Where a text stands from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// Begins there.
    Start,
    /// Is centred there.
    Middle,
    /// Ends there.
    End,
}

/// One line of writing. `y` is the middle of its capitals.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) size: f32,
    pub(super) text: String,
    pub(super) anchor: Anchor,
    pub(super) color: Color,
    pub(super) bold: bool,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A filled rectangle.
    Rect { x: f32, y: f32, width: f32, height: f32, color: Color },
    /// A straight line with round ends.
    Line { from: (f32, f32), to: (f32, f32), width: f32, color: Color },
    /// A disc.
    Disc { x: f32, y: f32, radius: f32, paint: Paint },
    /// The left half of a disc.
    HalfDisc { x: f32, y: f32, radius: f32, color: Color },
    /// A circle.
    Ring { x: f32, y: f32, radius: f32, width: f32, color: Color },
    /// Writing.
    Text(Text),
}

/// A picture.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) width: f32,
    pub(super) height: f32,
    /// In the order of drawing.
    pub(super) shapes: Vec<Shape>,
}

impl Scene {
    pub(super) fn new(width: f32, height: f32, ground: Color) -> Scene {
        let shapes = vec![Shape::Rect { x: 0.0, y: 0.0, width, height, color: ground }];
        Scene { width, height, shapes }
    }

    pub(super) fn push(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    pub(super) fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, color: Color) {
        self.push(Shape::Line { from, to, width, color });
    }

    /// Plain writing.
    pub(super) fn text(
        &mut self,
        (x, y): (f32, f32),
        size: f32,
        anchor: Anchor,
        color: Color,
        text: impl Into<String>,
    ) {
        self.push(Shape::Text(Text { x, y, size, text: text.into(), anchor, color, bold: false }));
    }
}
