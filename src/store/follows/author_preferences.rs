//! Single steps on author preferences: see more or less of a followed person. They lie in the reader's
//! own slot, so they have no copies.

use std::collections::HashMap;

use crate::{domain::AuthorPreference, store::prelude::*};

script_calls! {
    SetPreference = "set_preference"(
        author_preferences, following, user, auth;
        deadline_ms: u64, author_id: u64, preference: String, session_epoch: String
    );
}

outcomes! {
    pub enum PreferenceOutcome {
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
        preference: AuthorPreference,
    ) -> Result<PreferenceOutcome> {
        let set = SetPreference {
            author_preferences: keys::author_preferences(actor.id),
            following: keys::following(actor.id),
            user: keys::user(actor.id),
            auth: keys::auth(actor.id),
            deadline_ms: call.deadline(),
            author_id: of.get(),
            preference: preference.to_string(),
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&set).await
    }

    /// Returns the viewer's preference for a person. One round trip, none for a visitor.
    pub async fn preference(&self, viewer: Viewer, of: UserId) -> Result<AuthorPreference> {
        let Some(viewer) = viewer.id() else {
            return Ok(AuthorPreference::Normal);
        };
        let get = redis::cmd("HGET").with((keys::author_preferences(viewer), of.get()));
        let stored: Option<String> = self.connection.query(get).await?;
        let preference = stored.and_then(|text| text.parse().ok());
        Ok(preference.unwrap_or_default())
    }

    /// Returns all stored preferences of a person, as stored. One round trip.
    pub async fn preference_rows(&self, of: UserId) -> Result<HashMap<String, String>> {
        let all = redis::cmd("HGETALL").with(keys::author_preferences(of));
        self.connection.query(all).await
    }

    pub async fn drop_preference(&self, of: UserId, member: &str) -> Result<()> {
        let remove = redis::cmd("HDEL").with((keys::author_preferences(of), member));
        self.connection.query::<i64>(remove).await.map(drop)
    }
}

/// Returns the author preferences in the rows of such a HASH.
pub fn author_preferences(rows: HashMap<String, String>) -> HashMap<UserId, AuthorPreference> {
    let weight = |(of, weight): (String, String)| Some((of.parse().ok()?, weight.parse().ok()?));
    rows.into_iter().filter_map(weight).collect()
}
