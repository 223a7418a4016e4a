//! Reposts: on the profile and on homes, counted and listed, taken back, and deleted with their
//! original. Quotes stay.

mod grouping;
mod hidden;
mod other_features;
mod quotes;
mod races;

use redwing::{domain::StatusId, store::Key};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, action_path, crowd};

/// Alice with a status, bob, and carol, who follows bob.
struct Scene {
    site: Site,
    alice: Person,
    bob: Person,
    carol: Person,
    id: u64,
}

impl Scene {
    async fn set(settings: &[&str]) -> Self {
        let site = Site::with(settings).await;
        let alice = Person::sign_up(&site, "alice").await;
        let bob = Person::sign_up(&site, "bob").await;
        let carol = Person::sign_up(&site, "carol").await;
        let id = alice.post("worth telling").await;
        carol.follow("bob").await;
        Self {
            site,
            alice,
            bob,
            carol,
            id,
        }
    }
}

/// Returns the lines above reposts on a page.
fn lines(page: &Page) -> Vec<String> {
    page.texts(".reposted")
}

/// Returns whether the repost button of a status is pressed, and the number beside it.
fn button(page: &Page, id: u64) -> (bool, String) {
    let pressed = format!("button[name=unrepost][value=\"{id}\"]");
    let other = format!("button[name=repost][value=\"{id}\"]");
    assert!(page.has(&pressed) || page.has(&other));
    let number = page.texts(&format!(":is({pressed}, {other}) b"));
    (page.has(&pressed), number.concat())
}

#[tokio::test]
async fn a_repost_comes_to_followers_and_is_counted_and_listed() {
    let Scene {
        site,
        alice,
        bob,
        carol,
        id,
    } = Scene::set(&[]).await;
    alice.follow("bob").await;
    let answer = bob.press("/@alice", "repost", id).await;
    assert_eq!(answer.location(), format!("/@alice#status-{id}"));
    for page in [carol.open("/").await, carol.open("/@bob").await] {
        assert_eq!(page.messages(), ["worth telling"]);
        assert_eq!(lines(&page), ["bob of the tests reposted"]);
        assert_eq!(
            page.attributes(".u-url.time", "href"),
            [format!("/@alice/{id}")]
        );
    }
    let home = bob.open("/").await;
    assert_eq!(lines(&home), ["You reposted"]);
    assert_eq!(button(&home, id), (true, "1".into()));
    let own = alice.open("/").await;
    assert_eq!(own.messages(), ["worth telling"], "and not again as new");
    assert!(lines(&own).is_empty());
    assert_eq!(button(&own, id), (false, "1".into()));
    let who = format!("/@alice/{id}/reposts");
    let permalink = alice.open(&format!("/@alice/{id}")).await;
    assert_eq!(permalink.text(&format!("a[href=\"{who}\"]")), "1 repost");
    assert_eq!(alice.open(&who).await.texts(".person .p-nickname"), ["bob"]);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_repost_is_removed_and_made_again() {
    let Scene {
        site,
        bob,
        carol,
        id,
        ..
    } = Scene::set(&[]).await;
    for _ in 0..2 {
        bob.press("/@alice", "repost", id).await;
        assert_eq!(lines(&carol.open("/").await).len(), 1);
        let taken_back = bob.open("/").await.button(&action_path("unrepost", id));
        for _ in 0..2 {
            bob.submit_accepted(&taken_back).await;
        }
        for path in ["/", "/@bob"] {
            assert!(carol.open(path).await.messages().is_empty(), "{path}");
        }
        assert_eq!(
            button(&bob.open("/@alice").await, id),
            (false, String::new())
        );
        site.drain().await;
        site.assert_sound().await;
    }
    assert_eq!(
        carol.open("/@bob").await.text("[data-count=posts]"),
        "0 posts"
    );
}

#[tokio::test]
async fn a_repost_vanishes_with_its_original_and_a_quote_stays() {
    let Scene {
        site,
        alice,
        bob,
        carol,
        id,
    } = Scene::set(&["--pass-size", "2"]).await;
    let original = StatusId::new(id).expect("an id");
    for reposter in crowd::people(&site.store, "reposter", 7).await {
        crowd::repost(&site.store, reposter, original).await;
        crowd::quote(&site.store, reposter, original, "indeed").await;
    }
    bob.press("/@alice", "repost", id).await;
    let repost = bob.ids("/@bob").await[0];
    alice.delete(id).await;
    for path in ["/", "/@bob"] {
        assert!(
            carol.open(path).await.messages().is_empty(),
            "{path} at once"
        );
    }
    assert_eq!(carol.open("/@reposter_3").await.messages(), ["indeed"]);
    let permalink = carol.get(&format!("/@bob/{repost}")).await;
    assert_eq!(permalink.status, StatusCode::NOT_FOUND);
    site.drain().await;
    site.assert_sound().await;
    for (login, left) in [
        ("bob", "0 posts"),
        ("reposter_0", "1 post"),
        ("reposter_6", "1 post"),
    ] {
        let profile = carol.open(&format!("/@{login}")).await;
        assert_eq!(profile.text("[data-count=posts]"), left, "{login}");
    }
    for place in [Key::RepostedBy(original), Key::Quotes(original)] {
        let left = site.store.cardinality(&place).await;
        assert_eq!(left.expect("an answer"), 0);
    }
}

#[tokio::test]
async fn actions_on_a_repost_apply_to_its_original() {
    let Scene {
        site,
        bob,
        carol,
        id,
        ..
    } = Scene::set(&[]).await;
    bob.press("/@alice", "repost", id).await;
    let repost = bob.ids("/@bob").await[0];
    assert_ne!(repost, id);
    let permalink = carol.get(&format!("/@bob/{repost}")).await;
    assert_eq!(permalink.location(), format!("/@alice/{id}"));
    for action in ["favourite", "bookmark", "repost"] {
        let by_hand = Form {
            action: action_path(action, repost),
            ..carol.open("/@bob").await.button(&action_path(action, id))
        };
        carol.submit_accepted(&by_hand).await;
    }
    assert_eq!(carol.ids("/favourites").await, [id]);
    assert_eq!(carol.ids("/bookmarks").await, [id]);
    assert_eq!(button(&carol.open("/@alice").await, id), (true, "2".into()));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_own_status_can_be_reposted_and_is_on_home_once() {
    let Scene {
        site, alice, id, ..
    } = Scene::set(&[]).await;
    let later = alice.post("something later").await;
    alice.press("/@alice", "repost", id).await;
    let home = alice.open("/").await;
    assert_eq!(home.messages(), ["worth telling", "something later"]);
    assert_eq!(lines(&home), ["You reposted"]);
    assert_eq!(home.status_ids()[1], later);
    assert!(home.has(&format!("#status-{id}")), "a way back to it");
    let profile = alice.open("/@alice").await;
    let messages = ["worth telling", "something later", "worth telling"];
    assert_eq!(profile.messages(), messages);
    assert_eq!(profile.count(&format!("#status-{id}")), 1);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_missing_status_cannot_be_reposted_and_a_repost_needs_an_account() {
    let Scene {
        site,
        alice,
        bob,
        id,
        ..
    } = Scene::set(&[]).await;
    let form = bob.open("/@alice").await.button(&action_path("repost", id));
    let visitor = Person::visitor(&site);
    bob.press("/@alice", "repost", id).await;
    let page = visitor.open("/@alice").await;
    let who = format!("/@alice/{id}/reposts");
    assert_eq!(page.text(&format!("a[href=\"{who}\"]")), "1 repost");
    assert!(!page.has(".status button, a.quote"));
    assert_eq!(visitor.open(&who).await.count(".person"), 1);
    assert_eq!(
        visitor.get(&format!("/@bob/{id}/reposts")).await.status,
        StatusCode::NOT_FOUND
    );
    alice.delete(id).await;
    let answer = bob.submit(&form).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.text("h1"), "This post was deleted");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn people_who_reposted_are_listed_newest_first_page_by_page() {
    let site = Site::start().await;
    let alice = crowd::member(&site.store, "alice").await;
    let id = crowd::post(&site.store, alice, "worth telling").await;
    let mut reposts = Vec::new();
    for number in 0..35 {
        let login = format!("bob_{number}");
        let reposter = crowd::member(&site.store, &login).await;
        reposts.push((crowd::repost(&site.store, reposter, id).await, login));
    }
    let pages = Person::visitor(&site)
        .pages(&format!("/@alice/{id}/reposts"))
        .await;
    let people: Vec<Vec<String>> = pages
        .iter()
        .map(|page| page.texts(".person .p-nickname"))
        .collect();
    assert_eq!(people.iter().map(Vec::len).collect::<Vec<_>>(), [30, 5]);
    reposts.sort_unstable_by(|(one, _), (other, _)| other.cmp(one));
    let expected: Vec<String> = reposts.into_iter().map(|(_, login)| login).collect();
    assert_eq!(people.concat(), expected);
}

#[tokio::test]
async fn home_offers_to_hide_the_reposts_of_a_followed_person() {
    let Scene {
        site,
        bob,
        carol,
        id,
        ..
    } = Scene::set(&[]).await;
    bob.press("/@alice", "repost", id).await;
    let home = carol.open("/").await;
    assert_eq!(home.messages(), ["worth telling"]);
    let hide = "/@bob/reposts/hide";
    let menu = carol.open_menu("/", home.status_ids()[0]).await;
    carol.submit_accepted(&menu.button(hide)).await;
    assert!(carol.open("/").await.messages().is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn the_menu_of_a_post_hides_and_shows_the_reposts_of_its_followed_author() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let (hide, show) = ("/@alice/reposts/hide", "/@alice/reposts/show");
    let id = alice.post("an ordinary post").await;
    let shown = async |reader: &Person| {
        let menu = reader.open_menu("/@alice", id).await;
        [hide, show].map(|path| menu.find_button(path))
    };
    assert!(shown(&bob).await.iter().all(Option::is_none));
    assert!(shown(&alice).await.iter().all(Option::is_none));
    bob.follow("alice").await;
    let [hides, shows] = shown(&bob).await;
    assert!(shows.is_none());
    bob.submit_accepted(&hides.expect("a button")).await;
    let [hides, shows] = shown(&bob).await;
    assert!(hides.is_none());
    bob.submit_accepted(&shows.expect("a button")).await;
    let [hides, _] = shown(&bob).await;
    assert!(hides.is_some());
    site.assert_sound().await;
}
