//! The agreement of the timeline scripts with the Rust code about where a status belongs.

use std::collections::HashSet;

use proptest::prelude::*;
use redwing::{
    domain::{
        FoldedTag, GroupId, HomeFilter, Readers, Sources, StatusHeader, StatusId, StatusRef,
        Timeline, UserId,
    },
    store::{
        Key,
        calls::{MergeTimeline, timeline_with_sources},
    },
};

use super::merge;
use crate::scripts::{Bench, calls::user};

/// Number of users, groups and tags, so that they meet often.
const USERS: u64 = 6;
const GROUPS: u64 = 3;
const TAGS: [&str; 3] = ["birds", "cats", "日本"];

fn status_by(author: u64) -> StatusRef {
    StatusRef {
        status: StatusId::new(9).expect("in range"),
        author: user(author),
    }
}

fn tags() -> impl Strategy<Value = Vec<FoldedTag>> {
    let tag = |tag: &str| FoldedTag::stored(tag).expect("a tag");
    prop::sample::subsequence(TAGS.map(tag).to_vec(), 0..=TAGS.len())
}

fn group() -> impl Strategy<Value = GroupId> {
    (1..=GROUPS).prop_map(|id| GroupId::new(id).expect("in range"))
}

fn header() -> impl Strategy<Value = StatusHeader> {
    let author = || prop::option::of(1..=USERS);
    let group = prop::option::of(group());
    let header = (1..=USERS, author(), author(), tags(), author(), group);
    header.prop_map(
        |(author, parent, original, tags, followed, group)| StatusHeader {
            group,
            readers: followed.map_or(Readers::Everyone, |person| {
                Readers::FollowersOf(user(person))
            }),
            author: user(author),
            reply_to: parent.map(status_by),
            repost_of: original.map(status_by),
            tags,
            ..StatusHeader::of(user(author))
        },
    )
}

fn some_users() -> impl Strategy<Value = HashSet<UserId>> {
    prop::collection::hash_set((1..=USERS).prop_map(user), 0..4)
}

/// Draws sources of the home of user 1, or of a list of user 1.
fn sources() -> impl Strategy<Value = Sources> {
    let groups = prop::collection::hash_set(group(), 0..3);
    let filtered = HomeFilter::ALL.map(|_| some_users());
    let home = (some_users(), some_users(), filtered, tags(), groups).prop_map(
        |(people, excluded, filtered, tags, groups)| Sources {
            groups,
            timeline: Timeline::Home(user(1)),
            people,
            excluded,
            filtered,
            tags: tags.into_iter().collect(),
        },
    );
    let list = some_users().prop_map(|people| Sources {
        timeline: Timeline::List("1:4".parse().expect("a list")),
        people,
        excluded: HashSet::new(),
        filtered: Default::default(),
        tags: HashSet::new(),
        groups: HashSet::new(),
    });
    prop_oneof![3 => home, 1 => list]
}

/// Writes the sources of a timeline.
fn write_sources(redis: &mut Bench, of: &Sources) {
    redis.run("FLUSHALL");
    let mut write = |key: &str, members: Vec<String>| {
        for (at, member) in members.iter().enumerate() {
            redis.run(&format!("ZADD {key} {} {member}", at + 1));
        }
    };
    let ids = |people: &HashSet<UserId>| people.iter().map(UserId::to_string).collect();
    if let Timeline::List(_) = of.timeline {
        write("list:{1}:4:members", ids(&of.people));
        redis.run("SET list:{1}:4:active 0 EX 60");
        return;
    }
    write("following:{1}", ids(&of.people));
    write("excluded:{1}", ids(&of.excluded));
    for (filter, people) in HomeFilter::ALL.iter().zip(&of.filtered) {
        write(&Key::home_filter(user(1), *filter).name(), ids(people));
    }
    write(
        "followed_tags:{1}",
        of.tags.iter().map(FoldedTag::to_string).collect(),
    );
    write(
        "home_groups:{1}",
        of.groups.iter().map(GroupId::to_string).collect(),
    );
    redis.run("SET active:{1} 0 EX 60");
}

#[test]
fn scripts_and_code_agree_about_where_a_status_belongs() {
    let redis = std::cell::RefCell::new(Bench::start());
    let config = ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..Default::default()
    };
    proptest!(config, |(sources in sources(), statuses in prop::collection::vec(header(), 40))| {
        let redis = &mut *redis.borrow_mut();
        write_sources(redis, &sources);
        let numbered = || statuses.iter().zip(1..);
        let merged = redis.call(&MergeTimeline {
            keys: timeline_with_sources(sources.timeline),
            statuses: numbered().map(|(status, id)| (status.to_string(), id)).collect(),
            ..merge(2, 0, &[])
        });
        prop_assert_eq!(merged, "merged");
        let timeline = match sources.timeline {
            Timeline::Home(_) => "home:{1}",
            Timeline::List(_) => "list:{1}:4:timeline",
        };
        let stored = redis.run(&format!("ZRANGE {timeline} 0 -1 REV"));
        let expected: Vec<String> = numbered()
            .filter(|(status, _)| sources.belongs(status))
            .map(|(_, id)| id.to_string())
            .collect();
        prop_assert_eq!(stored, format!("[{}]", expected.join(", ")));
    });
}
