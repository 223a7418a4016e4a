//! Pages far below the stored part of a home, for a reader of a thousand people. The home ends only
//! with the last post.

use futures_util::{StreamExt, stream};
use redwing::{
    actions::homes,
    domain::{Cursor, ListId, PAGE_SIZE, StatusId, Timeline},
    store::{Begin, Fuse, ReadMode, VisibleStatus},
};

use crate::support::{Person, Site, core::Core, crowd, pool::Redis};

const FOLLOWED: usize = 1000;
/// Number of followed people who post often. The others post once.
const FREQUENT: usize = 10;
const OFTEN: usize = 40;
/// Maximum number of round trips for any page: the home, the followed people, statuses and their
/// authors. For each thousand followed people there is one more each time that a page doubles its
/// portion. A short page is extended once.
const MOST_TRIPS: usize = 14;

#[tokio::test]
async fn a_thousand_peoples_posts_are_paged_to_the_last_without_seam_or_gap() {
    let core = Core::start();
    let store = &core.store;
    let reader = crowd::member(store, "reader").await;
    let people = crowd::people(store, "person", FOLLOWED).await;
    let posts: Vec<Vec<StatusId>> = stream::iter(people.iter().enumerate())
        .map(async |(number, person)| {
            crowd::follow(store, reader, *person).await;
            crowd::posts(store, *person, if number < FREQUENT { OFTEN } else { 1 }).await
        })
        .buffered(32)
        .collect()
        .await;
    core.drain().await;
    let mut expected: Vec<StatusId> = posts.concat();
    expected.extend(crowd::posts(store, reader, 1).await);
    expected.sort_unstable_by(|a, b| b.cmp(a));
    assert!(
        expected.len() > 1000 + 3 * PAGE_SIZE,
        "many posts are below the home"
    );
    let stored_ids = store.timeline_ids(Timeline::Home(reader)).await;
    assert!(stored_ids.expect("an answer").len() < 1024);

    let (mut shown, mut cursor, mut most) = (Vec::new(), None, 0);
    loop {
        let fuse = Fuse::endless();
        let read = homes::home_page(
            &store.with_fuse(fuse.clone()),
            reader,
            cursor,
            ReadMode::Visit,
        )
        .await;
        let page = read.expect("an answer").page;
        most = most.max(fuse.trips());
        shown.extend(page.items.iter().map(VisibleStatus::id));
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
        assert_eq!(page.items.len(), PAGE_SIZE);
    }
    assert_eq!(shown, expected);
    assert!((4..=MOST_TRIPS).contains(&most), "{most} trips");

    // From any position, also that of a deleted status, pages continue exactly below it.
    for at in [999, 1000, 1023, 1024, 1200] {
        let before = Some(Cursor::before(expected[at].get()));
        let read = homes::home_page(store, reader, before, ReadMode::Visit).await;
        let page = read.expect("an answer").page;
        let ids: Vec<StatusId> = page.items.iter().map(VisibleStatus::id).collect();
        assert_eq!(ids, expected[at + 1..=at + PAGE_SIZE], "below {at}");
    }
}

/// Number of replies to strangers since the author's last post: more than one page examines.
const ANSWERS: u64 = 2100;

#[tokio::test]
async fn an_author_with_only_hidden_replies_is_read_in_parts_and_nothing_is_skipped() {
    let core = Core::start();
    let store = &core.store;
    let reader = crowd::member(store, "reader").await;
    let [talker, rare_author] = ["talker", "rare_author"].map(|login| crowd::member(store, login));
    let (talker, rare_author) = (talker.await, rare_author.await);
    for person in [talker, rare_author] {
        crowd::follow(store, reader, person).await;
    }
    let stranger = crowd::member(store, "stranger").await;
    let question = crowd::post(store, stranger, "a question").await;
    let mut expected = crowd::posts(store, talker, 3).await;
    expected.extend(crowd::posts(store, rare_author, 1).await);
    crowd::reply(store, talker, question, "an answer").await;
    expected.extend(crowd::posts(store, rare_author, 1).await);
    let last = crowd::reply(store, talker, question, "an answer").await;
    // A post of the same millisecond may have one of the next ids.
    let last: StatusId = (last.get() | 0xfff).to_string().parse().expect("an id");
    let profile = format!("profile:{{{talker}}}");
    fill_with_nothing(&core.redis, &profile, last, ANSWERS);
    let (talker_id, reply_to) = (talker.to_string(), format!("{question}:{stranger}"));
    for id in last.get() + 1..=last.get() + ANSWERS {
        let status = format!("status:{{{id}}}");
        let reply = ["HSET", &status, "uid", &talker_id, "reply_to", &reply_to];
        core.redis.command(&reply);
    }
    expected.extend(crowd::posts(store, rare_author, 1).await);
    // Posts by two people in the same millisecond can be in either order.
    expected.sort_unstable_by(|a, b| b.cmp(a));
    core.drain().await;
    let home = Timeline::Home(reader);
    let begun = store.begin_rebuild(home, "abc", Begin::Wrong).await;
    assert!(begun.expect("an answer"));

    let (mut shown, mut cursor, mut pages) = (Vec::new(), None, 0);
    loop {
        let read = homes::home_page(store, reader, cursor, ReadMode::Visit).await;
        let page = read.expect("an answer").page;
        if pages == 0 {
            assert_eq!(page.items.len(), 1, "posts as new as the replies read");
        }
        shown.extend(page.items.iter().map(VisibleStatus::id));
        pages += 1;
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(shown, expected);
    assert_eq!(pages, 2);
}

/// Puts this many ids of nonexistent statuses above the given one, on a timeline or a profile.
fn fill_with_nothing(redis: &Redis, key: &str, above: StatusId, count: u64) {
    let ids: Vec<u64> = (above.get() + 1..=above.get() + count).collect();
    // Redis refuses a line of more than 64 KB.
    for part in ids.chunks(500) {
        let rows: Vec<String> = part
            .iter()
            .flat_map(|id| [format!("-{id}"), id.to_string()])
            .collect();
        let mut command = vec!["ZADD", key];
        command.extend(rows.iter().map(String::as_str));
        redis.command(&command);
    }
}

#[tokio::test]
async fn an_empty_first_page_links_on_and_does_not_claim_the_end() {
    let site = Site::start().await;
    let store = &site.store;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(store, "alice").await;
    let talker = crowd::member(store, "talker").await;
    crowd::follow(store, uid, talker).await;
    let list = crowd::list(store, uid, &[talker]).await;
    let ListId { number, .. } = list;
    let post = crowd::post(store, talker, "far below").await;
    fill_with_nothing(&site.redis, &format!("profile:{{{talker}}}"), post, ANSWERS);
    for (timeline, path) in [
        (Timeline::Home(uid), "/".to_owned()),
        (Timeline::List(list), format!("/lists/{number}")),
    ] {
        crowd::timeline(store, timeline).await;
        let begun = store.begin_rebuild(timeline, "abc", Begin::Wrong).await;
        assert!(begun.expect("an answer"), "{path}");
        let pages = alice.pages(&path).await;
        assert!(!pages[0].has("#empty-title"), "{path}");
        let shown: Vec<String> = pages.iter().flat_map(|page| page.messages()).collect();
        assert_eq!(shown, ["far below"], "{path}");
        assert_eq!(pages.len(), 2, "{path}");
    }
}

#[tokio::test]
async fn a_page_is_shown_even_if_its_reading_cannot_be_recorded() {
    let core = Core::start();
    let store = &core.store;
    let reader = crowd::member(store, "reader").await;
    let posts = crowd::posts(store, reader, PAGE_SIZE + 2).await;
    crowd::timeline(store, Timeline::Home(reader)).await;
    let home = format!("home:{{{reader}}}");
    fill_with_nothing(&core.redis, &home, posts[5], 3);
    let before = Some(Cursor::before(posts[PAGE_SIZE + 1].get()));
    let read = async |fuse: &Fuse| {
        let store = store.with_fuse(fuse.clone());
        homes::home_page(&store, reader, before, ReadMode::Visit).await
    };
    let reading = format!("reading:{{{reader}}}");
    let seen = ["HSET", &reading, "before", "0-1", "shown", "0-1"];
    core.redis.command(&seen);
    let shown = async || {
        let estate = store.user_snapshot(reader).await.expect("an answer");
        estate.reading[1].clone()
    };
    let mut commands = 0;
    let page = loop {
        match read(&Fuse::of(commands)).await {
            Ok(read) => break read.page,
            Err(_) => commands += 1,
        }
    };
    assert_eq!(page.items.len(), PAGE_SIZE);
    let half = shown().await;
    read(&Fuse::endless()).await.expect("an answer");
    assert_ne!(shown().await, half, "its last step was cut off");
}
