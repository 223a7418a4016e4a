//! A block against other operations of both people at the same moment.

use std::sync::Arc;

use redwing::{
    actions::{
        blocks, favourites, follows, lists, polls,
        reposts::{self, Repost},
    },
    domain::{Ballot, SeparationPosition, StatusId, UserId},
    store::{Fuse, Key, Relation, SetOutcome, Store, Viewer},
};
use tokio::join;

use super::set_block;
use crate::{
    notifications::members,
    support::{
        Person, Site,
        core::Core,
        crowd::{self, uid},
        pool::Redis,
        proxy::{Fault, Proxy, When},
        redis::RedisServer,
        waiting::eventually,
    },
};

/// Number of tries of each race.
const TRIES: usize = 12;

async fn two(store: &Store, name: &str, number: usize) -> (UserId, UserId) {
    let people = crowd::people(store, &format!("{name}_{number}"), 2).await;
    (people[0], people[1])
}

/// Checks that nothing connects two people.
async fn assert_apart(store: &Store, one: UserId, other: UserId) {
    let relations = [
        Relation::Follow(one, other),
        Relation::Follow(other, one),
        Relation::Block(one, other),
    ];
    let set = store.have_relations(&relations).await.expect("an answer");
    assert_eq!(set, [false, false, true]);
    for (person, caused_by) in [(one, other), (other, one)] {
        let end = format!(":{caused_by}");
        let notified = members(store, person).await;
        assert!(
            !notified.iter().any(|text| text.ends_with(&end)),
            "{notified:?}"
        );
        for key in [Key::Favourites(person), Key::ListMemberships(person)] {
            let count = store.cardinality(&key).await.expect("an answer");
            assert_eq!(count, 0, "{key:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_wins_against_a_follow_in_both_directions() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..TRIES {
        let (one, other) = two(store, "follow", number).await;
        let (blocked, there, back) = join!(
            blocks::block(store, one, other),
            follows::follow(store, one, other),
            follows::follow(store, other, one)
        );
        blocked.expect("the store answers");
        there.and(back).expect("the store answers");
        core.drain().await;
        assert_apart(store, one, other).await;
    }
    core.assert_sound().await;
}

/// What connects the blocked person to the other one again after the unblock, or is confirmed again.
async fn connect_again(store: &Store, other: UserId, one: UserId, id: StatusId) -> bool {
    let followed = follows::follow(store, other, one).await;
    let favourite = favourites::favourite(store, other, id).await;
    let list = crowd::list(store, other, &[]).await;
    let added = lists::add(store, other, list.number, one).await;
    followed.expect("an answer") == follows::Follow::Done
        && favourite.expect("an answer") == SetOutcome::Done
        && added.expect("an answer") == lists::Add::Done
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_connected_after_an_unblock_survives_the_earlier_block_wherever_it_waits() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let store = &core.store;
    let proxy = Proxy::start(&core.redis.one_node().socket());
    let config = Arc::new(store.config().clone());
    let slow = Store::open(&proxy.url(), config).expect("a valid address");
    let mut lifted_count = 0;
    for was_connected in [true, false] {
        for trip in 1.. {
            let name = format!("late_{was_connected}");
            let (one, other) = two(store, &name, trip).await;
            let id = crowd::post(store, one, "of the first").await;
            if was_connected {
                assert!(connect_again(store, other, one, id).await);
            }
            proxy.strike(Fault::Hold, When::Only(trip), "");
            let block = tokio::spawn({
                let slow = slow.clone();
                async move { blocks::block(&slow, one, other).await }
            });
            eventually("it waits, or it is done", async || {
                proxy.struck() > 0 || block.is_finished()
            })
            .await;
            let has_waited = proxy.struck() > 0;
            if has_waited {
                proxy.holds().await;
                blocks::unblock(store, one, other).await.expect("an answer");
                let is_connected = connect_again(store, other, one, id).await;
                assert!(is_connected, "trip {trip}");
            }
            proxy.pass();
            let blocked = block.await.expect("it ends");
            blocked.expect("the store answers");
            core.drain().await;
            if !has_waited {
                assert_apart(store, one, other).await;
                break;
            }
            let relations = [
                Relation::Block(one, other),
                Relation::Follow(other, one),
                Relation::Favourite(other, id),
            ];
            let set = store.have_relations(&relations).await.expect("an answer");
            let lists = store.cardinality(&Key::ListMemberships(one)).await;
            let is_listed = lists.expect("an answer") > 0;
            // The block was written after the unblock, or it is lifted.
            match set[0] {
                true => assert_apart(store, one, other).await,
                false => {
                    lifted_count += 1;
                    assert_eq!(
                        (&set[1..], is_listed),
                        (&[true, true][..], true),
                        "trip {trip}"
                    );
                }
            }
        }
    }
    assert!(lifted_count > 10, "{lifted_count}");
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_wins_against_a_favourite_a_vote_and_a_list() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..TRIES {
        let (one, other) = two(store, "favourite", number).await;
        let id = crowd::post_poll(store, one, &["Tea", "Coffee"]).await;
        let list = crowd::list(store, other, &[]).await;
        let (blocked, favourite, vote, added) = join!(
            blocks::block(store, one, other),
            favourites::favourite(store, other, id),
            polls::vote(store, other, id, Ballot::stored(1).expect("a choice")),
            lists::add(store, other, list.number, one)
        );
        blocked.expect("the store answers");
        favourite.expect("the store answers");
        vote.expect("the store answers");
        added.expect("the store answers");
        core.drain().await;
        assert_apart(store, one, other).await;
        let votes = store.cardinality(&Key::Ballots(id)).await;
        assert_eq!(votes.expect("an answer"), 0);
    }
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_at_the_moment_of_a_block_is_neither_seen_nor_reported() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..TRIES {
        let (one, other) = two(store, "reply", number).await;
        let id = crowd::post(store, one, "of the first").await;
        let (blocked, reply) = join!(
            blocks::block(store, one, other),
            crowd::try_reply(store, other, id, "an answer")
        );
        blocked.expect("the store answers");
        core.drain().await;
        assert_apart(store, one, other).await;
        if let redwing::actions::statuses::Post::Posted(reply) = reply {
            let seen = store.status(Viewer::Member(one), reply).await;
            assert!(seen.expect("an answer").is_none());
        }
    }
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repost_a_quote_and_a_mention_at_the_moment_of_a_block_are_neither_seen_nor_reported() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..TRIES {
        let (one, other) = two(store, "repost", number).await;
        let id = crowd::post(store, one, "of the first").await;
        let mention = format!("@repost_{number}_0, hello");
        let (blocked, repost, mention) = join!(
            blocks::block(store, one, other),
            reposts::repost(store, other, id),
            crowd::post(store, other, &mention)
        );
        blocked.expect("the store answers");
        core.drain().await;
        assert_apart(store, one, other).await;
        let mut theirs = vec![mention];
        if let Repost::Done(repost) = repost.expect("the store answers") {
            theirs.push(repost);
            let seen = store.status(Viewer::Member(other), repost).await;
            assert!(seen.expect("an answer").is_none(), "its original is hidden");
        }
        let seen = store.visible(Viewer::Member(one), &theirs).await;
        assert!(seen.expect("an answer").is_empty());
    }
    core.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_of_each_other_are_lifted_one_by_one() {
    let core = Core::start();
    let store = &core.store;
    let (one, other) = two(store, "mutual", 0).await;
    let (first, second) = join!(
        blocks::block(store, one, other),
        blocks::block(store, other, one)
    );
    first.and(second).expect("the store answers");
    let status = crowd::post(store, one, "of the first").await;
    blocks::unblock(store, one, other).await.expect("an answer");
    let seen = store.status(Viewer::Member(other), status).await;
    assert!(
        seen.expect("an answer").is_none(),
        "the other block is still set"
    );
    blocks::unblock(store, other, one).await.expect("an answer");
    let seen = store.status(Viewer::Member(other), status).await;
    assert!(seen.expect("an answer").is_some());
    core.drain().await;
    core.assert_sound().await;
}

/// Adds entries without users to the followers of a person. A block never reads them.
fn add_followers(redis: &Redis, person: UserId, count: u64) {
    const AT_A_TIME: u64 = 2000;
    let key = format!("followers:{{{person}}}");
    for first in (0..count).step_by(AT_A_TIME as usize) {
        let mut command = vec!["ZADD".to_owned(), key.clone()];
        for nth in first..first + AT_A_TIME {
            command.extend([(nth + 1).to_string(), (1_000_000 + nth).to_string()]);
        }
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        redis.command(&words);
    }
}

#[tokio::test]
async fn a_block_by_somebody_with_100000_followers_takes_effect_in_one_step() {
    let site = Site::start().await;
    let store = &site.store;
    let mut trips = Vec::new();
    for (login, count) in [("person", 0), ("star", 100_000)] {
        let star = crowd::member(store, login).await;
        let mut fans = Vec::new();
        for name in ["blocked_by", "fan_of"] {
            let fan = Person::sign_up(&site, &format!("{name}_{login}")).await;
            crowd::follow(store, uid(store, &fan.login).await, star).await;
            fan.open("/").await;
            fans.push(fan);
        }
        let text = format!("shining {login}");
        let status = crowd::post(store, star, &text).await;
        site.drain().await;
        add_followers(&site.redis, star, count);
        let pages = [
            "/".to_owned(),
            format!("/search?q={login}"),
            format!("/@{login}"),
            format!("/@{login}/{status}"),
        ];
        let seen = async |fan: &Person| {
            let mut seen = Vec::new();
            for path in &pages {
                let page = fan.get(path).await;
                let has_text = page.messages().contains(&text);
                assert_eq!(page.html.contains(&text), has_text, "{path}");
                seen.push((page.status.as_u16(), has_text));
            }
            seen
        };
        for fan in &fans {
            assert_eq!(seen(fan).await, [(200, true); 4], "{login}");
        }
        let fuse = Fuse::endless();
        let blocked = uid(store, &fans[0].login).await;
        set_block(&store.with_fuse(fuse.clone()), star, blocked).await;
        trips.push(fuse.trips());
        let gone = [(200, false), (200, false), (404, false), (404, false)];
        assert_eq!(seen(&fans[0]).await, gone, "{login}");
        assert_eq!(seen(&fans[1]).await, [(200, true); 4], "{login}");
    }
    assert_eq!(trips[0], trips[1], "as many round trips");
}

#[tokio::test]
async fn a_block_of_a_prolific_author_takes_effect_at_once_and_tasks_remove_the_rest() {
    let core = Core::start();
    let store = &core.store;
    let (author, fan) = two(store, "prolific", 0).await;
    let poll = crowd::post_poll(store, author, &["Tea", "Coffee"]).await;
    let ballot = Ballot::stored(1).expect("a choice");
    polls::vote(store, fan, poll, ballot).await.expect("a vote");
    let posts = crowd::posts(store, author, 1010).await;
    for id in &posts[..310] {
        crowd::favourite(store, fan, *id).await;
    }
    let connections = async || {
        let keys = [Key::Favourites(fan), Key::Ballots(poll)];
        let mut counts = Vec::new();
        for key in keys {
            counts.push(store.cardinality(&key).await.expect("an answer"));
        }
        counts
    };
    set_block(store, author, fan).await;
    let seen = store.status(Viewer::Member(fan), posts[1009]).await;
    assert!(seen.expect("an answer").is_none());
    assert_eq!(
        connections().await,
        [10, 1],
        "the request does a bounded part"
    );
    core.drain().await;
    assert_eq!(connections().await, [0, 0]);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_lifted_block_ends_the_removal() {
    let core = Core::start();
    let store = &core.store;
    let (one, other) = two(store, "lifted", 0).await;
    let id = crowd::post(store, one, "of the first").await;
    crowd::favourite(store, other, id).await;
    let pass = blocks::separate_pass(store, one, other, SeparationPosition::START).await;
    assert_eq!(pass.expect("an answer"), None);
    let count = store.cardinality(&Key::Favourites(other)).await;
    assert_eq!(count.expect("an answer"), 1);
}
