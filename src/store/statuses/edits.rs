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

outcomes! {
    /// Outcome of showing a status to fewer people without a new text.
    pub enum Narrow {
        /// At most these people see it, by this call or an earlier one.
        Done = "edited",
        NotYours = "not_yours",
        TooLate = "too_late",
        Outdated = "outdated",
        /// The edit has another text than the status.
        OtherText = "other_text",
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
        actor: &Actor,
        edit: &EditState,
        (after, waits): (&StatusHeader, bool),
    ) -> Result<(Edit, OutboxEntry)> {
        let outbox_entry = self.add_outbox_entry(&Thing::Status(id)).await?;
        let (new_message, new_warning) = texts(edit);
        let beyond_base_bytes = bytes_of_edit(edit);
        let edit = calls::EditStatus {
            status: keys::status(id),
            versions: keys::versions(id),
            deadline_ms: call.deadline(),
            user_id: actor.id().get(),
            edit_window_ms: EditState::OPEN_MS,
            max_edits: EditState::MAX,
            base_revision: edit.revision,
            new_message,
            new_warning,
            beyond_base_bytes,
            new_readers: readers(after),
            waits: if waits { "1" } else { "" },
            age_ms: actor.age_ms(),
            fields: after.fields_of_text().into(),
        };
        let edited = self.connection.run_durably(&edit).await?;
        Ok((edited, outbox_entry))
    }

    /// Writes the outbox entry, then shows the status to fewer people, if the edit has its text. Two round trips.
    /// It works with full memory. `after` is the header that the status has after the edit.
    pub async fn narrow_status(
        &self,
        call: &Call,
        id: StatusId,
        by: UserId,
        edit: &EditState,
        after: &StatusHeader,
    ) -> Result<(Narrow, OutboxEntry)> {
        let outbox_entry = self.add_outbox_entry(&Thing::Status(id)).await?;
        let (message, warning) = texts(edit);
        let narrow = calls::NarrowStatus {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            user_id: by.get(),
            edit_window_ms: EditState::OPEN_MS,
            base_revision: edit.revision,
            message,
            warning,
            new_readers: readers(after),
            fields: after.fields_of_text().into(),
        };
        let narrowed = self.connection.run_durably(&narrow).await?;
        Ok((narrowed, outbox_entry))
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

/// Returns the message and the warning, '' for none.
fn texts(edit: &EditState) -> (String, String) {
    let warning = edit.warning.as_ref().map_or("", Warning::as_str);
    (edit.message.as_str().to_owned(), warning.to_owned())
}

/// Returns the stored text for the readers of a status, '' for everyone.
fn readers(status: &StatusHeader) -> String {
    let field = status.readers.field();
    field.map_or_else(String::new, |(_, text)| text)
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
