//! Reporting a person and hiding a post, with each round trip failing.

use redwing::{
    actions::{administration::set_role, moderation::Reported},
    domain::{ActingPerson, Role},
    store::Viewer,
};

use super::{at_every_step, reader, send_again};
use crate::{
    moderation::report_by,
    support::{Person, crowd},
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
