//! Redis restarts while all keys, or all entries of a key, are read in steps. A cursor of a scan is valid only in the
//! process that gave it.

use std::collections::HashSet;

use redwing::store::{BacklogReader, Queue};

use crate::support::{core::Core, pool::Redis, redis::RedisServer};

/// So many that a scan takes several steps, and that chance completes no scan with a cursor of another process.
const COUNT: usize = 5000;
/// The step before which Redis restarts.
const RESTART: usize = 2;

/// Starts Redis, with a command for each number.
fn core_with(command: impl Fn(usize) -> String) -> Core {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let commands: Vec<String> = (0..COUNT).map(command).collect();
    for commands in commands.chunks(500) {
        core.redis.one_node().pipe(&commands.join("\n"));
    }
    core
}

fn restart(core: &mut Core) {
    core.redis.kill();
    core.redis.restart();
}

#[tokio::test]
async fn a_walk_during_which_redis_restarts_meets_every_key() {
    let mut core = core_with(|number| format!("SET rate:{{post:{number}}} 1"));
    let store = core.store.clone();
    let mut walk = store.begin_walk().await.expect("an answer");
    let mut names = HashSet::new();
    for step in 0.. {
        if step == RESTART {
            restart(&mut core);
        }
        let Some(found) = store.walk(&mut walk, COUNT / 5).await.expect("an answer") else {
            assert!(step > RESTART, "it took {step} steps");
            break;
        };
        names.extend(found.into_iter().map(|key| key.name));
    }
    names.retain(|name| name.starts_with("rate:"));
    assert_eq!(names.len(), COUNT);
}

#[tokio::test]
async fn outbox_entries_are_all_read_although_redis_restarts() {
    let entry =
        |number: usize| format!("ZADD tasks:{{0}}:later 1 '{number} 0 {{\"names\":\"7\"}}'");
    let mut core = core_with(entry);
    let store = core.store.clone();
    let mut reader = BacklogReader::of(Queue::Later);
    let mut ids = HashSet::new();
    for step in 0.. {
        if step == RESTART {
            restart(&mut core);
        }
        let Some(entries) = store.waiting(&mut reader).await.expect("an answer") else {
            assert!(step > RESTART, "it took {step} steps");
            break;
        };
        ids.extend(entries.into_iter().map(|entry| entry.id));
    }
    assert_eq!(ids.len(), COUNT);
}
