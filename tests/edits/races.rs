//! Concurrent edits, edits during a deletion, and pages read just before an edit.

use futures_util::future::{join, join_all};
use redwing::{
    actions::edits,
    domain::{EditState, Message, StatusId},
    store::{Edit, Viewer},
};

use super::{edit_path, versions};
use crate::support::{Person, Site, crowd};

/// Repetitions of each race, because one run shows one order of events.
const ROUNDS: usize = 8;

fn edit_of(text: &str, revision: u64) -> EditState {
    EditState {
        message: Message::parse(text).expect("valid"),
        warning: None,
        revision,
        visibility: None,
    }
}

#[tokio::test]
async fn of_many_concurrent_edits_of_one_text_one_succeeds() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = crowd::member(store, "alice").await;
    for round in 0..ROUNDS {
        let id = crowd::post(store, alice, "as it was").await;
        let corrections: Vec<EditState> = (0..10)
            .map(|nth| edit_of(&format!("{round}: #tag{nth}"), 0))
            .collect();
        let edited = corrections
            .iter()
            .map(|one| edits::edit(store, alice, id, one));
        let edited = join_all(edited).await;
        let done = edited.iter().filter(|edit| matches!(edit, Ok(Edit::Done)));
        assert_eq!(done.count(), 1);
        let outdated = edited
            .iter()
            .filter(|edit| matches!(edit, Ok(Edit::Outdated)));
        assert_eq!(outdated.count(), 9);
        let status = store.status(Viewer::Anonymous, id).await;
        let status = status.expect("an answer").expect("it lives");
        let earlier = store.earlier_versions(&status).await.expect("an answer");
        assert_eq!(earlier.len(), 1);
        let tags = store.life(id).await.expect("an answer").living();
        let tag = tags.expect("it lives").tags[0].to_string();
        assert!(
            status.message().ends_with(&format!("#{tag}")),
            "the tags changed too"
        );
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_edit_against_a_delete_leaves_nothing_behind() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = crowd::member(store, "alice").await;
    for round in 0..ROUNDS {
        let id = crowd::post(store, alice, "#birds").await;
        let changed = edit_of("#cats", 0);
        let edit = edits::edit(store, alice, id, &changed);
        let (edited, ()) = join(edit, crowd::delete(store, alice, id)).await;
        assert!(
            matches!(edited, Ok(Edit::Done | Edit::NotYours)),
            "{edited:?}"
        );
        site.drain().await;
        let left = store.look_up(&[format!("versions:{{{id}}}")]).await;
        assert!(left.expect("an answer").is_empty(), "round {round}");
        assert!(crowd::home(store, alice).await.is_empty());
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn the_same_edit_form_sent_often_at_once_is_one_edit() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("Helo").await;
    let form = alice.open(&edit_path(id)).await.form(&edit_path(id));
    let form = form.set("message", "Hello");
    join_all((0..20).map(|_| alice.submit_accepted(&form))).await;
    assert_eq!(versions(&alice, "alice", id).await, ["Hello", "Helo"]);
}

/// A status read shortly before is cached, together with its rendered part of the page.
#[tokio::test]
async fn a_page_read_before_an_edit_shows_the_new_text_after_it() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = crowd::member(store, "alice").await;
    let id: StatusId = crowd::post(store, alice, "revision 0").await;
    let bob = Person::sign_up(&site, "bob").await;
    bob.follow("alice").await;
    for revision in 1..=ROUNDS {
        for path in ["/", "/@alice"] {
            let page = bob.open(path).await;
            assert_eq!(page.messages(), [format!("revision {}", revision - 1)]);
        }
        crowd::edit(store, alice, id, &format!("revision {revision}")).await;
    }
}
