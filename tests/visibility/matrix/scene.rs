//! The people and posts of the matrix, and the pages that can show them.

use redwing::domain::{Draft, Message, StatusId, Visibility};
use reqwest::StatusCode;

use super::oracle::{Account, Canary, LOOKERS, Looker, Surface};
use crate::support::{PASSWORD, Page, Person, Site, crowd};

/// A status with the status that it replies to.
pub struct Shown {
    pub visibility: Visibility,
    pub canary: Canary,
    pub id: StatusId,
    parent: Option<StatusId>,
}

impl Shown {
    pub fn word(&self) -> String {
        word(self.visibility, self.canary)
    }

    pub fn is_deleted(&self) -> bool {
        self.canary == Canary::Deleted
    }

    pub fn path(&self, surface: Surface) -> String {
        let id = self.id;
        let by = match self.canary {
            Canary::Post | Canary::Narrowed => "author",
            Canary::FormerReply => "former",
            _ => "guest",
        };
        match surface {
            Surface::Home => "/".to_owned(),
            Surface::Everybody => "/everybody".to_owned(),
            Surface::List => "/lists/1".to_owned(),
            Surface::Important => "/important".to_owned(),
            Surface::Profile => format!("/@{by}"),
            Surface::Followers => format!("/@{by}/followers"),
            Surface::ProfileWithReplies => format!("/@{by}/replies"),
            Surface::Permalink => format!("/@{by}/{id}"),
            Surface::ById => format!("/statuses/{id}"),
            Surface::Conversation => format!("/@author/{}", self.parent.unwrap_or(id)),
            Surface::Search => format!("/search?q={}", self.word()),
            Surface::Tag => "/tags/matrix".to_owned(),
            Surface::Mentions => "/mentions".to_owned(),
            Surface::Notifications => "/notifications".to_owned(),
            Surface::Favourites => "/favourites".to_owned(),
            Surface::FavouritesTab => "/@stranger/favourites".to_owned(),
            Surface::Bookmarks => "/bookmarks".to_owned(),
            Surface::FavouritedBy => format!("/@{by}/{id}/favourites"),
            Surface::RepostedBy => format!("/@{by}/{id}/reposts"),
            Surface::Versions => format!("/@{by}/{id}/versions"),
            Surface::QuoteForm => format!("/statuses/{id}/quote"),
            Surface::State => format!("/statuses/{id}/state"),
            Surface::RepostsAndQuotes => "/@guest".to_owned(),
        }
    }

    pub fn is_on(&self, page: &Page, surface: Surface) -> bool {
        match surface {
            // A person who is away is led to the page of the account.
            Surface::ById => page.status == StatusCode::SEE_OTHER && page.location() != "/account",
            Surface::FavouritedBy | Surface::RepostedBy | Surface::State => {
                page.status == StatusCode::OK
            }
            Surface::Followers => page.texts(".p-nickname").contains(&"guest".to_owned()),
            // Nothing is left of its text.
            _ if self.is_deleted() => page.has(&format!("#status-{}", self.id)),
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

pub fn login(looker: Looker) -> &'static str {
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
        Looker::Waiting => "waiting",
        Looker::Author => "author",
    }
}

/// Signs a viewer up, connects them to the author, and opens their home, so that all canaries are new.
pub async fn sign_up(site: &Site, looker: Looker) -> Person {
    if looker == Looker::LoggedOut {
        return Person::visitor(site);
    }
    if looker == Looker::Waiting {
        crowd::applicant(&site.store, login(looker)).await;
        return Person::log_in(site, login(looker)).await;
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
        Looker::Muting => {
            crowd::follow(&site.store, uid, author).await;
            let guest = crowd::uid(&site.store, "guest").await;
            crowd::follow(&site.store, uid, guest).await;
        }
        Looker::LoggedOut | Looker::Author => {}
        _ => crowd::follow(&site.store, uid, author).await,
    }
    person.open("/").await;
    person
}

/// Posts all canaries.
pub async fn post_canaries(site: &Site) -> Vec<Shown> {
    let store = &site.store;
    let (author, guest) = (
        crowd::uid(store, "author").await,
        crowd::uid(store, "guest").await,
    );
    let stranger = crowd::uid(store, "stranger").await;
    crowd::show_favourites(store, stranger, true).await;
    let former = crowd::uid(store, "former").await;
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
            (Canary::Confidential, open),
            (Canary::FormerReply, open),
            (Canary::Deleted, open),
            (Canary::Orphan, gone),
        ] {
            let own = match canary {
                Canary::Confidential => Visibility::Followers,
                _ => Visibility::Public,
            };
            let draft = Draft {
                reply_to: Some(parent),
                visibility: own,
                ..Draft::from(&Message::parse(&word(visibility, canary)).expect("valid"))
            };
            let by = if canary == Canary::FormerReply {
                former
            } else {
                guest
            };
            let id = crowd::post_draft(store, by, draft).await;
            if canary == Canary::Deleted {
                crowd::reply(store, guest, id, "below").await;
                crowd::delete(store, guest, id).await;
            }
            add(canary, id, Some(parent));
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

/// Takes the viewers away who are not there when the others look, and the author. They log in again.
pub async fn send_away(site: &Site, account: Account, people: &mut [Person]) {
    let store = &site.store;
    let author = crowd::uid(store, "author").await;
    for (looker, person) in LOOKERS.into_iter().zip(people) {
        match looker {
            Looker::Suspended => {
                let uid = crowd::uid(store, login(looker)).await;
                crowd::set_suspended(store, uid, true).await;
            }
            Looker::Deactivated => deactivate(person).await,
            Looker::Author if account == Account::Deactivated => deactivate(person).await,
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

async fn deactivate(person: &Person) {
    let form = person.open("/settings/leave").await.form("/settings/leave");
    let form = form.set("current_password", PASSWORD);
    person.submit_accepted(&form).await;
}
