//! Reports of single messages: what the moderators read of a conversation, and who can report.

use redwing::{
    actions::{
        account_states,
        messages::{self, NewMessage, Send},
        moderation::Reported,
    },
    domain::{ChatId, ChatText, IdempotencyKey, MessageId, ReportName, ReportedMessages, UserId},
    store::{ChatPart, ReportableMessage, Store},
};
use reqwest::StatusCode;

use super::{CASE, decide, report_by, report_form, three};
use crate::{
    messages::{begun, texts, write},
    support::{
        Person, Site,
        core::Core,
        crowd::{follow, member},
    },
};

const TEXTS: [&str; 4] = ["Hello Carol", "Hello Bob", "buy <b>this</b>", "No, thanks"];

/// A conversation between bob and carol, who follows him. Returns its path.
async fn conversation(bob: &Person, carol: &Person) -> String {
    carol.follow("bob").await;
    let path = begun(bob, "carol", TEXTS[0]).await;
    for (author, text) in [(carol, TEXTS[1]), (bob, TEXTS[2]), (carol, TEXTS[3])] {
        let sent = write(author, &path, text).await;
        assert_eq!(sent.status, StatusCode::SEE_OTHER);
    }
    path
}

/// Returns the texts of the reported messages that a moderator sees.
async fn reported(moderator: &Person) -> Vec<String> {
    let case = moderator.open(CASE).await;
    case.texts(".reported-messages .version-text")
}

#[tokio::test]
async fn the_moderators_read_the_reported_message_and_the_chosen_ones_alone() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = conversation(&bob, &carol).await;
    let page = carol.open(&path).await;
    let links = page.attributes(".message-menu a", "href");
    let report = format!("{path}/3/report");
    assert_eq!(links.iter().filter(|link| **link == report).count(), 1);
    let own_report = format!("{path}/2/report");
    assert!(!links.contains(&own_report), "{links:?}");

    let form = report_form(&carol, &report).await;
    carol.submit_accepted(&form.set_new("message_2", "1")).await;
    let own = carol.open("/settings/reports").await.visible_text();
    assert!(own.contains("a message by @bob"), "{own}");
    assert_eq!(reported(&alice).await, [TEXTS[1], TEXTS[2]]);
    let case = alice.open(CASE).await;
    assert!(case.visible_text().contains("reported a message"));
    assert_eq!(case.texts(".reported-messages .then"), [TEXTS[2]]);
    for secret in [TEXTS[0], TEXTS[3], &path["/messages/".len()..]] {
        assert!(!case.html.contains(secret), "{secret}:\n{}", case.html);
    }
    assert_eq!(alice.get(&path).await.status, StatusCode::NOT_FOUND);

    // The report keeps the text, also after the decision.
    let delete = bob.open(&path).await.form(&format!("{path}/hide"));
    let delete = delete.to(&format!("{path}/delete"));
    bob.submit_accepted(&delete.set_new("message", "3")).await;
    assert_eq!(texts(&carol, &path).await[2], "Message deleted");
    decide(&alice, "warn").await;
    assert_eq!(reported(&alice).await, [TEXTS[1], TEXTS[2]]);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_message_without_chosen_ones_is_sent_alone() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = conversation(&bob, &carol).await;
    super::report(&carol, &format!("{path}/3/report")).await;
    assert_eq!(reported(&alice).await, [TEXTS[2]]);
    // The same report again, with more, adds nothing while the first one is open.
    let form = report_form(&carol, &format!("{path}/3/report")).await;
    carol.submit_accepted(&form.set_new("message_1", "1")).await;
    assert_eq!(reported(&alice).await, [TEXTS[2]]);
}

#[tokio::test]
async fn only_people_of_the_conversation_report_a_message_that_they_see() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = conversation(&bob, &carol).await;
    let form = report_form(&carol, &format!("{path}/3/report")).await;
    let hide = carol.open(&path).await.form(&format!("{path}/hide"));
    carol.submit_accepted(&hide.set_new("message", "1")).await;
    for (person, message) in [
        (&alice, 3),
        (&bob, 3),
        (&carol, 2),
        (&carol, 1),
        (&carol, 9),
    ] {
        let report = format!("{path}/{message}/report");
        let shown = person.get(&report).await;
        assert_eq!(shown.status, StatusCode::NOT_FOUND, "{report}");
    }
    // A form that names messages outside of those around the reported one sends none of them.
    let form = form.set_new("message_1", "1").set_new("message_99", "1");
    carol.submit_accepted(&form).await;
    assert_eq!(reported(&alice).await, [TEXTS[2]]);
    let sent_by_alice = report_form(&carol, &format!("{path}/3/report")).await;
    let sent = alice.open("/@bob/report").await.form("/@bob/report");
    let sent = sent.to(&sent_by_alice.action).choose("reason", "spam");
    assert_eq!(alice.submit(&sent).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_request_can_be_reported_before_it_is_accepted() {
    let site = crate::messages::site().await;
    let [alice, bob, carol] = three(&site).await;
    let path = begun(&bob, "carol", "buy this").await;
    let links = carol
        .open(&path)
        .await
        .attributes(".message-menu a", "href");
    assert_eq!(links, [format!("{path}/1/report")]);
    super::report(&carol, &links[0]).await;
    assert_eq!(reported(&alice).await, ["buy this"]);
}

/// Writes in the conversation with two others.
async fn write_to_both(store: &Store, from: UserId, to: [UserId; 2], text: &str) -> ChatId {
    let (text, key) = (
        ChatText::parse(text).expect("valid"),
        IdempotencyKey::draw(),
    );
    let message = NewMessage {
        text: &text,
        key: &key,
    };
    match messages::write_to(store, from, &to, message).await {
        Ok(Send::Sent(chat, _)) => chat,
        other => panic!("{other:?}"),
    }
}

/// Returns a message as this person can report it.
async fn reportable(
    store: &Store,
    reporter: UserId,
    chat: ChatId,
    number: u64,
) -> ReportableMessage {
    let id = MessageId::new(number).expect("in range");
    let message = store.message_to_report(reporter, chat, id).await;
    message.expect("the store answers").expect("a message")
}

#[tokio::test]
async fn the_messages_of_a_reporter_go_with_their_account_and_those_of_others_stay() {
    let core = Core::start();
    let store = &core.store;
    let [bob, carol, dave] = ["bob", "carol", "dave"].map(|login| member(store, login));
    let (bob, carol, dave) = futures_util::join!(bob, carol, dave);
    for reader in [carol, dave] {
        follow(store, reader, bob).await;
    }
    let chat = write_to_both(store, bob, [carol, dave], "buy this").await;
    write_to_both(store, carol, [bob, dave], "please not").await;
    let both = [1, 2].map(|number| MessageId::new(number).expect("in range"));
    for (reporter, chosen) in [(carol, vec![]), (dave, both.to_vec())] {
        let message = reportable(store, reporter, chat, 1).await;
        let chosen = chosen.into_iter().collect();
        report_by(store, reporter, Reported::Message(&message, &chosen)).await;
    }
    let counts = async || {
        let case = store.case(bob).await.expect("a case");
        let reported = store.reported_messages(&case).await.expect("an answer");
        let count = |(name, one): &(ReportName, ReportedMessages)| {
            (
                name.reporter.person().expect("a person"),
                one.messages.len(),
            )
        };
        reported.iter().map(count).collect::<Vec<_>>()
    };
    assert_eq!(counts().await, [(dave, 2), (carol, 1)]);
    let deleted = account_states::delete(store, dave).await;
    deleted.expect("the store answers");
    core.assert_sound().await;
    assert_eq!(counts().await, [(carol, 1)]);
    let part = ChatPart::newest(9);
    assert!(
        store
            .chat(carol, chat, part)
            .await
            .expect("an answer")
            .is_some()
    );
}
