//! The tab of favourites on a profile: for its person, and for others if the person shows it.

use redwing::domain::{PAGE_SIZE, Visibility};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, crowd};

const TAB: &str = "/@alice/favourites";

async fn form(person: &Person, choice: &str) -> Form {
    let page = person.open("/settings/privacy").await;
    page.form("/settings/favourites").set("favourites", choice)
}

/// Returns whether a profile has the link to the tab.
fn has_tab(profile: &Page) -> bool {
    profile.has(&format!("a[href=\"{TAB}\"]"))
}

#[tokio::test]
async fn others_find_favourites_only_if_their_person_shows_them() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let visitor = Person::visitor(&site);
    let id = bob.post("worth a star").await;
    alice.press("/@bob", "favourite", id).await;
    let own = alice.open(TAB).await;
    assert_eq!(own.messages(), ["worth a star"]);
    assert!(own.visible_text().contains("Only you see this tab."));
    for other in [&bob, &visitor] {
        assert!(!has_tab(&other.open("/@alice").await));
        assert_eq!(other.get(TAB).await.status, StatusCode::NOT_FOUND);
    }
    for (choice, is_shown) in [("shown", true), ("hidden", false)] {
        let chosen = form(&alice, choice).await;
        for _ in 0..2 {
            alice.submit_accepted(&chosen).await;
        }
        assert!(has_tab(&alice.open("/@alice").await));
        for other in [&bob, &visitor] {
            assert_eq!(has_tab(&other.open("/@alice").await), is_shown);
            assert_eq!(other.get(TAB).await.status == StatusCode::OK, is_shown);
        }
    }
}

#[tokio::test]
async fn each_viewer_finds_the_favourites_that_they_may_see() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let reader = Person::sign_up(&site, "reader").await;
    let visitor = Person::visitor(&site);
    let uid = crowd::uid(store, "alice").await;
    let author = crowd::member(store, "author").await;
    crowd::follow(store, uid, author).await;
    let mut ids = Vec::new();
    for (visibility, text) in [
        (Visibility::Public, "for everyone"),
        (Visibility::Members, "for members"),
        (Visibility::Followers, "for followers"),
        (Visibility::Public, "soon deleted"),
    ] {
        let id = crowd::post_to(store, author, visibility, text).await;
        crowd::favourite(store, uid, id).await;
        ids.push(id);
    }
    crowd::delete(store, author, ids[3]).await;
    crowd::show_favourites(store, uid, true).await;
    assert_eq!(visitor.open(TAB).await.messages(), ["for everyone"]);
    let of_member = ["for members", "for everyone"];
    assert_eq!(reader.open(TAB).await.messages(), of_member);
    let own = alice.open(TAB).await.messages();
    assert_eq!(own, ["for followers", "for members", "for everyone"]);

    reader.follow("alice").await;
    crowd::set_private(store, uid, true).await;
    let hidden = visitor.open(TAB).await;
    assert!(hidden.messages().is_empty());
    assert!(hidden.visible_text().contains("This account is private"));
    assert_eq!(reader.open(TAB).await.messages(), of_member);
    crowd::set_suspended(store, uid, true).await;
    assert_eq!(reader.get(TAB).await.status, StatusCode::NOT_FOUND);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_tab_with_many_favourites_has_pages_without_gaps() {
    let site = Site::start().await;
    let store = &site.store;
    let fan = crowd::member(store, "alice").await;
    let author = crowd::member(store, "author").await;
    let mut due = Vec::new();
    for id in crowd::posts(store, author, PAGE_SIZE + 5).await {
        crowd::favourite(store, fan, id).await;
        due.insert(0, id.get());
    }
    crowd::show_favourites(store, fan, true).await;
    let visitor = Person::visitor(&site);
    let first = visitor.open(TAB).await;
    assert_eq!(first.status_ids(), due[..PAGE_SIZE]);
    let older = first.older().expect("a second page");
    assert!(older.starts_with(TAB), "{older}");
    let second = visitor.open(&older).await;
    assert_eq!(second.status_ids(), due[PAGE_SIZE..]);
    assert_eq!(second.older(), None);
}
