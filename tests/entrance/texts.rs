//! The pages "About" and "Privacy": written by the owner, read by everybody.

use reqwest::StatusCode;

use super::site_with;
use crate::{
    administration::output_of,
    support::{Person, Site, crowd},
};

const FORM: &str = "/admin/site/texts";

async fn owner(site: &Site) -> Person {
    let alice = Person::sign_up(site, "alice").await;
    output_of(site, &["role", "alice", "owner"]);
    alice
}

#[tokio::test]
async fn the_owner_writes_pages_in_markdown_and_everybody_reads_them() {
    let site = site_with("open").await;
    let alice = owner(&site).await;
    let visitor = Person::visitor(&site);
    for path in ["/about", "/privacy"] {
        assert_eq!(visitor.get(path).await.status, StatusCode::NOT_FOUND);
        let link = format!("footer a[href='{path}']");
        assert!(!visitor.open("/").await.has(&link), "{path}");
    }
    let form = alice.open(FORM).await.form(FORM);
    let about = "# Who we are\n\nWe *sail*. <b>Read</b> the [rules](/rules).";
    let form = form.set("about", about).set("privacy", "We store posts.");
    alice.submit_accepted(&form).await;
    let saved = alice.open(FORM).await;
    assert_eq!(saved.form(FORM).value("about"), about);
    let page = visitor.open("/about").await;
    assert_eq!(page.text("h1"), "About Redwing");
    assert_eq!(page.text(".prose h2"), "Who we are");
    assert_eq!(page.text(".prose em"), "sail");
    assert!(page.has(".prose a[href='/rules']"));
    assert!(!page.has(".prose b"), "HTML is shown as text");
    assert!(page.text(".prose").contains("<b>Read</b>"));
    let privacy = visitor.open("/privacy").await;
    assert_eq!(privacy.text(".prose p"), "We store posts.");
    for path in ["/about", "/privacy"] {
        assert!(privacy.has(&format!("footer a[href='{path}']")), "{path}");
    }
    let log = alice.open("/admin").await.texts(".log p[dir]");
    assert_eq!(log[0], "@alice changed the pages about the site");
    let gone = alice.open(FORM).await.form(FORM).set("about", " \n ");
    alice.submit_accepted(&gone).await;
    assert_eq!(visitor.get("/about").await.status, StatusCode::NOT_FOUND);
    assert!(!visitor.open("/").await.has("footer a[href='/about']"));
    site.assert_sound().await;
}

#[tokio::test]
async fn both_pages_can_have_all_their_characters_in_any_script() {
    let site = site_with("open").await;
    let alice = owner(&site).await;
    let longest = "𠀀".repeat(10_000);
    let form = alice.open(FORM).await.form(FORM);
    let form = form.set("about", &longest).set("privacy", &longest);
    alice.submit_accepted(&form).await;
    let about = Person::visitor(&site).open("/about").await;
    assert_eq!(about.text(".prose").chars().count(), 10_000);
}

#[tokio::test]
async fn a_text_that_is_too_long_comes_back_with_the_limit() {
    let site = site_with("open").await;
    let alice = owner(&site).await;
    let long = "word ".repeat(2001);
    let form = alice.open(FORM).await.form(FORM);
    let page = alice.submit(&form.set("privacy", &long)).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        page.text("#privacy-error"),
        "At most 10000 characters; this has 10004."
    );
    assert_eq!(page.form(FORM).value("privacy").trim(), long.trim());
}

#[tokio::test]
async fn members_who_are_not_the_owner_cannot_change_the_pages() {
    let site = site_with("open").await;
    let alice = owner(&site).await;
    let form = alice.open(FORM).await.form(FORM).set("about", "Mine");
    for role in ["moderator", "welcomer", "none"] {
        output_of(&site, &["role", "alice", role]);
        let answer = alice.submit(&form).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{role}");
    }
    let texts = site.store.site_texts().await.expect("an answer");
    assert_eq!(texts.about, "");
}

#[tokio::test]
async fn an_applicant_and_a_suspended_person_read_the_pages() {
    let site = site_with("open").await;
    let alice = owner(&site).await;
    let form = alice.open(FORM).await.form(FORM).set("about", "We sail.");
    alice.submit_accepted(&form).await;
    crowd::applicant(&site.store, "wanda").await;
    Person::sign_up(&site, "sam").await;
    output_of(&site, &["suspend", "sam", "--reason", "Spam."]);
    for login in ["wanda", "sam"] {
        let person = Person::log_in(&site, login).await;
        for path in ["/about", "/rules"] {
            let page = person.open(path).await;
            assert!(page.text("h1").contains("Redwing"), "{login} {path}");
        }
    }
}
