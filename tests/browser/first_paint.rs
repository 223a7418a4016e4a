//! The first paint: a browser shows a page when all of it has arrived, so it makes one layout and not several.

use std::{io, sync::Arc};

use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
};

use crate::{
    browser::chromium::{Browser, Scripts},
    support::{Person, Site, waiting::eventually},
};

const EMPTY: &str =
    "<!DOCTYPE html><html lang=en><title>Empty</title><footer class=bottom></footer>";
const FOUND: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\nconnection: close\r\n\r\n";
const NOT_FOUND: &str = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const END_OF_POST: &str = "</article>";

/// Returns whether the page is drawn while the page that opened it draws several frames.
const DRAWN: &str = "return new Promise((resolve) => {
    let drawn = false;
    window.opened.requestAnimationFrame(() => (drawn = true));
    let frames = 0;
    const next = () => (++frames > 5 ? resolve(drawn) : requestAnimationFrame(next));
    next();
})";

/// Serves an empty page at `/`, and at `/slow` the page of a site up to its first post, and the rest when it may.
struct SlowServer {
    base: String,
    may_send_rest: Arc<Notify>,
}

impl SlowServer {
    async fn start(html: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("loopback has a free port");
        let address = listener.local_addr().expect("a listener has an address");
        let may_send_rest = Arc::new(Notify::new());
        let rest = Arc::clone(&may_send_rest);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (html, rest) = (html.clone(), Arc::clone(&rest));
                // A browser can end a connection at any time.
                tokio::spawn(async move { drop(answer(stream, &html, &rest).await) });
            }
        });
        Self {
            base: format!("http://{address}"),
            may_send_rest,
        }
    }
}

async fn answer(stream: TcpStream, html: &str, may_send_rest: &Notify) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut request = String::new();
    while !request.ends_with("\r\n\r\n") {
        if stream.read_line(&mut request).await? == 0 {
            return Ok(());
        }
    }
    let stream = stream.get_mut();
    if request.starts_with("GET / ") {
        stream.write_all(FOUND.as_bytes()).await?;
        stream.write_all(EMPTY.as_bytes()).await?;
    } else if request.starts_with("GET /slow ") {
        let (beginning, rest) = html.split_once(END_OF_POST).expect("the page has a post");
        stream.write_all(FOUND.as_bytes()).await?;
        stream.write_all(beginning.as_bytes()).await?;
        stream.write_all(END_OF_POST.as_bytes()).await?;
        may_send_rest.notified().await;
        stream.write_all(rest.as_bytes()).await?;
    } else {
        stream.write_all(NOT_FOUND.as_bytes()).await?;
    }
    stream.shutdown().await
}

#[tokio::test]
async fn a_page_is_drawn_when_all_of_it_has_arrived() {
    let site = Site::start().await;
    let bob = Person::sign_up(&site, "bob").await;
    for message in ["the first", "the second"] {
        bob.post(message).await;
    }
    let server = SlowServer::start(Person::visitor(&site).get("/@bob").await.html).await;
    let Some(browser) = Browser::at(&server.base, 1280, Scripts::On).await else {
        return;
    };
    browser.go("/").await;
    let open = "window.opened = window.open('/slow', '', 'popup'); return null";
    browser.evaluate(open, vec![]).await;
    let has_arrived = "return !!window.opened.document.querySelector('article')";
    eventually("the first post has arrived", async || {
        browser.evaluate(has_arrived, vec![]).await == json!(true)
    })
    .await;
    assert_eq!(browser.evaluate(DRAWN, vec![]).await, json!(false));
    server.may_send_rest.notify_one();
    eventually("the page is drawn", async || {
        browser.evaluate(DRAWN, vec![]).await == json!(true)
    })
    .await;
    browser.close().await;
}
