//! Paths of all pages and forms, as functions of their parameters. Handlers redirect to them and
//! templates link to them; the table in `web` maps them to handlers. Independent of actix.

use std::fmt::Display;

use percent_encoding::{CONTROLS, utf8_percent_encode};

use crate::domain::{
    ChatId, Cursor, FoldedTag, Further, GroupSlug, ListNumber, Login, MessageId, MessagePosition,
    NotificationFilter, PeopleFile, SecretLink, StatusId,
};

pub const HOME: &str = "/";
pub const IMPORTANT: &str = "/important";
pub const IMPORTANCE_HELP: &str = "/help/importance";
pub const POSTING_HELP: &str = "/help/posting";
pub const LEAVING_HELP: &str = "/help/leaving";
pub const SIGN_UP: &str = "/signup";
pub const LOG_IN: &str = "/login";
/// Below the log-in, so that the cookie of a known device is sent to it.
pub const RECOVER: &str = "/login/recover";
pub const LOG_OUT: &str = "/logout";
pub const STATUSES: &str = "/statuses";
/// The action of the form around a feed.
pub const PRESS: &str = "/statuses/press";
/// The page of the form to post.
pub const COMPOSE: &str = "/compose";
/// Leads to the profile of the reader.
pub const OWN_PROFILE: &str = "/profile";
pub const FAVOURITES: &str = "/favourites";
pub const BOOKMARKS: &str = "/bookmarks";
pub const EVERYBODY: &str = "/everybody";
pub const MENTIONS: &str = "/mentions";
pub const TAGS: &str = "/tags";
pub const NOTIFICATIONS: &str = "/notifications";
pub const MESSAGES: &str = "/messages";
pub const MESSAGE_REQUESTS: &str = "/messages/requests";
/// The form of a new message, and its action.
pub const NEW_MESSAGE: &str = "/messages/new";
pub const SEARCH_MESSAGES: &str = "/messages/search";
pub const MESSAGES_HELP: &str = "/help/messages";
pub const SETTINGS_MESSAGES: &str = "/settings/messages";
pub const LISTS: &str = "/lists";
/// The directory of groups.
pub const GROUPS: &str = "/groups";
pub const OWN_GROUPS: &str = "/groups/mine";
/// The form that founds a group, and its action.
pub const NEW_GROUP: &str = "/groups/new";
/// The acts in groups about the member.
pub const GROUP_NOTICES: &str = "/groups/notices";
pub const GROUPS_HELP: &str = "/help/groups";
pub const SEARCH: &str = "/search";
pub const SETTINGS: &str = "/settings";
pub const SETTINGS_PROFILE: &str = "/settings/profile";
pub const SETTINGS_PASSWORD: &str = "/settings/password";
pub const SETTINGS_DISPLAY: &str = "/settings/display";
pub const SETTINGS_DEVICE: &str = "/settings/device";
pub const CONFIRM_DEVICE: &str = "/settings/device/confirm";
pub const CANCEL_DEVICE: &str = "/settings/device/cancel";
/// The action by which a confirmed device logs in.
pub const FINISH_DEVICE: &str = "/login/device";
pub const SETTINGS_EXPORT: &str = "/settings/export";
pub const DOWNLOAD_EXPORT: &str = "/settings/export/archive.zip";
pub const SETTINGS_LOGIN: &str = "/settings/login";
pub const SETTINGS_BLOCKED: &str = "/settings/blocked";
pub const UNBLOCK: &str = "/settings/blocked/remove";
pub const SETTINGS_MUTED: &str = "/settings/muted";
pub const SETTINGS_MUTED_WORDS: &str = "/settings/muted-words";
pub const UNMUTE_WORDS: &str = "/settings/muted-words/remove";
pub const SETTINGS_MUTED_CONVERSATIONS: &str = "/settings/muted-conversations";
/// The page "Import and export", and the action of its form.
pub const SETTINGS_FILES: &str = "/settings/files";
pub const SETTINGS_FAVOURITES: &str = "/settings/favourites";
pub const SETTINGS_ACCOUNT: &str = "/settings/account";
pub const SETTINGS_FOLLOWERS: &str = "/settings/followers";
pub const SETTINGS_PRIVACY: &str = "/settings/privacy";
pub const SETTINGS_REQUESTS: &str = "/settings/requests";
pub const SETTINGS_INVITATIONS: &str = "/settings/invitations";
pub const REVOKE_INVITATION: &str = "/settings/invitations/revoke";
pub const SETTINGS_RECOVERY: &str = "/settings/recovery";
/// The reports of the member, with their outcomes.
pub const SETTINGS_REPORTS: &str = "/settings/reports";
pub const SETTINGS_LEAVE: &str = "/settings/leave";
pub const SETTINGS_SESSIONS: &str = "/settings/sessions";
pub const REVOKE_SESSION: &str = "/settings/sessions/revoke";
pub const REVOKE_ALL_SESSIONS: &str = "/settings/sessions/revoke-all";
pub const RULES: &str = "/rules";
pub const ABOUT: &str = "/about";
pub const PRIVACY: &str = "/privacy";
pub const MODERATION: &str = "/moderation";
pub const ADMIN: &str = "/admin";
pub const ADMIN_SITE: &str = "/admin/site";
pub const ADMIN_SITE_TEXTS: &str = "/admin/site/texts";
pub const ADMIN_SHIELDS: &str = "/admin/site/shields";
pub const ADMIN_APPROVALS: &str = "/admin/approvals";
pub const ADMIN_PEOPLE: &str = "/admin/people";
pub const ADMIN_REPORTS: &str = "/admin/reports";
pub const ADMIN_APPEALS: &str = "/admin/appeals";
/// The only page of a suspended or deactivated account, and its forms.
pub const ACCOUNT: &str = "/account";
/// The decisions about the member, also of a suspended account, and the form that appeals.
pub const DECISIONS: &str = "/account/decisions";
pub const APPEAL: &str = "/account/decisions/appeal";
pub const REACTIVATE: &str = "/account/reactivate";
pub const DELETE_ACCOUNT: &str = "/account/delete";
pub const STATIC: &str = "/static";

/// Declares functions that return a pattern with the parameters in its braces.
macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident($($parameter:ident: $type:ty),+) = $pattern:literal;)+) => {
        $($(#[$doc])*
        pub fn $name($($parameter: $type),+) -> String {
            format!($pattern)
        })+
    };
}

paths! {
    /// The page on which an invited person signs up.
    invitation(link: &SecretLink) = "/invite/{link}";
    /// The page on which the owner of a new site sets it up.
    set_up(token: &str) = "/setup/{token}";
    /// The people that a person invited, for those who run the site.
    admin_person(login: &Login) = "/admin/people/{login}";
    /// The form that suspends a person, and its action.
    suspend(login: &Login) = "/admin/people/{login}/suspend";
    /// The form that freezes people that a person invited, and its action.
    freeze_invited(login: &Login) = "/admin/people/{login}/invited";
    /// The action that ends the suspension of a person.
    restore(login: &Login) = "/admin/people/{login}/restore";
    vouch(login: &Login) = "/admin/people/{login}/vouch";
    /// The action that makes a link with which a person sets a new password.
    make_reset_link(login: &Login) = "/admin/people/{login}/reset";
    /// The page on which a person with this link sets a new password.
    reset(link: &SecretLink) = "/login/reset/{link}";
    /// The link by which another device logs in.
    device_link(link: &SecretLink) = "/login/device/{link}";
    profile(login: &Login) = "/@{login}";
    /// The form that reports a person, and its action.
    report_person(login: &Login) = "/@{login}/report";
    /// The reports and decisions about a person, for moderators.
    admin_case(login: &Login) = "{ADMIN_REPORTS}/{login}";
    /// The case of a person with the form of a decision about a reported post.
    decide_about_post(login: &Login, id: StatusId) = "{ADMIN_REPORTS}/{login}/posts/{id}#decide-title";
    claim_case(login: &Login) = "{ADMIN_REPORTS}/{login}/claim";
    release_case(login: &Login) = "{ADMIN_REPORTS}/{login}/release";
    decide(login: &Login) = "{ADMIN_REPORTS}/{login}/decide";
    /// The action that takes a decision back.
    end_decision(login: &Login) = "{ADMIN_REPORTS}/{login}/end";
    answer_appeal(login: &Login) = "{ADMIN_REPORTS}/{login}/answer";
    /// The profile with the person's replies.
    replies(login: &Login) = "/@{login}/replies";
    /// The tab of a person's favourites.
    favourites_of(login: &Login) = "/@{login}/favourites";
    /// The permalink of a status.
    status(login: &Login, id: StatusId) = "/@{login}/{id}";
    /// A status by its id alone: redirects to its permalink. A deleted status is shown there as a gap.
    status_by_id(id: StatusId) = "/statuses/{id}";
    /// The field of the reply form under a status. Browsers focus it.
    reply(login: &Login, id: StatusId) = "/@{login}/{id}#message";
    /// The conversation that a new reply belongs to, at that reply.
    reply_in_conversation(to: StatusId, reply: StatusId) = "/statuses/{to}?reply={reply}#status-{reply}";
    /// The page of a conversation that continues after this reply.
    replies_after(path: &str, after: StatusId) = "{path}?after={after}";
    /// The menu of a status, or of a repost.
    status_menu(id: StatusId) = "/statuses/{id}/menu";
    /// The confirmation before a status is deleted, and the form's action.
    delete_status(id: StatusId) = "/statuses/{id}/delete";
    /// The edit form of a status, and its action.
    edit_status(id: StatusId) = "/statuses/{id}/edit";
    /// The form that changes who can reply to a status and quote it, and its action.
    reply_control(id: StatusId) = "/statuses/{id}/reply-control";
    /// The form that reports a status, and its action.
    report_post(id: StatusId) = "/statuses/{id}/report";
    /// The field name of a vote in a poll.
    vote_field(id: StatusId) = "vote-{id}";
    /// The edit history of a status.
    versions(login: &Login, id: StatusId) = "/@{login}/{id}/versions";
    unmute_conversation(id: StatusId) = "/statuses/{id}/unmute";
    /// The quote form of a status, and its action.
    quote(id: StatusId) = "/statuses/{id}/quote";
    /// The people who reposted a status without a comment.
    reposters(login: &Login, id: StatusId) = "/@{login}/{id}/reposts";
    /// The people who favourited a status.
    favourited_by(login: &Login, id: StatusId) = "/@{login}/{id}/favourites";
    followers(login: &Login) = "/@{login}/followers";
    following(login: &Login) = "/@{login}/following";
    follow(login: &Login) = "/@{login}/follow";
    withdraw_request(login: &Login) = "/@{login}/withdraw";
    remove_follower(login: &Login) = "/@{login}/remove";
    unfollow(login: &Login) = "/@{login}/unfollow";
    /// The action of the form to block a person.
    block(login: &Login) = "/@{login}/block";
    /// The action of the form to mute a person.
    mute(login: &Login) = "/@{login}/mute";
    unmute(login: &Login) = "/@{login}/unmute";
    /// The action of the form to see more or less of a person.
    author_preference(login: &Login) = "/@{login}/preference";
    /// The action that hides a followed person's reposts from home.
    hide_reposts(login: &Login) = "/@{login}/reposts/hide";
    show_reposts(login: &Login) = "/@{login}/reposts/show";
    /// A conversation of messages, and the action of its form.
    chat(chat: ChatId) = "{MESSAGES}/{chat}";
    /// A conversation at its form, below the newest message.
    chat_newest(chat: ChatId) = "{MESSAGES}/{chat}#newest";
    /// The form that edits a message, and its action.
    edit_message(chat: ChatId, message: MessageId) = "{MESSAGES}/{chat}/{message}/edit";
    /// The form that reports a message, and its action.
    report_message(chat: ChatId, message: MessageId) = "{MESSAGES}/{chat}/{message}/report";
    /// The part of a conversation above a message.
    chat_before(chat: ChatId, before: MessageId) = "{MESSAGES}/{chat}?before={before}";
    /// A message at its place in the conversation.
    chat_message(chat: ChatId, message: MessageId, next: u64) = "{MESSAGES}/{chat}?before={next}#message-{message}";
    /// The form of a message to a person. It leads to the conversation if there is one.
    message_to(login: &Login) = "{NEW_MESSAGE}?to={login}";
    group(slug: &GroupSlug) = "{GROUPS}/{slug}";
    join_group(slug: &GroupSlug) = "{GROUPS}/{slug}/join";
    withdraw_group_request(slug: &GroupSlug) = "{GROUPS}/{slug}/withdraw";
    /// The action that declines an invitation.
    decline_group(slug: &GroupSlug) = "{GROUPS}/{slug}/decline";
    /// The confirmation before a member leaves, and the form's action.
    leave_group(slug: &GroupSlug) = "{GROUPS}/{slug}/leave";
    /// The form that reports a group, and its action.
    report_group(slug: &GroupSlug) = "{GROUPS}/{slug}/report";
    group_delivery(slug: &GroupSlug) = "{GROUPS}/{slug}/delivery";
    take_over_group(slug: &GroupSlug) = "{GROUPS}/{slug}/take-over";
    group_members(slug: &GroupSlug) = "{GROUPS}/{slug}/members";
    /// One person, for those who run the group, and the action of the form with a note.
    group_person(slug: &GroupSlug, login: &Login) = "{GROUPS}/{slug}/members/{login}";
    /// The action of the buttons without a note.
    press_group_person(slug: &GroupSlug, login: &Login) = "{GROUPS}/{slug}/members/{login}/press";
    /// The people who ask to join, and the action of the answers.
    group_requests(slug: &GroupSlug) = "{GROUPS}/{slug}/requests";
    /// The invitations without an answer, and the action of the form that invites.
    group_invitations(slug: &GroupSlug) = "{GROUPS}/{slug}/invitations";
    withdraw_group_invitation(slug: &GroupSlug) = "{GROUPS}/{slug}/invitations/withdraw";
    group_bans(slug: &GroupSlug) = "{GROUPS}/{slug}/bans";
    unban_from_group(slug: &GroupSlug) = "{GROUPS}/{slug}/bans/end";
    group_log(slug: &GroupSlug) = "{GROUPS}/{slug}/log";
    /// The Atom feed of a group that everyone reads.
    group_feed(slug: &GroupSlug) = "{GROUPS}/{slug}/feed";
    /// The form that removes a post from its group, and its action.
    remove_group_post(id: StatusId) = "{STATUSES}/{id}/remove";
    /// The form of the settings of a group, and its action.
    group_settings(slug: &GroupSlug) = "{GROUPS}/{slug}/settings";
    /// The confirmation before a group is deleted, and the form's action.
    delete_group(slug: &GroupSlug) = "{GROUPS}/{slug}/delete";
    /// The timeline of the member's own list.
    list(number: ListNumber) = "{LISTS}/{number}";
    /// The members of a list, and the action of the form that adds people.
    list_members(number: ListNumber) = "{LISTS}/{number}/members";
    remove_member(number: ListNumber) = "{LISTS}/{number}/members/remove";
    /// The form to edit a list, and its action.
    edit_list(number: ListNumber) = "{LISTS}/{number}/edit";
    /// The confirmation before a list is deleted, and the form's action.
    delete_list(number: ListNumber) = "{LISTS}/{number}/delete";
}

/// The page of the ranked home that continues there; without a place, the first page.
pub fn important(further: Option<Further>) -> String {
    match further {
        None => IMPORTANT.to_owned(),
        Some(Further { at_ms, behind }) => format!("{IMPORTANT}?at={at_ms}&after={behind}"),
    }
}

/// The file of all people that the member follows, blocks or mutes.
pub fn export(file: PeopleFile) -> String {
    format!("{SETTINGS_FILES}/{}", file.file_name())
}

/// The page of a tag. The ASCII characters of a tag need no encoding.
pub fn tag(tag: &FoldedTag) -> String {
    format!("{TAGS}/{}", utf8_percent_encode(tag.as_str(), CONTROLS))
}

pub fn follow_tag(of: &FoldedTag) -> String {
    format!("{}/follow", tag(of))
}

pub fn unfollow_tag(of: &FoldedTag) -> String {
    format!("{}/unfollow", tag(of))
}

pub fn search(typed: &str) -> String {
    let query = serde_urlencoded::to_string([("q", typed)]).expect("pairs of text always encode");
    format!("{SEARCH}?{query}")
}

/// The search page with a text added to what is typed, before it is searched.
pub fn search_with(typed: &str, added: &str) -> String {
    let pairs = [("q", typed), ("add", added)];
    let query = serde_urlencoded::to_string(pairs).expect("pairs of text always encode");
    format!("{SEARCH}?{query}")
}

/// Returns the path of a search in the member's messages that continues.
pub fn search_messages(typed: &str, from: MessagePosition) -> String {
    let pairs = [("q", typed), ("from", &from.to_string())];
    let query = serde_urlencoded::to_string(pairs).expect("pairs of text always encode");
    format!("{SEARCH_MESSAGES}?{query}")
}

/// The notifications page with a filter.
pub fn notifications(filter: NotificationFilter) -> String {
    match filter {
        NotificationFilter::All => NOTIFICATIONS.to_owned(),
        _ => format!("{NOTIFICATIONS}?show={}", filter.as_str()),
    }
}

/// The page of a list that began at `before`; without a cursor, the first page.
pub fn page(path: &str, before: Option<Cursor>) -> String {
    before.map_or_else(|| path.to_owned(), |before| older(path, before))
}

/// The page that continues with older entries.
pub fn older(path: &str, before: Cursor) -> String {
    let sign = if path.contains('?') { '&' } else { '?' };
    format!("{path}{sign}before={}", before.get())
}

/// The page of a case from the reports of messages and groups before this one on.
pub fn older_reported_texts(login: &Login, before: Cursor) -> String {
    format!(
        "{}?texts={}#reported-texts",
        admin_case(login),
        before.get()
    )
}

/// A status on the page at a path.
pub fn status_on(path: &str, id: StatusId) -> String {
    let page = path.split_once('#').map_or(path, |(page, _)| page);
    format!("{page}#status-{id}")
}

/// A status on the page of home that began at `before`.
pub fn status_at_home(before: Option<Cursor>, id: StatusId) -> String {
    status_on(&page(HOME, before), id)
}

/// The log-in page that returns to a local path.
pub fn log_in_then(next: impl Display) -> String {
    with_next(LOG_IN, next)
}

/// The page of the form to post, which returns to a local path after the post.
pub fn compose_then(next: impl Display) -> String {
    with_next(COMPOSE, next)
}

/// The menu of a status, which names the one below it on the page.
pub fn status_menu_above(id: StatusId, below: StatusId) -> String {
    format!("{}?below={below}", status_menu(id))
}

/// The confirmation before a status is deleted. The deletion returns to a local path.
pub fn delete_status_then(id: StatusId, next: impl Display) -> String {
    with_next(&delete_status(id), next)
}

fn with_next(path: &str, next: impl Display) -> String {
    let query = serde_urlencoded::to_string([("next", next.to_string())])
        .expect("pairs of text always encode");
    format!("{path}?{query}")
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
