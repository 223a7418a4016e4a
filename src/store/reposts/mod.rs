//! Single steps on reposts and quotes: the claim in the person's slot, and the original's side.

pub(super) mod grouping;

use futures_util::try_join;

use super::{Draw, MirrorOutcome, PageInProgress, Rest, StatusMirror, prelude::*, statuses::drawn};
use crate::domain::{BASE_POST_BYTES, IdSet};

script_calls! {
    ClaimRepost = "claim_repost"(
        user, own_reposts, auth, profile, post_bytes;
        deadline_ms: u64, original_id: u64, random_bits: u32, epoch_ms: u64, session_epoch: String,
        base_bytes: u64, quota_bytes: u64, age_ms: u64
    );
    HoldRepost = "hold_repost"(own_reposts; deadline_ms: u64, original_id: u64, repost_id: u64);
    ReleaseRepost = "release_repost"(own_reposts; original_id: u64, repost_id: u64);
}

/// Returns the original's side of a person's repost without a comment, or of a quote.
fn side(original: StatusId, id: StatusId, by: Option<UserId>) -> StatusMirror {
    match by {
        Some(by) => StatusMirror::of_repost(by, original, id),
        None => StatusMirror::of_quote(original, id),
    }
}

/// Returns the original's side, also of a quote that was detached. `None` for a status that is neither repost nor quote.
fn side_of(id: StatusId, status: &StatusHeader) -> Option<StatusMirror> {
    let by = status.repost_of.map(|_| status.author);
    let original = status.original().or(status.detached_from)?;
    Some(side(original.status, id, by))
}

impl Store {
    /// Writes the outbox entry, then claims an id for a repost, in two round trips. The person may have
    /// a claim already. If the outbox entry cannot be written, nothing is claimed.
    pub async fn claim_repost(
        &self,
        call: &Call,
        by: &Actor,
        original: StatusId,
    ) -> Result<(Draw, OutboxEntry)> {
        let quota_bytes = self.post_quota(by.id).await?;
        let outbox_entry = self
            .add_outbox_entry(&Thing::Repost(by.id, original))
            .await?;
        let claim = ClaimRepost {
            user: keys::user(by.id),
            own_reposts: keys::own_reposts(by.id),
            auth: keys::auth(by.id),
            profile: keys::profile(by.id),
            post_bytes: keys::post_bytes(by.id),
            deadline_ms: call.deadline(),
            original_id: original.get(),
            random_bits: rand::random_range(0..1_u32 << StatusId::RANDOM_BITS),
            epoch_ms: StatusId::EPOCH_MS,
            session_epoch: by.epoch().to_owned(),
            base_bytes: BASE_POST_BYTES,
            quota_bytes,
            age_ms: by.age_ms(),
        };
        let reply: Vec<String> = self.connection.write_durably(claim.command()).await?;
        match drawn(ClaimRepost::SCRIPT, &reply) {
            Err(refusal @ (Error::Ended | Error::OverQuota)) => {
                self.remove_outbox_entry(outbox_entry).await?;
                Err(refusal)
            }
            draw => Ok((draw?, outbox_entry)),
        }
    }

    /// Returns the id of a person's repost without a comment.
    pub async fn reposted_as(&self, by: UserId, original: StatusId) -> Result<Option<StatusId>> {
        let score = self.query_score(&claim(by, original)).await?;
        Ok(score.and_then(StatusId::of_score))
    }

    /// Makes a living repost the claimed one. Returns another one that is claimed already.
    pub async fn hold_repost(
        &self,
        call: &Call,
        by: UserId,
        original: StatusId,
        id: StatusId,
    ) -> Result<Option<StatusId>> {
        let hold = HoldRepost {
            own_reposts: keys::own_reposts(by),
            deadline_ms: call.deadline(),
            original_id: original.get(),
            repost_id: id.get(),
        };
        let holder: String = self.connection.query(hold.command()).await?;
        match holder.parse() {
            Ok(holder) => Ok(Some(holder).filter(|holder| *holder != id)),
            Err(_) => Err(HoldRepost::SCRIPT.undocumented(holder)),
        }
    }

    /// Removes a claim with an id that is dead or never existed.
    pub async fn release_repost(&self, by: UserId, original: StatusId, id: StatusId) -> Result<()> {
        let release = ReleaseRepost {
            own_reposts: keys::own_reposts(by),
            original_id: original.get(),
            repost_id: id.get(),
        };
        self.connection.execute(release.command()).await
    }

    /// Writes the original's side of a repost or quote, if the original exists.
    pub async fn mirror_repost(
        &self,
        call: &Call,
        id: StatusId,
        status: &StatusHeader,
    ) -> Result<MirrorOutcome> {
        match side_of(id, status) {
            Some(side) => self.mirror_on_status(call, &side).await,
            None => Ok(MirrorOutcome::Done),
        }
    }

    /// Removes the original's side of a deleted repost or quote, or of a detached quote.
    pub async fn unmirror_repost(&self, id: StatusId, status: &StatusHeader) -> Result<()> {
        match side_of(id, status) {
            Some(side) => self.unmirror_on_status(None, &side).await,
            None => Ok(()),
        }
    }

    /// Removes a wrong repost or quote from the original's side.
    pub async fn forget_repost(
        &self,
        original: StatusId,
        id: StatusId,
        by: Option<UserId>,
    ) -> Result<()> {
        if let Some(by) = by {
            self.release_repost(by, original, id).await?;
        }
        let side = side(original, id, by);
        self.unmirror_on_status(None, &side).await
    }

    pub async fn is_reposted(&self, id: StatusId) -> Result<bool> {
        let exists = redis::cmd("EXISTS").with(keys::reposted_by(id));
        Ok(self.connection.query::<u64>(exists).await? > 0)
    }

    /// Returns the newest `count` reposts without a comment below an id, newest first, with their people.
    pub async fn reposts_before(
        &self,
        original: StatusId,
        before: Option<StatusId>,
        count: usize,
    ) -> Result<Vec<(UserId, StatusId)>> {
        let before = before.map(|id| Cursor::before(id.get()));
        let older = older(keys::reposted_by(original), before, count).with("WITHSCORES");
        reposters(self.connection.query(older).await?)
    }

    /// Returns one page of the people who repost a status without a comment, newest first. A person is on it
    /// if the viewer may see the repost.
    pub(super) async fn reposters_page(
        &self,
        viewer: Viewer,
        of: StatusId,
        before: Option<Cursor>,
    ) -> Result<Page<Person>> {
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let older = older(keys::reposted_by(of), cursor, wanted).with("WITHSCORES");
            let rows = reposters(self.connection.query(older).await?)?;
            let (people, reposts): (Vec<UserId>, Vec<StatusId>) = rows.iter().copied().unzip();
            let (people, visible) =
                try_join!(self.people(viewer, &people), self.visible(viewer, &reposts))?;
            let shown: IdSet<UserId> = visible.iter().map(|repost| repost.author().id).collect();
            let people = people.into_iter();
            let people = people.filter(|person| shown.contains(&person.user.id));
            let place = |(by, id): &(UserId, StatusId)| (by.get(), Cursor::before(id.get()));
            let places: Vec<(u64, Cursor)> = rows.iter().map(place).collect();
            page.add_people(&places, people, Rest::of(places.len(), wanted));
        }
        Ok(page.finish())
    }
}

/// Returns the place of a person's claim: the score is the negated id of the repost.
fn claim(by: UserId, original: StatusId) -> Place {
    Place::new(Key::OwnReposts(by), original)
}

/// Decodes members and the ids that their scores negate.
pub(super) fn reposters(answer: Value) -> Result<Vec<(UserId, StatusId)>> {
    let rows: Vec<(u64, f64)> = read(answer)?;
    let rows = rows.into_iter();
    Ok(rows
        .filter_map(|(member, score)| Some((UserId::new(member).ok()?, StatusId::of_score(score)?)))
        .collect())
}
