//! The model: the readers of each status, by the rules of docs/access.md.

use std::collections::{BTreeMap, BTreeSet};

use redwing::{
    domain::{Repliers, StatusId, UserId, Visibility},
    store::Viewer,
};

#[derive(Debug, Clone)]
pub struct Status {
    pub author: UserId,
    pub visibility: Visibility,
    pub tagged: bool,
    pub parent: Option<StatusId>,
    pub is_alive: bool,
    /// The person with the followers who see it, as of the moment when only followers saw it.
    pub followed: UserId,
    pub repliers: Repliers,
    /// The person whose login is in the text.
    pub named: Option<UserId>,
    pub mentioned: Option<UserId>,
    pub is_hidden: bool,
}

#[derive(Default)]
pub struct Model {
    pub statuses: BTreeMap<StatusId, Status>,
    pub follows: BTreeSet<(UserId, UserId)>,
    pub requests: BTreeSet<(UserId, UserId)>,
    pub private: BTreeSet<UserId>,
    pub suspended: BTreeSet<UserId>,
    pub blocks: BTreeSet<(UserId, UserId)>,
    pub mutes: BTreeSet<(UserId, UserId)>,
    pub tag_followers: BTreeSet<UserId>,
    pub tag_muters: BTreeSet<UserId>,
}

impl Model {
    pub fn are_apart(&self, one: UserId, other: UserId) -> bool {
        self.blocks.contains(&(one, other)) || self.blocks.contains(&(other, one))
    }

    pub fn root(&self, id: StatusId) -> &Status {
        let mut status = &self.statuses[&id];
        while let Some(parent) = status.parent {
            status = &self.statuses[&parent];
        }
        status
    }

    /// Returns the visibility of a status with the account of its author, and the person with these followers.
    pub fn readers(&self, status: &Status) -> (Visibility, UserId) {
        match status.visibility {
            Visibility::Followers => (Visibility::Followers, status.followed),
            _ if self.private.contains(&status.author) => (Visibility::Followers, status.author),
            visibility => (visibility, status.author),
        }
    }

    pub fn may_see(&self, viewer: Viewer, id: StatusId) -> bool {
        let status = &self.statuses[&id];
        if self.suspended.contains(&status.author) && viewer.id() != Some(status.author) {
            return false;
        }
        let Some(me) = viewer.id() else {
            let all = [status, self.root(id)].map(|one| self.readers(one).0);
            return status.is_alive && all == [Visibility::Public; 2];
        };
        if !status.is_alive || self.are_apart(me, status.author) {
            return false;
        }
        let root = self.root(id);
        let follows = |person| me == person || self.follows.contains(&(me, person));
        let (of_root, followed_root) = self.readers(root);
        let (of_status, followed) = self.readers(status);
        let is_in_conversation = of_root != Visibility::Followers || follows(followed_root);
        let is_answered = status
            .parent
            .is_some_and(|parent| self.statuses[&parent].author == me);
        let is_reader = of_status != Visibility::Followers || follows(followed) || is_answered;
        me == status.author || is_in_conversation && is_reader
    }

    /// Mentions the person in the text if they may see the status at this moment: when it is posted or edited.
    pub fn mention(&mut self, id: StatusId) {
        let status = &self.statuses[&id];
        let named = status.named.filter(|named| *named != status.author);
        let mentioned = named.filter(|named| self.may_see(Viewer::Member(*named), id));
        let status = self.statuses.get_mut(&id).expect("it is there");
        status.mentioned = mentioned;
    }

    /// Returns whether a person may reply to a status that they see: it and the first one of its conversation let them.
    pub fn may_reply(&self, me: UserId, id: StatusId) -> bool {
        let lets = |status: &Status| {
            let follows = |one, other| self.follows.contains(&(one, other));
            me == status.author
                || match status.repliers {
                    Repliers::Everyone => true,
                    Repliers::Followers => follows(me, status.author),
                    Repliers::Followed => follows(status.author, me),
                    Repliers::Mentioned => {
                        status.mentioned == Some(me) && !self.are_apart(me, status.author)
                    }
                    Repliers::NoOne => false,
                }
        };
        lets(&self.statuses[&id]) && lets(self.root(id))
    }

    /// Returns whether a home has the status, if its owner may see it.
    pub fn comes_home(&self, me: UserId, id: StatusId) -> bool {
        let status = &self.statuses[&id];
        let follows = |person: UserId| self.follows.contains(&(me, person));
        let parent = status.parent.map(|parent| self.statuses[&parent].author);
        let is_source = |person| person == me || person == status.author || follows(person);
        let for_followers = status.visibility == Visibility::Followers;
        let is_reached = !for_followers
            || [Some(me), Some(status.author), parent].contains(&Some(status.followed));
        let by_author = follows(status.author) && parent.is_none_or(is_source) && is_reached;
        let by_tag = self.tag_followers.contains(&me) && status.tagged && !for_followers;
        status.author == me || by_author || by_tag
    }
}
