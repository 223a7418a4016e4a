//! Who sees what. Two functions decide: [`Access::may_see`] about a status, [`Access::may_find`] about a person.
//! [`Access::may_reply`] and [`Access::may_quote`] decide about replies to a status and quotes of it,
//! [`Access::may_report`] about reports and blocks of a person, [`Store::post_to_report`] about reports of a post.
//! Nothing else asks for a relation or a setting of a person. `Store::visible` applies the first one to each
//! status of a page, whether it is an entry of its own, an original, quoted or replied to.

pub(super) mod blocks;
pub(super) mod group_posts;
pub(super) mod groups;
pub(super) mod messages;
pub(super) mod mute_reason;
pub(super) mod muted_conversations;
pub(super) mod muted_texts;
pub(super) mod mutes;
pub(super) mod newcomers;
mod read_ahead;
pub(super) mod readers;
mod related_ids;
pub(super) mod reply_control;
pub(super) mod reports;

use std::sync::Arc;

use futures_util::try_join;

use super::{
    ViewerRelation,
    follows::presence::{Among, Present},
    prelude::*,
    statuses::status_row::StatusRow,
};
use crate::domain::{AccountState, GroupId, Mute, Readers, RequiredRelation, Visibility};
use mute_reason::MuteReason;
use muted_texts::MutedTexts;
use readers::{StatusReaders, is_among};
use related_ids::RelatedIds;

/// A viewer with everything that decides what they see.
#[derive(Debug)]
pub struct Access {
    viewer: Viewer,
    /// People that the viewer blocks.
    blocked: Arc<RelatedIds>,
    /// People that the viewer mutes, with the end of each mute. Some may have ended.
    muted: Arc<RelatedIds>,
    /// The first statuses of conversations that the viewer mutes.
    muted_conversations: Arc<RelatedIds>,
    /// The groups of the viewer, with the time at which they joined each (µs).
    memberships: Arc<RelatedIds>,
    /// Words, phrases and tags that the viewer mutes. Some mutes may have ended.
    muted_texts: Arc<MutedTexts>,
    /// Whether muted texts are looked for. Only timelines, conversations and notifications apply them.
    compares_texts: bool,
    /// The time by which mutes end. Unknown without a mute.
    now: UnixMs,
    /// Which of the people on the page block the viewer. Their number has no limit, so a page asks about the
    /// people that it shows.
    blockers: Vec<Arc<Present>>,
    /// The people that the viewer follows, of those with statuses for followers on the page.
    follows: Vec<Arc<Present>>,
    /// The authors who follow the viewer, of those who accept replies only from people that they follow.
    followers: Vec<Arc<Present>>,
}

/// The people that a page asks about.
pub(super) struct AskedPeople<'a> {
    /// Those to read, who may block the viewer.
    pub people: &'a [UserId],
    /// Those that the viewer may follow.
    pub followed: &'a [UserId],
    /// Those who may follow the viewer.
    pub followers: &'a [UserId],
}

/// The first status of a reply's conversation.
#[derive(Debug, Clone, Copy)]
pub enum Root {
    /// The status is no reply.
    Itself,
    /// The readers of the first status, also of a deleted one.
    Known(Readers),
    /// Nothing is left of it.
    Gone,
}

/// Returns the readers of a status of this author. A private account narrows each of them, old ones too.
pub fn readers_of(status: &StatusRow, author: &User) -> Readers {
    match author.is_private {
        true => status.readers.narrowed(author.id),
        false => status.readers,
    }
}

/// Returns whether an account is hidden from other people. Only active accounts are not.
pub(super) fn is_hidden(person: &User) -> bool {
    person.state != AccountState::Active
}

/// Returns whether a profile has the tab of favourites for a viewer: their own, and that of a person who shows it. Each
/// favourite on it has its own readers.
pub fn may_see_favourites(viewer: Viewer, person: &User) -> bool {
    person.shows_favourites || viewer.id() == Some(person.id)
}

impl Store {
    /// Reads everything that decides whether the viewer finds these people, at least as new as this
    /// connection's last round trip. One round trip, none if cached.
    pub(super) async fn access_to(&self, viewer: Viewer, people: &[UserId]) -> Result<Access> {
        let (mut access, blockers) =
            try_join!(self.access(viewer), self.blockers_among(viewer, people))?;
        access.blockers.push(blockers);
        Ok(access)
    }

    /// Returns which of these people block the viewer. One round trip, none if cached.
    pub(super) async fn blockers_among(
        &self,
        viewer: Viewer,
        people: &[UserId],
    ) -> Result<Arc<Present>> {
        let Some(member) = viewer.id().filter(|_| !people.is_empty()) else {
            return Ok(Arc::default());
        };
        let people = people.iter().map(|id| id.get()).collect();
        self.present(Key::BlockedBy(member), people).await
    }

    /// Reads people, and what decides whether the viewer finds them. Also reads the follows that decide who sees a
    /// status and who can reply to it. One round trip, none if cached.
    pub(super) async fn users_with_relations(
        &self,
        access: &mut Access,
        AskedPeople {
            people,
            followed,
            followers,
        }: AskedPeople<'_>,
    ) -> Result<Vec<Option<Arc<User>>>> {
        let Some(member) = access.viewer.id() else {
            return self.rows_of::<User>(people).await;
        };
        let ask = |key: Key, people: &[UserId]| match people {
            [] => Ok(Arc::default()),
            _ => self.known_or_question(key, people.iter().map(|id| id.get()).collect()),
        };
        let blockers = ask(Key::BlockedBy(member), people);
        let follows = ask(Key::Following(member), followed);
        let followers = ask(Key::Followers(member), followers);
        let unknown = [&blockers, &follows, &followers].map(|known| known.clone().err());
        let questions: Vec<Among> = unknown.into_iter().flatten().collect();
        let (users, answers) = self
            .rows_of_both::<User, Present>(people, &questions)
            .await?;
        let mut answers = answers.into_iter();
        let mut answer = |known: std::result::Result<Arc<Present>, Among>| {
            known.unwrap_or_else(|_| answers.next().flatten().unwrap_or_default())
        };
        access.blockers.push(answer(blockers));
        access.follows.push(answer(follows));
        access.followers.push(answer(followers));
        Ok(users)
    }

    /// Returns whether the viewer may see the posts of a person, their followers and the people they follow. No
    /// round trip unless only its followers see them.
    pub async fn may_see_account(&self, viewer: Viewer, person: &User) -> Result<bool> {
        if !person.is_for_followers() {
            return Ok(true);
        }
        let mut access = self.access(viewer).await?;
        if let Viewer::Member(member) = viewer {
            let follows = self.present(Key::Following(member), vec![person.id.get()]);
            access.follows.push(follows.await?);
        }
        Ok(access.may_see_account(person))
    }

    /// Reads which of the limited accounts among these the viewer follows. No round trip without one.
    pub(super) async fn follows_of_limited(
        &self,
        access: &mut Access,
        people: &[Arc<User>],
    ) -> Result<()> {
        let limited = people.iter().filter(|person| person.is_limited);
        let limited: Vec<u64> = limited.map(|person| person.id.get()).collect();
        if let Some(member) = access.viewer.id().filter(|_| !limited.is_empty()) {
            let follows = self.present(Key::Following(member), limited);
            access.follows.push(follows.await?);
        }
        Ok(())
    }

    /// Returns whether timelines of the viewer leave out anything. One round trip, none if cached.
    pub async fn leaves_out_posts(&self, viewer: Viewer) -> Result<bool> {
        let Viewer::Member(member) = viewer else {
            return Ok(false);
        };
        let (access, has_blockers) = try_join!(
            self.access(viewer),
            self.has_members(Key::BlockedBy(member))
        )?;
        let is_silent = access.muted.is_empty() && access.muted_texts.is_empty();
        Ok(has_blockers || !access.blocked.is_empty() || !is_silent)
    }

    /// Reads everything that decides what the viewer sees, except who blocks the viewer. One round trip, none
    /// if cached.
    pub(super) async fn access(&self, viewer: Viewer) -> Result<Access> {
        let (access, _) = self.access_with_rows::<StatusRow>(viewer, &[]).await?;
        Ok(access)
    }

    /// Reads the same in the round trip that reads these rows.
    pub(super) async fn access_with_rows<R: CachedRow>(
        &self,
        viewer: Viewer,
        questions: &[R::Question],
    ) -> Result<(Access, Vec<Option<Arc<R>>>)> {
        let member: Vec<UserId> = viewer.id().into_iter().collect();
        let relations = member.iter().flat_map(|of| relations_of(*of));
        let relations: Vec<Key> = relations.collect();
        let (rows, related, texts) = self
            .rows_of_three::<R, RelatedIds, MutedTexts>(questions, &relations, &member)
            .await?;
        let mut related = related.into_iter();
        let mut next = || related.next().flatten().unwrap_or_default();
        let (blocked, muted) = (next(), next());
        let (muted_conversations, memberships) = (next(), next());
        let muted_texts = texts.into_iter().next().flatten().unwrap_or_default();
        let now = match muted.is_empty() && muted_texts.is_empty() {
            true => UnixMs(0),
            false => {
                let ends_us = muted.scores().chain(muted_texts.ends_us());
                self.now_until(ends_us.map(mutes::end_of)).await?
            }
        };
        let access = Access {
            viewer,
            blocked,
            muted,
            muted_conversations,
            memberships,
            muted_texts,
            compares_texts: false,
            now,
            blockers: Vec::new(),
            follows: Vec::new(),
            followers: Vec::new(),
        };
        Ok((access, rows))
    }
}

/// Returns the relations of a viewer that [`Store::access`] reads.
fn relations_of(viewer: UserId) -> [Key; 4] {
    [
        Key::Blocked(viewer),
        Key::Muted(viewer),
        Key::MutedConversations(viewer),
        Key::Memberships(viewer),
    ]
}

impl ViewerRelation {
    /// Returns whether a viewer with this relation to a person may see the person's posts and reposts, as
    /// [`Access::may_see_account`] does.
    pub fn may_see_account(&self, person: &User) -> bool {
        !person.is_for_followers() || self.is_self || self.following
    }
}

impl Access {
    /// Returns whether the viewer may see a status. No one sees a deleted one, or that of a person whom they may not
    /// find. Only its author sees one that the moderators of the site or of its group have hidden or that waits for
    /// them, and only followers see one of a limited person. [`StatusReaders`] has the rule about its readers.
    pub fn may_see(&self, status: &StatusRow, author: &User, root: Root) -> bool {
        !status.is_dead
            && (!status.is_hidden_by_moderators || self.is_viewer(status.author))
            && (!status.is_waiting || self.is_viewer(status.author))
            && (!status.is_removed_from_group || self.is_viewer(status.author))
            && self.may_find(author)
            && self.is_within_limit(author)
            && StatusReaders::new(status, author, root).include(self.viewer, |one| self.has(one))
    }

    /// Returns whether the viewer has a relation that readers need.
    fn has(&self, required: RequiredRelation) -> bool {
        match required {
            RequiredRelation::Follow(person) => self.is_follower_of(person),
            RequiredRelation::Membership(readers) => {
                let joined_us = self.memberships.score(readers.group.get());
                joined_us.is_some_and(|joined_us| readers.include(joined_us))
            }
        }
    }

    /// Returns whether the viewer is a member of a group.
    pub fn is_member_of(&self, group: GroupId) -> bool {
        self.memberships.has(group.get())
    }

    /// Returns whether the viewer follows a person. A person about whom [`Store::users_with_relations`] was not asked
    /// is not followed.
    fn is_follower_of(&self, person: UserId) -> bool {
        self.follows(person) == Some(true)
    }

    /// Returns the visibility that a status has with that of its author's account and of its conversation.
    pub fn visibility(&self, status: &StatusRow, author: &User, root: Root) -> Visibility {
        let own = readers_of(status, author).visibility();
        match root {
            Root::Known(readers) => own.min(readers.visibility()),
            Root::Itself | Root::Gone => own,
        }
    }

    /// Returns the author of the conversation if only their followers see it. A reply has the same readers.
    pub fn followed(&self, status: &StatusRow, author: &User, root: Root) -> Option<UserId> {
        let own = readers_of(status, author).followed();
        match root {
            Root::Known(readers) => readers.followed(),
            Root::Itself => own,
            Root::Gone => own.filter(|person| *person != status.author),
        }
    }

    /// Returns whether the viewer may repost a status that they see. Statuses in groups are never reposted. Authors may
    /// quote their own statuses that they may not repost; the quote is not visible to more people.
    pub fn may_repost(&self, status: &StatusRow, author: &User, root: Root) -> bool {
        status.group.is_none() && self.visibility(status, author, root).is_shareable()
    }

    /// Returns whether the viewer may quote a status that they see. Statuses in groups are never quoted.
    pub fn may_quote(&self, status: &StatusRow, author: &User, root: Root) -> bool {
        let is_open = !status.reply_control.is_quoting_closed;
        let is_permitted =
            self.is_viewer(status.author) || is_open && self.may_repost(status, author, root);
        status.group.is_none() && is_permitted
    }

    /// Returns whether the viewer may see the posts of a person, their followers and the people they follow. A
    /// private or limited account shows them to its followers. Each single post has its own readers.
    pub fn may_see_account(&self, person: &User) -> bool {
        let followers = Readers::FollowersOf(person.id);
        let is_open = !person.is_private || is_among(followers, self.viewer, |one| self.has(one));
        is_open && self.is_within_limit(person)
    }

    /// Returns whether the viewer follows a person. `None` if [`Store::users_with_relations`] was not asked.
    pub(super) fn follows(&self, person: UserId) -> Option<bool> {
        self.follows
            .iter()
            .find_map(|some| some.answer(person.get()))
    }

    /// Returns whether the viewer may find a person: neither of them blocks the other, and the account is not hidden.
    /// A person about whom the page did not ask is not found.
    pub fn may_find(&self, person: &User) -> bool {
        self.is_viewer(person.id) || !is_hidden(person) && self.is_connected(person.id)
    }

    /// Returns whether the viewer may block and report a person: one whom the viewer may find or blocks already. So the
    /// same form again gets the same answer, and a block does not prevent a report by the viewer.
    pub fn may_report(&self, person: &User) -> bool {
        self.may_find(person) || !is_hidden(person) && self.blocked.has(person.id.get())
    }

    /// Returns whether the viewer may see what a person writes, as far as the moderators limit that person: then only
    /// followers may, also in groups and in answers to others. Searches for names follow it too.
    /// [`Store::follows_of_limited`] reads the follows.
    pub(super) fn is_within_limit(&self, person: &User) -> bool {
        !person.is_limited || self.is_viewer(person.id) || self.is_follower_of(person.id)
    }

    /// Returns whether no block separates the viewer from a person. A page that has not read the person asks this
    /// first, and [`is_hidden`] after it has.
    pub(super) fn is_connected(&self, person: UserId) -> bool {
        if self.viewer == Viewer::Anonymous || self.is_viewer(person) {
            return true;
        }
        let blocks_viewer = self
            .blockers
            .iter()
            .find_map(|some| some.answer(person.get()));
        blocks_viewer == Some(false) && !self.blocked.has(person.get())
    }

    /// Returns the viewer's mute of a person. The viewer still sees muted people everywhere but on
    /// timelines.
    pub fn mute_of(&self, person: UserId) -> Option<Mute> {
        mutes::mute_of(self.muted.score(person.get())?, self.now)
    }

    /// Returns whether the viewer mutes a person.
    pub fn is_muted(&self, person: UserId) -> bool {
        self.mute_of(person).is_some()
    }

    /// Returns why timelines of the viewer leave out a status: its author is muted, or it contains a muted text.
    /// [`Store::visible_with_muted_texts`] has folded the texts.
    /// Authors never mute their own texts.
    pub fn mute_reason(&self, status: &StatusRow) -> Option<MuteReason> {
        if self.is_muted(status.author) {
            return Some(MuteReason::Author);
        }
        if !self.compares_texts_of(status) {
            return None;
        }
        let text = self.muted_texts.found_in(status.folded_texts(), self.now)?;
        Some(MuteReason::Text(text.as_str().into()))
    }

    /// Makes [`Self::mute_reason`] look for muted texts. Returns whether the viewer mutes any.
    pub(super) fn compare_texts(&mut self) -> bool {
        self.compares_texts = !self.muted_texts.is_empty();
        self.compares_texts
    }

    /// Returns whether the decision about a status needs its folded texts.
    pub(super) fn compares_texts_of(&self, status: &StatusRow) -> bool {
        self.compares_texts && !self.is_viewer(status.author) && !self.is_muted(status.author)
    }

    /// Returns whether the viewer mutes the conversation with this first status.
    pub fn is_conversation_muted(&self, first: StatusId) -> bool {
        self.muted_conversations.has(first.get())
    }

    /// Returns whether the viewer blocks a person.
    pub(super) fn blocks(&self, person: UserId) -> bool {
        self.blocked.has(person.get())
    }

    pub(super) fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// Returns whether the viewer is this person.
    pub fn is_viewer(&self, person: UserId) -> bool {
        self.viewer.id() == Some(person)
    }
}
