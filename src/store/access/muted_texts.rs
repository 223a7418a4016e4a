//! Words, phrases and tags that a user mutes. Like mutes of people they have no copies: pages apply them when they
//! are read.

use super::mutes::{SetMute, mute_of, term_us};
use crate::{
    domain::{Mute, MuteTerm, MutedText, Patterns},
    store::{SetOutcome, prelude::*, statuses::folded_texts::FoldedTexts},
};

/// The muted texts of a user with the end of each mute (µs), the one that ends last first. Some may have ended.
#[derive(Debug, Default, PartialEq)]
pub struct MutedTexts {
    texts: Vec<(MutedText, u64)>,
    /// Those of the texts, in the same order.
    patterns: Patterns,
}

impl MutedTexts {
    fn new(texts: Vec<(MutedText, u64)>) -> Self {
        let patterns = Patterns::of(texts.iter().map(|(text, _)| text.pattern()));
        Self { texts, patterns }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the end of each mute (µs).
    pub(super) fn ends_us(&self) -> impl Iterator<Item = u64> {
        self.texts.iter().map(|(_, end_us)| *end_us)
    }

    /// Returns the texts that are muted at this time.
    pub(super) fn at(&self, now: UnixMs) -> impl Iterator<Item = (&MutedText, Mute)> {
        let current = self.texts.iter();
        current.filter_map(move |(text, end_us)| Some((text, mute_of(*end_us, now)?)))
    }

    /// Returns the first muted text that message, warning, tags or poll of a status contain.
    pub(super) fn found_in(&self, texts: &FoldedTexts, now: UnixMs) -> Option<&MutedText> {
        let in_message = self.patterns.found_in(&texts.message);
        let found = in_message.chain(self.patterns.found_in(&texts.others));
        let found = found.map(|place| (place, &self.texts[place]));
        let current = found.filter(|(_, (_, end_us))| mute_of(*end_us, now).is_some());
        let first = current.min_by_key(|(place, _)| *place);
        first.map(|(_, (text, _))| text)
    }
}

impl CachedRow for MutedTexts {
    type Question = UserId;

    fn key(of: &UserId) -> Key {
        Key::MutedTexts(*of)
    }

    fn command(of: &UserId) -> Cmd {
        let all = redis::cmd("ZRANGE").with((keys::muted_texts(*of), 0, -1));
        all.with(("REV", "WITHSCORES"))
    }

    /// Caches also that there are none.
    fn parse(_: &UserId, answer: Value) -> Result<Option<Self>> {
        let rows: Vec<(String, f64)> = read(answer)?;
        let valid = rows.into_iter();
        let valid = valid.filter_map(|(text, end_us)| Some((text.parse().ok()?, end_us as u64)));
        Ok(Some(Self::new(valid.collect())))
    }

    fn bytes(&self) -> usize {
        let of_text = |text: &MutedText| size_of::<(MutedText, u64)>() + 2 * text.as_str().len();
        let texts: usize = self.texts.iter().map(|(text, _)| of_text(text)).sum();
        texts + self.patterns.bytes()
    }
}

impl Store {
    /// Mutes a word, phrase or tag, or changes the end of the mute. Without a term, lifts it.
    pub async fn set_muted_text(
        &self,
        call: &Call,
        actor: &Actor,
        text: &MutedText,
        term: Option<MuteTerm>,
    ) -> Result<SetOutcome> {
        let set = SetMute {
            muted: keys::muted_texts(actor.id),
            user: keys::user(actor.id),
            auth: keys::auth(actor.id),
            arrivals: keys::arrivals(actor.id),
            channel: keys::live(actor.id),
            deadline_ms: call.deadline(),
            member: text.as_str().to_owned(),
            limit: MutedText::MAX_COUNT,
            session_epoch: actor.epoch().to_owned(),
            term_us: term.map_or(0, term_us),
            max_bytes: MutedText::MAX_BYTES_OF_ALL,
            removable_us: self.removable_until().await.0 * 1000,
        };
        self.connection.run_durably(&set).await
    }

    /// Returns what the viewer mutes now, the mute that ends last first. One round trip, none if cached.
    pub async fn muted_texts(&self, viewer: Viewer) -> Result<Vec<(MutedText, Mute)>> {
        let access = self.access(viewer).await?;
        let current = access.muted_texts.at(access.now);
        Ok(current.map(|(text, mute)| (text.clone(), mute)).collect())
    }

    /// Returns the viewer's mute of a tag. One round trip, none if cached.
    pub async fn mute_of_tag(&self, viewer: Viewer, tag: &FoldedTag) -> Result<Option<Mute>> {
        let Ok(tag) = MutedText::parse(&format!("#{tag}")) else {
            return Ok(None);
        };
        let access = self.access(viewer).await?;
        let mut current = access.muted_texts.at(access.now);
        Ok(current.find_map(|(text, mute)| text.is_like(&tag).then_some(mute)))
    }
}
