//! Trends: the number of different users of a tag in the last day.

use redwing::{domain::UserId, store::Store};

use crate::support::{Person, Site, crowd, pool::Redis, redis::RedisServer};

/// Lets the minute pass for which shown counts are cached.
fn a_minute_later(site: &Site) {
    site.redis.command(&["DEL", "tags:trending"]);
}

async fn use_tag(store: &Store, people: &[UserId], tag: &str) {
    for person in people {
        crowd::post(store, *person, &format!("it is #{tag}")).await;
    }
}

#[tokio::test]
async fn tags_trend_by_people_and_not_by_posts() {
    let site = Site::start().await;
    let store = &site.store;
    let people = crowd::people(store, "person", 4).await;
    use_tag(store, &people, "birds").await;
    use_tag(store, &people[..3], "\u{9CE5}").await;
    use_tag(store, &[people[0]; 9], "spam").await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    for (person, page) in [
        (&alice, "/"),
        (&alice, "/tags"),
        (&visitor, "/"),
        (&visitor, "/tags"),
    ] {
        let page = person.open(page).await;
        assert_eq!(page.texts(".trending a"), ["#birds", "#\u{9CE5}"]);
        assert_eq!(page.texts(".trending .meta"), ["4 people", "3 people"]);
        let paths = page.attributes(".trending a", "href");
        assert_eq!(paths, ["/tags/birds", "/tags/%E9%B3%A5"]);
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_tag_with_fewer_than_two_users_stops_trending_at_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    alice.post("a #slip").await;
    let id = bob.post("the same #slip").await;
    a_minute_later(&site);
    assert_eq!(alice.open("/tags").await.texts(".trending a"), ["#slip"]);
    bob.delete(id).await;
    for person in [&alice, &Person::visitor(&site)] {
        assert!(!person.open("/tags").await.has(".trending"));
    }
}

#[tokio::test]
async fn a_tag_used_more_than_a_day_ago_does_not_trend() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let store = &site.store;
    let people = crowd::people(store, "person", 3).await;
    use_tag(store, &people, "birds").await;
    use_tag(store, &people[..2], "cats").await;
    let visitor = Person::visitor(&site);
    let trending = async || {
        a_minute_later(&site);
        visitor.open("/tags").await.texts(".trending a")
    };
    assert_eq!(trending().await, ["#birds", "#cats"]);
    for person in &people[..2] {
        let uid = person.to_string();
        site.redis.command(&["ZADD", "tag_uses:{birds}", "5", &uid]);
    }
    assert_eq!(trending().await, ["#cats"], "one of them is left");
    let ranked = site
        .redis
        .one_node()
        .ask(&["ZSCORE", "tags:most_used", "birds"]);
    assert!(
        ranked.contains('1'),
        "it is ranked by the remaining users: {ranked}"
    );
}

#[tokio::test]
async fn trends_are_shown_while_redis_refuses_writes() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let people = crowd::people(&site.store, "person", 2).await;
    use_tag(&site.store, &people, "birds").await;
    let alice = Person::sign_up(&site, "alice").await;
    a_minute_later(&site);
    site.redis.command(&["CONFIG", "SET", "maxmemory", "1"]);
    for page in ["/", "/tags"] {
        assert_eq!(alice.open(page).await.texts(".trending a"), ["#birds"]);
    }
}

/// Returns the number of users of a tag according to the ranking.
fn rank(site: &Site, tag: &str) -> u64 {
    let said = site
        .redis
        .one_node()
        .ask(&["ZSCORE", "tags:most_used", tag]);
    let said = said.lines().nth(1).unwrap_or_default();
    said.parse().unwrap_or_default()
}

#[tokio::test]
async fn an_older_count_never_lowers_a_rank_and_a_page_view_corrects_it() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let people = crowd::people(&site.store, "person", 2).await;
    use_tag(&site.store, &people[..1], "birds").await;
    // Simulates that more users used it since and were recorded first.
    site.redis
        .command(&["ZADD", "tags:most_used", "7", "birds"]);
    use_tag(&site.store, &people[1..], "birds").await;
    assert_eq!(rank(&site, "birds"), 7);
    a_minute_later(&site);
    site.store.trends_of_now().await.expect("an answer");
    assert_eq!(rank(&site, "birds"), 2);
}

#[tokio::test]
async fn a_tag_used_during_its_count_is_not_ranked_too_low() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let store = &site.store;
    let people = crowd::people(store, "person", 2).await;
    for trips in 0..24 {
        let tag = format!("tag{trips}");
        use_tag(store, &people[..1], &tag).await;
        site.redis.command(&["ZADD", "tags:most_used", "7", &tag]);
        a_minute_later(&site);
        let counted = async {
            for _ in 0..trips {
                store.key_count().await.expect("an answer");
            }
            store.trends_of_now().await.expect("an answer");
        };
        tokio::join!(counted, use_tag(store, &people[1..], &tag));
        assert!(rank(&site, &tag) >= 2, "after {trips} round trips");
    }
}
