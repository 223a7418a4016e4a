//! Muting a person: where their posts no longer appear, where they still do, and how a mute ends.

mod conversations;
mod folding;
mod texts;

use redwing::{
    actions::{
        homes,
        mutes::{self, Mute},
    },
    domain::{MuteTerm, PAGE_SIZE, Timeline, UserId},
    store::{Begin, Key, ReadMode, Viewer},
};
use reqwest::StatusCode;

use crate::{
    live::page::{OpenPage, since},
    notifications::{lines, members},
    support::{Form, Page, Person, Site, core::Core, crowd},
};

/// Returns the form that mutes a person, as the button with this term submits it.
fn mute_form(profile: &Page, login: &str, term: &str) -> Form {
    let mut form = profile.form(&format!("/@{login}/mute")).without("term");
    form.fields.push(("term".to_owned(), term.to_owned()));
    form
}

async fn mute(person: &Person, login: &str, term: &str) -> Page {
    let profile = person.open(&format!("/@{login}")).await;
    person
        .submit_accepted(&mute_form(&profile, login, term))
        .await
}

async fn unmute(person: &Person, page: &str, login: &str) -> Page {
    let form = person.open(page).await.form(&format!("/@{login}/unmute"));
    person.submit_accepted(&form).await
}

/// Alice, who follows bob and carol.
async fn three(site: &Site) -> [Person; 3] {
    let mut people = Vec::new();
    for login in ["alice", "bob", "carol"] {
        people.push(Person::sign_up(site, login).await);
    }
    for login in ["bob", "carol"] {
        people[0].follow(login).await;
    }
    people.try_into().ok().expect("there are three")
}

#[tokio::test]
async fn posts_and_reposts_of_a_muted_person_leave_home_list_and_important_and_come_back() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    alice.open("/").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let bob_id = crowd::uid(&site.store, "bob").await;
    let carol_id = crowd::uid(&site.store, "carol").await;
    let list = crowd::list(&site.store, uid, &[bob_id, carol_id]).await;
    let of_bob = bob.post("of bob").await;
    let of_carol = carol.post("of carol").await;
    bob.press("/@carol", "repost", of_carol).await;
    carol.press("/@bob", "repost", of_bob).await;
    site.drain().await;
    let places = [
        "/".to_owned(),
        format!("/lists/{}", list.number),
        "/important".to_owned(),
    ];
    let before = alice.open("/").await.messages();
    assert_eq!(before, ["of bob", "of carol"]);
    let answer = mute(&alice, "bob", "forever").await;
    assert_eq!(answer.location(), "/@bob");
    for path in &places {
        assert_eq!(alice.open(path).await.messages(), ["of carol"], "{path}");
    }
    let home = alice.open("/").await;
    assert!(
        !home.html.contains("bob of the tests"),
        "nobody says that bob reposted it"
    );
    unmute(&alice, "/@bob", "bob").await;
    assert_eq!(alice.open("/").await.messages(), before);
    for path in &places {
        assert_eq!(alice.open(path).await.messages().len(), 2, "{path}");
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_muted_person_stays_visible_elsewhere_and_is_not_told() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let own = alice.post("#birds of alice").await;
    bob.post("#birds of bob").await;
    let answer = bob.reply(own, "an answer of bob").await;
    site.drain().await;
    let notified = members(&site.store, crowd::uid(&site.store, "bob").await).await;
    bob.open("/@alice").await;
    let profile_of_alice = bob.open("/@alice").await.visible_text();
    mute(&alice, "bob", "week").await;
    assert_eq!(alice.open("/@bob").await.messages(), ["#birds of bob"]);
    assert_eq!(alice.open("/tags/birds").await.messages().len(), 2);
    assert_eq!(alice.open("/search?q=birds").await.messages().len(), 2);
    let conversation = alice.open(&format!("/@alice/{own}")).await;
    let collapsed = format!("#status-{answer} details summary");
    assert_eq!(conversation.text(&collapsed), "You muted this person");
    let of_bob = bob.open(&format!("/@alice/{own}")).await;
    assert!(!of_bob.has("details.warned"));
    assert_eq!(bob.open("/@alice").await.visible_text(), profile_of_alice);
    let now = members(&site.store, crowd::uid(&site.store, "bob").await).await;
    assert_eq!(now, notified);
}

#[tokio::test]
async fn pages_stay_full_and_reveal_no_gap() {
    let core = Core::start();
    let reader = crowd::member(&core.store, "reader").await;
    let authors = crowd::people(&core.store, "author", 2).await;
    for author in &authors {
        crowd::follow(&core.store, reader, *author).await;
    }
    let (mut loud, mut quiet) = (Vec::new(), Vec::new());
    for _ in 0..2 * PAGE_SIZE {
        loud.push(crowd::post(&core.store, authors[0], "loud").await);
        quiet.push(crowd::post(&core.store, authors[1], "quiet").await);
    }
    assert_eq!(muted(&core, reader, authors[0]).await, Mute::Done);
    let page = async |cursor| {
        let read = homes::home_page(&core.store, reader, cursor, ReadMode::Visit);
        read.await.expect("the store answers").page
    };
    let mut read = crowd::read_all(page).await;
    read.reverse();
    assert_eq!(read, quiet);
}

async fn muted(core: &Core, by: UserId, person: UserId) -> Mute {
    let answer = mutes::mute(&core.store, by, person, MuteTerm::Forever).await;
    answer.expect("the store answers")
}

#[tokio::test]
async fn new_posts_are_counted_without_those_of_muted_people() {
    let site = Site::start().await;
    let [alice, ..] = three(&site).await;
    alice.open("/").await;
    let (bob, carol) = (
        crowd::uid(&site.store, "bob").await,
        crowd::uid(&site.store, "carol").await,
    );
    mute(&alice, "bob", "day").await;
    crowd::posts(&site.store, carol, PAGE_SIZE).await;
    crowd::posts(&site.store, bob, 20).await;
    crowd::posts(&site.store, carol, 5).await;
    let uid = crowd::uid(&site.store, "alice").await;
    let key = format!("reading:{{{uid}}}");
    site.redis.command(&["HSET", &key, "at", "1"]);
    let read = homes::home_page(&site.store, uid, None, ReadMode::Prefetch);
    let news = read.await.expect("the store answers").new_posts;
    let count = news.expect("the home is complete").count;
    assert_eq!(count, PAGE_SIZE as u64 + 5);
}

#[tokio::test]
async fn a_mute_ends_at_its_time() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    bob.post("of bob").await;
    mute(&alice, "bob", "hour").await;
    assert!(alice.open("/").await.messages().is_empty());
    let uid = crowd::uid(&site.store, "alice").await;
    let bob_id = crowd::uid(&site.store, "bob").await;
    let key = format!("muted:{{{uid}}}");
    let now = site.store.now().await.expect("an answer").0;
    let mute_of_bob = site.store.mute_of(Viewer::Member(uid), bob_id).await;
    let until = mute_of_bob.expect("an answer").expect("he is muted").until;
    let left = until.expect("an end").0 - now;
    assert!((3_540_000..=3_660_000).contains(&left), "{left}");
    let past = (now * 1000 - 1000).to_string();
    site.redis
        .command(&["ZADD", &key, &past, &bob_id.to_string()]);
    assert_eq!(alice.open("/").await.messages(), ["of bob"]);
    assert!(!alice.open("/settings/muted").await.has(".person"));
    assert!(alice.open("/@bob").await.find_form("/@bob/mute").is_some());
    // Ended mutes are removed up to the last note of the clock, which is steady.
    site.store.note_clock().await.expect("an answer");
    mute(&alice, "carol", "forever").await;
    let count = site.store.cardinality(&Key::Muted(uid)).await;
    assert_eq!(
        count.expect("an answer"),
        1,
        "the next change removes ended mutes"
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn settings_list_muted_people_with_the_end_of_each() {
    let site = Site::start().await;
    let [alice, ..] = three(&site).await;
    assert!(
        alice
            .open("/settings")
            .await
            .has("a[href=\"/settings/muted\"]")
    );
    mute(&alice, "bob", "forever").await;
    mute(&alice, "carol", "day").await;
    let page = alice.open("/settings/muted").await;
    let ends = page.texts(".person .remark");
    assert_eq!(ends[0], "Muted until you unmute them");
    assert!(
        ends[1].starts_with("Muted until ") && ends[1].ends_with(" UTC"),
        "{ends:?}"
    );
    unmute(&alice, "/settings/muted", "bob").await;
    let page = alice.open("/settings/muted").await;
    assert_eq!(page.texts(".p-nickname"), ["carol"]);
    assert_eq!(page.text(".flash"), "@bob is no longer muted.");
}

#[tokio::test]
async fn nobody_mutes_themselves_or_more_people_than_the_limit() {
    let site = Site::with(&["--max-muted", "1"]).await;
    let [alice, ..] = three(&site).await;
    let form = mute_form(&alice.open("/@bob").await, "bob", "day");
    let own = Form {
        action: "/@alice/mute".to_owned(),
        ..form.clone()
    };
    assert_eq!(
        alice.submit(&own).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let second = mute_form(&alice.open("/@carol").await, "carol", "day");
    for _ in 0..2 {
        alice.submit_accepted(&form).await;
    }
    let refused = alice.submit(&second).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains("limit of 1 muted people"));
    let unknown = mute_form(&alice.open("/@carol").await, "carol", "year");
    assert_eq!(alice.submit(&unknown).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_muted_person_causes_no_notifications() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let own = alice.post("of alice").await;
    mute(&alice, "bob", "day").await;
    bob.follow("alice").await;
    bob.press("/@alice", "favourite", own).await;
    bob.press("/@alice", "repost", own).await;
    bob.reply(own, "hello").await;
    bob.post("@alice, are you there?").await;
    carol.press("/@alice", "favourite", own).await;
    site.drain().await;
    let page = alice.open("/notifications").await;
    assert_eq!(lines(&page).len(), 1, "{:?}", lines(&page));
    assert!(lines(&page)[0].starts_with("carol of the tests favourited"));
    site.assert_sound().await;
}

#[tokio::test]
async fn open_streams_count_without_a_muted_person_at_once() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let made = since(&alice).await;
    let mut page = OpenPage::since(&alice, &made).await;
    page.wait_for_arrivals(0).await;
    bob.post("of bob").await;
    page.wait_for_arrivals(1).await;
    carol.post("of carol").await;
    page.wait_for_arrivals(2).await;
    mute(&alice, "bob", "day").await;
    page.wait_for_arrivals(1).await;
    bob.post("unheard").await;
    carol.post("heard").await;
    page.wait_for_arrivals(2).await;
    unmute(&alice, "/@bob", "bob").await;
    page.wait_for_arrivals(4).await;
}

/// The log of arrivals does not reach back to the page, so the posts themselves are counted.
#[tokio::test]
async fn the_estimate_of_an_open_stream_leaves_out_a_muted_person() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let made = since(&alice).await;
    let uid = crowd::uid(&site.store, "alice").await;
    bob.post("of bob").await;
    carol.post("of carol").await;
    site.redis.command(&["DEL", &format!("arrivals:{{{uid}}}")]);
    let number = async || {
        let mut page = OpenPage::since(&alice, &made).await;
        page.next_event_named("reset").await.data
    };
    assert_eq!(number().await, "2");
    mute(&alice, "bob", "day").await;
    site.redis.command(&["DEL", &format!("arrivals:{{{uid}}}")]);
    assert_eq!(number().await, "1");
}

#[tokio::test]
async fn a_mute_is_lifted_cleanly_during_a_rebuild() {
    let core = Core::start();
    let who = crowd::people(&core.store, "person", 2).await;
    crowd::follow(&core.store, who[0], who[1]).await;
    crowd::home(&core.store, who[0]).await;
    crowd::post(&core.store, who[1], "there").await;
    muted(&core, who[0], who[1]).await;
    assert!(crowd::home(&core.store, who[0]).await.is_empty());
    let home = Timeline::Home(who[0]);
    let (rebuilt, lifted) = tokio::join!(
        homes::rebuild(&core.store, home, Begin::Wrong),
        mutes::unmute(&core.store, who[0], who[1])
    );
    rebuilt.and(lifted).expect("the store answers");
    assert_eq!(crowd::home(&core.store, who[0]).await, ["there"]);
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_person_is_muted_from_the_menu_of_a_post() {
    let site = Site::start().await;
    let [alice, bob, _] = three(&site).await;
    let id = bob.post("hello").await;
    assert_eq!(alice.open("/").await.messages(), ["hello"]);
    let button = alice.open_menu("/", id).await.button("/@bob/mute");
    let answer = alice.submit_accepted(&button).await;
    assert_eq!(answer.location(), format!("/#status-{id}"));
    let home = alice.open("/").await;
    assert!(home.messages().is_empty());
    // The notice offers to undo it, and leads back to the page that shows it.
    let undone = alice.submit_accepted(&home.form("/@bob/unmute")).await;
    assert_eq!(undone.location(), "/");
    assert_eq!(alice.open("/").await.messages(), ["hello"]);
    alice.submit_accepted(&button).await;
    assert!(alice.open("/").await.messages().is_empty());
    let menu = alice.open_menu("/@bob", id).await;
    alice.submit_accepted(&menu.button("/@bob/unmute")).await;
    assert_eq!(alice.open("/").await.messages(), ["hello"]);
    site.assert_sound().await;
}
