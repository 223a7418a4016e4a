//! The deletion of an account: nothing of the person is left in the database but what belongs to others' words.

use redwing::{
    actions::{account_deletion, account_states, blocks, mutes, polls},
    audit::{self, Repair, Scope},
    domain::{Ballot, GroupAct, GroupKind, MuteTerm, StatusId, SweepPosition, Task, UserId},
    store::{ChangeOutcome, Key, Store, UnixMs},
    worker,
};

use crate::{
    scripts::Bench,
    support::{core::Core, crowd, groups, pool::Redis, redis::RedisServer},
};

/// A word that only the person who leaves uses.
const CANARY: &str = "xylograph";

/// Returns every key with its content.
pub fn everything(core: &Core) -> Vec<(String, String)> {
    let urls = core.redis.primary_urls().into_iter();
    let entries = urls.flat_map(|url| Bench::at(&url).everything());
    entries.map(|(key, (content, _))| (key, content)).collect()
}

/// Connects a person with two others in every way that the site knows.
pub async fn connect(core: &Core, gone: UserId, other: UserId, third: UserId) -> StatusId {
    let store = &core.store;
    let text = |words: &str| format!("{words} {CANARY}");
    crowd::follow(store, gone, other).await;
    crowd::follow(store, other, gone).await;
    crowd::follow_tag(store, gone, "birds").await;
    crowd::set_private(store, third, true).await;
    crowd::ask_to_follow(store, gone, third).await;
    crowd::list(store, other, &[gone]).await;
    crowd::list(store, gone, &[other, third]).await;
    let theirs = crowd::post(store, other, "of the one who stays #birds").await;
    crowd::favourite(store, gone, theirs).await;
    crowd::bookmark(store, gone, theirs).await;
    crowd::repost(store, gone, theirs).await;
    crowd::quote(store, gone, theirs, &text("a comment")).await;
    let poll = crowd::post_poll(store, other, &["Tea", "Coffee"]).await;
    let ballot = Ballot::of(&[0]).expect("a choice");
    polls::vote(store, gone, poll, ballot)
        .await
        .expect("an answer");
    let post = crowd::post(store, gone, &text("of the one who leaves #birds @other")).await;
    crowd::edit(store, gone, post, &text("changed #birds @other")).await;
    crowd::favourite(store, other, post).await;
    crowd::repost(store, other, post).await;
    crowd::quote(store, other, post, "their comment").await;
    let reply = crowd::reply(store, gone, theirs, &text("an answer")).await;
    crowd::reply(store, other, reply, "below a gap").await;
    crowd::reply(store, other, post, "below another gap").await;
    crowd::post(store, other, "do you know @gone?").await;
    crowd::post_poll(store, gone, &[&text("Tea"), "Coffee"]).await;
    mutes::mute(store, other, gone, MuteTerm::Forever)
        .await
        .expect("an answer");
    mutes::mute(store, gone, other, MuteTerm::Forever)
        .await
        .expect("an answer");
    let enemy = crowd::member(store, "enemy").await;
    let second = crowd::member(store, "blocked").await;
    blocks::block(store, enemy, gone).await.expect("an answer");
    blocks::block(store, gone, second).await.expect("an answer");
    core.drain().await;
    post
}

/// Returns the entries of the database that say something of a deleted person and must not.
pub fn traces(core: &mut Core, gone: UserId, login: &str) -> Vec<String> {
    let uid = gone.to_string();
    let mut traces = Vec::new();
    for (key, content) in everything(core) {
        let is_status = key.starts_with("status:{");
        let is_tombstone = is_status && content.contains("deleted, ");
        // What others wrote: their replies, quotes and mentions refer to the person.
        let is_of_others = is_status && !content.contains(&format!("uid, {uid}, "));
        let is_reserved = key == format!("user:{{{uid}}}") || key == format!("login:{{{login}}}");
        let words: Vec<&str> = content.split(|c: char| !c.is_alphanumeric()).collect();
        let names_them = words.contains(&uid.as_str()) || words.contains(&login);
        let owns = key.contains(&format!("{{{uid}}}"));
        // A post of somebody else has the login as a word.
        let is_index_word = key.starts_with("words:{");
        if content.contains(CANARY)
            || (names_them || owns)
                && !(is_tombstone || is_of_others || is_reserved || is_index_word)
        {
            traces.push(format!("{key}: {content}"));
        }
    }
    traces
}

#[tokio::test]
async fn nothing_of_a_deleted_person_is_left_but_what_belongs_to_others() {
    let mut core = Core::start();
    let store = core.store.clone();
    let other = crowd::member(&store, "other").await;
    let third = crowd::member(&store, "third").await;
    // Ids have several digits, so the search finds no other number by chance.
    for number in 0..80 {
        crowd::member(&store, &format!("filler_{number}")).await;
    }
    let before = crowd::home(&store, other).await;
    let gone = crowd::member(&store, "gone").await;
    let post = connect(&core, gone, other, third).await;
    assert!(!traces(&mut core, gone, "gone").is_empty());
    core.assert_sound().await;
    let begun = account_states::delete(&store, gone).await;
    assert_eq!(begun.expect("an answer"), ChangeOutcome::Changed);
    core.drain().await;
    assert_eq!(traces(&mut core, gone, "gone"), Vec::<String>::new());
    let all = everything(&core);
    let content = |key: &str| {
        all.iter()
            .find(|(name, _)| name == key)
            .map(|(_, content)| content.clone())
    };
    assert_eq!(content("login:{gone}").as_deref(), Some("0"));
    let mark = content(&format!("user:{{{gone}}}")).expect("a mark");
    assert_eq!(mark.split(", ").count(), 2, "{mark}");
    assert!(mark.starts_with("[gone, "), "{mark}");
    assert!(
        store
            .life(post)
            .await
            .expect("an answer")
            .header()
            .is_some(),
        "a gap"
    );
    // What others wrote is there.
    let home = crowd::home(&store, other).await;
    for text in [
        "of the one who stays #birds",
        "do you know @gone?",
        "their comment",
    ] {
        assert!(
            home.iter().any(|message| message == text),
            "{text}: {home:?}"
        );
    }
    assert!(before.is_empty());
    let other = store
        .user(other)
        .await
        .expect("an answer")
        .expect("they stay");
    assert_eq!((other.followers, other.following), (0, 0));
    core.assert_sound().await;
}

#[tokio::test]
async fn an_account_is_deleted_when_its_time_is_over_and_not_before() {
    let core = Core::with(&["--deletion-days", "1"]);
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    let set = |ms: u64| {
        let (key, ms) = (format!("user:{{{alice}}}"), ms.to_string());
        core.redis.command(&["HSET", &key, "leaving", &ms]);
    };
    let now = store.now().await.expect("a time").0;
    for (deletion, is_due) in [(now + 60_000, false), (now - 60_000, true)] {
        set(deletion);
        account_states::reconcile(store, alice)
            .await
            .expect("an answer");
        let begun = account_states::begin_due_deletions(store, UnixMs(now)).await;
        assert_eq!(begun.expect("an answer"), usize::from(is_due));
        core.drain().await;
        let user = store.user(alice).await.expect("an answer");
        assert_eq!(user.is_none(), is_due);
    }
}

/// Checks the site, repairs it, and checks it again. Returns the first faults.
async fn repaired_faults(core: &Core) -> String {
    let faults = audit::run(&core.store).await.expect("the store answers");
    let repair = audit::perform(&core.store, Scope::Everything, Repair::Yes).await;
    let repair = repair.expect("the store answers");
    assert!(repair.is_clean(), "{repair}");
    core.assert_sound().await;
    faults.to_string()
}

#[tokio::test]
async fn a_lost_copy_of_a_state_and_a_lost_task_are_found_and_repaired() {
    let core = Core::start();
    let store = &core.store;
    let alice = crowd::member(store, "alice").await;
    let (user, auth, uid) = (
        format!("user:{{{alice}}}"),
        format!("auth:{{{alice}}}"),
        alice.to_string(),
    );
    let damage = |words: &[&str]| core.redis.command(words);
    damage(&["HSET", &user, "suspended", "Spam"]);
    assert!(repaired_faults(&core).await.contains("read a wrong state"));
    damage(&["HSET", &user, "leaving", "99999999999999"]);
    assert!(
        repaired_faults(&core)
            .await
            .contains("is missing in the schedule")
    );
    damage(&["ZADD", "people:leaving", "5", &uid]);
    assert!(repaired_faults(&core).await.contains("has the wrong time"));
    // A failover lost the outbox entry of the deletion.
    damage(&["HSET", &user, "leaving", "deleting"]);
    damage(&["DEL", &auth]);
    assert!(
        repaired_faults(&core)
            .await
            .contains("is being deleted without a task")
    );
    core.drain().await;
    assert!(store.user(alice).await.expect("an answer").is_none());
}

/// Returns the number of SCAN commands since the start of the server.
fn scans(core: &Core) -> u64 {
    let stats = core.redis.one_node().ask(&["INFO", "commandstats"]);
    let scan = stats
        .lines()
        .find_map(|line| line.strip_prefix("cmdstat_scan:calls="));
    let calls = scan.and_then(|rest| rest.split(',').next()?.parse().ok());
    calls.unwrap_or_default()
}

async fn begin_deletion(store: &Store, person: UserId) {
    let begun = account_states::delete(store, person).await;
    assert_eq!(begun.expect("an answer"), ChangeOutcome::Changed);
}

/// Runs tasks until a sweep has examined some keys and not all.
async fn run_into_sweep(core: &Core) {
    // The outbox entry of the deletion is due.
    let end_of_time = UnixMs((1 << 53) - 1);
    let moved = core.store.move_due(0, Some(end_of_time)).await;
    assert_ne!(moved.expect("an answer"), 0);
    let before = scans(core);
    while scans(core) < before + 2 {
        assert_eq!(worker::do_some(&core.store, 1).await.expect("an answer"), 1);
    }
    let left = core.store.cardinality(&Key::PeopleSweeping).await;
    assert_ne!(left.expect("an answer"), 0, "the sweep is under way");
}

#[tokio::test]
async fn one_sweep_serves_all_deletions_that_wait() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let store = &core.store;
    crowd::people(store, "filler", 60).await;
    let gone = crowd::people(store, "gone", 12).await;
    core.drain().await;
    let mut spent = Vec::new();
    for people in [&gone[..1], &gone[1..]] {
        for person in people {
            begin_deletion(store, *person).await;
        }
        let before = scans(&core);
        core.drain().await;
        spent.push(scans(&core) - before);
        for person in people {
            assert!(store.user(*person).await.expect("an answer").is_none());
        }
    }
    // As many keys are examined for eleven people as for one. More people have more keys.
    assert!(spent[1] <= spent[0] + 2, "{spent:?}");
    assert!(core.keys("sweep:").await.is_empty());
    assert!(core.keys("people:sweeping").await.is_empty());
    core.assert_sound().await;
}

#[tokio::test]
async fn a_deletion_during_a_sweep_is_completed_by_the_next_sweep() {
    let mut core = Core::on(Redis::Node(RedisServer::start()), &[]);
    // Ids have several digits, so the search finds no other number by chance.
    core.redis.command(&["SET", "user:id:", "70300"]);
    let store = core.store.clone();
    let others = crowd::people(&store, "other", 200).await;
    let first = crowd::member(&store, "first").await;
    let leaver = crowd::member(&store, "leaver").await;
    crowd::member(&store, "last").await;
    core.drain().await;
    begin_deletion(&store, first).await;
    run_into_sweep(&core).await;
    // Traces in keys that the sweep may have examined.
    for other in &others {
        mutes::mute(&store, *other, leaver, MuteTerm::Forever)
            .await
            .expect("an answer");
    }
    begin_deletion(&store, leaver).await;
    core.drain().await;
    for (person, login) in [(first, "first"), (leaver, "leaver")] {
        assert!(store.user(person).await.expect("an answer").is_none());
        assert_eq!(traces(&mut core, person, login), Vec::<String>::new());
    }
    assert!(core.keys("sweep:").await.is_empty());
    core.assert_sound().await;
}

/// The person left the group before, so no key of theirs leads to it.
#[tokio::test]
async fn a_mute_in_a_group_that_the_person_left_goes_with_the_account() {
    let mut core = Core::start();
    let store = core.store.clone();
    let owner = crowd::member(&store, "owner").await;
    // Ids have several digits, so the search finds no other number by chance.
    crowd::people(&store, "filler", 80).await;
    let gone = crowd::member(&store, "gone").await;
    let draft = groups::draft("birds", GroupKind::Public);
    let group = groups::found(&store, owner, &draft).await;
    groups::join(&store, group, gone).await;
    let later = UnixMs(store.now().await.expect("an answer").0 + 86_400_000);
    let mute = GroupAct::Mute(groups::event(gone), later);
    groups::act(&store, group, owner, mute).await;
    groups::leave(&store, group, gone).await;
    core.drain().await;
    let mutes = |core: &mut Core| -> Vec<String> {
        let traces = traces(core, gone, "gone").into_iter();
        traces.filter(|trace| trace.contains(":muted: ")).collect()
    };
    assert_eq!(mutes(&mut core).len(), 1);
    begin_deletion(&store, gone).await;
    core.drain().await;
    assert!(store.user(gone).await.expect("an answer").is_none());
    assert_eq!(mutes(&mut core), Vec::<String>::new());
    core.assert_sound().await;
}

#[tokio::test]
async fn a_sweep_whose_task_was_lost_begins_again_by_itself_or_by_a_repair() {
    for is_repaired in [false, true] {
        let core = Core::on(Redis::Node(RedisServer::start()), &[]);
        let store = &core.store;
        crowd::people(store, "other", 200).await;
        let gone = crowd::member(store, "gone").await;
        core.drain().await;
        begin_deletion(store, gone).await;
        run_into_sweep(&core).await;
        // A failover lost the stream, and the outbox entry of the deletion.
        core.redis
            .command(&["DEL", "tasks:{0}", "tasks:{0}:later", "tasks:{2}"]);
        account_deletion::resume_sweep(store)
            .await
            .expect("an answer");
        core.drain().await;
        let user = store.user(gone).await.expect("an answer");
        assert!(user.is_some(), "the lease of the lost sweep holds");
        if is_repaired {
            assert!(
                repaired_faults(&core)
                    .await
                    .contains("is being deleted without a task")
            );
        } else {
            core.redis.command(&["DEL", "sweep:"]);
            account_deletion::resume_sweep(store)
                .await
                .expect("an answer");
        }
        core.drain().await;
        assert!(store.user(gone).await.expect("an answer").is_none());
        core.assert_sound().await;
    }
}

#[tokio::test]
async fn a_sweep_of_an_earlier_release_is_completed() {
    let core = Core::start();
    let store = &core.store;
    let gone = crowd::member(store, "gone").await;
    core.drain().await;
    begin_deletion(store, gone).await;
    let from = SweepPosition::START;
    let person = gone;
    store
        .enqueue(&Task::SweepAccount { person, from })
        .await
        .expect("an answer");
    core.drain().await;
    assert!(store.user(gone).await.expect("an answer").is_none());
    core.assert_sound().await;
}
