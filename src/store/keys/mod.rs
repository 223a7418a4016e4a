//! Every key, once: its name, type, members, score, TTL and who writes it. The part in braces is
//! the hash tag: all keys of a user lie in one slot, all keys of a status in one slot.

use crate::domain::{
    Collection, FoldedTag, IdempotencyKey, ListId, Login, StatusId, Term, Timeline, UserId,
};

/// STRING counter of user ids. Written by sign-up (INCR).
pub(super) const NEXT_USER_ID: &str = "user:id:";

/// ZSET user id → sign-up (ms), the newest 1000. Derived; written after sign-up.
pub(super) const PEOPLE_NEWEST: &str = "people:newest";

/// ZSET user id → number of followers, the 1000 with most. Derived; written after (un)follow.
pub(super) const PEOPLE_FOLLOWED: &str = "people:followed";

/// HASH of a person: id, login, name, bio, signup (ms), posts, followers, following, last (id of
/// the last status drawn), answered (the newest answer that [`received_replies`] had no room for). Truth; the
/// counts are set from ZCARD by the script that changes the ZSET. After a change of the name also
/// former, one on a line: names that search may still know. After a sign-up that lost its login: only
/// `gone`, for ever.
pub(super) fn user(id: UserId) -> String {
    format!("user:{{{id}}}")
}

/// HASH: hash (PHC string), epoch (random), nonce (of the sign-up form). Truth; sign-up and
/// changes of password.
pub(super) fn auth(of: UserId) -> String {
    format!("auth:{{{of}}}")
}

/// STRING lower-case login → user id. SET NX is the commit of a sign-up.
pub(super) fn login(login: &Login) -> String {
    format!("login:{{{}}}", login.folded())
}

/// ZSET user id → when (µs, unique): whom a person follows. The truth of the edge.
pub(super) fn following(of: UserId) -> String {
    format!("following:{{{of}}}")
}

/// ZSET user id → when (µs, unique): who follows a person. Derived from [`following`].
pub(super) fn followers(of: UserId) -> String {
    format!("followers:{{{of}}}")
}

/// HASH: id, uid, login, message, posted (ms), nonce, and where there are any answers, reposts (in the
/// place of a message) and quotes (the status that it is about, `<id>:<uid>`), thread (what is above an
/// answer), tags (folded), mentioned (user ids), and untagged and unmentioned: those that it had before
/// its text was changed. Truth. Where somebody favoured it also favourites: how many do, set from ZCARD
/// by the script that changes [`favourited_by`]; where it was answered replies and gaps, likewise of
/// [`replies`] and [`gaps`]; where it was reposted reposted and quoted, likewise of [`reposted_by`] and
/// [`quotes`]. While passes deliver it also delivered: the score (µs) up to which followers have it.
/// One with a warning or a poll has warning, poll (see `domain::Poll`) and tally (what its [`ballots`]
/// come to). One that was corrected has edited (ms), revision (how often) and untagged (tags it had
/// before, folded). After deletion a tombstone with uid, nonce, deleted (ms) and where it came from, TTL
/// 48 h. There, until the index has forgotten it, and in a living status whose text changed: former, the
/// texts that it may still be found by.
pub(super) fn status(id: StatusId) -> String {
    format!("status:{{{id}}}")
}

/// ZSET status id → when (µs, unique): what a person keeps there, favourites or bookmarks. Truth; a
/// status that died meanwhile goes when the page is read that it would stand on.
pub(super) fn collection(of: UserId, collection: Collection) -> String {
    format!("{collection}:{{{of}}}")
}

/// ZSET user id → when (µs, unique): who favours a status. Derived from their favourites; it goes
/// with the status.
pub(super) fn favourited_by(of: StatusId) -> String {
    format!("favourited_by:{{{of}}}")
}

/// ZSET user id → what they chose, the sum of 1, 2, 4 and 8: how people voted in a poll. Truth; it
/// goes with the status.
pub(super) fn ballots(of: StatusId) -> String {
    format!("ballots:{{{of}}}")
}

/// LIST of JSON (message, warning, since: ms): what a status said before it was corrected, oldest
/// first. Truth; it goes with the status.
pub(super) fn versions(of: StatusId) -> String {
    format!("versions:{{{of}}}")
}

/// ZSET status id → -(id of the repost): what a person reposts without a word of their own, and which
/// status of theirs does that. Written before that status, so that there is one, and gone after it;
/// else derived from it.
pub(super) fn own_reposts(by: UserId) -> String {
    format!("own_reposts:{{{by}}}")
}

/// ZSET user id → -(id of the repost): who reposts a status without a word of their own. Derived from
/// those; when the status dies they follow, and with the last of them it is gone.
pub(super) fn reposted_by(of: StatusId) -> String {
    format!("reposted_by:{{{of}}}")
}

/// ZSET status id → -id: what reposts a status with a comment. Derived, and gone as [`reposted_by`].
pub(super) fn quotes(of: StatusId) -> String {
    format!("quotes:{{{of}}}")
}

/// ZSET status id → -id: the living answers to a status, which may be dead. Derived from what they
/// answer.
pub(super) fn replies(to: StatusId) -> String {
    format!("replies:{{{to}}}")
}

/// ZSET status id → -id: the deleted answers to a status that have answers, or gaps, below them: by
/// these the tree goes on. Derived.
pub(super) fn gaps(under: StatusId) -> String {
    format!("gaps:{{{under}}}")
}

/// ZSET status id → -id: all statuses of a person. Derived; post and delete.
pub(super) fn profile(of: UserId) -> String {
    format!("profile:{{{of}}}")
}

/// ZSET status id → -id: those of [`profile`] that are no answers. Derived; post and delete.
pub(super) fn posts(of: UserId) -> String {
    format!("posts:{{{of}}}")
}

/// ZSET status id → -id: the newest statuses of a person and those they follow. Derived.
pub(super) fn home(of: UserId) -> String {
    format!("home:{{{of}}}")
}

/// STRING with TTL: `building:<token>:<floor>` (60 s), or the home's floor (a setting, 30 days), with a
/// 0 before it where that is final: its rebuild found few.
/// Absent: nobody reads this home, and nothing is delivered to it.
pub(super) fn active(of: UserId) -> String {
    format!("active:{{{of}}}")
}

/// HASH: before, shown (`low-high,…`: ranges of status ids that were seen before this visit of home,
/// and that have been shown with it), at (ms: when home was read last). Truth, and all there is of
/// it; reading home, and deliveries that come late.
pub(super) fn reading(of: UserId) -> String {
    format!("reading:{{{of}}}")
}

/// STREAM with TTL (an hour): what came to a home that is watched, the last 200 (status: its id) after
/// an entry that is none (begun). An entry's id is the *arrival*, by which pages and streams say how
/// far they are. Begun by reading home and by streams; deliveries.
pub(super) fn arrivals(of: UserId) -> String {
    format!("arrivals:{{{of}}}")
}

/// No key but a channel, in the same slot: whatever changes something that a stream of this person
/// shows says so here.
pub(super) fn live(of: UserId) -> String {
    format!("live:{{{of}}}")
}

/// ZSET `<kind>:<status id, or 0>:<user id>` → when they were told (µs, unique), the newest 1000: what
/// a person is told of that others did. A log, derived from follows, favourites and statuses; it is
/// written with the copies of these. What is undone after it was read keeps its score, negated, 1000
/// at most: it is not told, and no news when it is done again.
pub(super) fn notifications(of: UserId) -> String {
    format!("notifications:{{{of}}}")
}

/// HASH: read (µs: the score up to which notifications were shown), before (the same before this
/// visit of them), at (ms: when they were read last). Truth; reading them.
pub(super) fn read_marker(of: UserId) -> String {
    format!("read_marker:{{{of}}}")
}

/// HASH of a person's lists: last (the last number given out), and number → `<1 or 0: exclusive or
/// not>:<name>`. Truth.
pub(super) fn lists(of: UserId) -> String {
    format!("lists:{{{of}}}")
}

/// ZSET user id → when (µs, unique): who stands in a list. The truth of the listing. Of a deleted
/// list it stays until all of them have been told.
pub(super) fn list_members(list: ListId) -> String {
    format!("list:{{{}}}:{}:members", list.owner, list.number)
}

/// ZSET status id → -id: the newest statuses of a list's members. Derived.
pub(super) fn list_timeline(list: ListId) -> String {
    format!("list:{{{}}}:{}:timeline", list.owner, list.number)
}

/// STRING with TTL: the same as [`active`], of a list's timeline.
pub(super) fn list_active(list: ListId) -> String {
    format!("list:{{{}}}:{}:active", list.owner, list.number)
}

/// ZSET user id → when (µs, unique): of those whom a person follows, whose reposts do not come to
/// their home. Truth.
pub(super) fn hidden_reposts(of: UserId) -> String {
    format!("hidden_reposts:{{{of}}}")
}

/// HASH user id → more or less: of whom of those that a person follows they asked for more or less;
/// the others stand nowhere. Truth, and all there is of it; it goes with the edge.
pub(super) fn author_preferences(of: UserId) -> String {
    format!("author_preferences:{{{of}}}")
}

/// ZSET folded tag → when (µs, unique): the tags that a person follows. Truth.
pub(super) fn followed_tags(of: UserId) -> String {
    format!("followed_tags:{{{of}}}")
}

/// ZSET user id → when (µs, unique): who follows a tag. Derived from [`followed_tags`].
pub(super) fn tag_followers(tag: &FoldedTag) -> String {
    format!("tag_followers:{{{tag}}}")
}

/// ZSET user id → id of their newest status with a tag, of the last day (TTL): who used it. Statuses
/// that enter and leave [`tag_index`].
pub(super) fn tag_uses(tag: &FoldedTag) -> String {
    format!("tag_uses:{{{tag}}}")
}

/// ZSET tag → how many people used it in the last day, as counted last; the 1000 with most, TTL a day.
pub(super) const TAGS_MOST_USED: &str = "tags:most_used";

/// STRING, 60 s: `<tag> <people>` a line, most people first. Whoever finds it gone counts anew.
pub(super) const TAGS_TRENDING: &str = "tags:trending";

/// ZSET status id → -id: the living statuses by others that mention a person. Derived, unbounded.
pub(super) fn mention_index(of: UserId) -> String {
    format!("mention_index:{{{of}}}")
}

/// ZSET status id → -id: the statuses with a tag that are neither answers nor reposts. Derived; it is
/// as long as they live, as a profile is: homes below their floor are merged from it.
pub(super) fn tag_index(tag: &FoldedTag) -> String {
    format!("tag_index:{{{tag}}}")
}

/// ZSET status id → -id: the newest answers to a person's statuses by others, as many as a home holds.
/// Derived; by it answers come to the home of whoever begins to follow that person.
pub(super) fn received_replies(of: UserId) -> String {
    format!("received_replies:{{{of}}}")
}

/// ZSET user id → in how many exclusive lists of this person they stand, themself excepted: whom
/// home leaves out. Derived, by the scripts that change those lists.
pub(super) fn excluded(of: UserId) -> String {
    format!("excluded:{{{of}}}")
}

/// ZSET `<owner>:<number>` → when (µs, unique): the lists a person stands in. Derived from
/// [`list_members`].
pub(super) fn list_memberships(of: UserId) -> String {
    format!("list_memberships:{{{of}}}")
}

/// The statuses of a timeline and its active mark.
pub(super) fn timeline(timeline: Timeline) -> [String; 2] {
    match timeline {
        Timeline::Home(of) => [home(of), active(of)],
        Timeline::List(list) => [list_timeline(list), list_active(list)],
    }
}

/// A timeline with all that decides what belongs on it: the timeline, whose statuses it is made of,
/// its active mark and, of a home, whom it leaves out, whose reposts, and which tags come to it.
pub(super) fn timeline_with_sources(timeline: Timeline) -> Vec<String> {
    match timeline {
        Timeline::Home(of) => vec![
            home(of),
            following(of),
            active(of),
            excluded(of),
            hidden_reposts(of),
            followed_tags(of),
        ],
        Timeline::List(list) => vec![list_timeline(list), list_members(list), list_active(list)],
    }
}

/// What a delivery to a timeline asks and changes: that, and of a home what its owner has read, and
/// what is told of it.
pub(super) fn delivery(to: Timeline) -> Vec<String> {
    let mut keys = timeline_with_sources(to);
    if let Timeline::Home(of) = to {
        keys.push(reading(of));
    }
    told(keys, to)
}

/// These keys, and of a home those by which open streams are told of a change on it.
pub(super) fn told(keys: impl Into<Vec<String>>, of: Timeline) -> Vec<String> {
    let mut keys = keys.into();
    if let Timeline::Home(of) = of {
        keys.extend([arrivals(of), live(of)]);
    }
    keys
}

/// ZSET id → -id: the lower bounds of the chunks of a term's [`postings`], 0 among them. Absent where
/// all of them lie in one chunk. Derived; tasks that index.
pub(super) fn chunks(term: &Term) -> String {
    format!("postings:{{{}}}", term.as_str())
}

/// SET of status ids, at most 512, so that Redis keeps it as sorted integers: those from a bound up to
/// the next one in [`chunks`] whose text has the term. Derived; tasks that index.
pub(super) fn postings(term: &Term, bound: u64) -> String {
    format!("postings:{{{}}}:{bound}", term.as_str())
}

/// ZSET `<word> <user id>` → 0: words of logins and names that begin with a letter. Derived; sign-up and
/// changes of the name.
pub(super) fn names(initial: char) -> String {
    format!("names:{{{initial}}}")
}

/// STRING, 12 h: `<status id>:<digest of the text>` or `list:<number>:<digest of the name>`, what a
/// form's nonce became.
pub(super) fn idempotency_key(of: UserId, idempotency_key: &IdempotencyKey) -> String {
    format!("idempotency:{{{of}}}:{}", idempotency_key.as_str())
}

/// STRING with TTL: a session's state as JSON, under the digest of the cookie's value.
pub(super) fn session(of: UserId, digest: &str) -> String {
    format!("session:{{{of}}}:{digest}")
}

/// ZSET session digest → last seen (ms), TTL of the longest session: a person's sessions.
pub(super) fn sessions(of: UserId) -> String {
    format!("sessions:{{{of}}}")
}

/// STREAM (fields task, attempts): work to do now, read by the group `workers`. Never trimmed.
pub(super) fn tasks(partition: u16) -> String {
    format!("tasks:{{{partition}}}")
}

/// ZSET `<token> <attempts> <task>` → due (ms): work due later, reminders among it.
pub(super) fn tasks_later(partition: u16) -> String {
    format!("tasks:{{{partition}}}:later")
}

/// STREAM (fields task, attempts, error): work given up.
pub(super) fn tasks_dead(partition: u16) -> String {
    format!("tasks:{{{partition}}}:dead")
}

/// STRING with TTL: who scrubs now, a token drawn by the process that does. Written by the scrub.
pub(super) const SCRUB: &str = "scrub:";

/// STRING with TTL: when the next try of a limited action would be on schedule (µs).
pub(super) fn rate(limit: &str, who: &str) -> String {
    format!("rate:{{{limit}:{who}}}")
}

/// Whose channel this is.
pub(super) fn channel_owner(channel: &str) -> Option<UserId> {
    let tag = channel.strip_prefix("live:{")?.strip_suffix('}')?;
    tag.parse().ok()
}

mod key_names;
#[cfg(test)]
mod table;
