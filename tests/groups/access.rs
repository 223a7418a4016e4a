//! Who finds a group, and who reads what of it.

use reqwest::StatusCode;

use super::{act, alice_and_bob, invite, is_found, join, make};
use crate::support::{Person, Site};

#[tokio::test]
async fn an_unlisted_group_answers_like_an_absent_one() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let choices = [("kind", "private"), ("unlisted", "1")];
    let group = make(&alice, "secret", &choices).await;
    let visitor = Person::visitor(&site);
    // The first page after a sign-up welcomes.
    bob.open("/").await;
    for person in [&bob, &visitor] {
        for page in [
            "",
            "/members",
            "/log",
            "/settings",
            "/requests",
            "/leave",
            "/report",
        ] {
            let [hidden, absent] = [
                person.get(&format!("{group}{page}")).await,
                person.get(&format!("/groups/absent{page}")).await,
            ];
            assert_eq!(hidden.status, absent.status, "{page}");
            // Each error has a number of its own.
            let plain = |page: &crate::support::Page| {
                let text = page.visible_text();
                let lines = text.lines().filter(|line| !line.contains("request "));
                lines
                    .collect::<Vec<_>>()
                    .join("\n")
                    .replace("secret", "absent")
            };
            assert_eq!(plain(&hidden), plain(&absent), "{page}");
        }
        for list in ["/groups", "/groups?q=secret", "/groups?q=the"] {
            assert!(
                !person.open(list).await.html.contains("The secret"),
                "{list}"
            );
        }
    }
    let own = bob.open("/groups/new").await.form("/groups/new");
    for action in ["join", "withdraw", "decline", "leave", "report"] {
        let form = crate::support::Form {
            action: format!("{group}/{action}"),
            ..own.clone()
        };
        assert_eq!(
            bob.submit(&form).await.status,
            StatusCode::NOT_FOUND,
            "{action}"
        );
    }
    assert_eq!(
        invite(&alice, &group, "bob").await.status,
        StatusCode::SEE_OTHER
    );
    assert!(is_found(&bob, &group).await, "an invited person finds it");
    join(&bob, &group).await;
    act(&alice, &group, "bob", "ban", "").await;
    assert!(!is_found(&bob, &group).await, "a banned person does not");
    assert!(
        bob.open("/groups/notices")
            .await
            .visible_text()
            .contains("banned")
    );
}

#[tokio::test]
async fn members_of_a_private_group_are_seen_by_members_only() {
    let site = Site::start().await;
    let (alice, bob) = alice_and_bob(&site).await;
    let group = make(
        &alice,
        "circle",
        &[("kind", "private"), ("joining", "request")],
    )
    .await;
    let page = bob.open(&group).await;
    assert!(page.visible_text().contains("Only members read this group"));
    assert!(!is_found(&bob, &format!("{group}/members")).await);
    let public = make(&alice, "birds", &[]).await;
    assert!(is_found(&bob, &format!("{public}/members")).await);
    let visitor = Person::visitor(&site);
    assert!(
        visitor
            .open(&public)
            .await
            .visible_text()
            .contains("Log in to join")
    );
    let asked = visitor.get(&format!("{public}/members")).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER);
}
