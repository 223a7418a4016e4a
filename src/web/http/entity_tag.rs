//! Entity tags of pages that are the same for all visitors. A browser or robot that has the page already gets
//! 304 without it.

use std::hash::{BuildHasher as _, Hasher as _};

use actix_web::{
    HttpResponse,
    body::BoxBody,
    dev::ServiceResponse,
    http::{StatusCode, header},
    web::Bytes,
};
use foldhash::quality::FixedState;

/// A page before it is compressed and sent in parts.
pub(super) struct WholePage(pub(super) Bytes);

/// Adds the entity tag of the page. Answers 304 if the request names it.
pub(super) fn tag(mut response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let page = response
        .response()
        .extensions()
        .get()
        .map(|WholePage(page)| entity_tag(page));
    let (Some(tag), StatusCode::OK) = (page, response.status()) else {
        return response;
    };
    let value = header::HeaderValue::from_str(&tag).expect("a tag is ASCII");
    let known = response.request().headers().get(header::IF_NONE_MATCH);
    let is_known = known
        .and_then(|known| known.to_str().ok())
        .is_some_and(|known| known.split(',').any(|known| known.trim() == tag));
    let sets_cookies = response.headers().contains_key(header::SET_COOKIE);
    if is_known && !sets_cookies {
        let unchanged = HttpResponse::NotModified().finish();
        response = response.into_response(unchanged);
    }
    response.headers_mut().insert(header::ETAG, value);
    response
}

/// Returns a weak tag: it is valid with and without compression.
fn entity_tag(page: &[u8]) -> String {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(page);
    format!("W/\"{:016x}\"", hasher.finish())
}
