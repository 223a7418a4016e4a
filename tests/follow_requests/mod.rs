//! Private accounts: what they hide, and requests to follow them with their answers.

mod races;

use redwing::{
    actions::{follow_requests::answer, reposts},
    domain::{Answer, PAGE_SIZE, StatusId, Visibility},
    store::{Key, Viewer},
};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, crowd, waiting::eventually};

/// Returns the form as the button with this name and value submits it.
fn pressed(form: Form, name: &str, value: &str) -> Form {
    let mut form = form.without(name);
    form.fields.push((name.to_owned(), value.to_owned()));
    form
}

async fn switch(person: &Person, account: &str) -> Page {
    let page = person.open("/settings/privacy").await;
    let form = pressed(page.form("/settings/account"), "account", account);
    person.submit_accepted(&form).await
}

/// Answers the first form on the page of requests: all requests on the page if there are several.
async fn answer_first(person: &Person, answer: &str) -> Page {
    let page = person.open("/settings/requests").await;
    let form = pressed(page.form("/settings/requests"), "answer", answer);
    person.submit_accepted(&form).await
}

/// Signs up people with these logins.
async fn sign_up<const COUNT: usize>(site: &Site, logins: [&str; COUNT]) -> [Person; COUNT] {
    let mut people = Vec::new();
    for login in logins {
        people.push(Person::sign_up(site, login).await);
    }
    people.try_into().ok().expect("as many as logins")
}

#[tokio::test]
async fn a_request_is_sent_withdrawn_refused_and_accepted() {
    let site = Site::start().await;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    alice.post("of alice").await;
    switch(&alice, "private").await;
    let profile = bob.open("/@alice").await;
    assert!(profile.visible_text().contains("This account is private"));
    assert!(profile.messages().is_empty());
    let ask = profile.form("/@alice/follow");
    for _ in 0..2 {
        bob.submit_accepted(&ask).await;
    }
    let asked = bob.open("/@alice").await;
    assert!(asked.find_form("/@alice/follow").is_none());
    assert!(asked.messages().is_empty());
    let notified = alice.open("/notifications").await;
    assert!(notified.visible_text().contains("asked to follow you"));
    assert!(notified.visible_text().contains("Follow requests (1)"));
    let withdraw = asked.form("/@alice/withdraw");
    for _ in 0..2 {
        bob.submit_accepted(&withdraw).await;
    }
    let requests = alice.open("/settings/requests").await;
    assert!(!requests.has(".person"));
    bob.submit_accepted(&ask).await;
    answer_first(&alice, "refuse").await;
    assert!(bob.open("/@alice").await.messages().is_empty());
    bob.submit_accepted(&ask).await;
    let answered = answer_first(&alice, "accept").await;
    assert_eq!(answered.location(), "/settings/requests");
    assert_eq!(bob.open("/@alice").await.messages(), ["of alice"]);
    assert_eq!(bob.open("/").await.messages(), ["of alice"]);
    let notified = bob.open("/notifications").await.visible_text();
    assert!(notified.contains("accepted your request to follow"));
    bob.unfollow("alice").await;
    let notified = bob.open("/notifications").await.visible_text();
    assert!(!notified.contains("accepted your request to follow"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_withdrawal_or_refusal_of_an_accepted_request_says_that_the_follow_stays() {
    let site = Site::start().await;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    switch(&alice, "private").await;
    let ask = bob.open("/@alice").await.form("/@alice/follow");
    bob.submit_accepted(&ask).await;
    let withdraw = bob.open("/@alice").await.form("/@alice/withdraw");
    let requests = alice.open("/settings/requests").await;
    let refuse = pressed(requests.form("/settings/requests"), "answer", "refuse");
    answer_first(&alice, "accept").await;
    for (person, form, words) in [
        (
            &bob,
            &withdraw,
            "@alice accepted your request before. You follow them.",
        ),
        (&alice, &refuse, "They were answered or withdrawn before"),
    ] {
        let answer = person.submit_accepted(form).await;
        let shown = person.open(answer.location()).await.visible_text();
        assert!(shown.contains(words), "{shown}");
    }
    assert!(
        bob.open("/@alice")
            .await
            .find_form("/@alice/unfollow")
            .is_some()
    );
}

#[tokio::test]
async fn a_withdrawal_without_a_request_says_that_there_is_none() {
    let site = Site::start().await;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    switch(&alice, "private").await;
    let ask = bob.open("/@alice").await.form("/@alice/follow");
    bob.submit_accepted(&ask).await;
    let withdraw = bob.open("/@alice").await.form("/@alice/withdraw");
    let said = async || {
        let answer = bob.submit_accepted(&withdraw).await;
        bob.open(answer.location()).await.text(".flash")
    };
    assert_eq!(said().await, "Your request to @alice is withdrawn.");
    bob.submit_accepted(&ask).await;
    answer_first(&alice, "refuse").await;
    assert_eq!(said().await, "You have no open request to @alice.");
}

#[tokio::test]
async fn a_private_account_shows_its_people_to_followers_and_is_not_suggested() {
    let site = Site::start().await;
    let [alice, bob, carol] = sign_up(&site, ["alice", "bob", "carol"]).await;
    bob.follow("alice").await;
    alice.follow("bob").await;
    let visitor = Person::visitor(&site);
    let is_suggested = async || carol.open("/").await.find_form("/@alice/follow").is_some();
    assert!(is_suggested().await);
    switch(&alice, "private").await;
    for (viewer, sees) in [
        (&alice, true),
        (&bob, true),
        (&carol, false),
        (&visitor, false),
    ] {
        for path in ["/@alice/followers", "/@alice/following"] {
            let page = viewer.open(path).await;
            assert_eq!(page.has(".person"), sees, "{path}");
        }
    }
    assert!(!is_suggested().await);
    let search = carol.open("/search?q=alice").await;
    assert!(
        search.find_form("/@alice/follow").is_some(),
        "found by name"
    );
    switch(&alice, "public").await;
    assert!(carol.open("/@alice/followers").await.has(".person"));
    site.assert_sound().await;
}

#[tokio::test]
async fn a_removed_follower_sees_nothing_more() {
    let site = Site::start().await;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    bob.follow("alice").await;
    alice.post("of alice").await;
    switch(&alice, "private").await;
    assert_eq!(bob.open("/").await.messages(), ["of alice"]);
    let page = alice.open("/settings/followers").await;
    let remove = page.form("/@bob/remove");
    for _ in 0..2 {
        let removed = alice.submit_accepted(&remove).await;
        assert_eq!(removed.location(), "/settings/followers");
    }
    assert!(!alice.open("/settings/followers").await.has(".person"));
    assert!(bob.open("/").await.messages().is_empty());
    assert!(bob.open("/@alice").await.messages().is_empty());
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn what_is_written_while_private_stays_with_followers() {
    let site = Site::start().await;
    let store = &site.store;
    let [alice, bob, carol] = sign_up(&site, ["alice", "bob", "carol"]).await;
    bob.follow("alice").await;
    let of_carol = carol.post("of carol").await;
    let before = alice.post("before").await;
    switch(&alice, "private").await;
    let composer = alice.open("/").await;
    assert_eq!(composer.texts("#visibility option"), ["Followers"]);
    // Also a form that was opened before the switch.
    let author = crowd::uid(store, "alice").await;
    let written = crowd::post_to(store, author, Visibility::Public, "meanwhile #birds").await;
    let original = StatusId::new(of_carol).expect("in range");
    let reply = crowd::reply(store, author, original, "an answer").await;
    let repost = reposts::repost(store, author, original).await;
    repost.expect("the store answers");
    let messages = async |person: &Person| person.open("/@alice/replies").await.messages();
    assert_eq!(messages(&bob).await.len(), 4);
    assert!(messages(&carol).await.is_empty());
    // The author of the post that she replied to sees the reply.
    let viewer = Viewer::Member(crowd::uid(store, "carol").await);
    let seen = store.status(viewer, reply).await;
    assert!(seen.expect("an answer").is_some());
    let tag = carol.open("/tags/birds").await;
    assert!(tag.messages().is_empty());
    assert!(
        carol
            .open(&format!("/@carol/{of_carol}/reposts"))
            .await
            .find_form("/@alice/follow")
            .is_none()
    );
    switch(&alice, "public").await;
    let visitor = Person::visitor(&site);
    assert_eq!(messages(&visitor).await, ["before"]);
    assert_eq!(messages(&bob).await.len(), 4);
    let hidden = carol.get(&format!("/@alice/{written}")).await;
    assert_eq!(hidden.status, StatusCode::NOT_FOUND);
    let shown = visitor.get(&format!("/@alice/{before}")).await;
    assert_eq!(shown.status, StatusCode::OK);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_page_of_requests_is_answered_at_once_and_the_rest_waits() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    switch(&alice, "private").await;
    let person = crowd::uid(store, "alice").await;
    let others = crowd::people(store, "other", PAGE_SIZE + 5).await;
    for other in &others {
        crowd::ask_to_follow(store, *other, person).await;
    }
    let page = alice.open("/settings/requests").await;
    let waiting = format!("{} waiting", others.len());
    assert!(page.visible_text().contains(&waiting));
    assert_eq!(page.texts(".p-nickname").len(), PAGE_SIZE);
    answer_first(&alice, "accept").await;
    let count = async |key: Key| store.cardinality(&key).await.expect("an answer");
    assert_eq!(count(Key::Followers(person)).await, PAGE_SIZE as u64);
    assert_eq!(count(Key::Requests(person)).await, 5);
    answer_first(&alice, "refuse").await;
    assert_eq!(count(Key::Requests(person)).await, 0);
    assert_eq!(count(Key::Followers(person)).await, PAGE_SIZE as u64);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_account_that_becomes_public_accepts_refuses_or_leaves_its_requests() {
    let site = Site::start().await;
    let store = &site.store;
    for (number, (choice, expected)) in [("leave", (3, 0)), ("accept", (0, 3)), ("refuse", (0, 0))]
        .into_iter()
        .enumerate()
    {
        let login = format!("alice_{number}");
        let alice = Person::sign_up(&site, &login).await;
        switch(&alice, "private").await;
        let person = crowd::uid(store, &login).await;
        for other in crowd::people(store, &format!("other_{number}"), 3).await {
            crowd::ask_to_follow(store, other, person).await;
        }
        let page = alice.open("/settings/privacy").await;
        let form = page.form("/settings/account").set("waiting", choice);
        alice
            .submit_accepted(&pressed(form, "account", "public"))
            .await;
        // The worker of the site can have taken the task before.
        eventually(choice, async || {
            site.drain().await;
            let user = store.user(person).await.expect("an answer");
            let user = user.expect("a user");
            !user.is_private && (user.requests, user.followers) == expected
        })
        .await;
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_person_at_the_limit_of_follows_stays_a_request() {
    let site = Site::with(&["--max-following", "1"]).await;
    let store = &site.store;
    let [alice, bob] = sign_up(&site, ["alice", "bob"]).await;
    let [alice_id, bob_id] = [
        crowd::uid(store, "alice").await,
        crowd::uid(store, "bob").await,
    ];
    switch(&alice, "private").await;
    crowd::ask_to_follow(store, bob_id, alice_id).await;
    let other = crowd::member(store, "other").await;
    crowd::follow(store, bob_id, other).await;
    let answered = answer_first(&alice, "accept").await;
    let page = alice.open(answered.location()).await;
    assert!(
        page.text(".flash")
            .starts_with("Some requests were not answered.")
    );
    assert!(page.has(".person"), "the request still waits");
    bob.unfollow("other").await;
    let accepted = answer(store, alice_id, bob_id, Answer::Accept).await;
    accepted.expect("the store answers");
    assert!(!alice.open("/settings/requests").await.has(".person"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn nobody_answers_or_removes_for_others() {
    let site = Site::start().await;
    let [alice, bob, carol] = sign_up(&site, ["alice", "bob", "carol"]).await;
    switch(&alice, "private").await;
    let ask = bob.open("/@alice").await.form("/@alice/follow");
    bob.submit_accepted(&ask).await;
    let ask_carol = carol.open("/@alice").await.form("/@alice/follow");
    carol.submit_accepted(&ask_carol).await;
    // The form names the person who asked, and the session the one who answers.
    let page = alice.open("/settings/requests").await;
    let fields = page.form("/settings/requests").fields;
    let of_carol = carol
        .open("/settings/privacy")
        .await
        .form("/settings/privacy");
    let mut stolen = pressed(page.form("/settings/requests"), "answer", "accept");
    for (name, value) in &mut stolen.fields {
        if name == "csrf_token" {
            let own = of_carol
                .fields
                .iter()
                .find(|(name, _)| name == "csrf_token");
            *value = own.expect("a token").1.clone();
        }
    }
    assert!(!fields.is_empty());
    carol.submit_accepted(&stolen).await;
    assert!(bob.open("/@alice").await.messages().is_empty());
    let store = &site.store;
    let person = crowd::uid(store, "alice").await;
    let followers = store.cardinality(&Key::Followers(person)).await;
    assert_eq!(followers.expect("an answer"), 0);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_navigation_counts_the_waiting_requests_on_every_page() {
    let site = Site::start().await;
    let [alice, bob, carol] = sign_up(&site, ["alice", "bob", "carol"]).await;
    switch(&alice, "private").await;
    let link = ".main-nav [href=\"/settings/requests\"]";
    assert!(!alice.open("/").await.has(link));
    for person in [&bob, &carol] {
        let ask = person.open("/@alice").await.form("/@alice/follow");
        person.submit_accepted(&ask).await;
    }
    for page in ["/", "/lists", "/settings"] {
        assert_eq!(alice.open(page).await.text(link), "Follow requests (2)");
    }
    answer_first(&alice, "accept").await;
    site.drain().await;
    assert!(!alice.open("/").await.has(link));
}
