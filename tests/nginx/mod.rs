//! The site as visitors reach it: through Debian's nginx with `deploy/nginx.conf`, over TLS.
//! `security/proxies.rs` covers untrusted forwarded headers.

mod floods;
mod front;

use std::{fs, os::unix::fs::PermissionsExt};

use reqwest::{Method, StatusCode};

use crate::{
    live::page::OpenPage,
    support::{PASSWORD, Page, cookies::set_cookies, request::Request, waiting::eventually},
};
use front::{ELSEWHERE, Front, HERE, NAME, ORIGIN};

#[tokio::test]
async fn plain_http_leads_to_the_same_page_by_https() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let answer = by_plain_http(&front, "/@robin?before=12").await;
    assert_eq!(answer.status, StatusCode::MOVED_PERMANENTLY);
    assert_eq!(
        answer.location(),
        "https://redwing.example/@robin?before=12"
    );
}

#[tokio::test]
async fn certbot_can_show_by_plain_http_that_the_name_is_ours() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    front.put_challenge("token", "proof");
    let answer = by_plain_http(&front, "/.well-known/acme-challenge/token").await;
    assert_eq!(answer.html, "proof");
}

#[tokio::test]
async fn the_session_is_bound_to_this_host_and_to_https() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let robin = front.visitor(HERE);
    let answer = robin.send_sign_up("robin").await;
    let cookies = set_cookies(&answer.headers);
    let session = cookies
        .iter()
        .find(|cookie| cookie.name == "__Host-redwing")
        .expect("a session begins");
    for (attribute, value) in [
        ("secure", Some("")),
        ("httponly", Some("")),
        ("samesite", Some("Lax")),
        ("path", Some("/")),
        ("domain", None),
    ] {
        assert_eq!(session.attribute(attribute), value, "{attribute}");
    }
    assert!(robin.is_logged_in().await);
}

#[tokio::test]
async fn security_headers_arrive_once_each() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let page = front.visitor(HERE).get("/").await;
    for name in [
        "strict-transport-security",
        "content-security-policy",
        "x-content-type-options",
        "referrer-policy",
        "cache-control",
        "x-request-id",
    ] {
        let values: Vec<_> = page.headers.get_all(name).iter().collect();
        assert_eq!(values.len(), 1, "{name}: {values:?}");
    }
    assert_eq!(page.header("server"), Some("nginx"), "no version is sent");
}

#[tokio::test]
async fn pages_of_logged_in_users_are_never_cached() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let robin = front.sign_up("robin").await;
    for path in ["/", "/@robin", "/@robin/followers", "/settings", "/nowhere"] {
        let page = robin.get(path).await;
        let directives: Vec<_> = page.headers.get_all("cache-control").iter().collect();
        assert_eq!(directives, ["private, no-store"], "{path}");
        assert_eq!(page.header("expires"), None, "{path}");
    }
    let next = front.visitor(HERE).get("/@robin").await;
    assert!(
        !next.has("form[action=\"/logout\"]"),
        "the next visitor sees a page of their own"
    );
}

#[tokio::test]
async fn stream_events_arrive_at_once() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let robin = front.sign_up("robin").await;
    let mut page = OpenPage::home(&robin).await;
    page.wait_for_count("posts", ["0", "posts"]).await;
    robin.post("hello").await;
    page.wait_for_count("posts", ["1", "post"]).await;
}

#[tokio::test]
async fn static_files_are_compressed_and_cached_for_ever() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let visitor = front.visitor(HERE);
    let page = visitor.get("/").await;
    let files = [
        page.attributes("link[rel=stylesheet]", "href"),
        page.attributes("script", "src"),
    ]
    .concat();
    assert!(!files.is_empty());
    for file in files {
        let plain = visitor.get(&file).await;
        assert_eq!(plain.header("content-encoding"), None, "{file}");
        let request = Request::get(&visitor, &file).header("accept-encoding", "gzip");
        let answer = request.send().await;
        assert_eq!(answer.status, StatusCode::OK, "{file}");
        assert_eq!(answer.header("content-encoding"), Some("gzip"), "{file}");
        assert_eq!(
            answer.header("cache-control"),
            Some("public, max-age=31536000, immutable"),
            "{file}"
        );
    }
}

#[tokio::test]
async fn a_visitor_is_identified_by_the_address_that_nginx_sees() {
    let Some(front) = Front::start(&["--sign-ups-per-hour", "1"]).await else {
        return;
    };
    front.sign_up("robin").await;
    for (header, value) in [
        ("x-forwarded-for", "198.51.100.7"),
        ("x-forwarded-for", "127.0.0.1, 198.51.100.7"),
        ("forwarded", "for=198.51.100.7"),
        ("x-real-ip", "198.51.100.7"),
    ] {
        let forger = front.visitor(HERE);
        let form = forger.get("/signup").await.form("/signup");
        let form = form
            .set("login", "wren")
            .set("name", "Wren")
            .set("password", PASSWORD);
        let request = Request::submit(&forger, &form).header(header, value);
        let status = request.send().await.status;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{header}: {value}");
    }
    let answer = front.visitor(ELSEWHERE).send_sign_up("wren").await;
    assert_eq!(
        answer.status,
        StatusCode::SEE_OTHER,
        "another address has a limit of its own"
    );
}

#[tokio::test]
async fn only_the_group_of_the_proxy_reaches_the_socket() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let socket = fs::metadata(front.socket()).expect("Redwing listens");
    assert_eq!(socket.permissions().mode() & 0o777, 0o660);
}

#[tokio::test]
async fn a_body_too_large_is_refused_with_a_page() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let robin = front.sign_up("robin").await;
    let home = robin.open("/").await;
    for (bytes, by_redwing) in [(100_000, true), (300_000, false)] {
        let form = home.form("/statuses").set("message", &"a".repeat(bytes));
        let answer = robin.submit(&form).await;
        assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{bytes}");
        assert!(answer.has("main h1"), "{bytes}: {}", answer.html);
        assert_eq!(
            answer.header("x-request-id").is_some(),
            by_redwing,
            "{bytes}"
        );
    }
}

#[tokio::test]
async fn while_redwing_is_away_a_page_says_so_and_typed_text_can_be_sent_again() {
    let Some(mut front) = Front::start(&[]).await else {
        return;
    };
    let robin = front.sign_up("robin").await;
    let form = robin.open("/").await.form("/statuses");
    let form = form.set("message", "Typed before the restart");
    front.stop_redwing();
    let answer = robin.submit(&form).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.header("retry-after"), Some("5"));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_eq!(answer.text("main h1"), "Temporarily unavailable");

    front.start_redwing();
    robin.submit_accepted(&form).await;
    robin.submit_accepted(&form).await;
    let home = robin.open("/").await;
    assert_eq!(home.messages(), ["Typed before the restart"]);
}

#[tokio::test]
async fn a_request_has_the_same_number_in_both_logs() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let page = front.visitor(HERE).get("/nowhere").await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    let number = page.header("x-request-id").expect("Redwing answers");
    eventually("nginx logs the number", async || {
        let log = front.access_log();
        log.lines()
            .any(|line| line.contains("/nowhere") && line.ends_with(number))
    })
    .await;
}

#[tokio::test]
async fn the_log_has_no_secrets_and_only_the_beginning_of_long_texts() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let visitor = front.visitor(HERE);
    visitor.get("/login/reset/7.secretsecret").await;
    visitor.get("/search?q=secretsecret").await;
    let long = format!("/nowhere/{}", "x".repeat(3_000));
    visitor.get(&long).await;
    // nginx writes four bytes for each byte of "é", and each quote.
    let odd = "\"é".repeat(300);
    let method = "A".repeat(3_000);
    let request = format!(
        "{method} /{odd} HTTP/1.1\r\nHost: {NAME}\r\nUser-Agent: {odd}\r\nConnection: close\r\n\r\n"
    );
    let answer = front.send_bytes(&request).await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    let page = visitor.get("/the-last").await;
    let number = page.header("x-request-id").expect("Redwing answers");
    eventually("nginx logs the last request", async || {
        front.access_log().contains(number)
    })
    .await;
    let log = front.access_log();
    assert!(!log.contains("secretsecret"), "{log}");
    for start in ["/login/reset/-", "/search", "/nowhere/xxx"] {
        assert!(log.contains(start), "{start}: {log}");
    }
    assert!(
        log.contains("\"AAAAAAAAAA / HTTP/1.1\" 4"),
        "the odd request: {log}"
    );
    assert!(log.lines().all(|line| line.len() <= 500), "{log}");
}

#[tokio::test]
async fn readiness_is_served_only_on_this_machine() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let [here, elsewhere] = [HERE, ELSEWHERE].map(|from| front.visitor(from));
    assert_eq!(here.get("/readyz").await.status, StatusCode::OK);
    assert_eq!(elsewhere.get("/readyz").await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn another_name_gets_no_answer() {
    let Some(front) = Front::start(&[]).await else {
        return;
    };
    let address = "https://other.example/";
    let failure = front.client(HERE).get(address).send().await;
    assert!(failure.is_err());
    // The handshake names the site, and the request another one.
    let request = front
        .client(HERE)
        .get(ORIGIN)
        .header("host", "other.example");
    assert!(request.send().await.is_err());
    let plain = format!("http://127.0.0.1:{}/", front.http_port);
    assert!(front.client(HERE).get(plain).send().await.is_err());
    assert_eq!(front.other_logs(), "");
}

#[tokio::test]
async fn requests_that_no_limit_counts_are_not_logged() {
    let Some(mut front) = Front::start(&[]).await else {
        return;
    };
    let visitor = front.visitor(HERE);
    visitor.get("/the-first").await;
    let client = front.client(HERE);
    let too_large = client.post(format!("{ORIGIN}/too-large"));
    let refused = too_large.body("a".repeat(300_000)).send().await;
    assert_eq!(
        refused.expect("an answer").status(),
        StatusCode::PAYLOAD_TOO_LARGE
    );
    let trace = client
        .request(Method::TRACE, format!("{ORIGIN}/trace"))
        .send()
        .await;
    assert_eq!(
        trace.expect("an answer").status(),
        StatusCode::METHOD_NOT_ALLOWED
    );
    let as_a_file = visitor.get("/statuses/..%2fstatic%2fx").await;
    assert_eq!(as_a_file.status, StatusCode::NOT_FOUND);
    assert_eq!(
        as_a_file.header("x-request-id"),
        None,
        "Redwing is not asked"
    );
    front.stop_redwing();
    visitor.get("/login/reset/7.secretsecret").await;
    visitor.get("/the-last").await;
    eventually("nginx logs the last request", async || {
        front.access_log().contains("/the-last")
    })
    .await;
    let log = front.access_log();
    for path in ["too-large", "trace", "static"] {
        assert!(!log.contains(path), "{path}: {log}");
    }
    assert!(!log.contains("secretsecret"), "{log}");
    assert_eq!(front.other_logs(), "");
}

async fn by_plain_http(front: &Front, path: &str) -> Page {
    let url = format!("http://127.0.0.1:{}{path}", front.http_port);
    let request = front.client(HERE).get(url).header("host", NAME);
    let answer = request.send().await.expect("nginx answers");
    Page::read(path.to_owned(), answer).await
}
