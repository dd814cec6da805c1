//! temporary
mod bench;
/// temporary
pub fn main() {
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(|| {
            bench::run(
                std::env::args().nth(1).and_then(|d| d.parse().ok()).unwrap_or(bench::DEPTH),
                &mut std::io::stdout(),
            )
        })
        .unwrap()
        .join()
        .unwrap()
        .unwrap();
}
