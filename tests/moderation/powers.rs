//! Every power over reports and people, for every role.

use reqwest::StatusCode;

use super::{
    ANSWER, CASE, CLAIM, DECIDE, DECISIONS, END, QUEUE, RELEASE, decide, decision, report, three,
};
use crate::{
    administration::output_of,
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
