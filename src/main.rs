//! The binary: everything happens in the library.

fn main() -> std::process::ExitCode {
    halfstone::cli::main()
}
