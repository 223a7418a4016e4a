//! Reasons for a failed start, by what the server printed, with remedies.

use std::path::Path;

use super::place::Place;

/// Returns the last message of a server, with the remedy if it is known.
pub(super) fn remedy(place: &Place, program: &Path, log: &str) -> String {
    let said = |words: &str| log.contains(words);
    if said("RDB format version") || said("Unknown AUX field") {
        return "A newer server wrote its data: name that one with --redis-server.".into();
    }
    if said("reading the append only file") || said("append only file format") {
        return format!(
            "Its append-only file is damaged. Keep a copy of {dir}, then mend it with \
             `{tool} --fix {dir}/appendonlydir/appendonly.aof.manifest` (it says what it cuts off).",
            dir = place.dir.display(),
            tool = check_tool(program),
        );
    }
    if disk_is_full(log) {
        return format!(
            "The disk is full, or takes no writes for another reason. Make room for {}: Redwing waits, and starts the \
             server when it can write. What was answered is kept.",
            place.dir.display(),
        );
    }
    if said("AOF MANIFEST FILE ERROR") {
        return unreadable(
            "The list of its data files (appendonly.aof.manifest) is damaged",
            place,
        );
    }
    if said("Unable to obtain the AOF file") {
        return unreadable("A data file is missing", place);
    }
    if said("Wrong RDB checksum") || said("Internal error in RDB reading") {
        return unreadable("A data file is damaged, and no tool repairs it", place);
    }
    let error = log.lines().rev().find(|line| line.contains(" # "));
    match error.or_else(|| log.lines().last()) {
        Some(line) => format!("It says: {}.", line.trim().trim_end_matches('.')),
        None => "It says nothing.".into(),
    }
}

/// Returns the remedy for data files that neither the server nor its check tool can read.
fn unreadable(fault: &str, place: &Place) -> String {
    format!(
        "{fault}. Keep a copy of {dir}. Then restore the whole directory from a backup, or move it away to begin a new \
         site. docs/deploy.md, section \"Damaged data files\", says what else can help.",
        dir = place.dir.display(),
    )
}

/// Returns whether a server ended because of a full disk. A server that syncs every write then ends. The fourth one is
/// of a first start, which writes the first data file.
pub(super) fn disk_is_full(log: &str) -> bool {
    const WORDS: [&str; 5] = [
        "Can't recover from AOF write error",
        "Can't persist AOF for fsync error",
        "No space left on device",
        "Write error writing append only file on disk",
        "Disk quota exceeded",
    ];
    WORDS.iter().any(|words| log.contains(words))
}

/// Returns the check tool of the same vendor, beside the server.
fn check_tool(program: &Path) -> String {
    let name = match program.file_name().and_then(|name| name.to_str()) {
        Some(name) if name.starts_with("valkey") => "valkey-check-aof",
        _ => "redis-check-aof",
    };
    program.with_file_name(name).display().to_string()
}
