//! The set-up of a new site by its owner.

use futures_util::future::join_all;
use reqwest::StatusCode;

use crate::support::{
    Form, PASSWORD, Person, Site,
    process::{Home, ORIGIN},
    request::client,
    waiting::eventually,
};

/// Returns the path of the set-up link of a log.
fn link_in(log: &str) -> Option<String> {
    let (_, rest) = log.split_once("/setup/")?;
    let token: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
    Some(format!("/setup/{token}"))
}

fn filled(form: Form, login: &str) -> Form {
    let form = form.set("login", login).set("name", "Ada");
    let form = form.set("password", PASSWORD).set("site_name", "Harbour");
    form.set("description", "Boats")
        .set("contact", "harbour@example.org")
        .set("rules", "Be kind.\nNo spam.")
        .set("entrance", "invitation")
}

#[tokio::test]
async fn the_log_of_a_new_site_has_a_link_that_makes_the_owner_once() {
    let home = Home::new();
    let site = home.serve(&["--sign-up", "invitation"]);
    eventually("the link is logged", async || {
        link_in(&site.log()).is_some()
    })
    .await;
    let path = link_in(&site.log()).expect("the link is logged");
    let owner = Person::at(client(), &site.base, ORIGIN);
    let form = owner.open(&path).await.form(&path);
    let wrong = owner.submit(&filled(form.clone(), "no-login")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(wrong.attributes("[aria-invalid=true]", "name"), ["login"]);
    let answer = owner.submit_accepted(&filled(form.clone(), "ada")).await;
    assert_eq!(answer.location(), "/admin");
    let page = owner.open("/admin").await;
    assert!(
        page.visible_text()
            .contains("Your role on this site is owner.")
    );
    assert_eq!(page.text(".brand"), "Harbour");
    let other = Person::at(client(), &site.base, ORIGIN);
    assert_eq!(other.get(&path).await.status, StatusCode::NOT_FOUND);
    assert!(site.stop().success());
    let again = home.serve(&[]);
    let page = Person::at(client(), &again.base, ORIGIN);
    eventually("the name is shown", async || {
        page.get("/").await.text(".brand") == "Harbour"
    })
    .await;
    assert!(link_in(&again.log()).is_none(), "no link after the set-up");
}

#[tokio::test]
async fn of_many_set_ups_one_makes_the_owner() {
    let site = Site::start().await;
    let path = site.set_up_link.strip_prefix(&site.origin);
    let path = path.expect("a link to the site").to_owned();
    let visitors: Vec<Person> = (0..6).map(|_| Person::visitor(&site)).collect();
    let pages = join_all(visitors.iter().map(|visitor| visitor.open(&path))).await;
    let sent = visitors.iter().zip(&pages).enumerate();
    let sent = sent.map(|(at, (visitor, page))| async move {
        let form = filled(page.form(&page.path), &format!("owner_{at}"));
        visitor.submit(&form).await
    });
    let answers = join_all(sent).await;
    let made = answers
        .iter()
        .filter(|answer| answer.status == StatusCode::SEE_OTHER);
    assert_eq!(made.count(), 1);
    site.drain().await;
    assert_eq!(site.keys("login:").await.len(), 1);
    site.assert_sound().await;
}

#[tokio::test]
async fn another_token_opens_nothing() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    for token in ["x", &"0".repeat(64)] {
        let page = visitor.get(&format!("/setup/{token}")).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND);
    }
}
