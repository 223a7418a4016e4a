//! The settings about messages.

use super::site;
use crate::support::Person;

#[tokio::test]
async fn an_open_form_of_the_settings_leaves_what_another_device_saved_meanwhile() {
    const SETTINGS: &str = "/settings/messages";
    let site = site().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::log_in(&site, "alice").await;
    let former = phone.open(SETTINGS).await.form(SETTINGS);
    let form = alice.open(SETTINGS).await.form(SETTINGS);
    let form = form.set("messages_from", "no_one");
    alice
        .submit_accepted(&form.set_new("read_marks", "1"))
        .await;
    phone
        .submit_accepted(&former.set("group_messages_from", "followed"))
        .await;
    let saved = alice.open(SETTINGS).await.form(SETTINGS);
    for (field, value) in [
        ("messages_from", "no_one"),
        ("group_messages_from", "followed"),
        ("read_marks", "1"),
    ] {
        assert_eq!(saved.value(field), value, "{field}");
    }
    site.assert_sound().await;
}
