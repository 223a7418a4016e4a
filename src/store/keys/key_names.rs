//! Keys by their names: those that a person can have, and how long what is ephemeral lasts.

use crate::{
    domain::{Collection, Timeline, UserId},
    store::{KeyKind, Part, Result, Store, keys, statuses::IDEMPOTENCY_KEY_TTL_S},
};

impl Store {
    /// The keys that a person can have, their lists among them, but for nonces and sessions, whose
    /// names nothing lists.
    pub async fn key_names(&self, of: UserId) -> Result<Vec<String>> {
        let mut names = vec![
            keys::user(of),
            keys::auth(of),
            keys::following(of),
            keys::followers(of),
            keys::profile(of),
            keys::posts(of),
            keys::received_replies(of),
            keys::home(of),
            keys::active(of),
            keys::reading(of),
            keys::arrivals(of),
            keys::notifications(of),
            keys::read_marker(of),
            keys::sessions(of),
            keys::lists(of),
            keys::list_memberships(of),
            keys::excluded(of),
            keys::author_preferences(of),
            keys::followed_tags(of),
            keys::mention_index(of),
            keys::own_reposts(of),
            keys::hidden_reposts(of),
        ];
        names.extend(Collection::ALL.map(|each| keys::collection(of, each)));
        for list in self.lists(of).await? {
            names.push(keys::list_members(list.id));
            names.extend(keys::timeline(Timeline::List(list.id)));
        }
        Ok(names)
    }

    /// The name of a timeline's active mark.
    #[must_use]
    pub fn mark_name(&self, of: Timeline) -> String {
        let [_, mark] = keys::timeline(of);
        mark
    }

    /// How long such an ephemeral key lasts at most, in seconds. `None` of one that is better taken
    /// away: a mark is made anew at the next visit, a limit and a lease when they are needed.
    #[must_use]
    pub fn lifetime_s(&self, kind: &KeyKind) -> Option<u64> {
        match kind {
            KeyKind::Part(_, Part::IdempotencyKey) => Some(IDEMPOTENCY_KEY_TTL_S),
            KeyKind::Part(_, Part::Session | Part::Sessions) => {
                Some(self.config.timeouts.session.as_secs())
            }
            _ => None,
        }
    }
}
