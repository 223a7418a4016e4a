//! Liveness and readiness for supervisors, and robots.txt.

use std::borrow::Cow;

use actix_web::{HttpResponse, Responder, http::header, web::Data};

use super::{AppState, http::errors::Error};

pub(super) async fn alive() -> impl Responder {
    plain(HttpResponse::Ok(), "ok\n")
}

/// Redis is reachable, is a primary, and writes durably. A nearly full memory is a warning: the site still
/// serves pages, log-ins and deletions.
pub(super) async fn ready(app: Data<AppState>) -> impl Responder {
    match app.store.ready().await.map_err(Error::from) {
        Ok(memory) if memory.is_high() => {
            let percent = memory.percent();
            let closed = match memory.is_almost_full() {
                true => ", so posting is closed",
                false => "",
            };
            let warning = format!("warning: Redis uses {percent} % of its memory{closed}");
            plain(HttpResponse::Ok(), format!("ready\n{warning}\n"))
        }
        Ok(_) => plain(HttpResponse::Ok(), "ready\n"),
        Err(error) => {
            error.log();
            plain(
                HttpResponse::ServiceUnavailable(),
                "not ready: the reason is in the log\n",
            )
        }
    }
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
