//! Reports of single messages: what the moderators read of a conversation, and who can report.

use redwing::{
    actions::{
        account_states,
        messages::{self, NewMessage, Send},
        moderation::Reported,
    },
    domain::{
        ChatId, ChatText, IdempotencyKey, Measure, MessageId, ReportName, ReportSubject, UserId,
    },
    store::{ChatPart, ReportableMessage, SentText, Store},
};
use reqwest::StatusCode;

use super::{CASE, decide, decisions::decide_by, report_by, report_form, three};
use crate::{
    messages::{begun, texts, write},
    support::{
        PASSWORD, Page, Person, Site,
        core::Core,
        crowd::{follow, member, uid},
        ended_session::log_out_elsewhere,
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
async fn a_report_has_the_messages_as_the_form_showed_them() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = conversation(&bob, &carol).await;
    let report = format!("{path}/3/report");
    let form = report_form(&carol, &report).await;
    let edit = format!("{path}/3/edit");
    let edited = bob
        .open(&edit)
        .await
        .form(&edit)
        .set("message", "Have a nice day");
    bob.submit_accepted(&edited).await;
    let delete = bob.open(&path).await.form(&format!("{path}/hide"));
    let delete = delete.to(&format!("{path}/delete"));
    bob.submit_accepted(&delete.set_new("message", "1")).await;

    let refused = carol.submit(&form.clone().choose("reason", "none")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let form = refused.form(&report).choose("reason", "spam");
    carol
        .submit_accepted(&form.clone().set_new("message_1", "1"))
        .await;
    assert_eq!(reported(&alice).await, [TEXTS[0], TEXTS[2]]);

    // Changed or missing texts do not count. Nor does the form of another message.
    decide(&alice, "warn").await;
    let other = form.value("seen").replacen(TEXTS[2], "I will kill you", 1);
    let of_another = form.value("seen");
    for (path, seen) in [(&report, other), (&report, String::new())] {
        let form = form.clone().to(path).set("seen", &seen);
        carol.submit_accepted(&form).await;
        assert_eq!(
            reported(&alice).await.last().map(String::as_str),
            Some("Have a nice day")
        );
        decide(&alice, "warn").await;
    }
    let form = form.to(&format!("{path}/1/report")).set("seen", of_another);
    assert_eq!(carol.submit(&form).await.status, StatusCode::NOT_FOUND);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_report_after_a_log_out_has_the_messages_as_the_form_showed_them() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = conversation(&bob, &carol).await;
    let report = format!("{path}/3/report");
    let form = report_form(&carol, &report).await;
    log_out_elsewhere(&site, &carol).await;
    let refused = carol.submit(&form.set_new("message_1", "1")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let text = refused.visible_text();
    assert!(text.contains("Log in in another tab"), "{text}");
    assert!(!refused.has("main form[action=\"/login\"]"));
    let delete = bob.open(&path).await.form(&format!("{path}/hide"));
    let delete = delete.to(&format!("{path}/delete"));
    bob.submit_accepted(&delete.set_new("message", "3")).await;
    carol.send_log_in("carol", PASSWORD).await;
    let again = carol.submit(&refused.form(&report)).await;
    carol.submit_accepted(&again.form(&report)).await;
    assert_eq!(reported(&alice).await, [TEXTS[0], TEXTS[2]]);
}

/// A restored backup can lack an account. A newer account then gets the id, and a chat with the same people the same
/// address.
#[tokio::test]
async fn a_form_from_before_the_sign_up_of_an_author_does_not_report_that_account() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = conversation(&bob, &carol).await;
    let form = report_form(&carol, &format!("{path}/3/report")).await;
    let edit = format!("{path}/3/edit");
    let edited = bob.open(&edit).await.form(&edit);
    let edited = edited.set("message", "Have a nice day");
    bob.submit_accepted(&edited).await;
    let account = format!("user:{{{}}}", uid(&site.store, "bob").await);
    site.redis
        .command(&["HSET", &account, "signup", "4102444800000"]);
    carol.submit_accepted(&form).await;
    assert_eq!(reported(&alice).await, ["Have a nice day"]);
}

#[tokio::test]
async fn only_people_of_the_conversation_report_a_message_that_they_see() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = conversation(&bob, &carol).await;
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
    let form = report_form(&carol, &format!("{path}/3/report")).await;
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
    let message = store
        .message_to_report(reporter, (chat, id), Vec::new())
        .await;
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
        let reported = store.sent_texts(&case, None).await;
        let reported = reported.expect("an answer").items;
        let count = |(name, one): &(ReportName, SentText)| {
            let SentText::Messages(sent) = one else {
                panic!("{one:?}");
            };
            (
                name.reporter.person().expect("a person"),
                sent.messages.len(),
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

/// Each decision of the host closes one report, so the reports have times of their own.
#[tokio::test]
async fn all_reports_of_messages_of_a_case_are_on_pages() {
    const REPORTS: u64 = 25;
    let core = Core::start();
    let store = &core.store;
    let [bob, carol, dave] = ["bob", "carol", "dave"].map(|login| member(store, login));
    let (bob, carol, dave) = futures_util::join!(bob, carol, dave);
    for reader in [carol, dave] {
        follow(store, reader, bob).await;
    }
    let chat = write_to_both(store, bob, [carol, dave], "buy this").await;
    for number in 1..=REPORTS {
        if number > 1 {
            write_to_both(store, bob, [carol, dave], &format!("buy {number}")).await;
        }
        let message = reportable(store, carol, chat, number).await;
        report_by(store, carol, Reported::Message(&message, &[].into())).await;
        decide_by(store, bob, Measure::Dismiss).await;
    }
    let case = store.case(bob).await.expect("a case");
    let (mut before, mut pages, mut seen) = (None, Vec::new(), Vec::new());
    loop {
        let page = store.sent_texts(&case, before).await;
        let page = page.expect("the store answers");
        pages.push(page.items.len());
        seen.extend(page.items.iter().map(|(name, _)| name.subject));
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(pages, [20, 5]);
    let newest_first = (1..=REPORTS).rev();
    let expected = newest_first
        .map(|number| ReportSubject::Message(chat, MessageId::new(number).expect("in range")));
    assert_eq!(seen, expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn the_page_of_a_case_leads_to_older_reports_of_messages() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let path = conversation(&bob, &carol).await;
    let store = &site.store;
    let subject = uid(store, "bob").await;
    for _ in 0..20 {
        let sent = write(&bob, &path, "buy more").await;
        assert_eq!(sent.status, StatusCode::SEE_OTHER);
    }
    let number_of = |index: u64| if index == 0 { 3 } else { index + 4 };
    for index in 0..=20 {
        super::report(&carol, &format!("{path}/{}/report", number_of(index))).await;
        decide_by(store, subject, Measure::Dismiss).await;
    }
    let case = alice.open(CASE).await;
    let sent = |page: &Page| page.texts(".reported-messages .then").len();
    assert_eq!(sent(&case), 20);
    let links = case.attributes("#reported-texts > nav a", "href");
    let older = links.iter().find(|link| link.contains("texts="));
    let older = alice.open(older.expect("a link to older ones")).await;
    assert_eq!(older.texts(".reported-messages .then"), [TEXTS[2]]);
}
