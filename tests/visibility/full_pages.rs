//! A page is full unless its timeline ends, and counts beside a complete list are those of the list: many hidden
//! entries in a row leave no short page, no empty page and no link to nothing.

use redwing::{
    actions::{importance::CANDIDATES, mutes},
    domain::{MuteTerm, PAGE_SIZE, StatusId, UserId, Visibility},
    store::Store,
};

use crate::support::{Page, Person, Site, crowd};

/// Numbers of entries: visible ones, older ones that are hidden, and visible ones below.
const NEWEST: usize = 15;
const HIDDEN: usize = 70;
const OLDEST: usize = 20;

/// Returns the number of entries on each page of a list, following its links.
async fn page_sizes(person: &Person, path: &str, entries: impl Fn(&Page) -> usize) -> Vec<usize> {
    person.pages(path).await.iter().map(entries).collect()
}

fn expected() -> [usize; 2] {
    [PAGE_SIZE, NEWEST + OLDEST - PAGE_SIZE]
}

#[tokio::test]
async fn pages_of_posts_are_full_although_many_posts_in_a_row_are_hidden() {
    let site = Site::start().await;
    let store = &site.store;
    let stranger = Person::sign_up(&site, "stranger").await;
    let uid = crowd::uid(store, "stranger").await;
    let author = crowd::member(store, "author").await;
    crowd::follow_tag(store, uid, "full").await;
    crowd::list(store, uid, &[author]).await;
    stranger.open("/").await;
    let mut posts: Vec<StatusId> = Vec::new();
    for number in 0..NEWEST + HIDDEN + OLDEST {
        let id = crowd::post(store, author, &format!("@stranger fullness {number} #full")).await;
        crowd::favourite(store, uid, id).await;
        crowd::bookmark(store, uid, id).await;
        posts.push(id);
    }
    for id in &posts[OLDEST..OLDEST + HIDDEN] {
        crowd::narrow(store, author, *id, Visibility::Followers).await;
    }
    site.drain().await;
    for path in [
        "/",
        "/lists/1",
        "/@author",
        "/@author/replies",
        "/tags/full",
        "/search?q=fullness",
        "/mentions",
        "/favourites",
        "/bookmarks",
    ] {
        let sizes = page_sizes(&stranger, path, |page| page.status_ids().len()).await;
        assert_eq!(sizes, expected(), "{path}");
    }
    let lines = |page: &Page| page.count(".notifications > li");
    let sizes = page_sizes(&stranger, "/notifications", lines).await;
    assert_eq!(sizes, expected(), "notifications");
}

#[tokio::test]
async fn pages_of_people_are_full_although_many_people_in_a_row_are_hidden() {
    let site = Site::start().await;
    let store = &site.store;
    let reader = Person::sign_up(&site, "reader").await;
    let star = crowd::member(store, "star").await;
    let id = crowd::post(store, star, "of the star").await;
    let fans = crowd::followers(store, star, NEWEST + HIDDEN + OLDEST).await;
    for fan in &fans {
        crowd::follow(store, star, *fan).await;
        crowd::favourite(store, *fan, id).await;
        crowd::repost(store, *fan, id).await;
    }
    for fan in &fans[OLDEST..OLDEST + HIDDEN] {
        crowd::set_suspended(store, *fan, true).await;
    }
    site.drain().await;
    for path in [
        "/@star/followers".to_owned(),
        "/@star/following".to_owned(),
        format!("/@star/{id}/favourites"),
        format!("/@star/{id}/reposts"),
    ] {
        let sizes = page_sizes(&reader, &path, |page| page.count(".people > li")).await;
        assert_eq!(sizes, expected(), "{path}");
    }
}

/// Posts by one followed person, with many posts in a row by another one that are hidden later.
async fn posts_with_hidden_ones(store: &Store, reader: UserId) -> UserId {
    let [shown, hidden] = [
        crowd::member(store, "shown").await,
        crowd::member(store, "hidden").await,
    ];
    for author in [shown, hidden] {
        crowd::follow(store, reader, author).await;
    }
    crowd::posts(store, shown, OLDEST).await;
    crowd::posts(store, hidden, HIDDEN).await;
    crowd::posts(store, shown, NEWEST).await;
    hidden
}

#[tokio::test]
async fn everybody_and_important_are_full_although_many_posts_in_a_row_are_hidden() {
    let site = Site::start().await;
    let store = &site.store;
    let reader = Person::sign_up(&site, "reader").await;
    let uid = crowd::uid(store, "reader").await;
    let hidden = posts_with_hidden_ones(store, uid).await;
    site.drain().await;
    crowd::set_suspended(store, hidden, true).await;
    let posts = |page: &Page| page.status_ids().len();
    let everybody = page_sizes(&reader, "/everybody", posts).await;
    assert_eq!(everybody, expected());
    // Without new posts, Important has one page.
    let important = page_sizes(&reader, "/important", posts).await;
    assert_eq!(important, [PAGE_SIZE]);
}

#[tokio::test]
async fn new_posts_that_are_all_hidden_leave_important_as_without_new_posts() {
    let site = Site::start().await;
    let store = &site.store;
    let reader = Person::sign_up(&site, "reader").await;
    let uid = crowd::uid(store, "reader").await;
    let hidden = crowd::member(store, "hidden").await;
    crowd::follow(store, uid, hidden).await;
    let shown = crowd::member(store, "shown").await;
    crowd::follow(store, uid, shown).await;
    crowd::posts(store, shown, 5).await;
    site.drain().await;
    reader.open("/").await;
    crowd::posts(store, hidden, 3).await;
    site.drain().await;
    crate::blocks::set_block(store, hidden, uid).await;
    let page = reader.open("/important").await;
    assert_eq!(page.status_ids().len(), 5);
}

#[tokio::test]
async fn more_hidden_posts_than_are_ranked_hide_no_others_from_important() {
    let site = Site::start().await;
    let store = &site.store;
    let reader = Person::sign_up(&site, "reader").await;
    let uid = crowd::uid(store, "reader").await;
    let [shown, hidden] = [
        crowd::member(store, "shown").await,
        crowd::member(store, "hidden").await,
    ];
    for author in [shown, hidden] {
        crowd::follow(store, uid, author).await;
    }
    reader.open("/").await;
    crowd::posts(store, shown, 5).await;
    crowd::posts(store, hidden, CANDIDATES + 10).await;
    site.drain().await;
    crowd::set_suspended(store, hidden, true).await;
    let page = reader.open("/important").await;
    assert_eq!(page.status_ids().len(), 5);
    assert!(
        page.visible_text().contains("5 new posts"),
        "{}",
        page.visible_text()
    );
}

#[tokio::test]
async fn pages_of_blocked_and_muted_people_are_full_although_many_in_a_row_are_suspended() {
    let site = Site::start().await;
    let store = &site.store;
    let reader = Person::sign_up(&site, "reader").await;
    let uid = crowd::uid(store, "reader").await;
    let people = crowd::people(store, "person", NEWEST + HIDDEN + OLDEST).await;
    for person in &people {
        crate::blocks::set_block(store, uid, *person).await;
    }
    let others = crowd::people(store, "muted", NEWEST + HIDDEN + OLDEST).await;
    for person in &others {
        let muted = mutes::mute(store, uid, *person, MuteTerm::Forever).await;
        assert_eq!(muted.expect("an answer"), mutes::Mute::Done);
    }
    for some in [&people, &others] {
        for person in &some[OLDEST..OLDEST + HIDDEN] {
            crowd::set_suspended(store, *person, true).await;
        }
    }
    for path in ["/settings/blocked", "/settings/muted"] {
        let sizes = page_sizes(&reader, path, |page| page.count(".people > li")).await;
        assert_eq!(sizes, expected(), "{path}");
    }
}

#[tokio::test]
async fn the_last_page_of_people_has_no_link_to_hidden_people() {
    let site = Site::start().await;
    let store = &site.store;
    let reader = Person::sign_up(&site, "reader").await;
    let star = crowd::member(store, "star").await;
    let fans = crowd::followers(store, star, PAGE_SIZE + 5).await;
    for fan in &fans[..5] {
        crowd::set_suspended(store, *fan, true).await;
    }
    let page = reader.open("/@star/followers").await;
    assert_eq!(page.count(".people > li"), PAGE_SIZE);
    assert_eq!(page.older(), None);
    assert_eq!(page.text(".subtabs [aria-current]"), "30 followers");
}

/// Blocks the reader, so that neither finds the other.
async fn hide(site: &Site, person: UserId) {
    let reader = crowd::uid(&site.store, "reader").await;
    crate::blocks::set_block(&site.store, person, reader).await;
}

#[tokio::test]
async fn counts_beside_a_complete_list_are_those_of_the_list() {
    let site = Site::start().await;
    let store = &site.store;
    let reader = Person::sign_up(&site, "reader").await;
    let visitor = Person::visitor(&site);
    let star = crowd::member(store, "star").await;
    let fans = crowd::followers(store, star, 3).await;
    crowd::follow(store, star, fans[0]).await;
    let id = crowd::post(store, star, "of the star").await;
    for fan in &fans[..2] {
        crowd::reply(store, *fan, id, "an answer").await;
    }
    hide(&site, fans[0]).await;
    site.drain().await;
    let permalink = format!("/@star/{id}");
    let count = |page: &Page| page.visible_text();
    assert!(count(&visitor.open(&permalink).await).contains("2 replies"));
    let seen = count(&reader.open(&permalink).await);
    assert!(
        seen.contains("Reply 1") && !seen.contains("2 replies"),
        "{seen}"
    );
    let tab = ".subtabs [aria-current]";
    for (viewer, followers, following) in [
        (&visitor, "3 followers", "1 following"),
        (&reader, "2 followers", "0 following"),
    ] {
        assert_eq!(viewer.open("/@star/followers").await.text(tab), followers);
        assert_eq!(viewer.open("/@star/following").await.text(tab), following);
    }
}

/// Replies that the reader finds, then replies that the reader does not.
async fn conversation(store: &Store, shown: usize, hidden: usize) -> StatusId {
    let [host, away] = [
        crowd::member(store, "host").await,
        crowd::member(store, "away").await,
    ];
    let id = crowd::post(store, host, "first").await;
    for number in 0..hidden {
        crowd::reply(store, away, id, &format!("early {number}")).await;
    }
    for number in 0..shown {
        crowd::reply(store, host, id, &format!("shown {number}")).await;
    }
    for number in 0..hidden {
        crowd::reply(store, away, id, &format!("late {number}")).await;
    }
    crowd::set_suspended(store, away, true).await;
    id
}

/// Returns the number of replies on each page of a conversation.
async fn reply_counts(person: &Person, path: &str) -> Vec<usize> {
    page_sizes(person, path, |page| page.count(".reply-list > li")).await
}

#[tokio::test]
async fn pages_of_replies_are_full_and_end_at_the_last_reply_that_the_viewer_sees() {
    for (shown, expected) in [(3, &[3][..]), (20, &[20]), (21, &[20, 1])] {
        let site = Site::start().await;
        let id = conversation(&site.store, shown, HIDDEN).await;
        let visitor = Person::visitor(&site);
        let path = format!("/@host/{id}");
        assert_eq!(reply_counts(&visitor, &path).await, expected);
        let back = visitor.open(&path).await.texts(".gap");
        assert!(back.is_empty(), "{back:?}");
    }
}

#[tokio::test]
async fn a_conversation_with_hidden_replies_alone_looks_like_one_whose_replies_are_deleted() {
    let site = Site::start().await;
    let store = &site.store;
    let hidden = conversation(store, 0, 200).await;
    let host = crowd::uid(store, "host").await;
    let other = crowd::post(store, host, "first").await;
    let visitor = Person::visitor(&site);
    let part = async |id: StatusId| {
        let page = visitor.open(&format!("/@host/{id}")).await;
        let parts = ["article.status", ".replies-head", ".more", ".gap"];
        (parts.map(|css| page.count(css)), page.older())
    };
    assert_eq!(part(hidden).await, part(other).await);
}

/// The place of the one reply that the reader sees below a reply, among many that the reader does not see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    None,
    Last,
    /// Below the last hidden one.
    BelowLast,
}

/// Makes a conversation whose only direct reply has hidden replies. Returns its first post.
async fn folded_conversation(store: &Store, seen: Seen) -> StatusId {
    let [host, away] = [
        crowd::member(store, "host").await,
        crowd::member(store, "away").await,
    ];
    let first = crowd::post(store, host, "first").await;
    let direct = crowd::reply(store, host, first, "direct").await;
    let mut last = direct;
    for number in 0..30 {
        last = crowd::reply(store, away, direct, &format!("hidden {number}")).await;
    }
    match seen {
        Seen::None => {}
        Seen::Last => {
            crowd::reply(store, host, direct, "seen").await;
        }
        Seen::BelowLast => {
            crowd::reply(store, host, last, "seen").await;
        }
    }
    crowd::set_suspended(store, away, true).await;
    first
}

#[tokio::test]
async fn a_link_below_a_reply_leads_to_a_reply_that_the_viewer_sees() {
    for seen in [Seen::None, Seen::Last, Seen::BelowLast] {
        let site = Site::start().await;
        let first = folded_conversation(&site.store, seen).await;
        let visitor = Person::visitor(&site);
        let page = visitor.open(&format!("/@host/{first}")).await;
        assert_eq!(page.texts(".e-content"), ["first", "direct"], "{seen:?}");
        let links = page.attributes(".nested-replies .more a, .nested-replies a.more", "href");
        if seen == Seen::None {
            assert_eq!(links, Vec::<String>::new());
            continue;
        }
        let [link] = &links[..] else {
            panic!("one link: {links:?}");
        };
        let texts = visitor.open(link).await.texts(".e-content");
        assert!(texts.contains(&"seen".to_owned()), "{seen:?}: {texts:?}");
    }
}
