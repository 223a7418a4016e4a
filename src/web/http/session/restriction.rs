//! Accounts that are suspended, deactivated or not let in: every path leads to the page about the account. One check in
//! the path of a request replaces one in each handler.

use actix_web::{
    HttpRequest, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, StatusCode},
    middleware::Next,
};

use super::visitor::{Visitor, now};
use crate::{
    domain::{LocalPath, Restriction},
    web::{
        accounts::view::CopyTextPage,
        http::{
            answer::{page_with, see_other},
            arrival,
        },
        routes,
    },
};

/// The fields with texts, beside the options of a poll and the further posts of a thread.
const TEXTS: [&str; 13] = [
    "message",
    "warning",
    "bio",
    "note",
    "explanation",
    "description",
    "rules",
    "lines",
    "about",
    "privacy",
    "words",
    "domains",
    "addresses",
];

const NOT_SENT: &str = "Your account cannot send this at the moment, so your text was not sent.";

/// The middleware inside the session middleware.
pub async fn middleware<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let loaded = Visitor::of(request.request()).loaded();
    let restriction = loaded.and_then(|loaded| loaded.restriction);
    let elsewhere = restriction.and_then(|restriction| page_instead(&request, restriction));
    if let Some(page) = elsewhere {
        let answer = answer_instead(request.request(), page);
        return Ok(request.into_response(answer));
    }
    let response = next.call(request).await?;
    Ok(response.map_into_boxed_body())
}

/// Redirects to the page that the account can reach instead. A form with a typed text is answered with the
/// text first, because the browser has no copy of it after a redirect.
fn answer_instead(request: &HttpRequest, page: &'static str) -> HttpResponse {
    let visitor = Visitor::of(request);
    let is_form = request.method() == Method::POST && visitor.sent_from_here().is_ok();
    let texts = match is_form {
        true => typed_texts(request),
        false => Vec::new(),
    };
    if texts.is_empty() {
        return see_other(page);
    }
    let next = LocalPath::parse(page).unwrap_or_default();
    let copy_text = CopyTextPage::new(visitor.visit_again(""), NOT_SENT, texts, next);
    page_with(StatusCode::FORBIDDEN, &copy_text).unwrap_or_else(|error| {
        error.log();
        see_other(page)
    })
}

/// Returns the texts of a form that a person may have typed, and that are not blank.
fn typed_texts(request: &HttpRequest) -> Vec<String> {
    let Ok(body) = arrival::take_body(request) else {
        return Vec::new();
    };
    let fields: Vec<(String, String)> = serde_urlencoded::from_bytes(&body).unwrap_or_default();
    let typed = fields.into_iter();
    let typed = typed.filter(|(name, text)| is_typed(name) && !text.trim().is_empty());
    typed.map(|(_, text)| text).collect()
}

/// Returns whether a field has a text that would be lost. Names, logins and other settings are short, and filled in
/// again by their pages. A password is never shown.
fn is_typed(field: &str) -> bool {
    TEXTS.contains(&field) || field.starts_with("option_") || field.starts_with("post_")
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
