//! Catching up: new posts on home since the last visit, on any device, without JavaScript.

use redwing::{actions::statuses, domain::UserId};

use crate::support::{
    Page, Person, Site, crowd,
    page::selector,
    waiting::{eventually, next_millisecond},
};

/// Alice, who has read her home and follows bob, and bob.
struct CatchUp {
    site: Site,
    alice: Person,
    bob: UserId,
}

impl CatchUp {
    async fn start() -> Self {
        Self::on(Site::start().await).await
    }

    async fn on(site: Site) -> Self {
        let alice = Person::sign_up(&site, "alice").await;
        let bob = crowd::member(&site.store, "bob").await;
        crowd::posts(&site.store, bob, 3).await;
        alice.follow("bob").await;
        alice.open("/").await;
        Self { site, alice, bob }
    }

    /// Lets more time pass than a visit lasts.
    async fn pause(&self) {
        let uid = crowd::uid(&self.site.store, "alice").await;
        let key = format!("reading:{{{uid}}}");
        self.site.redis.command(&["HSET", &key, "at", "1"]);
    }

    /// Alice leaves, and bob posts this many times. Returns the new ids, newest first.
    async fn away(&self, posts: usize) -> Vec<u64> {
        self.pause().await;
        let ids = crowd::posts(&self.site.store, self.bob, posts).await;
        ids.iter().rev().map(|id| id.get()).collect()
    }

    async fn home(&self) -> Page {
        self.alice.open("/").await
    }
}

/// The card below the last new post.
const CAUGHT_UP: &str = "caught up";

/// Returns the timeline from the top: statuses by their ids, and the texts of lines.
fn timeline_items(page: &Page) -> Vec<String> {
    let document = page.document();
    let both = selector(".feed article, .feed .new-divider");
    let timeline_items = document.select(&both).map(|found| {
        let text = found.text().collect::<String>();
        match found.attr("id") {
            Some(id) => id.replace("status-", ""),
            None if text.starts_with("You're all caught up") => CAUGHT_UP.to_owned(),
            None => text,
        }
    });
    timeline_items.collect()
}

/// Returns the number of statuses above the only line, and checks its text.
#[track_caller]
fn count_above_line(page: &Page) -> usize {
    let timeline_items = timeline_items(page);
    let line = |word: &&String| word.parse::<u64>().is_err();
    let lines: Vec<&String> = timeline_items.iter().filter(line).collect();
    assert_eq!(lines, [CAUGHT_UP], "{timeline_items:?}");
    timeline_items
        .iter()
        .position(|word| word == lines[0])
        .expect("it exists")
}

#[track_caller]
fn assert_new(page: &Page, number: &str) {
    assert_eq!(page.text("title"), format!("({number}) Home · Redwing"));
}

#[track_caller]
fn assert_nothing_new(page: &Page) {
    assert_eq!(page.text("title"), "Home · Redwing");
    assert!(!page.has(".new-divider, .new-posts"), "{}", page.html);
}

/// Returns the target of the link to the oldest new status.
#[track_caller]
fn link_to_oldest_new(page: &Page) -> (String, u64) {
    let link = page
        .attributes(".new-posts a", "href")
        .pop()
        .expect("a link");
    let (path, id) = link.split_once("#status-").expect("an anchor");
    (path.to_owned(), id.parse().expect("an id"))
}

#[tokio::test]
async fn new_users_and_visitors_see_no_line() {
    let reading = CatchUp::start().await;
    assert_nothing_new(&reading.home().await);
    let landing = Person::visitor(&reading.site).open("/").await;
    assert!(!landing.has(".new-divider, .new-posts") && !landing.text("title").contains('('));
}

#[tokio::test]
async fn new_posts_are_above_a_line_until_the_visit_ends() {
    let reading = CatchUp::start().await;
    let new = reading.away(3).await;
    for _ in 0..3 {
        let home = reading.home().await;
        assert_new(&home, "3");
        assert_eq!(
            home.text(".new-posts span"),
            "3 new posts since your last visit."
        );
        assert_eq!(
            count_above_line(&home),
            3,
            "loading the page again changes nothing"
        );
        assert_eq!(link_to_oldest_new(&home), ("/".to_owned(), new[2]));
    }
    reading.pause().await;
    assert_nothing_new(&reading.home().await);
}

#[tokio::test]
async fn the_card_is_at_the_end_of_a_home_on_which_everything_is_new() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = crowd::member(&site.store, "bob").await;
    alice.follow("bob").await;
    alice.open("/").await;
    let reading = CatchUp { site, alice, bob };
    let new = reading.away(2).await;
    let expected = [new[0].to_string(), new[1].to_string(), CAUGHT_UP.to_owned()];
    assert_eq!(timeline_items(&reading.home().await), expected);
}

#[tokio::test]
async fn posts_during_a_visit_join_the_new_ones() {
    let reading = CatchUp::start().await;
    reading.away(1).await;
    assert_eq!(count_above_line(&reading.home().await), 1);
    crowd::posts(&reading.site.store, reading.bob, 2).await;
    let home = reading.home().await;
    assert_new(&home, "3");
    assert_eq!(count_above_line(&home), 3);
}

#[tokio::test]
async fn another_device_shows_the_same_line() {
    let reading = CatchUp::start().await;
    reading.away(2).await;
    let phone = Person::log_in(&reading.site, "alice").await;
    for device in [&phone, &reading.alice, &phone] {
        let home = device.open("/").await;
        assert_new(&home, "2");
        assert_eq!(count_above_line(&home), 2);
    }
    reading.pause().await;
    assert_nothing_new(&phone.open("/").await);
}

#[tokio::test]
async fn a_link_leads_to_the_oldest_new_post_on_any_page() {
    let reading = CatchUp::start().await;
    let new = reading.away(70).await;
    let home = reading.home().await;
    assert_new(&home, "70");
    assert!(!home.has(".new-divider"), "the line is further down");
    let (path, id) = link_to_oldest_new(&home);
    assert_eq!(id, new[69]);
    let page = reading.alice.open(&path).await;
    assert_eq!(page.status_ids()[..10], new[60..]);
    assert_eq!(count_above_line(&page), 10);
    let pages = reading.alice.pages("/").await;
    assert_eq!(
        pages[2].path, path,
        "the page that the links to older posts lead to"
    );
}

#[tokio::test]
async fn a_line_between_two_pages_is_drawn_on_the_second() {
    let reading = CatchUp::start().await;
    reading.away(30).await;
    let pages = reading.alice.pages("/").await;
    assert!(!pages[0].has(".new-divider"));
    assert_eq!(count_above_line(&pages[1]), 0);
}

#[tokio::test]
async fn more_than_99_new_posts_have_no_exact_count() {
    let reading = CatchUp::start().await;
    reading.away(100).await;
    let home = reading.home().await;
    assert_new(&home, "99+");
    assert_eq!(
        home.text(".new-posts span"),
        "More than 99 new posts since your last visit."
    );
}

#[tokio::test]
async fn posts_that_no_page_has_shown_stay_new() {
    let reading = CatchUp::start().await;
    let new = reading.away(70).await;
    reading.home().await;
    reading.pause().await;
    let home = reading.home().await;
    assert_new(&home, "40");
    assert_eq!(link_to_oldest_new(&home).1, new[69]);
    let second = reading.alice.open(&home.older().expect("older ones")).await;
    assert_eq!(timeline_items(&second)[0], "New");
    assert_eq!(second.count(".new-divider"), 1);
}

#[tokio::test]
async fn a_page_marks_only_its_own_posts_as_read() {
    let reading = CatchUp::start().await;
    let new = reading.away(70).await;
    let second = format!("/?before={}", new[29]);
    assert_eq!(reading.alice.open(&second).await.status_ids(), new[30..60]);
    reading.pause().await;
    assert_new(&reading.home().await, "40");
    reading.pause().await;
    let home = reading.home().await;
    assert_new(&home, "10");
    let far = reading.alice.open("/?before=9007199254740991").await;
    assert_eq!(far.status_ids(), home.status_ids());
    reading.away(1).await;
    assert_new(&reading.home().await, "11");
}

#[tokio::test]
async fn reading_upwards_from_the_oldest_new_one_leaves_nothing_new() {
    let reading = CatchUp::start().await;
    reading.away(70).await;
    let home = reading.home().await;
    reading.alice.open(&link_to_oldest_new(&home).0).await;
    reading.alice.open(&home.older().expect("older ones")).await;
    reading.pause().await;
    assert_nothing_new(&reading.home().await);
}

#[tokio::test]
async fn deleted_posts_are_not_counted() {
    let reading = CatchUp::start().await;
    let store = &reading.site.store;
    reading.pause().await;
    let ids = crowd::posts(store, reading.bob, 3).await;
    for (gone, left) in [(ids[0], 2), (ids[2], 1)] {
        let deleted = statuses::delete(store, reading.bob, gone).await;
        deleted.expect("the store answers");
        let home = reading.home().await;
        assert_new(&home, &left.to_string());
        assert_eq!(count_above_line(&home), left);
        assert_eq!(
            link_to_oldest_new(&home).1,
            ids[1 + usize::from(left > 2)].get()
        );
    }
    let deleted = statuses::delete(store, reading.bob, ids[1]).await;
    deleted.expect("the store answers");
    assert_nothing_new(&reading.home().await);
}

#[tokio::test]
async fn posts_by_unfollowed_people_are_not_counted() {
    let reading = CatchUp::start().await;
    let carol = crowd::member(&reading.site.store, "carol").await;
    reading.alice.follow("carol").await;
    reading.away(2).await;
    crowd::posts(&reading.site.store, carol, 2).await;
    assert_new(&reading.home().await, "4");
    reading.alice.unfollow("carol").await;
    let home = reading.home().await;
    assert_new(&home, "2");
    assert_eq!(count_above_line(&home), 2);
}

#[tokio::test]
async fn old_posts_that_a_follow_brings_are_not_new() {
    let reading = CatchUp::start().await;
    let carol = crowd::member(&reading.site.store, "carol").await;
    crowd::posts(&reading.site.store, carol, 40).await;
    for _ in 0..2 {
        reading.pause().await;
        reading.home().await;
    }
    reading.alice.follow("carol").await;
    assert_nothing_new(&reading.home().await);
    reading.pause().await;
    assert_nothing_new(&reading.home().await);
}

#[tokio::test]
async fn own_posts_are_not_new_and_draw_no_line() {
    let reading = CatchUp::start().await;
    reading.pause().await;
    reading.alice.post("mine").await;
    assert_nothing_new(&reading.home().await);
    reading.away(2).await;
    reading.alice.post("mine again").await;
    crowd::posts(&reading.site.store, reading.bob, 1).await;
    let home = reading.home().await;
    assert_new(&home, "3");
    assert_eq!(count_above_line(&home), 4, "with her own among them");
}

#[tokio::test]
async fn a_post_delivered_late_is_new() {
    let site = Site::with(&["--pass-size", "20"]).await;
    let reading = CatchUp::on(site).await;
    let store = &reading.site.store;
    let star = crowd::member(store, "star").await;
    crowd::followers(store, star, 25).await;
    reading.alice.follow("star").await;
    reading.pause().await;
    let slow = crowd::post(store, star, "on its way for long").await;
    next_millisecond().await;
    let quick = crowd::post(store, reading.bob, "there at once").await;
    assert_new(&reading.home().await, "1");
    reading.site.drain().await;
    reading.pause().await;
    let latest = crowd::post(store, reading.bob, "after both").await;
    let home = reading.home().await;
    assert_new(&home, "2");
    assert_eq!(link_to_oldest_new(&home).1, slow.get());
    let expected = [
        latest.to_string(),
        "Already seen".to_owned(),
        quick.to_string(),
        "New".to_owned(),
        slow.to_string(),
        CAUGHT_UP.to_owned(),
    ];
    assert_eq!(timeline_items(&home)[..6], expected);
    reading.pause().await;
    assert_nothing_new(&reading.home().await);
}

#[tokio::test]
async fn read_posts_are_remembered_through_a_long_absence() {
    let reading = CatchUp::start().await;
    reading.pause().await;
    let uid = crowd::uid(&reading.site.store, "alice").await;
    let key = format!("active:{{{uid}}}");
    reading.site.redis.command(&["DEL", &key]);
    crowd::posts(&reading.site.store, reading.bob, 4).await;
    let home = reading.home().await;
    assert_new(&home, "4");
    assert_eq!(count_above_line(&home), 4);
    reading.site.drain().await;
    reading.site.assert_sound().await;
}

#[tokio::test]
async fn read_posts_are_remembered_through_a_restart_of_redis() {
    let mut reading = CatchUp::start().await;
    reading.away(2).await;
    assert_new(&reading.home().await, "2");
    reading.site.redis.kill();
    reading.site.redis.restart();
    eventually("home is there again", async || {
        reading.alice.get("/").await.status == 200
    })
    .await;
    let home = reading.home().await;
    assert_new(&home, "2");
    assert_eq!(count_above_line(&home), 2);
}

#[tokio::test]
async fn a_small_home_counts_its_stored_posts() {
    let reading = CatchUp::on(Site::with(&["--home-size", "40"]).await).await;
    let new = reading.away(80).await;
    let home = reading.home().await;
    let count: usize = home.text(".new-posts span")[..2]
        .parse()
        .expect("two digits");
    assert!((40..64).contains(&count), "{count}");
    let (path, id) = link_to_oldest_new(&home);
    assert_eq!(id, new[count - 1]);
    let page = reading.alice.open(&path).await;
    assert_eq!(count_above_line(&page), count - 30);
    assert_eq!(reading.alice.pages("/").await.len(), 3, "it goes on below");
    reading.pause().await;
    assert_nothing_new(&reading.home().await);
}
