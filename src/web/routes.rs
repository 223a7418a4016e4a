//! The path of every page and form, as functions of what they name. Handlers redirect to them and
//! templates link to them; the table in `web` says which handler answers. Needs nothing of actix.

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

/// The same with the person's answers.
#[must_use]
pub fn replies(login: &Login) -> String {
    format!("/@{login}/replies")
}

/// A status's permalink.
#[must_use]
pub fn status(login: &Login, id: StatusId) -> String {
    format!("/@{login}/{id}")
}

/// A status by its id alone, which leads to its permalink; one that was deleted is shown there as a gap.
#[must_use]
pub fn status_by_id(id: StatusId) -> String {
    format!("/statuses/{id}")
}

/// The form under a status that answers it.
#[must_use]
pub fn reply(login: &Login, id: StatusId) -> String {
    format!("/@{login}/{id}#reply")
}

/// The page of a conversation that goes on after that answer.
#[must_use]
pub fn answers_after(path: &str, after: StatusId) -> String {
    format!("{path}?after={after}")
}

/// The question before a status is deleted, and the form's action.
#[must_use]
pub fn delete_status(id: StatusId) -> String {
    format!("/statuses/{id}/delete")
}

/// The form that corrects a status, and its action.
#[must_use]
pub fn edit_status(id: StatusId) -> String {
    format!("/statuses/{id}/edit")
}

#[must_use]
pub fn vote(id: StatusId) -> String {
    format!("/statuses/{id}/vote")
}

/// The name under which a form says how somebody votes in a poll.
#[must_use]
pub fn vote_field(id: StatusId) -> String {
    format!("vote-{id}")
}

/// What a status said before it was corrected.
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

/// The form to repost a status with a comment, and its action.
#[must_use]
pub fn quote(id: StatusId) -> String {
    format!("/statuses/{id}/quote")
}

/// Who reposts a status without a comment.
#[must_use]
pub fn reposters(login: &Login, id: StatusId) -> String {
    format!("/@{login}/{id}/reposts")
}

/// Who favours a status.
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

/// How much one asks for of a person.
#[must_use]
pub fn weight(login: &Login) -> String {
    format!("/@{login}/weight")
}

/// The page of what is important that goes on there: the first one where there is none.
#[must_use]
pub fn important(further: Option<Further>) -> String {
    match further {
        None => IMPORTANT.to_owned(),
        Some(Further { at_ms, behind }) => format!("{IMPORTANT}?at={at_ms}&after={behind}"),
    }
}

/// Whether the reposts of somebody who is followed come to one's home.
#[must_use]
pub fn hide_reposts(login: &Login) -> String {
    format!("/@{login}/reposts/hide")
}

#[must_use]
pub fn show_reposts(login: &Login) -> String {
    format!("/@{login}/reposts/show")
}

/// What has a tag. Of ASCII a tag holds nothing that would need encoding.
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

/// The timeline of one's own list.
#[must_use]
pub fn list(number: ListNumber) -> String {
    format!("{LISTS}/{number}")
}

/// Who stands in it, and the action of the form that adds somebody.
#[must_use]
pub fn list_members(number: ListNumber) -> String {
    format!("{LISTS}/{number}/members")
}

#[must_use]
pub fn remove_member(number: ListNumber) -> String {
    format!("{LISTS}/{number}/members/remove")
}

/// The form that names a list, and its action.
#[must_use]
pub fn edit_list(number: ListNumber) -> String {
    format!("{LISTS}/{number}/edit")
}

/// The question before a list is deleted, and the form's action.
#[must_use]
pub fn delete_list(number: ListNumber) -> String {
    format!("{LISTS}/{number}/delete")
}

/// What is found for a query.
#[must_use]
pub fn search(typed: &str) -> String {
    let query = serde_urlencoded::to_string([("q", typed)]).expect("pairs of text always encode");
    format!("{SEARCH}?{query}")
}

/// The page of a list that began at `before`: the first one where there is none.
#[must_use]
pub fn page(path: &str, before: Option<Cursor>) -> String {
    before.map_or_else(|| path.to_owned(), |before| older(path, before))
}

/// The same page, continued with what is older.
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

/// The log-in page that leads on to a local path.
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
    fn a_tag_of_any_script_stands_in_a_path() {
        let path = |text| tag(&FoldedTag::stored(text).expect("a tag"));
        assert_eq!(path("birds_7"), "/tags/birds_7");
        assert_eq!(path("鳥é"), "/tags/%E9%B3%A5%C3%A9");
    }

    #[test]
    fn a_path_with_a_query_survives_the_way_through_log_in() {
        assert_eq!(
            log_in_then("/@ada?before=12&x"),
            "/login?next=%2F%40ada%3Fbefore%3D12%26x"
        );
    }

    #[test]
    fn what_is_looked_for_survives_the_way_to_older_pages() {
        let path = search("#tag & \"a b\"");
        assert_eq!(
            older(&path, Cursor::before(12)),
            "/search?q=%23tag+%26+%22a+b%22&before=12"
        );
    }
}
