//! Single steps of edits: the new text with its outbox entry, and earlier versions.

use serde::Deserialize;

use crate::{
    domain::{EditState, StatusHeader, StatusId, Thing, UserId, Warning},
    store::{
        Call, Error, OutboxEntry, Result, Store, UnixMs, Version, VisibleStatus, keys,
        redis::{
            reply::outcomes,
            scripts::{self, With},
        },
    },
};

outcomes! {
    /// Outcome of an edit.
    pub enum Edit {
        /// The status has this text, by this call or an earlier one.
        Done = "edited",
        /// It does not exist, belongs to another author, or has no text of its own.
        NotYours = "not_yours",
        TooLate = "too_late",
        TooOften = "too_often",
        /// It was changed after the author opened the form.
        Outdated = "outdated",
    }
}

/// An earlier version, as `edit_status.lua` stores it.
#[derive(Deserialize)]
struct Earlier {
    message: String,
    warning: String,
    since: String,
}

impl Store {
    /// Writes the outbox entry, then edits, in two round trips. If the outbox entry cannot be written,
    /// the status is unchanged. `after` is the header that the status has after the edit, computed from
    /// a read made after the form was opened.
    pub async fn edit_status(
        &self,
        call: &Call,
        id: StatusId,
        by: UserId,
        correction: &EditState,
        after: &StatusHeader,
    ) -> Result<(Edit, OutboxEntry)> {
        let outbox_entry = self.add_outbox_entry(&Thing::Status(id)).await?;
        let warning = correction.warning.as_ref().map_or("", Warning::as_str);
        let edit = scripts::EDIT_STATUS
            .on([keys::status(id), keys::versions(id)])
            .with(call.deadline())
            .with(by.get())
            .with(EditState::OPEN_MS)
            .with(EditState::MAX)
            .with(correction.revision)
            .with(correction.message.as_str())
            .with(warning)
            .with(&after.fields_of_text());
        let reply: String = self.connection.keep(edit).await?;
        let edited = scripts::EDIT_STATUS.outcome(&reply)?;
        Ok((edited, outbox_entry))
    }

    /// Returns the earlier versions of a status, oldest first, for a viewer who may see it. One round
    /// trip, none if it was never edited.
    pub async fn earlier_versions(&self, status: &VisibleStatus) -> Result<Vec<Version>> {
        let Some(last) = status.revision().checked_sub(1) else {
            return Ok(Vec::new());
        };
        let range = redis::cmd("LRANGE")
            .with(keys::versions(status.id()))
            .with(0)
            .with(last);
        let texts: Vec<String> = self.connection.query(range).await?;
        texts.iter().map(|text| version(text)).collect()
    }
}

fn version(text: &str) -> Result<Version> {
    let unexpected = || Error::Unexpected {
        what: "an earlier version",
        answer: text.to_owned(),
    };
    let Earlier {
        message,
        warning,
        since,
    } = serde_json::from_str(text).map_err(|_| unexpected())?;
    Ok(Version {
        message,
        warning: Some(warning).filter(|warning| !warning.is_empty()),
        since: since.parse().map(UnixMs).map_err(|_| unexpected())?,
    })
}
