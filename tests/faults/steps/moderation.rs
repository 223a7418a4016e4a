//! Reporting a person, hiding a post, and the forms of the owner, with each round trip failing.

use redwing::{
    actions::{administration::set_role, moderation::Reported},
    domain::{ActingPerson, Joining, Role},
    store::Viewer,
};

use super::{at_every_step, reader, send_again};
use crate::{
    groups,
    moderation::report_by,
    support::{Form, Person, Site, crowd},
};

#[tokio::test]
async fn a_report_arrives_once() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let path = format!("/@a_{name}/report");
            let form = reader
                .open(&path)
                .await
                .form(&path)
                .choose("reason", "spam");
            (reader, form)
        },
        send_again,
        async |_, scene| {
            let own = scene.person.open("/settings/reports").await;
            assert_eq!(own.texts(".log li").len(), 1);
            assert!(own.visible_text().contains("Received"));
        },
    )
    .await;
}

#[tokio::test]
async fn a_report_of_a_group_arrives_once() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let owner = crowd::uid(&site.store, &format!("a_{name}")).await;
            let slug = format!("g-{}", name.replace('_', "-"));
            groups::found(&site.store, owner, &slug, Joining::Open).await;
            let path = format!("/groups/{slug}/report");
            let form = reader.open(&path).await.form(&path);
            (reader, form.choose("reason", "spam"))
        },
        send_again,
        async |_, scene| {
            let own = scene.person.open("/settings/reports").await;
            assert_eq!(own.texts(".log li").len(), 1);
            assert!(own.visible_text().contains("the group"));
        },
    )
    .await;
}

#[tokio::test]
async fn a_person_below_a_suspended_one_is_frozen_once() {
    at_every_step(
        async |site, name| {
            let store = &site.store;
            let inviter = crowd::member(store, &format!("i_{name}")).await;
            let guest = crowd::member(store, &format!("g_{name}")).await;
            let invitation = format!("\"invitation {inviter}-0000-0000-0000-0000 5\"");
            let user = format!("user:{{{guest}}}");
            site.redis
                .command(&["HSET", &user, "admission", &invitation]);
            store.add_invited(inviter, guest).await.expect("an answer");
            let path = format!("/admin/people/i_{name}/invited");
            let (owner, form) = owner_with_form(site, name, &path).await;
            let mut form = form.choose("reason", "spam");
            form.fields
                .push((format!("person_{guest}"), "1".to_owned()));
            (owner, form)
        },
        send_again,
        async |site, scene| {
            let guest = crowd::uid(&site.store, &format!("g_{}", scene.name)).await;
            let case = site.store.case(guest).await.expect("a case");
            assert_eq!(case.decisions.len(), 1);
        },
    )
    .await;
}

#[tokio::test]
async fn a_post_that_a_moderator_hides_is_hidden() {
    at_every_step(
        async |site, name| {
            let store = &site.store;
            let moderator = Person::sign_up(site, &format!("m_{name}")).await;
            let id = crowd::uid(store, &moderator.login).await;
            let role = Some(Role::Moderator);
            let given = set_role(store, ActingPerson::Host, id, role).await;
            given.expect("the store answers");
            let author = crowd::member(store, &format!("p_{name}")).await;
            let post = crowd::post(store, author, "words").await;
            let status = store.status(Viewer::Member(id), post).await;
            let status = status.expect("the store answers").expect("a post");
            report_by(store, id, Reported::Post(&status)).await;
            let page = format!("/admin/reports/p_{name}/posts/{post}");
            let form = moderator.open(&page).await;
            let form = form.form(&format!("/admin/reports/p_{name}/decide"));
            let form = form.choose("measure", "hide_post");
            (moderator, form.choose("reason", "spam"))
        },
        send_again,
        async |site, scene| {
            let visitor = Person::visitor(site);
            let profile = visitor.open(&format!("/@p_{}", scene.name)).await;
            assert!(profile.status_ids().is_empty());
        },
    )
    .await;
}

/// Signs up an owner, and opens a form.
async fn owner_with_form(site: &Site, name: &str, path: &str) -> (Person, Form) {
    let owner = Person::sign_up(site, &format!("o_{name}")).await;
    let id = crowd::uid(&site.store, &owner.login).await;
    let given = set_role(&site.store, ActingPerson::Host, id, Some(Role::Owner)).await;
    given.expect("the store answers");
    let form = owner.open(path).await.form(path);
    (owner, form)
}

#[tokio::test]
async fn the_shields_are_changed() {
    const SHIELDS: &str = "/admin/site/shields";
    at_every_step(
        async |site, name| {
            let (owner, form) = owner_with_form(site, name, SHIELDS).await;
            let form = form.choose("holds_links", "1");
            (owner, form.set("domains", "spam.example"))
        },
        send_again,
        async |site, scene| {
            let form = scene.person.open(SHIELDS).await.form(SHIELDS);
            assert_eq!(form.value("domains"), "spam.example");
            let shields = &site.store.read_site().await.expect("an answer").shields;
            assert!(shields.holds_links);
        },
    )
    .await;
}

#[tokio::test]
async fn the_numbers_of_decisions_are_published() {
    const SITE: &str = "/admin/site";
    at_every_step(
        async |site, name| {
            let (owner, form) = owner_with_form(site, name, SITE).await;
            (owner, form.choose("public_log", "1"))
        },
        send_again,
        async |_, scene| {
            let page = scene.person.open("/moderation").await;
            assert_eq!(page.text("h1"), "Moderation");
        },
    )
    .await;
}

#[tokio::test]
async fn a_suspension_is_decided_once() {
    at_every_step(
        async |site, name| {
            crowd::member(&site.store, &format!("p_{name}")).await;
            let path = format!("/admin/people/p_{name}/suspend");
            let (owner, form) = owner_with_form(site, name, &path).await;
            (owner, form.set("reason", "Spam."))
        },
        async |site, scene, _| {
            let person = crowd::uid(&site.store, &format!("p_{}", scene.name)).await;
            // A press that arrived is refused the second time.
            let case = site.store.case(person).await.expect("a case");
            if !case.is_suspended {
                scene.person.submit_accepted(&scene.form).await;
            }
        },
        async |site, scene| {
            let person = crowd::uid(&site.store, &format!("p_{}", scene.name)).await;
            let case = site.store.case(person).await.expect("a case");
            assert_eq!((case.decisions.len(), case.is_suspended), (1, true));
        },
    )
    .await;
}
