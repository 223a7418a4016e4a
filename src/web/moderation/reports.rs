//! Reporting a post, a message, a person or a group, and the member's own reports.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    report_view::{OwnReportsPage, ReportForm, ReportPage, ReportableGroup, Subject, TypedReport},
    rules, seen_messages,
};
use crate::{
    actions::moderation::{ReportResult, Reported, report},
    domain::{ChatId, MessageId, ReportNote, ReportReason},
    store::{MAX_OPEN_REPORTS_OF_ONE, ReportableMessage, SeenGroup},
    web::{
        addresses::{Chatted, GroupAddress, OfGroup, OfMessage},
        prelude::*,
    },
};

#[derive(Deserialize)]
pub struct Fields {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    note: String,
    /// The messages that the form showed, signed.
    #[serde(default)]
    seen: String,
    /// The other fields: one for each further message that is sent with a report of a message.
    #[serde(flatten)]
    others: BTreeMap<String, String>,
}

impl Fields {
    /// Returns the messages that the reporter chose.
    fn chosen(&self) -> BTreeSet<MessageId> {
        let numbers = self.others.keys();
        let numbers = numbers.filter_map(|name| name.strip_prefix(TypedReport::MESSAGE));
        numbers.filter_map(|number| number.parse().ok()).collect()
    }

    fn parse(&self, rules: &[String]) -> Option<(ReportReason, ReportNote)> {
        let reason = ReportReason::chosen(&self.reason, rules)?;
        Some((reason, ReportNote::parse(&self.note).ok()?))
    }

    fn typed(&self) -> TypedReport {
        TypedReport {
            reason: self.reason.clone(),
            note: self.note.clone(),
            chosen: self.chosen(),
            seen: self.seen.clone(),
            is_sent: true,
        }
    }
}

/// Returns the post if the member may see it and can report it.
async fn reportable(app: &AppState, me: &CurrentUser, id: StatusId) -> Result<VisibleStatus> {
    let status = app.store.status(Viewer::Member(me.id), id).await?;
    let status = status.filter(|status| !status.is_repost());
    let status = status.ok_or(Error::NotFound)?;
    match status.is_own() {
        true => Err(oneself()),
        false => Ok(status),
    }
}

/// Returns the message if the member can read the conversation and can report it. If a form is given, its messages
/// replace the current ones.
async fn reportable_message(
    app: &AppState,
    me: &CurrentUser,
    (chat, id): (ChatId, MessageId),
    form: Option<&Fields>,
) -> Result<ReportableMessage> {
    let seen = form.map_or_else(Vec::new, |fields| {
        seen_messages::verified(me, (chat, id), &fields.seen)
    });
    let store = &app.store;
    let message = store.message_to_report(me.id, (chat, id), seen).await?;
    message.ok_or(Error::NotFound)
}

/// Returns the group if the member can report it.
async fn reportable_group(
    app: &AppState,
    me: &CurrentUser,
    seen: SeenGroup,
) -> Result<ReportableGroup> {
    let owner = seen.group.owner.ok_or(Error::NotFound)?;
    if owner == me.id {
        let reason = "You own this group. You can delete it in its settings.";
        return Err(Error::Refused(reason.to_owned()));
    }
    let found = app.store.people(Viewer::Member(me.id), &[owner]).await?;
    Ok(ReportableGroup {
        seen,
        owner,
        found_owner: found.into_iter().next().map(|person| person.user),
    })
}

fn oneself() -> Error {
    Error::Refused("You cannot report yourself.".to_owned())
}

pub async fn ask_about_post(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let status = reportable(&app, &me, id).await?;
    let visit = me.visitor.visit();
    let typed = TypedReport::default();
    page(&ReportPage::new(&visit, Subject::Post(&status), &typed))
}

pub async fn ask_about_message(
    app: Data<AppState>,
    me: CurrentUser,
    Chatted(chat): Chatted,
    OfMessage(id): OfMessage,
) -> Result<HttpResponse> {
    let message = reportable_message(&app, &me, (chat, id), None).await?;
    let visit = me.visitor.visit();
    let typed = TypedReport {
        seen: seen_messages::sign(&me, &message),
        ..TypedReport::default()
    };
    page(&ReportPage::new(&visit, Subject::Message(&message), &typed))
}

pub async fn ask_about_person(me: CurrentUser, Named(user): Named) -> Result<HttpResponse> {
    if user.id == me.id {
        return Err(oneself());
    }
    let visit = me.visitor.visit();
    let typed = TypedReport::default();
    page(&ReportPage::new(&visit, Subject::Person(&user), &typed))
}

pub async fn ask_about_group(
    app: Data<AppState>,
    me: CurrentUser,
    OfGroup(seen): OfGroup,
) -> Result<HttpResponse> {
    let group = reportable_group(&app, &me, seen).await?;
    let visit = me.visitor.visit();
    let typed = TypedReport::default();
    page(&ReportPage::new(&visit, Subject::Group(&group), &typed))
}

pub async fn report_post(
    app: Data<AppState>,
    form: MemberForm<Fields>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        let status = reportable(&app, me, id).await?;
        send(&app, me, fields, Subject::Post(&status)).await
    };
    let action = routes::report_post(id);
    form.answer(act, give_back(action)).await
}

pub async fn report_message(
    app: Data<AppState>,
    form: MemberForm<Fields>,
    Chatted(chat): Chatted,
    OfMessage(id): OfMessage,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        let message = reportable_message(&app, me, (chat, id), Some(fields)).await?;
        send(&app, me, fields, Subject::Message(&message)).await
    };
    let action = routes::report_message(chat, id);
    form.answer(act, give_back(action)).await
}

pub async fn report_person(
    app: Data<AppState>,
    form: MemberForm<Fields>,
    Named(user): Named,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        send(&app, me, fields, Subject::Person(&user)).await
    };
    let action = routes::report_person(&user.login);
    form.answer(act, give_back(action)).await
}

pub async fn report_group(
    app: Data<AppState>,
    form: MemberForm<Fields>,
    GroupAddress(slug): GroupAddress,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        let seen = app.store.find_group(Viewer::Member(me.id), Some(&slug));
        let seen = seen.await?.ok_or(Error::NotFound)?;
        let group = reportable_group(&app, me, seen).await?;
        send(&app, me, fields, Subject::Group(&group)).await
    };
    let action = routes::report_group(&slug);
    form.answer(act, give_back(action)).await
}

/// Returns the form with what was typed, after an error.
fn give_back(action: String) -> impl FnOnce(&Fields, &Visit, &Error) -> Retained {
    move |fields, visit, _| Retained::form(&ReportForm::new(visit, action, &fields.typed()))
}

async fn send(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    subject: Subject<'_>,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let Some((reason, note)) = fields.parse(&rules(&visit)) else {
        let form = ReportPage::new(&visit, subject, &fields.typed());
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    };
    let limit = match subject {
        Subject::Message(_) => RateLimit::ReportMessages(me.id),
        Subject::Post(_) | Subject::Person(_) | Subject::Group(_) => RateLimit::Report(me.id),
    };
    rate::charge(&app.store, limit).await?;
    let chosen = fields.chosen();
    let reported = match subject {
        Subject::Message(message) => Reported::Message(message, &chosen),
        Subject::Post(status) => Reported::Post(status),
        Subject::Person(user) => Reported::Person(user.id),
        Subject::Group(group) => Reported::Group(&group.seen.group, group.owner),
    };
    let sent = report(&app.store, &me.actor(), reported, (reason, &note)).await?;
    me.visitor.set_notice(notice_after(sent)?);
    Ok(see_other(routes::SETTINGS_REPORTS))
}

fn notice_after(sent: ReportResult) -> Result<Notice> {
    match sent {
        ReportResult::Done => Ok(Notice::ReportReceived),
        ReportResult::Enough => Ok(Notice::ReportsEnough),
        ReportResult::Oneself => Err(oneself()),
        ReportResult::Unknown => Err(Error::NotFound),
        ReportResult::Waiting => {
            let reason = format!(
                "Your {MAX_OPEN_REPORTS_OF_ONE} reports about this person are still open. You can report more after \
                 the moderators have decided about them."
            );
            Err(Error::Refused(reason))
        }
        ReportResult::TooMany => {
            let reason =
                "You have reached the limit of reports that are kept. Try again in some weeks.";
            Err(Error::Refused(reason.to_owned()))
        }
    }
}

/// Shows the member's own reports with their outcomes.
pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let reports = app.store.own_reports(me.id, before).await?;
    let mut people: Vec<UserId> = reports.items.iter().map(|one| one.about).collect();
    people.sort_unstable();
    people.dedup();
    let people = app.store.account_records(&people).await?;
    let visit = me.visitor.visit();
    page(&OwnReportsPage::new(&visit, before, &reports, &people))
}
