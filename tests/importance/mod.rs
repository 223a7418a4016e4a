//! Home sorted by importance: which posts, in which order, and with which reasons.

mod author_preferences;
mod model;
mod mutes;
mod pages;

use redwing::{
    actions::importance::set_author_preference,
    domain::{AuthorPreference, StatusId, UserId},
    store::PreferenceOutcome,
};

use crate::support::{Page, Person, Site, crowd};

/// Alice, who has read her home, and the people that she follows.
struct ImportantHome {
    site: Site,
    alice: Person,
    uid: UserId,
    followed: Vec<UserId>,
}

impl ImportantHome {
    async fn start() -> Self {
        let site = Site::start().await;
        let alice = Person::sign_up(&site, "alice").await;
        let followed = crowd::people(&site.store, "friend", 4).await;
        let uid = crowd::uid(&site.store, "alice").await;
        for friend in &followed {
            crowd::follow(&site.store, uid, *friend).await;
        }
        alice.open("/").await;
        Self {
            site,
            alice,
            uid,
            followed,
        }
    }

    /// Lets more time pass than a visit lasts.
    fn pause(&self) {
        let key = format!("reading:{{{}}}", self.uid);
        self.site.redis.command(&["HSET", &key, "at", "1"]);
    }

    async fn posted(&self, friend: usize, text: &str) -> StatusId {
        crowd::post(&self.site.store, self.followed[friend], text).await
    }

    async fn favourited(&self, friends: &[usize], id: StatusId) {
        for friend in friends {
            crowd::favourite(&self.site.store, self.followed[*friend], id).await;
        }
    }

    /// Replies to a status.
    async fn replied(&self, by: UserId, status: StatusId) {
        crowd::reply(&self.site.store, by, status, "an answer").await;
    }

    /// Makes a status this many hours old.
    async fn aged(&self, id: StatusId, hours: u64) {
        let now = self.site.store.now().await.expect("an answer").0;
        let posted = (now - hours * 3_600_000).to_string();
        let key = format!("status:{{{id}}}");
        self.site.redis.command(&["HSET", &key, "posted", &posted]);
    }

    async fn important(&self) -> Page {
        self.alice.open("/important").await
    }
}

/// Returns the reasons under each post, without its score.
fn reasons(page: &Page) -> Vec<String> {
    let whole = page.texts(".ranking-reason");
    let scores = page.texts(".ranking-reason .score");
    let cut = |(why, score): (&String, &String)| why.trim_end_matches(score).trim().to_owned();
    whole.iter().zip(&scores).map(cut).collect()
}

fn scores(page: &Page) -> Vec<f64> {
    let scores = page.texts(".ranking-reason .score").into_iter();
    let number = |text: String| text.trim_start_matches("Score ").parse().expect("a number");
    scores.map(number).collect()
}

#[tokio::test]
async fn posts_with_replies_and_favourites_by_followed_people_rank_above_others() {
    let reading = ImportantHome::start().await;
    let liked = reading.posted(0, "liked").await;
    let discussed = reading.posted(1, "discussed").await;
    reading.posted(2, "only new").await;
    reading.favourited(&[1, 2], liked).await;
    let friends = &reading.followed;
    reading.replied(friends[2], discussed).await;
    reading.replied(friends[3], discussed).await;
    reading.replied(friends[3], discussed).await;
    let page = reading.important().await;
    assert_eq!(
        page.messages()[..2],
        ["discussed", "liked"],
        "{:?}",
        page.texts(".ranking-reason")
    );
    assert_eq!(
        reasons(&page)[..3],
        [
            "2 people you follow replied",
            "2 people you follow favourited it",
            "New"
        ]
    );
    let scores = scores(&page);
    assert!(
        scores.is_sorted_by(|above, below| above >= below),
        "{scores:?}"
    );
    assert!(
        (33.9..=34.0).contains(&scores[0]),
        "10 + 2 × 12: {scores:?}"
    );
    assert!((19.9..=20.0).contains(&scores[1]), "10 + 2 × 5: {scores:?}");
}

#[tokio::test]
async fn a_status_with_several_reposts_is_shown_once() {
    let reading = ImportantHome::start().await;
    let stranger = crowd::member(&reading.site.store, "stranger").await;
    let store = &reading.site.store;
    let theirs = crowd::post(store, stranger, "worth reading").await;
    let followed = reading.posted(0, "reposted by another").await;
    for friend in &reading.followed[1..] {
        crowd::repost(store, *friend, theirs).await;
        crowd::repost(store, *friend, followed).await;
    }
    let mut messages = reading.important().await.messages();
    messages.sort();
    assert_eq!(messages, ["reposted by another", "worth reading"]);
}

#[tokio::test]
async fn actions_of_strangers_and_of_the_author_do_not_raise_a_rank() {
    let reading = ImportantHome::start().await;
    let stranger = crowd::member(&reading.site.store, "stranger").await;
    let id = reading.posted(0, "mine").await;
    crowd::favourite(&reading.site.store, stranger, id).await;
    crowd::favourite(&reading.site.store, reading.uid, id).await;
    reading.favourited(&[0], id).await;
    let author = reading.followed[0];
    reading.replied(author, id).await;
    reading.replied(stranger, id).await;
    let page = reading.important().await;
    let why = page.text(&format!("#status-{id} .ranking-reason"));
    assert!(why.starts_with("You sometimes favourite posts by"), "{why}");
    assert!(!why.contains("people") && !why.contains("person"), "{why}");
}

#[tokio::test]
async fn authors_with_many_favourites_and_replies_by_the_reader_rank_higher() {
    let reading = ImportantHome::start().await;
    let store = &reading.site.store;
    for (friend, times) in [(0, 4), (1, 1)] {
        for _ in 0..times {
            let id = reading.posted(friend, "before").await;
            crowd::favourite(store, reading.uid, id).await;
        }
    }
    let old = reading.posted(2, "before").await;
    for _ in 0..3 {
        reading.replied(reading.uid, old).await;
    }
    reading.alice.open("/").await;
    reading.pause();
    for friend in 0..4 {
        reading.posted(friend, &format!("of {friend}")).await;
    }
    let page = reading.important().await;
    assert_eq!(page.messages(), ["of 2", "of 0", "of 1", "of 3"]);
    let name = |friend: usize| format!("friend_{friend}");
    let expected = [
        format!("You often reply to {}", name(2)),
        format!("You often favourite posts by {}", name(0)),
        format!("You sometimes favourite posts by {}", name(1)),
        "New".to_owned(),
    ];
    assert_eq!(reasons(&page), expected);
}

#[tokio::test]
async fn a_repost_ranks_by_its_original_and_by_the_preference_for_its_reposter() {
    let reading = ImportantHome::start().await;
    let store = &reading.site.store;
    let stranger = crowd::member(store, "stranger").await;
    let old = crowd::post(store, stranger, "from outside").await;
    let favourited = crowd::post(store, stranger, "favoured before").await;
    crowd::favourite(store, reading.uid, favourited).await;
    reading.favourited(&[1, 2], old).await;
    reading.replied(reading.followed[3], old).await;
    let repost = crowd::repost(store, reading.followed[0], old).await;
    let page = reading.important().await;
    assert_eq!(page.messages(), ["from outside"]);
    let expected_reasons = ["1 person you follow replied · 2 people you follow favourited it"];
    assert_eq!(reasons(&page), expected_reasons);
    assert!(
        (33.9..=34.0).contains(&scores(&page)[0]),
        "10 + 12 + 2 × 5 + 2"
    );
    for (weight, expected) in [
        (AuthorPreference::More, 34.0),
        (AuthorPreference::Less, 17.0),
    ] {
        let set = set_author_preference(store, reading.uid, reading.followed[0], weight).await;
        assert_eq!(set.expect("an answer"), PreferenceOutcome::Set);
        let page = reading.important().await;
        assert!((expected - 0.1..=expected).contains(&scores(&page)[0]));
    }
    let page = reading.important().await;
    let expected_reasons = ["You asked to see less of friend_0 · 1 person you follow replied"];
    assert_eq!(reasons(&page), expected_reasons);
    reading.aged(repost, 24).await;
    let page = reading.important().await;
    assert!(
        (8.4..=8.5).contains(&scores(&page)[0]),
        "by the repost's age"
    );
}

#[tokio::test]
async fn a_post_from_a_followed_tag_names_the_tag_as_on_home() {
    let reading = ImportantHome::start().await;
    let store = &reading.site.store;
    let stranger = crowd::member(store, "stranger").await;
    crowd::follow_tag(store, reading.uid, "birds").await;
    crowd::post(store, stranger, "look: #Birds").await;
    reading.posted(0, "my #birds").await;
    let important = reading.important().await;
    assert_eq!(
        important.texts(".tag-reason"),
        ["Because you follow #birds"]
    );
    let home = reading.alice.open("/").await;
    assert_eq!(important.texts(".tag-reason"), home.texts(".tag-reason"));
}

#[tokio::test]
async fn age_lowers_the_rank_of_a_post() {
    let reading = ImportantHome::start().await;
    let old = reading.posted(0, "liked long ago").await;
    reading.posted(1, "only new").await;
    reading.favourited(&[2], old).await;
    assert_eq!(reading.important().await.messages()[0], "liked long ago");
    reading.aged(old, 24).await;
    let page = reading.important().await;
    assert_eq!(page.messages(), ["only new", "liked long ago"]);
    assert!((7.4..=7.5).contains(&scores(&page)[1]), "(10 + 5) ÷ 2");
}

#[tokio::test]
async fn own_deleted_and_unfollowed_posts_are_not_shown() {
    let reading = ImportantHome::start().await;
    reading.alice.post("my own").await;
    let deleted = reading.posted(0, "deleted").await;
    reading.posted(1, "of somebody left").await;
    reading.posted(2, "stays").await;
    crowd::delete(&reading.site.store, reading.followed[0], deleted).await;
    reading.alice.unfollow("friend_1").await;
    assert_eq!(reading.important().await.messages(), ["stays"]);
}

#[tokio::test]
async fn home_and_important_lead_to_each_other_in_one_click() {
    let reading = ImportantHome::start().await;
    reading.posted(0, "something").await;
    let home = reading.alice.open("/").await;
    assert_eq!(home.text(".subtabs [aria-current]"), "Latest");
    assert!(home.has(".subtabs a[href=\"/important\"]"));
    let page = reading.important().await;
    assert_eq!(page.text(".subtabs [aria-current]"), "Important");
    assert!(page.has(".subtabs a[href=\"/\"]") && page.has("a[href=\"/help/importance\"]"));
}

#[tokio::test]
async fn the_favourite_button_returns_to_the_page() {
    let reading = ImportantHome::start().await;
    reading.pause();
    let ids = crowd::posts(&reading.site.store, reading.followed[0], 40).await;
    let further = reading.important().await.older().expect("a second page");
    let answer = reading
        .alice
        .press(&further, "favourite", ids[0].get())
        .await;
    let expected = format!("{further}#status-{}", ids[0]);
    assert_eq!(answer.location(), expected);
}

#[tokio::test]
async fn the_formula_is_on_a_public_page_with_the_numbers_of_the_code() {
    let site = Site::start().await;
    let page = Person::visitor(&site).open("/help/importance").await;
    let rows: Vec<String> = page.texts("tbody td");
    let expected = [
        "12", "120", "20", "5", "100", "100", "4", "40", "300", "2", "20", "300",
    ];
    assert_eq!(rows, expected);
    let text = page.visible_text();
    for words in [
        "score = points × factor ÷ (1 + age in days)",
        "Each post starts with 10 points",
        "More by 2, Normal by 1, Less by ½.",
        "10 + 36 + 10 = 56 points, multiplied by 2, divided by 1.5: a score of 74.6.",
        "at most the newest 200.",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
}
