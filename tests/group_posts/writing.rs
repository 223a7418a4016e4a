//! Who posts and replies in a group.

use redwing::{
    actions::{
        reposts::{self, Repost},
        statuses::{self, Post},
    },
    domain::{
        Draft, GroupAct, GroupKind, GroupPostRefusal, IdempotencyKey, Message, StatusId, UnixMs,
        UserId,
    },
    store::{Store, Viewer},
};

use super::group_of;
use crate::support::{
    Person, Site,
    core::Core,
    crowd::{self, member, people},
    groups::{self, act, event, post_draft},
};

async fn try_post(store: &Store, author: UserId, draft: Draft) -> Post {
    let posted = statuses::post(store, author, draft, &IdempotencyKey::draw()).await;
    posted.expect("an answer")
}

#[tokio::test]
async fn members_post_and_reply_and_moderators_alone_post_announcements() {
    let core = Core::with(&["--group-age-days", "0"]);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let [moderator, plain, muted, stranger] =
        people(store, "person", 4).await.try_into().expect("four");
    let members = [moderator, plain, muted];
    let later = UnixMs(store.now().await.expect("an answer").0 + 3_600_000);
    use GroupPostRefusal::{Muted, NotMember, OnlyModerators};
    for kind in [
        GroupKind::Public,
        GroupKind::Private,
        GroupKind::Announcement,
    ] {
        let group = group_of(store, kind, owner, &members).await;
        groups::promote(store, group, owner, moderator).await;
        act(store, group, owner, GroupAct::Mute(event(muted), later)).await;
        let first = groups::post(store, group, owner, "the first one").await;
        let is_announcement = kind == GroupKind::Announcement;
        for (author, refusal) in [
            (owner, None),
            (moderator, None),
            (plain, is_announcement.then_some(OnlyModerators)),
            (muted, Some(Muted(later))),
            (stranger, Some(NotMember)),
        ] {
            let outcome = try_post(store, author, post_draft(group, "hello")).await;
            match refusal {
                None => assert!(matches!(outcome, Post::Posted(_)), "{kind} {outcome:?}"),
                Some(refusal) => assert_eq!(outcome, Post::GroupRefused(refusal), "{kind}"),
            }
        }
        for (author, refusal) in [(plain, None), (muted, Some(Muted(later)))] {
            let outcome = crowd::try_reply(store, author, first, "a reply").await;
            match refusal {
                None => assert!(matches!(outcome, Post::Posted(_)), "{kind} {outcome:?}"),
                Some(refusal) => assert_eq!(outcome, Post::GroupRefused(refusal), "{kind}"),
            }
        }
        let outcome = crowd::try_reply(store, stranger, first, "a reply").await;
        assert!(
            matches!(outcome, Post::ReplyRefused | Post::TargetDeleted),
            "{kind} {outcome:?}"
        );
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn a_reply_stays_in_the_group_and_nothing_there_is_reposted_or_quoted() {
    let core = Core::with(&["--group-age-days", "0"]);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let plain = member(store, "plain").await;
    for kind in [GroupKind::Public, GroupKind::Private] {
        let group = group_of(store, kind, owner, &[plain]).await;
        let id = groups::post(store, group, owner, "the first one").await;
        let reply = crowd::reply(store, plain, id, "a reply").await;
        let deeper = crowd::reply(store, owner, reply, "a deeper one").await;
        for status in [id, reply, deeper] {
            let header = store.life(status).await.expect("an answer").header();
            assert_eq!(header.expect("it lives").group, Some(group), "{kind}");
            for person in [owner, plain] {
                let repost = reposts::repost(store, person, status).await;
                assert_eq!(repost.expect("an answer"), Repost::Unknown, "{kind}");
                let seen = store.status(Viewer::Member(person), status).await;
                let seen = seen.expect("an answer").expect("it is visible");
                assert_eq!(seen.widest_quote(), None, "{kind}");
                let quote = Draft {
                    quote_of: Some(seen.as_status_ref()),
                    ..Draft::from(&Message::parse("see this").expect("valid"))
                };
                let quote = try_post(store, person, quote).await;
                assert_eq!(quote, Post::TargetDeleted, "{kind}");
            }
        }
    }
    core.assert_sound().await;
}

#[tokio::test]
async fn a_removal_between_both_decisions_takes_the_post_back() {
    let core = Core::with(&["--group-age-days", "0"]);
    let store = &core.store;
    let owner = member(store, "owner").await;
    let plain = member(store, "plain").await;
    let group = group_of(store, GroupKind::Private, owner, &[plain]).await;
    let mut posted: Vec<StatusId> = Vec::new();
    for round in 0..20 {
        let key = IdempotencyKey::draw();
        let text = format!("round {round}");
        let write = statuses::post(store, plain, post_draft(group, &text), &key);
        let remove =
            redwing::actions::groups::manage(store, owner, group, GroupAct::Remove(event(plain)));
        let (outcome, removed) = futures_util::future::join(write, remove).await;
        removed.expect("an answer");
        match outcome.expect("an answer") {
            Post::Posted(id) => posted.push(id),
            Post::GroupRefused(GroupPostRefusal::NotMember) => {}
            other => panic!("{other:?}"),
        }
        groups::join(store, group, plain).await;
    }
    core.drain().await;
    posted.reverse();
    let seen = super::page_of(store, Viewer::Member(owner), group).await;
    assert_eq!(seen, posted);
    core.assert_sound().await;
}

#[tokio::test]
async fn the_composer_offers_the_groups_of_a_person_and_posts_in_one() {
    let site = Site::with(&["--group-age-days", "0"]).await;
    let store = &site.store;
    let owner = Person::sign_up(&site, "owner").await;
    let uid = crowd::uid(store, "owner").await;
    let options = "#visibility optgroup option";
    assert!(!owner.open("/").await.has(options));
    let group = group_of(store, GroupKind::Private, uid, &[]).await;
    let home = owner.open("/").await;
    let value = format!("group:{group}");
    assert_eq!(
        home.attributes(options, "value"),
        std::slice::from_ref(&value)
    );
    let form = home.form("/statuses").set("message", "to the group");
    owner
        .submit_accepted(&form.clone().set("visibility", &value))
        .await;
    let home = owner.open("/").await;
    assert_eq!(home.messages(), ["to the group"]);
    assert!(
        home.text(".in-group").contains("Group group-"),
        "{}",
        home.html
    );
    // The composer still offers the visibility of the last post that had one.
    assert_eq!(
        home.attributes("#visibility option[selected]", "value"),
        ["public"]
    );
    // A form that is given back keeps its choice.
    let blank = form.set("message", " ").set("visibility", &value);
    let refused = owner.submit(&blank).await;
    assert_eq!(
        refused.attributes("#visibility option[selected]", "value"),
        std::slice::from_ref(&value)
    );
    // A stranger who forges the form posts nothing.
    let stranger = Person::sign_up(&site, "stranger").await;
    let form = stranger.open("/").await.form("/statuses");
    let forged = form.set("message", "let me in").set("visibility", &value);
    let refused = stranger.submit(&forged).await;
    assert!(
        refused.visible_text().contains("not a member"),
        "{}",
        refused.visible_text()
    );
    assert!(stranger.home_ids().await.is_empty());
    site.assert_sound().await;
}
