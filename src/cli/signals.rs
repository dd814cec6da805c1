//! SIGINT and SIGTERM of the subcommands that run engines, which are in process groups of their own and hear nothing of
//! a Ctrl-C.

use crate::control::StopSignal;

/// Raises the stop signal at SIGINT or SIGTERM. When it is up already, as at the second one, the engines are killed and
/// the program ends at once.
#[cfg(unix)]
pub(super) fn listen(stop: &StopSignal) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let stop = stop.clone();
    // Without it the program ends as programs do.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if stop.is_raised() {
                crate::arena::kill_engines();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            stop.raise();
        }
    });
}

#[cfg(not(unix))]
pub(super) fn listen(_stop: &StopSignal) {}
