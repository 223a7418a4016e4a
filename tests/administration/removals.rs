//! `redwing admin invitations --revoke` and `redwing admin delete-group`.

use reqwest::StatusCode;

use super::{admin, document, output_of, refuse};
use crate::{
    groups::{join, make},
    support::{Person, Site, crowd},
};

#[tokio::test]
async fn a_revoked_invitation_admits_no_one() {
    let site = Site::with(&["--sign-up", "invitation"]).await;
    crowd::member(&site.store, "alice").await;
    let make = ["invitations", "alice", "--make", "--json"];
    let made = [document(&site, &make), document(&site, &make)];
    let link = made[0]["rows"][0]["link"].as_str().expect("a link");
    let path = link.strip_prefix("http://127.0.0.1:8080").expect("a path");
    let revoke = ["invitations", "alice", "--revoke", link];
    let done = document(&site, &[&revoke[..], &["--json"]].concat());
    assert_eq!(
        (&done["did"], &done["login"]),
        (&"revoke".into(), &"alice".into())
    );
    let page = Person::visitor(&site).get(path).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    let left = document(&site, &["invitations", "alice", "--json"]);
    let left = left["rows"].as_array().expect("rows");
    assert_eq!(left.len(), 1);
    let log = output_of(&site, &["log"]);
    assert_eq!(
        log.matches("the host revoked an invitation").count(),
        1,
        "{log}"
    );
    let again = document(&site, &[&revoke[..], &["--json"]].concat());
    assert_eq!(again, done);
    let unknown = ["invitations", "alice", "--revoke", "0000000000000000"];
    refuse(&site, &[(&unknown, "has no such unused invitation")]);
    assert_eq!(output_of(&site, &["log"]), log);
    // The code alone is enough.
    let other = left[0]["link"].as_str().expect("a link");
    let (_, code) = other.rsplit_once('/').expect("a path");
    let (_, code) = code.split_once('-').expect("a code");
    output_of(&site, &["invitations", "alice", "--revoke", code]);
    let none = document(&site, &["invitations", "alice", "--json"]);
    assert_eq!(none["rows"], serde_json::json!([]));
}

#[tokio::test]
async fn a_group_is_deleted_by_the_host_and_its_deletion_is_logged_once() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let bob = Person::sign_up(&site, "bob").await;
    let group = make(&alice, "boats", &[]).await;
    join(&bob, &group).await;
    let delete = ["delete-group", "boats", "--now"];
    assert!(
        !admin(&site, &delete[..2]).status.success(),
        "it is confirmed"
    );
    let done = document(&site, &[&delete[..], &["--json"]].concat());
    assert_eq!(
        (&done["did"], &done["slug"]),
        (&"delete_group".into(), &"boats".into())
    );
    for person in [&alice, &bob] {
        assert_eq!(person.get(&group).await.status, StatusCode::NOT_FOUND);
    }
    refuse(&site, &[(&delete, "there is no group boats")]);
    site.drain().await;
    refuse(&site, &[(&delete, "there is no group boats")]);
    let log = output_of(&site, &["log"]);
    assert_eq!(
        log.matches("the host deleted the group boats").count(),
        1,
        "{log}"
    );
    site.assert_sound().await;
    make(&bob, "boats", &[]).await;
}
