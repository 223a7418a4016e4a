//! The oracle of the matrix: a plain table of docs/access.md. It knows the rules, and nothing of the code.

use redwing::domain::Visibility;

/// A viewer, by the relation to the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looker {
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
    /// Asked to follow the author while the account was private.
    Pending,
    /// Follows the author and the guest, and mutes the conversations of all posts.
    Muting,
    /// Followed the author and was suspended after all canaries were posted.
    Suspended,
    /// Followed the author and deactivated the account after all canaries were posted.
    Deactivated,
    /// Asked to join and waits for the answer.
    Waiting,
    Author,
}

pub const LOOKERS: [Looker; 12] = [
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
    Looker::Waiting,
];

/// How the visibility of a canary came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Canary {
    /// Posted with it.
    Post,
    /// Posted for everyone, reposted and quoted, then narrowed.
    Narrowed,
    /// A reply by the guest to the first one.
    Reply,
    /// A reply by the guest for everyone to a post that was narrowed later.
    EarlierReply,
    /// A reply by the guest for followers to such a post.
    Confidential,
    /// A reply by the former follower to such a post.
    FormerReply,
    /// A reply by the guest to a deleted post.
    Orphan,
    /// A deleted reply by the guest, with a reply below it.
    Deleted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    Important,
    Home,
    Everybody,
    List,
    Profile,
    /// Only one canary of a public account is looked for: the follow of the guest.
    Followers,
    ProfileWithReplies,
    Permalink,
    ById,
    Conversation,
    Search,
    Tag,
    Mentions,
    Notifications,
    Favourites,
    /// The tab of the stranger, who shows it.
    FavouritesTab,
    Bookmarks,
    FavouritedBy,
    RepostedBy,
    Versions,
    QuoteForm,
    State,
    RepostsAndQuotes,
}

pub const SURFACES: [Surface; 23] = [
    Surface::Important,
    Surface::Home,
    Surface::Everybody,
    Surface::List,
    Surface::Profile,
    Surface::Followers,
    Surface::ProfileWithReplies,
    Surface::Permalink,
    Surface::ById,
    Surface::Conversation,
    Surface::Search,
    Surface::Tag,
    Surface::Mentions,
    Surface::Notifications,
    Surface::Favourites,
    Surface::FavouritesTab,
    Surface::Bookmarks,
    Surface::FavouritedBy,
    Surface::RepostedBy,
    Surface::Versions,
    Surface::QuoteForm,
    Surface::State,
    Surface::RepostsAndQuotes,
];

/// The account of the author when the viewers look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    Public,
    /// Private since all canaries were posted. Each of them is then for followers.
    Private,
    /// Was private for a while after all canaries were posted.
    PublicAgain,
    /// Public. The moderators have limited it since all canaries were posted. Only followers see the author's own.
    Limited,
    /// Public. The moderators have taken this decision back.
    LimitEnded,
    /// Suspended since all canaries were posted.
    Suspended,
    /// Deactivated by the author since all canaries were posted.
    Deactivated,
    /// Public. The author reads and cannot write.
    Frozen,
    /// Was suspended for a while after all canaries were posted.
    Restored,
    /// Public. The moderators have hidden each post of the author, but not the replies of others.
    PostsHidden,
    /// Public. The moderators have taken these decisions back.
    PostsShownAgain,
    /// Public. Each post of the author waits for a moderator, but not the replies of others.
    PostsWait,
}

impl Account {
    /// Returns who sees a status that was posted with this visibility.
    fn narrow(self, visibility: Visibility) -> Visibility {
        match self {
            Self::Private => Visibility::Followers,
            _ => visibility,
        }
    }
}

/// Returns whether a viewer sees the author's posts with this visibility.
fn sees_author(looker: Looker, visibility: Visibility) -> bool {
    match looker {
        Looker::Blocked | Looker::Suspended | Looker::Deactivated | Looker::Waiting => false,
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

/// Returns whether a viewer sees the guest's reply for followers. It was written while everyone saw the conversation, so
/// the guest's own followers see it, and the author, who is replied to. A conversation that is narrowed later widens
/// nothing.
fn sees_confidential(looker: Looker) -> bool {
    matches!(looker, Looker::Guest | Looker::Muting | Looker::Author)
}

/// Returns whether a canary is on a surface. `None`: the surface cannot have it. It knows the rules, and nothing
/// of the code.
pub fn oracle(
    looker: Looker,
    account: Account,
    (posted_for, canary): (Visibility, Canary),
    surface: Surface,
) -> Option<bool> {
    let visibility = account.narrow(posted_for);
    let is_reply = !matches!(canary, Canary::Post | Canary::Narrowed);
    let is_author_away = matches!(account, Account::Suspended | Account::Deactivated);
    // A person who is away reaches one page only.
    let is_away = is_author_away && looker == Looker::Author;
    let hides_posts = matches!(account, Account::PostsHidden | Account::PostsWait);
    let finds_author = |looker, visibility| {
        let visibility = match account {
            Account::Limited => Visibility::Followers,
            _ => visibility,
        };
        !is_author_away && sees_author(looker, visibility)
    };
    // Authors see their own hidden posts.
    let sees_author = |looker, visibility| {
        finds_author(looker, visibility) && (!hides_posts || looker == Looker::Author)
    };
    let sees = match canary {
        Canary::Confidential => !is_away && sees_confidential(looker),
        // Authors see their own replies, also when they no longer see the post.
        Canary::FormerReply if looker == Looker::FormerFollower => true,
        _ if is_reply => !is_away && sees_guest(looker, visibility),
        _ => sees_author(looker, visibility),
    };
    let is_stranger = looker == Looker::Stranger;
    if canary == Canary::Deleted {
        let is_examined = matches!(surface, Surface::Permalink | Surface::Conversation);
        return is_examined.then_some(false);
    }
    match surface {
        // A tag brings posts to the stranger, and the follow to the others.
        Surface::Home if is_reply => None,
        Surface::Home => match looker {
            Looker::Author | Looker::Guest | Looker::Follower | Looker::Muting => {
                Some(sees_author(looker, visibility))
            }
            Looker::Stranger => Some(sees),
            // The landing page shows the newest public posts. Its own tests examine it.
            Looker::LoggedOut => None,
            _ => Some(false),
        },
        // It has the posts for everyone, and quotes of others with the texts that their readers see.
        Surface::Everybody => {
            let is_there = posted_for == Visibility::Public || canary == Canary::Narrowed;
            (!is_reply).then_some(sees && is_there)
        }
        Surface::Important => {
            let has_page = is_stranger || looker == Looker::Follower;
            (has_page && !is_reply).then_some(sees)
        }
        // Only the stranger has a list, is mentioned, and favourited posts that everyone saw before.
        Surface::List | Surface::Mentions | Surface::Notifications => {
            (is_stranger && !is_reply).then_some(sees)
        }
        Surface::Favourites | Surface::Bookmarks => {
            (is_stranger && canary == Canary::Narrowed).then_some(sees)
        }
        Surface::Followers => {
            let is_first = canary == Canary::Post && posted_for == Visibility::Public;
            is_first.then_some(finds_author(looker, visibility))
        }
        Surface::Profile | Surface::Tag => (!is_reply).then_some(sees),
        Surface::ProfileWithReplies | Surface::Permalink | Surface::ById | Surface::Search => {
            Some(sees)
        }
        // On the page of the author's post.
        Surface::Conversation => matches!(
            canary,
            Canary::Reply | Canary::EarlierReply | Canary::Confidential | Canary::FormerReply
        )
        .then_some(sees && sees_author(looker, visibility)),
        Surface::Versions => Some(sees),
        Surface::FavouritesTab
        | Surface::FavouritedBy
        | Surface::RepostedBy
        | Surface::RepostsAndQuotes => (canary == Canary::Narrowed).then_some(sees),
        Surface::State => (looker != Looker::LoggedOut).then_some(sees),
        // A post for followers is quoted by its author alone.
        Surface::QuoteForm if looker == Looker::LoggedOut => None,
        Surface::QuoteForm => {
            let is_own = looker
                == match canary {
                    Canary::FormerReply => Looker::FormerFollower,
                    _ if is_reply => Looker::Guest,
                    _ => Looker::Author,
                };
            let is_for_followers =
                visibility == Visibility::Followers || canary == Canary::Confidential;
            Some(sees && (!is_for_followers || is_own))
        }
    }
}
