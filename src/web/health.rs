//! Liveness and readiness for supervisors, and robots.txt.

use actix_web::{HttpResponse, Responder, http::header, web::Data};

use super::{AppState, http::errors::Error};

/// The process responds.
pub(super) async fn alive() -> impl Responder {
    plain(HttpResponse::Ok(), "ok\n")
}

/// Redis is reachable, is a primary, and writes durably.
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

/// Search engines may index public pages, but not forms and personal pages.
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
