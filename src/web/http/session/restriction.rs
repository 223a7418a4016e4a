//! Accounts that are suspended, deactivated or not let in: every path leads to the page about the account. One check in
//! the path of a request replaces one in each handler.

use actix_web::{
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use super::visitor::{Visitor, now};
use crate::{
    domain::Restriction,
    web::{http::answer::see_other, routes},
};

/// The middleware inside the session middleware.
pub async fn middleware<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let loaded = Visitor::of(request.request()).loaded();
    let restriction = loaded.and_then(|loaded| loaded.restriction);
    let elsewhere = restriction.and_then(|restriction| page_instead(&request, restriction));
    if let Some(page) = elsewhere {
        return Ok(request.into_response(see_other(page)));
    }
    let response = next.call(request).await?;
    Ok(response.map_into_boxed_body())
}

/// Returns the page that answers in the place of the requested one.
fn page_instead(request: &ServiceRequest, restriction: Restriction) -> Option<&'static str> {
    let path = request.path();
    match restriction {
        Restriction::Suspended | Restriction::Deactivated if is_of_export(path) => None,
        Restriction::Suspended
        | Restriction::Deactivated
        | Restriction::Waiting
        | Restriction::Refused => (!is_open(path)).then_some(routes::ACCOUNT),
        Restriction::Frozen(until_ms) => {
            let is_frozen = now().0 < until_ms && !request.method().is_safe();
            (is_frozen && !is_open_to_frozen(path)).then_some(routes::DECISIONS)
        }
    }
}

/// Returns whether a path is part of the export. A person whose account is suspended or deactivated can take the data
/// away.
fn is_of_export(path: &str) -> bool {
    [routes::SETTINGS_EXPORT, routes::DOWNLOAD_EXPORT].contains(&path)
}

/// Returns whether a frozen account can send a form: to log out, to appeal, to protect the account, to download it and
/// to leave.
fn is_open_to_frozen(path: &str) -> bool {
    let open = [
        routes::LOG_OUT,
        routes::APPEAL,
        routes::SETTINGS_PASSWORD,
        routes::SETTINGS_RECOVERY,
        routes::SETTINGS_LEAVE,
        routes::SETTINGS_EXPORT,
        routes::REVOKE_SESSION,
        routes::REVOKE_ALL_SESSIONS,
    ];
    open.contains(&path)
}

/// Returns whether a restricted account reaches a path: the page about the account, its forms, the decisions about it,
/// the log-out, and what the site says about itself.
fn is_open(path: &str) -> bool {
    let open = [
        routes::DECISIONS,
        routes::APPEAL,
        routes::ACCOUNT,
        routes::REACTIVATE,
        routes::DELETE_ACCOUNT,
        routes::LOG_OUT,
        routes::RULES,
        routes::ABOUT,
        routes::PRIVACY,
        routes::MODERATION,
    ];
    open.contains(&path)
}
