//! Single steps of edits: the new text with its outbox entry, and earlier versions.

use serde::Deserialize;

use super::calls;
use crate::{
    domain::{EditState, Warning, bytes_of_edit},
    store::{Version, prelude::*},
};

outcomes! {
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
    /// a read made after the form was opened. A text that `waits` is shown to its author alone from then on.
    pub async fn edit_status(
        &self,
        call: &Call,
        id: StatusId,
        by: UserId,
        edit: &EditState,
        (after, waits): (&StatusHeader, bool),
    ) -> Result<(Edit, OutboxEntry)> {
        let outbox_entry = self.add_outbox_entry(&Thing::Status(id)).await?;
        let warning = edit.warning.as_ref().map_or("", Warning::as_str);
        let beyond_base_bytes = bytes_of_edit(edit);
        let edit = calls::EditStatus {
            status: keys::status(id),
            versions: keys::versions(id),
            deadline_ms: call.deadline(),
            user_id: by.get(),
            edit_window_ms: EditState::OPEN_MS,
            max_edits: EditState::MAX,
            base_revision: edit.revision,
            new_message: edit.message.as_str().to_owned(),
            new_warning: warning.to_owned(),
            beyond_base_bytes,
            new_readers: after
                .readers
                .field()
                .map_or_else(String::new, |(_, text)| text),
            waits: if waits { "1" } else { "" },
            fields: after.fields_of_text().into(),
        };
        let edited = self.connection.run_durably(&edit).await?;
        Ok((edited, outbox_entry))
    }

    /// Returns the earlier versions of a status, oldest first, for a viewer who may see it. One round
    /// trip, none if it was never edited.
    pub async fn earlier_versions(&self, status: &VisibleStatus) -> Result<Vec<Version>> {
        let Some(last) = status.revision().checked_sub(1) else {
            return Ok(Vec::new());
        };
        let range = redis::cmd("LRANGE").with((keys::versions(status.id()), 0, last));
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
