//! The binary: everything happens in the library.
fn main() {
    halfstone::cli::main()
}
