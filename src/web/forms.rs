//! Forms: read within their limits, then held against the visitor who sent them.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    pin::Pin,
    time::{Duration, Instant},
};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest, HttpResponse,
    dev::Payload,
    http::header::{CONTENT_ENCODING, CONTENT_LENGTH},
    rt::time::timeout,
    web::BytesMut,
};
use futures_util::{FutureExt, StreamExt};
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    AppState,
    csrf::Forgery,
    error::{Error, Result},
    error_page,
    request::ActsUntil,
    view::{Retained, Visit},
    visitor::{Standing, Visitor},
};

/// A form as it was typed, and whether it may be acted upon: for forms whose text comes back to
/// the one who typed it, whatever happens.
pub(super) struct Submitted<T> {
    fields: T,
    /// The token that came with it.
    token: String,
    verdict: Result<()>,
}

/// A form that was sent from one of our pages by whom it was given to.
pub(super) struct SignedForm<T>(pub T);

/// A form with a button and no fields of its own.
#[derive(Deserialize)]
pub(super) struct Nothing {}

#[derive(Deserialize)]
struct Token {
    #[serde(default)]
    csrf_token: String,
}

type Reading<T> = Pin<Box<dyn Future<Output = Result<T>>>>;

impl<T: DeserializeOwned + 'static> FromRequest for Submitted<T> {
    type Error = Error;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move {
            let body = read(&request, payload).await?;
            if !is_text(&body) {
                return Err(Error::BadForm);
            }
            let fields = serde_urlencoded::from_bytes(&body).map_err(|_| Error::BadForm)?;
            let Token { csrf_token } =
                serde_urlencoded::from_bytes(&body).map_err(|_| Error::BadForm)?;
            let verdict = verify(&request, &csrf_token);
            Ok(Self {
                fields,
                token: csrf_token,
                verdict,
            })
        })
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for SignedForm<T> {
    type Error = Error;
    type Future = Reading<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let form = Submitted::from_request(request, payload);
        Box::pin(async move { form.await?.signed().map(Self) })
    }
}

impl<T> Submitted<T> {
    /// As a form for members: where nobody is logged in any more, that comes first.
    pub(super) fn of_member(mut self, visitor: &Visitor) -> Self {
        let logged_out = visitor.standing() == Standing::Anonymous;
        if logged_out && !self.is_foreign() {
            self.verdict = Err(Error::LoggedOut);
        }
        self
    }

    /// Acts upon the form. Whatever comes in the way, it goes back to whoever typed it; but what
    /// another site sent nobody typed here.
    pub(super) async fn answer(
        self,
        visitor: &Visitor,
        act: impl AsyncFnOnce(&T) -> Result<HttpResponse>,
        give_back: impl FnOnce(&T, &Visit, &Error) -> Retained,
    ) -> Result<HttpResponse> {
        let foreign = self.is_foreign();
        let answered = match self.verdict {
            Ok(()) => in_time(visitor.request(), act(&self.fields)).await,
            Err(error) => Err(error),
        };
        match answered {
            Err(error) if !foreign => {
                let visit = visitor.visit_again(&self.token);
                let retained = give_back(&self.fields, &visit, &error);
                Ok(error_page::retain(visitor, &error, &visit, retained))
            }
            answered => answered,
        }
    }

    /// The fields, where the form may be acted upon.
    pub(super) fn signed(self) -> Result<T> {
        self.verdict.map(|()| self.fields)
    }

    fn is_foreign(&self) -> bool {
        matches!(self.verdict, Err(Error::Forged(Forgery::Foreign)))
    }
}

/// The action's answer, unless it panics or takes so long that the whole request would be ended,
/// and the form with it.
async fn in_time(
    request: &HttpRequest,
    act: impl Future<Output = Result<HttpResponse>>,
) -> Result<HttpResponse> {
    let until = request.extensions().get::<ActsUntil>().copied();
    let left = until.map_or(Duration::MAX, |ActsUntil(until)| {
        until.saturating_duration_since(Instant::now())
    });
    match timeout(left, AssertUnwindSafe(act).catch_unwind()).await {
        Ok(Ok(answered)) => answered,
        Ok(Err(_panic)) => Err(Error::Internal("a handler panicked".to_owned())),
        Err(_elapsed) => Err(Error::TimedOut),
    }
}

/// The body, if it is a plain form, not too large, and there in time. Half of a request's time is
/// for the body, so that the handler has its own.
async fn read(request: &HttpRequest, payload: Payload) -> Result<BytesMut> {
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
    let arrived = timeout(half, collect(payload, limit));
    arrived.await.map_err(|_| Error::TooSlow)?
}

async fn collect(mut payload: Payload, limit: usize) -> Result<BytesMut> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| Error::BadForm)?;
        if body.len() + chunk.len() > limit {
            return Err(Error::TooLarge { limit });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn verify(request: &HttpRequest, token: &str) -> Result<()> {
    let visitor = Visitor::of(request);
    visitor.sent_from_here()?;
    match visitor.standing() {
        Standing::Unknown(reason) => Err(Error::Unavailable(reason)),
        _ if visitor.gave(token) => Ok(()),
        _ => Err(Forgery::Stale.into()),
    }
}

/// Whether a form is UTF-8 once its escapes are undone: what is not would be altered in silence.
fn is_text(form: &[u8]) -> bool {
    let mut decoded = Vec::with_capacity(form.len());
    let mut rest = form.iter();
    while let Some(byte) = rest.next() {
        let digits = rest.as_slice().get(..2).filter(|_| *byte == b'%');
        let escaped = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if escaped.is_some() {
            rest.nth(1);
        }
        decoded.push(escaped.unwrap_or(*byte));
    }
    std::str::from_utf8(&decoded).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_text_only_if_it_is_so_once_its_escapes_are_undone() {
        for text in ["", "a=b+c", "m=%C3%A9", "m=100%", "m=%zz", "m=%f0%9f%90%a6"] {
            assert!(is_text(text.as_bytes()), "{text}");
        }
        for bytes in [&b"m=%ff%fe"[..], b"m=%C3", b"m=\xff", b"m=%c3%28"] {
            assert!(!is_text(bytes), "{bytes:?}");
        }
    }
}
