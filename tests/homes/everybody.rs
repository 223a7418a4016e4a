//! The timeline of everybody, and the newest posts on the landing page.

use redwing::domain::{StatusId, Visibility};

use crate::support::{Person, Site, crowd, pool::Redis, redis::RedisServer};

#[tokio::test]
async fn everybody_reads_the_newest_public_posts_and_no_replies_or_reposts() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let first = alice.post("first").await;
    let second = bob.post("second").await;
    bob.reply(first, "a reply").await;
    bob.press("/@alice", "repost", first).await;
    site.drain().await;
    let visitor = Person::visitor(&site);
    for person in [&alice, &visitor] {
        let page = person.open("/everybody").await;
        assert_eq!(page.status_ids(), [second, first]);
        assert!(page.has(".h-feed .h-entry"));
    }
    let landing = visitor.open("/").await;
    assert_eq!(landing.status_ids(), [second, first]);
    let headings = landing.texts("h2");
    let newest = headings.iter().filter(|heading| *heading == "Newest posts");
    assert_eq!(newest.count(), 1, "{headings:?}");
    assert!(landing.has("a[href=\"/everybody\"]"));
    assert!(alice.open("/").await.has("nav a[href=\"/everybody\"]"));
    alice.delete(first).await;
    site.drain().await;
    assert_eq!(visitor.open("/everybody").await.status_ids(), [second]);
    assert_eq!(visitor.open("/").await.status_ids(), [second]);
    site.assert_sound().await;
}

#[tokio::test]
async fn an_empty_site_has_no_newest_posts() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    assert!(visitor.open("/everybody").await.has(".empty"));
    let landing = visitor.open("/").await;
    assert!(!landing.has(".recent-posts") && landing.has("a[href=\"/signup\"]"));
}

#[tokio::test]
async fn the_landing_page_says_how_many_people_posted_in_a_day() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    Person::sign_up(&site, "reader").await;
    let visitor = Person::visitor(&site);
    let says = async || {
        site.drain().await;
        let counted = site.store.count_recent_authors().await;
        counted.expect("an answer");
        visitor.open("/").await.texts(".recent-posts > .meta")
    };
    assert_eq!(says().await, [""; 0]);
    let first = alice.post("first").await;
    alice.post("second").await;
    assert_eq!(says().await, ["1 person posted in the last 24 hours."]);
    bob.post("of bob").await;
    let of_two = ["2 people posted in the last 24 hours."];
    assert_eq!(says().await, of_two);
    alice.delete(first).await;
    site.drain().await;
    assert_eq!(says().await, of_two);
    // A page counts nothing by itself.
    let carol = Person::sign_up(&site, "carol").await;
    carol.post("of carol").await;
    assert_eq!(
        visitor.open("/").await.texts(".recent-posts > .meta"),
        of_two
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn posts_older_than_a_day_do_not_count_for_the_landing_page() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let alice = crowd::member(&site.store, "alice").await;
    let post = crowd::post(&site.store, alice, "old").await;
    let day = (24 * 3600 * 1000_u64) << StatusId::RANDOM_BITS;
    let old = post.get() - day;
    // Only the time in the id decides.
    let (new_key, old_key) = (format!("status:{{{post}}}"), format!("status:{{{old}}}"));
    site.redis.command(&["RENAME", &new_key, &old_key]);
    site.redis.command(&["DEL", "statuses:newest"]);
    site.redis.command(&[
        "ZADD",
        "statuses:newest",
        &format!("-{old}"),
        &old.to_string(),
    ]);
    site.store.count_recent_authors().await.expect("an answer");
    assert_eq!(site.store.recent_authors().people, 0);
}

#[tokio::test]
async fn the_column_beside_everybody_and_important_is_that_of_home() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let reader = crowd::uid(&site.store, "alice").await;
    let people = crowd::people(&site.store, "person", 9).await;
    for person in &people {
        crowd::post(&site.store, *person, "about #birds").await;
    }
    let visitor = Person::visitor(&site).open("/everybody").await;
    assert_eq!(visitor.texts(".side h2"), ["Trending"]);
    assert_side_column(&alice, true).await;
    for (followed, are_above) in [(&people[..1], true), (&people[1..6], false)] {
        for person in followed {
            crowd::follow(&site.store, reader, *person).await;
        }
        assert_side_column(&alice, are_above).await;
    }
    // An empty home does not make its owner a newcomer.
    let carol = Person::sign_up(&site, "carol").await;
    let reader = crowd::uid(&site.store, "carol").await;
    for silent in crowd::people(&site.store, "silent", 5).await {
        crowd::follow(&site.store, reader, silent).await;
    }
    assert!(carol.open("/").await.has(".empty"));
    assert_side_column(&carol, false).await;
}

/// Asserts that the column of a reader is the same beside the three timelines, and that the suggestions are either above
/// each of them or in the column.
async fn assert_side_column(reader: &Person, are_above: bool) {
    let expected = reader.open("/").await.texts(".side");
    for path in ["/", "/important", "/everybody"] {
        let page = reader.open(path).await;
        assert_eq!(page.texts(".side"), expected, "{path}");
        assert!(page.has(".side .profile-summary") && page.has(".side .trending"));
        let has_suggestions = [".column .person", ".side .person"].map(|part| page.has(part));
        assert_eq!(has_suggestions, [are_above, !are_above], "{path}");
    }
}

#[tokio::test]
async fn one_author_cannot_fill_the_timeline_of_everybody() {
    let site = Site::with(&["--everybody-per-hour", "3"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let mallory = Person::sign_up(&site, "mallory").await;
    let of_alice = alice.post("of alice").await;
    // What is not for everybody uses up no share.
    mallory.reply(of_alice, "a reply").await;
    let uid = crowd::uid(&site.store, "mallory").await;
    crowd::post_to(&site.store, uid, Visibility::Members, "for members").await;
    let mut of_mallory = Vec::new();
    for number in 0..10 {
        let id = crowd::post(&site.store, uid, &format!("flood {number}")).await;
        of_mallory.push(id.get());
    }
    site.drain().await;
    let visitor = Person::visitor(&site);
    let expected = [of_mallory[2], of_mallory[1], of_mallory[0], of_alice];
    let everybody = visitor.open("/everybody").await;
    assert_eq!(everybody.status_ids(), expected);
    assert!(everybody.text(".column").contains("at most 3 an hour"));
    assert_eq!(visitor.open("/").await.status_ids(), expected);
    let profile = visitor.open("/@mallory").await;
    assert_eq!(profile.status_ids().len(), 10);
    // An edit of a post beyond the share does not bring it there, and a deletion makes room for no other.
    let beyond = StatusId::new(of_mallory[9]).expect("an id");
    crowd::edit(&site.store, uid, beyond, "changed").await;
    mallory.delete(of_mallory[0]).await;
    let next = alice.post("another of alice").await;
    site.drain().await;
    let expected = [next, of_mallory[2], of_mallory[1], of_alice];
    assert_eq!(visitor.open("/everybody").await.status_ids(), expected);
    site.assert_sound().await;
}
