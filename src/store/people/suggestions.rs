//! Suggestions of people to follow. The newest and the most followed people are the same for every
//! viewer; the viewer's follows change rarely. Both are cached, and a page reads only what changed.

use std::sync::Arc;

use futures_util::try_join;

use crate::store::{
    Suggestions, ViewerRelation,
    access::{Access, is_hidden},
    follows::presence::Present,
    prelude::*,
};

/// Number of suggested people. Below: number of people examined for them.
const SUGGESTED: usize = 6;
const LOOKED_THROUGH: usize = 40;

/// The first people of `people:newest` or `people:followed`.
#[derive(Debug, PartialEq)]
pub(in crate::store) struct Top(Vec<UserId>);

impl Store {
    /// Returns the newest and the most followed people that the viewer does not follow yet. Three round
    /// trips, none if nothing changed since the viewer's last page. At least as new as this connection's
    /// last round trip.
    pub async fn suggestions(&self, viewer: UserId) -> Result<Suggestions> {
        let tops = self.rows_of::<Top>(&[Key::PeopleFollowed, Key::PeopleNewest]);
        let tops: Vec<Arc<Top>> = tops.await?.into_iter().flatten().collect();
        let [followed, newest] = &tops[..] else {
            return Ok(Suggestions::default());
        };
        let all = [&followed.0[..], &newest.0].concat();
        let (follows, access) = try_join!(
            self.present(Key::Following(viewer), numbers(&all)),
            self.access_to(Viewer::Member(viewer), &all)
        )?;
        let mut chosen = free((viewer, &access), &followed.0, &follows);
        let split = chosen.len();
        chosen.extend(free((viewer, &access), &newest.0, &follows));
        let (users, follow_back) = try_join!(
            self.rows_of::<User>(&chosen),
            self.present(Key::Followers(viewer), numbers(&chosen))
        )?;
        let person = |user: Arc<User>| Person {
            relation: ViewerRelation {
                followed_by: follow_back.has(user.id.get()),
                ..ViewerRelation::default()
            },
            user,
        };
        // Private, limited and hidden accounts are not suggested. No other people take their places, so a list can be
        // shorter.
        let is_open = |user: &Arc<User>| !user.is_for_followers() && !is_hidden(user);
        let people = users
            .into_iter()
            .map(|user| user.filter(is_open).map(person));
        let mut most_followed: Vec<Option<Person>> = people.collect();
        let newest = most_followed.split_off(split);
        Ok(Suggestions {
            newest: newest.into_iter().flatten().collect(),
            most_followed: most_followed.into_iter().flatten().collect(),
        })
    }
}

fn numbers(people: &[UserId]) -> Vec<u64> {
    people.iter().map(|id| id.get()).collect()
}

/// Returns the first of these people that the viewer does not follow. No block separates them.
fn free((viewer, access): (UserId, &Access), people: &[UserId], follows: &Present) -> Vec<UserId> {
    let free = people
        .iter()
        .filter(|id| !follows.has(id.get()) && **id != viewer && access.is_connected(**id));
    free.copied().take(SUGGESTED).collect()
}

impl CachedRow for Top {
    type Question = Key;

    fn key(of: &Key) -> Key {
        of.clone()
    }

    fn command(of: &Key) -> Cmd {
        redis::cmd("ZRANGE").with((of.name(), 0, LOOKED_THROUGH - 1, "REV"))
    }

    fn parse(_: &Key, answer: Value) -> Result<Option<Self>> {
        Ok(Some(Self(user_ids(read::<Vec<u64>>(answer)?))))
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }
}
