//! The posts of a deleted group: they stay with their authors, whoever founds a group afterwards.

use redwing::{
    actions::groups::{self as actions, Found},
    domain::{GroupKind, IdempotencyKey},
    store::{GroupDraft, Viewer},
};

use crate::support::{core::Core, crowd, groups};

/// The posts name the group as their readers. A group with its id would show them to its founder and members.
#[tokio::test]
async fn the_form_of_a_deleted_group_founds_no_group_with_the_posts_of_its_members() {
    let core = Core::start();
    let store = &core.store;
    let people = crowd::people(store, "person", 3).await;
    let [founder, member, stranger] = people[..] else {
        panic!("there are three")
    };
    let (key, other_key) = (IdempotencyKey::draw(), IdempotencyKey::draw());
    let found = async |draft: &GroupDraft, key: &IdempotencyKey| {
        let found = actions::found(store, founder, draft, key).await;
        found.expect("an answer")
    };
    let birds = groups::draft("birds", GroupKind::Private);
    let Found::Founded(group) = found(&birds, &key).await else {
        panic!("it was not founded")
    };
    groups::join(store, group, member).await;
    let post = groups::post(store, group, member, "of the members").await;
    core.drain().await;
    let deleted = actions::delete(store, founder, (group, &birds.slug)).await;
    assert!(deleted.expect("an answer"));
    core.drain().await;
    let owls = groups::draft("owls", GroupKind::Private);
    for draft in [&birds, &owls] {
        assert_eq!(found(draft, &key).await, Found::KeyReused);
    }
    core.drain().await;
    // The name is free for another form, which founds another group.
    let again = found(&birds, &other_key).await;
    assert!(matches!(again, Found::Founded(other) if other != group));
    for (person, sees) in [(founder, false), (stranger, false), (member, true)] {
        let status = store.status(Viewer::Member(person), post).await;
        assert_eq!(status.expect("an answer").is_some(), sees);
    }
    core.assert_sound().await;
}
