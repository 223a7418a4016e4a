//! The entrance of a site: open, by invitation, or closed. The set-up of a new site, and its name.

mod approval;
mod identity;
pub mod invitations;
mod newcomers;
mod public_log;
mod rules;
mod set_up;
mod shields;
mod spam;
mod stale_forms;
mod texts;
mod waiting;

use reqwest::StatusCode;

use crate::support::{PASSWORD, Page, Person, Site, tour::Tour};

/// A site with this entrance.
async fn site_with(entrance: &str) -> Site {
    Site::with(&["--sign-up", entrance, "--invitation-age-days", "0"]).await
}

/// Signs up somebody although the entrance is not open.
async fn member(site: &Site, login: &str) -> Person {
    let store = &site.store;
    crate::support::crowd::member(store, login).await;
    let id = crate::support::crowd::uid(store, login).await;
    let hasher = crate::support::site::cheap_hasher(1);
    let password = redwing::domain::Password::candidate(PASSWORD).expect("short enough");
    let hash = hasher.hash(&password).await.expect("hashed");
    let key = format!("auth:{{{id}}}");
    site.redis.command(&["HSET", &key, "hash", &hash]);
    Person::log_in(site, login).await
}

/// Fills in the sign-up form of this page.
pub async fn sign_up_at(visitor: &Person, page: &Page, login: &str) -> Page {
    let form = page.form("/signup").set("login", login);
    let form = form.set("name", login).set("password", PASSWORD);
    visitor.submit(&form).await
}

#[tokio::test]
async fn a_site_by_invitation_or_closed_shows_no_form_and_takes_none() {
    let open = Site::start().await;
    for (entrance, words) in [
        ("invitation", "Sign-up is by invitation"),
        ("closed", "Sign-up is closed"),
    ] {
        let site = site_with(entrance).await;
        let visitor = Person::visitor(&site);
        let page = visitor.open("/signup").await;
        assert_eq!(page.text("h1"), words);
        assert!(!page.has("main form"));
        let token = visitor.open("/login").await.form("/login");
        let token = token.value("csrf_token").to_owned();
        let elsewhere = Person::visitor(&open).open("/signup").await;
        let form = elsewhere.form("/signup").set("csrf_token", &token);
        let form = form.set("login", "mallory").set("name", "M");
        let answer = visitor.submit(&form.set("password", PASSWORD)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{entrance}");
        assert_eq!(answer.text("h1"), words);
        assert!(site.keys("user:{").await.is_empty());
    }
}

#[tokio::test]
async fn the_default_is_open_on_loopback_only() {
    for (settings, words) in [
        (&[][..], "Create your account"),
        (
            &["--public-url", "https://redwing.example"],
            "Sign-up is by invitation",
        ),
    ] {
        let site = Site::with_own_entrance(settings).await;
        let page = Person::visitor(&site).open("/signup").await;
        assert_eq!(page.text("h1"), words, "{settings:?}");
    }
}

#[tokio::test]
async fn the_owner_changes_name_and_entrance_and_pages_show_them() {
    let site = Site::with_own_entrance(&[]).await;
    let alice = Person::sign_up(&site, "alice").await;
    crate::administration::output_of(&site, &["role", "alice", "owner"]);
    let form = alice.open("/admin/site").await.form("/admin/site");
    assert_eq!(form.value("entrance"), "open");
    let wrong = alice.submit(&form.clone().set("site_name", " ")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        wrong.attributes("[aria-invalid=true]", "name"),
        ["site_name"]
    );
    let form = form.set("site_name", "The <Harbour>");
    let form = form.set("description", "For people with boats.");
    alice.submit_accepted(&form.set("entrance", "closed")).await;
    let visitor = Person::visitor(&site);
    let landing = visitor.open("/").await;
    assert_eq!(landing.text(".brand"), "The <Harbour>");
    assert!(landing.text("title").ends_with(" · The <Harbour>"));
    assert!(landing.text("footer").contains("runs on Redwing"));
    assert!(landing.text(".hero").contains("For people with boats."));
    assert_eq!(
        visitor.open("/signup").await.text("h1"),
        "Sign-up is closed"
    );
    let log = alice.open("/admin").await.texts(".log p[dir]");
    let change = "@alice named the site “The <Harbour>” and set its entrance to “closed”";
    assert_eq!(log[0], change);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_setting_of_the_host_wins_over_the_choice_of_the_owner() {
    let site = site_with("open").await;
    let alice = Person::sign_up(&site, "alice").await;
    crate::administration::output_of(&site, &["role", "alice", "owner"]);
    let page = alice.open("/admin/site").await;
    assert!(page.visible_text().contains("REDWING_SIGN_UP"));
    let form = page.form("/admin/site").set("entrance", "closed");
    alice.submit_accepted(&form).await;
    Person::sign_up(&site, "bob").await;
    let form = alice.open("/admin/site").await.form("/admin/site");
    assert_eq!(form.value("entrance"), "closed");
}

#[tokio::test]
async fn nobody_but_the_owner_changes_the_site() {
    let site = site_with("open").await;
    let alice = Person::sign_up(&site, "alice").await;
    crate::administration::output_of(&site, &["role", "alice", "owner"]);
    let form = alice.open("/admin/site").await.form("/admin/site");
    for role in ["moderator", "welcomer", "none"] {
        crate::administration::output_of(&site, &["role", "alice", role]);
        assert_eq!(alice.get("/admin/site").await.status, StatusCode::FORBIDDEN);
        let answer = alice.submit(&form.clone().set("site_name", "Mine")).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{role}");
    }
    assert_eq!(alice.open("/").await.text(".brand"), "Redwing");
}

/// A page of a site with a name of its own says nothing else about the software.
#[tokio::test]
async fn a_named_site_mentions_redwing_only_as_the_software_that_it_runs_on() {
    let tour = Tour::on(site_with("open").await).await;
    crate::administration::output_of(&tour.site, &["role", "alice", "owner"]);
    let form = tour.alice.open("/admin/site").await.form("/admin/site");
    let form = form.set("site_name", "Harbour").set("rules", "Be kind.");
    tour.alice.submit_accepted(&form).await;
    let texts = tour.alice.open("/admin/site/texts").await;
    let texts = texts.form("/admin/site/texts").set("about", "We sail.");
    let texts = texts.set("privacy", "We keep little.");
    tour.alice.submit_accepted(&texts).await;
    let mut pages = tour.every_page().await;
    for path in [
        "/about",
        "/privacy",
        "/rules",
        "/everybody",
        "/admin",
        "/admin/people",
        "/admin/site",
        "/admin/site/texts",
        "/tags/birds.atom",
        "/@alice.atom",
    ] {
        pages.push(tour.alice.get(path).await);
        pages.push(tour.visitor.get(path).await);
    }
    assert!(pages.len() > 140, "{}", pages.len());
    let mut is_named = false;
    for page in pages {
        let rest = page.html.replace("Harbour</span> runs on Redwing.", "");
        is_named |= rest.len() < page.html.len();
        let rest = rest.replace("another site that runs on Redwing", "");
        if let Some(at) = rest.find("Redwing") {
            let context: String = rest[at..].chars().take(80).collect();
            panic!("{}: {context}", page.path);
        }
    }
    assert!(is_named);
}
