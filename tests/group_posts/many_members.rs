//! A group with more members than one pass serves.

use std::future::ready;

use futures_util::{StreamExt, stream};
use redwing::{
    actions::groups,
    domain::{GroupAct, GroupId, GroupKind, StatusId, Timeline, UserId},
    store::Store,
};

use super::group_of;
use crate::support::{
    core::Core,
    crowd::{self, delete, member},
    groups::{act, event, post},
    pool::Redis,
    redis::RedisServer,
};

/// As many as a group can have, with its owner.
const MEMBERS: u64 = 9999;

/// Writes members in bulk, as the scripts would: the source of truth, the copies, and an open home for each.
fn add_members(core: &Core, group: GroupId, first: u64) -> Vec<UserId> {
    let mut lines = String::new();
    let mut people = Vec::new();
    for nth in 0..MEMBERS {
        let id = first + nth;
        let at = 1_700_000_000_000_000 + nth;
        people.push(UserId::new(id).expect("in range"));
        for line in [
            format!(
                "HSET user:{{{id}}} id {id} login person{id} name person{id} signup 1 posts 0 followers 0 following 0"
            ),
            format!("HSET auth:{{{id}}} epoch x password x"),
            format!("SET login:{{person{id}}} {id}"),
            format!("ZADD group:{{{group}}}:members {at} {id}"),
            format!("ZADD group:{{{group}}}:home {at} {id}"),
            format!("ZADD memberships:{{{id}}} {at} {group}"),
            format!("ZADD home_groups:{{{id}}} {at} {group}"),
            format!("SET active:{{{id}}} 0 EX 100000"),
        ] {
            lines.push_str(&line);
            lines.push('\n');
        }
    }
    let members = MEMBERS + 1;
    lines.push_str(&format!("HSET group:{{{group}}} members {members}\n"));
    core.redis.one_node().pipe(&lines);
    people
}

/// Returns the number of stored homes that have a status.
async fn count(store: &Store, people: &[UserId], id: StatusId) -> usize {
    let has = async |person: &UserId| {
        let home = store.timeline_ids(Timeline::Home(*person)).await;
        home.expect("an answer").contains(&id)
    };
    let homes = stream::iter(people).map(has).buffer_unordered(32);
    homes.filter(|has| ready(*has)).count().await
}

#[tokio::test]
async fn a_post_reaches_10000_homes_by_passes_and_a_deletion_and_a_ban_leave_them() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let group = group_of(store, GroupKind::Private, owner, &[]).await;
    let people = add_members(&core, group, 1000);
    let count = async |id| count(store, &people, id).await;
    let id = post(store, group, owner, "to all of you").await;
    assert_eq!(count(id).await, 100, "the first pass runs within the call");
    let kept = post(store, group, owner, "and this").await;
    core.drain().await;
    assert_eq!(count(id).await, people.len());
    delete(store, owner, id).await;
    core.drain().await;
    assert_eq!(count(id).await, 0);
    assert_eq!(count(kept).await, people.len());
    let banned = people[1200];
    assert_eq!(crowd::home(store, banned).await, ["and this"]);
    act(store, group, owner, GroupAct::Ban(event(banned))).await;
    assert!(crowd::home(store, banned).await.is_empty());
    assert_eq!(count(kept).await, people.len() - 1);
    let row = store.group(group).await.expect("an answer");
    let slug = row.expect("a group").slug;
    let deleted = groups::delete(store, owner, (group, &slug)).await;
    assert!(deleted.expect("an answer"));
    core.drain().await;
    assert_eq!(count(kept).await, 0);
    let memberships = core.keys("memberships:").await;
    assert!(memberships.is_empty(), "{}", memberships.len());
    assert!(store.group(group).await.expect("an answer").is_none());
}
