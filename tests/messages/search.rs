//! The search in one's own conversations: it finds what the member can read there, and nothing else.

use super::{begin, begun, pair, press, site, write};
use crate::support::{Page, Person};

/// Searches, and returns the texts of the found messages with all further pages.
pub async fn found(person: &Person, typed: &str) -> Vec<String> {
    let query = serde_urlencoded::to_string([("q", typed)]).expect("pairs of text");
    let mut page = person.open(&format!("/messages/search?{query}")).await;
    let mut texts = texts_of(&page);
    while let Some(older) = page.older() {
        page = person.open(&older).await;
        texts.extend(texts_of(&page));
    }
    texts
}

fn texts_of(page: &Page) -> Vec<String> {
    page.texts(".found-chat .chat-row > p[dir]")
}

#[tokio::test]
async fn words_tags_and_authors_find_messages_of_all_conversations() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    carol.follow("alice").await;
    let with_bob = begun(&alice, "bob", "The boat leaves at nine").await;
    write(&bob, &with_bob, "Which boat? #harbour").await;
    begun(&alice, "carol", "A boat for Carol").await;
    begun(&alice, "bob carol", "No ship for three").await;
    assert_eq!(
        found(&alice, "boat").await,
        [
            "A boat for Carol",
            "Which boat? #harbour",
            "The boat leaves at nine"
        ]
    );
    assert_eq!(
        found(&alice, "BOAT nine").await,
        ["The boat leaves at nine"]
    );
    assert_eq!(found(&alice, "#harbour").await, ["Which boat? #harbour"]);
    assert_eq!(found(&alice, "boat @bob").await, ["Which boat? #harbour"]);
    assert_eq!(
        found(&alice, "@no_one_here boat").await,
        Vec::<String>::new()
    );
    let page = alice.open("/messages/search?q=harbour").await;
    let link = page
        .html
        .split("href=\"")
        .find(|part| part.contains("#message-2"));
    let link = link
        .and_then(|part| part.split('"').next())
        .expect("a link to the message");
    let there = alice.open(link.split('#').next().expect("a path")).await;
    assert!(there.has("#message-2"), "{}", there.html);
}

#[tokio::test]
async fn only_what_the_member_can_read_is_found() {
    let site = site().await;
    let (alice, bob) = pair(&site).await;
    let carol = Person::sign_up(&site, "carol").await;
    let eve = Person::sign_up(&site, "eve").await;
    carol.follow("alice").await;
    let path = begun(&alice, "bob", "needle one").await;
    write(&alice, &path, "needle two").await;
    write(&alice, &path, "needle three").await;
    let group = begun(&alice, "bob carol", "needle of three people").await;
    assert_eq!(found(&eve, "needle").await, Vec::<String>::new());
    assert_eq!(found(&carol, "needle").await, ["needle of three people"]);
    press(&carol, &group, &format!("{group}/leave")).await;
    assert_eq!(found(&carol, "needle").await, Vec::<String>::new());
    let actions = alice.open(&path).await.form(&format!("{path}/hide"));
    let delete = actions
        .to(&format!("{path}/delete"))
        .set_new("message", "2");
    alice.submit_accepted(&delete).await;
    let hide = bob.open(&path).await.form(&format!("{path}/hide"));
    bob.submit_accepted(&hide.set_new("message", "3")).await;
    assert_eq!(
        found(&bob, "needle").await,
        ["needle of three people", "needle one"]
    );
    let block = bob.open("/@alice").await.form("/@alice/block");
    bob.submit_accepted(&block).await;
    // In a conversation of several people, messages of a blocked person are behind one click.
    assert_eq!(found(&bob, "needle").await, ["needle one"]);
    let visitor = Person::visitor(&site);
    let answer = visitor.get("/messages/search?q=needle").await;
    assert!(
        answer.location().starts_with("/login"),
        "{}",
        answer.location()
    );
}

#[tokio::test]
async fn many_results_continue_on_further_pages_without_gaps() {
    let site = site().await;
    let (alice, _bob) = pair(&site).await;
    let path = begun(&alice, "bob", "needle 1").await;
    for number in 2..=45 {
        write(&alice, &path, &format!("needle {number}")).await;
        if number % 9 == 0 {
            write(&alice, &path, "hay").await;
        }
    }
    let expected: Vec<String> = (1..=45)
        .rev()
        .map(|number| format!("needle {number}"))
        .collect();
    assert_eq!(found(&alice, "needle").await, expected);
    let first = texts_of(&alice.open("/messages/search?q=needle").await);
    assert_eq!(first.len(), 20);
    for from in ["x", "chats.5.x.1", "chats.-1"] {
        let answer = alice
            .get(&format!("/messages/search?q=needle&from={from}"))
            .await;
        assert_eq!(answer.status, reqwest::StatusCode::NOT_FOUND, "{from}");
    }
    let no_words = alice.open("/messages/search?q=%20").await;
    assert!(
        no_words.html.contains("The search finds words"),
        "{}",
        no_words.html
    );
    assert_eq!(
        begin(&alice, "bob", "more").await.status,
        reqwest::StatusCode::SEE_OTHER
    );
}
