//! Reporting a post, a message, a person or a group, and the member's own reports.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    own_reports_view::OwnReportsPage,
    report_view::{ReportForm, ReportPage, Subject, TypedReport},
    reportable::{self, oneself},
    rules, seen_messages, shown_post,
};
use crate::{
    actions::moderation::{ReportResult, Reported, report},
    domain::{MessageId, ReportNote, ReportReason},
    store::{MAX_OPEN_REPORTS_OF_ONE, PostToReport},
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
    /// The post that the form showed, signed.
    #[serde(default)]
    shown_post: String,
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
            shown_post: self.shown_post.clone(),
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

pub async fn ask_about_post(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let typed = typed_before(&me, |page| *page == routes::report_post(id));
    let status = match reportable::visible_post(&app, &me, id).await {
        Ok(status) => status,
        Err(error) => return give_back_typed(&me, &typed, error),
    };
    let visit = me.visitor.visit();
    let typed = TypedReport {
        shown_post: sign_post(&app, &me, &status).await?,
        ..typed
    };
    page(&ReportPage::new(&visit, Subject::Post(&status), &typed))
}

pub async fn ask_about_message(
    app: Data<AppState>,
    me: CurrentUser,
    Chatted(chat): Chatted,
    OfMessage(id): OfMessage,
) -> Result<HttpResponse> {
    let typed = typed_before(&me, |page| *page == routes::report_message(chat, id));
    let message = match reportable::message(&app, &me, (chat, id), "").await {
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
    let is_found = found.is_ok();
    let user = match found {
        Ok(Named(user)) if user.id == me.id => Err(oneself()),
        Ok(Named(user)) => Ok(user),
        Err(Error::NotFound) => reportable::person(&app, &me, &login).await,
        Err(error) => Err(error),
    };
    let user = match user {
        Ok(user) => user,
        Err(error) => {
            let typed = typed_before(&me, |page| *page == routes::report_person(&login));
            return give_back_typed(&me, &typed, error);
        }
    };
    let typed = typed_before(&me, |page| Subject::Person(&user).is_at(page));
    let visit = me.visitor.visit();
    let form = ReportPage::new(&visit, Subject::Person(&user), &typed);
    page(&form.blocked_if(!is_found))
}

pub async fn ask_about_group(
    app: Data<AppState>,
    me: CurrentUser,
    GroupAddress(slug): GroupAddress,
) -> Result<HttpResponse> {
    let typed = typed_before(&me, |page| *page == routes::report_group(&slug));
    let group = match reportable::group(&app, &me, &slug).await {
        Ok(group) => group,
        Err(error) => return give_back_typed(&me, &typed, error),
    };
    let visit = me.visitor.visit();
    page(&ReportPage::new(&visit, Subject::Group(&group), &typed))
}

/// Signs a post as the page shows it.
async fn sign_post(app: &AppState, me: &CurrentUser, status: &VisibleStatus) -> Result<String> {
    let shown = app.store.shown_post(me.id, status).await?;
    Ok(shown_post::sign(me, &shown))
}

/// Returns what the member typed in the form of this page before the log-in. An empty form if there is nothing.
fn typed_before(me: &CurrentUser, is_page: impl Fn(&str) -> bool) -> TypedReport {
    let restored = me.visitor.restore(|form| match form {
        PendingForm::Report { page, reason, note } if is_page(&page) => Some(TypedReport {
            reason,
            note,
            ..TypedReport::default()
        }),
        _ => None,
    });
    restored.unwrap_or_default()
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
        let post = reportable::post(&app, me, id, &fields.shown_post).await?;
        match &post {
            PostToReport::Visible(status) => send(&app, me, fields, Subject::Post(status)).await,
            PostToReport::Shown(shown) => {
                send(&app, me, fields, Subject::ShownPost(shown, None)).await
            }
            PostToReport::Edited(shown, now) => {
                send(&app, me, fields, Subject::ShownPost(shown, Some(now))).await
            }
        }
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
        let message = reportable::message(&app, me, (chat, id), &fields.seen).await?;
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
        let user = reportable::person(&app, me, &login).await?;
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
        let group = reportable::group(&app, me, &slug).await?;
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
        return ask_again(app, me, fields, subject).await;
    };
    // An incomplete report has the same answer whether the account exists or not.
    if let Subject::ShownPost(shown, _) = subject {
        reportable::check_author(app, shown).await?;
    }
    rate::charge(&app.store, limit_of(subject, me.id)).await?;
    let chosen = fields.chosen();
    let reported = reported(subject, &chosen);
    let sent = report(&app.store, &me.actor(), reported, (reason, &note)).await?;
    me.visitor.set_notice(notice_after(sent)?);
    me.visitor.forget_pending_form(
        |form| matches!(form, PendingForm::Report { page, .. } if subject.is_at(page)),
    );
    Ok(see_other(routes::SETTINGS_REPORTS))
}

/// Answers an incomplete report. The page shows the current version of a visible post, and signs it again.
async fn ask_again(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    subject: Subject<'_>,
) -> Result<HttpResponse> {
    let typed = TypedReport {
        shown_post: match subject {
            Subject::Post(status) => sign_post(app, me, status).await?,
            _ => fields.shown_post.clone(),
        },
        ..fields.typed()
    };
    let form = ReportPage::new(&me.visitor.visit(), subject, &typed);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &form)
}

fn limit_of(subject: Subject<'_>, reporter: UserId) -> RateLimit<'static> {
    match subject {
        Subject::Message(_) => RateLimit::ReportMessages(reporter),
        Subject::Post(_) | Subject::ShownPost(..) | Subject::Person(_) | Subject::Group(_) => {
            RateLimit::Report(reporter)
        }
    }
}

fn reported<'a>(subject: Subject<'a>, chosen: &'a BTreeSet<MessageId>) -> Reported<'a> {
    match subject {
        Subject::Message(message) => Reported::Message(message, chosen),
        Subject::Post(status) => Reported::Post(status),
        Subject::ShownPost(shown, _) => Reported::ShownPost(shown),
        Subject::Person(user) => Reported::Person(user.id),
        Subject::Group(group) => Reported::Group(&group.seen.group, group.owner),
    }
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
