//! Removing a post from a quote, hiding a reply and closing replies, with each round trip failing.

use futures_util::join;
use reqwest::StatusCode;

use super::{DEADLINE, RESPONSE, Scene, at_every_step, on_one_node, send_again};
use crate::support::{
    Form, Person, Site, action_path, crowd,
    proxied_server::ProxiedServer,
    proxy::{Fault, When},
};

/// Signs up an author with a post, and lets another person reply to it and quote it. Returns the post and those.
async fn author(site: &Site, name: &str) -> (Person, [u64; 3]) {
    let alice = Person::sign_up(site, &format!("a_{name}")).await;
    let id = alice.post("worth telling").await;
    let other = crowd::member(&site.store, &format!("b_{name}")).await;
    let post = redwing::domain::StatusId::new(id).expect("an id");
    let reply = crowd::reply(&site.store, other, post, "an answer").await;
    let quote = crowd::quote(&site.store, other, post, "a comment").await;
    (alice, [id, reply.get(), quote.get()])
}

async fn button(alice: &Person, id: u64, action: &str) -> Form {
    let menu = alice.open_menu(&format!("/statuses/{id}"), id).await;
    menu.button(&action_path(action, id))
}

async fn own_post(scene: &Scene) -> crate::support::Page {
    let id = scene.person.ids(&scene.person.profile()).await[0];
    scene.person.open(&format!("/statuses/{id}")).await
}

#[tokio::test]
async fn a_quote_is_detached_once() {
    at_every_step(
        async |site, name| {
            let (alice, [.., quote]) = author(site, name).await;
            let form = button(&alice, quote, "detach").await;
            (alice, form)
        },
        send_again,
        async |_, scene| {
            let page = scene.person.open(&format!("/@b_{}", scene.name)).await;
            assert_eq!(page.text(".quoted"), "This post was removed by its author");
            assert!(
                !own_post(scene).await.has("[data-quotes]"),
                "{}",
                scene.name
            );
        },
    )
    .await;
}

#[tokio::test]
async fn a_reply_is_hidden_once() {
    at_every_step(
        async |site, name| {
            let (alice, [_, reply, _]) = author(site, name).await;
            let form = button(&alice, reply, "hide").await;
            (alice, form)
        },
        send_again,
        async |_, scene| {
            let page = own_post(scene).await;
            assert_eq!(page.texts(".hidden-replies .e-content"), ["an answer"]);
        },
    )
    .await;
}

#[tokio::test]
async fn replies_are_closed_once() {
    at_every_step(
        async |site, name| {
            let (alice, [id, ..]) = author(site, name).await;
            let path = action_path("reply-control", id);
            let form = alice.open(&path).await.form(&path);
            (alice, form.set("repliers", "nobody"))
        },
        send_again,
        async |site, scene| {
            let page = own_post(scene).await;
            assert_eq!(
                page.texts(".subject > .status-body > .reply-limit"),
                ["Replies are closed"]
            );
            let reader = Person::visitor(site);
            let answer = reader.get(&page.path).await;
            assert_eq!(answer.status, StatusCode::OK);
            assert!(!answer.has("#reply a"), "{}", scene.name);
        },
    )
    .await;
}

#[tokio::test]
async fn a_rule_that_changes_between_decision_and_write_takes_a_reply_and_a_quote_back() {
    let site = on_one_node(&[]).await;
    let proxied = ProxiedServer::start(&site, RESPONSE * 10, DEADLINE * 10).await;
    let author = Person::sign_up(&site, "author").await;
    let reader = Person::sign_up(&site, "reader").await;
    let there = proxied.take(&reader);
    let first = author.post("worth telling").await;
    for (page, action) in [
        (format!("/@author/{first}"), "/statuses".to_owned()),
        (action_path("quote", first), action_path("quote", first)),
    ] {
        let path = action_path("reply-control", first);
        let control = author.open(&path).await.form(&path);
        let open = control.set("repliers", "everyone");
        author
            .submit_accepted(&open.without("quoting_closed"))
            .await;
        let control = author.open(&path).await.form(&path);
        let closed = control.set("repliers", "nobody");
        let closed = closed.set_new("quoting_closed", "1");
        let form = there
            .open(&page)
            .await
            .form(&action)
            .set("message", "an answer");
        // Only the command that creates the status names its text.
        proxied
            .proxy
            .strike(Fault::Hold, When::Only(1), "an answer");
        let change = async {
            proxied.proxy.holds().await;
            author.submit_accepted(&closed).await;
            proxied.proxy.pass();
        };
        let (answer, ()) = join!(there.submit(&form), change);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{action}");
        assert_eq!(answer.form("/statuses").value("message"), "an answer");
        site.drain().await;
        assert!(author.open("/@reader/replies").await.messages().is_empty());
        assert!(!author.open("/notifications").await.html.contains("@reader"));
    }
    let page = author.open(&format!("/@author/{first}")).await;
    assert_eq!(page.messages(), ["worth telling"]);
    assert!(!page.has("[data-quotes]") && !page.has(".reply b"));
    site.assert_sound().await;
}
