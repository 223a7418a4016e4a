//! The pages of posts in groups: the page of the group, its feed, and the form that removes a post.

use redwing::domain::{GroupId, GroupKind};
use reqwest::StatusCode;

use super::group_of;
use crate::{
    live::page::OpenPage,
    support::{
        Form, PASSWORD, Page, Person, Site,
        crowd::{self, uid},
        groups::{draft, found, join, leave, post},
    },
};

/// Founds a group of this kind with `owner` and `member`, who both have a browser.
async fn scene(site: &Site, kind: GroupKind) -> (Person, Person, GroupId, String) {
    let owner = Person::sign_up(site, "owner").await;
    let member = Person::sign_up(site, "member").await;
    let store = &site.store;
    let draft = draft("birds", kind);
    let group = found(store, uid(store, "owner").await, &draft).await;
    join(store, group, uid(store, "member").await).await;
    (owner, member, group, "/groups/birds".to_owned())
}

fn composer(page: &Page) -> Option<Form> {
    page.find_form("/statuses")
}

/// The text was written for the members of the group. The form that gives it back selects no other readers.
#[tokio::test]
async fn a_reply_to_a_deleted_post_of_a_group_comes_back_without_readers() {
    let site = Site::start().await;
    let (owner, _, group, _) = scene(&site, GroupKind::Private).await;
    let author = uid(&site.store, "member").await;
    let id = post(&site.store, group, author, "a wagtail").await;
    let permalink = format!("/@member/{id}");
    let former = composer(&owner.open(&permalink).await).expect("a reply form");
    let former = former.set("message", "only among us");
    let other = Person::log_in(&site, "owner").await;
    let open = composer(&other.open(&permalink).await).expect("a reply form");
    let open = open.set("message", "only among us");
    crowd::delete(&site.store, author, id).await;
    let given_back = owner.submit(&former).await;
    // The same after a log-in in between.
    other.log_out().await;
    let asked = other.submit(&open).await.form("/login");
    let asked = asked.set("login", "owner").set("password", PASSWORD);
    let led_on = other.submit_accepted(&asked).await;
    let after_log_in = other.get(led_on.location()).await;
    for (page, person) in [(given_back, &owner), (after_log_in, &other)] {
        let form = page.form("/statuses");
        assert_eq!(form.value("message"), "only among us");
        assert_eq!(form.value("visibility"), "not-chosen");
        let refused = person.submit(&form).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused.visible_text().contains("Choose who can see"));
    }
}

/// The first error has another reason. Its form offers no choice either, so the second one selects no readers.
#[tokio::test]
async fn a_reply_in_a_group_that_is_refused_twice_comes_back_without_readers() {
    let site = Site::start().await;
    let (owner, _, group, _) = scene(&site, GroupKind::Private).await;
    let author = uid(&site.store, "member").await;
    let id = post(&site.store, group, author, "a wagtail").await;
    let permalink = format!("/@member/{id}");
    let reply = composer(&owner.open(&permalink).await).expect("a reply form");
    let key = reply.value("idempotency_key").to_owned();
    owner
        .submit_accepted(&reply.clone().set("message", "where?"))
        .await;
    let refused = owner.submit(&reply.set("message", "only among us")).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let again = refused.form("/statuses");
    assert_ne!(again.value("idempotency_key"), key);
    assert!(again.fields.iter().all(|(name, _)| name != "visibility"));
    crowd::delete(&site.store, author, id).await;
    let form = owner.submit(&again).await.form("/statuses");
    assert_eq!(form.value("message"), "only among us");
    assert_eq!(form.value("visibility"), "not-chosen");
}

#[tokio::test]
async fn a_member_posts_on_the_page_of_the_group_and_replies_below_the_post() {
    let site = Site::start().await;
    let (owner, member, _, path) = scene(&site, GroupKind::Private).await;
    let form = composer(&member.open(&path).await).expect("a composer");
    let posted = member
        .submit_accepted(&form.set("message", "a wagtail"))
        .await;
    assert_eq!(posted.location(), path);
    let page = owner.open(&path).await;
    assert_eq!(page.messages(), ["a wagtail"]);
    assert_eq!(page.texts(".visibility").len(), 1, "it says who sees it");
    assert_eq!(owner.open("/").await.messages(), ["a wagtail"]);
    let id = page.status_ids()[0];
    let permalink = format!("/@member/{id}");
    let reply = composer(&owner.open(&permalink).await).expect("a reply form");
    assert!(
        reply
            .clone()
            .set_new("visibility", "")
            .value("visibility")
            .is_empty()
    );
    owner.submit_accepted(&reply.set("message", "where?")).await;
    assert_eq!(
        member.open(&permalink).await.messages(),
        ["a wagtail", "where?"]
    );
    assert_eq!(
        member.open(&path).await.messages(),
        ["a wagtail"],
        "no replies"
    );
    // A member who left sees nothing any more, and an open composer posts nothing.
    let form = composer(&member.open(&path).await).expect("a composer");
    let store = &site.store;
    let group = store
        .post_groups(uid(store, "member").await)
        .await
        .expect("an answer")[0]
        .id;
    leave(store, group, uid(store, "member").await).await;
    let refused = member.submit(&form.set("message", "too late")).await;
    assert!(refused.visible_text().contains("not a member"));
    let page = member.open(&path).await;
    assert!(page.messages().is_empty() && composer(&page).is_none());
    assert_eq!(
        member.get(&permalink).await.status,
        StatusCode::OK,
        "their own"
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn a_page_of_a_group_is_full_and_continues() {
    let site = Site::start().await;
    let (owner, member, group, path) = scene(&site, GroupKind::Public).await;
    let store = &site.store;
    let author = uid(store, "member").await;
    let mut due = Vec::new();
    for number in 0..45 {
        due.push(
            post(store, group, author, &format!("bird {number}"))
                .await
                .get(),
        );
        crowd::post(store, author, "outside").await;
    }
    due.reverse();
    for viewer in [&owner, &member, &Person::visitor(&site)] {
        let pages = viewer.pages(&path).await;
        let sizes: Vec<usize> = pages.iter().map(|page| page.status_ids().len()).collect();
        assert_eq!(sizes, [30, 15]);
        let ids: Vec<u64> = pages.iter().flat_map(|page| page.status_ids()).collect();
        assert_eq!(ids, due);
    }
}

#[tokio::test]
async fn a_public_group_has_an_atom_feed_and_other_groups_answer_like_absent_ones() {
    let site = Site::start().await;
    let (_, _, group, path) = scene(&site, GroupKind::Public).await;
    let store = &site.store;
    let author = uid(store, "member").await;
    let id = post(store, group, author, "a <wagtail> & a redwing").await;
    let visitor = Person::visitor(&site);
    let feed = visitor.open(&format!("{path}/feed")).await;
    assert_eq!(
        feed.header("content-type"),
        Some("application/atom+xml; charset=utf-8")
    );
    for part in [
        "<title>Group birds</title>",
        "<content type=\"text\">a &#60;wagtail&#62; &#38; a redwing</content>",
        &format!("/@member/{id}</id>"),
    ] {
        assert!(feed.html.contains(part), "{part}: {}", feed.html);
    }
    assert!(
        visitor
            .open(&path)
            .await
            .has(&format!("a[href=\"{path}/feed\"]"))
    );
    let owner = uid(store, "owner").await;
    let private = draft("secret", GroupKind::Private);
    found(store, owner, &private).await;
    let absent = visitor.get("/groups/nothing/feed").await;
    let hidden = visitor.get("/groups/secret/feed").await;
    assert_eq!(hidden.status, StatusCode::NOT_FOUND);
    assert_eq!(absent.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn those_who_run_a_group_remove_a_post_with_a_note() {
    let site = Site::start().await;
    let (owner, member, group, path) = scene(&site, GroupKind::Private).await;
    let store = &site.store;
    let id = post(store, group, uid(store, "member").await, "buy my boat").await;
    let removal = format!("/statuses/{id}/remove");
    let link = format!("a[href=\"{removal}\"]");
    let entry = id.get();
    for page in [&path, &format!("/@member/{entry}")] {
        assert!(owner.open_menu(page, entry).await.has(&link));
    }
    assert!(!member.open_menu(&path, entry).await.has(&link));
    let stranger = Person::sign_up(&site, "stranger").await;
    for other in [&member, &stranger] {
        assert_eq!(other.get(&removal).await.status, StatusCode::NOT_FOUND);
    }
    let form = owner.open(&removal).await.form(&removal);
    let long = form.clone().set("note", &"x".repeat(501));
    assert_eq!(
        owner.submit(&long).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let removed = owner
        .submit_accepted(&form.set("note", "No trade here."))
        .await;
    assert_eq!(removed.location(), path);
    site.drain().await;
    assert!(owner.open(&path).await.messages().is_empty());
    let own = member.open(&format!("/@member/{id}")).await;
    assert!(
        own.visible_text()
            .contains("Removed by the moderators of the group")
    );
    let notices = member.open("/groups/notices").await;
    assert!(notices.visible_text().contains("No trade here."));
    assert!(
        owner
            .open(&format!("{path}/log"))
            .await
            .visible_text()
            .contains("removed a post")
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn the_note_of_a_removal_survives_a_log_in() {
    let site = Site::start().await;
    let (owner, _, group, _) = scene(&site, GroupKind::Private).await;
    let store = &site.store;
    let id = post(store, group, uid(store, "member").await, "buy my boat").await;
    let removal = format!("/statuses/{id}/remove");
    let desk = Person::log_in(&site, "owner").await;
    let form = owner.open(&removal).await.form(&removal);
    let sessions = desk.open("/settings/sessions").await;
    desk.submit_accepted(&sessions.form("/settings/sessions/revoke-all"))
        .await;
    let log_in = owner.submit(&form.set("note", "No trade here.")).await;
    let log_in = log_in.form("/login").set("login", "owner");
    let log_in = log_in.set("password", PASSWORD);
    owner.submit_accepted(&log_in).await;
    let form = owner.open(&removal).await.form(&removal);
    assert_eq!(form.value("note"), "No trade here.");
    owner.submit_accepted(&form).await;
    let notices = store.group_notices(uid(store, "member").await).await;
    let notices = notices.expect("an answer");
    assert_eq!(notices[0].0.act.note(), "No trade here.");
}

#[tokio::test]
async fn leaving_takes_the_new_posts_of_the_group_from_an_open_home_at_once() {
    let site = Site::start().await;
    let store = &site.store;
    let owner = crowd::member(store, "owner").await;
    let reader = Person::sign_up(&site, "reader").await;
    let uid = uid(store, "reader").await;
    let group = group_of(store, GroupKind::Private, owner, &[uid]).await;
    let mut page = OpenPage::home(&reader).await;
    page.wait_for_arrivals(0).await;
    post(store, group, owner, "news").await;
    page.wait_for_arrivals(1).await;
    leave(store, group, uid).await;
    page.wait_for_arrivals(0).await;
}

/// A person who may not write in a group any more cannot rewrite an old post there.
#[tokio::test]
async fn muted_and_banned_people_cannot_edit_their_posts_in_the_group() {
    let site = Site::start().await;
    let (owner, member, _, path) = scene(&site, GroupKind::Public).await;
    for (act, words) in [
        (
            "mute_7",
            "The moderators of this group have muted you until",
        ),
        ("ban", "Only members post in a group."),
    ] {
        let form = composer(&member.open(&path).await).expect("a composer");
        member
            .submit_accepted(&form.set("message", "a wagtail"))
            .await;
        let id = member.open(&path).await.status_ids()[0];
        let edit = format!("/statuses/{id}/edit");
        let form = member.open(&edit).await.form(&edit);
        let corrected = form.clone().set("message", "a white wagtail");
        member.submit_accepted(&corrected).await;
        crate::groups::act(&owner, &path, "member", act, "").await;
        // The same form again returns the same answer, because the edit is saved.
        member.submit_accepted(&corrected).await;
        let versions = owner.open(&format!("/@member/{id}/versions")).await;
        let texts = versions.texts(".version-text");
        assert_eq!(texts, ["a white wagtail", "a wagtail"], "{act}");
        let refused = member.submit(&form.set("message", "buy my watch")).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{act}");
        assert!(
            refused.visible_text().contains(words),
            "{act}: {}",
            refused.html
        );
        assert_eq!(refused.form(&edit).value("message"), "buy my watch");
        assert_eq!(owner.open(&path).await.messages()[0], "a white wagtail");
        if act == "mute_7" {
            crate::groups::press_act(&owner, &path, "member", "unmute").await;
        }
    }
    site.drain().await;
    site.assert_sound().await;
}

/// The answer to an edit tells a stranger no more than the page of the post.
#[tokio::test]
async fn a_stranger_who_edits_a_post_of_a_private_group_learns_nothing() {
    let site = Site::start().await;
    let (owner, _, _, path) = scene(&site, GroupKind::Private).await;
    let stranger = Person::sign_up(&site, "stranger").await;
    let form = composer(&owner.open(&path).await).expect("a composer");
    owner
        .submit_accepted(&form.set("message", "a wagtail"))
        .await;
    let id = owner.open(&path).await.status_ids()[0];
    let own = format!("/statuses/{}/edit", stranger.post("mine").await);
    let form = stranger.open(&own).await.form(&own);
    let edit = |id: String| Form {
        action: format!("/statuses/{id}/edit"),
        ..form.clone()
    };
    let unknown = stranger.submit(&edit("1".to_owned())).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let existing = stranger.submit(&edit(id.to_string())).await;
    assert_eq!(existing.status, StatusCode::NOT_FOUND);
    assert_eq!(existing.texts("main h1"), unknown.texts("main h1"));
}

#[tokio::test]
async fn the_text_of_an_edit_of_a_deleted_post_stays_in_its_group() {
    let site = Site::start().await;
    let (owner, _, _, path) = scene(&site, GroupKind::Private).await;
    let form = composer(&owner.open(&path).await).expect("a composer");
    owner
        .submit_accepted(&form.set("message", "a wagtail"))
        .await;
    let id = owner.open(&path).await.status_ids()[0];
    let edit = format!("/statuses/{id}/edit");
    let form = owner.open(&edit).await.form(&edit);
    owner.delete(id).await;
    let answer = owner.submit(&form.set("message", "two wagtails")).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    owner.submit_accepted(&answer.form("/statuses")).await;
    assert_eq!(owner.open(&path).await.messages(), ["two wagtails"]);
}
