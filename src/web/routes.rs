//! Paths of all pages and forms, as functions of their parameters. Handlers redirect to them and
//! templates link to them; the table in `web` maps them to handlers. Independent of actix.

use std::fmt::Display;

use crate::domain::{Cursor, FoldedTag, Further, ListNumber, Login, StatusId};

pub const HOME: &str = "/";
pub const IMPORTANT: &str = "/important";
pub const IMPORTANCE_HELP: &str = "/help/importance";
pub const POSTING_HELP: &str = "/help/posting";
pub const LIVE: &str = "/live";
pub const SIGN_UP: &str = "/signup";
pub const LOG_IN: &str = "/login";
pub const LOG_OUT: &str = "/logout";
pub const STATUSES: &str = "/statuses";
pub const FAVOURITES: &str = "/favourites";
pub const BOOKMARKS: &str = "/bookmarks";
pub const MENTIONS: &str = "/mentions";
pub const TAGS: &str = "/tags";
pub const NOTIFICATIONS: &str = "/notifications";
pub const LISTS: &str = "/lists";
pub const SEARCH: &str = "/search";
pub const SETTINGS: &str = "/settings";
pub const SETTINGS_PROFILE: &str = "/settings/profile";
pub const SETTINGS_PASSWORD: &str = "/settings/password";
pub const SETTINGS_SESSIONS: &str = "/settings/sessions";
pub const REVOKE_SESSION: &str = "/settings/sessions/revoke";
pub const REVOKE_ALL_SESSIONS: &str = "/settings/sessions/revoke-all";
pub const STATIC: &str = "/static";

/// A person's profile.
#[must_use]
pub fn profile(login: &Login) -> String {
    format!("/@{login}")
}

/// The profile with the person's replies.
#[must_use]
pub fn replies(login: &Login) -> String {
    format!("/@{login}/replies")
}

/// The permalink of a status.
#[must_use]
pub fn status(login: &Login, id: StatusId) -> String {
    format!("/@{login}/{id}")
}

/// A status by its id alone: redirects to its permalink. A deleted status is shown there as a gap.
#[must_use]
pub fn status_by_id(id: StatusId) -> String {
    format!("/statuses/{id}")
}

/// The reply form under a status.
#[must_use]
pub fn reply(login: &Login, id: StatusId) -> String {
    format!("/@{login}/{id}#reply")
}

/// The page of a conversation that continues after this reply.
#[must_use]
pub fn answers_after(path: &str, after: StatusId) -> String {
    format!("{path}?after={after}")
}

/// The confirmation before a status is deleted, and the form's action.
#[must_use]
pub fn delete_status(id: StatusId) -> String {
    format!("/statuses/{id}/delete")
}

/// The edit form of a status, and its action.
#[must_use]
pub fn edit_status(id: StatusId) -> String {
    format!("/statuses/{id}/edit")
}

#[must_use]
pub fn vote(id: StatusId) -> String {
    format!("/statuses/{id}/vote")
}

/// The field name of a vote in a poll.
#[must_use]
pub fn vote_field(id: StatusId) -> String {
    format!("vote-{id}")
}

/// The edit history of a status.
#[must_use]
pub fn versions(login: &Login, id: StatusId) -> String {
    format!("/@{login}/{id}/versions")
}

#[must_use]
pub fn favourite(id: StatusId) -> String {
    format!("/statuses/{id}/favourite")
}

#[must_use]
pub fn unfavourite(id: StatusId) -> String {
    format!("/statuses/{id}/unfavourite")
}

#[must_use]
pub fn bookmark(id: StatusId) -> String {
    format!("/statuses/{id}/bookmark")
}

#[must_use]
pub fn unbookmark(id: StatusId) -> String {
    format!("/statuses/{id}/unbookmark")
}

#[must_use]
pub fn repost(id: StatusId) -> String {
    format!("/statuses/{id}/repost")
}

#[must_use]
pub fn unrepost(id: StatusId) -> String {
    format!("/statuses/{id}/unrepost")
}

/// The quote form of a status, and its action.
#[must_use]
pub fn quote(id: StatusId) -> String {
    format!("/statuses/{id}/quote")
}

/// The people who reposted a status without a comment.
#[must_use]
pub fn reposters(login: &Login, id: StatusId) -> String {
    format!("/@{login}/{id}/reposts")
}

/// The people who favourited a status.
#[must_use]
pub fn favourited_by(login: &Login, id: StatusId) -> String {
    format!("/@{login}/{id}/favourites")
}

#[must_use]
pub fn followers(login: &Login) -> String {
    format!("/@{login}/followers")
}

#[must_use]
pub fn following(login: &Login) -> String {
    format!("/@{login}/following")
}

#[must_use]
pub fn follow(login: &Login) -> String {
    format!("/@{login}/follow")
}

#[must_use]
pub fn unfollow(login: &Login) -> String {
    format!("/@{login}/unfollow")
}

/// The action of the form to see more or less of a person.
#[must_use]
pub fn author_preference(login: &Login) -> String {
    format!("/@{login}/preference")
}

/// The page of the ranked home that continues there; without a place, the first page.
#[must_use]
pub fn important(further: Option<Further>) -> String {
    match further {
        None => IMPORTANT.to_owned(),
        Some(Further { at_ms, behind }) => format!("{IMPORTANT}?at={at_ms}&after={behind}"),
    }
}

/// The action that hides a followed person's reposts from home.
#[must_use]
pub fn hide_reposts(login: &Login) -> String {
    format!("/@{login}/reposts/hide")
}

#[must_use]
pub fn show_reposts(login: &Login) -> String {
    format!("/@{login}/reposts/show")
}

/// The page of a tag. The ASCII characters of a tag need no encoding.
#[must_use]
pub fn tag(tag: &FoldedTag) -> String {
    let encoded = tag.as_str().bytes().map(|byte| match byte {
        0..=0x7F => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    format!("{TAGS}/{}", encoded.collect::<String>())
}

#[must_use]
pub fn follow_tag(of: &FoldedTag) -> String {
    format!("{}/follow", tag(of))
}

#[must_use]
pub fn unfollow_tag(of: &FoldedTag) -> String {
    format!("{}/unfollow", tag(of))
}

/// The timeline of the member's own list.
#[must_use]
pub fn list(number: ListNumber) -> String {
    format!("{LISTS}/{number}")
}

/// The members of a list, and the action of the form that adds people.
#[must_use]
pub fn list_members(number: ListNumber) -> String {
    format!("{LISTS}/{number}/members")
}

#[must_use]
pub fn remove_member(number: ListNumber) -> String {
    format!("{LISTS}/{number}/members/remove")
}

/// The form to edit a list, and its action.
#[must_use]
pub fn edit_list(number: ListNumber) -> String {
    format!("{LISTS}/{number}/edit")
}

/// The confirmation before a list is deleted, and the form's action.
#[must_use]
pub fn delete_list(number: ListNumber) -> String {
    format!("{LISTS}/{number}/delete")
}

/// The results of a search.
#[must_use]
pub fn search(typed: &str) -> String {
    let query = serde_urlencoded::to_string([("q", typed)]).expect("pairs of text always encode");
    format!("{SEARCH}?{query}")
}

/// The page of a list that began at `before`; without a cursor, the first page.
#[must_use]
pub fn page(path: &str, before: Option<Cursor>) -> String {
    before.map_or_else(|| path.to_owned(), |before| older(path, before))
}

/// The page that continues with older entries.
#[must_use]
pub fn older(path: &str, before: Cursor) -> String {
    let sign = if path.contains('?') { '&' } else { '?' };
    format!("{path}{sign}before={}", before.get())
}

/// A status on the page at a path.
#[must_use]
pub fn status_on(path: &str, id: StatusId) -> String {
    let page = path.split_once('#').map_or(path, |(page, _)| page);
    format!("{page}#status-{id}")
}

/// A status on the page of home that began at `before`.
#[must_use]
pub fn status_at_home(before: Option<Cursor>, id: StatusId) -> String {
    status_on(&page(HOME, before), id)
}

/// The log-in page that returns to a local path.
#[must_use]
pub fn log_in_then(next: impl Display) -> String {
    let query = serde_urlencoded::to_string([("next", next.to_string())])
        .expect("pairs of text always encode");
    format!("{LOG_IN}?{query}")
}

#[cfg(test)]
mod tests {
    use super::super::routes::*;

    #[test]
    fn a_tag_is_percent_encoded_in_its_path() {
        let path = |text| tag(&FoldedTag::stored(text).expect("a tag"));
        assert_eq!(path("birds_7"), "/tags/birds_7");
        assert_eq!(path("鳥é"), "/tags/%E9%B3%A5%C3%A9");
    }

    #[test]
    fn the_log_in_link_escapes_the_return_path() {
        assert_eq!(
            log_in_then("/@ada?before=12&x"),
            "/login?next=%2F%40ada%3Fbefore%3D12%26x"
        );
    }

    #[test]
    fn links_to_older_results_retain_the_query() {
        let path = search("#tag & \"a b\"");
        assert_eq!(
            older(&path, Cursor::before(12)),
            "/search?q=%23tag+%26+%22a+b%22&before=12"
        );
    }
}
