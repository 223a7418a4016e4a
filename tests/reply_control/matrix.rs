//! The matrix of reply control: each viewer looks at each surface for posts with each rule. The oracle is a plain table
//! written from docs/access.md. No surface shows a post that its author removed from a quote.

use std::collections::HashMap;

use redwing::{
    actions::reply_control,
    domain::{Draft, Message, Repliers, ReplyControl, StatusId},
};
use reqwest::StatusCode;

use super::only;
use crate::{
    blocks::set_block,
    support::{Page, Person, Site, crowd},
};

/// A viewer, by the relation to the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looker {
    Author,
    Follower,
    /// The author follows them.
    Followed,
    Mentioned,
    Stranger,
    /// Followed the author when the posts were written.
    FormerFollower,
    /// The author followed them when the posts were written.
    FormerFollowed,
    /// Followed the author and was followed and mentioned, and was blocked then.
    Blocked,
    LoggedOut,
}

const LOOKERS: [(Looker, &str); 9] = [
    (Looker::Author, "author"),
    (Looker::Follower, "follower"),
    (Looker::Followed, "followed"),
    (Looker::Mentioned, "mentioned"),
    (Looker::Stranger, "stranger"),
    (Looker::FormerFollower, "former"),
    (Looker::FormerFollowed, "unfollowed"),
    (Looker::Blocked, "blocked"),
    (Looker::LoggedOut, ""),
];

/// How the rule of a status came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Canary {
    /// Posted with it.
    Posted,
    /// Posted for everyone to reply, and changed later.
    Changed,
    /// Posted with the opposite, and edited after the change.
    Edited,
    /// A reply of the guest to such a post. It has no rule of its own.
    Reply,
    /// The same, and the post was deleted then.
    Orphan,
}

const CANARIES: [Canary; 5] = [
    Canary::Posted,
    Canary::Changed,
    Canary::Edited,
    Canary::Reply,
    Canary::Orphan,
];

/// Returns whether a viewer may reply. It knows the rules, and nothing of the code.
fn oracle(looker: Looker, repliers: Repliers) -> bool {
    match looker {
        Looker::LoggedOut => false,
        Looker::Author => true,
        Looker::Follower => [Repliers::Everyone, Repliers::Followers].contains(&repliers),
        Looker::Followed => [Repliers::Everyone, Repliers::Followed].contains(&repliers),
        Looker::Mentioned => [Repliers::Everyone, Repliers::Mentioned].contains(&repliers),
        Looker::Stranger | Looker::FormerFollower | Looker::FormerFollowed | Looker::Blocked => {
            repliers == Repliers::Everyone
        }
    }
}

struct Shown {
    canary: Canary,
    repliers: Repliers,
    id: StatusId,
}

impl Shown {
    fn word(&self) -> String {
        format!("canary{:?}{:?}", self.canary, self.repliers).to_lowercase()
    }

    fn is_reply(&self) -> bool {
        matches!(self.canary, Canary::Reply | Canary::Orphan)
    }

    fn author(&self) -> &'static str {
        if self.is_reply() { "guest" } else { "author" }
    }

    /// Returns the pages with a card of it.
    fn paths(&self, looker: Looker) -> Vec<String> {
        let (by, id) = (self.author(), self.id);
        let mut paths = vec![
            format!("/@{by}/{id}"),
            format!("/@{by}/replies"),
            format!("/search?q={}", self.word()),
        ];
        // A list does not have replies to a person whom the block has removed from it.
        if ![Looker::LoggedOut, Looker::Blocked].contains(&looker) {
            paths.push("/lists/1".to_owned());
        }
        if !self.is_reply() {
            paths.extend([format!("/@{by}"), "/tags/matrix".to_owned()]);
        }
        paths
    }

    /// Returns whether the card on a page offers to reply. `None`: the page has no such card.
    fn offers_reply(&self, page: &Page) -> Option<bool> {
        let card = format!("#status-{}", self.id);
        let link = format!("{card} > .status-body > footer > .reply");
        page.has(&card).then(|| page.has(&link))
    }
}

async fn sign_up(site: &Site, looker: Looker, login: &str) -> Person {
    if looker == Looker::LoggedOut {
        return Person::visitor(site);
    }
    let person = Person::sign_up(site, login).await;
    let store = &site.store;
    let (uid, author) = (
        crowd::uid(store, login).await,
        crowd::uid(store, "author").await,
    );
    let guest = crowd::uid(store, "guest").await;
    crowd::list(store, uid, &[author, guest]).await;
    if matches!(
        looker,
        Looker::Follower | Looker::FormerFollower | Looker::Blocked
    ) {
        crowd::follow(store, uid, author).await;
    }
    if matches!(
        looker,
        Looker::Followed | Looker::FormerFollowed | Looker::Blocked
    ) {
        crowd::follow(store, author, uid).await;
    }
    person
}

async fn post_canaries(site: &Site) -> Vec<Shown> {
    let store = &site.store;
    let author = crowd::uid(store, "author").await;
    let guest = crowd::uid(store, "guest").await;
    let mut all = Vec::new();
    for repliers in Repliers::ALL {
        for canary in CANARIES {
            let mut shown = Shown {
                canary,
                repliers,
                id: crowd::id_on(0, 1),
            };
            let text = format!("@mentioned @blocked {} #matrix", shown.word());
            let draft = |text: &str, repliers| Draft {
                reply_control: only(repliers),
                ..Draft::from(&Message::parse(text).expect("valid"))
            };
            let set = async |id| {
                super::set_control(store, author, id, only(repliers)).await;
            };
            let at_first = match canary {
                Canary::Posted => repliers,
                Canary::Edited if repliers == Repliers::Everyone => Repliers::NoOne,
                _ => Repliers::Everyone,
            };
            let first = if shown.is_reply() {
                "@mentioned @blocked first"
            } else {
                &text
            };
            let id = crowd::post_draft(store, author, draft(first, at_first)).await;
            shown.id = id;
            if shown.is_reply() {
                shown.id = crowd::reply(store, guest, id, &shown.word()).await;
            }
            if canary != Canary::Posted {
                set(id).await;
            }
            if canary == Canary::Edited {
                crowd::edit(store, author, id, &format!("{text} edited")).await;
            }
            if canary == Canary::Orphan {
                crowd::delete(store, author, id).await;
            }
            all.push(shown);
        }
    }
    all
}

#[tokio::test]
async fn every_card_and_form_offers_to_reply_as_the_rules_say() {
    let site = Site::start().await;
    let store = &site.store;
    let guest = crowd::member(store, "guest").await;
    let mut people = Vec::new();
    let author = Person::sign_up(&site, "author").await;
    let author_uid = crowd::uid(store, "author").await;
    crowd::list(store, author_uid, &[author_uid, guest]).await;
    people.push(author);
    for (looker, login) in &LOOKERS[1..] {
        people.push(sign_up(&site, *looker, login).await);
    }
    let canaries = post_canaries(&site).await;
    let uid = async |login| crowd::uid(store, login).await;
    for (from, to) in [("former", "author"), ("author", "unfollowed")] {
        let left = redwing::actions::follows::unfollow(store, uid(from).await, uid(to).await);
        left.await.expect("the store answers");
    }
    set_block(store, author_uid, uid("blocked").await).await;
    site.drain().await;
    let (mut wrong, mut cells) = (Vec::new(), 0);
    for ((looker, _), person) in LOOKERS.into_iter().zip(&people) {
        let mut pages: HashMap<String, Page> = HashMap::new();
        for shown in &canaries {
            let may_reply = oracle(looker, shown.repliers);
            for path in shown.paths(looker) {
                if !pages.contains_key(&path) {
                    pages.insert(path.clone(), person.get(&path).await);
                }
                let page = &pages[&path];
                let sees = looker != Looker::Blocked || shown.is_reply();
                let expected = sees.then_some(may_reply);
                cells += 1;
                let offers = shown.offers_reply(page);
                let is_paged = offers.is_none() && sees && page.older().is_some();
                if offers != expected && !is_paged {
                    let canary = shown.word();
                    wrong.push(format!("{looker:?}, {path}, {canary}: {expected:?}"));
                }
                let is_permalink = path.ends_with(&shown.id.to_string());
                if is_permalink && sees && super::has_reply_form(page) != may_reply {
                    wrong.push(format!("{looker:?}, the form at {path}: {may_reply}"));
                }
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

#[tokio::test]
async fn no_surface_shows_a_post_that_was_removed_from_a_quote() {
    let site = Site::start().await;
    let store = &site.store;
    let [host, fan] = ["host", "fan"].map(|login| Person::sign_up(&site, login));
    let (host, fan) = (host.await, fan.await);
    let quoter = crowd::member(store, "quoter").await;
    let (host_uid, fan_uid) = (
        crowd::uid(store, "host").await,
        crowd::uid(store, "fan").await,
    );
    crowd::follow(store, fan_uid, quoter).await;
    crowd::list(store, fan_uid, &[quoter]).await;
    fan.open("/").await;
    let id = crowd::post(store, host_uid, "canary of the host").await;
    let quote = crowd::quote(store, quoter, id, "a comment #matrix @fan @host").await;
    crowd::favourite(store, fan_uid, quote).await;
    crowd::bookmark(store, fan_uid, quote).await;
    crowd::repost(store, fan_uid, quote).await;
    let reply = crowd::reply(store, fan_uid, quote, "an answer").await;
    let detached = reply_control::detach_quote(store, host_uid, quote).await;
    detached.expect("the store answers");
    site.drain().await;
    let visitor = Person::visitor(&site);
    let mut cells = 0;
    for person in [&host, &fan, &visitor] {
        for path in [
            "/",
            "/important",
            "/lists/1",
            "/@quoter",
            "/@fan",
            &format!("/@quoter/{quote}"),
            &format!("/@fan/{reply}"),
            &format!("/@quoter/{quote}/versions"),
            &format!("/statuses/{quote}/quote"),
            "/search?q=comment",
            "/tags/matrix",
            "/mentions",
            "/notifications",
            "/favourites",
            "/bookmarks",
        ] {
            let page = person.get(path).await;
            // The post itself is on the home of its author, and among the newest posts on the landing page.
            let has_post = page.has(".recent-posts") || page.path == "/" && person.login == "host";
            if page.status != StatusCode::OK || has_post {
                continue;
            }
            assert!(
                !page.html.contains("canary of the host"),
                "{path} {}",
                person.login
            );
            let is_form = path.ends_with("/quote");
            assert_eq!(page.has(".u-quotation-of"), is_form, "{path}");
            cells += usize::from(page.html.contains("a comment"));
        }
    }
    assert!(cells > 20, "{cells}");
    let closed = ReplyControl {
        is_quoting_closed: true,
        ..ReplyControl::default()
    };
    super::set_control(store, host_uid, id, closed).await;
    let path = format!("/@host/{id}");
    for (person, offers) in [(&host, true), (&fan, false), (&visitor, false)] {
        assert_eq!(
            person
                .open(&path)
                .await
                .has("[name=repost]:not([data-quotes=none])"),
            offers,
            "{}",
            person.login
        );
    }
    site.assert_sound().await;
}
