//! The page of the export, the form that begins one, and the download.

use std::{io, path::Path};

use actix_web::web::Bytes;
use futures_util::stream;
use tokio::{fs::File, io::AsyncReadExt};

use super::view::{ExportPage, NO_SPACE};
use crate::{
    domain::Restriction,
    export::{BeginResult, archive_of, begin},
    web::{
        http::{
            activity::{Activity, Sending},
            forms::Nothing,
        },
        prelude::*,
    },
};

/// Size of the pieces in which an archive is sent.
const PIECE_BYTES: usize = 64 * 1024;
/// Seconds after which a page with progress loads again.
const REFRESH_S: &str = "5";

/// Shows the state of the export. While it is under way, the page loads again by itself.
pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let export = app.store.export(me.id).await?;
    let visit = me.visitor.visit();
    let loaded = me.visitor.loaded();
    let is_restricted = loaded.is_some_and(|loaded| {
        let restriction = loaded.restriction;
        matches!(
            restriction,
            Some(Restriction::Suspended | Restriction::Deactivated)
        )
    });
    let shown = ExportPage::new(&visit, is_restricted, export.as_ref());
    let mut response = page(&shown)?;
    if shown.is_under_way() {
        let value = actix_web::http::header::HeaderValue::from_static(REFRESH_S);
        let name = actix_web::http::header::HeaderName::from_static("refresh");
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    _form: SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Archive(me.id)).await?;
    match begin(&app.store, me.actor()).await? {
        // A second press finds the export of the first one.
        BeginResult::UnderWay => {}
        BeginResult::NoSpace => return Err(Error::Refused(NO_SPACE.to_owned())),
        BeginResult::UnknownUser => return Err(Error::LoggedOut),
    }
    Ok(see_other(routes::SETTINGS_EXPORT))
}

/// Sends the archive in pieces.
pub async fn download(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let archive = archive_of(&app.store, me.id).await?;
    let archive = archive.ok_or(Error::NotFound)?;
    let (file, bytes) = open(&archive).await.map_err(|error| {
        tracing::warn!(%error, "the archive of an export cannot be read");
        Error::NotFound
    })?;
    let sending = me.visitor.request().conn_data().map(Activity::send);
    let disposition = format!("attachment; filename=\"redwing-{}.zip\"", me.login);
    Ok(HttpResponse::Ok()
        .content_type("application/zip")
        .insert_header(("content-disposition", disposition))
        .insert_header(("cache-control", "no-store"))
        .no_chunking(bytes)
        .streaming(pieces(file, sending)))
}

async fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path).await?;
    let bytes = file.metadata().await?.len();
    Ok((file, bytes))
}

/// Reads a file in pieces. Each piece that the client takes keeps the connection open.
fn pieces(
    file: File,
    sending: Option<Sending>,
) -> impl futures_util::Stream<Item = io::Result<Bytes>> {
    stream::unfold(Some((file, sending)), |state| async {
        let (mut file, sending) = state?;
        if let Some(sending) = &sending {
            sending.note_piece();
        }
        let mut piece = vec![0; PIECE_BYTES];
        match file.read(&mut piece).await {
            Ok(0) => None,
            Ok(length) => {
                piece.truncate(length);
                Some((Ok(Bytes::from(piece)), Some((file, sending))))
            }
            Err(error) => Some((Err(error), None)),
        }
    })
}
