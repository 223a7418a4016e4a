//! The matrix of visibilities: each viewer looks at each surface for each canary, and the oracle, a plain table
//! written from docs/access.md, says whether it is there. `tests/blocks/matrix.rs` has the part about blocks and
//! mutes.

use std::collections::HashMap;

use redwing::{
    actions::follows,
    domain::{Draft, Message, StatusId, Visibility},
};
use reqwest::StatusCode;

use crate::{
    blocks::set_block,
    support::{PASSWORD, Page, Person, Site, crowd},
};

/// A viewer, by the relation to the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looker {
    LoggedOut,
    /// Follows a tag of the posts, is mentioned, and has the author on a list.
    Stranger,
    Follower,
    /// Followed the author when the posts were written.
    FormerFollower,
    /// Followed the author, who then blocked them.
    Blocked,
    /// Replied to each post, and follows the author.
    Guest,
    /// Asked to follow the author, whose account was private then.
    Pending,
    /// Follows the author and mutes the conversations of all posts.
    Muting,
    /// Followed the author and was suspended after all canaries were posted.
    Suspended,
    /// Followed the author and deactivated the account after all canaries were posted.
    Deactivated,
    Author,
}

const LOOKERS: [Looker; 11] = [
    // Signs up first, so that the others can follow.
    Looker::Author,
    Looker::LoggedOut,
    Looker::Stranger,
    Looker::Follower,
    Looker::FormerFollower,
    Looker::Blocked,
    Looker::Guest,
    Looker::Pending,
    Looker::Muting,
    Looker::Suspended,
    Looker::Deactivated,
];

/// How the visibility of a canary came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Canary {
    /// Posted with it.
    Post,
    /// Posted for everyone, reposted and quoted, then narrowed.
    Narrowed,
    /// A reply by the guest to the first one.
    Reply,
    /// A reply by the guest for everyone to a post that was narrowed later.
    EarlierReply,
    /// A reply by the guest to a deleted post.
    Orphan,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Surface {
    Important,
    Home,
    List,
    Profile,
    ProfileWithReplies,
    Permalink,
    ById,
    Conversation,
    Search,
    Tag,
    Mentions,
    Notifications,
    Favourites,
    Bookmarks,
    FavouritedBy,
    RepostedBy,
    Versions,
    QuoteForm,
    State,
    RepostsAndQuotes,
}

const SURFACES: [Surface; 20] = [
    Surface::Important,
    Surface::Home,
    Surface::List,
    Surface::Profile,
    Surface::ProfileWithReplies,
    Surface::Permalink,
    Surface::ById,
    Surface::Conversation,
    Surface::Search,
    Surface::Tag,
    Surface::Mentions,
    Surface::Notifications,
    Surface::Favourites,
    Surface::Bookmarks,
    Surface::FavouritedBy,
    Surface::RepostedBy,
    Surface::Versions,
    Surface::QuoteForm,
    Surface::State,
    Surface::RepostsAndQuotes,
];

/// Returns whether a viewer sees the author's posts with this visibility.
fn sees_author(looker: Looker, visibility: Visibility) -> bool {
    match looker {
        Looker::Blocked | Looker::Suspended | Looker::Deactivated => false,
        Looker::Author | Looker::Guest | Looker::Follower | Looker::Muting => true,
        Looker::Stranger | Looker::FormerFollower | Looker::Pending => {
            visibility != Visibility::Followers
        }
        Looker::LoggedOut => visibility == Visibility::Public,
    }
}

/// Returns whether a viewer sees the guest's replies to such posts. The author's block hides the author.
fn sees_guest(looker: Looker, visibility: Visibility) -> bool {
    match looker {
        Looker::Blocked => visibility != Visibility::Followers,
        _ => sees_author(looker, visibility),
    }
}

/// Returns whether a canary is on a surface. `None`: the surface cannot have it. It knows the rules, and nothing
/// of the code.
fn oracle(
    looker: Looker,
    account: Account,
    (posted_for, canary): (Visibility, Canary),
    surface: Surface,
) -> Option<bool> {
    let visibility = account.narrow(posted_for);
    let is_reply = !matches!(canary, Canary::Post | Canary::Narrowed);
    let is_author_away = account == Account::Suspended;
    // A person who is away reaches one page only.
    let is_away = is_author_away && looker == Looker::Author;
    let sees_author = |looker, visibility| !is_author_away && sees_author(looker, visibility);
    let sees = match is_reply {
        true => !is_away && sees_guest(looker, visibility),
        false => sees_author(looker, visibility),
    };
    let is_stranger = looker == Looker::Stranger;
    match surface {
        // A tag brings posts to the stranger, and the follow to the others.
        Surface::Home if is_reply => None,
        Surface::Home => match looker {
            Looker::Author | Looker::Guest | Looker::Follower | Looker::Muting => {
                Some(!is_author_away)
            }
            Looker::Stranger => Some(sees),
            // The landing page shows the newest public posts. Its own tests examine it.
            Looker::LoggedOut => None,
            _ => Some(false),
        },
        Surface::Important => {
            let has_page = is_stranger || looker == Looker::Follower;
            (has_page && !is_reply).then_some(sees)
        }
        // Only the stranger has a list, is mentioned, and favourited what everyone saw before.
        Surface::List | Surface::Mentions | Surface::Notifications => {
            (is_stranger && !is_reply).then_some(sees)
        }
        Surface::Favourites | Surface::Bookmarks => {
            (is_stranger && canary == Canary::Narrowed).then_some(sees)
        }
        Surface::Profile | Surface::Tag => (!is_reply).then_some(sees),
        Surface::ProfileWithReplies | Surface::Permalink | Surface::ById | Surface::Search => {
            Some(sees)
        }
        // On the page of the author's post.
        Surface::Conversation => matches!(canary, Canary::Reply | Canary::EarlierReply)
            .then_some(sees_author(looker, visibility)),
        Surface::Versions => Some(sees),
        Surface::FavouritedBy | Surface::RepostedBy | Surface::RepostsAndQuotes => {
            (canary == Canary::Narrowed).then_some(sees)
        }
        Surface::State => (looker != Looker::LoggedOut).then_some(sees),
        // What only followers see is quoted by its author alone.
        Surface::QuoteForm if looker == Looker::LoggedOut => None,
        Surface::QuoteForm => {
            let is_own = looker
                == if is_reply {
                    Looker::Guest
                } else {
                    Looker::Author
                };
            Some(sees && (visibility != Visibility::Followers || is_own))
        }
    }
}

/// A status with the status that it replies to.
struct Shown {
    visibility: Visibility,
    canary: Canary,
    id: StatusId,
    parent: Option<StatusId>,
}

impl Shown {
    fn word(&self) -> String {
        word(self.visibility, self.canary)
    }

    fn path(&self, surface: Surface) -> String {
        let id = self.id;
        let is_reply = !matches!(self.canary, Canary::Post | Canary::Narrowed);
        let by = if is_reply { "guest" } else { "author" };
        match surface {
            Surface::Home => "/".to_owned(),
            Surface::List => "/lists/1".to_owned(),
            Surface::Important => "/important".to_owned(),
            Surface::Profile => format!("/@{by}"),
            Surface::ProfileWithReplies => format!("/@{by}/replies"),
            Surface::Permalink => format!("/@{by}/{id}"),
            Surface::ById => format!("/statuses/{id}"),
            Surface::Conversation => format!("/@author/{}", self.parent.unwrap_or(id)),
            Surface::Search => format!("/search?q={}", self.word()),
            Surface::Tag => "/tags/matrix".to_owned(),
            Surface::Mentions => "/mentions".to_owned(),
            Surface::Notifications => "/notifications".to_owned(),
            Surface::Favourites => "/favourites".to_owned(),
            Surface::Bookmarks => "/bookmarks".to_owned(),
            Surface::FavouritedBy => format!("/@{by}/{id}/favourites"),
            Surface::RepostedBy => format!("/@{by}/{id}/reposts"),
            Surface::Versions => format!("/@{by}/{id}/versions"),
            Surface::QuoteForm => format!("/statuses/{id}/quote"),
            Surface::State => format!("/statuses/{id}/state"),
            Surface::RepostsAndQuotes => "/@guest".to_owned(),
        }
    }

    fn is_on(&self, page: &Page, surface: Surface) -> bool {
        match surface {
            // A person who is away is led to the page of the account.
            Surface::ById => page.status == StatusCode::SEE_OTHER && page.location() != "/account",
            Surface::FavouritedBy | Surface::RepostedBy | Surface::State => {
                page.status == StatusCode::OK
            }
            // The page repeats the query.
            Surface::Search => !page.messages().is_empty(),
            _ => page.html.contains(&self.word()),
        }
    }
}

/// Returns one word that search finds.
fn word(visibility: Visibility, canary: Canary) -> String {
    format!("canary{canary:?}{visibility:?}").to_lowercase()
}

fn login(looker: Looker) -> &'static str {
    match looker {
        Looker::LoggedOut => "nobody",
        Looker::Stranger => "stranger",
        Looker::Follower => "follower",
        Looker::FormerFollower => "former",
        Looker::Blocked => "blocked",
        Looker::Guest => "guest",
        Looker::Pending => "pending",
        Looker::Muting => "muting",
        Looker::Suspended => "suspended",
        Looker::Deactivated => "deactivated",
        Looker::Author => "author",
    }
}

/// Signs a viewer up, connects them to the author, and opens their home, so that all canaries are new.
async fn sign_up(site: &Site, looker: Looker) -> Person {
    if looker == Looker::LoggedOut {
        return Person::visitor(site);
    }
    let person = Person::sign_up(site, login(looker)).await;
    let uid = crowd::uid(&site.store, login(looker)).await;
    let author = crowd::uid(&site.store, "author").await;
    match looker {
        Looker::Stranger => {
            crowd::list(&site.store, uid, &[author]).await;
            crowd::follow_tag(&site.store, uid, "matrix").await;
        }
        Looker::Pending => {
            crowd::set_private(&site.store, author, true).await;
            crowd::ask_to_follow(&site.store, uid, author).await;
            crowd::set_private(&site.store, author, false).await;
        }
        Looker::LoggedOut | Looker::Author => {}
        _ => crowd::follow(&site.store, uid, author).await,
    }
    person.open("/").await;
    person
}

/// Posts all canaries.
async fn post_canaries(site: &Site) -> Vec<Shown> {
    let store = &site.store;
    let (author, guest) = (
        crowd::uid(store, "author").await,
        crowd::uid(store, "guest").await,
    );
    let stranger = crowd::uid(store, "stranger").await;
    let mut canaries = Vec::new();
    for visibility in Visibility::ALL {
        let text = |canary| format!("@stranger {} #matrix", word(visibility, canary));
        let post = crowd::post_to(store, author, visibility, &text(Canary::Post)).await;
        let open = crowd::post(store, author, &text(Canary::Narrowed)).await;
        crowd::favourite(store, stranger, open).await;
        crowd::bookmark(store, stranger, open).await;
        crowd::repost(store, guest, open).await;
        crowd::quote(store, guest, open, "a comment").await;
        let gone = crowd::post_to(store, author, visibility, "deleted").await;
        let mut add = |canary, id, parent| {
            canaries.push(Shown {
                visibility,
                canary,
                id,
                parent,
            });
        };
        for (canary, parent) in [
            (Canary::Reply, post),
            (Canary::EarlierReply, open),
            (Canary::Orphan, gone),
        ] {
            let draft = Draft {
                reply_to: Some(parent),
                ..Draft::from(&Message::parse(&word(visibility, canary)).expect("valid"))
            };
            add(
                canary,
                crowd::post_draft(store, guest, draft).await,
                Some(parent),
            );
        }
        add(Canary::Post, post, None);
        add(Canary::Narrowed, open, None);
        crowd::delete(store, author, gone).await;
        if visibility != Visibility::Public {
            crowd::narrow(store, author, open, visibility).await;
        }
    }
    canaries
}

/// The account of the author when the viewers look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Account {
    Public,
    /// Private since all canaries were posted. Each of them is then for followers.
    Private,
    /// Was private for a while after all canaries were posted.
    PublicAgain,
    /// Suspended since all canaries were posted.
    Suspended,
    /// Was suspended for a while after all canaries were posted.
    Restored,
}

impl Account {
    /// Returns who sees a status that was posted with this visibility.
    fn narrow(self, visibility: Visibility) -> Visibility {
        match self {
            Self::Public | Self::PublicAgain | Self::Suspended | Self::Restored => visibility,
            Self::Private => Visibility::Followers,
        }
    }
}

#[tokio::test]
async fn every_viewer_sees_on_every_surface_what_the_visibility_says() {
    check_matrix(Account::Public).await;
}

#[tokio::test]
async fn a_private_account_narrows_every_surface_to_followers() {
    check_matrix(Account::Private).await;
}

#[tokio::test]
async fn an_account_that_is_public_again_shows_what_it_showed_before() {
    check_matrix(Account::PublicAgain).await;
}

#[tokio::test]
async fn posts_of_a_suspended_account_are_on_no_surface() {
    check_matrix(Account::Suspended).await;
}

#[tokio::test]
async fn a_restored_account_shows_what_it_showed_before() {
    check_matrix(Account::Restored).await;
}

/// Takes the viewers away who are not there when the others look, and the author. They log in again.
async fn send_away(site: &Site, account: Account, people: &mut [Person]) {
    let store = &site.store;
    let author = crowd::uid(store, "author").await;
    for (looker, person) in LOOKERS.into_iter().zip(people) {
        match looker {
            Looker::Suspended => {
                let uid = crowd::uid(store, login(looker)).await;
                crowd::set_suspended(store, uid, true).await;
            }
            Looker::Deactivated => {
                let form = person.open("/settings/leave").await.form("/settings/leave");
                let form = form.set("current_password", PASSWORD);
                person.submit_accepted(&form).await;
            }
            Looker::Author if account == Account::Suspended => {
                crowd::set_suspended(store, author, true).await;
            }
            Looker::Author if account == Account::Restored => {
                crowd::set_suspended(store, author, true).await;
                crowd::set_suspended(store, author, false).await;
            }
            _ => continue,
        }
        *person = Person::log_in(site, login(looker)).await;
    }
}

async fn check_matrix(account: Account) {
    let site = Site::start().await;
    let store = &site.store;
    let mut people = Vec::new();
    for looker in LOOKERS {
        people.push(sign_up(&site, looker).await);
    }
    let author = crowd::uid(store, "author").await;
    let canaries = post_canaries(&site).await;
    let former = crowd::uid(store, "former").await;
    let left = follows::unfollow(store, former, author).await;
    left.expect("the store answers");
    set_block(store, author, crowd::uid(store, "blocked").await).await;
    if matches!(account, Account::Private | Account::PublicAgain) {
        crowd::set_private(store, author, true).await;
    }
    if account == Account::PublicAgain {
        crowd::set_private(store, author, false).await;
    }
    let muting = crowd::uid(store, "muting").await;
    for shown in &canaries {
        crowd::mute_conversation(store, muting, shown.id).await;
    }
    send_away(&site, account, &mut people).await;
    site.drain().await;
    let (mut wrong, mut cells) = (Vec::new(), 0);
    for (looker, person) in LOOKERS.into_iter().zip(&people) {
        let mut pages: HashMap<String, Page> = HashMap::new();
        for (surface, shown) in SURFACES
            .iter()
            .flat_map(|one| canaries.iter().map(move |shown| (*one, shown)))
        {
            let (visibility, canary) = (shown.visibility, shown.canary);
            let Some(expected) = oracle(looker, account, (visibility, canary), surface) else {
                continue;
            };
            let path = shown.path(surface);
            if !pages.contains_key(&path) {
                pages.insert(path.clone(), person.get(&path).await);
            }
            cells += 1;
            if shown.is_on(&pages[&path], surface) != expected {
                wrong.push(format!(
                    "{looker:?}, {surface:?}, {canary:?} for {visibility:?}: expected {expected}"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {cells} cells: {wrong:#?}",
        wrong.len()
    );
    assert!(cells > 1000, "{cells}");
    site.assert_sound().await;
}
