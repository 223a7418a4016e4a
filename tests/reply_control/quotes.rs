//! Posts that others may not quote, and posts that their authors remove from quotes.

use redwing::store::Key;
use reqwest::StatusCode;

use super::{control_form, control_path};
use crate::support::{Person, Site, action_path, crowd};

/// Quotes a status. Returns the quote.
async fn quote(person: &Person, id: u64, message: &str) -> u64 {
    let path = action_path("quote", id);
    let form = person.open(&path).await.form(&path);
    person.submit_accepted(&form.set("message", message)).await;
    person.ids(&person.profile()).await[0]
}

#[tokio::test]
async fn only_its_author_quotes_a_post_that_is_closed_to_quotes() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let reader = Person::sign_up(&site, "reader").await;
    let id = author.post("not to be quoted").await;
    let path = format!("/@author/{id}");
    let open = reader.open(&action_path("quote", id)).await;
    let mut form = control_form(&author, id).await;
    form.fields.push(("quoting_closed".into(), "1".into()));
    author.submit_accepted(&form).await;
    assert_eq!(control_form(&author, id).await.value("quoting_closed"), "1");
    assert_eq!(
        control_form(&author, id).await.value("repliers"),
        "everyone"
    );
    let page = reader.open(&path).await;
    assert!(page.has(".subject [name=repost][data-quotes=none]"));
    assert!(!reader.open_menu(&path, id).await.has("a.quote"));
    assert!(
        page.find_button(&action_path("repost", id)).is_some(),
        "a repost stays possible"
    );
    assert!(!author.open(&path).await.has("[data-quotes]"));
    assert!(author.open_menu(&path, id).await.has("a.quote"));
    let why = "You cannot quote this post. Its author does not allow it.";
    let refused = reader.get(&action_path("quote", id)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains(why));
    // The form was open before.
    let form = open
        .form(&action_path("quote", id))
        .set("message", "my comment");
    let refused = reader.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.visible_text().contains(why));
    assert_eq!(refused.form("/statuses").value("message"), "my comment");
    assert!(reader.open("/@reader").await.messages().is_empty());
    quote(&author, id, "my own").await;
    let form = control_form(&author, id).await.without("quoting_closed");
    author.submit_accepted(&form).await;
    quote(&reader, id, "my comment").await;
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_author_removes_their_post_from_a_quote_for_good() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let reader = Person::sign_up(&site, "reader").await;
    let fan = Person::sign_up(&site, "fan").await;
    fan.follow("reader").await;
    let id = author.post("worth telling").await;
    let quoting = quote(&reader, id, "how wrong").await;
    fan.press("/", "repost", quoting).await;
    site.drain().await;
    let path = format!("/@reader/{quoting}");
    let detach = action_path("detach", quoting);
    for person in [&reader, &fan] {
        let menu = person.open_menu(&path, quoting).await;
        assert!(menu.find_button(&detach).is_none());
    }
    let own = author.open(&format!("/@author/{id}")).await;
    assert_eq!(own.attributes("[data-quotes]", "data-quotes"), ["1"]);
    author.press(&path, "detach", quoting).await;
    let visitor = Person::visitor(&site);
    for drained in [false, true] {
        for (person, path) in [
            (&visitor, path.as_str()),
            (&reader, "/@reader"),
            (&fan, "/"),
            (&fan, "/@fan"),
            (&author, "/search?q=wrong"),
        ] {
            let page = person.open(path).await;
            assert!(page.messages().contains(&"how wrong".to_owned()), "{path}");
            let gap = page.texts(".status .quoted.deleted");
            assert_eq!(
                gap,
                ["This post was removed by its author"],
                "{path} {drained}"
            );
            assert!(!page.has(".u-quotation-of"), "{path}");
            assert!(!page.html.contains("worth telling"), "{path}");
            assert!(!page.html.contains(&format!("/@author/{id}")), "{path}");
        }
        assert!(
            !author
                .open(&format!("/@author/{id}"))
                .await
                .has("[data-quotes]")
        );
        site.drain().await;
        site.assert_sound().await;
    }
    // An edit does not attach it again.
    let edit = action_path("edit", quoting);
    let form = reader.open(&edit).await.form(&edit);
    reader
        .submit_accepted(&form.set("message", "how very wrong"))
        .await;
    let page = visitor.open(&path).await;
    assert_eq!(page.messages(), ["how very wrong"]);
    assert_eq!(page.text(".quoted"), "This post was removed by its author");
    let menu = author.open_menu(&path, quoting).await;
    assert!(menu.find_button(&detach).is_none());
    // The original goes, and then the quote, and nothing is left.
    author.delete(id).await;
    assert_eq!(visitor.open(&path).await.messages(), ["how very wrong"]);
    reader.delete(quoting).await;
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn nobody_else_removes_a_post_from_a_quote() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let reader = Person::sign_up(&site, "reader").await;
    let id = author.post("worth telling").await;
    let quoting = quote(&reader, id, "how wrong").await;
    for person in [&reader, &Person::sign_up(&site, "third").await] {
        let page = person.open(&format!("/@reader/{quoting}")).await;
        let mut forged = page.button(&action_path("bookmark", quoting));
        forged.action = action_path("detach", quoting);
        assert_eq!(person.submit(&forged).await.status, StatusCode::NOT_FOUND);
    }
    let page = author.open(&format!("/@reader/{quoting}")).await;
    assert_eq!(page.text(".quoted .p-content"), "worth telling");
    let mut forged = page.button(&action_path("bookmark", quoting));
    for (action, _) in [("detach", id), ("hide", quoting), ("hide", id)] {
        forged.action = action_path(action, id);
        assert_eq!(author.submit(&forged).await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(
        reader.get(&control_path(id)).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_detached_quote_leaves_the_list_of_quotes() {
    let site = Site::start().await;
    let store = &site.store;
    let [author, reader] = crowd::people(store, "person", 2).await[..] else {
        panic!("there are two")
    };
    let id = crowd::post(store, author, "worth telling").await;
    let quotes = async || {
        store
            .cardinality(&Key::Quotes(id))
            .await
            .expect("an answer")
    };
    let first = crowd::quote(store, reader, id, "one").await;
    crowd::quote(store, reader, id, "two").await;
    assert_eq!(quotes().await, 2);
    for _ in 0..2 {
        let detached = redwing::actions::reply_control::detach_quote(store, author, first).await;
        assert_eq!(
            detached.expect("an answer"),
            redwing::store::ControlOutcome::Done
        );
        assert_eq!(quotes().await, 1);
    }
    site.drain().await;
    site.assert_sound().await;
    assert_eq!(quotes().await, 1);
}
