//! Reporting a post, a message, a person or a group, and the member's own reports.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    report_view::{OwnReportsPage, ReportForm, ReportPage, ReportableGroup, Subject, TypedReport},
    rules, seen_messages,
};
use crate::{
    actions::moderation::{ReportResult, Reported, report},
    domain::{ChatId, GroupSlug, MessageId, ReportNote, ReportReason},
    store::{MAX_OPEN_REPORTS_OF_ONE, ReportableMessage},
    web::{
        addresses::{Chatted, GroupAddress, OfMessage, WithLogin},
        http::errors::{Gone, error_page::retain},
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

    /// Returns the form of this page, to be shown again after the log-in.
    fn pending(&self, page: String) -> PendingForm {
        PendingForm::Report {
            page,
            reason: self.reason.clone(),
            note: self.note.clone(),
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

/// Returns the group if the member finds it and can report it.
async fn found_group(
    app: &AppState,
    me: &CurrentUser,
    slug: &GroupSlug,
) -> Result<ReportableGroup> {
    let seen = app.store.find_group(Viewer::Member(me.id), Some(slug));
    let seen = seen.await?.ok_or(Error::NotFound)?;
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

/// Returns the person if the member can report them: one that the member finds or blocks.
async fn reportable_person(app: &AppState, me: &CurrentUser, login: &Login) -> Result<Arc<User>> {
    let user = app
        .store
        .find_user_to_report(Viewer::Member(me.id), login)
        .await?;
    let user = user.ok_or(Error::NotFound)?;
    match user.id == me.id {
        true => Err(oneself()),
        false => Ok(user),
    }
}

pub async fn ask_about_post(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let typed = typed_before(&me, &routes::report_post(id));
    let status = match reportable(&app, &me, id).await {
        Ok(status) => status,
        Err(error) => return give_back_typed(&me, &typed, error),
    };
    let visit = me.visitor.visit();
    page(&ReportPage::new(&visit, Subject::Post(&status), &typed))
}

pub async fn ask_about_message(
    app: Data<AppState>,
    me: CurrentUser,
    Chatted(chat): Chatted,
    OfMessage(id): OfMessage,
) -> Result<HttpResponse> {
    let typed = typed_before(&me, &routes::report_message(chat, id));
    let message = match reportable_message(&app, &me, (chat, id), None).await {
        Ok(message) => message,
        Err(error) => return give_back_typed(&me, &typed, error),
    };
    let visit = me.visitor.visit();
    let typed = TypedReport {
        seen: seen_messages::sign(&me, &message),
        ..typed
    };
    page(&ReportPage::new(&visit, Subject::Message(&message), &typed))
}

pub async fn ask_about_person(
    app: Data<AppState>,
    me: CurrentUser,
    found: Result<Named>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let typed = typed_before(&me, &routes::report_person(&login));
    let is_found = found.is_ok();
    let user = match found {
        Ok(Named(user)) if user.id == me.id => Err(oneself()),
        Ok(Named(user)) => Ok(user),
        Err(Error::NotFound) => reportable_person(&app, &me, &login).await,
        Err(error) => Err(error),
    };
    let user = match user {
        Ok(user) => user,
        Err(error) => return give_back_typed(&me, &typed, error),
    };
    let visit = me.visitor.visit();
    let form = ReportPage::new(&visit, Subject::Person(&user), &typed);
    page(&form.blocked_if(!is_found))
}

pub async fn ask_about_group(
    app: Data<AppState>,
    me: CurrentUser,
    GroupAddress(slug): GroupAddress,
) -> Result<HttpResponse> {
    let typed = typed_before(&me, &routes::report_group(&slug));
    let group = match found_group(&app, &me, &slug).await {
        Ok(group) => group,
        Err(error) => return give_back_typed(&me, &typed, error),
    };
    let visit = me.visitor.visit();
    page(&ReportPage::new(&visit, Subject::Group(&group), &typed))
}

/// Returns what the member typed in the form of this page before the log-in. An empty form if there is nothing.
fn typed_before(me: &CurrentUser, of: &str) -> TypedReport {
    match me.visitor.pending_form() {
        Some(PendingForm::Report { page, reason, note }) if page == of => TypedReport {
            reason,
            note,
            ..TypedReport::default()
        },
        _ => TypedReport::default(),
    }
}

/// Gives back a note that was typed before the log-in, if its subject is not found any more.
fn give_back_typed(me: &CurrentUser, typed: &TypedReport, error: Error) -> Result<HttpResponse> {
    if !matches!(error, Error::NotFound) || typed.note.is_empty() {
        return Err(error);
    }
    let (visit, error) = (me.visitor.visit(), Error::Gone(Gone::Reported));
    Ok(retain(&me.visitor, &error, &visit, to_copy(&typed.note)))
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
    answer(form, routes::report_post(id), act).await
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
    answer(form, routes::report_message(chat, id), act).await
}

pub async fn report_person(
    app: Data<AppState>,
    form: MemberForm<Fields>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        let user = reportable_person(&app, me, &login).await?;
        send(&app, me, fields, Subject::Person(&user)).await
    };
    answer(form, routes::report_person(&login), act).await
}

pub async fn report_group(
    app: Data<AppState>,
    form: MemberForm<Fields>,
    GroupAddress(slug): GroupAddress,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        let group = found_group(&app, me, &slug).await?;
        send(&app, me, fields, Subject::Group(&group)).await
    };
    answer(form, routes::report_group(&slug), act).await
}

/// Runs the action of a report. After an error, the reporter gets the form back, or the note if the subject is not
/// found any more.
async fn answer(
    form: MemberForm<Fields>,
    action: String,
    act: impl AsyncFnOnce(&CurrentUser, &Fields) -> Result<HttpResponse>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        let sent = act(me, fields).await;
        sent.map_err(|error| error.of_form_about(Gone::Reported))
    };
    let give_back = |fields: &Fields, visit: &Visit, error: &Error| match error {
        Error::Gone(_) => to_copy(&fields.note),
        // The messages that the form showed are too long for a session, and may change until a new form shows them.
        Error::LoggedOut if fields.seen.is_empty() => {
            let next = LocalPath::parse(&action);
            Retained::log_in(visit, next, fields.pending(action))
        }
        _ => Retained::form(&ReportForm::new(visit, action, &fields.typed())),
    };
    form.answer(act, give_back).await
}

/// Returns the note of a report that cannot be sent. The page of the rules names those who run the site.
fn to_copy(note: &str) -> Retained {
    Retained::texts(&[note], (routes::RULES, "Rules and contact"))
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
    let page_of_form = subject.action();
    me.visitor.forget_pending_form(
        |form| matches!(form, PendingForm::Report { page, .. } if *page == page_of_form),
    );
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
