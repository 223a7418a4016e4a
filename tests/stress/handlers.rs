//! A handler that panics or takes too long: its request is answered with a page, the form is
//! returned, and the site continues.

use std::sync::Arc;

use redwing::{
    store::Fuse,
    web::server::{self, Server},
};
use tempfile::TempDir;

use crate::support::{
    PASSWORD, Person, Site, core::Core, leftovers, process::ORIGIN, request::client,
    waiting::eventually,
};

/// Site in which every command to Redis, from the given one on, panics in the calling code.
struct Faulty {
    server: Server,
    _core: Core,
    _data: TempDir,
}

impl Faulty {
    fn after(commands: usize) -> Self {
        let data = leftovers::directory("redwing-");
        let directory = data.path().to_str().expect("temporary paths are text");
        let settings = [
            "--listen",
            "127.0.0.1:0",
            "--threads",
            "1",
            "--data-dir",
            directory,
            "--sign-up",
            "open",
        ];
        let core = Core::with(&settings);
        let config = Arc::new(core.store.config().clone());
        let store = core.store.with_fuse(Fuse::panicking_after(commands));
        Self {
            server: server::start(config, &store).expect("the site starts"),
            _core: core,
            _data: data,
        }
    }

    fn visitor(&self) -> Person {
        Person::at(client(), &self.server.address.to_string(), ORIGIN)
    }
}

#[tokio::test]
async fn a_handler_that_panics_is_answered_with_a_page_and_the_thread_goes_on() {
    let site = Faulty::after(0);
    let visitor = site.visitor();
    for _ in 0..3 {
        let page = visitor.get("/@alice").await;
        assert_eq!(page.status, 500, "{}", page.html);
        page.assert_helpful();
        let number = page.header("x-request-id").expect("every answer has one");
        assert!(page.visible_text().contains(number));
        assert!(!page.html.contains("failpoint"), "no inner detail");
    }
    assert_eq!(visitor.get("/healthz").await.status, 200);
    assert_eq!(visitor.get("/login").await.status, 200);
}

#[tokio::test]
async fn a_form_whose_handler_panics_comes_back() {
    let site = Faulty::after(0);
    let visitor = site.visitor();
    let page = visitor.send_sign_up("alice").await;
    assert_eq!(page.status, 500, "{}", page.html);
    assert_eq!(page.form("/signup").value("login"), "alice");
}

/// Starts a site with a Redis timeout longer than its request timeout.
async fn site_with_long_redis_timeout() -> Site {
    Site::with(&[
        "--redis-response-ms",
        "30000",
        "--request-ms",
        "3000",
        "--threads",
        "1",
    ])
    .await
}

#[tokio::test]
async fn a_page_that_takes_too_long_is_ended_with_a_retry_time() {
    let site = site_with_long_redis_timeout().await;
    let alice = Person::sign_up(&site, "alice").await;
    site.redis.pause();
    let page = alice.get("/").await;
    site.redis.resume();
    assert_eq!(page.status, 503);
    assert_eq!(page.header("retry-after"), Some("5"));
    page.assert_helpful();
    assert!(page.visible_text().contains("took too long"));
    eventually("it is answered again", async || {
        alice.get("/").await.status == 200
    })
    .await;
}

#[tokio::test]
async fn a_form_that_takes_too_long_comes_back_in_time() {
    let site = site_with_long_redis_timeout().await;
    let visitor = Person::visitor(&site);
    let form = visitor.open("/login").await.form("/login");
    site.redis.pause();
    let page = visitor
        .submit(&form.set("login", "alice").set("password", PASSWORD))
        .await;
    site.redis.resume();
    assert_eq!(page.status, 503);
    assert_eq!(page.form("/login").value("login"), "alice");
}
