//! Suspended and deactivated accounts: every path leads to the page about the account. One check in the path of a
//! request replaces one in each handler.

use actix_web::{
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use super::visitor::Visitor;
use crate::web::{http::answer::see_other, routes};

/// The middleware inside the session middleware.
pub async fn middleware<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let loaded = Visitor::of(request.request()).loaded();
    let is_restricted = loaded.is_some_and(|loaded| loaded.restriction.is_some());
    if is_restricted && !is_open(request.path()) {
        return Ok(request.into_response(see_other(routes::ACCOUNT)));
    }
    let response = next.call(request).await?;
    Ok(response.map_into_boxed_body())
}

/// Returns whether a restricted account reaches a path: the page about the account, its forms, and the log-out.
fn is_open(path: &str) -> bool {
    let open = [
        routes::ACCOUNT,
        routes::REACTIVATE,
        routes::DELETE_ACCOUNT,
        routes::LOG_OUT,
    ];
    open.contains(&path)
}
