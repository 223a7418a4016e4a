//! Replies that the author of a conversation hides: behind one click, for everybody, and nowhere else.

use redwing::{
    actions::reply_control,
    domain::StatusId,
    store::{ControlOutcome, Viewer},
};
use reqwest::StatusCode;

use crate::support::{Page, Person, Site, core::Core, crowd};

/// Returns the texts of replies in a conversation, those shown and those that are hidden.
fn replies(page: &Page) -> [Vec<String>; 2] {
    let hidden = page.texts(".hidden-replies .e-content");
    let mut shown = page.texts(".nested-replies .e-content");
    shown.retain(|text| !hidden.contains(text));
    [shown, hidden]
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

#[tokio::test]
async fn the_author_of_a_conversation_hides_a_reply_with_the_replies_below_it() {
    let site = Site::start().await;
    let host = Person::sign_up(&site, "host").await;
    let guest = Person::sign_up(&site, "guest").await;
    let fan = Person::sign_up(&site, "fan").await;
    for followed in ["host", "guest"] {
        fan.follow(followed).await;
    }
    let first = host.post("first").await;
    let path = format!("/@host/{first}");
    let rude = guest.reply(first, "rude").await;
    fan.reply(rude, "below the rude one").await;
    let kind = fan.reply(first, "kind").await;
    let nested = guest.reply(kind, "rude again").await;
    let home = fan.open("/").await.messages();
    let hide = |id: u64| format!("/statuses/{id}/hide");
    // Only the host can hide, and only replies of others.
    for person in [&guest, &fan] {
        let menu = person.open_menu(&path, rude).await;
        assert!(menu.find_button(&hide(rude)).is_none());
    }
    host.press(&path, "hide", rude).await;
    host.press(&path, "hide", nested).await;
    let visitor = Person::visitor(&site);
    for person in [&host, &guest, &fan, &visitor] {
        let page = person.open(&path).await;
        let hidden = texts(&["rude", "below the rude one", "rude again"]);
        assert_eq!(
            replies(&page),
            [texts(&["kind"]), hidden],
            "{}",
            person.login
        );
        assert_eq!(page.text(".hidden-replies > summary"), "Hidden replies (2)");
    }
    // Counts, the home of a follower and the page of the reply stay as they were.
    let page = host.open(&path).await;
    assert_eq!(page.text(".subject > .status-body > footer .reply b"), "2");
    assert_eq!(fan.open("/").await.messages(), home);
    let own = guest.open(&format!("/@guest/{rude}")).await;
    assert_eq!(
        own.text(".subject .reply-limit"),
        "Hidden by the author of the conversation"
    );
    assert!(own.messages().contains(&"below the rude one".to_owned()));
    // An edit leaves it hidden.
    let edit = format!("/statuses/{rude}/edit");
    let form = guest.open(&edit).await.form(&edit);
    guest
        .submit_accepted(&form.set("message", "still rude"))
        .await;
    assert_eq!(replies(&host.open(&path).await)[1][0], "still rude");
    host.press(&path, "show", rude).await;
    host.press(&path, "show", nested).await;
    let page = visitor.open(&path).await;
    assert_eq!(replies(&page)[0].len(), 4);
    assert!(!page.has(".hidden-replies"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn nobody_else_hides_a_reply_and_no_other_status_is_hidden() {
    let site = Site::start().await;
    let host = Person::sign_up(&site, "host").await;
    let guest = Person::sign_up(&site, "guest").await;
    let first = host.post("first").await;
    let reply = guest.reply(first, "an answer").await;
    let own = host.reply(reply, "my own").await;
    let path = format!("/@host/{first}");
    let menu = host.open_menu(&path, reply).await;
    let button = menu.button(&format!("/statuses/{reply}/hide"));
    let of_guest = guest.open(&path).await.form("/statuses");
    for (person, token, id) in [
        (&guest, of_guest.value("csrf_token"), reply),
        (&host, "", own),
        (&host, "", first),
    ] {
        let mut forged = button.clone();
        forged.action = format!("/statuses/{id}/hide");
        if !token.is_empty() {
            forged = forged.set("csrf_token", token);
        }
        assert_eq!(person.submit(&forged).await.status, StatusCode::NOT_FOUND);
    }
    assert!(!guest.open(&path).await.has(".hidden-replies"));
}

#[tokio::test]
async fn a_page_with_hidden_replies_is_as_long_and_takes_as_many_reads() {
    let core = Core::start();
    let store = &core.store;
    let [host, guest] = crowd::people(store, "person", 2).await[..] else {
        panic!("there are two")
    };
    let first = crowd::post(store, host, "first").await;
    let mut replies: Vec<StatusId> = Vec::new();
    for number in 0..25 {
        replies.push(crowd::reply(store, guest, first, &format!("answer {number}")).await);
    }
    for id in &replies[..10] {
        let hidden = reply_control::set_hidden(store, host, *id, true).await;
        assert_eq!(hidden.expect("an answer"), ControlOutcome::Done);
    }
    let viewer = Viewer::Member(guest);
    let status = store
        .status(viewer, first)
        .await
        .expect("an answer")
        .expect("it lives");
    let page = store
        .conversation(viewer, &status, None)
        .await
        .expect("an answer");
    assert_eq!((page.replies.len(), page.hidden.len()), (10, 10));
    assert_eq!(page.next, Some(replies[19]));
    let rest = store
        .conversation(viewer, &status, page.next)
        .await
        .expect("an answer");
    assert_eq!((rest.replies.len(), rest.hidden.len()), (5, 0));
    assert_eq!(rest.next, None);
    core.assert_sound().await;
}

#[tokio::test]
async fn the_deletion_of_a_hidden_reply_shows_the_replies_below_it_again() {
    let core = Core::start();
    let store = &core.store;
    let [host, guest] = crowd::people(store, "person", 2).await[..] else {
        panic!("there are two")
    };
    let first = crowd::post(store, host, "first").await;
    let rude = crowd::reply(store, guest, first, "rude").await;
    let below = crowd::reply(store, host, rude, "below").await;
    let hidden = reply_control::set_hidden(store, host, rude, true).await;
    assert_eq!(hidden.expect("an answer"), ControlOutcome::Done);
    crowd::delete(store, guest, rude).await;
    core.drain().await;
    let status = store
        .status(Viewer::Anonymous, first)
        .await
        .expect("an answer");
    let page = store
        .conversation(Viewer::Anonymous, &status.expect("it lives"), None)
        .await;
    let page = page.expect("an answer");
    assert!(page.hidden.is_empty());
    assert_eq!(page.replies[0].below[0].turn.id, below);
    let again = reply_control::set_hidden(store, host, rude, true).await;
    assert_eq!(again.expect("an answer"), ControlOutcome::NotFound);
    core.assert_sound().await;
}
