//! Idempotency keys of forms: what a key became, and the key of a form that was sent before.

use crate::{
    domain::{Draft, IdempotencyKey},
    store::{Life, prelude::*},
};

/// The status that the idempotency key of a draft became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlierPost {
    Posted(StatusId),
    /// It was edited or deleted since.
    Changed(StatusId),
}

impl Store {
    /// Returns the status that the idempotency key of a draft became. `None` if it became none yet, or if the key
    /// belongs to something else.
    pub async fn posted_by(
        &self,
        author: UserId,
        draft: &Draft,
        idempotency_key: &IdempotencyKey,
    ) -> Result<Option<EarlierPost>> {
        let bound = redis::cmd("GET").with(keys::idempotency_key(author, idempotency_key));
        let bound: Option<String> = self.connection.query(bound).await?;
        let drawn = bound.as_deref().and_then(|bound| {
            let (id, digest) = bound.split_once(':')?;
            (digest == draft.digest()).then(|| id.parse().ok())?
        });
        let (Some(id), Some(bound)) = (drawn, bound) else {
            return Ok(None);
        };
        let is_changed = self.changed_since(author, &bound).await?;
        Ok(match self.life(id).await? {
            Life::Absent => None,
            Life::Living(_) if !is_changed => Some(EarlierPost::Posted(id)),
            Life::Living(_) | Life::Dead(_) => Some(EarlierPost::Changed(id)),
        })
    }

    /// Returns the idempotency key of a form that was sent with this content, by the key of the content.
    /// A form that was sent before keeps its key, unless the status or list that it became was changed or
    /// deleted since. The form of a message always keeps it, and the message is refused if it was changed.
    /// One round trip if it was not sent before.
    pub async fn form_key(
        &self,
        author: UserId,
        content: &IdempotencyKey,
        sent: IdempotencyKey,
    ) -> Result<IdempotencyKey> {
        let place = keys::idempotency_key(author, content);
        let claim = |mode: &[&str]| {
            let value = (sent.as_str(), "EX", keys::IDEMPOTENCY_KEY_TTL_S);
            redis::cmd("SET").with((&place, value, mode))
        };
        let first: Option<String> = self.connection.query(claim(&["NX", "GET"])).await?;
        let first = first.and_then(|first| IdempotencyKey::parse(&first));
        let Some(first) = first.filter(|first| *first != sent) else {
            return Ok(sent);
        };
        let bound = redis::cmd("GET").with(keys::idempotency_key(author, &first));
        let bound: Option<String> = self.connection.query(bound).await?;
        if let Some(bound) = bound
            && self.changed_since(author, &bound).await?
        {
            self.connection.execute(claim(&[])).await?;
            return Ok(sent);
        }
        Ok(first)
    }

    /// Returns whether the status or list that an idempotency key is bound to was changed or deleted since.
    async fn changed_since(&self, author: UserId, bound: &str) -> Result<bool> {
        if let Some(list) = bound.strip_prefix("list:") {
            return self.list_changed_since(author, list).await;
        }
        let Some(Ok(status)) = bound.split(':').next().map(str::parse::<StatusId>) else {
            return Ok(false);
        };
        let read = redis::cmd("HMGET").with((keys::status(status), &["deleted", "edited"]));
        let fields: Vec<Option<String>> = self.connection.query(read).await?;
        Ok(fields.iter().any(Option::is_some))
    }
}
