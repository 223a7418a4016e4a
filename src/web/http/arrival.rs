//! What comes before anything is asked of Redis: the body of a form, then a place among the
//! requests under way. So the session is looked at when the form is there in full: one that ended
//! while the body trickled in is found ended, and who sends slowly takes nobody's place. All bodies
//! together have so much room, and a connection whose body arrives is among those that make room.

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
    admission::TurnedAway,
    body::{Body, Full},
    errors::{Error, Result},
};
use crate::web::AppState;

/// The body of a form, for the extractor that reads it.
struct Form(Result<Body>);

/// The middleware outside the session's.
pub(in crate::web) async fn middleware<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> std::result::Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let is_form = request.method() == Method::POST;
    if is_form {
        let payload = request.take_payload();
        let body = read(request.request(), payload).await;
        if matches!(body, Err(Error::Overloaded)) {
            return Ok(request.error_response(Error::Overloaded));
        }
        request.extensions_mut().insert(Form(body));
    }
    let app = AppState::of(request.request());
    let admitted = app.admission.take();
    if admitted.is_none() {
        request.extensions_mut().insert(TurnedAway);
        if !is_form {
            return Ok(request.error_response(Error::Overloaded));
        }
        // Without its cookies no session is loaded; the form goes back to whoever typed it.
        request.headers_mut().remove(COOKIE);
    }
    let response = next.call(request).await?;
    Ok(response.map_into_boxed_body())
}

/// The middleware inside of that, for what somebody waits for, as nobody does for a probe: deliveries
/// give way for a moment.
pub(in crate::web) async fn page_begins<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> std::result::Result<ServiceResponse<B>, actix_web::Error> {
    AppState::of(request.request()).store.page_begins();
    next.call(request).await
}

/// The body that came with a form. It is handed out once.
pub(super) fn take_body(request: &HttpRequest) -> Result<Body> {
    let form = request.extensions_mut().remove::<Form>();
    form.map_or(Err(Error::BadForm), |Form(body)| body)
}

/// The body, if it is a plain form, not too large, and there in time. Half of a request's time is
/// for the body, so that the handler has its own.
async fn read(request: &HttpRequest, payload: Payload) -> Result<Body> {
    let app = AppState::of(request);
    let limit = app.site.config.limits.max_form_bytes;
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
    let arrived = timeout(half, collect(payload, limit, app.bodies.begin(limit)));
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

/// A body without its end comes from a client that left, or that was too slow to be waited for.
fn broken_off(error: PayloadError) -> Error {
    match error {
        PayloadError::Incomplete(_) => Error::TooSlow,
        _ => Error::BadForm,
    }
}
