//! Favourites: a button under a status. The favourite is counted there, listed with the user who
//! pressed it, and can be taken back.

mod races;

use redwing::domain::{Collection, StatusId};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, action_path, crowd, page::PRESS};

/// Signs up alice with a status, and bob.
async fn alice_and_bob(site: &Site) -> (Person, Person, u64) {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    let id = alice.post("worth a star").await;
    (alice, bob, id)
}

/// Returns whether the favourite button under a status is pressed, and the number beside it.
fn favourite_button(page: &Page, id: u64) -> (bool, String) {
    let footer = format!("#status-{id} footer > [name$=favourite]");
    let pressed = page.attributes(&footer, "aria-pressed");
    let count = page.texts(&format!("{footer} b"));
    (pressed == ["true"], count.concat())
}

#[tokio::test]
async fn a_favourite_is_counted_and_listed_on_both_sides_at_once() {
    let site = Site::start().await;
    let (alice, bob, id) = alice_and_bob(&site).await;
    let permalink = format!("/@alice/{id}");
    let who = format!("{permalink}/favourites");
    assert_eq!(
        favourite_button(&bob.open(&permalink).await, id),
        (false, String::new())
    );
    bob.press("/@alice", "favourite", id).await;
    for page in ["/@alice", &permalink, "/favourites"] {
        assert_eq!(
            favourite_button(&bob.open(page).await, id),
            (true, "1".into()),
            "{page}"
        );
    }
    assert_eq!(
        favourite_button(&alice.open("/").await, id),
        (false, "1".into())
    );
    assert_eq!(bob.ids("/favourites").await, [id]);
    assert!(alice.ids("/favourites").await.is_empty());
    let page = alice.open(&permalink).await;
    assert_eq!(page.text(&format!("a[href=\"{who}\"]")), "1 favourite");
    assert_eq!(alice.open(&who).await.texts(".person .p-nickname"), ["bob"]);
    bob.press("/favourites", "unfavourite", id).await;
    assert!(bob.ids("/favourites").await.is_empty());
    assert_eq!(
        favourite_button(&bob.open(&permalink).await, id),
        (false, String::new())
    );
    assert!(!alice.open(&who).await.has(".person"));
    site.assert_sound().await;
}

#[tokio::test]
async fn users_can_favourite_their_own_statuses() {
    let site = Site::start().await;
    let (alice, _, id) = alice_and_bob(&site).await;
    alice.press("/", "favourite", id).await;
    assert_eq!(
        favourite_button(&alice.open("/").await, id),
        (true, "1".into())
    );
}

#[tokio::test]
async fn a_repeated_favourite_or_removal_changes_nothing() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    let favourite = bob
        .open("/@alice")
        .await
        .button(&action_path("favourite", id));
    for _ in 0..2 {
        bob.submit_accepted(&favourite).await;
    }
    let page = bob.open("/@alice").await;
    assert_eq!(favourite_button(&page, id), (true, "1".into()));
    let unfavourite = page.button(&action_path("unfavourite", id));
    for _ in 0..2 {
        bob.submit_accepted(&unfavourite).await;
    }
    assert_eq!(
        favourite_button(&bob.open("/@alice").await, id),
        (false, String::new())
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn the_action_row_and_its_menu_name_their_actions() {
    let site = Site::start().await;
    let (_, bob, _) = alice_and_bob(&site).await;
    let page = bob.open("/@alice").await;
    assert_eq!(
        page.texts(".status footer a, .status footer button, .status footer summary"),
        ["Reply", "Repost", "Favourite", "Bookmark", "Menu"]
    );
    let menu = bob.open_menu("/@alice", page.status_ids()[0]).await;
    assert_eq!(
        menu.texts(".post-menu > *"),
        [
            "Quote",
            "Add to a list",
            "Mute @alice",
            "Mute conversation",
            "Block @alice",
            "Report"
        ]
    );
    assert_eq!(
        page.attributes("article.status", "aria-label"),
        ["Post by alice of the tests"]
    );
    let reads_on = |css: &str| page.count(css);
    let form = format!("form[action=\"{PRESS}\"]");
    assert_eq!(reads_on(&form), 1, "one form for all buttons");
    assert_eq!(
        reads_on(&format!("{form} .status button")),
        reads_on(".status button")
    );
    let first = format!("{form} > input + button[disabled][hidden]");
    assert_eq!(reads_on(&first), 1, "Enter in a poll submits no favourite");
}

#[tokio::test]
async fn a_visitor_sees_the_count_and_the_people_but_no_button() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    bob.press("/@alice", "favourite", id).await;
    let visitor = Person::visitor(&site);
    let who = format!("/@alice/{id}/favourites");
    for path in ["/@alice", &format!("/@alice/{id}")] {
        let page = visitor.open(path).await;
        assert_eq!(page.text(&format!("a[href=\"{who}\"]")), "1 favourite");
        assert!(
            !page.has(&format!(".status button, form[action=\"{PRESS}\"]")),
            "{path}"
        );
    }
    assert_eq!(
        visitor.open(&who).await.texts(".person .p-nickname"),
        ["bob"]
    );
    assert!(
        visitor
            .get("/favourites")
            .await
            .location()
            .starts_with("/login")
    );
}

#[tokio::test]
async fn a_missing_status_has_no_favourites() {
    let site = Site::start().await;
    let (alice, bob, id) = alice_and_bob(&site).await;
    let button = bob
        .open("/@alice")
        .await
        .button(&action_path("favourite", id));
    alice.delete(id).await;
    let never = Form {
        action: action_path("favourite", 4096),
        ..button.clone()
    };
    for form in [button, never] {
        let answer = bob.submit(&form).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        answer.assert_helpful();
        assert_eq!(answer.text("h1"), "This post was deleted");
        assert!(
            answer.has(".page-links a[href=\"/@alice\"]"),
            "and returns to the page"
        );
    }
    for path in [
        format!("/@alice/{id}/favourites"),
        format!("/@bob/{id}/favourites"),
    ] {
        assert_eq!(bob.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn the_favourites_page_is_not_found_under_another_login() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    let answer = bob.get(&format!("/@bob/{id}/favourites")).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_button_returns_to_the_status_on_the_same_page() {
    let site = Site::start().await;
    let alice = crowd::member(&site.store, "alice").await;
    let ids = crowd::posts(&site.store, alice, 31).await;
    let (oldest, newest) = (ids[0].get(), ids[30].get());
    let bob = Person::sign_up(&site, "bob").await;
    bob.follow("alice").await;
    for profile in ["/", "/@alice"] {
        let older = bob.open(profile).await.older().expect("a second page");
        let answer = bob.press(&older, "favourite", oldest).await;
        assert_eq!(answer.location(), format!("{older}#status-{oldest}"));
        let answer = bob.press(&older, "unfavourite", oldest).await;
        assert_eq!(answer.location(), format!("{older}#status-{oldest}"));
    }
    let permalink = format!("/@alice/{newest}");
    let answer = bob.press(&permalink, "bookmark", newest).await;
    assert_eq!(answer.location(), format!("{permalink}#status-{newest}"));
    let button = bob
        .open("/")
        .await
        .button(&action_path("favourite", newest));
    for (next, leads_to) in [
        ("https://evil.example", "/"),
        ("//evil.example", "/"),
        ("", "/"),
        ("/@alice#status-7", "/@alice"),
    ] {
        let answer = bob.submit_accepted(&button.clone().set("next", next)).await;
        assert_eq!(answer.location(), format!("{leads_to}#status-{newest}"));
    }
}

#[tokio::test]
async fn favourites_are_listed_newest_first_page_by_page() {
    let site = Site::start().await;
    let alice = crowd::member(&site.store, "alice").await;
    let mut ids = crowd::posts(&site.store, alice, 65).await;
    let bob = Person::sign_up(&site, "bob").await;
    let uid = crowd::uid(&site.store, "bob").await;
    ids.sort_unstable_by_key(|id| (id.get() % 7, id.get()));
    for id in &ids {
        crowd::favourite(&site.store, uid, *id).await;
    }
    let pages = bob.pages("/favourites").await;
    let sizes: Vec<usize> = pages.iter().map(|page| page.status_ids().len()).collect();
    assert_eq!(sizes, [30, 30, 5]);
    let listed: Vec<u64> = pages.iter().flat_map(Page::status_ids).collect();
    let expected: Vec<u64> = ids.iter().rev().map(|id| id.get()).collect();
    assert_eq!(listed, expected);
}

#[tokio::test]
async fn people_who_favourited_are_listed_newest_first_page_by_page() {
    let site = Site::start().await;
    let alice = crowd::member(&site.store, "alice").await;
    let id = crowd::post(&site.store, alice, "beloved").await;
    for number in 0..35 {
        let fan = crowd::member(&site.store, &format!("fan_{number}")).await;
        crowd::favourite(&site.store, fan, id).await;
    }
    let pages = Person::visitor(&site)
        .pages(&format!("/@alice/{id}/favourites"))
        .await;
    let people: Vec<Vec<String>> = pages
        .iter()
        .map(|page| page.texts(".person .p-nickname"))
        .collect();
    assert_eq!(people.iter().map(Vec::len).collect::<Vec<_>>(), [30, 5]);
    let expected: Vec<String> = (0..35)
        .rev()
        .map(|number| format!("fan_{number}"))
        .collect();
    assert_eq!(people.concat(), expected);
}

/// Returns the size of a user's collection in Redis, deleted statuses included.
async fn collection_size(site: &Site, login: &str, collection: Collection) -> u64 {
    let uid = crowd::uid(&site.store, login).await;
    let place = redwing::store::Key::collection(uid, collection);
    site.store.cardinality(&place).await.expect("an answer")
}

#[tokio::test]
async fn pages_stay_full_and_drop_deleted_favourites() {
    let site = Site::start().await;
    let author = crowd::member(&site.store, "author").await;
    let ids = crowd::posts(&site.store, author, 70).await;
    let bob = Person::sign_up(&site, "bob").await;
    let uid = crowd::uid(&site.store, "bob").await;
    for id in &ids {
        crowd::favourite(&site.store, uid, *id).await;
    }
    let dies = |id: &&StatusId| id.get().is_multiple_of(2) || **id == ids[69];
    for id in ids.iter().filter(dies) {
        let deleted = redwing::actions::statuses::delete(&site.store, author, *id).await;
        deleted.expect("an answer");
    }
    site.drain().await;
    site.assert_sound().await;
    let mut living: Vec<u64> = ids
        .iter()
        .filter(|id| !dies(id))
        .map(|id| id.get())
        .collect();
    living.reverse();
    let pages = bob.pages("/favourites").await;
    let full = &pages[..pages.len() - 1];
    assert!(full.iter().all(|page| page.status_ids().len() == 30));
    let listed: Vec<u64> = pages.iter().flat_map(Page::status_ids).collect();
    assert_eq!(listed, living);
    assert_eq!(
        collection_size(&site, "bob", Collection::Favourites).await,
        living.len() as u64
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn too_many_favourites_are_refused_until_one_is_removed_or_deleted() {
    let site = Site::with(&["--max-favourites", "2", "--max-bookmarks", "2"]).await;
    let (alice, bob, first) = alice_and_bob(&site).await;
    let second = alice.post("the second").await;
    let third = alice.post("the third").await;
    for (action, page) in [("favourite", "/favourites"), ("bookmark", "/bookmarks")] {
        bob.press("/@alice", action, first).await;
        bob.press("/@alice", action, second).await;
        let button = bob
            .open("/@alice")
            .await
            .button(&action_path(action, third));
        let refused = bob.submit(&button).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused.visible_text().contains("2 "), "the limit is named");
        bob.press("/@alice", &format!("un{action}"), first).await;
        bob.submit_accepted(&button).await;
        assert_eq!(bob.ids(page).await, [third, second]);
    }
    alice.delete(second).await;
    for (action, page) in [("favourite", "/favourites"), ("bookmark", "/bookmarks")] {
        bob.press("/@alice", action, first).await;
        assert_eq!(bob.ids(page).await, [first, third]);
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn pressing_too_often_is_refused_with_a_retry_time() {
    let site = Site::with(&["--saves-per-hour", "2"]).await;
    let (_, bob, id) = alice_and_bob(&site).await;
    bob.press("/@alice", "favourite", id).await;
    bob.press("/@alice", "bookmark", id).await;
    let button = bob
        .open("/@alice")
        .await
        .button(&action_path("unfavourite", id));
    let refused = bob.submit(&button).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.header("retry-after").is_some());
    assert_eq!(bob.ids("/favourites").await, [id]);
}

#[tokio::test]
async fn a_button_of_an_ended_session_leads_to_the_log_in_and_does_nothing() {
    let site = Site::start().await;
    let (_, bob, id) = alice_and_bob(&site).await;
    for action in ["favourite", "bookmark"] {
        let phone = Person::log_in(&site, "bob").await;
        let button = phone.open("/@alice").await.button(&action_path(action, id));
        let sessions = bob.open("/settings/sessions").await;
        bob.submit_accepted(&sessions.form("/settings/sessions/revoke-all"))
            .await;
        let refused = phone.submit(&button).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert!(refused.find_form("/login").is_some());
        bob.cookies
            .replace(Person::log_in(&site, "bob").await.cookies.all());
    }
    assert!(bob.ids("/favourites").await.is_empty());
    assert!(bob.ids("/bookmarks").await.is_empty());
}

#[tokio::test]
async fn home_and_profile_link_to_favourites_and_bookmarks() {
    let site = Site::start().await;
    let (alice, bob, _) = alice_and_bob(&site).await;
    for (path, place) in [("/", ".menu"), ("/@alice", "main")] {
        let page = alice.open(path).await;
        for link in ["/favourites", "/bookmarks"] {
            assert!(page.has(&format!("{place} a[href=\"{link}\"]")), "{path}");
        }
    }
    assert!(
        !bob.open("/@alice")
            .await
            .has("main a[href=\"/favourites\"]")
    );
}
