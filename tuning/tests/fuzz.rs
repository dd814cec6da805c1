//! Damaged files, with the checksums of the damage put right, so that the readers themselves have to be on their guard:
//! whatever they accept must be of use to everything that comes after.

#[path = "../../tests/fuzz/hunt.rs"]
mod hunt;
#[path = "../../tests/fuzz/mutate.rs"]
mod mutate;

use std::path::{Path, PathBuf};

use halfstone::eval;
use halfstone::search::Parameters;
use halfstone::types::{Rule, Size};
use halfstone_tuning::duel::Terms;
use halfstone_tuning::features::Samples;
use halfstone_tuning::games::{self, Game, HEADER_BYTES, Settings, Writer};
use halfstone_tuning::selfplay::{self, Desk};
use halfstone_tuning::spsa::{Number, Setup, State};
use proptest::prelude::*;
use proptest::sample::Index;

use hunt::hunt;
use mutate::{apply, mutations};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Replaces the last four bytes by the checksum of those before.
fn seal(bytes: &mut [u8]) {
    if let Some(body) = bytes.len().checked_sub(4) {
        let checksum = crc32fast::hash(&bytes[..body]);
        bytes[body..].copy_from_slice(&checksum.to_le_bytes());
    }
}

/// Puts the checksum of the header and of every record right, as far as records can be made out.
fn seal_games(bytes: &mut [u8]) {
    let Some((header, mut rest)) = bytes.split_at_mut_checked(HEADER_BYTES) else { return };
    seal(header);
    while let Some(&[low, high]) = rest.get(8..10) {
        let length = 14 + 4 * usize::from(u16::from_le_bytes([low, high]));
        let Some((record, after)) = rest.split_at_mut_checked(length) else { return };
        seal(record);
        rest = after;
    }
}

fn settings(rule: Rule) -> Settings {
    let sizes = vec![Size::new(7).unwrap(), Size::new(9).unwrap()];
    Settings { rule, sizes, weights: 0, nodes: 40, seed: 5, shard: 0, shards: 1 }
}

#[test]
fn games_that_are_accepted_can_be_learnt_from() {
    let folder = Folder::new("games");
    let originals: Vec<Vec<u8>> = Rule::ALL
        .into_iter()
        .map(|rule| {
            let (settings, path) = (settings(rule), folder.file("original"));
            let mut desk = Desk::new(settings.nodes);
            let points = eval::points(rule);
            let (mut writer, _) = Writer::open(&path, &settings).unwrap();
            for number in 0..3 {
                writer.append(&selfplay::play(&mut desk, &settings, &points, number).unwrap()).unwrap();
            }
            let bytes = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            bytes
        })
        .collect();
    let (damaged, joined) = (folder.file("damaged"), folder.file("joined"));
    hunt("games", 200, &(any::<Index>(), mutations(4), any::<bool>()), |(which, mutations, sealed)| {
        let mut bytes = which.get(&originals).clone();
        apply(&mut bytes, &mutations);
        if sealed {
            seal_games(&mut bytes);
        }
        std::fs::write(&damaged, &bytes).unwrap();
        let Ok(file) = games::read(&damaged) else { return Ok(()) };
        let mut samples = Samples::new();
        file.games.iter().for_each(|game| samples.add(file.settings.rule, game));
        assert_eq!(games::merge(std::slice::from_ref(&damaged), &joined).unwrap(), distinct(&file.games));
        // Nothing that is whole is lost when the file is gone on with.
        let (_, numbers) = Writer::open(&damaged, &file.settings).unwrap();
        assert_eq!(numbers.len(), file.games.len());
        assert_eq!(games::read(&damaged).unwrap(), file);
        Ok(())
    });
}

fn distinct(games: &[Game]) -> usize {
    let mut numbers: Vec<u32> = games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len()
}

#[test]
fn states_that_are_accepted_can_be_gone_on_with() {
    let folder = Folder::new("states");
    let (original, damaged) = (folder.file("original"), folder.file("damaged"));
    let number = |name| Number::new(name, &Parameters::default()).unwrap();
    let state = State::new(Setup {
        terms: Terms { rule: Rule::Renju, size: Size::STANDARD, seed: 3 },
        nodes: 50,
        weights: 0,
        base: 0,
        pairs: 10,
        batch: 2,
        rate: 0.002,
        numbers: vec![number("lmr_base"), number("razor_base")],
    });
    state.save(&original).unwrap();
    let text = std::fs::read(&original).unwrap();
    hunt("states", 200, &(mutations(3), any::<bool>()), |(mutations, sealed)| {
        let mut bytes = text.clone();
        apply(&mut bytes, &mutations);
        if sealed && let Some(body) = bytes.windows(6).rposition(|window| window == b"crc32 ") {
            bytes.truncate(body);
            let checksum = crc32fast::hash(&bytes);
            bytes.extend(format!("crc32 {checksum:08x}\n").bytes());
        }
        std::fs::write(&damaged, &bytes).unwrap();
        let Ok(state) = State::load(&damaged) else { return Ok(()) };
        // What it comes to can be given to a search, and survives another turn through a file.
        Parameters::default().set_all(&state.answer()).unwrap();
        assert!(!state.line().is_empty());
        state.save(&damaged).unwrap();
        assert_eq!(State::load(&damaged).unwrap().answer(), state.answer());
        Ok(())
    });
}
