//! Liveness and readiness for supervisors, and robots.txt.

use std::borrow::Cow;

use actix_web::{HttpResponse, Responder, http::header, web::Data};

use super::{AppState, http::errors::Error};
use crate::store::Readiness;

pub(super) async fn alive() -> impl Responder {
    plain(HttpResponse::Ok(), "ok\n")
}

/// Redis is reachable, is a primary, and writes durably.
pub(super) async fn ready(app: Data<AppState>) -> impl Responder {
    match app.store.ready().await.map_err(Error::from) {
        Ok(readiness) => plain(HttpResponse::Ok(), report(&readiness)),
        Err(error) => {
            error.log();
            plain(
                HttpResponse::ServiceUnavailable(),
                "not ready: the reason is in the log\n",
            )
        }
    }
}

/// Returns the answer of a site that is ready. A nearly full memory is a warning: the site still serves pages, log-ins
/// and deletions. So are clocks of primaries that differ.
fn report(readiness: &Readiness) -> String {
    let mut text = "ready\n".to_owned();
    let memory = readiness.memory;
    if memory.is_high() {
        let percent = memory.percent();
        let closed = match memory.is_almost_full() {
            true => ", so posting is closed",
            false => "",
        };
        text += &format!("warning: Redis uses {percent} % of its memory{closed}\n");
    }
    let skew = &readiness.clock_skew;
    if skew.is_high() {
        text += &format!("warning: {skew}, so writes can fail\n");
    }
    text
}

/// Robots may read every page. A page that search engines must not index says so itself, and is read for that.
/// Actions have no content.
pub(super) async fn robots() -> impl Responder {
    let rules = "User-agent: *\nDisallow: /statuses\n";
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .content_type("text/plain; charset=utf-8")
        .body(rules)
}

fn plain(
    mut response: actix_web::HttpResponseBuilder,
    text: impl Into<Cow<'static, str>>,
) -> HttpResponse {
    response
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type("text/plain; charset=utf-8")
        .body(text.into())
}
