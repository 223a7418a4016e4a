//! The acts of those who run a group, the notices about them, and the log.

use reqwest::StatusCode;

use super::{act, alice_and_bob, is_found, join, make, notifications, press, press_act};
use crate::support::{Person, Site};

#[tokio::test]
async fn acts_reach_their_person_with_the_note_and_the_log() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    act(&alice, &group, "bob", "mute_7", "Please calm down.").await;
    assert!(
        bob.open(&group)
            .await
            .visible_text()
            .contains("You are muted in this group")
    );
    press_act(&alice, &group, "bob", "unmute").await;
    act(&alice, &group, "bob", "remove", "Bye.").await;
    assert!(bob.open(&group).await.visible_text().contains("1 member"));
    join(&bob, &group).await;
    act(&alice, &group, "bob", "ban", "Enough.").await;
    let page = bob.open(&group).await;
    assert!(page.visible_text().contains("banned you"));
    assert!(page.find_form(&format!("{group}/join")).is_none());
    let notices = bob.open("/groups/notices").await.visible_text();
    for text in ["Please calm down.", "no longer muted", "Bye.", "Enough."] {
        assert!(notices.contains(text), "{text}: {notices}");
    }
    assert_eq!(notifications(&bob).await.len(), 4);
    let log = alice.open(&format!("{group}/log")).await.visible_text();
    for text in [
        "@alice muted @bob until",
        "@alice removed @bob",
        "@alice banned @bob",
        "Enough.",
    ] {
        assert!(log.contains(text), "{text}: {log}");
    }
    assert!(!is_found(&bob, &format!("{group}/log")).await);
    let bans = format!("{group}/bans");
    let form = alice.open(&bans).await.form(&format!("{bans}/end"));
    alice.submit_accepted(&form).await;
    join(&bob, &group).await;
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_act_without_a_choice_or_with_a_long_note_keeps_the_note() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    let again = act(&alice, &group, "bob", "", "A note.").await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(again.text("#act-error"), "Choose what to do.");
    assert!(again.text("#note").contains("A note."));
    let long = act(&alice, &group, "bob", "remove", &"x".repeat(501)).await;
    assert_eq!(long.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn members_have_no_power_and_moderators_none_over_each_other_or_the_owner() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    let dave = Person::sign_up(&site, "dave").await;
    let group = make(&alice, "birds", &[]).await;
    for person in [&bob, &carol, &dave] {
        join(person, &group).await;
    }
    for page in [
        "log",
        "requests",
        "invitations",
        "bans",
        "settings",
        "members/alice",
    ] {
        assert!(!is_found(&bob, &format!("{group}/{page}")).await, "{page}");
    }
    for login in ["bob", "carol"] {
        press_act(&alice, &group, login, "promote").await;
    }
    assert!(is_found(&bob, &format!("{group}/log")).await);
    assert!(!is_found(&bob, &format!("{group}/settings")).await);
    for protected in ["alice", "carol"] {
        let path = format!("{group}/members/{protected}");
        let page = bob.open(&path).await;
        assert!(page.find_form(&path).is_none(), "{protected}");
        let own = bob.open(&format!("{group}/members/dave")).await;
        let mut form = own.form(&format!("{group}/members/dave"));
        form.action = path;
        form.fields.push(("act".into(), "ban".into()));
        assert_eq!(
            bob.submit(&form).await.status,
            StatusCode::UNPROCESSABLE_ENTITY
        );
    }
    let promoted = press_with(&bob, &group, "dave", "promote").await;
    assert_eq!(
        promoted,
        StatusCode::NOT_FOUND,
        "only the owner gives roles"
    );
    assert_eq!(
        act(&bob, &group, "dave", "remove", "").await.status,
        StatusCode::SEE_OTHER
    );
    assert!(!is_found(&dave, &format!("{group}/members/bob")).await);
    press_act(&alice, &group, "carol", "demote").await;
    assert!(!is_found(&carol, &format!("{group}/log")).await);
    assert_eq!(
        act(&bob, &group, "carol", "mute_1", "").await.status,
        StatusCode::SEE_OTHER
    );
    site.drain().await;
    site.assert_sound().await;
}

/// Sends an act for which the page shows no button.
async fn press_with(person: &Person, group: &str, login: &str, act: &str) -> StatusCode {
    let path = format!("{group}/members/{login}");
    let mut form = person.open(&path).await.form(&path);
    form.action = format!("{path}/press");
    form.fields.push(("act".into(), act.into()));
    person.submit(&form).await.status
}

#[tokio::test]
async fn a_block_hides_no_member_from_the_moderators() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    let block = bob.open("/@alice").await.form("/@alice/block");
    bob.submit_accepted(&block).await;
    assert_eq!(
        act(&alice, &group, "bob", "ban", "").await.status,
        StatusCode::SEE_OTHER
    );
    assert!(bob.open(&group).await.visible_text().contains("banned you"));
}

#[tokio::test]
async fn leaving_and_joining_again_does_not_end_a_mute() {
    let site = Site::with(&["--max-groups", "2"]).await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    act(&alice, &group, "bob", "mute_7", "").await;
    press(&bob, &format!("{group}/leave"), &format!("{group}/leave")).await;
    join(&bob, &group).await;
    let is_muted = async || {
        let page = bob.open(&group).await.visible_text();
        page.contains("You are muted in this group")
    };
    assert!(is_muted().await);

    // Neither does a refusal to join again, because of too many groups.
    press(&bob, &format!("{group}/leave"), &format!("{group}/leave")).await;
    let carol = Person::sign_up(&site, "carol").await;
    let others = [
        make(&carol, "frogs", &[]).await,
        make(&carol, "newts", &[]).await,
    ];
    join(&bob, &others[0]).await;
    join(&bob, &others[1]).await;
    let form = bob.open(&group).await.form(&format!("{group}/join"));
    let refused = bob.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    press(
        &bob,
        &format!("{}/leave", others[1]),
        &format!("{}/leave", others[1]),
    )
    .await;
    join(&bob, &group).await;
    assert!(is_muted().await);
    site.assert_sound().await;
    press_act(&alice, &group, "bob", "unmute").await;
    assert!(!is_muted().await);
}
