//! Reports of groups: who can report, and what the moderators read.

use redwing::{
    actions::{account_states, moderation::Reported},
    domain::Joining,
    store::SentText,
};
use reqwest::StatusCode;

use super::{CASE, decide, notifications, report, report_by, report_form, three};
use crate::{
    administration::output_of,
    groups::{act, found, invite, is_found, join, make},
    leaving::deletion::everything,
    support::{
        Form, Person, Site,
        core::Core,
        crowd::{member, set_suspended, uid},
    },
};

/// Returns the names of the reported groups in the case of bob.
async fn reported(moderator: &Person) -> Vec<String> {
    moderator.open(CASE).await.texts(".reported-groups .then")
}

#[tokio::test]
async fn a_group_is_reported_in_three_presses_and_the_reporter_hears_the_outcome() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let choices = [("kind", "private"), ("unlisted", "1")];
    let group = make(&bob, "buyers", &choices).await;
    let settings = format!("{group}/settings");
    let form = bob.open(&settings).await.form(&settings);
    let form = form.set("description", "We <b>buy</b>");
    bob.submit_accepted(&form.set("rules", "Pay me.")).await;
    invite(&bob, &group, "carol").await;
    join(&carol, &group).await;

    let path = format!("{group}/report");
    let links = carol.open(&group).await.attributes("main a", "href");
    assert!(links.contains(&path), "{links:?}");
    let page = carol.open(&path).await;
    for form in ["/@bob/block", "/@bob/mute"] {
        assert!(page.find_form(form).is_some(), "{form}");
    }
    assert!(page.has(&format!("a[href=\"{group}/leave\"]")));
    assert_eq!(page.text(".reported-group .text"), "We <b>buy</b>");
    let form = report_form(&carol, &path).await.set("note", "again <i>");
    carol.submit_accepted(&form).await;
    let own = carol.open("/settings/reports").await.visible_text();
    assert!(own.contains("the group “The buyers”"), "{own}");
    assert!(own.contains("Received"), "{own}");

    assert!(notifications(&alice).await.contains("New reports wait"));
    let case = alice.open(CASE).await;
    assert!(case.visible_text().contains("@carol reported a group"));
    assert_eq!(case.texts(".reports blockquote"), ["again <i>"]);
    assert_eq!(reported(&alice).await, ["The buyers"]);
    let about = case.text(".reported-groups li");
    for words in [
        "Reported by @carol",
        "Unlisted private group · 2 members · Owned by @bob",
        "We <b>buy</b>",
        "Pay me.",
    ] {
        assert!(about.contains(words), "{words}: {about}");
    }
    // A report does not open the group.
    assert!(!case.html.contains(&group), "{}", case.html);
    assert!(!is_found(&alice, &group).await);

    // The report keeps the group, also if it has another name, and after it is gone.
    let form = bob.open(&settings).await.form(&settings);
    bob.submit_accepted(&form.set("name", "Harmless people"))
        .await;
    assert_eq!(reported(&alice).await, ["The buyers"]);
    let delete = format!("{group}/delete");
    let form = bob.open(&delete).await.form(&delete);
    bob.submit_accepted(&form).await;
    site.drain().await;
    assert_eq!(reported(&alice).await, ["The buyers"]);

    decide(&alice, "freeze").await;
    assert!(bob.open("/").await.has("#frozen"));
    let own = carol.open("/settings/reports").await.visible_text();
    assert!(own.contains("the moderators acted on it"), "{own}");
    let news = notifications(&carol).await;
    assert!(news.contains("decided about your report"), "{news}");
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_listed_group_is_linked_from_the_case_and_reported_again_after_a_decision() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let group = make(&bob, "birds", &[]).await;
    let path = format!("{group}/report");
    for _ in 0..2 {
        report(&carol, &path).await;
        assert_eq!(reported(&alice).await, ["The birds"]);
    }
    let link = format!(".reported-groups a[href=\"{group}\"]");
    assert!(alice.open(CASE).await.has(&link));
    decide(&alice, "dismiss").await;
    let own = carol.open("/settings/reports").await.visible_text();
    assert!(own.contains("does not break a rule"), "{own}");
    report(&carol, &path).await;
    let case = alice.open(CASE).await;
    assert_eq!(case.texts(".reports strong"), ["Spam"]);
}

#[tokio::test]
async fn a_report_of_a_group_needs_a_reason_and_gives_back_the_text() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let group = make(&bob, "birds", &[]).await;
    let path = format!("{group}/report");
    let form = carol.open(&path).await.form(&path).set("note", "a note");
    let refused = carol.submit(&form).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.has("#reason-error"));
    let forged = form.choose("reason", "spam").set("csrf_token", "forged");
    let refused = carol.submit(&forged).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(refused.text("#note").trim(), "a note");
    assert!(reported(&alice).await.is_empty());
}

/// A group: its slug, the choices of its form, and whether everybody finds it.
type Kind = (&'static str, &'static [(&'static str, &'static str)], bool);

/// The matrix of the power to report a group: everyone who finds it has it, but its owner.
#[tokio::test]
async fn everyone_who_finds_a_group_can_report_it_and_nobody_else() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let [dave, erin, frank] = [
        Person::sign_up(&site, "dave").await,
        Person::sign_up(&site, "erin").await,
        Person::sign_up(&site, "frank").await,
    ];
    let kinds: [Kind; 4] = [
        ("open-one", &[], true),
        (
            "closed-one",
            &[("kind", "private"), ("joining", "request")],
            true,
        ),
        ("news-one", &[("kind", "announcement")], true),
        (
            "secret-one",
            &[("kind", "private"), ("unlisted", "1")],
            false,
        ),
    ];
    let (found, hidden) = (StatusCode::OK, StatusCode::NOT_FOUND);
    let template = {
        let group = make(&alice, "template", &[]).await;
        report_form(&bob, &format!("{group}/report")).await
    };
    let visitor = Person::visitor(&site);
    for (slug, choices, is_listed) in kinds {
        let group = make(&bob, slug, choices).await;
        // One person invites another at most three times a day.
        let is_closed = choices.contains(&("kind", "private"));
        for (guest, login) in [(&carol, "carol"), (&frank, "frank")] {
            if is_closed {
                invite(&bob, &group, login).await;
            }
            join(guest, &group).await;
        }
        if is_closed {
            invite(&bob, &group, "dave").await;
        }
        act(&bob, &group, "frank", "ban", "").await;
        let of_strangers = if is_listed { found } else { hidden };
        let path = format!("{group}/report");
        let asked = visitor.get(&path).await.status;
        assert_eq!(asked, StatusCode::SEE_OTHER, "{slug}");
        for (name, person, expected) in [
            ("owner", &bob, StatusCode::UNPROCESSABLE_ENTITY),
            ("member", &carol, found),
            ("invited", &dave, found),
            ("banned", &frank, of_strangers),
            ("stranger", &erin, of_strangers),
            ("moderator of the site", &alice, of_strangers),
        ] {
            let shown = person.get(&path).await;
            assert_eq!(shown.status, expected, "{slug} {name}");
            let link = format!("a[href=\"{path}\"]");
            let page = person.get(&group).await;
            assert_eq!(page.has(&link), expected == found, "{slug} {name}");
            let own = person.open("/settings/profile").await;
            let token = own.form("/settings/profile");
            let form = Form {
                action: path.clone(),
                ..template
                    .clone()
                    .set("csrf_token", token.value("csrf_token"))
            };
            let sent = person.submit(&form).await.status;
            let expected = match expected {
                StatusCode::OK => StatusCode::SEE_OTHER,
                other => other,
            };
            assert_eq!(sent, expected, "{slug} {name}");
        }
        // No one has more than five open reports about bob.
        decide(&alice, "dismiss").await;
    }
    for role in ["owner", "moderator", "welcomer", "none"] {
        output_of(&site, &["role", "erin", role]);
        let answer = erin.get("/groups/secret-one/report").await;
        assert_eq!(answer.status, hidden, "{role}");
    }
}

#[tokio::test]
async fn a_group_of_an_owner_who_is_hidden_is_reported_without_their_name() {
    let site = Site::start().await;
    let [_, bob, carol] = three(&site).await;
    let group = make(&bob, "birds", &[]).await;
    let store = &site.store;
    set_suspended(store, uid(store, "bob").await, true).await;
    let path = format!("{group}/report");
    let page = carol.open(&path).await;
    assert!(!page.html.contains("@bob"), "{}", page.html);
    report(&carol, &path).await;
    let own = carol.open("/settings/reports").await;
    assert!(own.visible_text().contains("the group “The birds”"));
    assert!(!own.html.contains("@bob"), "{}", own.html);
}

#[tokio::test]
async fn a_reported_group_goes_with_the_account_of_its_reporter() {
    let core = Core::start();
    let store = &core.store.clone();
    let [bob, carol, dave] = ["bob", "carol", "dave"].map(|login| member(store, login));
    let (bob, carol, dave) = futures_util::join!(bob, carol, dave);
    let group = found(store, bob, "birds", Joining::Open).await;
    let group = store.group(group).await.expect("an answer");
    let group = group.expect("a group");
    for reporter in [carol, dave] {
        report_by(store, reporter, Reported::Group(&group, bob)).await;
    }
    let reporters = async || {
        let case = store.case(bob).await.expect("a case");
        let texts = store.sent_texts(&case, None).await.expect("an answer");
        let reporters = texts.items.into_iter().map(|(name, text)| {
            assert!(matches!(text, SentText::Group(_)), "{text:?}");
            name.reporter.person().expect("a person")
        });
        reporters.collect::<Vec<_>>()
    };
    assert_eq!(reporters().await, [dave, carol]);
    let deleted = account_states::delete(store, dave).await;
    deleted.expect("the store answers");
    core.assert_sound().await;
    assert_eq!(reporters().await, [carol]);
    let kept = format!("reported_posts:{{{bob}}}");
    let kept: String = everything(&core)
        .into_iter()
        .filter(|(key, _)| *key == kept)
        .map(|(_, fields)| fields)
        .collect();
    assert!(kept.contains(&format!(":{carol}")), "{kept}");
    assert!(!kept.contains(&format!(":{dave}")), "{kept}");
}
