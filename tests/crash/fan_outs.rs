//! A worker that is interrupted before each command while it moves a fan-out to the lane of further ones. Another worker
//! takes its task over.

use redwing::{
    domain::{StatusId, UserId},
    worker,
};

use super::cut_off_everywhere;
use crate::support::{
    core::Core,
    crowd::{follow, member, people, posts, readers_who_see},
    pool::Redis,
    redis::RedisServer,
};

struct Scene {
    readers: Vec<UserId>,
    posts: Vec<StatusId>,
}

#[tokio::test]
async fn a_fan_out_is_complete_after_its_move_was_cut_off() {
    /// The second post is moved, because each pass takes more than the share. Tasks are taken over at once.
    const SETTINGS: [[&str; 2]; 3] = [
        ["--pass-size", "1"],
        ["--author-fan-out-ms", "0"],
        ["--task-claim-ms", "1"],
    ];
    let core = Core::on(Redis::Node(RedisServer::start()), SETTINGS.as_flattened());
    let store = &core.store;
    cut_off_everywhere(
        &core,
        async |number| {
            let author = member(store, &format!("author_{number}")).await;
            let readers = people(store, &format!("reader_{number}"), 2).await;
            for reader in &readers {
                follow(store, *reader, author).await;
            }
            core.drain().await;
            let posts = posts(store, author, 2).await;
            Scene { readers, posts }
        },
        async |broken, _| worker::do_some(broken, usize::MAX).await.map(drop),
        async |scene| {
            core.drain_after_lost_worker().await;
            for id in &scene.posts {
                let seen = readers_who_see(store, &scene.readers, *id).await;
                assert_eq!(seen, scene.readers);
            }
        },
    )
    .await;
}
