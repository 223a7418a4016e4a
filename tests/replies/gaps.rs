//! Deleted posts in conversations: an anonymous gap as long as a post below it exists, and then
//! nothing.

use std::ops::Range;

use redwing::{
    audit::{self, Repair, Scope},
    domain::{StatusId, UserId},
    store::{Branch, Key, Life, Viewer},
};
use reqwest::StatusCode;

use crate::support::{
    Person, Site,
    core::Core,
    crowd::{delete, member, post, reply},
    pool::Redis,
    redis::RedisServer,
};

/// Appends one line for each status below a status: its depth, and its text or an empty text for a
/// gap.
fn lines(branches: &[Branch], depth: usize, into: &mut Vec<String>) {
    for branch in branches {
        let text = branch
            .turn
            .status
            .as_ref()
            .map_or("-", |status| status.message());
        into.push(format!("{}{text}", " ".repeat(depth)));
        lines(&branch.below, depth + 1, into);
    }
}

pub async fn tree(core: &Core, of: StatusId) -> Vec<String> {
    let viewer = Viewer::Anonymous;
    let status = core.store.status(viewer, of).await.expect("an answer");
    let status = status.expect("it lives");
    let conversation = core.store.conversation(viewer, &status, None).await;
    let mut found = Vec::new();
    lines(&conversation.expect("an answer").replies, 0, &mut found);
    found
}

async fn cardinalities(core: &Core, of: StatusId) -> [u64; 2] {
    let answers = core.store.cardinality(&Key::Replies(of)).await;
    let gaps = core.store.cardinality(&Key::Gaps(of)).await;
    [answers.expect("an answer"), gaps.expect("an answer")]
}

async fn chain(core: &Core, author: UserId, length: usize) -> Vec<StatusId> {
    let mut ids = vec![post(&core.store, author, "0").await];
    for number in 1..length {
        let to = *ids.last().expect("the first");
        ids.push(reply(&core.store, author, to, &number.to_string()).await);
    }
    ids
}

#[tokio::test]
async fn a_deleted_reply_stays_as_a_gap_while_it_has_replies() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let ids = chain(&core, author, 4).await;
    assert_eq!(tree(&core, ids[0]).await, ["1", " 2", "  3"]);
    delete(&core.store, author, ids[1]).await;
    assert_eq!(tree(&core, ids[0]).await, ["-", " 2", "  3"]);
    assert_eq!(cardinalities(&core, ids[0]).await, [0, 1]);
    core.assert_sound().await;
    delete(&core.store, author, ids[2]).await;
    assert_eq!(tree(&core, ids[0]).await, ["-", " -", "  3"]);
    core.assert_sound().await;
    delete(&core.store, author, ids[3]).await;
    assert_eq!(tree(&core, ids[0]).await, [""; 0]);
    for id in ids {
        assert_eq!(cardinalities(&core, id).await, [0, 0], "nothing is left");
    }
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_gap_disappears_with_the_last_reply_below_it() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let root = post(&core.store, author, "root").await;
    let middle = reply(&core.store, author, root, "middle").await;
    let one = reply(&core.store, author, middle, "one").await;
    let two = reply(&core.store, author, middle, "two").await;
    delete(&core.store, author, middle).await;
    delete(&core.store, author, one).await;
    assert_eq!(tree(&core, root).await, ["-", " two"]);
    core.assert_sound().await;
    delete(&core.store, author, two).await;
    assert_eq!(tree(&core, root).await, [""; 0]);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_chain_of_gaps_of_any_length_disappears_with_the_last_reply() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let ids = chain(&core, author, 50).await;
    let (last, dead) = ids.split_last().expect("fifty");
    for id in dead {
        delete(&core.store, author, *id).await;
    }
    for pair in dead.windows(2) {
        assert_eq!(cardinalities(&core, pair[0]).await, [0, 1]);
    }
    core.assert_sound().await;
    delete(&core.store, author, *last).await;
    for id in ids {
        assert_eq!(cardinalities(&core, id).await, [0, 0], "nothing is left");
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn a_deletion_below_many_gaps_takes_as_many_round_trips_as_below_few() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let redis = core.redis.one_node();
    let author = member(&core.store, "author").await;
    let ids = chain(&core, author, 250).await;
    let (last, dead) = ids.split_last().expect("250");
    let mut trips = Vec::new();
    for id in dead {
        let before = redis.trips();
        delete(&core.store, author, *id).await;
        trips.push(redis.trips() - before);
    }
    // The first posts are less deep than the ancestors that a reply knows.
    assert!(trips[240] <= trips[2] + 5, "{trips:?}");
    core.assert_sound().await;
    // More gaps than one call removes: a task goes on.
    delete(&core.store, author, *last).await;
    core.drain().await;
    for id in ids {
        assert_eq!(cardinalities(&core, id).await, [0, 0], "nothing is left");
    }
    core.assert_sound().await;
}

/// As if days had passed: every tombstone that expires is gone.
async fn let_tombstones_expire(core: &Core, ids: &[StatusId]) {
    for id in ids {
        let key = format!("status:{{{id}}}");
        core.redis.command(&["EXPIRE", &key, "0", "XX"]);
    }
}

#[tokio::test]
async fn a_long_chain_of_gaps_disappears_also_days_after_its_deletion() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let ids = chain(&core, author, 50).await;
    let (last, dead) = ids.split_last().expect("fifty");
    for id in dead {
        delete(&core.store, author, *id).await;
    }
    core.drain().await;
    let_tombstones_expire(&core, dead).await;
    core.assert_sound().await;
    delete(&core.store, author, *last).await;
    core.drain().await;
    for id in &ids {
        assert_eq!(cardinalities(&core, *id).await, [0, 0], "nothing is left");
    }
    let_tombstones_expire(&core, &ids).await;
    for id in &ids {
        let life = core.store.life(*id).await.expect("an answer");
        assert_eq!(life, Life::Absent, "no tombstone is left");
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn one_repair_fixes_a_long_chain_of_gaps() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let ids = chain(&core, author, 50).await;
    for id in &ids[..49] {
        delete(&core.store, author, *id).await;
    }
    core.drain().await;
    for (answered, gap) in [(5, 6), (30, 31)] {
        let key = format!("gaps:{{{}}}", ids[answered]);
        core.redis.command(&["ZREM", &key, &ids[gap].to_string()]);
    }
    let found = audit::run(&core.store).await.expect("an answer");
    assert!(
        !found.is_clean(),
        "distant ancestors of a living status are checked"
    );
    let repaired = audit::perform(&core.store, Scope::Everything, Repair::Yes).await;
    assert!(repaired.expect("an answer").is_clean(), "one is enough");
    for pair in ids[..49].windows(2) {
        assert_eq!(cardinalities(&core, pair[0]).await, [0, 1]);
    }
}

#[tokio::test]
async fn gaps_outlive_tombstones() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let ids = chain(&core, author, 5).await;
    for id in &ids[1..4] {
        delete(&core.store, author, *id).await;
        core.redis.command(&["DEL", &format!("status:{{{id}}}")]);
    }
    // Tombstones that could expire did not count in the quota.
    core.redis
        .command(&["DEL", &format!("post_bytes:{{{author}}}")]);
    core.drain().await;
    assert_eq!(tree(&core, ids[0]).await, ["-", " -", "  -", "   4"]);
    core.assert_sound().await;
    delete(&core.store, author, ids[4]).await;
    assert_eq!(tree(&core, ids[0]).await, [""; 0]);
    assert_eq!(cardinalities(&core, ids[0]).await, [0, 0]);
    core.assert_sound().await;
}

#[tokio::test]
async fn the_first_post_of_a_conversation_leaves_a_gap_too() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let root = alice.post("a secret").await;
    let answer = bob.reply(root, "what was that?").await;
    let below = alice.reply(answer, "never mind").await;
    alice.delete(root).await;

    let page = bob.open(&format!("/@alice/{below}")).await;
    assert_eq!(page.text(".ancestors > li:first-child"), "A deleted post");
    assert_eq!(page.count(".ancestors > li"), 2);
    let page = bob.open(&format!("/@bob/{answer}")).await;
    assert!(
        !page.text(".ancestors").contains("alice"),
        "it names no one"
    );
    assert_eq!(
        page.text(".subject > .status-body > .replying-to"),
        "Replying to a deleted post"
    );

    let gap = bob.open(&format!("/statuses/{root}")).await;
    assert_eq!(gap.text("h1"), "A deleted post");
    let whole = gap.html.clone();
    assert!(!whole.contains("secret"), "{whole}");
    assert_eq!(gap.messages(), ["what was that?", "never mind"]);
    assert!(
        !gap.has("form[action=\"/statuses\"]"),
        "a deleted status has no reply form"
    );
    assert_eq!(
        bob.get(&format!("/@alice/{root}")).await.status,
        StatusCode::NOT_FOUND
    );

    alice.delete(below).await;
    bob.delete(answer).await;
    let gone = bob.get(&format!("/statuses/{root}")).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    site.assert_sound().await;
}

#[tokio::test]
async fn replies_below_a_folded_gap_have_a_page() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut ids = vec![alice.post("0").await];
    for number in 1..15 {
        ids.push(alice.reply(ids[number - 1], &number.to_string()).await);
    }
    alice.delete(ids[12]).await;
    let page = alice.open(&format!("/@alice/{}", ids[0])).await;
    let numbers = |left_out: Range<u64>| {
        let shown = (0..15).filter(move |number| !left_out.contains(number));
        shown.map(|number| number.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(page.messages(), numbers(12..15));
    let way = page.attributes(".reply-list .gap + .more a", "href");
    assert_eq!(way, [format!("/statuses/{}", ids[12])]);
    let gap = alice.open(&way[0]).await;
    assert_eq!(gap.messages(), numbers(12..13));
    // The result is the same after the tombstone expired.
    let key = format!("status:{{{}}}", ids[12]);
    site.redis.command(&["DEL", &key]);
    assert_eq!(alice.open(&way[0]).await.messages(), numbers(12..13));
}

#[tokio::test]
async fn a_living_reply_below_many_gaps_is_reached_by_links() {
    const DELETED: usize = 25;
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut ids = vec![alice.post("the first").await];
    for number in 0..DELETED {
        ids.push(alice.reply(ids[number], "soon gone").await);
    }
    let last = alice.reply(ids[DELETED], "the last").await;
    for id in &ids[1..] {
        alice.delete(*id).await;
    }
    site.drain().await;

    let visitor = Person::visitor(&site);
    let mut page = visitor.open(&format!("/@alice/{}", ids[0])).await;
    let mut gaps = page.count(".reply-list .gap");
    while !page.has(&format!(".reply-list #status-{last}")) {
        let way = page.attributes(".reply-list .gap + .more a", "href");
        assert_eq!(way.len(), 1, "{}", page.html);
        page = visitor.open(&way[0]).await;
        gaps += page.count(".reply-list .gap");
        assert!(gaps <= DELETED, "each is shown once: {way:?}");
    }
    assert_eq!(gaps, DELETED);
    assert_eq!(page.messages(), ["the first", "the last"]);

    // And upwards, from the reply to the first post.
    let page = visitor.open(&format!("/@alice/{last}")).await;
    assert_eq!(page.messages(), ["the first", "the last"]);
    let way = page.attributes(".skipped-posts a", "href");
    assert_eq!(way.len(), 1, "{}", page.html);
    let page = visitor.open(&way[0]).await;
    assert_eq!(page.text("h1"), "A deleted post");
    assert_eq!(page.count(".ancestors .skipped-posts"), 0);
    assert_eq!(
        page.text(".ancestors > li:first-child .e-content"),
        "the first"
    );
    site.assert_sound().await;
}
