//! Operations that are under way while an account is suspended, restored or deleted.

use futures_util::join;
use redwing::{
    actions::{account_states, favourites, follows, lists},
    domain::{ListName, ListNumber},
    store::{ChangeOutcome, Key},
};
use reqwest::StatusCode;

use super::{delete_form, leave};
use crate::{
    administration::output_of,
    support::{PASSWORD, Person, Site, crowd},
};

/// Repetitions of each race, because one run shows one order of events.
const ROUNDS: usize = 6;

#[tokio::test]
async fn a_post_during_a_suspension_is_written_completely_or_not_at_all() {
    let site = Site::start().await;
    for round in 0..ROUNDS {
        let login = format!("alice_{round}");
        let alice = Person::sign_up(&site, &login).await;
        let uid = crowd::uid(&site.store, &login).await;
        let form = alice.open("/").await.form("/statuses");
        let form = form.set("message", "in flight");
        let (answer, ()) = join!(
            alice.submit(&form),
            crowd::set_suspended(&site.store, uid, true)
        );
        let visitor = Person::visitor(&site);
        let profile = visitor.get(&format!("/@{login}")).await;
        assert_eq!(profile.status, StatusCode::NOT_FOUND);
        crowd::set_suspended(&site.store, uid, false).await;
        let posted = visitor.open(&format!("/@{login}")).await.messages().len();
        let accepted = usize::from(answer.status == StatusCode::SEE_OTHER);
        assert!(
            posted <= 1 && posted >= accepted,
            "{posted} {}",
            answer.status
        );
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_log_in_during_a_deletion_opens_nothing() {
    let site = Site::start().await;
    for round in 0..ROUNDS {
        let login = format!("alice_{round}");
        let alice = Person::sign_up(&site, &login).await;
        leave(&alice, PASSWORD).await;
        let alice = Person::log_in(&site, &login).await;
        let form = delete_form(&alice, &login).await;
        let other = Person::visitor(&site);
        let (deleted, _) = join!(alice.submit(&form), other.send_log_in(&login, PASSWORD));
        assert_eq!(deleted.status, StatusCode::SEE_OTHER);
        assert!(!other.is_logged_in().await, "{login}");
        assert!(!alice.is_logged_in().await, "{login}");
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn what_others_do_during_a_deletion_leaves_nothing_of_the_person() {
    let site = Site::start().await;
    let store = &site.store;
    for round in 0..ROUNDS {
        let gone = crowd::member(store, &format!("gone_{round}")).await;
        let other = crowd::member(store, &format!("other_{round}")).await;
        let id = crowd::post(store, gone, "of the one who leaves").await;
        let name = ListName::parse("people").expect("valid");
        let key = redwing::domain::IdempotencyKey::draw();
        lists::create(store, other, &name, &key)
            .await
            .expect("an answer");
        let number = ListNumber::new(1).expect("a number");
        let begun = account_states::delete(store, gone).await;
        assert_eq!(begun.expect("an answer"), ChangeOutcome::Changed);
        let ((), followed, favourited, listed) = join!(
            site.drain(),
            follows::follow(store, other, gone),
            favourites::favourite(store, other, id),
            lists::add(store, other, number, gone),
        );
        followed.expect("an answer");
        favourited.expect("an answer");
        listed.expect("an answer");
        site.drain().await;
        let other = store
            .user(other)
            .await
            .expect("an answer")
            .expect("they stay");
        assert_eq!(other.following, 0);
        let favourites = store.favourites_before(other.id, None, 10).await;
        assert!(favourites.expect("an answer").is_empty());
        assert!(store.user(gone).await.expect("an answer").is_none());
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_follow_and_a_request_during_a_suspension_leave_exact_counts() {
    let site = Site::start().await;
    let store = &site.store;
    for round in 0..ROUNDS {
        let people = crowd::people(store, &format!("follows_{round}"), 3).await;
        let [away, fan, locked] = people[..] else {
            panic!("there are three")
        };
        crowd::set_private(store, locked, true).await;
        let ((), (), followed, asked) = join!(
            crowd::set_suspended(store, away, true),
            crowd::set_suspended(store, locked, true),
            follows::follow(store, fan, away),
            follows::follow(store, fan, locked)
        );
        followed.expect("an answer");
        asked.expect("an answer");
        site.drain().await;
        crowd::set_suspended(store, away, false).await;
        crowd::set_suspended(store, locked, false).await;
        let user = async |id| store.user(id).await.expect("an answer").expect("they stay");
        assert_eq!(user(away).await.followers, user(fan).await.following);
        let waiting = store.cardinality(&Key::Requests(locked)).await;
        assert_eq!(user(locked).await.requests, waiting.expect("an answer"));
    }
    site.assert_sound().await;
}

/// A site without an owner has no way in for a stranger: only the host gives roles.
#[tokio::test]
async fn a_site_that_all_owners_leave_at_once_waits_for_an_owner_of_its_host() {
    let site = Site::start().await;
    let store = &site.store;
    let [alice, bob, carol] = [
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
        Person::sign_up(&site, "carol").await,
    ];
    let mut owners = Vec::new();
    for login in ["alice", "bob"] {
        output_of(&site, &["role", login, "owner"]);
        owners.push(crowd::uid(store, login).await);
    }
    let (first, second) = join!(leave(&alice, PASSWORD), leave(&bob, PASSWORD));
    for answer in [first, second] {
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
    }
    let (first, second) = join!(
        account_states::delete(store, owners[0]),
        account_states::delete(store, owners[1])
    );
    for begun in [first, second] {
        assert_eq!(begun.expect("an answer"), ChangeOutcome::Changed);
    }
    site.drain().await;
    let roles = store.people_with_roles().await.expect("an answer");
    assert!(roles.is_empty(), "{roles:?}");
    let link = site.set_up_link.strip_prefix(&site.origin);
    let link = link.expect("a link to the site");
    let set_up = Person::visitor(&site).get(link).await;
    assert_eq!(set_up.status, StatusCode::NOT_FOUND);
    output_of(&site, &["role", "carol", "owner"]);
    let page = carol.open("/admin").await;
    assert!(
        page.visible_text()
            .contains("Your role on this site is owner.")
    );
    site.assert_sound().await;
}
