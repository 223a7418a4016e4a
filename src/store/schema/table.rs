//! The table of keys. docs/keys.md prints it; `REDWING_KEYS=write cargo test --lib schema` rewrites that file.
//! "µs, unique" is a score of microseconds since 1970 that no other member of the same key has. The file is long
//! because one macro call declares all keys: the enum `Key` and its parser need all of them.

use std::{borrow::Borrow, ops::Range};

use super::{
    ChatForm, Chunk, Class, Entry, KeyOwner, Lifetime, RateLimitName, RedisType, UserToken,
    declare::schema,
    owner::{OWNER_BYTES, OwnerText, place_of},
};
use crate::domain::{ChatId, FoldedTag, GroupId, GroupSlug, ListId, Login, StatusId, Term, UserId};

/// Lifetime of an idempotency key, in seconds.
pub const IDEMPOTENCY_KEY_TTL_S: u64 = 12 * 3600;

/// Lifetime of the requests that a user sent, in seconds.
pub const DAY_S: u64 = 24 * 3600;
pub const SENT_REQUESTS_TTL_S: u64 = 30 * DAY_S;

/// Lifetime of the networks from which a user logged in, in seconds.
pub const KNOWN_NETWORKS_TTL_S: u64 = 90 * DAY_S;

schema! {
    /// The version of the stored data. Set on an empty database and raised by each migration step.
    SchemaVersion, SCHEMA_VERSION = "schema:version", String, SourceOfTruth, Lifetime::Permanent;

    /// Token of the process that migrates stored data.
    SchemaLease, SCHEMA_LEASE = "schema:lease", String, Ephemeral, Lifetime::Recreated("15 s");

    /// Counter of user ids. A sign-up increments it.
    UserCounter, NEXT_USER_ID = "user:id:", String, SourceOfTruth, Lifetime::Permanent;

    /// user id → sign-up (ms): the newest 1000 users.
    PeopleNewest, PEOPLE_NEWEST = "people:newest", Zset, Derived, Lifetime::Permanent;

    /// user id → follower count: the 1000 users with most followers.
    PeopleFollowed, PEOPLE_FOLLOWED = "people:followed", Zset, Derived, Lifetime::Permanent;

    /// status id → -id: the newest 1000 public posts of the site, without replies, reposts and posts with `over_share`: the
    /// timeline of everybody.
    StatusesNewest, STATUSES_NEWEST = "statuses:newest", Zset, Derived, Lifetime::Permanent;

    /// user id → time of the deletion (ms): the users with a deactivated account, with a request to join
    /// that waits, or with a refused one. Mirror of `leaving`.
    PeopleLeaving, PEOPLE_LEAVING = "people:leaving", Zset, Derived, Lifetime::Permanent;

    /// user id → time (ms) since which it waits: the accounts whose traces the next sweep over all keys removes.
    PeopleSweeping, PEOPLE_SWEEPING = "people:sweeping", Zset, Derived, Lifetime::Permanent;

    /// Token of the sweep that removes the traces of deleted accounts.
    SweepLease, SWEEP = "sweep:", String, Ephemeral, Lifetime::Recreated("10 min");

    /// chat → time at which its next message disappears (ms), or an earlier time. Derived from `expires` of chats.
    ChatsExpiring, CHATS_EXPIRING = "chats:expiring", Zset, Derived, Lifetime::Permanent;

    /// group id → time of its last activity (µs, unique): the groups that everyone finds. Derived from `active` of the
    /// groups.
    GroupsListed, GROUPS_LISTED = "groups:listed", Zset, Derived, Lifetime::Permanent;

    /// user id → time of the sign-up (µs, unique): the users with a request to join that waits for an answer.
    /// Mirror of `application`.
    PeopleWaiting, PEOPLE_WAITING = "people:waiting", Zset, Derived, Lifetime::Permanent;

    /// tag → number of users who used it in the last day, as last counted: the 1000 most used tags.
    TagsMostUsed, TAGS_MOST_USED = "tags:most_used", Zset, Ephemeral, Lifetime::Recreated("24 h");

    /// The trending tags, one `<tag> <users>` a line, most users first. The first reader after it expired
    /// counts again.
    TagsTrending, TAGS_TRENDING = "tags:trending", String, Ephemeral, Lifetime::Recreated("60 s");

    /// The settings of the site: `name`, `description`, `contact`, `rules` (JSON: the texts with their ids, and the
    /// highest id), `question` (to applicants), `entrance` (`open`, `approval`, `invitation` or `closed`),
    /// `group_founders` (`members` or `moderators`), `hue` (0 to 359), `everybody` (who sees the newest posts: `visitors`
    /// or `members`), `public_log` (1 if `/moderation` exists), `inviters` (1 if profiles show everybody who invited the person), the pages `about` and `privacy` (Markdown), the shields `holds_links` (1), `site_reports` (`off`, or
    /// nothing), `blocked_words`, `blocked_domains` and `blocked_addresses` (lines), and the user id of the `owner`, who
    /// set it up. While a set-up is not complete, `before:<field>` has the value that it replaced, after `=`, or
    /// nothing if there was none.
    Site, SITE = "site:", Hash, SourceOfTruth, Lifetime::Permanent;

    /// The clock of Redis: `seen` (ms, the last note) and `since` (ms: the last jump of the clock, 0 if there was none).
    /// Scheduled work that removes data waits for a day after a jump.
    Clock, CLOCK = "clock:", Hash, SourceOfTruth, Lifetime::Permanent;

    /// `<day since 1970>:<name>` → number, for `people`, `active`, `posts`, `deliveries`, `queue`, `memory` and `disk`: the
    /// numbers of the last 31 days. `<day>:last_note:<process>` is the number of the last note of a process.
    SiteDays, SITE_DAYS = "site:days", Hash, SourceOfTruth, Lifetime::Permanent;

    /// The people who visited on an even day, as a HyperLogLog.
    ActivePeopleEven, ACTIVE_PEOPLE_EVEN = "active_people:even", String, Ephemeral, Lifetime::Recreated("23 h after the last visit of the day");

    /// The same for an odd day.
    ActivePeopleOdd, ACTIVE_PEOPLE_ODD = "active_people:odd", String, Ephemeral, Lifetime::Recreated("23 h after the last visit of the day");

    /// Act as JSON → time (µs, unique): the log of the administration. Entries are only added.
    AdminLog, ADMIN_LOG = "admin:log", Zset, SourceOfTruth, Lifetime::Permanent;

    /// `<day since 1970>:<kind>` or `<year>-<month>:<kind>` → number of the acts of the log, of the last 31 days and 13
    /// months. `<kind>:undone` counts the decisions that were taken back. `<year>-<month>:<kind>@<reason>` counts
    /// decisions by their reason: `rule:<text of the rule>`, `spam`, ... `day` is the last day on which old fields were
    /// removed. The hash tag puts the key into the slot of the log.
    ActCounts, ACT_COUNTS = "act_counts:{admin:log}", Hash, Derived, Lifetime::Permanent;

    /// user id → role: the people who run the site. Mirror of `role` of the users.
    AdminRoles, ADMIN_ROLES = "admin:roles", Hash, Derived, Lifetime::Permanent;

    /// user id → time of the newest open report (µs), and 6 hours more for each further open report: the reported users.
    AdminReports, ADMIN_REPORTS = "admin:reports", Zset, Derived, Lifetime::Permanent;

    /// user id → time (µs) of their oldest appeal without an answer.
    AdminAppeals, ADMIN_APPEALS = "admin:appeals", Zset, Derived, Lifetime::Permanent;

    /// user id → time (µs) at which a report about them was closed, of those that are still kept: the oldest.
    AdminClosedReports, ADMIN_CLOSED_REPORTS = "admin:closed_reports", Zset, Derived, Lifetime::Permanent;

    /// Worker → last time (ms) that it was alive: the workers of the last hour.
    Workers, WORKERS = "tasks:workers", Zset, Ephemeral, Lifetime::Recreated("1 h after the last worker");

    /// Token of the process that runs the scrub.
    ScrubLease, SCRUB = "scrub:", String, Ephemeral, Lifetime::Recreated("90 s");

    /// Token of the process that last rewrote the append-only files, or `backup`. While it exists, no rewrite is due,
    /// unless it has more than an hour left and the embedded server's files have doubled.
    RewriteLease, REWRITE = "rewrite:", String, Ephemeral, Lifetime::Recreated("1 day, a setting");
    ---
    /// `id`, `login`, `name`, `bio`, `signup` (ms), `posts`, `followers` and `following` (counts, derived from the sets
    /// by the script that changes them), `last` (id of the newest status), `dropped_reply` (the newest reply that
    /// `received_replies` had no room for), and after a change of the name `former` (names that search may still hold,
    /// one a line). After a post `visibility`, which the composer offers next unless the person chose a
    /// `default_visibility`. A private account has `private`, and after the first request `requests` (their count). A
    /// person who runs the site has a `role`. `admission` is `setup`, `invitation <user id>-<code> <end in ms>`, or
    /// `approval <user id>`. `application` is the request to join of a person who was not let in: `waiting <answer>`,
    /// or `refused <user id> <reason>`; such an account has `leaving` too.
    /// `newcomer_since` (ms) is the beginning of the limits of a new account. `messages_from` and `group_messages_from`
    /// (`followed` or `no_one`) limit who can begin a chat, `read_marks` shows read messages. `pinned` has the ids of the
    /// posts that the profile shows first, last pinned first. With
    /// `public_favourites` others see the favourites. A suspended account has
    /// `suspended` (the reason), a frozen one `frozen` (its end, ms), a limited one `limited` (1). After a change of the login `renamed` (ms) and
    /// `former_logins` (`<login> <ms until which it leads to the user>` a line), and during one `renaming` (`<token>
    /// <login>`; the token of a reconciliation is `reconciliation-<its deadline, ms>`). A deactivated one has
    /// `leaving`: the time of its deletion (ms), or `deleting` once that has begun. After a sign-up that lost the race
    /// for its login, and after a deletion: only `gone`, for ever.
    User, user(UserId) = "user:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// `hash` (PHC string of the password), `epoch` (random, new with each password), `idempotency_key` of the sign-up
    /// form, `restriction` (`suspended`, `deactivated`, `waiting`, `refused`, or `frozen` and its end in ms, as the
    /// user record says), `login` after a change of the login, for the sessions, and `zone`: the time zone that the
    /// person chose.
    Auth, auth(UserId) = "auth:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// The state of the reports and decisions about a user: `last` (time of the last event, µs), `handled` (the event up
    /// to which people were notified), `revision` (number of decisions and of their ends), `token` (of the last
    /// decision), `claimed_by` (the moderator who works on it) and `claimed` (ms).
    Case, case(UserId) = "case:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// `<reporter>:<subject>` → report as JSON: the reports about a user. The reporter is a user id, or for the site
    /// `hold` or `shield`. The subject is 0 for the person, a status id, `<chat>.<message>`, or
    /// `group.<group id>`.
    Reports, reports(UserId) = "reports:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// `<reporter>:<subject>` → time (µs, unique): the reports about a user that wait for a decision.
    OpenReports, open_reports(UserId) = "open_reports:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// `<reporter>:<subject>` → number of the decision that closed it: other reports about a user, for 90 days.
    ClosedReports, closed_reports(UserId) = "closed_reports:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// `<status id>:<revision>` → post as JSON: reported posts of a user, as they were. They are removed with the last
    /// report. `<chat>.<message>:<reporter>` → messages as JSON: a reported message and those around it that the
    /// reporter chose. `group.<group id>:<reporter>` → group as JSON: a reported group, as the reporter saw it. At most
    /// 200 fields.
    ReportedPosts, reported_posts(UserId) = "reported_posts:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// number (its time, µs) → decision as JSON: decisions about a user. `<number>:ended`, `<number>:appeal` and
    /// `<number>:answer` have the time (µs), a space, and the end as JSON, the appeal, and its answer as JSON.
    Decisions, decisions(UserId) = "decisions:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// `<user id>:<subject>` → time (µs, unique): the people, posts, messages and groups that a user reported.
    OwnReports, own_reports(UserId) = "own_reports:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// code → end (ms): the unused invitations of a user. `claimed:<code>` is one whose sign-up is not complete,
    /// `revoked:<code>` one that was revoked since the newest was made.
    Invitations, invitations(UserId) = "invitations:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): users who signed up by an invitation of a user. Derived from `admission` of these
    /// users.
    Invited, invited(UserId) = "invited:{uid}", Zset, Derived, Lifetime::Permanent;

    /// `made` (ms): when the user made recovery codes. Digest of an unused code → 0. Digest of the code in a link
    /// that sets a new password → the end of the link (ms); at most one.
    Recovery, recovery(UserId) = "recovery:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// The log-in on another device: `link` (digest of the code in the link), `epoch` of the user when it was made, and
    /// once a device has opened it `device` (digest of its secret), `agent` and `code` (that the device shows). Then
    /// `tries` (number of wrong codes), `confirmed`, and `entered` for a minute after the device has logged in.
    DeviceLogIn, device_log_in(UserId) = "device_log_in:{uid}", Hash, Ephemeral, Lifetime::Seconds(240);

    /// `<epoch>:<mark of the network>` → last log-in from there (ms): the 20 networks from which the user logged in last. A
    /// mark is an HMAC under the key of the site.
    KnownNetworks, known_networks(UserId) = "known_networks:{uid}", Zset, Ephemeral,
        Lifetime::Seconds(KNOWN_NETWORKS_TTL_S);

    /// The newest export of the account: `token`, `stage`, `step` (number of passes), `before` (where the next pass
    /// continues), `done` and `total` (numbers of statuses), `bytes` of the archive, `begun` and `at` (ms: the last pass),
    /// `chats` (ids of conversations that are read) and `has_new_chats` (`1`: this reading of their list has found some).
    Export, export(UserId) = "export:{uid}", Hash, Ephemeral, Lifetime::Recreated("7 days after the last pass");

    /// The user id of a login in lower case, also of a former one. SET NX commits a sign-up. 0 after the deletion of the
    /// account.
    Login, login(Login) = "login:{login}", String, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): followed users.
    Following, following(UserId) = "following:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): followers. Mirror of `following`.
    Followers, followers(UserId) = "followers:{uid}", Zset, Derived, Lifetime::Permanent;

    /// user id → time (µs, unique): users with a private account whom a user asked to follow. None of them is in
    /// `following`.
    Requested, requested(UserId) = "requested:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): users who asked to follow a user. Mirror of `requested`.
    Requests, requests(UserId) = "requests:{uid}", Zset, Derived, Lifetime::Permanent;

    /// user id → time (µs, unique): followed users whose reposts are hidden from the home.
    HiddenReposts, hidden_reposts(UserId) = "hidden_reposts:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → `more` or `less`: followed users of whom the user asked to see more or less. There is no
    /// mirror.
    AuthorPreferences, author_preferences(UserId) = "author_preferences:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// user id → end of the mute (µs, unique; from 4 × 10^15 on: never): muted users. There is no mirror. The next
    /// change removes a mute that has ended, unless the clock may be wrong.
    Muted, muted(UserId) = "muted:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// word, phrase or `#tag`, as typed → end of the mute, as in `muted`: muted texts. There is no mirror.
    MutedTexts, muted_texts(UserId) = "muted_texts:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// first status id → time (µs, unique): muted conversations. There is no mirror. A conversation without statuses
    /// goes when the page of muted conversations is read.
    MutedConversations, muted_conversations(UserId) = "muted_conversations:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): blocked users.
    Blocked, blocked(UserId) = "blocked:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): users who block a user. Mirror of `blocked`.
    BlockedBy, blocked_by(UserId) = "blocked_by:{uid}", Zset, Derived, Lifetime::Permanent;

    /// folded tag → time (µs, unique): followed tags.
    FollowedTags, followed_tags(UserId) = "followed_tags:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): followers of a tag. Mirror of `followed_tags`.
    TagFollowers, tag_followers(FoldedTag) = "tag_followers:{tag}", Zset, Derived, Lifetime::Permanent;

    /// status id → time (µs, unique): favourites. An entry about a dead status goes when its page is read.
    Favourites, favourites(UserId) = "favourites:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// status id → time (µs, unique): bookmarks. There is no mirror.
    Bookmarks, bookmarks(UserId) = "bookmarks:{uid}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): users who favourited a status. Mirror of `favourites`; deleted with the
    /// status.
    FavouritedBy, favourited_by(StatusId) = "favourited_by:{id}", Zset, Derived, Lifetime::Permanent;

    /// `id`, `uid`, `login`, `message`, `posted` (ms) and `idempotency_key`. Where they apply: `reply_to`, `repost_of`
    /// (instead of a message) and `quote_of` (each `<id>:<uid>`), `thread` (the statuses above), `root_author` (of the
    /// first status above; older replies lack it), `tags` (folded), `mentioned` (user ids of people who could see it),
    /// `untagged` and `unmentioned` (those before an edit), `group` (that it was posted in), `readers` (`members`;
    /// `followers:` and a user id: only their followers see it; or `group:`, a group id and, if later members do not
    /// see it, `:` and a time in ms), `reply_control` (who can reply, and `quoting_closed`), `hidden` (1: by the author
    /// of the conversation), `hidden_by_moderators` (1) and `moderators_warning` (copies of decisions), `waiting` (the revision since which it waits
    /// for a moderator), `removed_from_group` (by its moderators:
    /// the act as JSON, or 1 once it is in the log), `detached_from` (`<id>:<uid>`: the status that it quoted),
    /// `warning`, `poll`, `edited` (ms), `revision` (number of edits), `version_bytes` (of earlier versions),
    /// `extra_bytes` (beyond 2048, of the status in the quota of its author), `over_share` (1: beyond the share of its
    /// author in the timeline of everybody), `delivered` (score in µs up to which followers have it, while passes
    /// deliver it) and `former` (texts that search may still hold). Derived: `favourite_count`, `reply_count`,
    /// `gap_count`, `repost_count`, `quote_count` and `tally` (result of `ballots`). A deletion leaves a tombstone for
    /// 48 h, and while it has replies: `uid`, `idempotency_key`, `deleted` (ms), `readers`, `group`, `reply_control`,
    /// the references, and its own `extra_bytes`. Tags and mentions of more than 200 bytes go when their copies are gone.
    Status, status(StatusId) = "status:{id}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// JSON objects (`message`, `warning`, `since` in ms), oldest first: the earlier versions of a status.
    Versions, versions(StatusId) = "versions:{id}", List, SourceOfTruth, Lifetime::Permanent;

    /// user id → chosen options (the sum of 1, 2, 4 and 8): the votes in a poll.
    Ballots, ballots(StatusId) = "ballots:{id}", Zset, SourceOfTruth, Lifetime::Permanent;

    /// status id → user id of the author: the polls in which a user voted, so that a block and a deletion find the
    /// votes. Written before the vote. An entry without a vote is allowed; later votes remove some of them.
    Votes, votes(UserId) = "votes:{uid}", Zset, Derived, Lifetime::Permanent;

    /// status id → -id: the living replies to a status, which itself may be dead. Derived from `reply_to`.
    Replies, replies(StatusId) = "replies:{id}", Zset, Derived, Lifetime::Permanent;

    /// status id → -id: the deleted replies that have replies, or gaps, below them. They keep the tree connected. Each
    /// is removed with the last reply below it.
    Gaps, gaps(StatusId) = "gaps:{id}", Zset, Derived, Lifetime::Permanent;

    /// original's id → -(id of the repost): a user's reposts without a comment. Claimed before the repost
    /// exists, and removed after it.
    OwnReposts, own_reposts(UserId) = "own_reposts:{uid}", Zset, Derived, Lifetime::Permanent;

    /// user id → -(id of the repost): users who reposted a status without a comment. Outlives the status
    /// until the last repost is deleted.
    RepostedBy, reposted_by(StatusId) = "reposted_by:{id}", Zset, Derived, Lifetime::Permanent;

    /// status id → -id: the quotes of a living status. Deleted with the status; the quotes stay.
    Quotes, quotes(StatusId) = "quotes:{id}", Zset, Derived, Lifetime::Permanent;

    /// status id → -id: all statuses of a user.
    Profile, profile(UserId) = "profile:{uid}", Zset, Derived, Lifetime::Permanent;

    /// status id → -id: the statuses of a user that are not replies.
    Posts, posts(UserId) = "posts:{uid}", Zset, Derived, Lifetime::Permanent;

    /// status id → bytes beyond 2048 that a living status of a user counts as, or all bytes of a tombstone with
    /// replies, their `sum`, and `reserved`: `<status id>:<bytes>:<until ms>` of posts and edits that are being written.
    /// Derived from `extra_bytes` of the statuses.
    PostBytes, post_bytes(UserId) = "post_bytes:{uid}", Hash, Derived, Lifetime::Permanent;

    /// status id → -id: the home timeline, at most 24 statuses more than `REDWING_HOME_SIZE`.
    Home, home(UserId) = "home:{uid}", Zset, Derived, Lifetime::Permanent;

    /// The floor of the home timeline, with a 0 before it if no rebuild can lower it, or
    /// `building:<token>:<floor>` during a rebuild (60 s). Without it the home is dormant.
    Active, active(UserId) = "active:{uid}", String, Ephemeral, Lifetime::Recreated("30 days, a setting");

    /// `before` and `shown` (ranges `low-high,…` of status ids: read before this visit of the home, and
    /// shown during it) and `at` (ms: the last read).
    Reading, reading(UserId) = "reading:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// Field `status`: the last 200 arrivals on a home that is watched, after an entry with `begun`. Pages
    /// and streams name the entry up to which they have shown arrivals.
    Arrivals, arrivals(UserId) = "arrivals:{uid}", Stream, Ephemeral, Lifetime::Recreated("1 h");

    /// `<kind>:<status id, or 0>:<user id>` → time (µs, unique): the newest 960 to 1000 notifications. News from the
    /// people who run the site has the time of the event (µs) and the user's own id instead.
    /// An entry that was retracted after it was read has a negative score, at most 1000 of them.
    Notifications, notifications(UserId) = "notifications:{uid}", Zset, Derived, Lifetime::Permanent;

    /// `read` (µs: the score up to which notifications were read), `before` (the same before the last reading that
    /// showed new ones) and `at` (ms: the time of that reading).
    ReadMarker, read_marker(UserId) = "read_marker:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// status id → -id: the living statuses of others that mention a user who could see them. A status mentions at most 20.
    MentionIndex, mention_index(UserId) = "mention_index:{uid}", Zset, Derived, Lifetime::Permanent;

    /// status id → -id: the newest replies of others to a user's statuses, as many as a home holds. They
    /// fill the homes of new followers.
    ReceivedReplies, received_replies(UserId) = "received_replies:{uid}", Zset, Derived, Lifetime::Permanent;

    /// status id → -id: the statuses with a tag that are neither replies nor reposts. A status has at most
    /// 20 tags.
    TagIndex, tag_index(FoldedTag) = "tag_index:{tag}", Zset, Derived, Lifetime::Permanent;

    /// user id → id of the newest status with the tag: users who used a tag in the last day.
    TagUses, tag_uses(FoldedTag) = "tag_uses:{tag}", Zset, Ephemeral, Lifetime::Recreated("24 h");

    /// number → `<1 if exclusive, else 0>:<name>`, and `last` (the last number): a user's lists.
    Lists, lists(UserId) = "lists:{uid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): the members of a list. Outlives a deleted list until each member's
    /// `list_memberships` is updated.
    ListMembers, list_members(ListId) = "list:{uid}:<n>:members", Zset, SourceOfTruth, Lifetime::Permanent;

    /// status id → -id: the timeline of a list, with the limit of a home.
    ListTimeline, list_timeline(ListId) = "list:{uid}:<n>:timeline", Zset, Derived, Lifetime::Permanent;

    /// The floor of a list's timeline, in the form of `active`.
    ListActive, list_active(ListId) = "list:{uid}:<n>:active", String, Ephemeral, Lifetime::Recreated("30 days, a setting");

    /// `<owner>:<n>` → time (µs, unique): the lists that hold a user. Mirror of the members of lists.
    ListMemberships, list_memberships(UserId) = "list_memberships:{uid}", Zset, Derived, Lifetime::Permanent;

    /// user id → number of the user's exclusive lists that hold that person: people the home leaves out.
    Excluded, excluded(UserId) = "excluded:{uid}", Zset, Derived, Lifetime::Permanent;

    /// lower bound → -bound: the chunks of a term's postings. Absent while one chunk holds all of them.
    Chunks, chunks(Term) = "postings:{term}", Zset, Derived, Lifetime::Permanent;

    /// Status ids, at most 512: the statuses with a term, from this bound up to the next one.
    Postings, postings_of(Chunk) = "postings:{term}:<bound>", Set, Derived, Lifetime::Permanent;

    /// Word → 0: the words of more than three characters with this beginning that a post has. The term is the beginning,
    /// of three characters. A search for a beginning reads 47 words at most.
    Words, words(Term) = "words:{term}", Zset, Derived, Lifetime::Permanent;

    /// `<word> <user id>` → 0: words of logins and names with this first letter.
    Names, names(char) = "names:{letter}", Zset, Derived, Lifetime::Permanent;

    /// `created` (ms), `last` (number of the last message), `at` (µs: its time, larger than that of the message
    /// before), `version` (number of changes). Where they apply: `first` (no message below it is kept),
    /// `kept_from:<user id>` (a lower message of that person was removed beyond the limit), `name`, `expiry_days` (new
    /// messages disappear after them) and `expires` (ms: not later than the first time in `chat:{chat}:expiring`; 0 if
    /// it has none any more).
    Chat, chat(ChatId) = "chat:{chat}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// user id → `<state> <seen> <unread> <cleared> <1 if muted, else 0> <written> <bytes>`: all people of a chat. The
    /// state is `open`, `asked`, `ignored`, `left` or `gone`; `seen` is the last read message, `unread` the number of
    /// messages of others after it, `cleared` the last message that the person deleted for themselves with all before it,
    /// `written` the number of their messages, `bytes` what their messages and events count as.
    ChatMembers, chat_members(ChatId) = "chat:{chat}:members", Hash, SourceOfTruth, Lifetime::Permanent;

    /// number → `<author> <time in ms> <mark>`, a line end and the text: the messages of a chat. The mark is `-`, the
    /// time of an edit (ms), `deleted`, or the kind of an event: `renamed`, `expiry`, `left`.
    ChatMessages, chat_messages(ChatId) = "chat:{chat}:messages", Hash, SourceOfTruth, Lifetime::Permanent;

    /// `<user id>:<number>`: messages that a person deleted for themselves.
    ChatHidden, chat_hidden(ChatId) = "chat:{chat}:hidden", Set, SourceOfTruth, Lifetime::Permanent;

    /// number → time at which the message disappears (ms): the messages that were written while the chat had an expiry.
    ChatExpiring, chat_expiring(ChatId) = "chat:{chat}:expiring", Zset, SourceOfTruth, Lifetime::Permanent;

    /// `<number>:<digest of the text>`: the message that a form became.
    SentMessage, sent_message(ChatForm) = "chat:sent:{chat}:<uid>:<key>", String, Ephemeral,
        Lifetime::Seconds(IDEMPOTENCY_KEY_TTL_S);

    /// chat → time of the last message (µs, unique): the conversations of a user. Derived from the members of chats.
    Chats, chats(UserId) = "chats:{uid}", Zset, Derived, Lifetime::Permanent;

    /// chat → time of the last message (µs, unique): requests of people that a user does not follow. Derived like `chats`.
    ChatRequests, chat_requests(UserId) = "chat_requests:{uid}", Zset, Derived, Lifetime::Permanent;

    /// chat → number of unread messages: the conversations with unread messages that a user does not mute. Derived like
    /// `chats`.
    UnreadChats, unread_chats(UserId) = "unread_chats:{uid}", Hash, Derived, Lifetime::Permanent;

    /// chat → bytes that it counts as in the quota of a user who wrote in it, and their `sum`. Derived like `chats`.
    ChatBytes, chat_bytes(UserId) = "chat_bytes:{uid}", Hash, Derived, Lifetime::Permanent;

    /// chat → time (ms): the requests that a user sent in the last 30 days.
    SentRequests, sent_requests(UserId) = "sent_requests:{uid}", Zset, Ephemeral,
        Lifetime::Seconds(SENT_REQUESTS_TTL_S);

    /// `slug` (its name in addresses), `name`, `description`, `rules`, `kind` (`public`, `private` or `announcement`),
    /// `readers` (`everyone` or `members`), `joining` (`open`, `request` or `invitation`), `past` (`whole` or
    /// `since_joining`: what new members see), `owner` (user id), `members` and `requests` (counts, derived from the
    /// sets by the script that changes them), `founded` (ms), `form` (digest of the texts and settings of the form that
    /// founded it), `active` (µs: time of the last activity). Where they apply: `former` (names that search may still
    /// hold, one a line), `unlisted`, `replies_closed`, `offered` (the user id of the member who can take the group
    /// over), `noticed` (µs: the entry of the log up to which people have their notices), and `gone` (ms) once its
    /// deletion has begun. `gone` stays after the deletion, so that the id is never used again.
    Group, group(GroupId) = "group:{gid}", Hash, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): the members of a group.
    GroupMembers, group_members(GroupId) = "group:{gid}:members", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → `owner` or `moderator`: the members with a role.
    GroupRoles, group_roles(GroupId) = "group:{gid}:roles", Hash, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): the members who have the posts of a group on their home.
    GroupHome, group_home(GroupId) = "group:{gid}:home", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): those of them who are notified of each post.
    GroupNotified, group_notified(GroupId) = "group:{gid}:notified", Zset, SourceOfTruth, Lifetime::Permanent;

    /// status id → -id: the living posts in a group, without replies.
    GroupTimeline, group_timeline(GroupId) = "group:{gid}:timeline", Zset, Derived, Lifetime::Permanent;

    /// user id → time until which the person cannot post (ms). It stays when the person leaves, so that joining again
    /// does not end it. Expired ones go when another person is muted, unless the clock may be wrong.
    GroupMuted, group_muted(GroupId) = "group:{gid}:muted", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): people who cannot join.
    GroupBanned, group_banned(GroupId) = "group:{gid}:banned", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): people who ask to join. None of them is a member.
    GroupRequests, group_requests(GroupId) = "group:{gid}:requests", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → time (µs, unique): people who are invited. None of them is a member.
    GroupInvited, group_invited(GroupId) = "group:{gid}:invited", Zset, SourceOfTruth, Lifetime::Permanent;

    /// user id → user id: the moderator who invited that person.
    GroupInviters, group_inviters(GroupId) = "group:{gid}:inviters", Hash, SourceOfTruth, Lifetime::Permanent;

    /// Act as JSON → time (µs, unique): the newest 500 acts of the moderators, each with a note of up to 1000 bytes.
    GroupLog, group_log(GroupId) = "group:{gid}:log", Zset, SourceOfTruth, Lifetime::Permanent;

    /// The group id of a name in addresses. SET NX commits the founding.
    GroupName, group_name(GroupSlug) = "group_name:{slug}", String, SourceOfTruth, Lifetime::Permanent;

    /// `<word> <group id>` → 0: words of the names of listed groups with this first letter.
    GroupWords, group_words(char) = "group_words:{letter}", Zset, Derived, Lifetime::Permanent;

    /// group id → time (µs): the groups of a user. Derived from the members of groups.
    Memberships, memberships(UserId) = "memberships:{uid}", Zset, Derived, Lifetime::Permanent;

    /// group id → time (µs): those with posts on the user's home. Derived like `memberships`.
    HomeGroups, home_groups(UserId) = "home_groups:{uid}", Zset, Derived, Lifetime::Permanent;

    /// group id → time (µs): the groups that a user asked to join. Derived like `memberships`.
    AskedGroups, asked_groups(UserId) = "asked_groups:{uid}", Zset, Derived, Lifetime::Permanent;

    /// group id → time (µs): the groups that a user is invited to. Derived like `memberships`.
    GroupInvitations, group_invitations(UserId) = "group_invitations:{uid}", Zset, Derived, Lifetime::Permanent;

    /// Act in a group about a user, as JSON → its time (µs): the newest 100. Derived from the logs of groups.
    GroupNotices, group_notices(UserId) = "group_notices:{uid}", Zset, Derived, Lifetime::Permanent;
    /// user id of a stranger → `<chat> <time in ms>`: the chat that a user begins with them, until that time.
    RequestClaims, request_claims(UserId) = "request_claims:{uid}", Hash, Ephemeral,
        Lifetime::Recreated("the deadline of the message");

    /// The result of a form that was sent: `<status id>:<digest of the text>`, or
    /// `list:<number>:<digest of the name>`. Under the digest of a content: the key of the first form that
    /// sent it, until the browser got an answer.
    IdempotencyKey, idempotency(UserToken) = "idempotency:{uid}:<token>", String, Ephemeral,
        Lifetime::Seconds(IDEMPOTENCY_KEY_TTL_S);

    /// The state of a session as JSON, under the digest of the cookie's value.
    Session, session_of(UserToken) = "session:{uid}:<token>", String, Ephemeral, Lifetime::Session;

    /// digest of a session → last use (ms): the sessions of a user.
    Sessions, sessions(UserId) = "sessions:{uid}", Zset, Ephemeral, Lifetime::Session;

    /// Fields `task`, `attempts`, and `continues` of a task that continues another one: tasks to run now, read by the
    /// group `workers`. Never trimmed. The partitions of fan-outs, of background work and of further fan-outs follow
    /// those of other tasks.
    Tasks, tasks(u16) = "tasks:{partition}", Stream, SourceOfTruth, Lifetime::Permanent;

    /// `<token> <attempts> <task>` → due (ms): tasks to run later, and outbox entries.
    TasksLater, tasks_later(u16) = "tasks:{partition}:later", Zset, SourceOfTruth, Lifetime::Permanent;

    /// Fields `task`, `attempts` and `error`: tasks that were given up, at most 10,000.
    TasksDead, tasks_dead(u16) = "tasks:{partition}:dead", Stream, SourceOfTruth, Lifetime::Permanent;

    /// The sightings of the shields: of one text (`<user id>:<status id>`), of one network (user ids of new accounts),
    /// or of one author (digests of mentioned people): at most 50.
    Sightings, sightings(RateLimitName) = "seen:{limit:who}", Set, Ephemeral, Lifetime::Recreated("1 h after the first");

    /// The time (µs) at which the next attempt of a limited action is on schedule.
    Rate, rate_limit(RateLimitName) = "rate:{limit:who}", String, Ephemeral, Lifetime::Recreated("until it is on schedule");
}
