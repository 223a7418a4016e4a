//! Posts that the moderators put behind a warning: told, shown to everybody, kept over an edit, and taken back.

use reqwest::StatusCode;

use super::{CASE, DECIDE, DECISIONS, END, report, report_path, three};
use crate::{
    administration::output_of,
    support::{Form, Person, Site},
};

async fn warning(by: &Person, id: u64, text: &str) -> Form {
    let form = by.open(&format!("{CASE}/posts/{id}")).await.form(DECIDE);
    let form = form.choose("measure", "add_warning");
    form.choose("reason", "spam").set("warning", text)
}

async fn shown_warnings(viewer: &Person, id: u64) -> Vec<String> {
    let page = viewer.open(&format!("/@bob/{id}")).await;
    page.texts(".warned .p-summary")
}

#[tokio::test]
async fn a_moderator_puts_a_post_behind_a_warning_and_takes_it_back() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    let id = bob.post("eight legs").await;
    report(&carol, &report_path(id)).await;
    for (text, error) in [
        ("  ", "Write the warning below."),
        (&"x".repeat(101), "too long"),
    ] {
        let refused = alice.submit(&warning(&alice, id, text).await).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused.text("#measure-error").contains(error));
    }
    let form = warning(&alice, id, "Spiders <b>").await;
    for _ in 0..2 {
        alice.submit_accepted(&form).await;
    }
    let visitor = Person::visitor(&site);
    for viewer in [&bob, &carol, &visitor] {
        assert_eq!(
            shown_warnings(viewer, id).await,
            ["Moderators: Spiders <b>"]
        );
    }
    let told = bob.open(DECISIONS).await.visible_text();
    assert!(told.contains("The warning is: Spiders <b>"), "{told}");

    let edit = format!("/statuses/{id}/edit");
    let form = bob.open(&edit).await.form(&edit);
    assert_eq!(form.value("warning"), "", "the author's own warning");
    let form = form
        .set("message", "eight hairy legs")
        .set("warning", "Legs");
    bob.submit_accepted(&form).await;
    assert_eq!(
        shown_warnings(&visitor, id).await,
        ["Moderators: Spiders <b>"]
    );

    let versions = visitor.open(&format!("/@bob/{id}/versions")).await;
    let warnings = versions.texts(".warned summary");
    assert_eq!(warnings, ["Spiders <b>", "Spiders <b>"], "all versions");

    let second = warning(&alice, id, "Arachnids").await;
    alice.submit_accepted(&second).await;
    assert_eq!(
        shown_warnings(&visitor, id).await,
        ["Moderators: Arachnids"]
    );
    for left in ["Moderators: Spiders <b>", "Legs"] {
        let end = alice.open(CASE).await.form(END);
        alice.submit_accepted(&end).await;
        assert_eq!(shown_warnings(&visitor, id).await, [left]);
    }
    let log = output_of(&site, &["log"]);
    let acts = [
        (
            format!("@alice put the post {id} of @bob behind the warning \"Spiders <b>\": Spam"),
            1,
        ),
        (
            format!("@alice removed the warning before the post {id} of @bob"),
            2,
        ),
    ];
    for (act, times) in acts {
        assert_eq!(log.matches(&act).count(), times, "{log}");
    }
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_muted_word_in_the_warning_of_the_moderators_hides_the_post_on_timelines() {
    let site = Site::start().await;
    let [alice, bob, carol] = three(&site).await;
    carol.follow("bob").await;
    let id = bob.post("eight legs").await;
    report(&carol, &report_path(id)).await;
    let form = carol
        .open("/settings/muted-words")
        .await
        .form("/settings/muted-words");
    carol.submit_accepted(&form.set("text", "spiders")).await;
    assert_eq!(carol.home_ids().await, [id]);
    alice
        .submit_accepted(&warning(&alice, id, "Spiders").await)
        .await;
    assert!(carol.home_ids().await.is_empty());
}
