//! Every power over reports and people, for every role.

use reqwest::StatusCode;

use super::{
    ANSWER, CASE, CLAIM, DECIDE, DECISIONS, END, QUEUE, RELEASE, decide, decision, report, three,
};
use crate::{
    administration::output_of,
    groups, messages,
    support::{Form, Person, Site},
};

const PAGES: [&str; 3] = [QUEUE, "/admin/appeals", CASE];

/// Returns the forms about bob, as a moderator has them.
async fn forms(moderator: &Person) -> Vec<Form> {
    let case = moderator.open(CASE).await;
    let claim = case.form(CLAIM);
    let decide = decision(moderator, "note").await;
    let end = case.form(END);
    let answer = Form {
        action: ANSWER.to_owned(),
        ..end.clone().choose("answer", "refuse")
    };
    let release = Form {
        action: RELEASE.to_owned(),
        ..claim.clone()
    };
    vec![claim, release, decide, end, answer]
}

#[tokio::test]
async fn each_role_has_exactly_its_powers_and_a_former_moderator_none() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    decide(&alice, "warn").await;
    let forms = forms(&alice).await;
    assert_eq!(forms[2].action, DECIDE);
    for role in ["welcomer", "none"] {
        output_of(&site, &["role", "alice", role]);
        for path in PAGES {
            assert_eq!(
                alice.get(path).await.status,
                StatusCode::FORBIDDEN,
                "{role} {path}"
            );
        }
        for form in &forms {
            let answer = alice.submit(form).await.status;
            assert_eq!(answer, StatusCode::FORBIDDEN, "{role} {}", form.action);
        }
        assert_eq!(alice.get(DECISIONS).await.status, StatusCode::OK);
    }
    let visitor = Person::visitor(&site);
    for path in PAGES {
        assert_eq!(
            visitor.get(path).await.status,
            StatusCode::SEE_OTHER,
            "{path}"
        );
    }
    for role in ["moderator", "owner"] {
        output_of(&site, &["role", "alice", role]);
        for path in PAGES {
            assert_eq!(
                alice.get(path).await.status,
                StatusCode::OK,
                "{role} {path}"
            );
        }
    }
}

#[tokio::test]
async fn moderators_decide_about_people_below_them_only() {
    let site = Site::start().await;
    let [alice, _, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    decide(&alice, "warn").await;
    let forms = forms(&alice).await;
    let permitted = [
        ("owner", "owner", false),
        ("owner", "moderator", true),
        ("moderator", "owner", false),
        ("moderator", "moderator", false),
        ("moderator", "welcomer", true),
    ];
    for (role, of_bob, is_permitted) in permitted {
        output_of(&site, &["role", "alice", role]);
        output_of(&site, &["role", "bob", of_bob]);
        let expected = match is_permitted {
            true => StatusCode::OK,
            false => StatusCode::FORBIDDEN,
        };
        assert_eq!(alice.get(CASE).await.status, expected, "{role} {of_bob}");
        for form in forms.iter().filter(|_| !is_permitted) {
            let answer = alice.submit(form).await.status;
            assert_eq!(
                answer,
                StatusCode::FORBIDDEN,
                "{role} {of_bob} {}",
                form.action
            );
        }
    }
}

#[tokio::test]
async fn no_role_opens_a_private_group_or_a_conversation_of_others() {
    let site = messages::site().await;
    let (alice, bob) = messages::pair(&site).await;
    let eve = Person::sign_up(&site, "eve").await;
    let chat = messages::begun(&alice, "bob", "A secret message").await;
    let choices = [("kind", "private"), ("unlisted", "1")];
    let group = groups::make(&alice, "secret", &choices).await;
    groups::invite(&alice, &group, "bob").await;
    groups::join(&bob, &group).await;
    let form = bob.open(&group).await.form("/statuses");
    bob.submit_accepted(&form.set("message", "A secret post"))
        .await;
    let [post] = bob.ids(&group).await[..] else {
        panic!("one post");
    };
    let pages = ["", "/members", "/log", "/requests", "/settings", "/report"];
    let pages = pages.map(|page| format!("{group}{page}"));
    let posts = [
        format!("/@bob/{post}"),
        format!("/statuses/{post}/menu"),
        format!("/statuses/{post}/report"),
        format!("{chat}/1/report"),
        chat.clone(),
    ];
    for role in ["owner", "moderator", "welcomer", "none"] {
        output_of(&site, &["role", "eve", role]);
        for path in pages.iter().chain(&posts) {
            let answer = eve.get(path).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{role} {path}");
        }
        for list in [
            "/search?q=secret",
            "/@bob",
            "/groups",
            "/messages",
            "/everybody",
            "/admin",
        ] {
            let page = eve.get(list).await;
            assert!(!page.html.contains("A secret"), "{role} {list}");
        }
    }
    assert!(
        bob.open(&chat)
            .await
            .visible_text()
            .contains("A secret message")
    );
    assert_eq!(bob.ids(&group).await, [post]);
}

#[tokio::test]
async fn a_moderator_loses_each_power_with_the_role_also_over_an_open_form() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    report(&carol, "/@bob/report").await;
    let suspend = "/admin/people/bob/suspend";
    let forms = [
        decision(&alice, "warn").await,
        alice.open(CASE).await.form(CLAIM),
        alice
            .open(suspend)
            .await
            .form(suspend)
            .set("reason", "Spam."),
    ];
    output_of(&site, &["role", "alice", "none"]);
    for form in &forms {
        let answer = alice.submit(form).await.status;
        assert_eq!(answer, StatusCode::FORBIDDEN, "{}", form.action);
    }
    assert!(bob.is_logged_in().await);
    let case = bob.open(DECISIONS).await.visible_text();
    assert!(!case.contains("Again"), "{case}");
}
