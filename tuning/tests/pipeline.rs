//! The pipeline as a whole: files that survive anything, games that follow from their seed, and fits that recover
//! known numbers and give the same bytes every time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use halfstone::board::Board;
use halfstone::eval::{self, WeightFile};
use halfstone::movegen::{self, MoveList, Promises};
use halfstone::pattern::{CODES, OFFSETS, SideWeights, TEMPO_SLOTS, Weights};
use halfstone::types::{Cell, Color, Move, Rule, Size};
use halfstone_tuning::features::{Choice, Choices, Layout, NO_RESULT, Positions, Samples};
use halfstone_tuning::fit::{self, Options};
use halfstone_tuning::games::{self, Game, HEADER_BYTES, Settings, UNSEARCHED, Writer};
use halfstone_tuning::rng::Rng;
use halfstone_tuning::selfplay::Desk;
use halfstone_tuning::{run, selfplay};

/// A file in the folder for temporary files, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("halfstone-tuning-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn settings(rule: Rule, size: i64) -> Settings {
    Settings {
        rule,
        sizes: vec![Size::new(size).unwrap()],
        weights: 0,
        nodes: 60,
        seed: 11,
        shard: 0,
        shards: 1,
    }
}

fn play(settings: &Settings, numbers: std::ops::Range<u32>) -> Vec<Game> {
    let points = eval::points(settings.rule);
    let mut desk = Desk::new(settings.nodes);
    numbers.map(|number| selfplay::play(&mut desk, settings, &points, number).unwrap()).collect()
}

fn write(path: &Path, settings: &Settings, games: &[Game]) {
    let (mut writer, _) = Writer::open(path, settings).unwrap();
    games.iter().for_each(|game| writer.append(game).unwrap());
}

#[test]
fn games_follow_from_their_seed_and_are_legal_under_every_rule() {
    for rule in Rule::ALL {
        let settings = settings(rule, 9);
        let games = play(&settings, 0..3);
        assert_eq!(games, play(&settings, 0..3), "{rule}");
        assert_ne!(games[0].moves, games[1].moves);
        for game in games {
            let mut position = halfstone::rules::Position::new(rule, game.size);
            for (mv, _) in game.moves {
                position.play(mv).unwrap();
            }
        }
    }
}

#[test]
fn a_file_that_was_cut_off_is_gone_on_with() {
    let settings = settings(Rule::HalfStone, 7);
    let games = play(&settings, 0..4);
    let scratch = Scratch::new("cut");
    write(&scratch.0, &settings, &games[..3]);
    let whole = std::fs::read(&scratch.0).unwrap();
    for length in (0..whole.len()).step_by(7) {
        std::fs::write(&scratch.0, &whole[..length]).unwrap();
        let (mut writer, known) = Writer::open(&scratch.0, &settings).unwrap();
        for game in games.iter().filter(|game| !known.contains(&game.number)) {
            writer.append(game).unwrap();
        }
        let file = games::read(&scratch.0).unwrap();
        assert_eq!((file.settings, file.games), (settings.clone(), games.clone()), "cut at {length}");
    }
}

#[test]
fn damaged_and_foreign_files_of_games_are_refused() {
    let settings = settings(Rule::Freestyle, 7);
    let scratch = Scratch::new("bad");
    write(&scratch.0, &settings, &play(&settings, 0..2));
    let good = std::fs::read(&scratch.0).unwrap();
    let refused = |at: usize, to: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        std::fs::write(&scratch.0, bytes).unwrap();
        assert!(Writer::open(&scratch.0, &settings).is_err(), "byte {at}");
        format!("{:#}", games::read(&scratch.0).unwrap_err())
    };
    assert!(refused(0, b"x").contains("not a file of games"));
    assert!(refused(8, &[1, 2, 3, 4]).contains("other byte order"));
    assert!(refused(12, &[9, 0]).contains("version 9"));
    assert!(refused(20, &[3]).contains("header is damaged"));
    assert!(refused(HEADER_BYTES + 12, &[0xff]).contains("damaged game"));
    // Games of other settings are not mixed in.
    std::fs::write(&scratch.0, &good).unwrap();
    assert!(Writer::open(&scratch.0, &Settings { nodes: 61, ..settings }).is_err());
}

#[test]
fn shards_join_to_the_whole() {
    let (whole, out) = (Scratch::new("whole"), Scratch::new("joined"));
    let all = settings(Rule::Renju, 7);
    write(&whole.0, &all, &play(&all, 0..6));
    let shards: Vec<Scratch> = (0..2).map(|i| Scratch::new(&format!("shard{i}"))).collect();
    for (i, scratch) in (0..2).zip(&shards) {
        let settings = Settings { shard: i, shards: 2, ..all.clone() };
        let games: Vec<Game> = (i..6).step_by(2).flat_map(|n| play(&settings, n..n + 1)).collect();
        write(&scratch.0, &settings, &games);
    }
    // In any order, and one of them twice.
    let paths = [&shards[1], &shards[0], &shards[1]].map(|scratch| scratch.0.clone());
    assert_eq!(games::merge(&paths, &out.0).unwrap(), 6);
    assert_eq!(games::read(&out.0).unwrap().games, games::read(&whole.0).unwrap().games);
}

#[test]
fn samples_are_labelled_in_the_movers_view_and_offsets_by_who_played_last() {
    let size = Size::STANDARD;
    // Black's h8, White's i9, Black's j7, White's g8; White is said to have won.
    let points: [(usize, usize); 4] = [(7, 7), (8, 6), (9, 8), (6, 7)];
    let moves = points.map(|(x, y)| (Move::stone(Cell::new(x, y, size).unwrap()), 10));
    let game = Game { number: 0, size, opening: 0, winner: Some(Color::White), moves: moves.to_vec() };
    let mut samples = Samples::new();
    samples.add(Rule::Freestyle, &game);
    assert_eq!(samples.positions.result, [0.0, 1.0, 0.0, 1.0]);
    samples.add(Rule::Freestyle, &Game { winner: None, ..game.clone() });
    assert_eq!(samples.positions.result[4..], [0.5; 4]);

    // White's i9 was not searched though nothing was forced: chance. Of what was before it the result tells nothing.
    let mut spoiled = game.clone();
    spoiled.moves[1].1 = UNSEARCHED;
    let mut with_chance = Samples::new();
    with_chance.add(Rule::Freestyle, &spoiled);
    let results = &with_chance.positions.result;
    assert!(results[0].is_nan() && results[1..] == [0.0, 1.0], "{results:?}");
    spoiled.opening = 2;
    let mut with_opening = Samples::new();
    with_opening.add(Rule::Freestyle, &spoiled);
    assert_eq!(with_opening.positions.result, [0.0, 0.0, 1.0], "moves of the opening are no chance moves");

    // The last list is White's, after Black's j7 and his own i9; its scores are those that the engine would give.
    let mut side = SideWeights::ZERO;
    side.own = std::array::from_fn(|code| (code % 83) as i16);
    side.theirs = std::array::from_fn(|code| (code % 79) as i16 - 30);
    side.offsets = [3, -7].map(|n| std::array::from_fn(|class| n * class as i16));
    let both = [side.clone(), side.clone()];
    let mut board =
        Board::with_weights(Rule::Freestyle, size, &Weights { after: both.clone(), in_hand: both });
    moves[..3].iter().for_each(|&(mv, _)| board.make(mv));
    let mut candidates = MoveList::new();
    movegen::candidate_moves(&board, &mut candidates);
    let promises = Promises::of(&board);
    let played = moves[3].0;
    let mut wanted: Vec<i32> = vec![promises.get(played)];
    wanted.extend(candidates.iter().filter(|&&mv| mv != played).map(|&mv| promises.get(mv)));
    let score = |choice: &Choice| {
        let [own, theirs] = choice.codes.map(usize::from);
        let [reply, sequel] = choice.offsets.map(|class| usize::from(class.unwrap()));
        [side.own[own], side.theirs[theirs], side.offsets[0][reply], side.offsets[1][sequel]]
            .map(i32::from)
            .iter()
            .sum()
    };
    let choices = &samples.choices;
    assert!(candidates.contains(&played) && !choices.is_empty());
    let list = (0..choices.len()).map(|i| choices.moves(i)).find(|list| list.len() == candidates.len());
    let found: Vec<i32> = list.unwrap().iter().map(score).collect();
    assert_eq!(found, wanted);
}

#[test]
fn the_scale_of_scores_is_recovered() {
    let mut rng = Rng::new(8, 0);
    let scores: Vec<i16> = (0..60_000).map(|_| rng.below(1_201) as i16 - 600).collect();
    let won = |score: i16, chance: usize| (chance as f64) < 1e6 / (1.0 + (-f64::from(score) / 180.0).exp());
    let results: Vec<f32> =
        scores.iter().map(|&score| f32::from(u8::from(won(score, rng.below(1_000_000))))).collect();
    let found = fit::best_scale(&scores, &results);
    assert!((175.0..185.0).contains(&found), "{found}");
    // What has no result does not count.
    let all: Vec<i16> = scores.iter().copied().chain([500; 1_000]).collect();
    let told: Vec<f32> = results.iter().copied().chain([NO_RESULT; 1_000]).collect();
    assert_eq!(fit::best_scale(&all, &told), found);
}

#[test]
fn a_fit_recovers_the_numbers_behind_made_up_results() {
    let mut rng = Rng::new(5, 0);
    let mut truth = vec![0.0; CODES + TEMPO_SLOTS];
    let features = [3, 40, 700, 1_500, 2_379];
    for (&feature, worth) in features.iter().zip([0.8, -0.5, 0.3, -1.0, 0.6]) {
        truth[feature] = worth;
    }
    truth[CODES + 5] = 0.7;
    let mut made_up = |count: usize| {
        let mut positions = Positions { starts: vec![0], ..Positions::default() };
        for _ in 0..count {
            let mut odds = 0.0;
            for &feature in &features {
                let n = rng.below(5) as i16 - 2;
                odds += truth[feature] * f64::from(n);
                positions.codes.push((feature as u16, n));
            }
            let facts = rng.below(2) * 5;
            odds += truth[CODES + facts];
            positions.starts.push(positions.codes.len() as u32);
            positions.tempo.push(facts as u16);
            let won = rng.below(1_000_000) < (1e6 / (1.0 + (-odds).exp())) as usize;
            positions.result.push(if won { 1.0 } else { 0.0 });
            positions.score.push(0);
        }
        positions
    };
    let (train, validation) = (made_up(30_000), made_up(3_000));
    let options =
        Options { lambda: 0.0, pull: 0.1, batch: 1_000, rate: 0.02, epochs: 20, ..Options::default() };
    let mut weights = vec![0.0; truth.len()];
    let curve = fit::evaluation(&train, &validation, 1, 200.0, &mut weights, &options);
    assert!(curve.after() < curve.before());
    for (i, (found, true_worth)) in weights.iter().zip(&truth).enumerate() {
        assert!((found - true_worth).abs() < 0.1, "{i}: {found} for {true_worth}");
    }
}

#[test]
fn move_scores_are_recovered_too() {
    let mut rng = Rng::new(6, 0);
    let worth = |choice: &Choice| {
        let part = |offset: Option<u8>, factor: f64| f64::from(offset.unwrap_or(0)) * factor;
        let [own, theirs] = choice.codes.map(f64::from);
        own * 0.4 - theirs * 0.3 + part(choice.offsets[0], -0.5) + part(choice.offsets[1], 0.2)
    };
    let mut made_up = |count: usize| {
        let mut choices = Choices { starts: vec![0], ..Choices::default() };
        for _ in 0..count {
            // In one list of three nothing was played before the opponent's last move.
            let second = !rng.percent(33);
            let mut choice = || Choice {
                codes: [(); 2].map(|()| rng.below(4) as u16),
                offsets: [true, second].map(|known| known.then(|| rng.below(4) as u8)),
            };
            let moves: [Choice; 6] = std::array::from_fn(|_| choice());
            let chances: Vec<f64> = moves.iter().map(|choice| worth(choice).exp()).collect();
            let mut at = chances.iter().sum::<f64>() * rng.below(1_000_000) as f64 / 1e6;
            let played = chances.iter().position(|chance| {
                at -= chance;
                at < 0.0
            });
            choices.moves.push(moves[played.unwrap_or(5)]);
            choices.moves.extend((0..6).filter(|&i| i != played.unwrap_or(5)).map(|i| moves[i]));
            choices.starts.push(choices.moves.len() as u32);
        }
        choices
    };
    let (train, validation) = (made_up(20_000), made_up(2_000));
    let options = Options { pull: 0.1, batch: 1_000, rate: 0.02, epochs: 15, ..Options::default() };
    let mut weights = vec![0.0; 2 * (CODES + OFFSETS)];
    fit::policy(&train, &validation, 1, &mut weights, &options);
    // Only differences between candidates count.
    for i in 1..4 {
        assert!((weights[i] - weights[0] - 0.4 * i as f64).abs() < 0.1);
        assert!((weights[CODES + i] - weights[CODES] + 0.3 * i as f64).abs() < 0.1);
        let [reply, sequel] = [2 * CODES, 2 * CODES + OFFSETS];
        assert!((weights[reply + i] - weights[reply] + 0.5 * i as f64).abs() < 0.1);
        assert!((weights[sequel + i] - weights[sequel] - 0.2 * i as f64).abs() < 0.1);
    }
}

#[test]
fn the_same_seed_gives_the_same_file_and_every_table_has_its_place() {
    for (rule, network) in [(Rule::Freestyle, true), (Rule::Renju, false), (Rule::HalfStone, true)] {
        let settings = settings(rule, 9);
        let games = play(&settings, 0..60);
        // Small batches: with one step a pass, what is learnt would be lost in rounding.
        let options = Options { epochs: 4, batch: 64, network, ..Options::default() };
        let fitted = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                run::fit_games(rule, &games, &run::prior(rule, None), None, &options, None).unwrap()
            })
        };
        let one = fitted(1).file;
        assert_eq!(one.to_bytes(), fitted(3).file.to_bytes());
        assert_eq!(WeightFile::from_bytes(&one.to_bytes()).unwrap(), one);
        assert_ne!(*one.weights, Weights::hand_set());
        assert_eq!(one.weights.after[0].network.is_some(), network);
        let layout = Layout::of(rule);
        // Tables that came out alike are stored once.
        assert!((1..=layout.tables()).contains(&usize::from(one.to_bytes()[15])));
        for table in 0..layout.tables() {
            let (hand, color) = layout.user(table);
            assert_eq!(layout.table(hand, color), table);
        }
    }
}

#[test]
fn players_can_be_given_other_weights() {
    let settings = settings(Rule::Freestyle, 9);
    let hand_set = run::prior(Rule::Freestyle, None);
    let points = Arc::new(halfstone::pattern::PointTable::new(Rule::Freestyle, &hand_set));
    let mut desk = Desk::new(settings.nodes);
    let by_hand: Vec<Game> =
        (0..6).map(|number| selfplay::play(&mut desk, &settings, &points, number).unwrap()).collect();
    assert_ne!(by_hand, play(&settings, 0..6));
}

#[test]
fn two_processes_do_not_append_to_one_file() {
    let settings = settings(Rule::Freestyle, 7);
    let scratch = Scratch::new("locked");
    let writer = Writer::open(&scratch.0, &settings).unwrap();
    let refused = Writer::open(&scratch.0, &settings).unwrap_err();
    assert!(format!("{refused:#}").contains("another process"), "{refused:#}");
    drop(writer);
    assert!(Writer::open(&scratch.0, &settings).is_ok());
}

#[test]
fn a_game_counts_once_and_its_place_in_the_file_does_not_matter() {
    let games = play(&settings(Rule::Freestyle, 9), 0..30);
    let options = Options { epochs: 1, ..Options::default() };
    let fitted = |games: &[Game]| {
        let prior = run::prior(Rule::Freestyle, None);
        run::fit_games(Rule::Freestyle, games, &prior, None, &options, None).unwrap().file
    };
    let once = fitted(&games);
    let twice: Vec<Game> = games.iter().rev().chain(&games).cloned().collect();
    assert_eq!(once.to_bytes(), fitted(&twice).to_bytes());
}
