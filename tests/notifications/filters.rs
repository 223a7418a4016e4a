//! The filters of the notifications page, and the buttons under its lines.

use redwing::domain::PAGE_SIZE;

use super::{PAGE, lines, unread};
use crate::support::{Page, Person, Site, crowd};

const MENTIONS: &str = "/notifications?show=mentions";
const FOLLOWS: &str = "/notifications?show=follows";

fn icons(page: &Page) -> Vec<String> {
    let classes = page.attributes(".notifications > li", "class");
    let icon = |class: String| class.split(' ').next().unwrap_or_default().to_owned();
    classes.into_iter().map(icon).collect()
}

#[tokio::test]
async fn a_filtered_page_is_full_and_its_cursor_keeps_the_filter() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let store = &site.store;
    let (uid, bob) = (
        crowd::uid(store, "alice").await,
        crowd::member(store, "bob").await,
    );
    for number in 0..PAGE_SIZE + 5 {
        let id = crowd::post(store, uid, &format!("post {number}")).await;
        crowd::post(store, bob, &format!("@alice, number {number}")).await;
        crowd::favourite(store, bob, id).await;
    }
    crowd::follow(store, bob, uid).await;
    let pages = alice.pages(MENTIONS).await;
    let lengths: Vec<usize> = pages.iter().map(|page| lines(page).len()).collect();
    assert_eq!(lengths, [PAGE_SIZE, 5]);
    let expected = |number: usize| format!("@alice, number {number}");
    let expected: Vec<String> = (0..PAGE_SIZE + 5).rev().map(expected).collect();
    let quoted = pages.iter().flat_map(|page| page.texts("blockquote"));
    assert_eq!(quoted.collect::<Vec<_>>(), expected);
    let older = pages[0].attributes("[rel=next]", "href");
    assert!(
        older[0].starts_with(&format!("{MENTIONS}&before=")),
        "{older:?}"
    );
    assert_eq!(pages[1].attributes(".pager a", "href"), [MENTIONS]);
    let follows = alice.open(FOLLOWS).await;
    assert_eq!(lines(&follows), ["bob followed you*"]);
    assert!(follows.has(".subtabs [aria-current=page][href=\"/notifications?show=follows\"]"));
    let everything = (2 * (PAGE_SIZE + 5) + 1).to_string();
    assert_eq!(unread(&follows).as_deref(), Some(everything.as_str()));
    let all = alice.open(PAGE).await;
    assert_eq!(
        icons(&all)[..3],
        ["of-person", "of-favourite", "of-mention"]
    );
    assert_eq!(unread(&alice.open(MENTIONS).await), None);
    assert_eq!(alice.get("/notifications?show=nothing").await.status, 404);
}

#[tokio::test]
async fn a_mention_is_favourited_and_its_conversation_muted_from_its_line() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let id = bob.post("good morning, @alice").await;
    bob.follow("alice").await;
    let page = alice.open(MENTIONS).await;
    let line = format!("#status-{id} > .status-body > footer >");
    let reply = format!("{line} a.reply[href=\"/@bob/{id}#message\"]");
    assert!(page.has(&reply), "{}", page.html);
    let answer = alice.press(MENTIONS, "favourite", id).await;
    assert_eq!(answer.location(), format!("{MENTIONS}#status-{id}"));
    let page = alice.open(MENTIONS).await;
    assert!(page.has(&format!("{line} [name=unfavourite][aria-pressed=true]")));
    assert_eq!(
        lines(&bob.open(PAGE).await)[0],
        "alice of the tests favourited your post*"
    );
    let answer = alice.press(MENTIONS, "mute", id).await;
    assert_eq!(answer.location(), format!("{MENTIONS}#status-{id}"));
    bob.reply(id, "@alice, one more thing").await;
    assert_eq!(lines(&alice.open(PAGE).await).len(), 2);
    let follows = alice.open(FOLLOWS).await;
    assert!(follows.has(".notifications > li") && !follows.has(".notifications footer"));
}

#[tokio::test]
async fn a_reply_is_not_offered_where_it_is_refused() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let form = bob.open("/").await.form("/statuses");
    let form = form.set("message", "@alice").set_new("repliers", "nobody");
    bob.submit_accepted(&form).await;
    let page = alice.open(MENTIONS).await;
    assert!(page.has(".notifications [name=favourite]"), "{}", page.html);
    assert!(!page.has(".notifications a.reply"));
}
