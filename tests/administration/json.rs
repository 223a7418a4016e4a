//! Each command of `redwing admin` prints a JSON document too.

use serde_json::Value;

use super::document;
use crate::support::{Person, Site};

#[tokio::test]
async fn commands_about_an_account_print_documents() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let shown = document(&site, &["show", "alice", "--json"]);
    let id = shown["id"].as_u64().expect("an id");
    let done = |document: &Value, did: &str| {
        assert_eq!(document["did"], did);
        assert_eq!(document["login"], "alice");
        assert_eq!(document["id"], id);
    };
    let reset = document(&site, &["reset", "alice", "--json"]);
    done(&reset, "reset");
    let link = reset["link"].as_str().expect("a link");
    assert!(
        link.starts_with("http://127.0.0.1:8080/login/reset/"),
        "{link}"
    );
    let role = document(&site, &["role", "alice", "moderator", "--json"]);
    done(&role, "role");
    assert_eq!(role["role"], "moderator");
    let none = document(&site, &["role", "alice", "none", "--json"]);
    assert_eq!(none.get("role"), None);
    done(
        &document(&site, &["suspend", "alice", "--reason", "Spam.", "--json"]),
        "suspend",
    );
    done(&document(&site, &["restore", "alice", "--json"]), "restore");
    done(
        &document(&site, &["delete", "alice", "--now", "--json"]),
        "delete",
    );
    site.drain().await;
    let log = document(&site, &["log", "--json"]);
    assert_eq!(log["acts"].as_array().map(Vec::len), Some(6), "{log}");
    site.assert_sound().await;
}
