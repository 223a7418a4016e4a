//! Concurrent actions: whichever comes first, afterwards all pages agree.

use futures_util::future::{join, join_all};
use reqwest::StatusCode;

use crate::support::{PASSWORD, Person, Site, crowd};

/// Repetitions of each race, because one run shows one order of events.
const ROUNDS: usize = 8;

#[tokio::test]
async fn clicking_post_many_times_at_once_makes_one_status() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/")
        .await
        .form("/statuses")
        .set("message", "once");
    let answers = join_all((0..10).map(|_| alice.submit(&form))).await;
    assert!(
        answers
            .iter()
            .all(|answer| answer.status == StatusCode::SEE_OTHER)
    );
    site.drain().await;
    assert_eq!(alice.home_ids().await.len(), 1);
    assert_eq!(alice.ids("/@alice").await.len(), 1);
    site.assert_sound().await;
}

#[tokio::test]
async fn two_texts_racing_for_one_form_make_one_status_and_one_conflict() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/").await.form("/statuses");
    let (one, two) = (
        form.clone().set("message", "one"),
        form.set("message", "two"),
    );
    let (first, second) = join(alice.submit(&one), alice.submit(&two)).await;
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 409]);
    assert_eq!(alice.home_ids().await.len(), 1);
}

#[tokio::test]
async fn fifty_sign_ups_for_one_login_make_one_account() {
    let site = Site::start().await;
    let cases = ["alice", "ALICE", "Alice", "aLiCe", "AlicE"];
    let visitors: Vec<Person> = (0..50).map(|_| Person::visitor(&site)).collect();
    let page = visitors[0].open("/signup").await;
    for visitor in &visitors {
        visitor.cookies.replace(visitors[0].cookies.all());
    }
    let sign_ups = visitors.iter().enumerate().map(|(at, visitor)| {
        let form = page
            .form("/signup")
            .set("login", cases[at % cases.len()])
            .set("name", "Alice")
            .set("password", PASSWORD);
        // Each form has a different idempotency key, so these are fifty actions and not one
        // repeated click.
        let form = form.set("idempotency_key", &format!("{at:032x}"));
        async move { visitor.submit(&form).await.status.as_u16() }
    });
    let mut statuses = join_all(sign_ups).await;
    statuses.sort_unstable();
    assert_eq!(statuses[0], 303, "one sign-up succeeds");
    assert!(
        statuses[1..]
            .iter()
            .all(|status| *status == 422 || *status == 503),
        "{statuses:?}"
    );
    let mut inside = 0;
    for visitor in &visitors {
        inside += usize::from(visitor.is_logged_in().await);
    }
    assert_eq!(inside, 1, "no one else is logged in");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_double_click_on_sign_up_makes_one_account_without_an_error() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let form = visitor.open("/signup").await.form("/signup");
    let form = form
        .set("login", "alice")
        .set("name", "Alice")
        .set("password", PASSWORD);
    let (first, second) = join(visitor.submit(&form), visitor.submit(&form)).await;
    assert_eq!(
        (first.status, second.status),
        (StatusCode::SEE_OTHER, StatusCode::SEE_OTHER)
    );
    assert!(visitor.is_logged_in().await);
}

#[tokio::test]
async fn follow_against_unfollow_leaves_both_sides_and_home_agreeing() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    let id = alice.post("seen only by who follows").await;
    let follow = bob.open("/@alice").await.form("/@alice/follow");
    let unfollow = crate::support::Form {
        action: "/@alice/unfollow".into(),
        ..follow.clone()
    };
    for round in 0..ROUNDS {
        let (first, second) = if round % 2 == 0 {
            (&follow, &unfollow)
        } else {
            (&unfollow, &follow)
        };
        join_all([
            bob.submit_accepted(first),
            bob.submit_accepted(second),
            bob.submit_accepted(first),
        ])
        .await;
        site.drain().await;
        let truth = bob.open("/@bob/following").await.has("a[href=\"/@alice\"]");
        assert_eq!(
            bob.open("/@alice/followers")
                .await
                .has("main a[href=\"/@bob\"]"),
            truth,
            "round {round}"
        );
        assert_eq!(bob.home_ids().await.contains(&id), truth, "round {round}");
        assert_eq!(
            bob.open("/@alice")
                .await
                .has("form[action=\"/@alice/unfollow\"]"),
            truth,
            "round {round}"
        );
        site.assert_sound().await;
    }
}

#[tokio::test]
async fn a_post_that_races_its_deletion_is_deleted_everywhere() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    bob.follow("alice").await;
    for round in 0..ROUNDS {
        let form = alice
            .open("/")
            .await
            .form("/statuses")
            .set("message", &format!("round {round}"));
        alice.submit_accepted(&form).await;
        let id = alice.home_ids().await[0];
        let delete = alice.delete_form(id).await;
        join(alice.submit(&form), alice.submit(&delete)).await;
        site.drain().await;
        assert!(alice.home_ids().await.is_empty(), "round {round}");
        assert!(alice.ids("/@alice").await.is_empty(), "round {round}");
        assert!(bob.home_ids().await.is_empty(), "round {round}");
        site.assert_sound().await;
    }
}

#[tokio::test]
async fn post_against_follow_loses_no_post() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let mut posted = Vec::new();
    for round in 0..ROUNDS {
        let post = alice
            .open("/")
            .await
            .form("/statuses")
            .set("message", &format!("round {round}"));
        let follow = bob.open("/@alice").await.form("/@alice/follow");
        join(alice.submit_accepted(&post), bob.submit_accepted(&follow)).await;
        posted.insert(0, alice.home_ids().await[0]);
        assert_eq!(
            bob.home_ids().await,
            posted,
            "round {round}: before any worker ran"
        );
        site.drain().await;
        assert_eq!(bob.home_ids().await, posted, "round {round}");
        bob.unfollow("alice").await;
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn post_against_unfollow_leaves_nothing_behind() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    for round in 0..ROUNDS {
        bob.follow("alice").await;
        let post = alice
            .open("/")
            .await
            .form("/statuses")
            .set("message", &format!("round {round}"));
        let unfollow = bob.open("/@alice").await.form("/@alice/unfollow");
        join(alice.submit_accepted(&post), bob.submit_accepted(&unfollow)).await;
        assert!(bob.home_ids().await.is_empty(), "round {round}");
        site.drain().await;
        assert!(bob.home_ids().await.is_empty(), "round {round}, drained");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_follow_that_races_a_deletion_brings_no_deleted_post_home() {
    let site = Site::start().await;
    let (alice, bob) = (
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    );
    for round in 0..ROUNDS {
        let id = alice.post(&format!("round {round}")).await;
        let delete = alice.delete_form(id).await;
        let follow = bob.open("/@alice").await.form("/@alice/follow");
        join(alice.submit_accepted(&delete), bob.submit_accepted(&follow)).await;
        assert!(bob.home_ids().await.is_empty(), "round {round}");
        site.drain().await;
        site.assert_sound().await;
        bob.unfollow("alice").await;
    }
}

#[tokio::test]
async fn people_who_post_at_the_same_moment_all_reach_a_common_reader_once() {
    let site = Site::start().await;
    let reader = Person::sign_up(&site, "reader").await;
    let uid = crowd::uid(&site.store, "reader").await;
    let authors = crowd::people(&site.store, "author", 8).await;
    for author in &authors {
        crowd::follow(&site.store, uid, *author).await;
    }
    let posts = join_all(
        authors
            .iter()
            .map(|author| crowd::posts(&site.store, *author, 10)),
    )
    .await;
    site.drain().await;
    let mut expected: Vec<u64> = posts.concat().iter().map(|id| id.get()).collect();
    expected.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(reader.home_ids().await, expected);
}

#[tokio::test]
async fn logging_out_everywhere_against_a_log_in_leaves_no_session_of_the_old_epoch() {
    let site = Site::start().await;
    let desk = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let everywhere = desk
        .open("/settings/sessions")
        .await
        .form("/settings/sessions/revoke-all");
    let home = phone
        .open("/")
        .await
        .form("/statuses")
        .set("message", "in the same moment");
    join(desk.submit(&everywhere), phone.submit(&home)).await;
    assert!(
        !phone.is_logged_in().await,
        "the answer to the post does not revive the session"
    );
}
