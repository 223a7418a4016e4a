//! Tags: each has a page, in any script, and tagged posts reach the homes of the tag's followers.

mod edits;
mod mentions;
mod races;
mod trends;

use reqwest::StatusCode;

use crate::support::{Page, Person, Site, crowd};

/// Tag as written in a post, its page, and another spelling of that page's path.
const TAGS: [(&str, &str, &str); 6] = [
    ("#Birds", "/tags/birds", "/tags/BIRDS"),
    (
        "#\u{9CE5}\u{985E}",
        "/tags/%E9%B3%A5%E9%A1%9E",
        "/tags/\u{9CE5}\u{985E}",
    ),
    (
        "#\u{637}\u{64A}\u{648}\u{631}",
        "/tags/%D8%B7%D9%8A%D9%88%D8%B1",
        "/tags/\u{637}\u{64A}\u{648}\u{631}",
    ),
    ("#E\u{301}tude", "/tags/%C3%A9tude", "/tags/e%CC%81tude"),
    ("#Stra\u{DF}e", "/tags/strasse", "/tags/STRASSE"),
    (
        "#\u{92A}\u{915}\u{94D}\u{937}\u{940}",
        "/tags/%E0%A4%AA%E0%A4%95%E0%A5%8D%E0%A4%B7%E0%A5%80",
        "/tags/\u{92A}\u{915}\u{94D}\u{937}\u{940}",
    ),
];

async fn follow(person: &Person, tag: &str) {
    let path = format!("/tags/{tag}");
    let form = person.open(&path).await.form(&format!("{path}/follow"));
    person.submit_accepted(&form).await;
}

async fn unfollow(person: &Person, tag: &str) {
    let path = format!("/tags/{tag}");
    let form = person.open(&path).await.form(&format!("{path}/unfollow"));
    person.submit_accepted(&form).await;
}

#[tokio::test]
async fn a_tag_in_any_script_leads_to_its_page() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    for (tag, path, other) in TAGS {
        let first = alice.post(&format!("look: {tag}!")).await;
        let second = alice.post(&format!("{tag} again, and #more")).await;
        let page = alice.open(&format!("/@alice/{first}")).await;
        let link = ".e-content a[rel=tag]";
        assert_eq!(page.attributes(link, "href"), [path], "{tag}");
        assert_eq!(page.text(link), tag);
        for path in [path, other] {
            for person in [&alice, &visitor] {
                let page = person.open(path).await;
                assert_eq!(page.status_ids(), [second, first], "{path}");
                let canonical = page.attributes("link[rel=canonical]", "href");
                let named = TAGS.iter().find(|of| of.0 == tag).expect("it").1;
                assert_eq!(canonical, [format!("{}{named}", site.origin)]);
                assert!(page.has(".h-feed .h-entry"));
                assert!(!page.has("meta[name=robots]"));
            }
        }
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn an_unused_tag_has_a_page_that_says_so() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("one #word").await;
    alice.delete(id).await;
    for path in ["/tags/word", "/tags/never"] {
        for person in [&alice, &Person::visitor(&site)] {
            let page = person.open(path).await;
            assert_eq!(page.text("#empty-title"), "No posts with this tag yet");
            assert_eq!(page.attributes("meta[name=robots]", "content"), ["noindex"]);
        }
    }
}

#[tokio::test]
async fn an_invalid_tag_is_not_found() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let long = format!("/tags/{}", "a".repeat(401));
    for path in [
        "/tags/%3Cscript%3E",
        "/tags/a%2Fb",
        "/tags/a%00b",
        "/tags/%FF%FE",
        "/tags/12",
        "/tags/a%20b",
        "/tags/%23birds",
        "/tags/a%7D:%7Bb",
        "/tags/birds%0D%0Aset-cookie",
        "/tags/%CC%81a",
        "/tags/birds/follows",
        "/tags/birds?before=x",
        &long,
    ] {
        let answer = alice.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        answer.assert_helpful();
    }
    let form = alice.open("/tags/birds").await.form("/tags/birds/follow");
    for action in ["/tags/%3Cb%3E/follow", "/tags/12/unfollow"] {
        let form = crate::support::Form {
            action: action.to_owned(),
            ..form.clone()
        };
        assert_eq!(alice.submit(&form).await.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn pages_of_a_tag_are_full_unless_it_ends() {
    let site = Site::start().await;
    let store = &site.store;
    let authors = crowd::people(store, "author", 2).await;
    let mut ids = Vec::new();
    for number in 0..70 {
        let author = authors[number % 2];
        ids.push(crowd::post(store, author, &format!("{number} #birds")).await);
    }
    for (number, id) in ids.iter().enumerate().skip(20).take(20) {
        crowd::delete(store, authors[number % 2], *id).await;
    }
    ids.drain(20..40);
    ids.sort_unstable();
    let expected: Vec<u64> = ids.iter().rev().map(|id| id.get()).collect();
    let visitor = Person::visitor(&site);
    let pages = visitor.pages("/tags/birds").await;
    let sizes: Vec<usize> = pages.iter().map(|page| page.status_ids().len()).collect();
    assert_eq!(sizes, [30, 20]);
    let shown: Vec<u64> = pages.iter().flat_map(Page::status_ids).collect();
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn a_post_with_a_followed_tag_reaches_home_and_names_the_tag() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let carol = Person::sign_up(&site, "carol").await;
    let early = bob.post("early #birds").await;
    alice.open("/").await;
    alice.follow("carol").await;
    follow(&alice, "birds").await;
    assert_eq!(
        alice.open("/tags/birds").await.text(".flash"),
        "You now follow this tag. Posts with it will appear on your home."
    );
    let late = bob.post("late #BIRDS and #cats").await;
    bob.post("of #cats alone").await;
    let followed = carol.post("mine too #birds").await;
    let own = alice.post("my #birds").await;
    assert_eq!(alice.home_ids().await, [own, followed, late, early]);
    let home = alice.open("/").await;
    for (id, by) in [(own, 0), (followed, 0), (late, 1), (early, 1)] {
        assert_eq!(home.count(&format!("#status-{id} .tag-reason")), by, "{id}");
    }
    assert_eq!(home.text(".tag-reason"), "Because you follow #birds");
    assert_eq!(home.attributes(".tag-reason a", "href")[0], "/tags/birds");
    let others = alice.open("/@bob").await;
    assert!(!others.has(".tag-reason"), "on home alone");
    unfollow(&alice, "birds").await;
    assert_eq!(alice.home_ids().await, [own, followed]);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_deleted_status_leaves_tag_and_home_at_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    alice.open("/").await;
    follow(&alice, "birds").await;
    let id = bob.post("gone soon #birds").await;
    assert_eq!(alice.home_ids().await, [id]);
    bob.delete(id).await;
    assert!(alice.home_ids().await.is_empty());
    assert!(alice.ids("/tags/birds").await.is_empty());
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_exclusive_list_keeps_its_members_off_home_though_a_tag_would_bring_them() {
    let site = Site::start().await;
    let store = &site.store;
    let [alice, bob, carol] = ["alice", "bob", "carol"];
    let (alice, bob, carol) = (
        crowd::member(store, alice).await,
        crowd::member(store, bob).await,
        crowd::member(store, carol).await,
    );
    let list = crowd::list(store, alice, &[bob]).await;
    let name = redwing::domain::ListName::parse("Apart").expect("valid");
    redwing::actions::lists::edit(store, list.owner, list.number, &name, true)
        .await
        .expect("an answer");
    crowd::follow_tag(store, alice, "birds").await;
    crowd::home(store, alice).await;
    crowd::post(store, bob, "kept out #birds").await;
    crowd::post(store, carol, "let in #birds").await;
    assert_eq!(crowd::home(store, alice).await, ["let in #birds"]);
    let on_list = crowd::list_ids(store, list).await;
    assert_eq!(on_list.len(), 1, "lists ignore tags");
    site.assert_sound().await;
}

#[tokio::test]
async fn a_home_continues_below_its_floor_with_tagged_posts() {
    let site = Site::with(&["--home-size", "40"]).await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(store, "alice").await;
    let author = crowd::member(store, "author").await;
    let mut ids = Vec::new();
    for number in 0..60 {
        ids.push(crowd::post(store, author, &format!("{number} #birds")).await);
    }
    crowd::follow_tag(store, uid, "birds").await;
    for number in 60..100 {
        ids.push(crowd::post(store, author, &format!("{number} #birds")).await);
    }
    let pages = alice.pages("/").await;
    let shown: Vec<u64> = pages.iter().flat_map(Page::status_ids).collect();
    let expected: Vec<u64> = ids.iter().rev().map(|id| id.get()).collect();
    assert_eq!(shown, expected);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn many_followers_of_a_tag_are_served_in_passes() {
    let site = Site::with(&["--pass-size", "3"]).await;
    let store = &site.store;
    let author = crowd::member(store, "author").await;
    let readers = crowd::people(store, "reader", 10).await;
    for (number, reader) in readers.iter().enumerate() {
        crowd::home(store, *reader).await;
        crowd::follow_tag(store, *reader, ["birds", "cats"][number % 2]).await;
    }
    crowd::followers(store, author, 4).await;
    let id = crowd::post(store, author, "for all #birds #cats").await;
    site.drain().await;
    assert_eq!(crowd::readers_who_see(store, &readers, id).await, readers);
    crowd::delete(store, author, id).await;
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn more_tags_than_the_limit_are_refused_with_the_reason() {
    let site = Site::with(&["--max-tags", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    follow(&alice, "birds").await;
    let cats = alice.open("/tags/cats").await.form("/tags/cats/follow");
    let answer = alice.submit(&cats).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    answer.assert_helpful();
    assert!(
        answer
            .visible_text()
            .contains("You have reached the limit of 1 followed tags")
    );
    let page = alice.open("/tags").await;
    assert_eq!(page.texts(".tags a"), ["#birds"]);
    let form = page.form("/tags/birds/unfollow");
    alice.submit_accepted(&form).await;
    follow(&alice, "cats").await;
    assert_eq!(alice.open("/tags").await.texts(".tags a"), ["#cats"]);
}

#[tokio::test]
async fn a_visitor_can_read_a_tag_and_must_log_in_to_follow_it() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    let page = visitor.open("/tags/birds").await;
    assert!(!page.has("form.follow"));
    let next = &page.attributes("a.follow", "href")[0];
    assert_eq!(next, "/login?next=%2Ftags%2Fbirds");
    assert_eq!(visitor.open("/tags").await.text("h1"), "Tags");
    let members_only = visitor.get("/mentions").await;
    assert!(members_only.location().starts_with("/login"));
}

#[tokio::test]
async fn following_again_or_twice_changes_nothing() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/tags/birds").await.form("/tags/birds/follow");
    for _ in 0..2 {
        alice.submit_accepted(&form).await;
    }
    let page = alice.open("/tags/birds").await;
    let form = page.form("/tags/birds/unfollow");
    for _ in 0..2 {
        alice.submit_accepted(&form).await;
    }
    assert!(
        alice
            .open("/tags/birds")
            .await
            .has("form[action$=\"/follow\"]")
    );
    site.assert_sound().await;
}
