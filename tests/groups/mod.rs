//! Groups: founding, joining, the people who run one, and who finds it.

mod access;
mod deletion;
pub mod founding;
mod given_back;
mod limits;
mod moderation;
mod races;

use redwing::{
    actions::groups::{self, Found},
    domain::{
        GroupDescription, GroupId, GroupKind, GroupName, GroupReaders, GroupRules, GroupSlug,
        GroupTie, IdempotencyKey, Joining, Past, UserId,
    },
    store::{GroupDraft, GroupSettings, Store},
};
use reqwest::StatusCode;

use crate::{
    administration::output_of,
    support::{Form, Page, Person, Site},
};

/// Founds a group through the site. Returns its path.
pub async fn make(person: &Person, slug: &str, choices: &[(&str, &str)]) -> String {
    let form = found_form(person, slug, choices).await;
    let answer = person.submit_accepted(&form).await;
    assert_eq!(answer.location(), format!("/groups/{slug}"));
    answer.location().to_owned()
}

pub async fn found_form(person: &Person, slug: &str, choices: &[(&str, &str)]) -> Form {
    let form = person.open("/groups/new").await.form("/groups/new");
    let form = form.set("name", &format!("The {slug}")).set("slug", slug);
    with_choices(form, choices)
}

/// Chooses radio buttons and checks boxes.
pub fn with_choices(form: Form, choices: &[(&str, &str)]) -> Form {
    let choose = |mut form: Form, (name, value): &(&str, &str)| {
        form.fields.retain(|(field, _)| field != name);
        form.fields.push(((*name).to_owned(), (*value).to_owned()));
        form
    };
    choices.iter().fold(form, choose)
}

/// Presses the button of a page with this action.
pub async fn press(person: &Person, page: &str, action: &str) -> Page {
    let form = person.open(page).await.form(action);
    person.submit_accepted(&form).await
}

pub async fn join(person: &Person, group: &str) {
    press(person, group, &format!("{group}/join")).await;
}

pub async fn invite(person: &Person, group: &str, login: &str) -> Page {
    let path = format!("{group}/invitations");
    let form = person.open(&path).await.form(&path);
    person.submit(&form.set("login", login)).await
}

/// Does an act with a note on a person.
pub async fn act(person: &Person, group: &str, login: &str, act: &str, note: &str) -> Page {
    let path = format!("{group}/members/{login}");
    let form = person.open(&path).await.form(&path);
    let form = with_choices(form, &[("act", act)]).set("note", note);
    person.submit(&form).await
}

/// Presses the button of the page of a person with this act.
pub async fn press_act(person: &Person, group: &str, login: &str, act: &str) -> Page {
    let path = format!("{group}/members/{login}");
    let page = person.open(&path).await;
    let mut form = page.form(&format!("{path}/press"));
    form.fields.retain(|(name, _)| name != "act");
    form.fields.push(("act".into(), act.into()));
    person.submit(&form).await
}

pub async fn is_found(person: &Person, path: &str) -> bool {
    person.get(path).await.status == StatusCode::OK
}

/// Returns the texts of the lines of notifications.
pub async fn notifications(person: &Person) -> Vec<String> {
    let page = person.open("/notifications").await;
    page.texts(".notification-body > p")
}

pub fn draft(slug: &str, kind: GroupKind, joining: Joining) -> GroupDraft {
    GroupDraft {
        slug: GroupSlug::parse(slug).expect("valid"),
        kind,
        readable_by: GroupReaders::Everyone,
        settings: GroupSettings {
            name: GroupName::parse(slug).expect("valid"),
            description: GroupDescription::default(),
            rules: GroupRules::default(),
            joining,
            past: Past::Whole,
            is_unlisted: false,
            closes_replies: false,
        },
    }
}

/// Founds a public group without HTTP.
pub async fn found(store: &Store, by: UserId, slug: &str, joining: Joining) -> GroupId {
    let draft = draft(slug, GroupKind::Public, joining);
    let found = groups::found(store, by, &draft, &IdempotencyKey::draw()).await;
    match found.expect("an answer") {
        Found::Founded(group) => group,
        refused => panic!("{refused:?}"),
    }
}

pub async fn tie(store: &Store, group: GroupId, person: UserId) -> GroupTie {
    store.group_tie(group, person).await.expect("an answer")
}

pub async fn is_member(store: &Store, group: GroupId, person: UserId) -> bool {
    tie(store, group, person).await.membership().is_some()
}

#[tokio::test]
async fn people_join_and_leave_an_open_group() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    join(&bob, &group).await;
    let page = bob.open(&group).await;
    assert!(page.visible_text().contains("2 members"));
    assert!(
        bob.open("/groups/mine")
            .await
            .visible_text()
            .contains("The birds")
    );
    let again = page.form(&format!("{group}/delivery"));
    bob.submit_accepted(&with_choices(again, &[("delivery", "page")]))
        .await;
    let page = bob.open(&group).await;
    let chosen = page.attributes("input[name=delivery][checked]", "value");
    assert_eq!(chosen, ["page"]);
    let leave = format!("{group}/leave");
    let form = bob.open(&leave).await.form(&leave);
    for _ in 0..2 {
        bob.submit_accepted(&form).await;
    }
    assert!(bob.open(&group).await.visible_text().contains("1 member"));
    assert!(
        !bob.open("/groups/mine")
            .await
            .visible_text()
            .contains("The birds")
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_request_notifies_the_moderators_until_it_is_answered() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[("joining", "request")]).await;
    join(&bob, &group).await;
    assert!(
        bob.open(&group)
            .await
            .visible_text()
            .contains("Waiting for an answer")
    );
    let told = notifications(&alice).await;
    assert!(
        told[0].contains("asked to join") && told[0].contains("The birds"),
        "{told:?}"
    );
    let withdraw = bob.open(&group).await.form(&format!("{group}/withdraw"));
    for words in ["Your request is withdrawn.", "You have no open request"] {
        let answer = bob.submit_accepted(&withdraw).await;
        let shown = bob.open(answer.location()).await.visible_text();
        assert!(shown.contains(words), "{shown}");
    }
    assert!(notifications(&alice).await.is_empty());

    join(&bob, &group).await;
    let requests = format!("{group}/requests");
    assert!(
        alice
            .open(&group)
            .await
            .visible_text()
            .contains("Requests (1)")
    );
    let form = alice.open(&requests).await.form(&requests);
    let refuse = with_choices(form.clone(), &[("answer", "refuse")]);
    let accept = with_choices(form, &[("answer", "accept")]);
    let withdraw = bob.open(&group).await.form(&format!("{group}/withdraw"));
    alice.submit_accepted(&accept).await;
    let answer = bob.submit_accepted(&withdraw).await;
    let shown = bob.open(answer.location()).await.visible_text();
    assert!(shown.contains("You became a member before."), "{shown}");
    let late = alice.submit(&refuse).await;
    assert_eq!(
        late.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "it was answered"
    );
    assert!(
        bob.open(&group)
            .await
            .visible_text()
            .contains("Leave the group")
    );
    let told = notifications(&bob).await;
    assert!(
        told[0].contains("news about your part in a group"),
        "{told:?}"
    );
    let notices = bob.open("/groups/notices").await.visible_text();
    assert!(notices.contains("Your request was accepted"), "{notices}");
    assert!(notifications(&alice).await.is_empty());
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_invited_person_is_notified_and_joins_or_declines() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[("joining", "invitation")]).await;
    assert!(
        bob.open(&group)
            .await
            .find_form(&format!("{group}/join"))
            .is_none()
    );
    assert_eq!(
        invite(&alice, &group, "@bob").await.status,
        StatusCode::SEE_OTHER
    );
    let told = notifications(&bob).await;
    assert!(told[0].contains("invited you to The birds"), "{told:?}");
    press(&bob, "/groups/mine", &format!("{group}/decline")).await;
    assert!(notifications(&bob).await.is_empty());
    assert!(
        bob.open(&group)
            .await
            .find_form(&format!("{group}/join"))
            .is_none()
    );
    invite(&alice, &group, "bob").await;
    press(&bob, "/groups/mine", &format!("{group}/join")).await;
    assert!(bob.open(&group).await.visible_text().contains("2 members"));
    let again = invite(&alice, &group, "bob").await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        invite(&alice, &group, "nobody").await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_invitation_of_a_blocked_person_is_refused() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(&alice, "birds", &[]).await;
    let block = bob.open("/@alice").await.form("/@alice/block");
    bob.submit_accepted(&block).await;
    let refused = invite(&alice, &group, "bob").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(notifications(&bob).await.is_empty());
}

#[tokio::test]
async fn invitations_follow_the_rules_of_conversations_and_have_a_limit_for_each_person() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    let group = make(&alice, "birds", &[]).await;
    let refused = async |login: &str| {
        let answer = invite(&alice, &group, login).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{login}");
        answer.visible_text()
    };
    let path = "/settings/messages";
    let form = bob.open(path).await.form(path);
    bob.submit_accepted(&form.clone().set("group_messages_from", "followed"))
        .await;
    let words = refused("bob").await;
    assert!(words.contains("You cannot invite this person"), "{words}");
    output_of(&site, &["limit", "alice", "--reason", "spam"]);
    let words = refused("carol").await;
    assert!(words.contains("You cannot invite this person"), "{words}");
    for person in [&bob, &carol] {
        assert!(notifications(person).await.is_empty());
        person.follow("alice").await;
    }
    assert_eq!(
        invite(&alice, &group, "bob").await.status,
        StatusCode::SEE_OTHER
    );

    // Declined invitations count.
    for _ in 0..2 {
        assert_eq!(
            invite(&alice, &group, "carol").await.status,
            StatusCode::SEE_OTHER
        );
        press(&carol, "/groups/mine", &format!("{group}/decline")).await;
    }
    let over = invite(&alice, &group, "carol").await;
    assert_eq!(over.status, StatusCode::TOO_MANY_REQUESTS);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_request_of_a_person_without_room_stays_and_the_moderator_reads_why() {
    let site = Site::with(&["--max-groups", "1"]).await;
    let (alice, bob) = alice_and_bob(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    let group = make(&alice, "birds", &[("joining", "request")]).await;
    let other = make(&carol, "frogs", &[]).await;
    join(&bob, &group).await;
    join(&bob, &other).await;
    let path = format!("{group}/requests");
    let accept = alice
        .open(&path)
        .await
        .form(&path)
        .set_new("answer", "accept");
    let refused = alice.submit(&accept).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let words = refused.visible_text();
    assert!(
        words.contains("the limit of groups or invitations"),
        "{words}"
    );
    press(&bob, &format!("{other}/leave"), &format!("{other}/leave")).await;
    alice.submit_accepted(&accept).await;
    assert!(bob.open(&group).await.visible_text().contains("2 members"));
    site.assert_sound().await;
}

pub async fn alice_and_bob(site: &Site) -> (Person, Person) {
    (
        Person::sign_up(site, "alice").await,
        Person::sign_up(site, "bob").await,
    )
}
