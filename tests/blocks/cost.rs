//! What a block costs Redis: it depends on what connects both people, not on what each of them wrote.

use redwing::{
    actions::{follows, polls},
    domain::{Ballot, UserId},
    store::{Key, Relation, Store},
};

use super::set_block;
use crate::{
    notifications::members,
    people_files::import,
    support::{
        Person, Site, core::Core, crowd, pool::Redis, redis::RedisServer, redis_counters::Counters,
    },
};

/// Commands of Redis for a block between people without connections, with the tasks that follow.
const MOST_COMMANDS: u64 = 100;

/// Returns the commands of a block and of its tasks.
async fn cost(core: &Core, by: UserId, blocked: UserId) -> u64 {
    let before = Counters::of(core.redis.one_node());
    set_block(&core.store, by, blocked).await;
    core.drain().await;
    before.spent_on(core.redis.one_node()).commands
}

async fn vote(store: &Store, voter: UserId, author: UserId) -> Key {
    let poll = crowd::post_poll(store, author, &["Tea", "Coffee"]).await;
    let ballot = Ballot::stored(1).expect("a choice");
    polls::vote(store, voter, poll, ballot)
        .await
        .expect("a vote");
    Key::Ballots(poll)
}

#[tokio::test]
async fn a_block_costs_as_much_whatever_both_people_wrote_favourited_and_voted() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let store = &core.store;
    let people = crowd::people(store, "person", 5).await;
    let [quiet, other, prolific, fan, third] = people[..] else {
        panic!("there are five")
    };
    for author in [prolific, fan] {
        crowd::posts(store, author, 300).await;
    }
    for id in crowd::posts(store, third, 300).await {
        crowd::favourite(store, fan, id).await;
        crowd::favourite(store, prolific, id).await;
    }
    // A full home, without a follow between both.
    for person in [prolific, fan] {
        crowd::follow(store, person, third).await;
    }
    let mut polls_of_third = Vec::new();
    for _ in 0..20 {
        polls_of_third.push(vote(store, fan, third).await);
    }
    core.drain().await;
    let least = cost(&core, quiet, other).await;
    let most = cost(&core, fan, prolific).await;
    assert!(most <= least + 20, "{least} {most}");
    assert!(most <= MOST_COMMANDS, "{most}");
    for poll in polls_of_third {
        assert_eq!(store.cardinality(&poll).await.expect("an answer"), 1);
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn a_block_removes_the_votes_between_both_and_no_others() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [alice, bob, carol] = people[..] else {
        panic!("there are three")
    };
    let (mut between, mut others) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        between.push(vote(store, alice, bob).await);
        between.push(vote(store, bob, alice).await);
        others.push(vote(store, alice, carol).await);
        others.push(vote(store, carol, bob).await);
    }
    core.drain().await;
    set_block(store, alice, bob).await;
    for (polls, votes) in [(between, 0), (others, 1)] {
        for poll in polls {
            let count = store.cardinality(&poll).await;
            assert_eq!(count.expect("an answer"), votes, "{poll:?}");
        }
    }
    for (voter, notes) in [(alice, 3), (bob, 0), (carol, 3)] {
        let count = store.cardinality(&Key::Votes(voter)).await;
        assert_eq!(count.expect("an answer"), notes, "{voter}");
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn a_follow_that_is_set_before_a_block_is_undone_also_as_a_request() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 2).await;
    let [alice, bob] = people[..] else {
        panic!("there are two")
    };
    crowd::set_private(store, bob, true).await;
    follows::follow(store, alice, bob).await.expect("a request");
    crowd::follow(store, bob, alice).await;
    set_block(store, bob, alice).await;
    let relations = [
        Relation::Follow(bob, alice),
        Relation::FollowRequest(alice, bob),
    ];
    let set = store.have_relations(&relations).await.expect("an answer");
    assert_eq!(set, [false; 2]);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_file_of_blocked_people_costs_as_much_whatever_they_wrote() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let others = crowd::people(store, "person", 20).await;
    for author in &others[10..] {
        crowd::posts(store, *author, 100).await;
    }
    site.drain().await;
    let mut spent = Vec::new();
    for first in [0, 10] {
        let lines: Vec<String> = (first..first + 10)
            .map(|number| format!("person_{number}"))
            .collect();
        let before = Counters::of(site.redis.one_node());
        import(&alice, "blocked", &lines.join("\n")).await;
        site.drain().await;
        spent.push(before.spent_on(site.redis.one_node()).commands);
    }
    let [least, most] = spent[..] else {
        panic!("there are two")
    };
    assert!(
        most <= least + 100 && most <= 10 * MOST_COMMANDS,
        "{spent:?}"
    );
    let uid = crowd::uid(store, "alice").await;
    let blocked = store.cardinality(&Key::Blocked(uid)).await;
    assert_eq!(blocked.expect("an answer"), 20);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_block_removes_a_full_log_of_notifications_in_several_calls() {
    let core = Core::start();
    let people = crowd::people(&core.store, "person", 3).await;
    let [alice, troll, friend] = people[..] else {
        panic!("there are three")
    };
    let key = format!("notifications:{{{alice}}}");
    for number in 1..=1200 {
        let (score, entry) = (number.to_string(), format!("favourite:{number}:{troll}"));
        core.redis.command(&["ZADD", &key, &score, &entry]);
    }
    let kept = format!("favourite:7:{friend}");
    core.redis.command(&["ZADD", &key, "9000", &kept]);
    set_block(&core.store, alice, troll).await;
    core.drain().await;
    assert_eq!(members(&core.store, alice).await, [kept]);
}
