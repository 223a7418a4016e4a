//! Threads: several posts of one form, without a script. Each is a reply to the one before, and each is posted once.

use redwing::{
    domain::StatusId,
    store::{Life, Viewer},
};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, crowd};

/// Presses "Add another post" and returns the page.
async fn add_post(person: &Person, form: &Form) -> Page {
    let page = person
        .submit(&form.clone().set_new("extras", "thread"))
        .await;
    assert_eq!(page.status, StatusCode::OK);
    page
}

/// Fills in a thread of these posts.
async fn thread(person: &Person, texts: &[&str]) -> Form {
    let mut form = person.open("/").await.form("/statuses");
    form = form.set("message", texts[0]);
    for (number, text) in (2..).zip(&texts[1..]) {
        let page = add_post(person, &form).await;
        form = page.form("/statuses").set(&format!("post_{number}"), text);
    }
    form
}

/// Returns the text and the parent of each post of a person, the oldest first.
async fn posts(site: &Site, person: &Person) -> Vec<(u64, String, Option<u64>)> {
    let ids = person.ids(&format!("/@{}/replies", person.login)).await;
    let mut posts = Vec::new();
    for id in ids.into_iter().rev() {
        let status = StatusId::new(id).expect("an id");
        let Life::Living(header) = site.store.life(status).await.expect("an answer") else {
            panic!("{id} is dead");
        };
        let shown = site
            .store
            .status(Viewer::Member(header.author), status)
            .await;
        let text = shown
            .expect("an answer")
            .expect("its author sees it")
            .message()
            .to_owned();
        posts.push((id, text, header.reply_to.map(|parent| parent.status.get())));
    }
    posts
}

fn assert_chain(posts: &[(u64, String, Option<u64>)], texts: &[&str]) {
    let found: Vec<&str> = posts.iter().map(|(_, text, _)| text.as_str()).collect();
    assert_eq!(found, texts);
    assert_eq!(posts[0].2, None);
    for pair in posts.windows(2) {
        assert_eq!(pair[1].2, Some(pair[0].0), "{posts:?}");
    }
}

#[tokio::test]
async fn a_thread_is_posted_in_order_and_each_post_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let texts = ["one", "two", "three"];
    let form = thread(&alice, &texts).await;
    assert_eq!(form.value("message"), "one");
    assert_eq!(form.value("post_2"), "two");
    // Empty boxes are left out.
    let form = add_post(&alice, &form).await.form("/statuses");
    for _ in 0..2 {
        let answer = alice.submit_accepted(&form).await;
        assert_eq!(answer.location(), "/");
        assert_chain(&posts(&site, &alice).await, &texts);
    }
    assert_eq!(alice.home_ids().await.len(), 3);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_thread_has_ten_posts_at_most_and_its_errors_at_their_boxes() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let texts: Vec<String> = (1..=10).map(|number| format!("post {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let form = thread(&alice, &texts).await;
    let page = add_post(&alice, &form).await;
    assert_eq!(page.count("[data-compose] textarea"), 10);
    assert!(!page.has("[data-compose] .add-post"));
    let wrong = form.clone().set("post_7", &"x".repeat(501));
    let page = alice.submit(&wrong).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(page.attributes("[aria-invalid]", "name"), ["post_7"]);
    assert!(!page.text("#post-7-error").is_empty());
    assert!(posts(&site, &alice).await.is_empty(), "nothing is posted");
    let again = page.form("/statuses").set("post_7", "post 7");
    alice.submit_accepted(&again).await;
    assert_chain(&posts(&site, &alice).await, &texts);
}

#[tokio::test]
async fn a_thread_has_one_audience_and_warning_and_is_previewed() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = thread(&alice, &["one", "two @alice"]).await;
    let form = form
        .set("warning", "Spoiler")
        .set("option_1", "Yes")
        .set("option_2", "No");
    let form = form.choose("visibility", "followers");
    let shown = alice
        .submit(&form.clone().set_new("extras", "preview"))
        .await;
    assert_eq!(
        shown.texts("[data-compose] .preview .e-content"),
        ["one", "two @alice"]
    );
    alice.submit_accepted(&form).await;
    let visitor = Person::visitor(&site);
    for (id, text, _) in posts(&site, &alice).await {
        let page = alice.open(&format!("/@alice/{id}")).await;
        assert!(page.visible_text().contains("Spoiler"), "{text}");
        let poll = format!("#status-{id} .poll");
        assert_eq!(page.has(&poll), text == "one", "{text}");
        let hidden = visitor.get(&format!("/@alice/{id}")).await;
        assert_eq!(hidden.status, StatusCode::NOT_FOUND, "{text}");
    }
}

#[tokio::test]
async fn a_thread_that_stops_says_what_was_posted_and_keeps_the_rest() {
    let site = Site::with(&["--posts-per-hour", "2"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let texts = ["one", "two", "three", "four"];
    let form = thread(&alice, &texts).await;
    let stopped = alice.submit(&form).await;
    assert_eq!(stopped.status, StatusCode::TOO_MANY_REQUESTS);
    let text = stopped.visible_text();
    assert!(
        text.contains("The first 2 posts of your thread are published."),
        "{text}"
    );
    let published = posts(&site, &alice).await;
    assert_chain(&published, &texts[..2]);
    let rest = stopped.form("/statuses");
    assert_eq!(rest.value("message"), "three");
    assert_eq!(rest.value("post_2"), "four");
    assert_eq!(rest.value("reply_to"), published[1].0.to_string());
    for key in site.keys("rate:").await {
        site.redis.command(&["DEL", &key]);
    }
    // The third post exists already when the rest is sent: its answer was lost.
    alice.submit(&form).await;
    for _ in 0..3 {
        for key in site.keys("rate:").await {
            site.redis.command(&["DEL", &key]);
        }
        alice.submit_accepted(&rest).await;
    }
    assert_chain(&posts(&site, &alice).await, &texts);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_thread_that_is_sent_again_after_a_post_was_changed_publishes_nothing_again() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let author = crowd::uid(&site.store, "alice").await;
    let form = thread(&alice, &["one", "two", "three"]).await;
    let cookies = alice.cookies.all();
    // The answers do not arrive: their cookies are lost too.
    let send = async || {
        alice.cookies.replace(cookies.clone());
        alice.submit_accepted(&form).await;
        site.drain().await;
    };
    send().await;
    let published = posts(&site, &alice).await;
    let second = StatusId::new(published[1].0).expect("an id");
    crowd::edit(&site.store, author, second, "another").await;
    send().await;
    assert_chain(&posts(&site, &alice).await, &["one", "another", "three"]);
    crowd::delete(&site.store, author, second).await;
    send().await;
    let left = alice.ids("/@alice/replies").await;
    assert_eq!(left, [published[2].0, published[0].0]);
    for id in left {
        let id = StatusId::new(id).expect("an id");
        crowd::delete(&site.store, author, id).await;
    }
    alice.cookies.replace(cookies.clone());
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let again = refused.form("/statuses");
    let texts = ["message", "post_2", "post_3"].map(|name| again.value(name));
    assert_eq!(texts, ["one", "two", "three"]);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_rest_of_a_thread_whose_last_post_was_deleted_is_a_thread_of_its_own() {
    let site = Site::with(&["--posts-per-hour", "3"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let lift_limit = async || {
        for key in site.keys("rate:").await {
            site.redis.command(&["DEL", &key]);
        }
    };
    alice.post("zero").await;
    let form = thread(&alice, &["one", "two", "three"]).await;
    let rest = alice.submit(&form).await.form("/statuses");
    let published = posts(&site, &alice).await;
    let last = StatusId::new(published[2].0).expect("an id");
    let author = crowd::uid(&site.store, "alice").await;
    crowd::delete(&site.store, author, last).await;
    lift_limit().await;
    let stopped = alice.submit(&form).await;
    let text = stopped.visible_text();
    assert!(text.contains("The first 2 posts of your thread"), "{text}");
    assert!(text.contains("was deleted since"), "{text}");
    let again = stopped.form("/statuses");
    assert_eq!(again.value("message"), "three");
    assert!(again.fields.iter().all(|(name, _)| name != "reply_to"));
    // The form of the first answer is refused. What it comes back as is the same thread.
    lift_limit().await;
    let refused = alice.submit(&rest).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    for form in [again, refused.form("/statuses")] {
        lift_limit().await;
        alice.submit_accepted(&form).await;
    }
    let left = posts(&site, &alice).await;
    let left: Vec<(&str, bool)> = left
        .iter()
        .map(|(_, text, reply_to)| (text.as_str(), reply_to.is_some()))
        .collect();
    assert_eq!(left, [("zero", false), ("one", false), ("three", false)]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_reply_can_be_a_thread() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = bob.post("Tell me more").await;
    let form = alice.open(&format!("/@bob/{id}")).await.form("/statuses");
    let page = add_post(&alice, &form.set("message", "First")).await;
    assert!(page.path.contains("/statuses"), "{}", page.path);
    let form = page.form("/statuses").set("post_2", "Second");
    alice.submit_accepted(&form).await;
    let replies = posts(&site, &alice).await;
    let parents: Vec<Option<u64>> = replies.iter().map(|reply| reply.2).collect();
    assert_eq!(parents, [Some(id), Some(replies[0].0)]);
}
