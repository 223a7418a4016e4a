//! A group that everyone reads, and its members.

use redwing::{
    actions::groups::{self, Join, Leave},
    domain::{Delivery, GroupId, GroupKind, UserId},
    store::{OwnChange, OwnOutcome, Store, Viewer},
};

use super::{
    game::Game,
    steps::{Content, GroupChange},
};
use crate::support::{
    crowd::{member, read_all},
    groups::{draft, found},
};

/// Founds the group. Its owner does nothing else.
pub async fn found_for_all(store: &Store) -> GroupId {
    let owner = member(store, "owner").await;
    found(store, owner, &draft("birds", GroupKind::Public)).await
}

impl Game<'_> {
    pub async fn post_in_group(&mut self, by: UserId, count: usize, content: Content) {
        if self.model.members.contains_key(&by) {
            self.post_to(Some(self.group), by, count, content).await;
        }
    }

    pub async fn change_group(&mut self, who: UserId, change: GroupChange) {
        let (store, group) = (self.store(), self.group);
        let is_member = self.model.members.contains_key(&who);
        match change {
            GroupChange::Join => {
                let joined = groups::join(store, who, group).await;
                assert_eq!(joined.expect("an answer"), Join::Joined);
                self.model.members.entry(who).or_insert(true);
            }
            GroupChange::Leave => {
                let left = groups::leave(store, who, group).await;
                assert_eq!(left.expect("an answer"), Leave::Done);
                self.model.members.remove(&who);
            }
            GroupChange::Home(is_on_home) => {
                let delivery = match is_on_home {
                    true => Delivery::Home,
                    false => Delivery::Page,
                };
                let changed = groups::change(store, who, group, OwnChange::Deliver(delivery)).await;
                let expected = match is_member {
                    true => OwnOutcome::Done,
                    false => OwnOutcome::NotFound,
                };
                assert_eq!(changed.expect("an answer"), expected);
                if is_member {
                    self.model.members.insert(who, is_on_home);
                }
            }
        }
    }

    /// Compares the timeline of the group.
    pub async fn compare_group(&self) {
        let page = async |before| {
            let page = self
                .store()
                .group_page(Viewer::Anonymous, self.group, before);
            page.await.expect("an answer")
        };
        assert_eq!(read_all(page).await, self.model.group_posts(), "the group");
    }
}
