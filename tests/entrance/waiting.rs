//! Posts of new accounts with links, which wait for a moderator where the site says so.

use reqwest::StatusCode;

use crate::{
    administration::output_of,
    support::{Form, Page, Person, Site, crowd},
};

const SHIELDS: &str = "/admin/site/shields";
const QUEUE: &str = "/admin/reports";
const CASE: &str = "/admin/reports/bob";
const DECIDE: &str = "/admin/reports/bob/decide";
const END: &str = "/admin/reports/bob/end";
const LINK: &str = "@carol see https://a.example #boats";
const WAITS: &str = "Waits for a moderator";

/// A site where links of new accounts wait. Alice owns it, mia is a moderator, bob is new, and carol follows bob.
async fn scene() -> (Site, [Person; 4]) {
    let site = Site::with(&["--new-account-days", "7"]).await;
    let mut people = Vec::new();
    for login in ["alice", "mia", "bob", "carol"] {
        people.push(Person::sign_up(&site, login).await);
    }
    let people: [Person; 4] = people.try_into().ok().expect("four people");
    output_of(&site, &["role", "alice", "owner"]);
    output_of(&site, &["role", "mia", "moderator"]);
    hold_links(&people[0], true).await;
    people[3].follow("bob").await;
    (site, people)
}

async fn hold_links(owner: &Person, holds: bool) {
    let form = owner.open(SHIELDS).await.form(SHIELDS);
    let form = match holds {
        true => form.choose("holds_links", "1"),
        false => form.without("holds_links"),
    };
    owner.submit_accepted(&form).await;
}

fn permalink(id: u64) -> String {
    format!("/@bob/{id}")
}

async fn is_seen(by: &Person, id: u64) -> bool {
    by.get(&permalink(id)).await.status == StatusCode::OK
}

/// The form of a decision about a reported post of bob.
async fn decision(by: &Person, id: u64, measure: &str) -> Form {
    let page = by.open(&format!("{CASE}/posts/{id}")).await;
    let form = page.form(DECIDE).choose("measure", measure);
    form.choose("reason", "spam")
}

async fn decide(by: &Person, id: u64, measure: &str) {
    by.submit_accepted(&decision(by, id, measure).await).await;
}

async fn edit(person: &Person, id: u64, text: &str) {
    let path = format!("/statuses/{id}/edit");
    let form = person.open(&path).await.form(&path);
    person.submit_accepted(&form.set("message", text)).await;
}

async fn queue(by: &Person) -> String {
    by.open(QUEUE).await.visible_text()
}

async fn mention_count(of: &Person) -> usize {
    let page = of.open("/notifications").await.visible_text();
    page.matches("mentioned you").count()
}

async fn page_of(by: &Person, id: u64) -> Page {
    by.open(&permalink(id)).await
}

#[tokio::test]
async fn a_link_of_a_newcomer_is_seen_by_others_after_a_moderator_has_approved_it() {
    let (site, [alice, mia, bob, carol]) = scene().await;
    let words = bob.post("no link").await;
    let id = bob.post(LINK).await;
    site.drain().await;
    assert!(page_of(&bob, id).await.visible_text().contains(WAITS));
    assert!(!page_of(&bob, words).await.visible_text().contains(WAITS));
    let visitor = Person::visitor(&site);
    for viewer in [&carol, &mia, &alice, &visitor] {
        assert!(!is_seen(viewer, id).await, "{}", viewer.login);
        assert_eq!(viewer.ids("/@bob").await, [words]);
    }
    assert_eq!(carol.home_ids().await, [words]);
    assert_eq!(bob.home_ids().await, [id, words]);
    assert!(carol.ids("/mentions").await.is_empty());
    assert!(carol.ids("/tags/boats").await.is_empty());
    assert_eq!(mention_count(&carol).await, 0);
    site.assert_sound().await;

    assert!(queue(&mia).await.contains("1 report"));
    let case = mia.open(CASE).await;
    assert_eq!(case.texts(".reports strong"), ["Link of a new account"]);
    assert_eq!(case.texts(".then"), [LINK]);
    let text = case.visible_text();
    assert!(text.contains("The site reported a post"), "{text}");
    assert!(text.contains("It waits for a moderator."), "{text}");
    let form = decision(&mia, id, "approve_post").await;
    for _ in 0..2 {
        mia.submit_accepted(&form).await;
    }
    site.drain().await;
    for viewer in [&carol, &alice, &visitor] {
        assert!(is_seen(viewer, id).await, "{}", viewer.login);
    }
    assert!(!page_of(&bob, id).await.visible_text().contains(WAITS));
    assert_eq!(carol.home_ids().await, [id, words]);
    assert_eq!(carol.ids("/mentions").await, [id]);
    assert_eq!(mention_count(&carol).await, 1);
    let news = bob.open("/notifications").await.visible_text();
    let approved = "A moderator approved your post.";
    assert_eq!(news.matches(approved).count(), 1, "{news}");
    let notifications = bob.open("/notifications").await;
    let links = notifications.attributes(".notifications blockquote a", "href");
    assert!(links.contains(&permalink(id)), "{links:?}");
    assert!(!queue(&mia).await.contains("1 report"));
    let log = output_of(&site, &["log"]);
    for act in [
        "@alice changed the shields: links of new accounts wait, ".to_owned(),
        format!("@mia approved the post {id} of @bob: Link of a new account"),
    ] {
        assert_eq!(log.matches(&act).count(), 1, "{log}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_waiting_post_that_is_hidden_stays_hidden_and_the_others_wait() {
    let (site, [_, mia, bob, carol]) = scene().await;
    let (spam, other) = (bob.post(LINK).await, bob.post("https://b.example").await);
    decide(&mia, spam, "hide_post").await;
    site.drain().await;
    assert!(!is_seen(&carol, spam).await && !is_seen(&carol, other).await);
    let own = page_of(&bob, spam).await.visible_text();
    assert!(own.contains("Hidden by the moderators") && !own.contains(WAITS));
    assert!(page_of(&bob, other).await.visible_text().contains(WAITS));
    assert!(queue(&mia).await.contains("1 report"));
    assert_eq!(mention_count(&carol).await, 0);
    site.assert_sound().await;
    // A decision that is taken back publishes the post.
    let end = mia.open(CASE).await.form(END);
    mia.submit_accepted(&end).await;
    site.drain().await;
    assert!(is_seen(&carol, spam).await);
    assert_eq!(carol.home_ids().await, [spam]);
    assert_eq!(mention_count(&carol).await, 1);
    let approved = "A moderator approved your post.";
    let news = bob.open("/notifications").await.visible_text();
    assert!(!news.contains(approved), "{news}");
    decide(&mia, other, "dismiss").await;
    site.drain().await;
    let news = bob.open("/notifications").await.visible_text();
    assert_eq!(news.matches(approved).count(), 1, "{news}");
    assert_eq!(carol.home_ids().await, [other, spam]);
    site.assert_sound().await;
}

#[tokio::test]
async fn an_edit_with_a_link_waits_and_an_approval_covers_only_the_text_that_was_seen() {
    let (site, [_, mia, bob, carol]) = scene().await;
    let id = bob.post("no link").await;
    assert!(is_seen(&carol, id).await);
    edit(&bob, id, LINK).await;
    assert!(!is_seen(&carol, id).await);
    let outdated = decision(&mia, id, "approve_post").await;
    edit(&bob, id, "https://worse.example").await;
    mia.submit_accepted(&outdated).await;
    site.drain().await;
    assert!(!is_seen(&carol, id).await, "the text was not seen");
    let case = mia.open(CASE).await;
    assert_eq!(case.texts(".then")[0], "https://worse.example");
    decide(&mia, id, "approve_post").await;
    site.drain().await;
    assert!(is_seen(&carol, id).await);
    edit(&bob, id, "still no link").await;
    assert!(is_seen(&carol, id).await);
    site.assert_sound().await;
}

#[tokio::test]
async fn only_links_of_newcomers_that_everybody_could_see_wait() {
    let (site, [alice, _, bob, carol]) = scene().await;
    let form = bob.open("/").await.form("/statuses").set("message", LINK);
    bob.submit_accepted(&form.choose("visibility", "followers"))
        .await;
    let [of_followers] = carol.ids("/@bob").await[..] else {
        panic!("a post for followers does not wait");
    };
    output_of(&site, &["vouch", "carol"]);
    let of_carol = carol.post("https://a.example").await;
    assert_eq!(alice.ids("/@carol").await, [of_carol]);
    hold_links(&alice, false).await;
    let id = bob.post("https://b.example").await;
    assert_eq!(carol.ids("/@bob").await, [id, of_followers]);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_reply_for_followers_brings_no_link_to_a_stranger() {
    let (site, [alice, mia, bob, carol]) = scene().await;
    let reply = async |to: &Person, text: &str, visibility: &str| {
        let id = to.post("a question").await;
        let path = format!("/@{}/{id}", to.login);
        let form = bob.open(&path).await.form("/statuses");
        let form = form.set("message", text).choose("visibility", visibility);
        bob.submit(&form).await
    };
    let refused = reply(&mia, "https://a.example", "followers").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let words = refused.visible_text();
    assert!(
        words.contains("no links in replies for followers"),
        "{words}"
    );
    for (to, text, visibility) in [
        (&mia, "without a link", "followers"),
        (&carol, "to a follower https://a.example", "followers"),
        (&alice, "waits https://a.example", "public"),
    ] {
        let sent = reply(to, text, visibility).await;
        assert_eq!(sent.status, StatusCode::SEE_OTHER, "{text}");
    }
    let of_alice = alice.open("/mentions").await.visible_text();
    assert!(!of_alice.contains("a.example"), "{of_alice}");
    site.assert_sound().await;
}

#[tokio::test]
async fn a_newcomer_has_at_most_20_waiting_posts() {
    let (site, [_, _, bob, _]) = scene().await;
    for number in 0..20 {
        bob.post(&format!("https://a.example/{number}")).await;
    }
    let form = bob.open("/").await.form("/statuses");
    let refused = bob
        .submit(&form.set("message", "https://a.example/last"))
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = refused.visible_text();
    assert!(
        text.contains("at most 20 posts that wait for a moderator"),
        "{text}"
    );
    assert_eq!(
        refused.form("/statuses").value("message"),
        "https://a.example/last"
    );
    bob.post("no link").await;
    site.assert_sound().await;
}

#[tokio::test]
async fn waiting_posts_of_a_suspended_person_leave_the_queue_until_the_suspension_ends() {
    let (site, [_, mia, bob, carol]) = scene().await;
    let id = bob.post(LINK).await;
    decide(&mia, id, "suspend").await;
    assert!(!queue(&mia).await.contains("@bob"));
    output_of(&site, &["restore", "bob"]);
    assert!(queue(&mia).await.contains("1 report"));
    assert!(!is_seen(&carol, id).await);
    let subject = crowd::uid(&site.store, "bob").await;
    assert_eq!(site.store.waiting_post_count(subject).await.ok(), Some(1));
    site.drain().await;
    site.assert_sound().await;
}
