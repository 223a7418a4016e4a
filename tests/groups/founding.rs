//! Founding groups, changing them, finding them, handing them over, and deleting them.

use redwing::{
    actions::{account_states, groups::founding_refusal},
    domain::{GroupRole, Joining},
};
use reqwest::StatusCode;

use super::{
    alice_and_bob, found, found_form, invite, is_found, join, make, notifications, press,
    press_act, tie,
};
use crate::support::{
    Form, Person, Site, core::Core, crowd, ended_session::send_and_log_in, pool::Redis,
    redis::RedisServer,
};

#[tokio::test]
async fn a_form_founds_one_group_however_often_it_is_sent() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let form = found_form(&alice, "Birds", &[("kind", "private")]).await;
    for _ in 0..2 {
        let answer = alice.submit_accepted(&form).await;
        assert_eq!(answer.location(), "/groups/birds");
    }
    assert_eq!(alice.open("/groups").await.count(".groups > li"), 1);
    let other = alice.submit(&form.set("slug", "boats")).await;
    assert_eq!(other.status, StatusCode::CONFLICT);
    let taken = bob.submit(&found_form(&bob, "birds", &[]).await).await;
    assert_eq!(taken.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(taken.text("#slug-error").contains("Another group"));
    for slug in ["new", "a b", "ab", "-ab"] {
        let wrong = bob.submit(&found_form(&bob, slug, &[]).await).await;
        assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{slug}");
    }
    site.drain().await;
    site.assert_sound().await;
}

/// Returns the form that founds a group as it was on a page before the person could not found one.
async fn open_form(person: &Person, slug: &str) -> Form {
    let form = person.open("/").await.form("/logout").to("/groups/new");
    [
        ("idempotency_key", "00000000000000000000000000000007"),
        ("name", "The birds"),
        ("slug", slug),
        ("kind", "public"),
        ("joining", "open"),
        ("past", "whole"),
    ]
    .into_iter()
    .fold(form, |form, (name, value)| form.set_new(name, value))
}

#[tokio::test]
async fn new_accounts_found_no_groups_and_the_owner_of_the_site_can_restrict_it() {
    let site = Site::with(&["--group-age-days", "7"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let words = "You can create a group 7 days after your sign-up, from ";
    let page = alice.open("/groups/new").await;
    assert!(page.visible_text().contains(words), "{}", page.html);
    assert!(page.find_form("/groups/new").is_none());
    let young = alice.submit(&open_form(&alice, "birds").await).await;
    assert_eq!(young.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(young.visible_text().contains(words), "{}", young.html);
    assert_eq!(young.form("/groups/new").value("slug"), "birds");

    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let form = found_form(&alice, "birds", &[]).await;
    site.redis
        .command(&["HSET", "site:", "group_founders", "moderators"]);
    site.store.read_site().await.expect("an answer");
    let page = alice.open("/groups/new").await;
    assert!(
        page.visible_text()
            .contains("only moderators can create groups")
    );
    assert!(page.find_form("/groups/new").is_none());
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let uid = crowd::uid(&site.store, "bob").await;
    site.redis
        .command(&["HSET", &format!("user:{{{uid}}}"), "role", "moderator"]);
    make(&bob, "birds", &[]).await;
}

#[tokio::test]
async fn a_group_is_found_by_its_words_and_the_most_active_comes_first() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    make(&alice, "night-sky", &[]).await;
    make(&alice, "birds", &[]).await;
    let names = |page: crate::support::Page| page.texts(".groups > li p > a");
    assert_eq!(
        names(alice.open("/groups").await),
        ["The birds", "The night-sky"]
    );
    assert_eq!(names(alice.open("/groups?q=bir").await), ["The birds"]);
    assert_eq!(names(alice.open("/groups?q=sky").await), ["The night-sky"]);
    let settings = "/groups/birds/settings";
    let form = alice.open(settings).await.form(settings);
    alice
        .submit_accepted(&form.set("name", "Owls").set("rules", "Be quiet."))
        .await;
    assert_eq!(names(alice.open("/groups?q=owl").await), ["Owls"]);
    assert!(
        Person::visitor(&site)
            .open("/groups/birds")
            .await
            .visible_text()
            .contains("Be quiet.")
    );
    let form = alice.open(settings).await.form(settings);
    let wrong = alice.submit(&form.set("name", " ")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_open_form_of_a_group_leaves_what_another_device_saved_meanwhile() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let group = make(&alice, "birds", &[("kind", "announcement")]).await;
    let settings = format!("{group}/settings");
    let former = phone.open(&settings).await.form(&settings);
    let form = alice.open(&settings).await.form(&settings);
    let form = form.set("name", "Owls").set("description", "At night.");
    let form = form.choose("joining", "request");
    alice
        .submit_accepted(&form.set_new("replies_closed", "1"))
        .await;
    let former = former.set("rules", "Be quiet.");
    let former = former.set("description", "By day.");
    let conflict = phone.submit(&former.choose("joining", "invitation")).await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    let error = conflict.text("#description-error");
    assert!(error.contains("It is now “At night.” Save"), "{error}");
    let error = conflict.text("#joining-error");
    assert!(error.contains("It is now “People ask, and"), "{error}");
    assert!(!conflict.has("#name-error, #rules-error"));
    let again = conflict.form(&settings);
    assert_eq!(again.value("description"), "By day.");
    phone.submit_accepted(&again).await;
    let saved = alice.open(&settings).await.form(&settings);
    for (field, value) in [
        ("name", "Owls"),
        ("joining", "invitation"),
        ("replies_closed", "1"),
        ("rules", "Be quiet."),
        ("description", "By day."),
    ] {
        assert_eq!(saved.value(field), value, "{field}");
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_texts_of_a_group_that_was_deleted_meanwhile_are_in_the_form_of_a_new_one() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let group = make(&alice, "birds", &[("kind", "announcement")]).await;
    let settings = format!("{group}/settings");
    let form = alice.open(&settings).await.form(&settings);
    let delete = format!("{group}/delete");
    let delete = alice.open(&delete).await.form(&delete);
    alice.submit_accepted(&delete).await;
    site.drain().await;
    let answer = alice.submit(&form.set("rules", "Be quiet.")).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    let again = answer.form("/groups/new");
    for (field, value) in [
        ("slug", "birds"),
        ("rules", "Be quiet."),
        ("kind", "announcement"),
        ("readable_by", "members"),
    ] {
        assert_eq!(again.value(field), value, "{field}");
    }
    alice.submit_accepted(&again).await;
    let page = alice.open(&group).await.visible_text();
    assert!(page.contains("Be quiet."), "{page}");
    site.drain().await;
    site.assert_sound().await;
}

pub async fn delete(site: &Site, person: &Person, group: &str) {
    press(
        person,
        &format!("{group}/delete"),
        &format!("{group}/delete"),
    )
    .await;
    site.drain().await;
}

#[tokio::test]
async fn two_open_forms_of_a_deleted_group_lose_no_text() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let group = make(&alice, "birds", &[]).await;
    let settings = format!("{group}/settings");
    let form = alice.open(&settings).await.form(&settings);
    delete(&site, &alice, &group).await;
    let give_back = async |form: &Form, rules: &str| {
        let form = form.clone().set("rules", rules);
        alice.submit(&form).await.form("/groups/new")
    };
    let quiet = give_back(&form, "Be quiet.").await;
    let loud = give_back(&form, "Be loud.").await;
    let loud_again = give_back(&form, "Be loud.").await;
    let key = |form: &Form| form.value("idempotency_key").to_owned();
    assert_eq!(key(&loud), key(&loud_again));
    alice.submit_accepted(&quiet).await;
    alice.submit_accepted(&quiet).await;
    let taken = alice.submit(&loud).await;
    assert_eq!(taken.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(taken.form("/groups/new").value("rules"), "Be loud.");
    // The second group has its own forms.
    let form = alice.open(&settings).await.form(&settings);
    delete(&site, &alice, &group).await;
    let quiet = give_back(&form, "Be quiet.").await;
    alice.submit_accepted(&quiet).await;
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_form_that_is_corrected_twice_loses_no_text() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = found_form(&alice, "a b", &[]).await;
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let form = refused.form("/groups/new").set("slug", "birds");
    let quiet = form.clone().set("rules", "Be quiet.");
    alice.submit_accepted(&quiet).await;
    alice.submit_accepted(&quiet).await;
    let other = alice.submit(&form.set("rules", "Be loud.")).await;
    assert_eq!(other.status, StatusCode::CONFLICT);
    let other = other.form("/groups/new");
    assert_eq!(other.value("rules"), "Be loud.");
    alice.submit_accepted(&other.set("slug", "owls")).await;
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_form_of_a_group_that_its_founder_has_left_says_that_it_was_sent() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let form = found_form(&alice, "birds", &[]).await;
    let group = alice.submit_accepted(&form).await.location().to_owned();
    join(&bob, &group).await;
    press_act(&alice, &group, "bob", "offer").await;
    press(&bob, &group, &format!("{group}/take-over")).await;
    let leave = format!("{group}/leave");
    press(&alice, &leave, &leave).await;
    let again = alice.submit(&form).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    let again = alice.submit(&again.form("/groups/new")).await;
    assert!(again.text("#slug-error").contains("Another group"));
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_founding_is_checked_in_one_round_trip() {
    let core = Core::on(Redis::Node(RedisServer::with(&[])), &[]);
    let alice = crowd::member(&core.store, "alice").await;
    let server = core.redis.one_node();
    let mut fewest = u64::MAX;
    // The first one connects and reads the site.
    for _ in 0..5 {
        let before = server.trips();
        let refusal = founding_refusal(&core.store, alice).await;
        assert_eq!(refusal.expect("an answer"), None);
        fewest = fewest.min(server.trips() - before - 1);
    }
    assert!(fewest <= 2, "{fewest}");
}

#[tokio::test]
async fn a_group_is_handed_over_in_two_steps() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    join(&carol, &group).await;
    let leave = format!("{group}/leave");
    assert!(
        alice.open(&leave).await.find_form(&leave).is_none(),
        "the owner stays"
    );
    press_act(&alice, &group, "bob", "offer").await;
    assert!(
        bob.open("/groups/notices")
            .await
            .visible_text()
            .contains("offers you")
    );
    let over = format!("{group}/take-over");
    let form = bob.open(&group).await.form(&over);
    let own = carol.open(&group).await.form(&format!("{group}/delivery"));
    let stolen = Form {
        action: over,
        ..own
    };
    assert_eq!(carol.submit(&stolen).await.status, StatusCode::NOT_FOUND);
    press_act(&alice, &group, "bob", "withdraw_offer").await;
    assert_eq!(
        bob.submit(&form).await.status,
        StatusCode::NOT_FOUND,
        "it was withdrawn"
    );
    press_act(&alice, &group, "bob", "offer").await;
    bob.submit_accepted(&form).await;
    assert!(is_found(&bob, &format!("{group}/settings")).await);
    assert!(!is_found(&alice, &format!("{group}/settings")).await);
    assert!(
        is_found(&alice, &format!("{group}/log")).await,
        "a moderator now"
    );
    let form = alice.open(&leave).await.form(&leave);
    alice.submit_accepted(&form).await;
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_deleted_group_is_gone_for_everybody_and_its_name_is_free() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    let group = make(&alice, "birds", &[("joining", "request")]).await;
    join(&bob, &group).await;
    invite(&alice, &group, "carol").await;
    let delete = format!("{group}/delete");
    let form = alice.open(&delete).await.form(&delete);
    assert_eq!(bob.get(&delete).await.status, StatusCode::NOT_FOUND);
    alice.submit_accepted(&form).await;
    for person in [&alice, &bob, &carol] {
        assert!(!is_found(person, &group).await);
        assert!(
            !person
                .open("/groups/mine")
                .await
                .visible_text()
                .contains("birds")
        );
    }
    assert!(notifications(&carol).await.is_empty());
    site.drain().await;
    site.assert_sound().await;
    let left = site.keys("group").await;
    assert_eq!(left.len(), 1, "the id is not used again: {left:?}");
    make(&bob, "birds", &[]).await;
}

#[tokio::test]
async fn a_deleted_account_leaves_its_groups_and_another_member_inherits_them() {
    let site = Site::start().await;
    let store = &site.store;
    let [alice, bob, carol] = ["alice", "bob", "carol"].map(|login| crowd::member(store, login));
    let (alice, bob, carol) = (alice.await, bob.await, carol.await);
    let birds = found(store, alice, "birds", Joining::Open).await;
    let alone = found(store, alice, "alone", Joining::Open).await;
    for person in [bob, carol] {
        redwing::actions::groups::join(store, person, birds)
            .await
            .expect("an answer");
    }
    let act = redwing::domain::GroupAct::SetRole(carol, GroupRole::Moderator);
    redwing::actions::groups::manage(store, alice, birds, act)
        .await
        .expect("an answer");
    account_states::delete(store, alice)
        .await
        .expect("an answer");
    site.drain().await;
    assert_eq!(
        tie(store, birds, carol).await.role(),
        Some(GroupRole::Owner)
    );
    assert_eq!(tie(store, birds, bob).await.role(), Some(GroupRole::Member));
    assert_eq!(store.group(alone).await.expect("an answer"), None);
    let notices = store.group_notices(carol).await.expect("an answer");
    assert_eq!(notices.len(), 2, "the role and the group: {notices:?}");
    site.assert_sound().await;
}

#[tokio::test]
async fn an_expired_log_in_loses_no_text() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    let found = found_form(&alice, "boats", &[("kind", "private")]).await;
    let found = found.set("rules", "No motors.");
    let settings = format!("{group}/settings");
    let edit = alice.open(&settings).await.form(&settings);
    let edit = edit.set("name", "Owls");
    let person = format!("{group}/members/bob");
    let act = alice.open(&person).await.form(&person);
    let act = act.choose("act", "ban").set("note", "A note.");
    let invitations = format!("{group}/invitations");
    let invite = alice.open(&invitations).await.form(&invitations);
    let invite = invite.set("login", "carol");
    for (form, field, text) in [
        (found, "rules", "No motors."),
        (edit, "name", "Owls"),
        (act, "note", "A note."),
        (invite, "login", "carol"),
    ] {
        let page = form.action.clone();
        send_and_log_in(&site, &alice, &form).await;
        let again = alice.open(&page).await.form(&page);
        assert_eq!(again.value(field), text, "{page}");
    }
}
