//! The entrance by approval: asking, waiting, withdrawing, being let in or refused.

use futures_util::future::join_all;
use reqwest::StatusCode;

use super::site_with;
use crate::{
    administration::output_of,
    support::{PASSWORD, Page, Person, Site, crowd},
};

const ANSWER: &str = "I sail.\nOften.";

/// A site by approval, with people of these roles.
async fn site_of(roles: &[&str]) -> (Site, Vec<Person>) {
    let site = site_with("approval").await;
    let mut people = Vec::new();
    for role in roles {
        let login = format!("the_{role}");
        people.push(super::member(&site, &login).await);
        output_of(&site, &["role", &login, role]);
    }
    (site, people)
}

fn filled(page: &Page, login: &str) -> crate::support::Form {
    let form = page.form("/signup").set("login", login).set("name", login);
    form.set("password", PASSWORD).set("answer", ANSWER)
}

/// Asks to join with this login.
async fn ask(site: &Site, login: &str) -> Person {
    let mut person = Person::visitor(site);
    login.clone_into(&mut person.login);
    let page = person.open("/signup").await;
    let answer = person.submit(&filled(&page, login)).await;
    assert_eq!(answer.location(), "/account", "{}", answer.html);
    person
}

/// The form that answers the person with this login.
async fn form_for(by: &Person, site: &Site, login: &str) -> crate::support::Form {
    let id = crowd::uid(&site.store, login).await.to_string();
    let form = by.open("/admin/approvals").await.form("/admin/approvals");
    form.set("from", &id).set("reason", "")
}

async fn answer(by: &Person, site: &Site, login: &str, answer: &str) -> Page {
    let form = form_for(by, site, login).await.set_new("answer", answer);
    by.submit(&form).await
}

#[tokio::test]
async fn a_person_asks_waits_unseen_and_is_let_in() {
    let (site, people) = site_of(&["owner", "welcomer"]).await;
    let [owner, welcomer] = people.as_slice() else {
        panic!("two people");
    };
    let form = owner.open("/admin/site").await.form("/admin/site");
    let form = form.set("question", "Which boat?");
    owner.submit_accepted(&form).await;
    let visitor = Person::visitor(&site);
    let page = visitor.open("/signup").await;
    assert_eq!(page.text("h1"), "Ask to join");
    assert_eq!(page.text("label[for=answer]"), "Which boat?");
    let empty = visitor
        .submit(&filled(&page, "ada").set("answer", " "))
        .await;
    assert_eq!(empty.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(empty.text("#answer-error"), "Write something first.");
    let long = filled(&page, "ada").set("answer", &"x".repeat(501));
    let long = visitor.submit(&long).await;
    assert!(
        long.text("#answer-error")
            .contains("At most 500 characters")
    );

    let ada = ask(&site, "ada").await;
    let waiting = ada.open("/account").await;
    assert_eq!(waiting.text("h1"), "Your request to join");
    assert_eq!(waiting.text("blockquote"), ANSWER);
    for path in ["/", "/@the_owner", "/settings", "/search", "/notifications"] {
        assert_eq!(ada.get(path).await.location(), "/account", "{path}");
    }
    assert_eq!(owner.get("/@ada").await.status, StatusCode::NOT_FOUND);
    let found = owner.open("/search?q=ada").await;
    assert!(!found.has("main a[href='/@ada']"));
    site.assert_sound().await;

    for by in [owner, welcomer] {
        let news = by.open("/notifications").await;
        assert!(news.visible_text().contains("People ask to join this site"));
    }
    let queue = welcomer.open("/admin/approvals").await;
    assert!(queue.text(".applicants").contains("@ada"));
    let menu = welcomer.open("/lists").await;
    assert_eq!(menu.text(".menu .badge"), "1");
    assert_eq!(queue.text(".applicants blockquote"), ANSWER);
    let settings = welcomer.open("/settings").await;
    assert!(settings.visible_text().contains("1 waiting"));
    for path in [
        "/admin",
        "/admin/people",
        "/admin/people/ada",
        "/admin/site",
    ] {
        assert_eq!(welcomer.get(path).await.status, StatusCode::FORBIDDEN);
    }
    let answered = answer(welcomer, &site, "ada", "accept").await;
    assert_eq!(answered.status, StatusCode::SEE_OTHER);
    let queue = welcomer.open("/admin/approvals").await;
    assert_eq!(queue.text(".flash"), "Let in.");
    assert_eq!(queue.text(".empty h2"), "No requests");
    assert_eq!(ada.get("/account?asked=1").await.location(), "/");
    assert!(
        ada.open("/")
            .await
            .text(".flash")
            .contains("You were let in")
    );
    let news = ada.open("/notifications").await;
    assert!(news.visible_text().contains("You were let in."));
    assert_eq!(owner.open("/@ada").await.status, StatusCode::OK);
    let log = owner.open("/admin").await.texts(".log p[dir]");
    assert_eq!(log[0], "@the_welcomer let @ada in");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_applicant_can_neither_post_nor_follow() {
    let (site, people) = site_of(&["owner", "welcomer"]).await;
    let post = people[0].open("/").await.form("/statuses");
    let profile = people[0].open("/@the_welcomer").await;
    let follow = profile.form("/@the_welcomer/follow");
    let ada = ask(&site, "ada").await;
    let token = ada.open("/account").await.form("/logout");
    let token = token.value("csrf_token").to_owned();
    let post = post.set("message", "Hello").set("csrf_token", &token);
    let answer = ada.submit(&post).await;
    assert_eq!(answer.texts(".saved-text blockquote"), ["Hello"]);
    assert_eq!(answer.attributes(".page-links a", "href"), ["/account"]);
    let answer = ada.submit(&follow.set("csrf_token", &token)).await;
    assert_eq!(answer.location(), "/account");
    site.drain().await;
    assert!(site.keys("status:{").await.is_empty());
    assert!(site.keys("following:{").await.is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn of_two_answers_at_the_same_moment_one_counts() {
    let (site, people) = site_of(&["owner", "moderator"]).await;
    for round in 0..4 {
        let login = format!("ada_{round}");
        ask(&site, &login).await;
        let owner = form_for(&people[0], &site, &login)
            .await
            .set_new("answer", "accept");
        let other = form_for(&people[1], &site, &login)
            .await
            .set_new("answer", "refuse");
        let sent = people.iter().zip([&owner, &other]);
        join_all(sent.map(|(by, form)| by.submit(form))).await;
        let mut notices = Vec::new();
        for by in &people {
            notices.push(by.open("/admin/approvals").await.text(".flash"));
        }
        let late = notices
            .iter()
            .filter(|notice| notice.starts_with("Already answered"));
        assert_eq!(late.count(), 1, "{notices:?}");
        let again = people[0].submit(&owner).await;
        assert_eq!(again.status, StatusCode::SEE_OTHER);
        let notice = people[0].open("/admin/approvals").await.text(".flash");
        assert!(notice.starts_with("Already answered"), "{notice}");
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_refused_person_reads_the_reason_and_frees_the_login() {
    let (site, people) = site_of(&["moderator"]).await;
    let ada = ask(&site, "ada").await;
    let form = form_for(&people[0], &site, "ada").await;
    let form = form.set_new("answer", "refuse").set("reason", "No boat.");
    let long = form.clone().set("reason", &"x".repeat(301));
    let long = people[0].submit(&long).await;
    assert_eq!(long.status, StatusCode::UNPROCESSABLE_ENTITY);
    people[0].submit_accepted(&form).await;
    let page = ada.open("/account").await;
    assert_eq!(page.text("h1"), "Your request was refused");
    assert_eq!(page.text("blockquote"), "No boat.");
    assert_eq!(ada.get("/").await.location(), "/account");
    site.assert_sound().await;
    ada.submit_accepted(&page.form("/account/delete")).await;
    site.drain().await;
    assert!(
        site.keys("login:{ada").await.is_empty(),
        "the login is free"
    );
    site.assert_sound().await;
    ask(&site, "ada").await;
}

#[tokio::test]
async fn a_request_is_withdrawn() {
    let (site, people) = site_of(&["moderator"]).await;
    let ada = ask(&site, "ada").await;
    let page = ada.open("/account").await;
    let form = form_for(&people[0], &site, "ada")
        .await
        .set_new("answer", "accept");
    ada.submit_accepted(&page.form("/account/delete")).await;
    people[0].submit(&form).await;
    let queue = people[0].open("/admin/approvals").await;
    assert!(queue.text(".flash").starts_with("Already answered"));
    assert_eq!(queue.text(".empty h2"), "No requests");
    site.drain().await;
    assert!(site.keys("login:{ada").await.is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn a_page_of_requests_is_answered_at_once() {
    let (site, people) = site_of(&["moderator"]).await;
    for at in 0..3 {
        ask(&site, &format!("ada_{at}")).await;
    }
    let news = people[0].open("/notifications").await.visible_text();
    assert_eq!(news.matches("People ask to join").count(), 1, "{news}");
    let page = people[0].open("/admin/approvals").await;
    assert!(page.text(".lead").starts_with("3 waiting"));
    let form = page.form("/admin/approvals").set_new("answer", "accept");
    assert_eq!(form.value("from").split(' ').count(), 3, "the form for all");
    people[0].submit_accepted(&form).await;
    assert!(people[0].open("/admin/approvals").await.has(".empty"));
    assert_eq!(people[0].open("/@ada_2").await.status, StatusCode::OK);
    site.assert_sound().await;
}

#[tokio::test]
async fn an_invited_person_does_not_wait() {
    let (site, people) = site_of(&["moderator"]).await;
    let settings = people[0].open("/settings/invitations").await;
    let form = settings.form("/settings/invitations");
    people[0].submit_accepted(&form).await;
    let settings = people[0].open("/settings/invitations").await;
    let address = settings.attributes(".invitations input[readonly]", "value");
    let path = address[0]
        .strip_prefix(people[0].origin())
        .expect("of the site");
    let visitor = Person::visitor(&site);
    let page = visitor.open(path).await;
    assert!(!page.has("#answer"));
    let answer = super::sign_up_at(&visitor, &page, "bob").await;
    assert_eq!(answer.location(), "/");
    assert_eq!(people[0].open("/@bob").await.status, StatusCode::OK);
}
