//! Forms of the site that were open while someone else changed it: what their sender did not change stays.

use reqwest::StatusCode;
use serde_json::json;

use crate::{
    administration::{document, output_of},
    support::{Person, Site},
};

const SITE: &str = "/admin/site";
const TEXTS: &str = "/admin/site/texts";
const SHIELDS: &str = "/admin/site/shields";

/// A site with two owners, on which nobody has chosen who can sign up.
async fn new_site_of_two() -> (Site, [Person; 2]) {
    let site = Site::with_own_entrance(&[]).await;
    let owners = [
        Person::sign_up(&site, "alice").await,
        Person::sign_up(&site, "bob").await,
    ];
    for owner in &owners {
        output_of(&site, &["role", &owner.login, "owner"]);
    }
    (site, owners)
}

/// A site with an open entrance, and two owners of it.
async fn site_of_two() -> (Site, [Person; 2]) {
    let (site, owners) = new_site_of_two().await;
    output_of(&site, &["site", "--entrance", "open"]);
    (site, owners)
}

#[tokio::test]
async fn an_entrance_that_nobody_chose_is_not_saved_with_other_fields() {
    let (site, [alice, bob]) = new_site_of_two().await;
    let former = bob.open(SITE).await.form(SITE);
    let form = alice.open(SITE).await.form(SITE);
    alice
        .submit_accepted(&form.set("description", "For boats."))
        .await;
    output_of(&site, &["site", "--entrance", "closed"]);
    bob.submit_accepted(&former.set("site_name", "Port")).await;
    let saved = document(&site, &["site", "--json"]);
    for (field, value) in [
        ("entrance", "closed"),
        ("description", "For boats."),
        ("name", "Port"),
    ] {
        assert_eq!(saved[field], json!(value), "{field}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn an_open_form_of_the_settings_leaves_what_the_host_changed_meanwhile() {
    let (site, [alice, _]) = site_of_two().await;
    let form = alice.open(SITE).await.form(SITE);
    let by_host = ["--entrance", "closed", "--hue", "200", "--name", "Port"];
    let switches = ["--show-inviters", "on", "--founders", "moderators"];
    output_of(&site, &[&["site"][..], &by_host, &switches].concat());
    let form = form.set("description", "For boats.");
    alice
        .submit_accepted(&form.set("rules", "Be kind.\r\nNo ads."))
        .await;
    let saved = document(&site, &["site", "--json"]);
    for (field, value) in [
        ("entrance", json!("closed")),
        ("hue", json!(200)),
        ("name", json!("Port")),
        ("show_inviters", json!(true)),
        ("founders", json!("moderators")),
        ("description", json!("For boats.")),
    ] {
        assert_eq!(saved[field], value, "{field}");
    }
    assert_eq!(saved["rules"], json!(["Be kind.", "No ads."]));
    site.assert_sound().await;
}

#[tokio::test]
async fn an_open_form_of_the_shields_leaves_what_another_owner_blocked_meanwhile() {
    let (site, [alice, bob]) = site_of_two().await;
    let former = bob.open(SHIELDS).await.form(SHIELDS);
    let form = alice.open(SHIELDS).await.form(SHIELDS);
    let form = form.choose("holds_links", "1");
    alice
        .submit_accepted(&form.set("addresses", "198.51.100.0/24"))
        .await;
    bob.submit_accepted(&former.set("words", "casino")).await;
    let saved = bob.open(SHIELDS).await.form(SHIELDS);
    assert_eq!(saved.value("addresses"), "198.51.100.0/24");
    assert_eq!(saved.value("words"), "casino");
    assert_eq!(saved.value("holds_links"), "1");
    site.assert_sound().await;
}

#[tokio::test]
async fn an_open_form_of_the_pages_leaves_the_page_that_another_owner_wrote_meanwhile() {
    let (site, [alice, bob]) = site_of_two().await;
    let former = bob.open(TEXTS).await.form(TEXTS);
    let form = alice.open(TEXTS).await.form(TEXTS);
    alice
        .submit_accepted(&form.set("privacy", "We store posts."))
        .await;
    bob.submit_accepted(&former.set("about", "We sail.")).await;
    let saved = bob.open(TEXTS).await.form(TEXTS);
    assert_eq!(saved.value("privacy"), "We store posts.");
    assert_eq!(saved.value("about"), "We sail.");
    site.assert_sound().await;
}

#[tokio::test]
async fn a_field_that_two_owners_changed_comes_back_and_a_second_save_overwrites_it() {
    let (site, [alice, bob]) = site_of_two().await;
    let former = bob.open(SITE).await.form(SITE);
    let form = alice.open(SITE).await.form(SITE);
    let form = form.set("description", "For <boats>.").set("hue", "200");
    alice.submit_accepted(&form.set("entrance", "closed")).await;

    let former = former
        .set("site_name", "Port")
        .set("description", "For ships.");
    let refused = bob.submit(&former).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let words = "Someone changed this in the meantime. It is now “For <boats>.” Save again to overwrite that change.";
    assert_eq!(refused.text("#description-error"), words);
    assert_eq!(
        refused.attributes("[aria-invalid=true]", "name"),
        ["description"]
    );
    assert_eq!(document(&site, &["site", "--json"])["name"], "Redwing");
    let log = alice.open("/admin").await.texts(".log p[dir]");
    assert!(log.iter().all(|act| !act.starts_with("@bob")), "{log:?}");

    let again = refused.form(SITE);
    assert_eq!(again.value("site_name"), "Port");
    assert_eq!(again.value("description"), "For ships.");
    bob.submit_accepted(&again).await;
    let saved = document(&site, &["site", "--json"]);
    assert_eq!(saved["name"], "Port");
    assert_eq!(saved["description"], "For ships.");
    assert_eq!(saved["entrance"], "closed", "he did not change it");
    assert_eq!(saved["hue"], 200);
    // The knowledge of one change is none of the next.
    output_of(&site, &["site", "--description", "For all."]);
    let late = bob.submit(&again.set("description", "For me.")).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_conflict_of_a_choice_or_a_list_names_the_stored_value() {
    let (site, [alice, bob]) = site_of_two().await;
    let former = alice.open(SITE).await.form(SITE);
    output_of(&site, &["site", "--entrance", "closed", "--hue", "200"]);
    let former = former.set("entrance", "approval").set("hue", "5");
    let refused = alice.submit(&former).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let said = refused.text("#entrance-error");
    assert!(said.contains("It is now “No one can sign up”."), "{said}");
    let said = refused.text("#hue-error");
    assert!(said.contains("It is now “200”."), "{said}");
    assert_eq!(refused.count(".errors a"), 2);
    assert_eq!(refused.form(SITE).value("entrance"), "approval");

    let former = bob.open(SHIELDS).await.form(SHIELDS);
    let form = alice.open(SHIELDS).await.form(SHIELDS);
    alice
        .submit_accepted(&form.set("words", "casino\nlottery"))
        .await;
    let refused = bob.submit(&former.set("words", "bets")).await;
    let said = refused.text("#words-error");
    assert!(said.contains("It is now “casino / lottery”."), "{said}");
    let former = bob.open(TEXTS).await.form(TEXTS);
    let form = alice.open(TEXTS).await.form(TEXTS);
    alice.submit_accepted(&form.set("about", "We sail.")).await;
    let refused = bob.submit(&former.set("about", "We row.")).await;
    let said = refused.text("#about-error");
    assert!(said.contains("It is now “We sail.”"), "{said}");
}

#[tokio::test]
async fn a_form_without_digests_saves_every_field() {
    let (site, [alice, _]) = site_of_two().await;
    let former = alice.open(SITE).await.form(SITE).without("shown");
    output_of(&site, &["site", "--entrance", "closed"]);
    alice
        .submit_accepted(&former.set("description", "For boats."))
        .await;
    let saved = document(&site, &["site", "--json"]);
    assert_eq!(saved["entrance"], "open");
    assert_eq!(saved["description"], "For boats.");
}

#[tokio::test]
async fn of_two_changes_of_one_field_at_once_one_is_saved() {
    let (site, [alice, bob]) = site_of_two().await;
    for round in 0..8 {
        let form = async |owner: &Person| {
            let form = owner.open(SITE).await.form(SITE);
            form.set("description", &format!("{} {round}", owner.login))
        };
        let (first, second) = (form(&alice).await, form(&bob).await);
        let (first, second) = tokio::join!(alice.submit(&first), bob.submit(&second));
        let mut codes = [first.status, second.status];
        codes.sort_unstable();
        assert_eq!(codes, [StatusCode::SEE_OTHER, StatusCode::CONFLICT]);
        let saved = document(&site, &["site", "--json"]);
        let winner = match first.status {
            StatusCode::SEE_OTHER => "alice",
            _ => "bob",
        };
        assert_eq!(saved["description"], format!("{winner} {round}"));
    }
    site.assert_sound().await;
}
