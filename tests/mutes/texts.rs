//! Muted words, phrases and tags: where such posts no longer appear, where they still do, how a mute ends.

use redwing::{
    actions::homes,
    domain::{Draft, Message, MutedText, PAGE_SIZE, Visibility, Warning},
    store::{Key, ReadMode},
};
use reqwest::StatusCode;
use tokio::join;

use crate::{
    live::page::{OpenPage, since},
    notifications::{lines, members, unread},
    support::{Form, Page, Person, Site, core::Core, crowd},
};

const PAGE: &str = "/settings/muted-words";

async fn mute(person: &Person, text: &str, term: &str) -> Page {
    let form = person.open(PAGE).await.form(PAGE);
    let form = form.set("text", text).set("term", term);
    person.submit_accepted(&form).await
}

async fn unmute(person: &Person, text: &str) {
    let form = person.open(PAGE).await.form("/settings/muted-words/remove");
    person.submit_accepted(&form.set("text", text)).await;
}

/// Alice, who follows bob and has opened her home.
async fn alice_and_bob(site: &Site) -> [Person; 2] {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    alice.follow("bob").await;
    alice.open("/").await;
    [alice, bob]
}

#[tokio::test]
async fn muted_posts_leave_home_list_and_important_stay_elsewhere_and_come_back() {
    let site = Site::start().await;
    let [alice, bob] = alice_and_bob(&site).await;
    let (me, him) = (
        crowd::uid(&site.store, "alice").await,
        crowd::uid(&site.store, "bob").await,
    );
    let list = crowd::list(&site.store, me, &[him]).await;
    bob.post("I trust you").await;
    bob.post("All about Rust, again").await;
    bob.post("A red wing #Birds").await;
    site.drain().await;
    let places = [
        "/".to_owned(),
        format!("/lists/{}", list.number),
        "/important".to_owned(),
    ];
    let page = mute(&alice, "rust", "forever").await;
    assert_eq!(page.location(), PAGE);
    for path in &places {
        let messages = alice.open(path).await.messages();
        assert_eq!(messages.len(), 2, "{path}: {messages:?}");
        assert!(!messages.contains(&"All about Rust, again".to_owned()));
    }
    mute(&alice, "#birds", "week").await;
    mute(&alice, "trust you", "day").await;
    for path in &places {
        assert_eq!(alice.open(path).await.messages(), [""; 0], "{path}");
    }
    assert_eq!(alice.open("/@bob").await.messages().len(), 3);
    assert_eq!(alice.open("/tags/birds").await.messages().len(), 1);
    assert_eq!(alice.open("/search?q=rust").await.messages().len(), 1);
    unmute(&alice, "rust").await;
    assert_eq!(alice.open("/").await.messages(), ["All about Rust, again"]);
    unmute(&alice, "#birds").await;
    unmute(&alice, "trust you").await;
    for path in &places {
        assert_eq!(alice.open(path).await.messages().len(), 3, "{path}");
    }
    assert!(alice.open(PAGE).await.has(".empty"));
    site.assert_sound().await;
}

#[tokio::test]
async fn warnings_poll_options_reposts_and_quotes_are_muted_and_own_posts_are_not() {
    let site = Site::start().await;
    let store = &site.store;
    let [alice, _] = alice_and_bob(&site).await;
    let (me, him) = (
        crowd::uid(store, "alice").await,
        crowd::uid(store, "bob").await,
    );
    let stranger = crowd::member(store, "stranger").await;
    crowd::mute_text(store, me, "kiwi").await;
    let warned = Draft {
        warning: Warning::parse("About a kiwi").expect("valid"),
        ..Draft::from(&Message::parse("plain").expect("valid"))
    };
    crowd::post_draft(store, him, warned).await;
    crowd::post_poll(store, him, &["Kiwi", "Apple"]).await;
    let about = crowd::post(store, stranger, "my kiwi").await;
    crowd::repost(store, him, about).await;
    crowd::quote(store, him, about, "look").await;
    let own = crowd::post(store, me, "a kiwi of mine").await;
    crowd::quote(store, me, about, "mine too").await;
    // Bob quotes her own words, which are never muted for her.
    crowd::quote(store, him, own, "her words").await;
    site.drain().await;
    let home = alice.open("/").await;
    assert_eq!(home.messages(), ["her words", "mine too", "a kiwi of mine"]);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_muted_post_is_collapsed_to_its_reason_in_a_conversation_and_open_on_its_own_page() {
    let site = Site::start().await;
    let [alice, bob] = alice_and_bob(&site).await;
    let own = alice.post("let us talk").await;
    let reply = bob.reply(own, "about <b>rust</b>").await;
    let below = bob.reply(reply, "and about tea").await;
    site.drain().await;
    mute(&alice, "RUST", "forever").await;
    let page = alice.open(&format!("/@alice/{own}")).await;
    let reason = format!("#status-{reply} details.warned summary");
    assert_eq!(page.text(&reason), "You muted RUST");
    assert!(!page.has(&format!("#status-{below} details.warned")));
    let page = alice.open(&format!("/@bob/{reply}")).await;
    assert!(
        !page.has(".subject details.warned"),
        "the focused post is open"
    );
    let page = alice.open(&format!("/@bob/{below}")).await;
    assert!(page.has(&reason), "a post above it is collapsed");
    let of_bob = bob.open(&format!("/@alice/{own}")).await;
    assert!(!of_bob.has("details.warned"));
    assert!(alice.open("/@bob/replies").await.messages().len() == 2);
    assert!(!alice.open("/@bob/replies").await.has("details.warned"));
}

#[tokio::test]
async fn muted_posts_cause_no_notifications_and_earlier_ones_are_gone_with_their_count() {
    let site = Site::start().await;
    let [alice, bob] = alice_and_bob(&site).await;
    let own = alice.post("hello").await;
    bob.reply(own, "rust, before the mute").await;
    bob.post("@alice, tea?").await;
    site.drain().await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("2"));
    mute(&alice, "rust", "forever").await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("1"));
    bob.reply(own, "more rust").await;
    bob.post("@alice rust").await;
    bob.press("/@alice", "favourite", own).await;
    site.drain().await;
    assert_eq!(unread(&alice.open("/").await).as_deref(), Some("2"));
    let page = alice.open("/notifications").await;
    assert_eq!(lines(&page).len(), 2, "{:?}", lines(&page));
    unmute(&alice, "rust").await;
    assert_eq!(lines(&alice.open("/notifications").await).len(), 2);
    site.assert_sound().await;
}

#[tokio::test]
async fn an_edit_that_adds_a_muted_word_takes_the_post_and_its_notification_away() {
    let site = Site::start().await;
    let store = &site.store;
    let [alice, _] = alice_and_bob(&site).await;
    let (me, him) = (
        crowd::uid(store, "alice").await,
        crowd::uid(store, "bob").await,
    );
    crowd::mute_text(store, me, "rust").await;
    let id = crowd::post(store, him, "@alice hello").await;
    site.drain().await;
    assert_eq!(members(store, me).await, [format!("mention:{id}:{him}")]);
    crowd::edit(store, him, id, "@alice hello rust").await;
    site.drain().await;
    assert_eq!(alice.open("/").await.messages(), [""; 0]);
    assert_eq!(members(store, me).await, [""; 0]);
    crowd::edit(store, him, id, "@alice hello").await;
    site.drain().await;
    assert_eq!(alice.open("/").await.messages(), ["@alice hello"]);
    site.assert_sound().await;
}

#[tokio::test]
async fn pages_stay_full_and_new_posts_are_counted_without_muted_ones() {
    let core = Core::start();
    let store = &core.store;
    let reader = crowd::member(store, "reader").await;
    let author = crowd::member(store, "author").await;
    crowd::follow(store, reader, author).await;
    crowd::home(store, reader).await;
    let mut quiet = Vec::new();
    for _ in 0..2 * PAGE_SIZE {
        crowd::post(store, author, "loud").await;
        quiet.push(crowd::post(store, author, "quiet").await);
    }
    crowd::mute_text(store, reader, "loud").await;
    let key = format!("reading:{{{reader}}}");
    core.redis.command(&["HSET", &key, "at", "1"]);
    let read = homes::home_page(store, reader, None, ReadMode::Prefetch).await;
    let read = read.expect("the store answers");
    assert_eq!(read.page.items.len(), PAGE_SIZE);
    let count = read.new_posts.expect("the home is complete").count;
    assert_eq!(count, 2 * PAGE_SIZE as u64);
    let page = async |cursor| {
        let read = homes::home_page(store, reader, cursor, ReadMode::Visit);
        read.await.expect("the store answers").page
    };
    let mut read = crowd::read_all(page).await;
    read.reverse();
    assert_eq!(read, quiet);
}

#[tokio::test]
async fn open_streams_count_without_muted_posts_at_once() {
    let site = Site::start().await;
    let [alice, bob] = alice_and_bob(&site).await;
    let made = since(&alice).await;
    let mut page = OpenPage::since(&alice, &made).await;
    page.wait_for_arrivals(0).await;
    bob.post("about rust").await;
    page.wait_for_arrivals(1).await;
    bob.post("about tea").await;
    page.wait_for_arrivals(2).await;
    mute(&alice, "rust", "day").await;
    page.wait_for_arrivals(1).await;
    bob.post("rust again").await;
    bob.post("tea again").await;
    page.wait_for_arrivals(2).await;
    unmute(&alice, "rust").await;
    page.wait_for_arrivals(4).await;
    // Without a log that reaches back, the posts themselves are counted.
    mute(&alice, "tea again", "day").await;
    let uid = crowd::uid(&site.store, "alice").await;
    site.redis.command(&["DEL", &format!("arrivals:{{{uid}}}")]);
    let mut page = OpenPage::since(&alice, &made).await;
    assert_eq!(page.next_event_named("reset").await.data, "3");
}

#[tokio::test]
async fn a_tag_is_muted_from_its_page_with_two_presses() {
    let site = Site::start().await;
    let [alice, bob] = alice_and_bob(&site).await;
    bob.post("look #birds").await;
    let page = alice.open("/tags/birds").await;
    assert!(page.has("details.mute summary"));
    let mut form = page.form(PAGE).without("term");
    form.fields.push(("term".to_owned(), "week".to_owned()));
    let answer = alice.submit_accepted(&form).await;
    assert_eq!(answer.location(), "/tags/birds");
    assert!(alice.open("/").await.messages().is_empty());
    let page = alice.open("/tags/birds").await;
    assert_eq!(page.messages(), ["look #birds"]);
    assert!(page.text(".muted-tag .meta").starts_with("Muted until "));
    let lifted = alice
        .submit_accepted(&page.form("/settings/muted-words/remove"))
        .await;
    assert_eq!(lifted.location(), "/tags/birds");
    assert_eq!(alice.open("/").await.messages(), ["look #birds"]);
    assert!(
        !Person::visitor(&site)
            .open("/tags/birds")
            .await
            .has("details.mute")
    );
}

#[tokio::test]
async fn a_mute_of_a_word_ends_at_its_time() {
    let site = Site::start().await;
    let [alice, bob] = alice_and_bob(&site).await;
    bob.post("about rust").await;
    mute(&alice, "rust", "hour").await;
    assert!(alice.open("/").await.messages().is_empty());
    let uid = crowd::uid(&site.store, "alice").await;
    let key = format!("muted_texts:{{{uid}}}");
    let past = (site.store.now().await.expect("an answer").0 * 1000 - 1000).to_string();
    site.redis.command(&["ZADD", &key, &past, "rust"]);
    assert_eq!(alice.open("/").await.messages(), ["about rust"]);
    assert!(alice.open(PAGE).await.has(".empty"));
    // Ended mutes are removed up to the last note of the clock, which is steady.
    site.store.note_clock().await.expect("an answer");
    // A second mute of the same word changes the end of the first.
    mute(&alice, "Tea", "hour").await;
    mute(&alice, "tea", "forever").await;
    let page = alice.open(PAGE).await;
    assert_eq!(page.texts(".sessions .name"), ["Tea"]);
    assert_eq!(page.texts(".sessions .meta"), ["Muted until you unmute it"]);
    let count = site.store.cardinality(&Key::MutedTexts(uid)).await;
    assert_eq!(count.expect("an answer"), 1, "the ended one is gone");
    site.assert_sound().await;
}

#[tokio::test]
async fn texts_without_words_too_long_and_too_many_are_refused_in_words() {
    let site = Site::start().await;
    let [alice, bob] = alice_and_bob(&site).await;
    let form = alice.open(PAGE).await.form(PAGE);
    for (text, words) in [
        ("", "Enter a word, a phrase or a #tag."),
        ("?!", "Enter a word, a phrase or a #tag."),
        (&"x".repeat(101), "At most 100 characters; this has 101."),
    ] {
        let refused = alice.submit(&form.clone().set("text", text)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.text("#text-error"), words);
        assert_eq!(refused.form(PAGE).value("text"), text);
    }
    let unknown: Form = form.clone().set("text", "tea").set("term", "year");
    assert_eq!(alice.submit(&unknown).await.status, StatusCode::BAD_REQUEST);
    let uid = crowd::uid(&site.store, "alice").await;
    for number in 0..MutedText::MAX_COUNT {
        crowd::mute_text(&site.store, uid, &format!("word{number}")).await;
    }
    let refused = alice.submit(&form.clone().set("text", "one more")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains("limit of 200"));
    alice.submit_accepted(&form.set("text", "WORD7")).await;

    // Each notification reads them all, so they have a limit of bytes together.
    let long = |number: usize| format!("{number:02}{}", "ж".repeat(98));
    let uid = crowd::uid(&site.store, "bob").await;
    let fitting = MutedText::MAX_BYTES_OF_ALL / long(0).len();
    for number in 0..fitting {
        crowd::mute_text(&site.store, uid, &long(number)).await;
    }
    let form = bob.open(PAGE).await.form(PAGE);
    let refused = bob.submit(&form.clone().set("text", &long(fitting))).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    bob.submit_accepted(&form.set("text", &long(0))).await;
}

/// Of a mute and a post at the same moment, either the post came first and its notification was removed, or the
/// mute did and there was none.
#[tokio::test(flavor = "multi_thread")]
async fn a_mute_during_a_mention_leaves_no_notification() {
    let core = Core::start();
    let store = &core.store;
    for number in 0..12 {
        let reader = crowd::member(store, &format!("reader{number}")).await;
        let author = crowd::member(store, &format!("author{number}")).await;
        crowd::mute_text(store, reader, "tea").await;
        let text = format!("@reader{number} rust");
        join!(
            crowd::mute_text(store, reader, "rust"),
            crowd::post_to(store, author, Visibility::Public, &text)
        );
        core.drain().await;
        assert_eq!(members(store, reader).await, [""; 0], "try {number}");
    }
    core.assert_sound().await;
}
