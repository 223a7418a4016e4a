//! What handlers answer with: a page, or the way on.

use actix_web::{HttpResponse, http::StatusCode};
use askama::Template;

use super::{
    errors::{Error, Result},
    page_body::PageBody,
};

/// Room for a page of 30 statuses, so that it need not grow while it is written.
const PAGE_BYTES: usize = 64 * 1024;

/// A page.
pub(in crate::web) fn page(page: &impl Template) -> Result<HttpResponse> {
    page_with(StatusCode::OK, page)
}

pub(in crate::web) fn page_with(status: StatusCode, page: &impl Template) -> Result<HttpResponse> {
    let mut html = String::with_capacity(PAGE_BYTES);
    page.render_into(&mut html)
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .body(PageBody::from(html)))
}

/// After a form: the browser gets the page that shows what it did, and reloading repeats nothing.
pub(in crate::web) fn see_other(path: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header(("location", path))
        .finish()
}
