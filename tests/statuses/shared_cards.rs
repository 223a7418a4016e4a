//! The card of a status in a feed is cached for all members in the same state. Each of them still sees their own marks
//! and the present names.

use crate::support::{PASSWORD, Page, Person, Site};

/// Returns the names of the pressed buttons of a card.
fn pressed(page: &Page, id: u64) -> Vec<String> {
    let buttons = format!("#status-{id} footer [aria-pressed=true]");
    page.attributes(&buttons, "name")
}

/// Returns the line above a reply.
fn replying_to(page: &Page, id: u64) -> String {
    page.text(&format!("#status-{id} .replying-to"))
}

#[tokio::test]
async fn a_shared_card_shows_each_member_their_own_marks_and_the_present_names() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let dave = Person::sign_up(&site, "dave").await;
    let readers = [
        Person::sign_up(&site, "bob").await,
        Person::sign_up(&site, "carol").await,
    ];
    for reader in &readers {
        reader.follow("alice").await;
        reader.follow("dave").await;
    }
    let question = dave.post("a question").await;
    let reply = alice.reply(question, "an answer").await;
    let other = alice.post("something else").await;
    site.drain().await;
    let [bob, carol] = &readers;
    for reader in &readers {
        let home = reader.open("/").await;
        assert_eq!(home.status_ids(), [other, reply, question]);
        assert_eq!(replying_to(&home, reply), "Replying to @dave");
        for id in [other, reply, question] {
            assert!(pressed(&home, id).is_empty());
        }
    }

    bob.press("/", "favourite", reply).await;
    carol.press("/", "bookmark", reply).await;
    carol.press("/", "favourite", other).await;
    bob.press("/", "bookmark", question).await;
    for _ in 0..2 {
        let home = bob.open("/").await;
        assert_eq!(pressed(&home, reply), ["unfavourite"]);
        assert!(pressed(&home, other).is_empty());
        assert_eq!(pressed(&home, question), ["unbookmark"]);
        let home = carol.open("/").await;
        assert_eq!(pressed(&home, reply), ["unbookmark"]);
        assert_eq!(pressed(&home, other), ["unfavourite"]);
        assert!(pressed(&home, question).is_empty());
    }

    let form = dave.open("/settings/login").await.form("/settings/login");
    let form = form.set("login", "robin").set("current_password", PASSWORD);
    dave.submit_accepted(&form).await;
    for reader in &readers {
        let home = reader.open("/").await;
        assert_eq!(replying_to(&home, reply), "Replying to @robin");
    }
    dave.delete(question).await;
    site.drain().await;
    for reader in &readers {
        let home = reader.open("/").await;
        assert_eq!(replying_to(&home, reply), "Replying to a deleted post");
    }
}
