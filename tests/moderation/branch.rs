//! Freezing the people below a suspended person in the tree of invitations.

use redwing::{domain::UserId, store::Store};
use reqwest::StatusCode;

use super::{
    CASE, END, decision,
    given_back::delete_account,
    staff_forms::{assert_case_is_gone, assert_kept_logged_out},
    three,
};
use crate::{
    administration::{document, output_of},
    entrance::{invitations::invite, sign_up_at},
    support::{
        Form, Person, Site,
        core::Core,
        crowd::{people, uid},
        pool::Redis,
    },
};

const BRANCH: &str = "/admin/people/bob/invited";

/// Signs somebody up by an invitation of a person.
async fn invited_by(site: &Site, inviter: &Person, login: &str) -> Person {
    let path = invite(inviter).await;
    let visitor = Person::visitor(site);
    let page = visitor.open(&path).await;
    let answer = sign_up_at(&visitor, &page, login).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.html);
    visitor
}

async fn is_frozen(person: &Person) -> bool {
    person.open("/").await.has("#frozen")
}

/// Returns the form with these people ticked.
async fn ticked(store: &Store, form: Form, logins: &[&str]) -> Form {
    let mut form = form;
    form.fields.retain(|(name, _)| !name.starts_with("person_"));
    for login in logins {
        let name = format!("person_{}", uid(store, login).await);
        form.fields.push((name, "1".to_owned()));
    }
    form
}

/// Bob invited carol and dave, who is a moderator. Carol invited erin. Nobody invited frank.
async fn tree(site: &Site) -> ([Person; 2], [Person; 4]) {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    output_of(site, &["role", "alice", "moderator"]);
    let carol = invited_by(site, &bob, "carol").await;
    let dave = invited_by(site, &bob, "dave").await;
    let erin = invited_by(site, &carol, "erin").await;
    let frank = Person::sign_up(site, "frank").await;
    output_of(site, &["role", "dave", "moderator"]);
    ([alice, bob], [carol, dave, erin, frank])
}

#[tokio::test]
async fn the_text_about_people_invited_by_a_deleted_person_comes_back() {
    let site = Site::with(&["--invitation-age-days", "0"]).await;
    let ([alice, bob], [.., erin, _]) = tree(&site).await;
    let form = alice.open(BRANCH).await.form(BRANCH);
    let form = form.choose("reason", "spam").set("days", "7");
    let form = ticked(&site.store, form, &["erin"]).await;
    let form = form.set("explanation", "A ring <b>.");
    delete_account(&site, &bob).await;
    assert_case_is_gone(&alice.submit(&form).await, "A ring <b>.");
    assert!(!is_frozen(&erin).await);
    assert_kept_logged_out(&site, &alice, &form, "explanation").await;
}

#[tokio::test]
async fn suspending_a_person_offers_to_freeze_the_people_whom_they_invited() {
    let site = Site::with(&["--invitation-age-days", "0"]).await;
    let ([alice, _], [carol, dave, erin, frank]) = tree(&site).await;
    let suspended = alice
        .submit_accepted(&decision(&alice, "suspend").await)
        .await;
    assert_eq!(suspended.location(), BRANCH);
    let page = alice.open(BRANCH).await;
    assert_eq!(page.texts(".check .handle"), ["@carol", "@erin"]);
    let about = page.texts(".check .hint");
    assert!(about[1].contains("invited by @carol"), "{about:?}");
    assert!(!about[0].contains("invited by"), "{about:?}");
    assert!(page.attributes("input[checked]", "name").is_empty());
    assert!(!page.has("#more-people"));
    let form = page.form(BRANCH).choose("reason", "spam");

    let refused = alice.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.has("#people-error"));
    let store = &site.store;
    let unexplained = ticked(store, form.clone(), &["erin"]).await;
    let refused = alice
        .submit(&unexplained.set("reason", "something_else"))
        .await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let erins = format!("person_{}", uid(store, "erin").await);
    assert_eq!(refused.attributes("input[checked]", "name"), [erins]);
    let forged = ticked(store, form.clone(), &["erin"]).await;
    let refused = alice.submit(&forged.set("csrf_token", "forged")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let kept = refused.attributes("input[type=hidden]", "name");
    assert!(kept.iter().any(|name| name.starts_with("person_")));
    assert!(!is_frozen(&erin).await);

    // A form that names people elsewhere freezes none of them.
    let form = form.set("days", "7").set("explanation", "A ring <b>.");
    let form = ticked(store, form, &["carol", "erin", "dave", "frank", "alice"]).await;
    for _ in 0..2 {
        let done = alice.submit_accepted(&form).await;
        assert_eq!(done.location(), CASE);
    }
    assert!(is_frozen(&carol).await && is_frozen(&erin).await);
    for person in [&dave, &frank, &alice] {
        assert!(!is_frozen(person).await);
    }
    let log = output_of(&site, &["log"]);
    for act in ["@alice froze @carol", "@alice froze @erin"] {
        assert_eq!(log.matches(act).count(), 1, "{act}: {log}");
    }
    let told = erin.open(super::DECISIONS).await.visible_text();
    assert!(told.contains("A ring <b>."), "{told}");
    let page = alice.open(BRANCH).await;
    assert!(page.find_form(BRANCH).is_none());

    // The case has the inviter and the earlier decisions.
    let case = alice.open(&CASE.replace("bob", "erin")).await;
    assert!(case.text(".lead").contains("joined"));
    assert!(case.text(".lead").contains("invited by @carol"));
    assert_eq!(
        case.texts(".decisions li > p:first-child"),
        ["@alice froze the account"]
    );

    // Each freeze is taken back on its own.
    let path = CASE.replace("bob", "carol");
    let end = alice.open(&path).await.form(&END.replace("bob", "carol"));
    alice.submit_accepted(&end).await;
    assert!(!is_frozen(&carol).await && is_frozen(&erin).await);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn the_other_form_and_the_host_offer_the_same_people() {
    let site = Site::with(&["--invitation-age-days", "0"]).await;
    let ([alice, _], _) = tree(&site).await;
    let suspend = "/admin/people/bob/suspend";
    let form = alice.open(suspend).await.form(suspend);
    let answer = alice.submit_accepted(&form.set("reason", "Spam.")).await;
    assert_eq!(answer.location(), BRANCH);
    output_of(&site, &["restore", "bob"]);
    let suspended = document(&site, &["suspend", "bob", "--reason", "Spam.", "--json"]);
    let invited = suspended["invited"].as_array().expect("a list");
    assert_eq!(invited, &["dave", "carol", "erin"]);
    output_of(&site, &["restore", "bob"]);
    let lines = output_of(&site, &["suspend", "bob", "--reason", "Spam."]);
    assert!(lines.contains("invited, directly or not: dave, carol, erin"));
    // A person who invited nobody leads to the usual page.
    let suspend = suspend.replace("bob", "frank");
    let form = alice.open(&suspend).await.form(&suspend);
    let answer = alice.submit_accepted(&form.set("reason", "Spam.")).await;
    assert_eq!(answer.location(), "/admin/people/frank");
}

#[tokio::test]
async fn only_those_who_decide_about_a_person_freeze_the_people_below() {
    let site = Site::with(&["--invitation-age-days", "0"]).await;
    let ([alice, _], [_, _, erin, _]) = tree(&site).await;
    let form = alice.open(BRANCH).await.form(BRANCH);
    let form = ticked(&site.store, form.choose("reason", "spam"), &["erin"]).await;
    for role in ["welcomer", "none"] {
        output_of(&site, &["role", "alice", role]);
        assert_eq!(alice.get(BRANCH).await.status, StatusCode::FORBIDDEN);
        assert_eq!(alice.submit(&form).await.status, StatusCode::FORBIDDEN);
    }
    output_of(&site, &["role", "alice", "moderator"]);
    output_of(&site, &["role", "bob", "owner"]);
    assert_eq!(alice.get(BRANCH).await.status, StatusCode::FORBIDDEN);
    assert_eq!(alice.submit(&form).await.status, StatusCode::FORBIDDEN);
    let visitor = Person::visitor(&site).get(BRANCH).await;
    assert_eq!(visitor.status, StatusCode::SEE_OTHER);
    assert!(!is_frozen(&erin).await);
}

/// Notes that these people came by an invitation of a person.
fn note_invited(redis: &Redis, by: UserId, invited: &[UserId]) {
    let key = format!("invited:{{{by}}}");
    for (at, id) in invited.iter().enumerate() {
        redis.command(&["ZADD", &key, &(at + 1).to_string(), &id.to_string()]);
    }
}

#[tokio::test]
async fn the_people_below_are_read_to_a_limit() {
    let core = Core::start();
    let store = &core.store;
    let wide = people(store, "wide", 203).await;
    note_invited(&core.redis, wide[0], &wide[1..]);
    let branch = store.invited_branch(wide[0]).await.expect("an answer");
    assert_eq!((branch.people.len(), branch.is_cut), (200, true));
    assert_eq!(branch.people[0].account.id, wide[202], "the newest first");
    let deep = people(store, "deep", 12).await;
    for pair in deep.windows(2) {
        note_invited(&core.redis, pair[0], &pair[1..]);
    }
    let branch = store.invited_branch(deep[0]).await.expect("an answer");
    let found: Vec<UserId> = branch.people.iter().map(|one| one.account.id).collect();
    assert_eq!((&found[..], branch.is_cut), (&deep[1..11], true));
    let branch = store.invited_branch(deep[2]).await.expect("an answer");
    assert_eq!((branch.people.len(), branch.is_cut), (9, false));
}

#[tokio::test]
async fn a_page_offers_fifty_people_and_the_next_ones_after_these_are_frozen() {
    let site = Site::start().await;
    let [alice, ..] = three(&site).await;
    let store = &site.store;
    let below = people(store, "guest", 53).await;
    note_invited(&site.redis, uid(store, "bob").await, &below);
    let page = alice.open(BRANCH).await;
    let names = page.attributes("input[type=checkbox]", "name");
    assert_eq!(names.len(), 50);
    assert!(page.has("#more-people"));
    let mut form = page.form(BRANCH).choose("reason", "spam");
    form.fields
        .extend(names.into_iter().map(|name| (name, "1".to_owned())));
    alice.submit_accepted(&form).await;
    let page = alice.open(BRANCH).await;
    assert_eq!(page.attributes("input[type=checkbox]", "name").len(), 3);
    assert!(!page.has("#more-people"));
}
