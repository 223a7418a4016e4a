//! Groups, founded and changed by the site's own actions.

use redwing::{
    actions::groups::{self, Found, Join},
    domain::{
        Delivery, Draft, GroupAct, GroupDescription, GroupEvent, GroupId, GroupKind, GroupName,
        GroupReaders, GroupRole, GroupRules, GroupSlug, IdempotencyKey, Joining, Message, Past,
        StatusId, UserId,
    },
    store::{GroupDraft, GroupSettings, ManageOutcome, OwnChange, OwnOutcome, Store},
};

use super::{crowd, waiting::eventually};

/// Returns a group of this kind that everyone who finds it can join.
pub fn draft(slug: &str, kind: GroupKind) -> GroupDraft {
    GroupDraft {
        slug: GroupSlug::parse(slug).expect("a valid address"),
        kind,
        readable_by: GroupReaders::Members,
        settings: GroupSettings {
            name: GroupName::parse(&format!("Group {slug}")).expect("a valid name"),
            description: GroupDescription::default(),
            rules: GroupRules::default(),
            joining: match kind {
                GroupKind::Private => Joining::Request,
                GroupKind::Public | GroupKind::Announcement => Joining::Open,
            },
            past: Past::Whole,
            is_unlisted: false,
            closes_replies: false,
        },
    }
}

/// Founds a group.
pub async fn found(store: &Store, founder: UserId, draft: &GroupDraft) -> GroupId {
    match groups::found(store, founder, draft, &IdempotencyKey::draw()).await {
        Ok(Found::Founded(group)) => group,
        other => panic!("{other:?}"),
    }
}

/// Makes a person a member, by a request and its answer where the group has these.
pub async fn join(store: &Store, group: GroupId, person: UserId) {
    let joined = groups::join(store, person, group).await;
    let owner = store.group(group).await.expect("an answer");
    let owner = owner.and_then(|group| group.owner).expect("an owner");
    match joined.expect("an answer") {
        Join::Joined => {}
        Join::Asked => act(store, group, owner, GroupAct::Accept(person)).await,
        // An unlisted group does not exist for people who are not invited.
        Join::Closed | Join::NotFound => {
            act(store, group, owner, GroupAct::Invite(person)).await;
            let joined = groups::join(store, person, group).await;
            assert_eq!(joined.expect("an answer"), Join::Joined);
        }
        other => panic!("{other:?}"),
    }
    wait_until_joined(store, group, person).await;
}

/// Waits until the clock that decides the readers of a post has passed the time when a person joined. It is behind the
/// clock of Redis by the duration of an answer. So a post of the next millisecond could be older than the membership.
async fn wait_until_joined(store: &Store, group: GroupId, person: UserId) {
    let tie = store.group_tie(group, person).await.expect("an answer");
    let joined_us = tie.membership().expect("a member").joined_us;
    eventually("the member joined in the past", async || {
        store.now().await.expect("an answer").0 >= joined_us / 1000
    })
    .await;
}

pub async fn leave(store: &Store, group: GroupId, person: UserId) {
    change(store, group, person, OwnChange::Leave).await;
}

/// Chooses where the posts of a group come to a member.
pub async fn deliver_to(store: &Store, group: GroupId, person: UserId, delivery: Delivery) {
    change(store, group, person, OwnChange::Deliver(delivery)).await;
}

async fn change(store: &Store, group: GroupId, person: UserId, change: OwnChange) {
    let changed = groups::change(store, person, group, change).await;
    assert_eq!(changed.expect("an answer"), OwnOutcome::Done);
}

/// Does an act of a moderator.
pub async fn act(store: &Store, group: GroupId, by: UserId, act: GroupAct) {
    let done = groups::manage(store, by, group, act).await;
    assert_eq!(done.expect("an answer"), ManageOutcome::Done);
}

/// Returns an act about a person with a note.
pub fn event(person: UserId) -> GroupEvent {
    GroupEvent {
        person,
        note: "Off topic.".to_owned(),
    }
}

pub async fn promote(store: &Store, group: GroupId, by: UserId, person: UserId) {
    let promotion = GroupAct::SetRole(person, GroupRole::Moderator);
    act(store, group, by, promotion).await;
}

/// Returns a draft for a group.
pub fn post_draft(group: GroupId, text: &str) -> Draft {
    Draft {
        group: Some(group),
        ..Draft::from(&Message::parse(text).expect("a valid message"))
    }
}

/// Posts in a group.
pub async fn post(store: &Store, group: GroupId, author: UserId, text: &str) -> StatusId {
    crowd::post_draft(store, author, post_draft(group, text)).await
}
