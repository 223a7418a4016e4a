//! The place at which one goes on reading after a press in the menu of a post, without JavaScript: the page of the menu,
//! at the post, or at the place that it had.

use crate::support::{Form, Page, Person, Site};

/// Sends a form, and returns the page to which it leads, after a check that the page has the anchor of the address.
async fn send(person: &Person, form: &Form, location: &str) -> Page {
    let answer = person.submit_accepted(form).await;
    assert_eq!(answer.location(), location);
    let (path, anchor) = location.split_once('#').expect("an anchor");
    let page = person.open(path).await;
    assert_eq!(page.count(&format!("#{anchor}")), 1, "{}", page.html);
    page
}

/// Returns the form that deletes a post, from its menu on a page.
async fn deletion(person: &Person, page: &str, id: u64) -> Form {
    let menu = person.open_menu(page, id).await;
    let links = menu.attributes(".post-menu a.delete", "href");
    let asked = person.open(&links[0]).await;
    asked.form(&format!("/statuses/{id}/delete"))
}

#[tokio::test]
async fn a_deletion_in_a_timeline_returns_to_the_place_of_the_post() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let below = alice.post("the first").await;
    for path in ["/", "/@alice", "/everybody"] {
        let id = alice.post("about to go").await;
        let above = alice.post("the last").await;
        site.drain().await;
        let form = deletion(&alice, path, id).await;
        let page = send(&alice, &form, &format!("{path}#status-{id}")).await;
        assert_eq!(page.text(".flash"), "Deleted.", "{path}");
        let places = page.texts(&format!(
            "#status-{above} + .place#status-{id} + .status .e-content"
        ));
        assert_eq!(places.len(), 1, "{path}: {}", page.html);
        assert!(!alice.open(path).await.has(".place"), "only once: {path}");
    }
    // The oldest post has its place at the end.
    let form = deletion(&alice, "/", below).await;
    let page = send(&alice, &form, &format!("/#status-{below}")).await;
    assert!(page.has(&format!("form + .place#status-{below}")));
}

#[tokio::test]
async fn the_page_of_a_deletion_leads_back_without_it() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("stays").await;
    for (page, back) in [
        ("/".to_owned(), format!("/#status-{id}")),
        (format!("/@alice/{id}"), format!("/@alice/{id}#status-{id}")),
    ] {
        let menu = alice.open_menu(&page, id).await;
        let links = menu.attributes(".post-menu a.delete", "href");
        let asked = alice.open(&links[0]).await;
        assert_eq!(asked.attributes(".actions a", "href"), [back]);
    }
}

#[tokio::test]
async fn a_mute_in_a_timeline_returns_to_the_place_of_the_post() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut others = Vec::new();
    for login in ["bob", "carol"] {
        others.push(Person::sign_up(&site, login).await);
        alice.follow(login).await;
    }
    let (bob, carol) = (&others[0], &others[1]);
    bob.post("one").await;
    let below = carol.post("two").await;
    bob.post("three").await;
    let id = bob.post("four").await;
    let above = carol.post("five").await;
    let menu = alice.open_menu("/", id).await;
    let page = send(
        &alice,
        &menu.button("/@bob/mute"),
        &format!("/#status-{id}"),
    )
    .await;
    assert!(page.text(".flash").starts_with("@bob is muted."));
    assert_eq!(page.status_ids(), [above, below]);
    let place = format!("#status-{above} + .place#status-{id} + #status-{below}");
    assert!(page.has(&place), "{}", page.html);

    // A profile keeps the posts, so they keep their anchors.
    let menu = alice.open_menu("/@bob", id).await;
    let unmute = menu.button("/@bob/unmute");
    let page = send(&alice, &unmute, &format!("/@bob#status-{id}")).await;
    assert!(page.has(&format!("article#status-{id}")));
}

#[tokio::test]
async fn a_block_and_hidden_reposts_return_to_the_place_of_the_post() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let carol = Person::sign_up(&site, "carol").await;
    alice.follow("bob").await;
    let original = carol.post("original").await;
    let below = alice.post("below").await;
    bob.press("/@carol", "repost", original).await;
    let above = alice.post("above").await;
    let ids = alice.home_ids().await;
    let [_, repost, _] = ids[..] else {
        panic!("three entries: {ids:?}");
    };
    let menu = alice.open_menu("/", repost).await;
    let hide = menu.button("/bob/reposts/hide");
    let page = send(&alice, &hide, &format!("/#status-{repost}")).await;
    assert_eq!(page.status_ids(), [above, below]);
    let place = format!("#status-{above} + .place#status-{repost} + #status-{below}");
    assert!(page.has(&place), "{}", page.html);

    let of_bob = bob.post("from bob").await;
    let menu = alice.open_menu("/", of_bob).await;
    let block = menu.button("/@bob/block");
    let page = send(&alice, &block, &format!("/#status-{of_bob}")).await;
    assert!(page.has(&format!(".place#status-{of_bob} + #status-{above}")));
}

#[tokio::test]
async fn where_ids_do_not_tell_the_order_one_returns_to_the_next_post() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let mut ids = Vec::new();
    for message in ["first", "second", "third", "fourth"] {
        ids.push(alice.post(message).await);
    }
    let [first, second, third, fourth] = ids[..] else {
        panic!("four posts: {ids:?}");
    };
    for id in [fourth, second, third, first] {
        alice.press("/@alice", "bookmark", id).await;
    }
    let listed = alice.ids("/bookmarks").await;
    assert_eq!(listed, [first, third, second, fourth]);
    for (id, place) in [(third, second), (fourth, fourth)] {
        let form = deletion(&alice, "/bookmarks", id).await;
        send(&alice, &form, &format!("/bookmarks#status-{place}")).await;
    }
    let page = alice.open("/bookmarks").await;
    assert_eq!(page.status_ids(), [first, second]);
}

#[tokio::test]
async fn a_deletion_in_a_conversation_returns_to_the_post_above() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let first = bob.post("first").await;
    let reply = alice.reply(first, "a reply").await;
    let nested = alice.reply(reply, "a nested reply").await;
    let conversation = format!("/@bob/{first}");
    for (id, parent) in [(nested, reply), (reply, first)] {
        let form = deletion(&alice, &conversation, id).await;
        let page = send(&alice, &form, &format!("{conversation}#status-{parent}")).await;
        assert_eq!(page.text(".flash"), "Deleted.");
    }
}
