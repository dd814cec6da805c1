//! Files of fitted weights.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `HSTABLES` |
//! | 4 | byte order: 0x01020304 |
//! | 2 | version, 3 |
//! | 1 | rule, as its index |
//! | 1 | number of sets, s |
//! | 4 | which set is Black's and White's after the half stone, Black's and White's while it is in hand |
//! | 2 | win-rate scale |
//! | 2 + 2 | codes (2,380) and tempo entries (2,048) of a set |
//! | 2 + 2 | lanes (8) and hidden units (16) of a network; zeros without networks |
//! | 2 + n | where the numbers come from, UTF-8, with its length n |
//! | s × 2 × (2,380 + 2,048 + 2,380 + 2,380 + 2 × 29) | per set: values, tempo, move scores own and theirs, by offset |
//! | s × … | with networks only, after the tables of each set: its network |
//! | 4 | CRC-32 of all that |
//!
//! A network: vectors of the codes, own and theirs (2 × 2,380 × 8 words); weights of the hidden units (16 × 16 words)
//! and of the output (16 words); biases of the hidden units (16 × 4 bytes) and of the output (4 bytes). A set without
//! one in a file with networks has one of zeros.

use std::sync::Arc;

use thiserror::Error;

use crate::pattern::{CODES, HIDDEN, LANES, Network, OFFSETS, SideWeights, TEMPO_SLOTS, Weights};
use crate::types::Rule;

const MAGIC: &[u8; 8] = b"HSTABLES";
const BYTE_ORDER: u32 = 0x0102_0304;
const VERSION: u16 = 3;
/// Bytes of a network.
const NETWORK_BYTES: usize = 2 * (2 * CODES * LANES + HIDDEN * (2 * LANES) + HIDDEN) + 4 * (HIDDEN + 1);
/// Longest note on where the numbers come from, in bytes.
pub const MOST_PROVENANCE: usize = 4_000;

/// A file of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightFile {
    /// The rule that the numbers are for.
    pub rule: Rule,
    /// Evaluation units at which a side wins 73 % of its games.
    pub scale: u16,
    /// Where the numbers come from: data, settings, losses.
    pub provenance: String,
    /// The numbers.
    pub weights: Box<Weights>,
}

/// Why a file of weights is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// It does not begin like one.
    #[error("not a file of weights")]
    Foreign,
    /// It was written with the bytes of numbers the other way round.
    #[error("a file of weights with the other byte order")]
    ByteOrder,
    /// It has a version that is not known here.
    #[error("version {0} of the format (known here: {VERSION})")]
    Version(u16),
    /// It ends too early, or goes on after its end.
    #[error("a file of weights with {0} bytes instead of {1}")]
    Length(usize, usize),
    /// It is damaged.
    #[error("a damaged file of weights: the checksum does not fit")]
    Checksum,
    /// It is whole, but says things that cannot be.
    #[error("a file of weights that cannot be: {0}")]
    Content(&'static str),
}

impl WeightFile {
    /// The bytes of the file. The provenance is cut off at [`MOST_PROVENANCE`] bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut sets: Vec<&SideWeights> = Vec::new();
        let sides = self.weights.after.iter().chain(&self.weights.in_hand);
        let places: Vec<u8> = sides
            .map(|side| {
                let known = sets.iter().position(|&set| set == side);
                known.unwrap_or_else(|| {
                    sets.push(side);
                    sets.len() - 1
                }) as u8
            })
            .collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(BYTE_ORDER.to_le_bytes());
        let networks = sets.iter().any(|set| set.network.is_some());
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.rule.index() as u8, sets.len() as u8]);
        bytes.extend(places);
        let mut length = self.provenance.len().min(MOST_PROVENANCE);
        while !self.provenance.is_char_boundary(length) {
            length -= 1;
        }
        let text = &self.provenance.as_bytes()[..length];
        let [lanes, hidden] = if networks { NETWORK_SIZE } else { [0; 2] };
        let words = [self.scale, CODES as u16, TEMPO_SLOTS as u16, lanes, hidden, text.len() as u16];
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(text);
        for set in sets {
            for table in [&set.values[..], &set.tempo, &set.own, &set.theirs, set.offsets.as_flattened()] {
                bytes.extend(table.iter().flat_map(|number| number.to_le_bytes()));
            }
            if networks {
                write_network(set.network.as_deref().unwrap_or(&Network::ZERO), &mut bytes);
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`WeightsError`] if it is of another kind, byte order or version, cut off or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<WeightFile, WeightsError> {
        let mut rest = Rest(bytes);
        let cut = WeightsError::Length(bytes.len(), Layout::least());
        if rest.take().ok_or_else(|| cut.clone())? != *MAGIC {
            return Err(WeightsError::Foreign);
        }
        match u32::from_le_bytes(rest.take().ok_or_else(|| cut.clone())?) {
            BYTE_ORDER => {}
            order if order.swap_bytes() == BYTE_ORDER => return Err(WeightsError::ByteOrder),
            _ => return Err(WeightsError::Foreign),
        }
        match rest.word().ok_or_else(|| cut.clone())? {
            VERSION => {}
            version => return Err(WeightsError::Version(version)),
        }
        let layout = Layout::read(&mut rest).ok_or(cut)?;
        if bytes.len() != layout.total() {
            return Err(WeightsError::Length(bytes.len(), layout.total()));
        }
        let (body, checksum) = bytes.split_at(bytes.len() - 4);
        if crc32fast::hash(body).to_le_bytes() != checksum {
            return Err(WeightsError::Checksum);
        }
        layout.fill(rest).ok_or(WeightsError::Content("a set that is not there"))?
    }
}

/// Lanes and hidden units of a network.
const NETWORK_SIZE: [u16; 2] = [LANES as u16, HIDDEN as u16];

/// The part of the header after the version.
struct Layout {
    rule: u8,
    sets: u8,
    places: [u8; 4],
    scale: u16,
    codes: u16,
    tempo: u16,
    /// Lanes and hidden units of the networks; zeros without any.
    network: [u16; 2],
    text: u16,
}

impl Layout {
    const BEFORE_TEXT: usize = 8 + 4 + 2 + 2 + 4 + 6 * 2;

    /// The length of the shortest file.
    const fn least() -> usize {
        Layout::BEFORE_TEXT + 2 * (3 * CODES + TEMPO_SLOTS + 2 * OFFSETS) + 4
    }

    fn read(rest: &mut Rest<'_>) -> Option<Layout> {
        let [rule, sets] = rest.take()?;
        Some(Layout {
            rule,
            sets,
            places: rest.take()?,
            scale: rest.word()?,
            codes: rest.word()?,
            tempo: rest.word()?,
            network: [rest.word()?, rest.word()?],
            text: rest.word()?,
        })
    }

    fn total(&self) -> usize {
        let network = if self.has_networks() { NETWORK_BYTES } else { 0 };
        let words = 3 * usize::from(self.codes) + usize::from(self.tempo) + 2 * OFFSETS;
        let set = 2 * words + network;
        Layout::BEFORE_TEXT + usize::from(self.text) + usize::from(self.sets) * set + 4
    }

    fn has_networks(&self) -> bool {
        self.network != [0; 2]
    }

    /// Reads what comes after the header. `None` if a set is missing.
    fn fill(&self, mut rest: Rest<'_>) -> Option<Result<WeightFile, WeightsError>> {
        let content = |what| Some(Err(WeightsError::Content(what)));
        let Some(&rule) = Rule::ALL.get(usize::from(self.rule)) else { return content("an unknown rule") };
        if (usize::from(self.codes), usize::from(self.tempo)) != (CODES, TEMPO_SLOTS) {
            return content("tables of another size");
        }
        if self.has_networks() && self.network != NETWORK_SIZE {
            return content("networks of another size");
        }
        if self.scale == 0 {
            return content("a scale of zero");
        }
        let (text, after) = rest.0.split_at_checked(usize::from(self.text))?;
        rest.0 = after;
        let Ok(provenance) = String::from_utf8(text.to_vec()) else {
            return content("a note that is no text");
        };
        let mut sets = Vec::new();
        for _ in 0..self.sets {
            let mut set = SideWeights::ZERO;
            let SideWeights { values, tempo, own, theirs, offsets, .. } = &mut set;
            for table in [&mut values[..], tempo, own, theirs, offsets.as_flattened_mut()] {
                for number in table {
                    *number = rest.word()?.cast_signed();
                }
            }
            if self.has_networks() {
                let network = read_network(&mut rest)?;
                if !network.is_bounded() {
                    return content("a network with too large a number");
                }
                set.network = Some(Arc::new(network));
            }
            sets.push(set);
        }
        let [black, white, black_in_hand, white_in_hand] =
            self.places.map(|place| sets.get(usize::from(place)).cloned());
        let weights = Weights { after: [black?, white?], in_hand: [black_in_hand?, white_in_hand?] };
        Some(Ok(WeightFile { rule, scale: self.scale, provenance, weights: Box::new(weights) }))
    }
}

fn write_network(network: &Network, bytes: &mut Vec<u8>) {
    let head = &network.head;
    let codes = network.own.iter().chain(&network.theirs).flatten();
    let words = codes.chain(head.hidden.iter().flatten()).chain(&head.output);
    bytes.extend(words.flat_map(|word| word.to_le_bytes()));
    bytes.extend(head.bias.iter().chain([&head.output_bias]).flat_map(|bias| bias.to_le_bytes()));
}

fn read_network(rest: &mut Rest<'_>) -> Option<Network> {
    let mut network = Network::ZERO;
    let head = &mut network.head;
    let codes = network.own.iter_mut().chain(&mut network.theirs).flatten();
    for word in codes.chain(head.hidden.iter_mut().flatten()).chain(&mut head.output) {
        *word = rest.word()?.cast_signed();
    }
    for bias in head.bias.iter_mut().chain([&mut head.output_bias]) {
        *bias = i32::from_le_bytes(rest.take()?);
    }
    Some(network)
}

/// What has not been read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn word(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(rule: Rule) -> WeightFile {
        let mut weights = Box::new(Weights::hand_set());
        weights.after[1].values[7] = -1_234;
        WeightFile { rule, scale: 180, provenance: "made up · 1".into(), weights }
    }

    fn with_network(rule: Rule) -> WeightFile {
        let mut file = file(rule);
        let mut network = Network::ZERO;
        network.own[3][7] = -5;
        network.theirs[2_379][0] = 383;
        network.head.hidden[15][15] = -8_191;
        network.head.bias[2] = -70_000;
        network.head.output[1] = 9;
        network.head.output_bias = 1 << 20;
        file.weights.after[0].network = Some(Arc::new(network));
        file
    }

    /// The file with the checksum set right after a change.
    fn changed(at: usize, to: &[u8]) -> Vec<u8> {
        amended(file(Rule::Renju).to_bytes(), at, to)
    }

    fn amended(mut bytes: Vec<u8>, at: usize, to: &[u8]) -> Vec<u8> {
        bytes[at..at + to.len()].copy_from_slice(to);
        let body = bytes.len() - 4;
        let checksum = crc32fast::hash(&bytes[..body]).to_le_bytes();
        bytes[body..].copy_from_slice(&checksum);
        bytes
    }

    #[test]
    fn files_round_trip() {
        for rule in Rule::ALL {
            let file = file(rule);
            assert_eq!(WeightFile::from_bytes(&file.to_bytes()), Ok(file));
        }
    }

    #[test]
    fn networks_round_trip_and_one_that_is_missing_is_zero() {
        for rule in Rule::ALL {
            let mut file = with_network(rule);
            let read = WeightFile::from_bytes(&file.to_bytes()).unwrap();
            let sides = file.weights.after.iter_mut().chain(&mut file.weights.in_hand);
            sides.for_each(|side| _ = side.network.get_or_insert_with(|| Arc::new(Network::ZERO)));
            assert_eq!(read, file);
        }
    }

    #[test]
    fn offsets_round_trip() {
        for rule in Rule::ALL {
            let mut file = file(rule);
            file.weights.in_hand[1].offsets[1][OFFSETS - 1] = -77;
            assert_eq!(WeightFile::from_bytes(&file.to_bytes()), Ok(file));
        }
    }

    #[test]
    fn networks_that_could_overflow_or_have_another_size_are_refused() {
        let bytes = with_network(Rule::Freestyle).to_bytes();
        let refused = |at, to: &[u8]| WeightFile::from_bytes(&amended(bytes.clone(), at, to)).unwrap_err();
        assert_eq!(refused(26, &[9, 0]), WeightsError::Content("networks of another size"));
        assert_eq!(refused(28, &[15, 0]), WeightsError::Content("networks of another size"));
        // Behind the note, the tables and the offsets of the first set come the vectors of the codes.
        let first = Layout::BEFORE_TEXT + "made up · 1".len() + 2 * (3 * CODES + TEMPO_SLOTS + 2 * OFFSETS);
        assert!(WeightFile::from_bytes(&amended(bytes.clone(), first, &383i16.to_le_bytes())).is_ok());
        let large = WeightsError::Content("a network with too large a number");
        assert_eq!(refused(first, &384i16.to_le_bytes()), large);
        assert_eq!(refused(first, &i16::MIN.to_le_bytes()), large);
    }

    #[test]
    fn equal_tables_are_stored_once() {
        let mut same = file(Rule::Freestyle);
        same.weights.after[1] = same.weights.after[0].clone();
        same.weights.in_hand = same.weights.after.clone();
        assert!(same.to_bytes().len() < Layout::least() + 100);
        assert_eq!(WeightFile::from_bytes(&same.to_bytes()), Ok(same));
    }

    #[test]
    fn anything_cut_off_or_damaged_is_refused() {
        let bytes = file(Rule::Renju).to_bytes();
        for length in (0..64).chain((64..bytes.len()).step_by(997)).chain([bytes.len() - 1]) {
            let error = WeightFile::from_bytes(&bytes[..length]).unwrap_err();
            assert!(matches!(error, WeightsError::Length(got, _) if got == length), "{length}: {error}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(matches!(WeightFile::from_bytes(&longer), Err(WeightsError::Length(..))));
        for at in (0..bytes.len()).step_by(101).chain(0..40) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x20;
            assert!(WeightFile::from_bytes(&bytes).is_err(), "byte {at}");
        }
        let mut bytes = bytes;
        bytes[5_000] ^= 1;
        assert_eq!(WeightFile::from_bytes(&bytes), Err(WeightsError::Checksum));
    }

    #[test]
    fn other_kinds_of_file_are_told_apart() {
        let refused = |at, to: &[u8]| WeightFile::from_bytes(&changed(at, to)).unwrap_err();
        assert_eq!(refused(0, b"X"), WeightsError::Foreign);
        assert_eq!(refused(8, &[1, 2, 3, 4]), WeightsError::ByteOrder);
        assert_eq!(refused(8, &[4, 3, 2, 2]), WeightsError::Foreign);
        assert_eq!(refused(12, &[2, 0]), WeightsError::Version(2));
        assert_eq!(refused(14, &[6]), WeightsError::Content("an unknown rule"));
        assert_eq!(refused(16, &[9]), WeightsError::Content("a set that is not there"));
        assert_eq!(refused(20, &[0, 0]), WeightsError::Content("a scale of zero"));
        assert_eq!(refused(32, &[0xff]), WeightsError::Content("a note that is no text"));
    }
}
