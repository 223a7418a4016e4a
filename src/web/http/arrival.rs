//! Runs before any Redis access: reads the body of a form, then takes a place among the concurrent
//! requests. So the session is loaded when the form has arrived completely: a session that ended
//! meanwhile is found ended, and slow clients occupy no place. All bodies share a memory limit, and
//! connections with slow bodies are ended first when connections run short.

use actix_web::{
    HttpMessage, HttpRequest,
    body::{BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    error::PayloadError,
    http::{
        Method,
        header::{CONTENT_ENCODING, CONTENT_LENGTH, COOKIE},
    },
    middleware::Next,
    rt::time::timeout,
};
use futures_util::StreamExt;

use super::{
    activity::Activity,
    admission::{Purpose, TurnedAway},
    body::{Body, Full},
    client,
    errors::{Error, Result},
    fair_share::is_for_log_in,
};
use crate::{
    store::Network,
    web::{AppState, routes},
};

/// The body of a form, for its extractor.
struct Form(Result<Body>);

/// The middleware around the session middleware.
pub async fn middleware<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> std::result::Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let is_form = request.method() == Method::POST;
    let network = client::network(request.request());
    if is_form {
        let payload = request.take_payload();
        let body = read(request.request(), payload, network).await;
        if matches!(body, Err(Error::Overloaded)) {
            return Ok(request.error_response(Error::Overloaded));
        }
        request.extensions_mut().insert(Form(body));
    }
    let app = AppState::of(request.request());
    let purpose = match is_for_log_in(request.path()) {
        true => Purpose::LogIn,
        false => Purpose::Other,
    };
    let held = app.admission.take(network, purpose);
    match &held {
        Some(held) => {
            request.extensions_mut().insert(held.clone());
        }
        None => {
            request.extensions_mut().insert(TurnedAway);
            if !is_form {
                return Ok(request.error_response(Error::Overloaded));
            }
            // Without cookies no session is loaded. The form is given back with its text.
            request.headers_mut().remove(COOKIE);
        }
    }
    let response = next.call(request).await;
    if let Some(held) = held {
        held.release();
    }
    Ok(response?.map_into_boxed_body())
}

/// The inner middleware, for requests that are admitted and that people wait for (not probes): it pauses deliveries for a
/// moment. A page from the cache of pages pauses them there.
pub async fn page_begins<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> std::result::Result<ServiceResponse<B>, actix_web::Error> {
    AppState::of(request.request()).store.page_begins();
    next.call(request).await
}

/// Takes the body of the request's form. It can be taken once.
pub(super) fn take_body(request: &HttpRequest) -> Result<Body> {
    let form = request.extensions_mut().remove::<Form>();
    form.map_or(Err(Error::BadForm), |Form(body)| body)
}

/// Returns how many usual forms a form can take. The pages of the site have the longest texts, and a character of another
/// script takes up to twelve bytes in a form.
fn size_of_form(path: &str) -> usize {
    match path {
        routes::ADMIN_SITE_TEXTS => 4,
        _ => 1,
    }
}

/// Reads the body if it is a plain form, small enough and in time. The body gets half of the
/// request's time, so that the handler has the rest.
async fn read(request: &HttpRequest, payload: Payload, network: Network) -> Result<Body> {
    let app = AppState::of(request);
    let limit = app.site.config.limits.max_form_bytes * size_of_form(request.path());
    let declared = request.headers().get(CONTENT_LENGTH);
    let declared = declared.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if !request
        .content_type()
        .eq_ignore_ascii_case("application/x-www-form-urlencoded")
        || request.headers().contains_key(CONTENT_ENCODING)
    {
        return Err(Error::UnsupportedType);
    }
    if declared.is_some_and(|length| length > limit as u64) {
        return Err(Error::TooLarge { limit });
    }
    let half = app.site.config.timeouts.request / 2;
    let _arriving = request.conn_data::<Activity>().map(Activity::body);
    let arrived = timeout(
        half,
        collect(payload, limit, app.bodies.begin(network, limit)),
    );
    arrived.await.map_err(|_| Error::TooSlow)?
}

async fn collect(mut payload: Payload, limit: usize, mut body: Body) -> Result<Body> {
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(broken_off)?;
        if body.len() + chunk.len() > limit {
            return Err(Error::TooLarge { limit });
        }
        body.add(&chunk).map_err(|Full| Error::Overloaded)?;
    }
    Ok(body)
}

/// An incomplete body means that the client left or was too slow.
fn broken_off(error: PayloadError) -> Error {
    match error {
        PayloadError::Incomplete(_) => Error::TooSlow,
        _ => Error::BadForm,
    }
}
