//! The parts of a site that `redwing status` examines: Redis, memory, storage of people, files, replicas, data version,
//! clocks, queue, workers, disk. Each needs a bounded number of reads.

use std::path::Path;

use super::Check;
use crate::store::{
    ClockNote, ClockSkew, DATA_VERSION, LargestStorage, NodeHealth, QueueHealth, Result, Store,
};

const MIB: u64 = 1024 * 1024;
const HOUR_MS: u64 = 3_600_000;
/// Maximum number of people that are named with their storage.
const PEOPLE_NAMED: usize = 5;
/// Share of the memory limit from which on the storage of one person is a warning.
const MUCH_STORAGE_PERCENT: u64 = 10;
/// Free space of a disk below which to warn, and below which the site is about to stop.
const LITTLE_SPACE_PERCENT: u64 = 15;
const NO_SPACE_PERCENT: u64 = 5;
/// Age of a waiting task from which on to warn, in ms.
const OLD_TASK_MS: u64 = 60_000;

/// Examines all parts. A Redis that does not answer is the only part then.
pub async fn all(store: &Store) -> Vec<Check> {
    match of_redis(store).await {
        Ok(mut checks) => {
            checks.push(disk(&store.config().data_dir));
            checks
        }
        Err(error) => vec![Check::failure(
            "Redis",
            error.to_string(),
            "Start Redis, or correct REDIS_URL or REDWING_DATA_DIR. Its own log has the reason.",
        )],
    }
}

async fn of_redis(store: &Store) -> Result<Vec<Check>> {
    let nodes = store.node_health().await?;
    let mut checks = Vec::new();
    for node in &nodes {
        checks.push(Check::ok("Redis", running(node)));
        checks.push(memory(node));
        checks.push(files(node));
    }
    let limits = nodes.iter().map(|node| node.limit_bytes);
    let limit = limits.filter(|limit| *limit > 0).min();
    checks.push(storage(&store.largest_storage(PEOPLE_NAMED).await?, limit));
    checks.extend(replicas(&nodes, u64::from(store.wanted_replicas())));
    checks.push(data_version(store).await?);
    checks.push(clock(store.last_clock_note().await?));
    if store.is_cluster() {
        checks.push(clocks(&store.measure_clock_skew().await?));
    }
    let queue = store.queue_health().await?;
    checks.push(tasks(queue));
    checks.push(workers(queue));
    checks.push(dead_tasks(queue));
    Ok(checks)
}

fn running(node: &NodeHealth) -> String {
    let hours = node.uptime_s / 3600;
    let time = match (hours / 24, hours) {
        (0, 0) => "less than an hour".to_owned(),
        (0, 1) => "1 hour".to_owned(),
        (0, hours) => format!("{hours} hours"),
        (1, _) => "1 day".to_owned(),
        (days, _) => format!("{days} days"),
    };
    format!("{}, running for {time}", node.version)
}

fn memory(node: &NodeHealth) -> Check {
    let used = node.used_bytes / MIB;
    if node.limit_bytes == 0 {
        let text = format!("{used} MiB, without a limit");
        let remedy =
            "Set maxmemory, so that Redis refuses writes before the machine has no memory left.";
        return Check::warning("memory", text, remedy);
    }
    let (percent, limit) = (node.memory.percent(), node.limit_bytes / MIB);
    let text = format!("{percent} % of {limit} MiB");
    if node.memory.is_almost_full() {
        let remedy = "Posting is closed. Raise maxmemory (docs/deploy.md, “Full memory”).";
        return Check::failure("memory", text, remedy);
    }
    match node.memory.is_high() {
        true => Check::warning("memory", text, "Raise maxmemory. Posting closes at 95 %."),
        false => Check::ok("memory", text),
    }
}

/// Names the people who use most storage, as the quotas count it.
fn storage(largest: &LargestStorage, limit_bytes: Option<u64>) -> Check {
    let named = largest.people.iter().map(|(login, storage)| {
        let tenths = storage.bytes() * 10 / MIB;
        format!("@{login} {}.{} MiB", tenths / 10, tenths % 10)
    });
    let mut text = named.collect::<Vec<_>>().join(", ");
    if text.is_empty() {
        text = "no posts or messages".to_owned();
    }
    if largest.is_partial {
        text += &format!(" (of the newest {} accounts)", largest.examined_count);
    }
    let most = largest.people.first();
    let most = most.map_or(0, |(_, storage)| storage.bytes());
    match limit_bytes {
        Some(limit) if most * 100 > limit * MUCH_STORAGE_PERCENT => Check::warning(
            "storage",
            text,
            "One person uses more than a tenth of the memory. Lower REDWING_POST_BYTES or REDWING_MESSAGE_BYTES, or \
             see `redwing admin show LOGIN`.",
        ),
        _ => Check::ok("storage", text),
    }
}

fn files(node: &NodeHealth) -> Check {
    if !node.are_files_written {
        let text = "Redis cannot write its append-only file";
        let remedy = "Make room on its disk, and read its log. Until then no write is safe.";
        return Check::failure("files", text, remedy);
    }
    if !node.is_append_only {
        let text = "appendonly is off: all data is lost when Redis stops";
        return Check::warning("files", text, "Set `appendonly yes`.");
    }
    match node.evicts {
        true => Check::warning(
            "files",
            "maxmemory-policy evicts: Redis deletes data when memory is short",
            "Set `maxmemory-policy noeviction`.",
        ),
        false => Check::ok("files", "every write is in the append-only file"),
    }
}

/// Replicas are examined where the settings ask for some.
fn replicas(nodes: &[NodeHealth], wanted: u64) -> Option<Check> {
    let fewest = nodes.iter().map(|node| node.replica_count).min()?;
    let text = format!("{fewest} connected to the primary with fewest, {wanted} wanted");
    match (wanted, fewest) {
        (0, 0) => None,
        (wanted, fewest) if fewest < wanted => Some(Check::failure(
            "replicas",
            text,
            "Start the missing replicas. Until then writes are refused.",
        )),
        _ => Some(Check::ok("replicas", text)),
    }
}

async fn data_version(store: &Store) -> Result<Check> {
    let known = DATA_VERSION.number;
    Ok(match store.found_data_version().await? {
        Some(found) if found == known => Check::ok("data", format!("version {found}")),
        Some(found) if found < known => Check::warning(
            "data",
            format!("version {found}, this Redwing writes {known}"),
            "Restart the site with this Redwing. It brings the data to its version.",
        ),
        Some(found) => Check::failure(
            "data",
            format!("version {found}, this Redwing knows versions up to {known}"),
            "Use the newer Redwing that wrote it.",
        ),
        None => Check::warning(
            "data",
            "no version: the site has not started yet, or this is another database",
            "Start the site, or correct REDIS_URL or REDWING_DATA_DIR.",
        ),
    })
}

/// Reports a jump of the clock while work waits because of it.
fn clock(note: Option<ClockNote>) -> Check {
    match note.and_then(|note| note.wait_ms()) {
        None => Check::ok("clock", "no jump in the last day"),
        Some(wait_ms) => Check::warning(
            "clock",
            format!(
                "it jumped; due deletions wait for {} hours",
                wait_ms.div_ceil(HOUR_MS)
            ),
            "Check the clock of the machine of Redis. If it is right, the deletions go on by themselves.",
        ),
    }
}

/// Compares the clocks of the primaries of a cluster.
fn clocks(skew: &ClockSkew) -> Check {
    match skew.is_high() {
        true => Check::warning(
            "clocks",
            skew.to_string(),
            "Set the clocks of all nodes by NTP. Until then writes can fail.",
        ),
        false => Check::ok("clocks", "those of the primaries agree to within a second"),
    }
}

fn tasks(queue: QueueHealth) -> Check {
    let age_s = queue.oldest_ms / 1000;
    let text = format!(
        "{} tasks to run, the oldest for {age_s} s; {} due later",
        queue.waiting, queue.later
    );
    match queue.oldest_ms > OLD_TASK_MS {
        true => Check::warning(
            "queue",
            text,
            "The workers are behind. Run more: `redwing work`, or REDWING_WORKERS.",
        ),
        false => Check::ok("queue", text),
    }
}

fn workers(queue: QueueHealth) -> Check {
    let text = format!(
        "{} active, {} lost",
        queue.active_workers, queue.lost_workers
    );
    match (queue.active_workers, queue.lost_workers) {
        (0, _) => Check::failure(
            "workers",
            text,
            "No worker runs, so posts reach no home. Start the site, or `redwing work`.",
        ),
        (_, 0) => Check::ok("workers", text),
        _ => Check::warning(
            "workers",
            text,
            "Another worker takes over their tasks within a minute. Look for a crash in the log.",
        ),
    }
}

fn dead_tasks(queue: QueueHealth) -> Check {
    match queue.dead {
        0 => Check::ok("given up", "no task"),
        dead => Check::warning(
            "given up",
            format!("{dead} tasks"),
            "The log names the reason. To run them again: `redwing check --repair`.",
        ),
    }
}

fn disk(directory: &Path) -> Check {
    let shown = directory.display();
    let Ok(found) = rustix::fs::statvfs(directory) else {
        return Check::ok("disk", format!("{shown} is not on this machine"));
    };
    let (free, all) = (
        found.f_bavail * found.f_frsize,
        found.f_blocks * found.f_frsize,
    );
    let percent = (free * 100).checked_div(all).unwrap_or(100);
    let text = format!("{percent} % of {} MiB are free below {shown}", all / MIB);
    let remedy = "Make room. Redis stops writing when the disk is full.";
    match percent {
        0..NO_SPACE_PERCENT => Check::failure("disk", text, remedy),
        NO_SPACE_PERCENT..LITTLE_SPACE_PERCENT => Check::warning("disk", text, remedy),
        _ => Check::ok("disk", text),
    }
}
