//! What an engine takes in memory, as Linux tells it; elsewhere nothing is known.

/// Memory of a process and its group, in KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Largest resident set, shared pages included.
    pub(super) peak_kb: u64,
    /// What only these processes hold at this moment: what Gomocup's referee looks at.
    pub(super) unique_kb: u64,
}

/// The memory of all processes in a process group.
#[cfg(target_os = "linux")]
pub(super) fn of_group(leader: u32) -> Usage {
    let mut usage = Usage::default();
    let Ok(entries) = std::fs::read_dir("/proc") else { return usage };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        if group_of(pid) == Some(leader) {
            usage.peak_kb += field(pid, "status", &["VmHWM:"]);
            usage.unique_kb += field(pid, "smaps_rollup", &["Private_Clean:", "Private_Dirty:"]);
        }
    }
    usage
}

/// The memory of all processes in a process group.
#[cfg(not(target_os = "linux"))]
pub(super) fn of_group(_leader: u32) -> Usage {
    Usage::default()
}

/// The process group of a process: the third field after its name, which may hold anything but ends at the last `)`.
#[cfg(target_os = "linux")]
fn group_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(2)?.parse().ok()
}

/// The sum of these fields of a file of `/proc`, in KiB.
#[cfg(target_os = "linux")]
fn field(pid: u32, file: &str, names: &[&str]) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let value = |line: &str| line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok();
    text.lines().filter(|line| names.iter().any(|name| line.starts_with(name))).filter_map(value).sum()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn our_own_group_takes_something() {
        let group = group_of(std::process::id()).unwrap();
        let usage = of_group(group);
        assert!(usage.peak_kb > 500 && usage.unique_kb > 100, "{usage:?}");
        assert_eq!(of_group(u32::MAX), Usage::default());
    }
}
