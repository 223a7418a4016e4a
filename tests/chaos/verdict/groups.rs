//! The verdict about groups: they exist, their members are those of the history, and each post is there once.

use std::collections::{BTreeMap, BTreeSet};

use super::{Found, Verdict};
use crate::{
    chaos::{
        groups::{is_founder, path_of},
        history::Action,
        pages::{author_of, shown_on},
    },
    support::Person,
};

/// A group as its pages show it.
#[derive(Default)]
pub(super) struct ShownGroup {
    members: BTreeSet<String>,
    /// Ids and texts, newest first.
    posts: Vec<(u64, String)>,
}

impl Found<'_> {
    /// Reads all groups as one person sees them.
    pub(super) async fn all_groups(&self, reader: &Person) -> BTreeMap<String, ShownGroup> {
        let mut groups = BTreeMap::new();
        let slugs = self.crowd.groups.borrow().clone();
        for slug in slugs {
            let path = path_of(&slug);
            let pages = reader.pages(&path).await;
            let posts = pages.iter().flat_map(shown_on).collect();
            let members = self.people(reader, &format!("{path}/members")).await;
            groups.insert(slug, ShownGroup { members, posts });
        }
        groups
    }

    pub(super) fn posts_in_groups(&self) -> impl Iterator<Item = &(u64, String)> {
        self.groups.values().flat_map(|group| &group.posts)
    }

    pub(super) fn count_of_posts_in_groups(&self, author: &str) -> usize {
        let posts = self.posts_in_groups();
        posts.filter(|(_, text)| author_of(text) == author).count()
    }

    /// Returns the posts in groups that belong on a home: the own ones, and those of groups of the person. Exclusive
    /// lists keep authors off it.
    pub(super) fn group_posts_for(&self, login: &str) -> Vec<u64> {
        let off_home = self.people_off_home(login);
        let mut due = Vec::new();
        for group in self.groups.values() {
            let is_member = group.members.contains(login);
            let posts = group.posts.iter().filter(|(_, text)| {
                let author = author_of(text);
                author == login || is_member && !off_home.contains(author)
            });
            due.extend(posts.map(|(id, _)| *id));
        }
        due
    }

    pub(super) fn judge_groups(&self, verdict: &mut Verdict) {
        for (who, action) in self.crowd.history.borrow().actions() {
            if let Action::FoundGroup(slug) = &action {
                let is_there = self.groups.contains_key(slug);
                verdict.judge(self.crowd, &who, &action, is_there);
            }
        }
        for (slug, group) in &self.groups {
            for login in self.members.keys() {
                let is_member = group.members.contains(login);
                if is_founder(login, slug) {
                    if !is_member {
                        let claim = format!("{login} founded {slug} and is no member");
                        self.crowd.fault(&claim, &[slug]);
                    }
                    continue;
                }
                let state = self.crowd.history.borrow().group_membership(login, slug);
                let claim = format!("{login} is a member of {slug}");
                self.judge_state(state, is_member, &claim, &[slug, login], verdict);
            }
        }
    }
}
