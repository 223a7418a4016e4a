//! The matrix of docs/access.md: each viewer looks at each surface for each canary, and the oracle, a plain
//! table written from the rules, says whether it is there. `tests/visibility/matrix` has the part about visibility and
//! private accounts.

use redwing::{
    actions::mutes,
    domain::{MuteTerm, StatusId, UserId},
};

use super::set_block;
use crate::support::{Person, Site, crowd};

/// Whose eyes look, by their relation to the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looker {
    LoggedOut,
    Stranger,
    Follower,
    Muting,
    /// Mutes the words of all canaries.
    MutingWords,
    Blocking,
    Blocked,
    Author,
}

const LOOKERS: [Looker; 8] = [
    Looker::LoggedOut,
    Looker::Stranger,
    Looker::Follower,
    Looker::Muting,
    Looker::MutingWords,
    Looker::Blocking,
    Looker::Blocked,
    Looker::Author,
];

/// A page, with the canary that can be on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Surface {
    Home,
    Everybody,
    List,
    Important,
    Profile,
    ProfileWithReplies,
    Permalink,
    Conversation,
    RepliesToAuthor,
    QuoteByThird,
    RepostByThird,
    SearchPosts,
    SearchPeople,
    Tag,
    Mentions,
    Favourites,
    Bookmarks,
    FavouritedBy,
    RepostedBy,
    FollowersOfThird,
    FollowedByThird,
    Versions,
    Notifications,
}

const SURFACES: [Surface; 23] = [
    Surface::Home,
    Surface::Everybody,
    Surface::List,
    Surface::Important,
    Surface::Profile,
    Surface::ProfileWithReplies,
    Surface::Permalink,
    Surface::Conversation,
    Surface::RepliesToAuthor,
    Surface::QuoteByThird,
    Surface::RepostByThird,
    Surface::SearchPosts,
    Surface::SearchPeople,
    Surface::Tag,
    Surface::Mentions,
    Surface::Favourites,
    Surface::Bookmarks,
    Surface::FavouritedBy,
    Surface::RepostedBy,
    Surface::FollowersOfThird,
    Surface::FollowedByThird,
    Surface::Versions,
    Surface::Notifications,
];

/// Returns whether the canary of a surface is there for this viewer. `None`: the viewer has no such page. It
/// knows the rules, and nothing of the code.
fn oracle(looker: Looker, surface: Surface) -> Option<bool> {
    let is_blocked = matches!(looker, Looker::Blocking | Looker::Blocked);
    let is_followed = matches!(looker, Looker::Follower | Looker::Author);
    let is_prepared = !matches!(looker, Looker::LoggedOut | Looker::Author);
    match surface {
        // Timelines of the viewer: without muted people, and without those whom they do not follow.
        // The landing page shows the newest public posts of the site. Its own tests examine it.
        Surface::Home if looker == Looker::LoggedOut => None,
        Surface::Home => Some(is_followed),
        // Everyone's timeline, also without muted people.
        Surface::Everybody => {
            let is_muting = matches!(looker, Looker::Muting | Looker::MutingWords);
            Some(!is_blocked && !is_muting)
        }
        Surface::Important if looker == Looker::LoggedOut => None,
        Surface::Important => Some(looker == Looker::Follower),
        Surface::List => {
            is_prepared.then_some(matches!(looker, Looker::Follower | Looker::Stranger))
        }
        // The viewer's own pages, which each prepared viewer filled before. A block removes favourites and
        // notifications, and hides the rest. A mute keeps all of it.
        Surface::Notifications if looker == Looker::MutingWords => Some(false),
        Surface::Mentions | Surface::Favourites | Surface::Bookmarks | Surface::Notifications => {
            is_prepared.then_some(!is_blocked)
        }
        // Everything else is gone for both sides of a block, and unchanged for everybody else.
        _ => Some(!is_blocked),
    }
}

/// The site with all canaries, and what its paths need.
struct Scene {
    site: Site,
    author: Person,
    post: StatusId,
    conversation: StatusId,
    reply_to_author: StatusId,
    favourited_by_author: StatusId,
}

impl Scene {
    /// Returns the path of a surface and its canary.
    fn page(&self, looker: Looker, surface: Surface) -> (String, String) {
        let (post, name) = (self.post, login(looker));
        let path = match surface {
            Surface::Home => "/".to_owned(),
            Surface::Everybody => "/everybody".to_owned(),
            Surface::List => "/lists/1".to_owned(),
            Surface::Important => "/important".to_owned(),
            Surface::Profile => "/@author".to_owned(),
            Surface::ProfileWithReplies => "/@author/replies".to_owned(),
            Surface::Permalink => format!("/@author/{post}"),
            Surface::Conversation => format!("/@host/{}", self.conversation),
            Surface::RepliesToAuthor => format!("/@third/{}", self.reply_to_author),
            Surface::QuoteByThird | Surface::RepostByThird => "/@third".to_owned(),
            Surface::SearchPosts => "/search?q=shared".to_owned(),
            Surface::SearchPeople => "/search?q=auth".to_owned(),
            Surface::Tag => "/tags/matrix".to_owned(),
            Surface::Mentions => "/mentions".to_owned(),
            Surface::Favourites => "/favourites".to_owned(),
            Surface::Bookmarks => "/bookmarks".to_owned(),
            Surface::FavouritedBy => format!("/@host/{}/favourites", self.favourited_by_author),
            Surface::RepostedBy => format!("/@host/{}/reposts", self.favourited_by_author),
            Surface::FollowersOfThird => "/@third/followers".to_owned(),
            Surface::FollowedByThird => "/@third/following".to_owned(),
            Surface::Versions => format!("/@author/{post}/versions"),
            Surface::Notifications => "/notifications".to_owned(),
        };
        let canary = match surface {
            Surface::Conversation | Surface::ProfileWithReplies => "canary-reply".to_owned(),
            Surface::Versions => "canary-earlier".to_owned(),
            Surface::Mentions => format!("canary-mention-{name}"),
            Surface::Notifications => format!("canary-mention-{name}"),
            Surface::QuoteByThird => "canary-quoted".to_owned(),
            Surface::RepostByThird => "canary-reposted".to_owned(),
            Surface::SearchPeople
            | Surface::FavouritedBy
            | Surface::RepostedBy
            | Surface::FollowersOfThird
            | Surface::FollowedByThird => "<span class=p-nickname>author</span>".to_owned(),
            _ => "canary-post".to_owned(),
        };
        (path, canary)
    }
}

fn login(looker: Looker) -> &'static str {
    match looker {
        Looker::LoggedOut => "nobody",
        Looker::Stranger => "stranger",
        Looker::Follower => "follower",
        Looker::Muting => "muting",
        Looker::MutingWords => "muting_words",
        Looker::Blocking => "blocking",
        Looker::Blocked => "blocked",
        Looker::Author => "author",
    }
}

/// Creates everything that is the same for all viewers.
async fn scene() -> Scene {
    let site = Site::start().await;
    let store = &site.store;
    let author = Person::sign_up(&site, "author").await;
    let uid = crowd::uid(store, "author").await;
    let (host, third) = (
        crowd::member(store, "host").await,
        crowd::member(store, "third").await,
    );
    crowd::follow(store, uid, third).await;
    crowd::follow(store, third, uid).await;
    let conversation = crowd::post(store, host, "let us talk").await;
    crowd::reply(store, uid, conversation, "canary-reply").await;
    let favourited_by_author = crowd::post(store, host, "liked by the author").await;
    crowd::favourite(store, uid, favourited_by_author).await;
    crowd::repost(store, uid, favourited_by_author).await;
    let quoted = crowd::post(store, uid, "canary-quoted").await;
    crowd::quote(store, third, quoted, "a comment").await;
    let reposted = crowd::post(store, uid, "canary-reposted").await;
    crowd::repost(store, third, reposted).await;
    let post = crowd::post(store, uid, "canary-earlier shared #matrix").await;
    crowd::edit(store, uid, post, "canary-post shared #matrix").await;
    let reply_to_author = crowd::reply(store, third, post, "an answer").await;
    site.drain().await;
    Scene {
        author,
        post,
        conversation,
        reply_to_author,
        favourited_by_author,
        site,
    }
}

/// Signs a viewer up, connects them to the author in every way, and then sets their relation.
async fn looker(scene: &Scene, looker: Looker) -> Person {
    let store = &scene.site.store;
    let author = crowd::uid(store, "author").await;
    let person = match looker {
        Looker::LoggedOut => return Person::visitor(&scene.site),
        Looker::Author => return Person::log_in(&scene.site, "author").await,
        _ => Person::sign_up(&scene.site, login(looker)).await,
    };
    let uid = crowd::uid(store, login(looker)).await;
    crowd::list(store, uid, &[author]).await;
    crowd::favourite(store, uid, scene.post).await;
    crowd::bookmark(store, uid, scene.post).await;
    let mention = format!("@{0}, canary-mention-{0}", login(looker));
    crowd::post(store, author, &mention).await;
    if looker != Looker::Stranger {
        crowd::follow(store, uid, author).await;
    }
    relate(scene, looker, uid, author).await;
    scene.site.drain().await;
    person
}

async fn relate(scene: &Scene, looker: Looker, uid: UserId, author: UserId) {
    let store = &scene.site.store;
    match looker {
        Looker::Muting => {
            let muted = mutes::mute(store, uid, author, MuteTerm::Forever).await;
            assert_eq!(muted.expect("the store answers"), mutes::Mute::Done);
        }
        Looker::MutingWords => crowd::mute_text(store, uid, "canary").await,
        Looker::Blocking => set_block(store, uid, author).await,
        Looker::Blocked => set_block(store, author, uid).await,
        Looker::LoggedOut | Looker::Stranger | Looker::Follower | Looker::Author => {}
    }
}

/// Returns the surfaces on which a viewer does not see what the oracle expects.
async fn wrong_surfaces(
    scene: &Scene,
    people: &[(Looker, Person)],
    oracle: impl Fn(Looker, Surface) -> Option<bool>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for (each, person) in people {
        for surface in SURFACES {
            let Some(expected) = oracle(*each, surface) else {
                continue;
            };
            let (path, canary) = scene.page(*each, surface);
            if person.get(&path).await.html.contains(&canary) != expected {
                wrong.push(format!("{each:?} on {surface:?}: expected {expected}"));
            }
        }
    }
    wrong
}

#[tokio::test]
async fn a_suspended_author_is_gone_from_every_surface_and_returns_to_all_of_them() {
    let scene = scene().await;
    let mut people = Vec::new();
    for each in LOOKERS.into_iter().filter(|each| *each != Looker::Author) {
        people.push((each, looker(&scene, each).await));
    }
    let store = &scene.site.store;
    let author = crowd::uid(store, "author").await;
    for _ in 0..2 {
        crowd::set_suspended(store, author, true).await;
        let gone = |looker, surface| oracle(looker, surface).map(|_| false);
        let wrong = wrong_surfaces(&scene, &people, gone).await;
        assert!(wrong.is_empty(), "suspended: {wrong:#?}");
        let quote = people[0].1.open("/@third").await.visible_text();
        assert!(quote.contains("This post is not available"), "{quote}");
        assert!(!scene.author.is_logged_in().await);
        crowd::set_suspended(store, author, false).await;
        let seen = |looker, surface| match surface {
            // Reading Important counted its posts as read.
            Surface::Important => None,
            _ => oracle(looker, surface),
        };
        let wrong = wrong_surfaces(&scene, &people, seen).await;
        assert!(wrong.is_empty(), "restored: {wrong:#?}");
    }
    scene.site.drain().await;
    scene.site.assert_sound().await;
}

#[tokio::test]
async fn every_viewer_sees_on_every_surface_what_the_rules_say() {
    let scene = scene().await;
    let (mut wrong, mut cells) = (Vec::new(), 0);
    for each in LOOKERS {
        let person = looker(&scene, each).await;
        for surface in SURFACES {
            let Some(expected) = oracle(each, surface) else {
                continue;
            };
            let (path, canary) = scene.page(each, surface);
            let page = person.get(&path).await;
            cells += 1;
            if page.html.contains(&canary) != expected {
                wrong.push(format!("{each:?} on {surface:?}: expected {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "of {cells} cells: {wrong:#?}");
    assert!(cells > 140, "{cells}");
    assert!(scene.author.is_logged_in().await);
    scene.site.drain().await;
    scene.site.assert_sound().await;
}
