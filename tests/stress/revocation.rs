//! Revocation of a session takes effect even if a request of that session is in progress.

use redwing::{
    actions::{
        accounts::{edit_profile, log_out_everywhere},
        bookmarks, favourites, follows, reposts, statuses,
    },
    domain::{Bio, Collection, DisplayName, HomeFilter, HomeFilters, IdempotencyKey, Message},
    store::{Actor, Edge, Error, Key, Relation, SetOutcome},
};
use reqwest::header::SET_COOKIE;

use super::raw_connection::{Answer, RawConnection, parts};
use crate::support::{Form, PASSWORD, Person, Site, crowd, site::USUAL_HASH, waiting::eventually};

/// Ways in which a session ends.
#[derive(Debug, Clone, Copy)]
enum Ending {
    Everywhere,
    NewPassword,
    Alone,
    LoggedOut,
}

/// Returns two sessions of alice: at her desk and on her phone.
async fn two_sessions(site: &Site) -> (Person, Person) {
    let desk = Person::sign_up(site, "alice").await;
    (desk, Person::log_in(site, "alice").await)
}

/// Returns the form that ends the phone's session, from a page opened earlier.
async fn ending(desk: &Person, phone: &Person, how: Ending) -> Form {
    match how {
        Ending::Everywhere => sessions_form(desk, "/settings/sessions/revoke-all").await,
        Ending::Alone => sessions_form(desk, "/settings/sessions/revoke").await,
        Ending::LoggedOut => phone.open("/").await.form("/logout"),
        Ending::NewPassword => {
            let form = desk.open("/settings").await.form("/settings/password");
            form.set("current_password", PASSWORD)
                .set("new_password", "another mountain lake")
        }
    }
}

async fn sessions_form(person: &Person, action: &str) -> Form {
    person.open("/settings/sessions").await.form(action)
}

/// Returns the answer to a form of the phone whose body is completed only after the session has
/// ended.
async fn answer_to_a_slow_form(site: &Site, desk: &Person, phone: &Person, how: Ending) -> Answer {
    let form = phone.open("/").await.form("/statuses");
    let (head, body) = parts(phone, &form.set("message", "too late"));
    let (begin, rest) = body.split_at(body.len() / 2);
    let ends = ending(desk, phone, how).await;
    let mut connection = RawConnection::open(&site.base).await;
    connection.send(head + begin).await;
    // Other requests in between ensure that code which checks the session at the head has done so
    // by now.
    desk.open("/").await;
    phone.open("/").await;
    match how {
        Ending::LoggedOut => phone.submit_accepted(&ends).await,
        _ => desk.submit_accepted(&ends).await,
    };
    connection.send(rest).await;
    connection.answer().await
}

#[tokio::test]
async fn a_form_completed_after_its_session_ended_does_nothing() {
    for how in [
        Ending::Everywhere,
        Ending::NewPassword,
        Ending::Alone,
        Ending::LoggedOut,
    ] {
        let site = Site::start().await;
        let (desk, phone) = two_sessions(&site).await;
        let answer = answer_to_a_slow_form(&site, &desk, &phone, how).await;
        assert_eq!(answer.status, 403, "{how:?}");
        assert!(
            answer.html.contains("too late"),
            "{how:?}: the text is preserved"
        );
        assert!(!sends_session(&answer.headers), "{how:?}");
        assert!(
            Person::visitor(&site)
                .open("/@alice")
                .await
                .status_ids()
                .is_empty(),
            "{how:?}"
        );
    }
}

fn sends_session(headers: &reqwest::header::HeaderMap) -> bool {
    let cookies = headers.get_all(SET_COOKIE).iter();
    cookies
        .filter_map(|cookie| cookie.to_str().ok())
        .any(|cookie| cookie.starts_with("redwing=") || cookie.starts_with("__Host-redwing="))
}

/// Makes the phone's session old enough that its next request renews it.
async fn not_seen_for_long(site: &Site, desk: &Person) {
    let alice = crowd::uid(&site.store, "alice").await;
    let auth = site.store.auth(alice).await.expect("an answer");
    let state = crowd::session_state(alice, "alice", auth.expect("she signed up").epoch);
    let form = sessions_form(desk, "/settings/sessions/revoke").await;
    let update = site.store.update_session(form.value("session"), &state);
    assert!(update.await.expect("an answer"), "the phone is logged in");
}

/// Simulates requests that waited for Redis after the check of their session.
#[tokio::test]
async fn nothing_is_written_for_an_ended_session() {
    let site = Site::start().await;
    let (alice, bob, carol) = (
        crowd::member(&site.store, "alice").await,
        crowd::member(&site.store, "bob").await,
        crowd::member(&site.store, "carol").await,
    );
    let epoch = site.store.auth(alice).await.expect("an answer");
    let phone = || Actor::in_session(alice, epoch.clone().expect("she is there").epoch);
    let text = Message::parse("typed on the phone").expect("it is valid");
    let post = async || statuses::post(&site.store, phone(), &text, &IdempotencyKey::draw()).await;
    let posted = match post().await {
        Ok(statuses::Post::Posted(id)) => id,
        other => panic!("{other:?}"),
    };
    let follow = follows::follow(&site.store, phone(), bob).await;
    assert!(matches!(follow, Ok(follows::Follow::Done)));

    let favourite = favourites::favourite(&site.store, phone(), posted).await;
    assert!(matches!(favourite, Ok(SetOutcome::Done)));

    let theirs = crowd::post(&site.store, bob, "worth telling").await;
    let repost = reposts::repost(&site.store, phone(), posted).await;
    assert!(matches!(repost, Ok(reposts::Repost::Done(_))));

    log_out_everywhere(&site.store, alice)
        .await
        .expect("an answer");
    assert!(matches!(post().await, Err(Error::Ended)));
    let repost = reposts::repost(&site.store, phone(), theirs).await;
    assert!(matches!(repost, Err(Error::Ended)));
    for original in [posted, theirs] {
        let taken_back = reposts::undo_repost(&site.store, phone(), original).await;
        assert!(matches!(taken_back, Err(Error::Ended)));
    }
    let hidden = follows::change_filter(
        &site.store,
        phone(),
        bob,
        follows::FilterChange::Set(HomeFilter::HiddenReposts),
    )
    .await;
    assert!(matches!(hidden, Err(Error::Ended)));
    let follow = follows::follow(&site.store, phone(), carol).await;
    assert!(matches!(follow, Err(Error::Ended)));
    let unfollow = follows::unfollow(&site.store, phone(), bob).await;
    assert!(matches!(unfollow, Err(Error::Ended)));
    let unfavourite = favourites::unfavourite(&site.store, phone(), posted).await;
    assert!(matches!(unfavourite, Err(Error::Ended)));
    let bookmark = bookmarks::bookmark(&site.store, phone(), posted).await;
    assert!(matches!(bookmark, Err(Error::Ended)));
    let delete = statuses::delete(&site.store, phone(), posted).await;
    assert!(matches!(delete, Err(Error::Ended)));
    let name = DisplayName::parse("Mallory").expect("it is valid");
    let edit = edit_profile(&site.store, phone(), &name, &Bio::default()).await;
    assert!(matches!(edit, Err(Error::Ended)));

    let profile = Person::visitor(&site).open("/@alice").await;
    assert_eq!(profile.status_ids().len(), 2, "a post and a repost");
    assert_eq!(profile.status_ids()[1], posted.get());
    let edge = site.store.edge(alice, bob).await;
    assert_eq!(
        edge.expect("an answer"),
        Edge::Follows(HomeFilters::default())
    );
    let followed = [bob, carol].map(|uid| Relation::Follow(alice, uid));
    let followed = site.store.have_relations(&followed).await;
    assert_eq!(followed.expect("answers"), [true, false]);
    let kept = Collection::ALL.map(|each| Relation::saved(alice, each, posted));
    let kept = site.store.have_relations(&kept).await;
    assert_eq!(kept.expect("answers"), [true, false]);
    site.drain().await;
    site.assert_sound().await;
}

/// Otherwise a stolen session could end the session that the owner begins with a new password.
#[tokio::test]
async fn an_ended_session_cannot_log_out_everywhere() {
    let site = Site::start().await;
    let (desk, phone) = two_sessions(&site).await;
    let alice = crowd::uid(&site.store, "alice").await;
    let actor = Actor::in_session(alice, "an epoch of before".to_owned());
    let refused = log_out_everywhere(&site.store, actor).await;
    assert!(matches!(refused, Err(Error::Ended)), "{refused:?}");
    for person in [&desk, &phone] {
        assert!(
            person
                .open("/settings")
                .await
                .html
                .contains("/settings/profile")
        );
    }
}

/// A cookie that is sent again could replace a newer one.
#[tokio::test]
async fn a_cookie_is_sent_again_only_to_renew_it() {
    let site = Site::start().await;
    let (desk, phone) = two_sessions(&site).await;
    let form = phone.open("/settings").await.form("/settings/profile");
    let renamed = phone
        .submit_accepted(&form.set("name", "Alice the First"))
        .await;
    assert!(!sends_session(&renamed.headers), "it was renamed");
    let home = phone.open("/").await;
    assert!(home.visible_text().contains("Alice the First"));
    assert!(!sends_session(&home.headers), "it was seen today");
    not_seen_for_long(&site, &desk).await;
    assert!(sends_session(&phone.open("/settings").await.headers));
    assert!(!sends_session(&phone.open("/settings").await.headers));
}

/// Fills the queue of the password hasher, so that the next request waits for long.
fn keep_the_hasher_busy(site: &Site, how_long: usize) -> Vec<tokio::task::JoinHandle<()>> {
    let (base, origin) = (site.base.clone(), site.origin.clone());
    let log_in = move |number: usize| {
        let (base, origin) = (base.clone(), origin.clone());
        async move {
            let visitor = Person::at(crate::support::request::client(), &base, &origin);
            visitor
                .send_log_in(&format!("nobody_{number}"), PASSWORD)
                .await;
        }
    };
    (0..how_long)
        .map(|number| tokio::spawn(log_in(number)))
        .collect()
}

/// Returns the number of rate limits with this word in their names. A limit counts before the hashing.
async fn count_of_limits(site: &Site, word: &str) -> usize {
    let (mut count, mut walk) = (0, site.store.begin_walk().await.expect("an answer"));
    while let Some(keys) = site.store.walk(&mut walk, 100).await.expect("an answer") {
        let limits = keys
            .iter()
            .filter(|key| matches!(key.key, Some(Key::Rate(_))));
        count += limits.filter(|key| key.name.contains(word)).count();
    }
    count
}

#[tokio::test]
async fn a_session_that_ends_during_hashing_does_not_change_the_password() {
    let site = Site::with(&[
        USUAL_HASH[0],
        USUAL_HASH[1],
        "--concurrent-hashes",
        "1",
        "--waiting-hashes",
        "100",
        "--log-ins-per-quarter",
        "1000",
    ])
    .await;
    let (desk, phone) = two_sessions(&site).await;
    not_seen_for_long(&site, &desk).await;
    let form = phone.open("/settings").await.form("/settings/password");
    not_seen_for_long(&site, &desk).await;
    let everywhere = sessions_form(&desk, "/settings/sessions/revoke-all").await;
    let alice = crowd::uid(&site.store, "alice").await;
    let before = site
        .store
        .auth(alice)
        .await
        .expect("an answer")
        .expect("she is there");

    let busy = keep_the_hasher_busy(&site, 90);
    eventually("log-ins wait for the hasher", async || {
        count_of_limits(&site, "nobody_").await >= 45
    })
    .await;
    let change = form
        .set("current_password", PASSWORD)
        .set("new_password", "of whoever stole the phone");
    let slow = tokio::spawn(async move { phone.submit(&change).await });
    eventually("the change waits for the hasher", async || {
        count_of_limits(&site, "settings").await > 0
    })
    .await;
    desk.submit_accepted(&everywhere).await;
    let answer = slow.await.expect("it is answered");
    for log_in in busy {
        log_in.await.expect("it is answered");
    }
    assert_eq!(answer.status.as_u16(), 403, "{}", answer.html);
    assert!(!sends_session(&answer.headers), "an ended session's cookie");
    let after = site
        .store
        .auth(alice)
        .await
        .expect("an answer")
        .expect("she is there");
    assert_eq!(before.hash, after.hash);
}
