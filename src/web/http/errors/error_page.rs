//! Turns errors into pages, in one place: errors of handlers, extractors and actix, with the
//! request id and the typed text of a form.

use std::sync::Arc;

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse, ResponseError,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, header},
    middleware::Next,
};

use super::{
    Error,
    view::{ErrorDetails, ErrorPage, Retained},
    words,
};
use crate::web::{
    assets,
    fragments::Fragments,
    http::{
        answer,
        request::RequestId,
        session::visitor::{Visitor, now},
    },
    parts::{
        theme::Theme,
        visit::{Visit, WaitingWork, Who},
    },
};

/// The middleware inside the session middleware, where the viewer is still known.
pub async fn middleware<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    next.call(request).await.map(dress)
}

/// Adds a page to an error response that has none.
pub fn dress<B: MessageBody + 'static>(response: ServiceResponse<B>) -> ServiceResponse<BoxBody> {
    let status = response.status();
    let bare = response.response().error().is_some()
        || !response.headers().contains_key(header::CONTENT_TYPE);
    if !bare || !(status.is_client_error() || status.is_server_error()) {
        return response.map_into_boxed_body();
    }
    let request = response.request().clone();
    let known = response
        .response()
        .error()
        .and_then(actix_web::Error::as_error::<Error>);
    let page = match known {
        Some(error) => {
            error.log();
            of_visitor(&request, error)
        }
        None => {
            tracing::debug!(%status, "request refused");
            let details = ErrorDetails {
                status,
                ..of_error(&words::error_of(status), number(&request))
            };
            let visit = Visitor::of(&request).visit();
            render(&visit, details, HttpResponse::build(status).finish())
        }
    };
    response.into_response(page)
}

/// Returns the page for a rejected form, with its text. Logs the error. If the visitor is logged out and the log-in form
/// does not save the text, the page says to log in elsewhere.
pub fn retain(visitor: &Visitor, error: &Error, visit: &Visit, retained: Retained) -> HttpResponse {
    error.log();
    let is_logged_out = matches!(error, Error::LoggedOut);
    let words = match is_logged_out && !retained.logs_in {
        true => words::LOG_IN_ELSEWHERE,
        false => error.words(),
    };
    let details = ErrorDetails {
        words,
        retained: Some(retained),
        ..of_error(error, number(visitor.request()))
    };
    render(visit, details, error.error_response())
}

/// Returns the page for a request that no longer exists: viewer and form are unknown.
pub fn without_request(error: &Error, number: &str) -> HttpResponse {
    let visit = Visit {
        waiting: WaitingWork::default(),
        frozen_until: None,
        who: Who::Unknown,
        csrf_token: String::new(),
        form_owner: None,
        unread: 0,
        requests: 0,
        unread_chats: 0,
        zone: Default::default(),
        now: now(),
        notice: None,
        notice_page: None,
        place: None,
        theme: Theme::default(),
        is_posting_closed: false,
        assets: assets::of_layout(),
        site: Arc::default(),
        origin: Arc::from(""),
        fragments: Arc::new(Fragments::of(0)),
    };
    render(
        &visit,
        of_error(error, number.to_owned()),
        error.error_response(),
    )
}

fn of_visitor(request: &HttpRequest, error: &Error) -> HttpResponse {
    let visitor = Visitor::of(request);
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let again = error.retry_after_s().filter(|_| is_read);
    let details = ErrorDetails {
        again: again.map(|_| visitor.path()),
        ..of_error(error, number(request))
    };
    if !matches!(error, Error::LoggedOut) {
        return render(&visitor.visit(), details, error.error_response());
    }
    visitor.treat_as_logged_out();
    let visit = visitor.visit_with_form();
    let details = ErrorDetails {
        retained: Some(Retained::log_in(&visit, visitor.came_from(), None)),
        ..details
    };
    render(&visit, details, error.error_response())
}

fn of_error(error: &Error, request_id: String) -> ErrorDetails {
    ErrorDetails {
        status: error.status_code(),
        words: error.words(),
        retry_after_s: error.retry_after_s(),
        request_id,
        again: None,
        back: error.back().map(str::to_owned),
        retained: None,
    }
}

/// Renders the page with the headers of the error response.
fn render(visit: &Visit, details: ErrorDetails, bare: HttpResponse) -> HttpResponse {
    let status = details.status;
    let mut page = match answer::page_with(status, &ErrorPage::new(visit, details)) {
        Ok(page) => page,
        Err(error) => {
            error.log();
            HttpResponse::build(status)
                .content_type("text/plain; charset=utf-8")
                .body(status.to_string())
        }
    };
    for (name, value) in bare.headers() {
        page.headers_mut().insert(name.clone(), value.clone());
    }
    page
}

fn number(request: &HttpRequest) -> String {
    request
        .extensions()
        .get::<RequestId>()
        .map_or_else(String::new, |RequestId(id)| id.clone())
}
