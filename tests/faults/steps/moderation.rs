//! Reporting a person, with each round trip failing.

use super::{at_every_step, reader, send_again};

#[tokio::test]
async fn a_report_arrives_once() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let path = format!("/@a_{name}/report");
            let form = reader
                .open(&path)
                .await
                .form(&path)
                .choose("reason", "spam");
            (reader, form)
        },
        send_again,
        async |_, scene| {
            let own = scene.person.open("/settings/reports").await;
            assert_eq!(own.texts(".log li").len(), 1);
            assert!(own.visible_text().contains("Received"));
        },
    )
    .await;
}
