//! First and last step of every request: id, span, time limit, security headers, metrics. A panic
//! in a handler becomes an error page.

use std::{panic::AssertUnwindSafe, time::Instant};

use actix_web::{
    HttpMessage, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    error::InternalError,
    http::{ConnectionType, Method, Version},
    middleware::Next,
    rt::time::timeout,
    web::Data,
};
use futures_util::FutureExt;
use tracing::{Instrument, Span, field::Empty, info_span};

use super::{
    activity::Activity,
    compression, entity_tag,
    errors::{Error, error_page},
    headers::{self, CachePolicy},
    metrics,
    session::{
        confirmation::NewConfirmation,
        known_device::NewDevice,
        memory::NextNotice,
        visitor::{FreshSeed, Personal},
    },
};
use crate::web::AppState;

/// The request's id: on its log lines, in its response header and on its error page.
pub(super) struct RequestId(pub String);

/// Deadline of a form's action, which leaves time to give the form back.
#[derive(Clone, Copy)]
pub(super) struct ActsUntil(pub Instant);

/// The data of a request that outlives the request itself.
struct Passing {
    app: Data<AppState>,
    id: String,
    method: &'static str,
    since: Instant,
    span: Span,
}

/// The outermost middleware.
pub async fn pass<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    if headers::are_too_long(request.headers()) {
        let refused = refuse_long_headers(AppState::of(request.request()));
        return Ok(request.into_response(refused));
    }
    let app = AppState::of(request.request()).clone();
    app.site.cookies.keep_own(request.headers_mut());
    let id = new_id();
    let method = method_name(request.method());
    let span = info_span!(
        "request",
        id,
        method,
        route = Empty,
        status = Empty,
        ms = Empty
    );
    request.extensions_mut().insert(RequestId(id.clone()));

    let activity = request.request().conn_data::<Activity>().cloned();
    let _under_way = activity.as_ref().map(Activity::request);
    let since = Instant::now();
    let limit = app.site.config.timeouts.request;
    let acts_until = ActsUntil(since + limit * 9 / 10);
    request.extensions_mut().insert(acts_until);
    let passing = Passing {
        app,
        id,
        method,
        since,
        span: span.clone(),
    };
    let handled = timeout(limit, AssertUnwindSafe(next.call(request)).catch_unwind())
        .instrument(span)
        .await;
    match handled {
        Ok(Ok(Ok(mut response))) => {
            let head = response.response_mut().head_mut();
            // The library reuses heads: this one may have the version of a response over HTTP/1.0, which
            // would count as the last of its connection. It sets the version when it sends the head.
            head.version = Version::HTTP_11;
            let last = head.connection_type() == ConnectionType::Close;
            if let (Some(activity), true) = (&activity, last) {
                activity.close();
            }
            Ok(passing.finish(response))
        }
        Ok(Ok(Err(error))) => Err(passing.fail(&unsaved(&error))),
        Ok(Err(_panic)) => Err(passing.fail(&Error::Internal("a handler panicked".to_owned()))),
        Err(_elapsed) => Err(passing.fail(&Error::TimedOut)),
    }
}

/// Returns the page for a request that no step may read, because its headers are too long. A head of more than 128 KiB or
/// 96 headers never becomes a request: the HTTP library itself answers it with an empty 431, without a hook for another
/// answer, and the gate before it passes on bytes and writes no answers.
fn refuse_long_headers(app: &AppState) -> HttpResponse {
    let (error, id) = (Error::LongHeaders, new_id());
    tracing::info_span!("request", %id).in_scope(|| error.log());
    let mut response = error_page::without_request(&error, &id);
    headers::guard(response.headers_mut(), &app.site, &id, CachePolicy::NoStore);
    response
}

fn new_id() -> String {
    format!("{:016x}", rand::random::<u64>())
}

/// Handlers always respond. Only the session middleware can fail after them, if it gets a session
/// that no handler began.
fn unsaved(error: &actix_web::Error) -> Error {
    Error::Unavailable(format!("session not stored: {error}"))
}

impl Passing {
    fn finish<B: MessageBody + 'static>(
        &self,
        response: ServiceResponse<B>,
    ) -> ServiceResponse<BoxBody> {
        let mut response = self.span.in_scope(|| error_page::dress(response));
        let request = response.request().clone();
        let extensions = request.extensions();
        let cookies = self.app.site.cookies;
        let seed = extensions.get::<FreshSeed>();
        let notice = extensions.get::<NextNotice>();
        let device = extensions.get::<NewDevice>();
        let confirmation = extensions.get::<NewConfirmation>();
        let cookies = [
            seed.map(|FreshSeed(seed)| cookies.form_cookie(seed.clone())),
            notice.map(|NextNotice(notice)| cookies.notice_cookie(notice.as_ref())),
            device.map(|NewDevice(device)| cookies.device_cookie(device.clone())),
            confirmation.map(|NewConfirmation(mark)| cookies.confirmation_cookie(mark.clone())),
        ];
        for cookie in cookies.iter().flatten() {
            if let Err(error) = response.response_mut().add_cookie(cookie) {
                tracing::error!(%error, "cookie not set");
            }
        }
        let shared = self.method != "POST"
            && !response.status().is_client_error()
            && !response.status().is_server_error();
        let cache_policy = if shared && !extensions.contains::<Personal>() {
            CachePolicy::Revalidate
        } else {
            CachePolicy::NoStore
        };
        drop(extensions);
        if cache_policy == CachePolicy::Revalidate {
            response = entity_tag::tag(response);
        }
        response = compression::compress_page(response);
        headers::guard(
            response.headers_mut(),
            &self.app.site,
            &self.id,
            cache_policy,
        );
        self.note(
            request.match_pattern().unwrap_or_else(|| "none".to_owned()),
            response.status().as_u16(),
        );
        response
    }

    /// The request is gone with its handler, so the page contains only its id.
    fn fail(&self, error: &Error) -> actix_web::Error {
        let mut response: HttpResponse = self.span.in_scope(|| {
            error.log();
            error_page::without_request(error, &self.id)
        });
        headers::guard(
            response.headers_mut(),
            &self.app.site,
            &self.id,
            CachePolicy::NoStore,
        );
        self.note("none".to_owned(), response.status().as_u16());
        InternalError::from_response(error.to_string(), response).into()
    }

    fn note(&self, route: String, status: u16) {
        let ms = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.span
            .record("route", route.as_str())
            .record("status", status)
            .record("ms", ms);
        self.span.in_scope(|| tracing::info!("answered"));
        metrics::record(self.method, route, status, self.since);
    }
}

/// Maps methods to a fixed set of names, which bounds the number of metrics.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    }
}
