//! The people who may see a status, by its header alone: before it exists, and before a person is notified of it.
//! Pages ask [`Access::may_see`](super::Access::may_see), which also knows the conversation.

use crate::{domain::Notification, store::prelude::*};

type Recipients = Vec<(UserId, Notification)>;

impl Store {
    /// Returns for each person whether they are among the readers of a status. One round trip for a status that only
    /// followers see.
    pub async fn are_readers(&self, status: &StatusHeader, people: &[UserId]) -> Result<Vec<bool>> {
        let Some(followed) = status.readers.followed() else {
            return Ok(vec![true; people.len()]);
        };
        let follows = people
            .iter()
            .map(|person| Relation::Follow(*person, followed));
        let follows = self.have_relations(&follows.collect::<Vec<_>>()).await?;
        // The person replied to sees a reply that its author made visible to followers only.
        let answered = status.reply_to.filter(|_| followed == status.author);
        let answered = answered.map(|parent| parent.author);
        let is_reader = |(person, follows): (&UserId, bool)| {
            follows || *person == followed || Some(*person) == answered
        };
        Ok(people.iter().zip(follows).map(is_reader).collect())
    }

    /// Splits the recipients of notifications about a status into those who may see it and the others. One round
    /// trip for a status that only followers see.
    pub async fn split_by_readers(
        &self,
        status: &StatusHeader,
        recipients: Recipients,
    ) -> Result<(Recipients, Recipients)> {
        let people: Vec<UserId> = recipients.iter().map(|(person, _)| *person).collect();
        let are_readers = self.are_readers(status, &people).await?;
        let (mut readers, mut others) = (Recipients::new(), Recipients::new());
        for (recipient, is_reader) in recipients.into_iter().zip(are_readers) {
            match is_reader {
                true => readers.push(recipient),
                false => others.push(recipient),
            }
        }
        Ok((readers, others))
    }
}
