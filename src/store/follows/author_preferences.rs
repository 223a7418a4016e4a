//! Single steps on author preferences: see more or less of a followed person. They lie in the reader's
//! own slot, so they have no copies.

use std::collections::HashMap;

use crate::{
    domain::{AuthorPreference, UserId},
    store::{
        Actor, Call, Result, Store, Viewer, keys,
        redis::{
            reply::outcomes,
            scripts::{self, With},
        },
    },
};

outcomes! {
    /// Outcome of setting a preference.
    pub enum SetPreference {
        Set = "set",
        NotFollowing = "not_following",
    }
}

impl Store {
    /// Sets the preference for a followed person.
    pub async fn set_preference(
        &self,
        call: &Call,
        actor: &Actor,
        of: UserId,
        weight: AuthorPreference,
    ) -> Result<SetPreference> {
        let set = scripts::SET_PREFERENCE
            .on([
                keys::author_preferences(actor.id),
                keys::following(actor.id),
                keys::user(actor.id),
                keys::auth(actor.id),
            ])
            .with(call.deadline())
            .with(of.get())
            .with(weight.to_string())
            .with(actor.epoch());
        let reply: String = self.connection.keep(set).await?;
        scripts::SET_PREFERENCE.outcome(&reply)
    }

    /// Returns the viewer's preference for a person. One round trip, none for a visitor.
    pub async fn weight(&self, viewer: Viewer, of: UserId) -> Result<AuthorPreference> {
        let Some(viewer) = viewer.id() else {
            return Ok(AuthorPreference::Normal);
        };
        let get = redis::cmd("HGET")
            .with(keys::author_preferences(viewer))
            .with(of.get());
        let held: Option<String> = self.connection.query(get).await?;
        Ok(held.and_then(|text| text.parse().ok()).unwrap_or_default())
    }

    /// Returns all stored preferences of a person, as stored. One round trip.
    pub async fn preference_rows(&self, of: UserId) -> Result<HashMap<String, String>> {
        let all = redis::cmd("HGETALL").with(keys::author_preferences(of));
        self.connection.query(all).await
    }

    /// Removes any stored preference for a person.
    pub async fn drop_preference(&self, of: UserId, member: &str) -> Result<()> {
        let remove = redis::cmd("HDEL")
            .with(keys::author_preferences(of))
            .with(member);
        self.connection.query::<i64>(remove).await.map(drop)
    }
}

/// The weights among the rows of such a HASH.
pub(in crate::store) fn author_preferences(
    rows: HashMap<String, String>,
) -> HashMap<UserId, AuthorPreference> {
    let weight = |(of, weight): (String, String)| Some((of.parse().ok()?, weight.parse().ok()?));
    rows.into_iter().filter_map(weight).collect()
}
