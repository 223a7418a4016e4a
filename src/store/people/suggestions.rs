//! Whom to follow. The newest and the most followed are the same for everybody, and whom of them a
//! viewer follows changes when they follow: so both are kept, and a page asks for what has changed.

use std::sync::Arc;

use futures_util::try_join;
use redis::{Cmd, Value};

use crate::{
    domain::UserId,
    store::{
        Person, Relation, Result, Store, Suggestions, User,
        cache::{Held, Name, Row, Shared},
        follows::presence::Present,
        redis::{connection::read, scripts::With},
        timelines::profiles::user_ids,
    },
};

/// How many people are suggested, and how many are looked through for them.
const SUGGESTED: usize = 6;
const LOOKED_THROUGH: usize = 40;

/// The first of `people:newest` or of `people:followed`.
#[derive(Debug)]
pub(in crate::store) struct Top(Vec<UserId>);

impl Store {
    /// Whom the viewer could follow: of the newest and of the most followed people those that the
    /// viewer does not follow yet. Three trips, and none where nothing has changed since their last
    /// page. As it was at this connection's last trip, or later.
    pub async fn suggestions(&self, viewer: UserId) -> Result<Suggestions> {
        let tops = self.rows_of::<Top>(&[Name::MostFollowed, Name::Newest]);
        let tops: Vec<Arc<Top>> = tops.await?.into_iter().flatten().collect();
        let [followed, newest] = &tops[..] else {
            return Ok(Suggestions::default());
        };
        let all = [&followed.0[..], &newest.0].concat();
        let follows = self.present(Name::Following(viewer), numbers(&all)).await?;
        let mut chosen = free(viewer, &followed.0, &follows);
        let split = chosen.len();
        chosen.extend(free(viewer, &newest.0, &follows));
        let (users, follow_back) = try_join!(
            self.rows_of::<User>(&chosen),
            self.present(Name::Followers(viewer), numbers(&chosen))
        )?;
        let person = |user: Arc<User>| Person {
            relation: Relation {
                followed_by: follow_back.has(user.id.get()),
                ..Relation::default()
            },
            user,
        };
        let people = users.into_iter().map(|user| user.map(person));
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

/// The first of these whom the viewer does not follow.
fn free(viewer: UserId, people: &[UserId], follows: &Present) -> Vec<UserId> {
    let free = people
        .iter()
        .filter(|id| !follows.has(id.get()) && **id != viewer);
    free.copied().take(SUGGESTED).collect()
}

impl Row for Top {
    type Question = Name;

    fn name(of: &Name) -> Name {
        *of
    }

    fn command(of: &Name) -> Cmd {
        redis::cmd("ZRANGE")
            .with(of.key())
            .with(0)
            .with(LOOKED_THROUGH - 1)
            .with("REV")
    }

    fn parse(_: &Name, answer: Value) -> Result<Option<Self>> {
        Ok(Some(Self(user_ids(read::<Vec<u64>>(answer)?))))
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }

    fn hold(self, _: &Shared, _: Name) -> (Arc<Self>, Held) {
        let row = Arc::new(self);
        (Arc::clone(&row), Held::Top(row))
    }

    fn find(held: &Held, _: &Shared, _: &Name) -> Option<Arc<Self>> {
        match held {
            Held::Top(top) => Some(Arc::clone(top)),
            _ => None,
        }
    }
}
