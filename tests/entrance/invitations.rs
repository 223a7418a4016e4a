//! Invitations: made, used once, revoked, and the tree that they leave.

use futures_util::future::join_all;
use reqwest::StatusCode;

use super::{member, sign_up_at, site_with};
use crate::{
    administration::{document, output_of},
    support::{Person, Site, crowd},
};

/// Makes an invitation and returns its path.
pub async fn invite(person: &Person) -> String {
    let before = addresses(person).await;
    let page = person.open("/settings/invitations").await;
    person
        .submit_accepted(&page.form("/settings/invitations"))
        .await;
    let new = addresses(person).await;
    let new = new.into_iter().find(|address| !before.contains(address));
    let address = new.expect("a new invitation");
    let path = address.strip_prefix(person.origin());
    path.expect("an address of the site").to_owned()
}

async fn addresses(person: &Person) -> Vec<String> {
    let page = person.open("/settings/invitations").await;
    page.attributes(".invitations input[readonly]", "value")
}

#[tokio::test]
async fn an_invited_person_signs_up_once() {
    let site = site_with("invitation").await;
    let alice = member(&site, "alice").await;
    let path = invite(&alice).await;
    let visitor = Person::visitor(&site);
    let page = visitor.open(&path).await;
    assert!(page.visible_text().contains("@alice invited you."));
    let answer = sign_up_at(&visitor, &page, "bob").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
    assert!(visitor.is_logged_in().await);
    let mallory = Person::visitor(&site);
    let again = mallory.get(&path).await;
    assert_eq!(again.status, StatusCode::FORBIDDEN);
    assert_eq!(again.text("h1"), "This invitation no longer works");
    let answer = sign_up_at(&mallory, &page, "mallory").await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    let settings = alice.open("/settings/invitations").await;
    assert!(settings.has("a[href=\"/@bob\"]"), "she sees who came");
    assert!(addresses(&alice).await.is_empty());
    site.assert_sound().await;
}

#[tokio::test]
async fn of_many_sign_ups_with_one_invitation_one_succeeds() {
    let site = site_with("invitation").await;
    let alice = member(&site, "alice").await;
    for round in 0..4 {
        let path = invite(&alice).await;
        let visitors: Vec<Person> = (0..6).map(|_| Person::visitor(&site)).collect();
        let pages = join_all(visitors.iter().map(|visitor| visitor.open(&path))).await;
        let logins: Vec<String> = (0..6).map(|at| format!("guest_{round}_{at}")).collect();
        let sent = visitors.iter().zip(&pages).zip(&logins);
        let answers = sent.map(|((visitor, page), login)| sign_up_at(visitor, page, login));
        let answers = join_all(answers).await;
        let entered = answers
            .iter()
            .filter(|answer| answer.status == StatusCode::SEE_OTHER);
        assert_eq!(entered.count(), 1);
    }
    site.drain().await;
    assert_eq!(site.keys("login:").await.len(), 5);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_form_that_is_sent_again_logs_in() {
    let site = site_with("invitation").await;
    let alice = member(&site, "alice").await;
    let path = invite(&alice).await;
    let visitor = Person::visitor(&site);
    let page = visitor.open(&path).await;
    let cookies = visitor.cookies.all();
    for _ in 0..2 {
        visitor.cookies.replace(cookies.clone());
        let answer = sign_up_at(&visitor, &page, "bob").await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
        assert!(visitor.is_logged_in().await);
    }
    site.drain().await;
    assert_eq!(site.keys("login:").await.len(), 2);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_taken_login_leaves_the_invitation_unused() {
    let site = site_with("invitation").await;
    let alice = member(&site, "alice").await;
    let path = invite(&alice).await;
    let visitor = Person::visitor(&site);
    let page = visitor.open(&path).await;
    let taken = sign_up_at(&visitor, &page, "alice").await;
    assert_eq!(taken.status, StatusCode::UNPROCESSABLE_ENTITY);
    let answer = sign_up_at(&visitor, &taken, "bob").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
}

#[tokio::test]
async fn a_revoked_invitation_admits_nobody() {
    let site = site_with("invitation").await;
    let alice = member(&site, "alice").await;
    let path = invite(&alice).await;
    let settings = alice.open("/settings/invitations").await;
    let revoke = settings.form("/settings/invitations/revoke");
    let press = async |words: &str| {
        let answer = alice.submit_accepted(&revoke).await;
        let shown = alice.open(answer.location()).await.visible_text();
        assert!(shown.contains(words), "{shown}");
    };
    press("The invitation was revoked.").await;
    let visitor = Person::visitor(&site);
    assert_eq!(visitor.get(&path).await.status, StatusCode::FORBIDDEN);
    press("The invitation was revoked.").await;
    site.assert_sound().await;
}

/// The person could come back with their own invitation.
#[tokio::test]
async fn an_invitation_of_a_suspended_person_admits_nobody_until_the_suspension_ends() {
    let site = site_with("invitation").await;
    let alice = member(&site, "alice").await;
    let path = invite(&alice).await;
    let visitor = Person::visitor(&site);
    let page = visitor.open(&path).await;
    let id = crowd::uid(&site.store, "alice").await;
    crowd::set_suspended(&site.store, id, true).await;
    assert_eq!(visitor.get(&path).await.status, StatusCode::FORBIDDEN);
    let answer = sign_up_at(&visitor, &page, "mallory").await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    crowd::set_suspended(&site.store, id, false).await;
    let answer = sign_up_at(&visitor, &page, "bob").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    site.assert_sound().await;
}

#[tokio::test]
async fn everybody_sees_the_inviter_of_a_person_if_the_owner_says_so() {
    let site = site_with("invitation").await;
    let alice = member(&site, "alice").await;
    let dave = member(&site, "dave").await;
    let owner = member(&site, "owner").await;
    output_of(&site, &["role", "owner", "owner"]);
    let visitor = Person::visitor(&site);
    let page = visitor.open(&invite(&alice).await).await;
    sign_up_at(&visitor, &page, "bob").await;
    let shown = async |person: &Person| {
        let page = person.open("/@bob").await;
        page.visible_text().contains("Invited by @alice.")
    };
    let stranger = Person::visitor(&site);
    assert!(!shown(&dave).await && !shown(&stranger).await);

    let path = "/admin/site";
    let form = owner.open(path).await.form(path).choose("inviters", "1");
    owner.submit_accepted(&form).await;
    for person in [&dave, &stranger, &visitor] {
        assert!(shown(person).await);
        assert!(person.open("/@bob").await.has("a[href=\"/@alice\"]"));
    }
    assert!(
        !dave
            .open("/@alice")
            .await
            .visible_text()
            .contains("Invited by")
    );
    // An inviter whom the viewer does not find is not named.
    let id = crowd::uid(&site.store, "alice").await;
    crowd::set_suspended(&site.store, id, true).await;
    assert!(!shown(&dave).await && !shown(&stranger).await);
    crowd::set_suspended(&site.store, id, false).await;
    let form = owner.open(path).await.form(path).without("inviters");
    owner.submit_accepted(&form).await;
    assert!(!shown(&dave).await && !shown(&stranger).await);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_closed_site_takes_no_invitation() {
    let site = site_with("closed").await;
    let alice = member(&site, "alice").await;
    let path = invite(&alice).await;
    let answer = Person::visitor(&site).get(&path).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert_eq!(answer.text("h1"), "Sign-up is closed");
}

#[tokio::test]
async fn a_person_has_five_unused_invitations_and_a_moderator_any_number() {
    let site = site_with("invitation").await;
    let alice = member(&site, "alice").await;
    for _ in 0..5 {
        invite(&alice).await;
    }
    let form = alice.open("/settings/invitations").await;
    let form = form.form("/settings/invitations");
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains("5 unused invitations"));
    for role in ["welcomer", "moderator", "owner"] {
        output_of(&site, &["role", "alice", role]);
        let expected = match role {
            "welcomer" => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::SEE_OTHER,
        };
        assert_eq!(alice.submit(&form).await.status, expected, "{role}");
    }
    assert_eq!(addresses(&alice).await.len(), 7);
    let log = alice.open("/admin").await.texts(".log p[dir]");
    let made = log
        .iter()
        .filter(|line| *line == "@alice made an invitation");
    assert_eq!(made.count(), 2);
}

#[tokio::test]
async fn a_new_account_cannot_invite_unless_its_role_permits_it() {
    let site = Site::with(&["--sign-up", "open"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice.open("/settings/invitations").await;
    let form = form.form("/settings/invitations");
    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains("7 days"));
    output_of(&site, &["role", "alice", "moderator"]);
    alice.submit_accepted(&form).await;
}

#[tokio::test]
async fn moderators_see_who_invited_whom() {
    let site = site_with("invitation").await;
    let alice = member(&site, "alice").await;
    output_of(&site, &["role", "alice", "moderator"]);
    let mut inviter = alice;
    for login in ["bob", "carol"] {
        let path = invite(&inviter).await;
        let mut visitor = Person::visitor(&site);
        let page = visitor.open(&path).await;
        sign_up_at(&visitor, &page, login).await;
        login.clone_into(&mut visitor.login);
        inviter = visitor;
    }
    let alice = Person::log_in(&site, "alice").await;
    let page = alice.open("/admin/people/carol").await;
    assert_eq!(
        page.text(".lead"),
        "@carol was invited by @bob, invited by @alice."
    );
    let page = alice.open("/admin/people/bob").await;
    assert!(page.has("main a[href=\"/@carol\"]"));
    let people = alice.open("/admin/people").await;
    assert!(people.visible_text().contains("invited by @bob"));
    assert_eq!(
        inviter.get("/admin/people/bob").await.status,
        StatusCode::FORBIDDEN
    );
    // This page reads the people who run the site at once.
    alice.open("/admin/approvals").await;
    let profile = alice.open("/@carol").await;
    assert!(profile.has(".profile a[href=\"/admin/people/bob\"]"));
    assert!(!alice.open("/@alice").await.html.contains("Invited by"));
    for other in [inviter, Person::log_in(&site, "bob").await] {
        assert!(!other.open("/@carol").await.html.contains("Invited by"));
    }
    let shown = document(&site, &["show", "carol", "--json"]);
    let bob = crowd::uid(&site.store, "bob").await;
    assert_eq!(shown["inviter"], bob.get());
}
