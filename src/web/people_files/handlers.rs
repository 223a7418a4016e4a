//! Export and import of followed, blocked and muted people as CSV.

use super::view::{ImportForm, ImportReport, PeopleFilesPage};
use crate::{
    actions::people_files::{begin_import, import_line},
    domain::PeopleFile,
    web::prelude::*,
};

#[derive(Deserialize)]
pub struct Fields {
    file: PeopleFile,
    #[serde(default)]
    lines: String,
}

pub async fn index(me: CurrentUser) -> Result<HttpResponse> {
    let restored = me.visitor.restore(|form| match form {
        PendingForm::PeopleFile { file, lines } => Some((file, Typed::text(lines))),
        _ => None,
    });
    let (file, typed) = restored.unwrap_or_else(|| (PeopleFile::Following, Typed::default()));
    let visit = me.visitor.visit();
    let form = ImportForm::new(&visit, file, typed);
    page(&PeopleFilesPage::new(&visit, form, None))
}

/// Answers a file to download.
pub async fn export(
    app: Data<AppState>,
    me: CurrentUser,
    OfRoute(file): OfRoute<PeopleFile>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Export(me.id)).await?;
    let people = app.store.people_of_file(me.id, file).await?;
    let disposition = format!("attachment; filename=\"{}\"", file.file_name());
    let host = app.site.host();
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header(("content-disposition", disposition))
        .body(file.format(&people, host)))
}

pub async fn import(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| import_part(&app, me, fields).await;
    form.answer(act, give_back).await
}

/// Imports the first lines, and offers the others in the form. A file that was imported twice is done.
async fn import_part(app: &AppState, me: &CurrentUser, fields: &Fields) -> Result<HttpResponse> {
    let host = app.site.host();
    let (lines, rest) = fields.file.parse(&fields.lines, host);
    let visit = me.visitor.visit();
    if lines.is_empty() {
        let typed = Typed::wrong(&fields.lines, "Paste the content of the file first.");
        let form = ImportForm::new(&visit, fields.file, typed);
        let page = PeopleFilesPage::new(&visit, form, None);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    }
    rate::charge(&app.store, RateLimit::Import(me.id)).await?;
    let import = begin_import(&app.store, me.actor(), fields.file).await?;
    let mut outcomes = Vec::with_capacity(lines.len());
    for line in lines {
        let imported = import_line(&app.store, me.actor(), import, &line).await?;
        outcomes.push((line, imported));
    }
    me.visitor
        .forget_pending_form(|form| matches!(form, PendingForm::PeopleFile { .. }));
    let form = ImportForm::new(&visit, fields.file, Typed::text(rest));
    let report = ImportReport::new(fields.file, &outcomes, !rest.trim().is_empty());
    page(&PeopleFilesPage::new(&visit, form, Some(report)))
}

/// Returns the file in its form, or, if the session has ended, in the log-in form.
fn give_back(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let typed = PendingForm::PeopleFile {
            file: fields.file,
            lines: fields.lines.clone(),
        };
        return Retained::log_in(visit, LocalPath::parse(routes::SETTINGS_FILES), typed);
    }
    let typed = Typed::text(&fields.lines);
    Retained::form(&ImportForm::new(visit, fields.file, typed))
}
