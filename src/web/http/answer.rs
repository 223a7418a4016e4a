//! Responses of handlers: a page, or a redirect.

use actix_web::{HttpResponse, http::StatusCode, web::Bytes};
use askama::Template;

use super::{
    entity_tag::WholePage,
    errors::{Error, Result},
    page_body::PageBody,
};

/// Capacity for a page of 30 statuses, so that the buffer need not grow.
const PAGE_BYTES: usize = 64 * 1024;

pub fn page(page: &impl Template) -> Result<HttpResponse> {
    page_with(StatusCode::OK, page)
}

pub fn page_with(status: StatusCode, page: &impl Template) -> Result<HttpResponse> {
    let mut html = String::with_capacity(PAGE_BYTES);
    page.render_into(&mut html)
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(html_response(status, html.into()))
}

pub(super) fn html_response(status: StatusCode, html: Bytes) -> HttpResponse {
    let mut response = HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .body(PageBody::from(html.clone()));
    response.extensions_mut().insert(WholePage(html));
    response
}

/// Redirects after a form, so that a reload repeats nothing.
pub fn see_other(path: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header(("location", path))
        .finish()
}
