//! The state of an export: how far its task has come. The files are in the directory of exports.

use crate::{
    domain::{ChatId, Collection, Export, ExportStage, ExportToken},
    store::prelude::*,
};

script_calls! {
    AdvanceExport = "advance_export"(
        export;
        token: String, step: u32, stage: &'static str, before: String, done: u64, bytes: String, chats: String,
        has_new_chats: u8, ttl_s: u64
    );
    BeginExport = "begin_export"(
        export, auth;
        deadline_ms: u64, token: String, total: u64, stale_ms: u64, ttl_s: u64, session_epoch: String
    );
}

outcomes! {
    pub enum BeginExportOutcome {
        Begun = "begun",
        /// Another export of the person is not finished.
        UnderWay = "under_way",
        Unknown = "unknown_user",
    }
}

outcomes! {
    pub enum AdvanceOutcome {
        Advanced = "advanced",
        /// Another export has begun, or the account is gone.
        Outdated = "outdated",
    }
}

/// Lifetime of the state: that of the archive.
const TTL_S: u64 = Export::KEPT_MS / 1000;

impl Store {
    /// Returns the export of a person, if there is one.
    pub async fn export(&self, of: UserId) -> Result<Option<Export>> {
        let fields = [
            "token",
            "stage",
            "step",
            "before",
            "done",
            "total",
            "bytes",
            "begun",
            "at",
            "chats",
            "has_new_chats",
        ];
        let read = redis::cmd("HMGET").with((keys::export(of), &fields[..]));
        let texts: [Option<String>; 11] = self.connection.query(read).await?;
        Ok(parse(texts))
    }

    /// Returns the number of statuses that an export of a person reads. One round trip.
    pub async fn export_total(&self, of: UserId) -> Result<u64> {
        let keys = [
            keys::profile(of),
            keys::collection(of, Collection::Favourites),
            keys::collection(of, Collection::Bookmarks),
        ];
        let sizes = keys.iter().map(|key| redis::cmd("ZCARD").with(key));
        let sizes: Vec<u64> = self.connection.query_each(sizes).await?;
        Ok(sizes.iter().sum())
    }

    /// Begins an export.
    pub async fn begin_export(
        &self,
        call: &Call,
        actor: &Actor,
        token: &ExportToken,
        total: u64,
    ) -> Result<BeginExportOutcome> {
        let begin = BeginExport {
            export: keys::export(actor.id()),
            auth: keys::auth(actor.id()),
            deadline_ms: call.deadline(),
            token: token.to_string(),
            total,
            stale_ms: Export::STALE_MS,
            ttl_s: TTL_S,
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run(&begin).await
    }

    /// Notes that the next pass of an export is made. `export` has the state after it.
    pub async fn advance_export(&self, of: UserId, export: &Export) -> Result<AdvanceOutcome> {
        let advance = AdvanceExport {
            export: keys::export(of),
            token: export.token.to_string(),
            step: export.step,
            stage: export.stage.as_str(),
            before: match (export.before, export.before_message) {
                (Some(cursor), _) => cursor.get().to_string(),
                (None, Some(position)) => position.to_string(),
                (None, None) => String::new(),
            },
            done: export.done,
            bytes: export.bytes.to_string(),
            chats: stored_chats(&export.chats),
            has_new_chats: export.has_new_chats.into(),
            ttl_s: TTL_S,
        };
        self.connection.run(&advance).await
    }
}

fn stored_chats(chats: &[ChatId]) -> String {
    let ids: Vec<String> = chats.iter().map(ChatId::to_string).collect();
    ids.join(" ")
}

fn parse(texts: [Option<String>; 11]) -> Option<Export> {
    let [
        token,
        stage,
        step,
        before,
        done,
        total,
        bytes,
        begun,
        at,
        chats,
        has_new_chats,
    ] = texts;
    let chats = chats.unwrap_or_default();
    let chats = chats.split_whitespace();
    let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
    Some(Export {
        token: token?.parse().ok()?,
        stage: ExportStage::stored(&stage?)?,
        step: step?.parse().ok()?,
        before_message: before.as_deref().and_then(|text| text.parse().ok()),
        before: before
            .and_then(|text| text.parse().ok())
            .map(Cursor::before),
        done: number(done),
        total: number(total),
        bytes: number(bytes),
        begun: UnixMs(number(begun)),
        at: UnixMs(number(at)),
        chats: chats.filter_map(|id| id.parse().ok()).collect(),
        has_new_chats: has_new_chats.as_deref() == Some("1"),
    })
}
