//! Whether the process lives and whether it can serve, for supervisors; and what robots may read.

use actix_web::{HttpResponse, Responder, http::header, web::Data};

use super::{AppState, http::errors::Error};

/// The process answers.
pub(super) async fn alive() -> impl Responder {
    plain(HttpResponse::Ok(), "ok\n")
}

/// Redis is reachable, a primary, and keeps what it is told.
pub(super) async fn ready(app: Data<AppState>) -> impl Responder {
    match app.store.ready().await.map_err(Error::from) {
        Ok(()) => plain(HttpResponse::Ok(), "ready\n"),
        Err(error) => {
            error.log();
            plain(
                HttpResponse::ServiceUnavailable(),
                "not ready: the reason is in the log\n",
            )
        }
    }
}

/// Public pages may be found; forms and what is personal not.
pub(super) async fn robots() -> impl Responder {
    let rules = "User-agent: *\nDisallow: /settings\nDisallow: /statuses\nDisallow: /search\nDisallow: /login\nDisallow: /signup\n";
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .content_type("text/plain; charset=utf-8")
        .body(rules)
}

fn plain(mut response: actix_web::HttpResponseBuilder, text: &'static str) -> HttpResponse {
    response
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type("text/plain; charset=utf-8")
        .body(text)
}
