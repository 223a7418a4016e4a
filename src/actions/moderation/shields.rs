//! The reports by the site itself: copies of one text, mass mentions, bursts of sign-ups. They come after the fact, so no
//! author and no page waits for them. An open or closed report is not repeated.

use std::net::IpAddr;

use futures_util::try_join;

use super::with_case;
use crate::{
    actions::prelude::*,
    domain::{Report, ReportName, ReportReason, ReportSubject, Reporter, copy_digest},
    store::ReportedText,
};

/// New accounts that post one text in an hour before the site reports them.
const COPIES: usize = 3;
/// People that an account mentions in an hour before the site reports it.
const MENTIONED: usize = 20;
/// Accounts that are made from one network in an hour before the site reports them.
const SIGN_UPS: usize = 10;
/// Age up to which a post is examined, in ms. A post is indexed again after an edit and by repairs.
const EXAMINED_MS: u64 = 3_600_000;

/// Examines a new post, in the task that indexes it. Only what everybody could see is reported, because the moderators
/// read a reported text.
pub async fn examine_post(store: &Store, id: StatusId) -> Result<()> {
    if !store.site().await?.shields.reports_spam {
        return Ok(());
    }
    let (life, now) = try_join!(store.life(id), store.now())?;
    let Life::Living(header) = life else {
        return Ok(());
    };
    let is_new = now.0.saturating_sub(id.drawn_us() / 1000) < EXAMINED_MS;
    if !is_new || header.repost_of.is_some() || !header.readers.visibility().is_shareable() {
        return Ok(());
    }
    report_mass_mentions(store, &header).await?;
    report_copies(store, id, &header).await
}

async fn report_mass_mentions(store: &Store, header: &StatusHeader) -> Result<()> {
    let (author, answered) = (header.author, header.reply_to.map(|post| post.author));
    let mentioned = header.mentioned.iter().copied();
    let mentioned: Vec<UserId> = mentioned.filter(|id| Some(*id) != answered).collect();
    if mentioned.is_empty() || store.role(author).await?.is_some() {
        return Ok(());
    }
    let count = store.note_mentioned(author, &mentioned).await?;
    if count <= MENTIONED {
        return Ok(());
    }
    let note = format!("The account mentioned more than {MENTIONED} people within an hour.");
    let subjects = [(author, ReportSubject::Person)];
    report_each(store, &subjects, (ReportReason::MassMentions, &note)).await
}

/// Reports the posts with this text, if several new accounts have posted it. Members who are not new often repeat a text.
async fn report_copies(store: &Store, id: StatusId, header: &StatusHeader) -> Result<()> {
    let author = header.author;
    let (user, now) = try_join!(store.user(author), store.now())?;
    let days = store.config().limits.new_account_days;
    if user.is_none_or(|user| user.newcomer_until(days, now).is_none()) {
        return Ok(());
    }
    let post = store.status(Viewer::Member(author), id).await?;
    let Some(digest) = post.and_then(|post| copy_digest(post.message())) else {
        return Ok(());
    };
    let mut copies = store.note_copy(&digest, author, id).await?;
    copies.push((author, id));
    copies.sort_unstable();
    copies.dedup_by_key(|copy| copy.0);
    if copies.len() < COPIES {
        return Ok(());
    }
    let note = format!("At least {COPIES} new accounts posted this text within an hour.");
    let subjects: Vec<_> = copies
        .into_iter()
        .map(|(author, post)| (author, ReportSubject::Post(post)))
        .collect();
    report_each(store, &subjects, (ReportReason::CopiedText, &note)).await
}

/// Examines a sign-up without an invitation.
pub async fn examine_sign_up(store: &Store, from: IpAddr, person: UserId) -> Result<()> {
    if !store.site().await?.shields.reports_spam {
        return Ok(());
    }
    let people = store.note_sign_up(from, person).await?;
    if people.len() < SIGN_UPS {
        return Ok(());
    }
    let note = format!("At least {SIGN_UPS} accounts were made from one network within an hour.");
    let subjects: Vec<_> = people
        .into_iter()
        .map(|person| (person, ReportSubject::Person))
        .collect();
    report_each(store, &subjects, (ReportReason::SignUpBurst, &note)).await
}

/// Reports those of these things that a shield has not reported yet.
async fn report_each(
    store: &Store,
    subjects: &[(UserId, ReportSubject)],
    (reason, note): (ReportReason, &str),
) -> Result<()> {
    let name = |subject: &ReportSubject| ReportName {
        reporter: Reporter::Shield,
        subject: *subject,
    };
    let reports = subjects
        .iter()
        .map(|(person, subject)| (*person, name(subject)));
    let reports: Vec<(UserId, ReportName)> = reports.collect();
    let are_reported = store.are_reported(&reports).await?;
    let new = reports.into_iter().zip(are_reported);
    for ((person, name), _) in new.filter(|(_, is_reported)| !is_reported) {
        let Some((revision, text)) = text_of(store, person, name.subject).await? else {
            continue;
        };
        let report = Report {
            reason: reason.clone(),
            note: note.to_owned(),
            revision,
        };
        let call = &store.begin().await?;
        let write = store.add_report(call, (person, name), &report, text);
        with_case(store, call, person, write).await?;
    }
    Ok(())
}

/// Returns the revision and the text of a post, as its author sees it. `None` if it is gone.
async fn text_of(
    store: &Store,
    author: UserId,
    subject: ReportSubject,
) -> Result<Option<(u64, Option<ReportedText>)>> {
    let ReportSubject::Post(id) = subject else {
        return Ok(Some((0, None)));
    };
    let Some(post) = store.status(Viewer::Member(author), id).await? else {
        return Ok(None);
    };
    let text = store.text_to_report(&post).await?;
    Ok(Some((post.revision(), Some(text))))
}
