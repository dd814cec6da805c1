//! The layers of the crate: every path from one top module to another must be in the table below, which is the one in
//! `docs/architecture.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each top module and the modules that it may import.
const TABLE: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("control", &["types"]),
    ("game", &["types"]),
    ("tt", &["types"]),
    // Not rules: the tests compare the two, so they must be independent.
    ("pattern", &["types"]),
    ("rules", &["types", "game"]),
    ("formats", &["types", "game"]),
    ("wire", &["types", "game"]),
    ("board", &["types", "game", "pattern"]),
    ("movegen", &["types", "pattern", "board"]),
    ("eval", &["types", "pattern", "board"]),
    // Names for people: slow, on the reference; of the tables' module it takes the line judge only.
    ("shapes", &["types", "game", "pattern", "rules"]),
    ("solver", &["types", "control", "tt", "pattern", "board", "movegen"]),
    ("search", &["types", "control", "tt", "pattern", "board", "movegen", "eval", "solver"]),
    ("selfplay", &["types", "control", "game", "tt", "pattern", "rules", "board", "search"]),
    (
        "engine",
        &[
            "types", "control", "game", "tt", "pattern", "rules", "formats", "board", "movegen", "eval",
            "solver", "search", "selfplay",
        ],
    ),
    ("protocol", &["types", "control", "game", "wire", "engine"]),
    // Never board, pattern, search or engine: the referee shares no code with the players.
    ("arena", &["types", "control", "game", "rules", "formats", "wire"]),
    (
        "cli",
        &[
            "types", "control", "game", "tt", "pattern", "rules", "formats", "wire", "board", "movegen",
            "eval", "shapes", "solver", "search", "selfplay", "engine", "protocol", "arena",
        ],
    ),
];

#[test]
fn imports_go_only_where_the_table_allows() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    let mut looked_at = 0;
    for file in rust_files(&src) {
        let inner = file.strip_prefix(&src).unwrap();
        let path = module_path(inner);
        // lib.rs and main.rs are above every layer.
        let Some(top) = path.first() else {
            continue;
        };
        looked_at += 1;
        let Some((_, allowed)) = TABLE.iter().find(|(name, _)| name == top) else {
            faults.push(format!("{}: the module {top} is not in the table", inner.display()));
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        for target in imports(&text, path.len()) {
            if target == *top || allowed.contains(&target.as_str()) {
                continue;
            }
            faults.push(format!("{}: {top} may not import {target}", inner.display()));
        }
    }
    assert!(looked_at > 0, "no module found under {}", src.display());
    assert!(faults.is_empty(), "imports against docs/architecture.md:\n{}", faults.join("\n"));
}

#[test]
fn the_table_lists_lower_layers_first_and_so_has_no_cycle() {
    for (i, (module, allowed)) in TABLE.iter().enumerate() {
        for name in *allowed {
            let at = TABLE.iter().position(|(other, _)| other == name);
            assert!(at.is_some_and(|at| at < i), "{module} lists {name}, which does not come before it");
        }
    }
}

#[test]
fn the_scanner_finds_every_form_of_path_and_no_other() {
    let text = r##"
        //! crate::doc_comment /* crate::no */
        use crate::types::{Cell, Size};
        use crate::{game::GameRecord, pattern::{self, codes}, tt as table, r#eval};
        pub(crate) fn f() -> crate :: board::Board { "crate::text \" crate::text" ; r#"crate::raw"# }
        /* crate::block /* crate::nested */ crate::block */
        fn g<'a>(c: &'a char) { if *c == '"' { crate::solver::run() } else { $crate::search::go() } }
        use super::near;
        mod tests { use super::*; use super::super::sibling; }
        const X: char = '\''; // crate::trailing
    "##;
    let found: Vec<String> = imports(text, 2).into_iter().collect();
    assert_eq!(found, ["board", "eval", "game", "pattern", "search", "solver", "tt", "types"]);
    // In a file that is a top module, one `super` is the crate root; in a module inside it, two.
    assert_eq!(imports("use super::board::Board;", 1).into_iter().collect::<Vec<_>>(), ["board"]);
    assert_eq!(imports("use super::super::board::Board;", 2).into_iter().collect::<Vec<_>>(), ["board"]);
    let inline = "mod tests { use super::*; use super::super::{tt::Table, board}; } use super::eval;";
    assert_eq!(imports(inline, 1).into_iter().collect::<Vec<_>>(), ["board", "eval", "tt"]);
    // A whole root import is an arrow to everything, and no module is called `*` or `self`.
    assert_eq!(
        imports("use crate::*; use crate::{self as all};", 1).into_iter().collect::<Vec<_>>(),
        ["*", "self"]
    );
}

/// All Rust files below a folder, in a fixed order.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The module that a file of `src/` is: `types/cell.rs` is `types`, `cell`. Empty for the crate roots.
fn module_path(file: &Path) -> Vec<String> {
    let mut path: Vec<String> =
        file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if path.last().is_some_and(|last| last == "mod") {
        path.pop();
    }
    if path == ["lib"] || path == ["main"] {
        path.clear();
    }
    path
}

/// The top modules that a file names, by a path that starts at `crate` or climbs to it with `super`. `depth` is the
/// number of modules that the file is inside of, itself included.
fn imports(text: &str, depth: usize) -> BTreeSet<String> {
    let tokens = tokens(text);
    let mut found = BTreeSet::new();
    // Braces that are open, and whether each belongs to an inline module.
    let mut open: Vec<bool> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].as_str() {
            "{" => open.push(at >= 2 && tokens[at - 2] == "mod"),
            "}" => {
                open.pop();
            }
            "crate" if is(&tokens, at + 1, "::") => {
                collect_roots(&tokens, at + 2, &mut found);
            }
            "super" if is(&tokens, at + 1, "::") => {
                let mut climbed = 1;
                while is(&tokens, at + 2, "super") && is(&tokens, at + 3, "::") {
                    climbed += 1;
                    at += 2;
                }
                if climbed >= depth + open.iter().filter(|&&inline| inline).count() {
                    collect_roots(&tokens, at + 2, &mut found);
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn is(tokens: &[String], at: usize, text: &str) -> bool {
    tokens.get(at).is_some_and(|token| token == text)
}

/// Adds the name at `at`, or the first name of every entry if a group starts there.
fn collect_roots(tokens: &[String], at: usize, found: &mut BTreeSet<String>) {
    let Some(first) = tokens.get(at) else {
        return;
    };
    if first != "{" {
        found.insert(first.clone());
        return;
    }
    let mut nesting = 0;
    let mut entry_starts = false;
    for token in &tokens[at..] {
        match token.as_str() {
            "{" => {
                nesting += 1;
                entry_starts = nesting == 1;
            }
            "}" => {
                nesting -= 1;
                if nesting == 0 {
                    return;
                }
            }
            "," => entry_starts = nesting == 1,
            name if entry_starts => {
                found.insert(name.to_owned());
                entry_starts = false;
            }
            _ => {}
        }
    }
}

/// Words, `::` and single signs of Rust source, without comments and without the contents of strings.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let starts = |at: usize, what: &str| what.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c));
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if starts(at, "//") {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
        } else if starts(at, "/*") {
            let mut nesting = 0;
            while at < chars.len() {
                if starts(at, "/*") {
                    nesting += 1;
                    at += 2;
                } else if starts(at, "*/") {
                    nesting -= 1;
                    at += 2;
                    if nesting == 0 {
                        break;
                    }
                } else {
                    at += 1;
                }
            }
        } else if let Some(length) = raw_string(&chars[at..]) {
            at += length;
        } else if c == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if c == '\'' && (starts(at + 1, "\\") || chars.get(at + 2) == Some(&'\'')) {
            // A character; anything else after an apostrophe is a lifetime.
            at += if starts(at + 1, "\\") { 3 } else { 2 };
            while at < chars.len() && chars[at] != '\'' {
                at += 1;
            }
            at += 1;
        } else if is_word(c) {
            // `r#eval` is the word `eval`.
            if starts(at, "r#") && chars.get(at + 2).is_some_and(|&c| is_word(c)) {
                at += 2;
            }
            let word: String = chars[at..].iter().take_while(|&&c| is_word(c)).collect();
            at += word.chars().count();
            tokens.push(word);
        } else if starts(at, "::") {
            tokens.push("::".to_owned());
            at += 2;
        } else {
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
            at += 1;
        }
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the raw string that starts here, `r"…"` or `r#"…"#`, with or without a `b` before it.
fn raw_string(chars: &[char]) -> Option<usize> {
    let after_b = usize::from(chars.first() == Some(&'b'));
    if chars.get(after_b) != Some(&'r') {
        return None;
    }
    let hashes = chars[after_b + 1..].iter().take_while(|&&c| c == '#').count();
    let quote = after_b + 1 + hashes;
    if chars.get(quote) != Some(&'"') {
        return None;
    }
    let mut end = quote + 1;
    while end < chars.len() {
        if chars[end] == '"' && chars[end + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
        {
            return Some(end + 1 + hashes);
        }
        end += 1;
    }
    Some(chars.len())
}
