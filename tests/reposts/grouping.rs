//! An original appears on a timeline once: at its newest repost there.

use redwing::{
    actions::homes,
    domain::{ListId, StatusId, Timeline, UserId},
    store::{Fuse, Mark, ReadMode, ShownOnce, Viewer, VisibleStatus},
};

use super::lines;
use crate::support::{Person, Site, crowd};

/// Maximum number of round trips for a page that six reads fill: the home, statuses, their authors,
/// and originals with several reposts.
const MOST_TRIPS: usize = 100;

struct Readers {
    site: Site,
    carol: Person,
    /// People that carol follows.
    followed: Vec<UserId>,
    /// Status by an author that carol does not follow.
    original: StatusId,
}

async fn readers(settings: &[&str], followed: usize) -> Readers {
    let site = Site::with(settings).await;
    let store = &site.store;
    let carol = Person::sign_up(&site, "carol").await;
    let uid = crowd::uid(store, "carol").await;
    let followed = crowd::people(store, "followed", followed).await;
    for person in &followed {
        crowd::follow(store, uid, *person).await;
    }
    let alice = crowd::member(store, "alice").await;
    let original = crowd::post(store, alice, "worth telling").await;
    Readers {
        site,
        carol,
        followed,
        original,
    }
}

#[tokio::test]
async fn several_reposts_are_shown_at_the_newest_with_a_count_of_the_others() {
    let Readers {
        site,
        carol,
        followed,
        original,
    } = readers(&[], 4).await;
    let store = &site.store;
    let stranger = crowd::member(store, "stranger").await;
    let words = [
        "followed_0 reposted",
        "followed_1 and 1 other reposted",
        "followed_2 and 2 others reposted",
    ];
    for (reposter, words) in followed.iter().zip(words) {
        crowd::repost(store, *reposter, original).await;
        crowd::repost(store, stranger, original).await;
        crowd::post(store, followed[3], "something between").await;
        let home = carol.open("/").await;
        assert_eq!(lines(&home), [words]);
        assert_eq!(home.messages()[1], "worth telling");
    }
    let ids = carol.home_ids().await;
    assert_eq!(ids.len(), 4, "three between, and the original once");
    redwing::actions::reposts::undo_repost(store, followed[2], original)
        .await
        .expect("an answer");
    site.drain().await;
    let home = carol.open("/").await;
    assert_eq!(lines(&home), ["followed_1 and 1 other reposted"]);
    assert_eq!(home.status_ids().len(), 4);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_followed_authors_status_is_shown_at_its_repost_and_not_again_below() {
    let Readers {
        site,
        carol,
        followed,
        ..
    } = readers(&[], 2).await;
    let store = &site.store;
    let original = crowd::post(store, followed[0], "old").await;
    crowd::posts(store, followed[0], 40).await;
    let repost = crowd::repost(store, followed[1], original).await;
    let pages = carol.pages("/").await;
    let shown: Vec<u64> = pages.iter().flat_map(|page| page.status_ids()).collect();
    assert_eq!(shown.len(), 41);
    assert_eq!(shown[0], repost.get());
    assert!(!shown.contains(&original.get()));
    assert_eq!(pages[0].status_ids().len(), 30, "a full page");
    assert_eq!(lines(&pages[0]), ["followed_1 reposted"]);
    assert!(lines(&pages[1]).is_empty());
}

/// Above the floor the home lists its statuses; below it, pages are merged from the followed
/// people.
#[tokio::test]
async fn pages_are_full_and_show_each_original_once_below_the_floor_too() {
    let Readers {
        site,
        carol,
        followed,
        ..
    } = readers(&["--home-size", "40"], 3).await;
    let store = &site.store;
    let originals = crowd::posts(store, followed[0], 50).await;
    for original in &originals {
        crowd::repost(store, followed[1], *original).await;
    }
    for original in originals.iter().step_by(2) {
        crowd::repost(store, followed[2], *original).await;
    }
    site.drain().await;
    let pages = carol.pages("/").await;
    let sizes: Vec<usize> = pages.iter().map(|page| page.status_ids().len()).collect();
    assert_eq!(sizes, [30, 20]);
    let mut messages: Vec<String> = pages.iter().flat_map(|page| page.messages()).collect();
    messages.sort_unstable();
    messages.dedup();
    assert_eq!(messages.len(), 50, "each of them once");
    assert_eq!(lines(&pages[0])[0], "followed_2 and 1 other reposted");
    site.assert_sound().await;
}

/// A page reads the timeline until it is full. Statuses that arrive meanwhile are above it.
#[tokio::test]
async fn a_repost_that_arrives_between_two_reads_hides_nothing_from_the_page() {
    let Readers {
        site,
        followed,
        original,
        ..
    } = readers(&[], 2).await;
    let store = &site.store;
    let carol = crowd::uid(store, "carol").await;
    let recent = crowd::post(store, followed[0], "recent").await;
    let first = crowd::repost(store, followed[1], recent).await;
    let second = crowd::repost(store, followed[0], original).await;
    let mut once = ShownOnce::on(Timeline::Home(carol));
    let mut sources = None;
    let mut look = async |id| {
        let visible = store.visible(Viewer::Member(carol), &[id]).await;
        let visible = visible.expect("an answer");
        let shown = store.shown_once(&mut once, Mark::Floor(0), &mut sources, visible);
        let shown = shown.await.expect("an answer");
        shown.iter().map(VisibleStatus::id).collect::<Vec<_>>()
    };
    assert_eq!(look(first).await, [first]);
    crowd::repost(store, followed[1], original).await;
    assert_eq!(look(second).await, [second]);
}

#[tokio::test]
async fn a_list_shows_its_members_reposts_once() {
    let Readers {
        site,
        carol,
        followed,
        original,
    } = readers(&[], 2).await;
    let store = &site.store;
    let uid = crowd::uid(store, "carol").await;
    let ListId { number, .. } = crowd::list(store, uid, &followed).await;
    for reposter in &followed {
        crowd::repost(store, *reposter, original).await;
    }
    site.drain().await;
    let list = carol.open(&format!("/lists/{number}")).await;
    assert_eq!(list.messages(), ["worth telling"]);
    assert_eq!(lines(&list), ["followed_1 and 1 other reposted"]);
    site.assert_sound().await;
}

/// Most entries are hidden, because newer reposts of the same original are above them.
#[tokio::test]
async fn a_home_full_of_equal_reposts_is_read_in_few_round_trips_and_marked_as_read() {
    let Readers {
        site,
        followed,
        original,
        ..
    } = readers(&[], 21).await;
    let store = &site.store;
    let carol = crowd::uid(store, "carol").await;
    let (poster, reposters) = followed.split_first().expect("some");
    let below = crowd::posts(store, *poster, 40).await;
    homes::home_page(store, carol, None, ReadMode::Visit)
        .await
        .expect("an answer");
    let alice = crowd::uid(store, "alice").await;
    let mut originals = crowd::posts(store, alice, 19).await;
    originals.push(original);
    let mut newest = Vec::new();
    for reposter in reposters {
        newest.clear();
        for original in &originals {
            newest.push(crowd::repost(store, *reposter, *original).await);
        }
    }
    newest.reverse();
    let fuse = Fuse::endless();
    let read = homes::home_page(&store.with_fuse(fuse.clone()), carol, None, ReadMode::Visit).await;
    let read = read.expect("an answer");
    let ids: Vec<StatusId> = read.page.items.iter().map(VisibleStatus::id).collect();
    let older = below.iter().rev().take(10).copied();
    let expected: Vec<StatusId> = newest.iter().copied().chain(older).collect();
    assert_eq!(ids, expected);
    assert!(fuse.trips() <= MOST_TRIPS, "{} trips", fuse.trips());
    let key = format!("reading:{{{carol}}}");
    site.redis.command(&["HSET", &key, "at", "1"]);
    let read = homes::home_page(store, carol, None, ReadMode::Visit).await;
    let news = read.expect("an answer").new_posts.expect("a home");
    assert_eq!((news.count, news.oldest.is_none()), (0, true), "{news:?}");
    site.assert_sound().await;
}

#[tokio::test]
async fn followed_reposters_are_named_among_very_many() {
    let Readers {
        site,
        carol,
        followed,
        original,
    } = readers(&[], 3).await;
    let store = &site.store;
    for reposter in &followed[..2] {
        crowd::repost(store, *reposter, original).await;
    }
    for stranger in crowd::people(store, "stranger", 201).await {
        crowd::repost(store, stranger, original).await;
    }
    crowd::posts(store, followed[2], 29).await;
    let pages = carol.pages("/").await;
    let home = &pages[0];
    assert_eq!(lines(home), ["followed_1 and 1 other reposted"]);
    assert_eq!(home.status_ids().len(), 30);
    assert_eq!(pages.len(), 1, "the older repost is not shown separately");
}

#[tokio::test]
async fn the_link_to_the_oldest_new_post_leads_to_a_visible_one() {
    let Readers {
        site,
        carol,
        followed,
        original,
    } = readers(&[], 3).await;
    let store = &site.store;
    carol.open("/").await;
    let uid = crowd::uid(store, "carol").await;
    let key = format!("reading:{{{uid}}}");
    site.redis.command(&["HSET", &key, "at", "1"]);
    crowd::repost(store, followed[0], original).await;
    let oldest = crowd::posts(store, followed[1], 45).await[0];
    crowd::repost(store, followed[2], original).await;
    let home = carol.open("/").await;
    let way = home.attributes(".new-posts a", "href").remove(0);
    assert!(way.ends_with(&format!("#status-{oldest}")), "{way}");
    let (path, _) = way.split_once('#').expect("a place on a page");
    let page = carol.open(path).await;
    assert!(page.status_ids().contains(&oldest.get()));
}
