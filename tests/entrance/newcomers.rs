//! The limits of new accounts: texts, messages, rates. Their end, by time or by a person who vouches.

use reqwest::StatusCode;

use super::{sign_up_at, site_with};
use crate::{
    administration::{admin, document, output_of},
    support::{Form, PASSWORD, Page, Person, Site, crowd},
};

const DAYS: [&str; 2] = ["--new-account-days", "7"];
const LINKS: &str = "https://a.example https://b.example https://c.example";

async fn site() -> Site {
    Site::with(&DAYS).await
}

async fn people(site: &Site, logins: &[&str]) -> Vec<Person> {
    let mut people = Vec::new();
    for login in logins {
        people.push(Person::sign_up(site, login).await);
    }
    people
}

async fn compose(person: &Person, text: &str) -> Form {
    let form = person.open("/").await.form("/statuses");
    form.set("message", text)
}

async fn send(person: &Person, text: &str) -> Page {
    person.submit(&compose(person, text).await).await
}

/// Checks that a page refuses a text of a newcomer by this rule, and says when the limit ends.
fn assert_refused(page: &Page, rule: &str) {
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = page.visible_text();
    assert!(text.contains(rule), "{text}");
    assert!(text.contains("This limit ends on "), "{text}");
    assert!(text.contains(" UTC."), "{text}");
}

/// Returns whether the limits of new accounts apply to a person.
async fn is_limited(person: &Person) -> bool {
    let settings = person.open("/settings").await;
    let is_said = settings.has("#new-account-title");
    let refused = send(person, LINKS).await.status != StatusCode::SEE_OTHER;
    assert_eq!(is_said, refused, "{}", person.login);
    refused
}

#[tokio::test]
async fn a_newcomer_posts_two_links_and_no_more() {
    let site = site().await;
    let alice = Person::sign_up(&site, "alice").await;
    alice.post("https://a.example and https://b.example").await;
    let refused = send(&alice, LINKS).await;
    assert_refused(&refused, "at most 2 links in a post");
    let again = refused.form("/statuses");
    assert_eq!(again.value("message"), LINKS, "the text is given back");
    let fewer = again.set("message", "https://c.example");
    alice.submit_accepted(&fewer).await;
    assert_eq!(alice.ids("/@alice").await.len(), 2);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_newcomer_mentions_two_strangers_and_any_number_of_followers() {
    let site = site().await;
    let people = people(&site, &["alice", "bob", "carol", "dave"]).await;
    let [alice, _, _, dave] = people.as_slice() else {
        panic!("four people");
    };
    const TEXT: &str = "@bob @carol @dave @nobody_here @alice";
    alice.post("@bob @carol @nobody_here @alice").await;
    let rule = "at most 2 mentions of people who do not follow you";
    let refused = send(alice, &format!("First {TEXT}")).await;
    assert_refused(&refused, rule);
    dave.follow("alice").await;
    let form = compose(alice, TEXT).await;
    alice.submit_accepted(&form).await;
    dave.unfollow("alice").await;
    alice.submit_accepted(&form).await;
    let posts = alice.ids("/@alice").await;
    assert_eq!(posts.len(), 2, "a form that is sent again is posted once");
    site.assert_sound().await;
}

#[tokio::test]
async fn replies_quotes_and_edits_have_the_same_limits() {
    let site = site().await;
    let people = people(&site, &["alice", "bob", "carol", "dave"]).await;
    let [alice, bob, ..] = people.as_slice() else {
        panic!("four people");
    };
    let id = bob.post("of bob").await;
    let page = alice.open(&format!("/@bob/{id}")).await;
    let reply = page.form("/statuses");
    let rule = "at most 2 links in a post";
    let refused = alice.submit(&reply.clone().set("message", LINKS)).await;
    assert_refused(&refused, rule);
    alice
        .submit_accepted(&reply.set("message", "@bob @carol @dave"))
        .await;
    let quote = format!("/statuses/{id}/quote");
    let form = alice.open(&quote).await.form(&quote);
    assert_refused(&alice.submit(&form.set("message", LINKS)).await, rule);

    let own = alice.post("short").await;
    let edit = format!("/statuses/{own}/edit");
    let form = alice.open(&edit).await.form(&edit);
    assert_refused(&alice.submit(&form.set("message", LINKS)).await, rule);
    assert!(alice.open("/@alice").await.messages()[0].contains("short"));
    site.assert_sound().await;
}

#[tokio::test]
async fn a_newcomer_has_a_tenth_of_the_rates() {
    let site = Site::with(&[&DAYS[..], &["--posts-per-hour", "20"]].concat()).await;
    let people = people(&site, &["alice", "mod"]).await;
    let [alice, moderator] = people.as_slice() else {
        panic!("two people");
    };
    for text in ["one", "two"] {
        alice.post(text).await;
    }
    let refused = send(alice, "three").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    let text = refused.visible_text();
    assert!(
        text.contains("New accounts have lower limits until "),
        "{text}"
    );
    assert_eq!(refused.form("/statuses").value("message"), "three");
    output_of(&site, &["role", "mod", "moderator"]);
    site.store
        .read_staff_state()
        .await
        .expect("the store answers");
    vouch(moderator, "alice").await;
    alice.post("three").await;
}

async fn vouch(by: &Person, login: &str) -> Page {
    let path = format!("/admin/people/{login}/vouch");
    let form = by.open(&format!("/@{login}")).await.form(&path);
    by.submit_accepted(&form).await
}

#[tokio::test]
async fn everybody_with_a_role_vouches_and_no_one_else() {
    let site = site().await;
    let by = Person::sign_up(&site, "ann").await;
    for role in ["owner", "moderator", "welcomer"] {
        let newcomer = format!("new_{role}");
        let path = format!("/admin/people/{newcomer}/vouch");
        let person = Person::sign_up(&site, &newcomer).await;
        output_of(&site, &["role", "ann", role]);
        site.store
            .read_staff_state()
            .await
            .expect("the store answers");
        let profile = by.open(&format!("/@{newcomer}")).await;
        assert!(profile.visible_text().contains("New account until "));
        let form = profile.form(&path);

        output_of(&site, &["role", "ann", "none"]);
        let refused = by.submit(&form).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "a former {role}");
        let profile = by.open(&format!("/@{newcomer}")).await;
        assert!(profile.find_form(&path).is_none(), "a former {role}");
        assert!(is_limited(&person).await);

        output_of(&site, &["role", "ann", role]);
        for _ in 0..2 {
            by.submit_accepted(&form).await;
        }
        assert!(!is_limited(&person).await, "after the vouch of a {role}");
        let profile = by.open(&format!("/@{newcomer}")).await;
        assert!(profile.find_form(&path).is_none());
        let forged = form.set("csrf_token", "forged");
        assert_eq!(by.submit(&forged).await.status, StatusCode::FORBIDDEN);
    }
    let log = document(&site, &["log", "--json"]).to_string();
    assert_eq!(log.matches("@ann vouched for @new_").count(), 3);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_newcomer_writes_to_people_who_share_a_group_and_to_no_other_strangers() {
    let site = site().await;
    let [alice, bob, carol] = people(&site, &["alice", "bob", "carol"])
        .await
        .try_into()
        .unwrap_or_else(|_| panic!("three people"));
    let group = crate::groups::make(&bob, "birds", &[]).await;
    let refused = crate::messages::begin(&alice, "bob", "Hello").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let text = refused.visible_text();
    assert!(text.contains("or share a group with you"), "{text}");
    crate::groups::join(&alice, &group).await;
    let path = crate::messages::begun(&alice, "bob", "Hello").await;
    let requests = bob.open("/messages/requests").await;
    assert!(requests.html.contains(&path), "{}", requests.html);
    // Carol is in no group, so a conversation with her is refused as before.
    for people in ["carol", "bob carol"] {
        let refused = crate::messages::begin(&alice, people, "Hello").await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{people}");
    }
    let back = crate::messages::begin(&carol, "alice", "Hello").await;
    assert_eq!(back.status, StatusCode::UNPROCESSABLE_ENTITY);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_host_vouches_once() {
    let site = site().await;
    let alice = Person::sign_up(&site, "alice").await;
    let done = document(&site, &["vouch", "alice", "--json"]);
    assert_eq!(done["did"], "vouch");
    assert!(!is_limited(&alice).await);
    let again = admin(&site, &["vouch", "alice"]);
    assert!(!again.status.success());
    let error = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(error.contains("no limits of a new account"), "{error}");
    let log = output_of(&site, &["log"]);
    assert_eq!(log.matches("the host vouched for @alice").count(), 1);
}

#[tokio::test]
async fn the_limits_end_after_a_week_and_do_not_reach_earlier_accounts() {
    let site = site().await;
    let alice = Person::sign_up(&site, "alice").await;
    assert!(is_limited(&alice).await);
    let key = format!("user:{{{}}}", crowd::uid(&site.store, "alice").await);
    let now = site.store.now().await.expect("the store answers").0;
    const WEEK_MS: u64 = 7 * 86_400_000;
    for (since, expected) in [(now - WEEK_MS + 60_000, true), (now - WEEK_MS, false)] {
        let since = since.to_string();
        site.redis
            .command(&["HSET", &key, "newcomer_since", &since]);
        assert_eq!(is_limited(&alice).await, expected);
    }
    site.redis
        .command(&["HSET", &key, "newcomer_since", &now.to_string()]);
    assert!(is_limited(&alice).await);
    site.redis.command(&["HDEL", &key, "newcomer_since"]);
    assert!(!is_limited(&alice).await, "an account from before");
}

#[tokio::test]
async fn people_with_a_role_have_no_limits_and_their_invitations_vouch() {
    let site = Site::with(
        &[
            &DAYS[..],
            &["--sign-up", "invitation", "--invitation-age-days", "0"],
        ]
        .concat(),
    )
    .await;
    let ann = super::member(&site, "ann").await;
    for (role, expected) in [
        ("none", true),
        ("welcomer", false),
        ("moderator", false),
        ("owner", false),
    ] {
        output_of(&site, &["role", "ann", role]);
        assert_eq!(is_limited(&ann).await, expected, "{role}");
        let path = super::invitations::invite(&ann).await;
        let mut guest = Person::visitor(&site);
        guest.login = format!("by_{role}");
        let page = guest.open(&path).await;
        let answer = sign_up_at(&guest, &page, &guest.login.clone()).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
        assert_eq!(is_limited(&guest).await, expected, "{role}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn the_owner_of_the_set_up_has_no_limits() {
    let site = Site::with_own_entrance(&DAYS).await;
    let mut owner = Person::visitor(&site);
    owner.login = "olga".to_owned();
    let path = site.set_up_link.strip_prefix(owner.origin());
    let path = path.expect("an address of the site").to_owned();
    let form = owner.open(&path).await.form(&path);
    let form = form.set("login", "olga").set("name", "Olga");
    let form = form.set("password", PASSWORD).set("site_name", "Harbour");
    owner.submit_accepted(&form).await;
    assert!(!is_limited(&owner).await);
}

#[tokio::test]
async fn the_limits_of_an_applicant_begin_with_the_answer() {
    let site = site_with("approval").await;
    let id = crowd::applicant(&site.store, "ada").await;
    let user = site.store.user(id).await.expect("an answer");
    assert_eq!(user.expect("an account").newcomer_since, None);
    let ann = super::member(&site, "ann").await;
    output_of(&site, &["role", "ann", "welcomer"]);
    let before = site.store.now().await.expect("the store answers");
    let form = ann.open("/admin/approvals").await;
    let form = form.form("/admin/approvals");
    let form = form.set("from", &id.to_string()).set("reason", "");
    ann.submit_accepted(&form.set_new("answer", "accept")).await;
    let user = site.store.user(id).await.expect("an answer");
    let since = user.expect("an account").newcomer_since;
    let since = since.expect("a newcomer");
    assert!(since.0 + 1000 >= before.0, "{since:?} {before:?}");
}

#[tokio::test]
async fn the_help_says_the_limits_only_where_there_are_some() {
    for (days, expected) in [("7", true), ("0", false)] {
        let site = Site::with(&["--new-account-days", days]).await;
        let visitor = Person::visitor(&site);
        for (path, selector) in [
            ("/help/posting", "#new-accounts"),
            ("/help/messages", "a[href=\"/help/posting#new-accounts\"]"),
        ] {
            assert_eq!(visitor.open(path).await.has(selector), expected, "{path}");
        }
    }
}
