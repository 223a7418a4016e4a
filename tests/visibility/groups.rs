//! Who sees a post in a group: each viewer looks at each surface, and a plain table says what they see.

use redwing::{
    actions::statuses::group_posts,
    domain::{GroupAct, GroupId, GroupKind, GroupReaders, Past, StatusId, UserId},
    store::{RemovePostOutcome, Store, Viewer},
};
use reqwest::StatusCode;

use crate::{
    group_posts::{group_of, page_of},
    support::{
        Page, Person, Site,
        crowd::{self, follow},
        groups::{self, act, event, join, leave, post},
    },
};

/// The viewers. The author is a member, and the others follow the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looker {
    Author,
    Owner,
    Member,
    /// Joined after the post.
    Newcomer,
    Left,
    Removed,
    Banned,
    /// Asked to join.
    Asking,
    Invited,
    Stranger,
    LoggedOut,
}

const LOOKERS: [Looker; 11] = [
    Looker::Author,
    Looker::Owner,
    Looker::Member,
    Looker::Newcomer,
    Looker::Left,
    Looker::Removed,
    Looker::Banned,
    Looker::Asking,
    Looker::Invited,
    Looker::Stranger,
    Looker::LoggedOut,
];

/// The groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scene {
    Public,
    Private,
    /// New members do not see the past.
    SinceJoining,
    Unlisted,
    AnnouncementsForEveryone,
    AnnouncementsForMembers,
}

const SCENES: [Scene; 6] = [
    Scene::Public,
    Scene::Private,
    Scene::SinceJoining,
    Scene::Unlisted,
    Scene::AnnouncementsForEveryone,
    Scene::AnnouncementsForMembers,
];

/// Returns whether a viewer sees the post.
fn sees(looker: Looker, scene: Scene) -> bool {
    use Looker::{Author, Member, Newcomer, Owner};
    let is_for_everyone = matches!(scene, Scene::Public | Scene::AnnouncementsForEveryone);
    match looker {
        Newcomer => scene != Scene::SinceJoining,
        Author | Owner | Member => true,
        _ => is_for_everyone,
    }
}

fn login(looker: Looker) -> String {
    format!("{looker:?}").to_lowercase()
}

async fn found(store: &Store, scene: Scene) -> GroupId {
    let kind = match scene {
        Scene::Public => GroupKind::Public,
        Scene::AnnouncementsForEveryone | Scene::AnnouncementsForMembers => GroupKind::Announcement,
        Scene::Private | Scene::SinceJoining | Scene::Unlisted => GroupKind::Private,
    };
    let slug = format!("{scene:?}").to_lowercase();
    let mut draft = groups::draft(&slug, kind);
    if scene == Scene::AnnouncementsForEveryone {
        draft.readable_by = GroupReaders::Everyone;
    }
    if scene == Scene::SinceJoining {
        draft.settings.past = Past::SinceJoining;
    }
    draft.settings.is_unlisted = scene == Scene::Unlisted;
    let owner = crowd::uid(store, "owner").await;
    groups::found(store, owner, &draft).await
}

/// Brings everybody into their part, around a post and a reply. Returns both.
async fn play(store: &Store, scene: Scene, group: GroupId) -> (StatusId, StatusId) {
    let uid = async |looker| crowd::uid(store, &login(looker)).await;
    let (owner, author) = (uid(Looker::Owner).await, uid(Looker::Author).await);
    for looker in [
        Looker::Author,
        Looker::Member,
        Looker::Left,
        Looker::Removed,
        Looker::Banned,
    ] {
        join(store, group, uid(looker).await).await;
    }
    groups::promote(store, group, owner, author).await;
    let text = format!("canary{scene:?} #canaries @stranger").to_lowercase();
    let id = post(store, group, author, &text).await;
    let reply = crowd::reply(store, owner, id, &format!("reply{scene:?}").to_lowercase()).await;
    join(store, group, uid(Looker::Newcomer).await).await;
    leave(store, group, uid(Looker::Left).await).await;
    let removed = event(uid(Looker::Removed).await);
    act(store, group, owner, GroupAct::Remove(removed)).await;
    let banned = event(uid(Looker::Banned).await);
    act(store, group, owner, GroupAct::Ban(banned)).await;
    if matches!(scene, Scene::Private | Scene::SinceJoining) {
        let asked = redwing::actions::groups::join(store, uid(Looker::Asking).await, group).await;
        asked.expect("an answer");
    }
    let invitation = GroupAct::Invite(uid(Looker::Invited).await);
    act(store, group, owner, invitation).await;
    (id, reply)
}

struct Canary {
    scene: Scene,
    group: GroupId,
    id: StatusId,
    reply: StatusId,
}

async fn sign_up_all(site: &Site) -> Vec<Person> {
    let mut people = Vec::new();
    for looker in LOOKERS {
        people.push(match looker {
            Looker::LoggedOut => Person::visitor(site),
            _ => Person::sign_up(site, &login(looker)).await,
        });
    }
    let author = crowd::uid(&site.store, "author").await;
    for looker in LOOKERS {
        if !matches!(looker, Looker::LoggedOut | Looker::Author) {
            let follower = crowd::uid(&site.store, &login(looker)).await;
            follow(&site.store, follower, author).await;
        }
    }
    people
}

async fn canaries(site: &Site) -> Vec<Canary> {
    let mut canaries = Vec::new();
    for scene in SCENES {
        let group = found(&site.store, scene).await;
        let (id, reply) = play(&site.store, scene, group).await;
        canaries.push(Canary {
            scene,
            group,
            id,
            reply,
        });
    }
    site.drain().await;
    canaries
}

fn has(page: &Page, word: &str) -> bool {
    page.html.contains(&word.to_lowercase())
}

#[tokio::test]
async fn each_viewer_sees_the_posts_of_groups_that_they_may_read_and_no_others() {
    let site = Site::with(&["--group-age-days", "0"]).await;
    let people = sign_up_all(&site).await;
    let canaries = canaries(&site).await;
    for (looker, person) in LOOKERS.into_iter().zip(&people) {
        let profile = person.get("/@author").await;
        let by_tag = person.get("/tags/canaries").await;
        let everybody = person.get("/everybody").await;
        let home = person.get("/").await;
        let mentions = (looker == Looker::Stranger).then_some("/mentions");
        for Canary {
            scene, id, reply, ..
        } in &canaries
        {
            let sees = sees(looker, *scene);
            let (word, reply_word) = (format!("canary{scene:?}"), format!("reply{scene:?}"));
            let about = format!("{looker:?} {scene:?}");
            let page = person.get(&format!("/@author/{id}")).await;
            assert_eq!(page.status == StatusCode::OK, sees, "{about} permalink");
            assert_eq!(has(&page, &reply_word), sees, "{about} conversation");
            let page = person.get(&format!("/@owner/{reply}")).await;
            assert_eq!(page.status == StatusCode::OK, sees, "{about} reply");
            assert_eq!(has(&profile, &word), sees, "{about} profile");
            let found = person
                .get(&format!("/search?q={}", word.to_lowercase()))
                .await;
            assert_eq!(!found.messages().is_empty(), sees, "{about} search");
            let is_for_everyone = self::sees(Looker::LoggedOut, *scene);
            assert_eq!(has(&by_tag, &word), is_for_everyone, "{about} tag");
            assert!(!has(&everybody, &word), "{about} everybody");
            let is_member = matches!(
                looker,
                Looker::Author | Looker::Owner | Looker::Member | Looker::Newcomer
            );
            assert_eq!(has(&home, &word), sees && is_member, "{about} home");
            if let Some(path) = mentions {
                assert_eq!(
                    has(&person.get(path).await, &word),
                    sees,
                    "{about} mentions"
                );
                let page = person.get("/notifications").await;
                assert_eq!(has(&page, &word), sees, "{about} notifications");
            }
            let quote = person.get(&format!("/statuses/{id}/quote")).await;
            assert_ne!(quote.status, StatusCode::OK, "{about} quote");
            let page = person.get(&format!("/@author/{id}")).await;
            let repost = page.find_button(&format!("/statuses/{id}/repost"));
            assert!(repost.is_none(), "{about} repost");
            let replies = page.find_form("/statuses").is_some();
            assert_eq!(replies, sees && is_member, "{about} reply");
        }
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn the_timeline_of_a_group_has_what_its_reader_may_see() {
    let site = Site::with(&["--group-age-days", "0"]).await;
    sign_up_all(&site).await;
    for Canary {
        scene, group, id, ..
    } in canaries(&site).await
    {
        for looker in LOOKERS {
            let viewer = match looker {
                Looker::LoggedOut => Viewer::Anonymous,
                _ => Viewer::Member(crowd::uid(&site.store, &login(looker)).await),
            };
            let page = page_of(&site.store, viewer, group).await;
            assert_eq!(page == [id], sees(looker, scene), "{looker:?} {scene:?}");
        }
    }
}

#[tokio::test]
async fn a_removed_post_is_seen_by_its_author_alone() {
    let site = Site::with(&["--group-age-days", "0"]).await;
    let store = &site.store;
    sign_up_all(&site).await;
    let owner = crowd::uid(store, "owner").await;
    for Canary {
        scene,
        group,
        reply,
        ..
    } in canaries(&site).await
    {
        let member = crowd::uid(store, "member").await;
        let id = match scene {
            Scene::AnnouncementsForEveryone | Scene::AnnouncementsForMembers => {
                crowd::reply(store, member, reply, "off topic").await
            }
            _ => post(store, group, member, "off topic").await,
        };
        let removed = group_posts::remove(store, owner, id, "Off topic.".to_owned()).await;
        assert_eq!(removed.expect("an answer"), RemovePostOutcome::Done);
        for looker in LOOKERS {
            let viewer = match looker {
                Looker::LoggedOut => Viewer::Anonymous,
                _ => Viewer::Member(crowd::uid(store, &login(looker)).await),
            };
            let seen = store.status(viewer, id).await.expect("an answer");
            assert_eq!(
                seen.is_some(),
                looker == Looker::Member,
                "{looker:?} {scene:?}"
            );
        }
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn a_private_account_narrows_its_posts_in_open_groups_and_not_those_for_members() {
    let site = Site::with(&["--group-age-days", "0"]).await;
    let store = &site.store;
    let [owner, author, member, follower]: [UserId; 4] = crowd::people(store, "person", 4)
        .await
        .try_into()
        .expect("four");
    follow(store, follower, author).await;
    for (kind, readers) in [
        (GroupKind::Public, [false, true]),
        (GroupKind::Private, [true, false]),
    ] {
        let group = group_of(store, kind, owner, &[author, member]).await;
        let before = post(store, group, author, "before").await;
        crowd::set_private(store, author, true).await;
        let during = post(store, group, author, "during").await;
        for id in [before, during] {
            for (viewer, sees) in [member, follower].into_iter().zip(readers) {
                let seen = store.status(Viewer::Member(viewer), id).await;
                assert_eq!(seen.expect("an answer").is_some(), sees, "{kind} {viewer}");
            }
        }
        crowd::set_private(store, author, false).await;
    }
    site.assert_sound().await;
}
