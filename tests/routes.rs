//! The table of routes: the paths that users bookmark and proxies know, one to one with the code.

use std::collections::BTreeSet;

use redwing::domain::Login;
use reqwest::{Method, StatusCode};

use crate::support::{Person, Site, request::Request};

/// Contract: every path and its methods. GET of a form without a page leads to the page above it.
const ROUTES: [(&str, &[&str]); 194] = [
    ("/", &["GET"]),
    ("/important", &["GET"]),
    ("/rules", &["GET"]),
    ("/about", &["GET"]),
    ("/privacy", &["GET"]),
    ("/moderation", &["GET"]),
    ("/everybody", &["GET"]),
    ("/help", &["GET"]),
    ("/help/importance", &["GET"]),
    ("/help/posting", &["GET"]),
    ("/help/leaving", &["GET"]),
    ("/live", &["GET"]),
    ("/live/notice", &["GET"]),
    ("/signup", &["GET", "POST"]),
    ("/login", &["GET", "POST"]),
    ("/invite/{link}", &["GET"]),
    ("/setup/{token}", &["GET", "POST"]),
    ("/login/recover", &["GET", "POST"]),
    ("/login/reset/{link}", &["GET", "POST"]),
    ("/logout", &["GET", "POST"]),
    ("/account", &["GET"]),
    ("/account/delete", &["GET", "POST"]),
    ("/account/reactivate", &["GET", "POST"]),
    ("/compose", &["GET"]),
    ("/statuses", &["GET", "POST"]),
    ("/statuses/{id}", &["GET"]),
    ("/statuses/press", &["GET", "POST"]),
    ("/statuses/{id}/delete", &["GET", "POST"]),
    ("/statuses/{id}/remove", &["GET", "POST"]),
    ("/statuses/{id}/edit", &["GET", "POST"]),
    ("/statuses/{id}/reply-control", &["GET", "POST"]),
    ("/statuses/{id}/hide", &["GET", "POST"]),
    ("/statuses/{id}/show", &["GET", "POST"]),
    ("/statuses/{id}/detach", &["GET", "POST"]),
    ("/statuses/{id}/state", &["GET"]),
    ("/statuses/{id}/menu", &["GET"]),
    ("/statuses/{id}/vote", &["GET", "POST"]),
    ("/@{login}/{id}/versions", &["GET"]),
    ("/@{login}", &["GET"]),
    ("/@{login}/replies", &["GET"]),
    ("/@{login}/favourites", &["GET"]),
    ("/@{login}/followers", &["GET"]),
    ("/@{login}/following", &["GET"]),
    ("/@{login}/follow", &["GET", "POST"]),
    ("/@{login}/unfollow", &["GET", "POST"]),
    ("/@{login}/withdraw", &["GET", "POST"]),
    ("/@{login}/remove", &["GET", "POST"]),
    ("/@{login}/block", &["GET", "POST"]),
    ("/@{login}/mute", &["GET", "POST"]),
    ("/@{login}/unmute", &["GET", "POST"]),
    ("/@{login}/preference", &["GET", "POST"]),
    ("/@{login}/{id}", &["GET"]),
    ("/@{login}/{id}/favourites", &["GET"]),
    ("/statuses/{id}/favourite", &["GET", "POST"]),
    ("/statuses/{id}/unfavourite", &["GET", "POST"]),
    ("/statuses/{id}/repost", &["GET", "POST"]),
    ("/statuses/{id}/unrepost", &["GET", "POST"]),
    ("/statuses/{id}/quote", &["GET", "POST"]),
    ("/@{login}/reposts/hide", &["GET", "POST"]),
    ("/@{login}/reposts/show", &["GET", "POST"]),
    ("/@{login}/{id}/reposts", &["GET"]),
    ("/statuses/{id}/pin", &["GET", "POST"]),
    ("/statuses/{id}/unpin", &["GET", "POST"]),
    ("/statuses/{id}/bookmark", &["GET", "POST"]),
    ("/statuses/{id}/unbookmark", &["GET", "POST"]),
    ("/favourites", &["GET"]),
    ("/bookmarks", &["GET"]),
    ("/messages", &["GET"]),
    ("/messages/search", &["GET"]),
    ("/messages/requests", &["GET"]),
    ("/messages/new", &["GET", "POST"]),
    ("/messages/{chat}", &["GET", "POST"]),
    ("/messages/{chat}/accept", &["GET", "POST"]),
    ("/messages/{chat}/ignore", &["GET", "POST"]),
    ("/messages/{chat}/leave", &["GET", "POST"]),
    ("/messages/{chat}/mute", &["GET", "POST"]),
    ("/messages/{chat}/unmute", &["GET", "POST"]),
    ("/messages/{chat}/clear", &["GET", "POST"]),
    ("/messages/{chat}/name", &["GET", "POST"]),
    ("/messages/{chat}/expiry", &["GET", "POST"]),
    ("/messages/{chat}/delete", &["GET", "POST"]),
    ("/messages/{chat}/hide", &["GET", "POST"]),
    ("/messages/{chat}/{message}/edit", &["GET", "POST"]),
    ("/messages/{chat}/{message}/report", &["GET", "POST"]),
    ("/messages/{chat}/block", &["GET", "POST"]),
    ("/settings/messages", &["GET", "POST"]),
    ("/help/messages", &["GET"]),
    ("/groups", &["GET"]),
    ("/groups/mine", &["GET"]),
    ("/groups/notices", &["GET"]),
    ("/help/groups", &["GET"]),
    ("/groups/new", &["GET", "POST"]),
    ("/groups/{slug}", &["GET"]),
    ("/groups/{slug}/feed", &["GET"]),
    ("/groups/{slug}/join", &["GET", "POST"]),
    ("/groups/{slug}/withdraw", &["GET", "POST"]),
    ("/groups/{slug}/decline", &["GET", "POST"]),
    ("/groups/{slug}/leave", &["GET", "POST"]),
    ("/groups/{slug}/delivery", &["GET", "POST"]),
    ("/groups/{slug}/take-over", &["GET", "POST"]),
    ("/groups/{slug}/members", &["GET"]),
    ("/groups/{slug}/members/{login}", &["GET", "POST"]),
    ("/groups/{slug}/members/{login}/press", &["GET", "POST"]),
    ("/groups/{slug}/requests", &["GET", "POST"]),
    ("/groups/{slug}/invitations", &["GET", "POST"]),
    ("/groups/{slug}/invitations/withdraw", &["GET", "POST"]),
    ("/groups/{slug}/bans", &["GET"]),
    ("/groups/{slug}/bans/end", &["GET", "POST"]),
    ("/groups/{slug}/log", &["GET"]),
    ("/groups/{slug}/settings", &["GET", "POST"]),
    ("/groups/{slug}/delete", &["GET", "POST"]),
    ("/profile", &["GET"]),
    ("/mentions", &["GET"]),
    ("/mentions/people", &["GET"]),
    ("/tags", &["GET"]),
    ("/tags/{tag}", &["GET"]),
    ("/tags/{tag}/follow", &["GET", "POST"]),
    ("/tags/{tag}/unfollow", &["GET", "POST"]),
    ("/notifications", &["GET"]),
    ("/lists", &["GET", "POST"]),
    ("/lists/{n}", &["GET"]),
    ("/lists/{n}/members", &["GET", "POST"]),
    ("/lists/{n}/members/remove", &["GET", "POST"]),
    ("/lists/{n}/edit", &["GET", "POST"]),
    ("/lists/{n}/delete", &["GET", "POST"]),
    ("/search", &["GET"]),
    ("/settings", &["GET"]),
    ("/settings/profile", &["GET", "POST"]),
    ("/settings/password", &["GET", "POST"]),
    ("/settings/blocked", &["GET"]),
    ("/settings/blocked/remove", &["GET", "POST"]),
    ("/settings/muted", &["GET"]),
    ("/settings/files", &["GET", "POST"]),
    ("/settings/files/following_accounts.csv", &["GET"]),
    ("/settings/files/blocked_accounts.csv", &["GET"]),
    ("/settings/files/muted_accounts.csv", &["GET"]),
    ("/settings/muted-words", &["GET", "POST"]),
    ("/settings/muted-words/remove", &["GET", "POST"]),
    ("/settings/muted-conversations", &["GET"]),
    ("/statuses/{id}/mute", &["GET", "POST"]),
    ("/statuses/{id}/unmute", &["GET", "POST"]),
    ("/settings/favourites", &["GET", "POST"]),
    ("/settings/account", &["GET", "POST"]),
    ("/settings/followers", &["GET"]),
    ("/settings/privacy", &["GET", "POST"]),
    ("/settings/requests", &["GET", "POST"]),
    ("/settings/recovery", &["GET", "POST"]),
    ("/settings/leave", &["GET", "POST"]),
    ("/settings/display", &["GET", "POST"]),
    ("/settings/login", &["GET", "POST"]),
    ("/login/device", &["GET", "POST"]),
    ("/login/device/{link}", &["GET", "POST"]),
    ("/settings/device", &["GET", "POST"]),
    ("/settings/device/confirm", &["GET", "POST"]),
    ("/settings/device/cancel", &["GET", "POST"]),
    ("/settings/export", &["GET", "POST"]),
    ("/settings/export/archive.zip", &["GET"]),
    ("/settings/sessions", &["GET"]),
    ("/settings/sessions/revoke", &["GET", "POST"]),
    ("/settings/sessions/revoke-all", &["GET", "POST"]),
    ("/admin", &["GET"]),
    ("/admin/site", &["GET", "POST"]),
    ("/admin/site/shields", &["GET", "POST"]),
    ("/admin/site/texts", &["GET", "POST"]),
    ("/admin/approvals", &["GET", "POST"]),
    ("/admin/people", &["GET"]),
    ("/admin/people/{login}", &["GET"]),
    ("/admin/people/{login}/suspend", &["GET", "POST"]),
    ("/admin/people/{login}/invited", &["GET", "POST"]),
    ("/admin/people/{login}/restore", &["GET", "POST"]),
    ("/admin/people/{login}/vouch", &["GET", "POST"]),
    ("/admin/people/{login}/reset", &["GET", "POST"]),
    ("/statuses/{id}/report", &["GET", "POST"]),
    ("/@{login}/report", &["GET", "POST"]),
    ("/groups/{slug}/report", &["GET", "POST"]),
    ("/settings/reports", &["GET"]),
    ("/account/decisions", &["GET"]),
    ("/account/decisions/appeal", &["GET", "POST"]),
    ("/admin/reports", &["GET"]),
    ("/admin/appeals", &["GET"]),
    ("/admin/reports/{login}", &["GET"]),
    ("/admin/reports/{login}/posts/{id}", &["GET"]),
    ("/admin/reports/{login}/claim", &["GET", "POST"]),
    ("/admin/reports/{login}/release", &["GET", "POST"]),
    ("/admin/reports/{login}/decide", &["GET", "POST"]),
    ("/admin/reports/{login}/end", &["GET", "POST"]),
    ("/admin/reports/{login}/answer", &["GET", "POST"]),
    ("/settings/invitations", &["GET", "POST"]),
    ("/settings/invitations/revoke", &["GET", "POST"]),
    ("/static/{file}", &["GET"]),
    ("/healthz", &["GET"]),
    ("/readyz", &["GET"]),
    ("/robots.txt", &["GET"]),
    ("/favicon.ico", &["GET"]),
];

#[tokio::test]
async fn each_route_answers_its_methods_and_no_others() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    for (pattern, methods) in ROUTES {
        let path = pattern
            .replace("{login}", "alice")
            .replace("{id}", "12345")
            .replace("{n}", "1")
            .replace("{chat}", "0123456789abcdef0123456789abcdef")
            .replace("{message}", "1")
            .replace("{slug}", "birds")
            .replace("{tag}", "birds")
            .replace("{file}", "x.css");
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let method: Method = method.parse().expect("a method");
            let answer = Request::new(&visitor, method.clone(), &path).send().await;
            let answered = answer.status != StatusCode::METHOD_NOT_ALLOWED;
            assert_eq!(
                answered,
                methods.contains(&method.as_str()),
                "{method} {path}: {}",
                answer.status
            );
        }
    }
}

#[test]
fn the_table_names_every_route_of_the_code_and_no_other() {
    let files = [
        include_str!("../src/web/table/mod.rs"),
        include_str!("../src/web/table/accounts.rs"),
        include_str!("../src/web/table/messages.rs"),
    ];
    let in_code: BTreeSet<String> = files
        .iter()
        .flat_map(|code| code.split(".service(").skip(1))
        .filter_map(|service| service.split('"').nth(1))
        .filter(|path| path.starts_with('/'))
        .map(|path| path.replace(":.+", ""))
        .collect();
    let in_table: BTreeSet<String> = ROUTES.iter().map(|(path, _)| (*path).to_owned()).collect();
    assert_eq!(in_code, in_table);
}

#[test]
fn every_first_segment_of_a_path_is_a_reserved_login() {
    let segments: BTreeSet<&str> = ROUTES
        .iter()
        .filter_map(|(path, _)| path.split('/').nth(1))
        .filter(|segment| {
            !segment.is_empty() && !segment.starts_with('@') && !segment.contains('.')
        })
        .chain(["metrics"])
        .collect();
    for segment in segments {
        assert!(Login::parse(segment).is_err(), "{segment}");
        assert!(
            Login::parse(&segment.to_uppercase()).is_err(),
            "{segment} in capitals"
        );
    }
}

#[tokio::test]
async fn deliveries_do_not_wait_for_probes() {
    let site = Site::start().await;
    let visitor = Person::visitor(&site);
    for path in ["/healthz", "/readyz"] {
        assert_eq!(visitor.get(path).await.status, StatusCode::OK);
        assert_eq!(site.store.last_page(), 0, "{path}");
    }
    assert_eq!(visitor.get("/").await.status, StatusCode::OK);
    assert!(site.store.last_page() > 0, "a page is one");
}

#[tokio::test]
async fn metrics_are_not_served_to_the_public() {
    let site = Site::start().await;
    assert_eq!(
        Person::visitor(&site).get("/metrics").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn the_path_of_ones_profile_leads_there_after_the_log_in() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    for (person, page) in [(&alice, "/@alice"), (&visitor, "/login?next=%2Fprofile")] {
        let answer = person.get("/profile").await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert_eq!(answer.location(), page);
    }
}

#[tokio::test]
async fn another_spelling_of_a_login_leads_to_the_same_page() {
    let site = Site::start().await;
    Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    for path in ["/@ALICE/followers?before=5", "/@%41lice/followers?before=5"] {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT);
        assert_eq!(answer.location(), "/@alice/followers?before=5", "{path}");
    }
}
