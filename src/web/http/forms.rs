//! Submitted forms, verified against their visitor.

use std::{
    future::{Future, Ready, ready},
    panic::AssertUnwindSafe,
    time::{Duration, Instant},
};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest, HttpResponse, dev::Payload, rt::time::timeout,
};
use futures_util::FutureExt;
use percent_encoding::percent_decode;
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    arrival,
    csrf::{self, Forgery},
    errors::{Error, Result, error_page, view::Retained},
    request::ActsUntil,
    session::{
        current_user::CurrentUser,
        visitor::{FormOwner, LoginState, Visitor},
    },
};
use crate::web::{AppState, parts::visit::Visit};

/// A submitted form and its verification result. For forms that give back their text after any
/// error.
pub struct Submitted<T> {
    fields: T,
    token: String,
    idempotency_key: String,
    verdict: Result<()>,
}

/// A form for members that gives back its text after any error. If the sender is logged out, that error
/// comes first.
pub struct MemberForm<T> {
    form: Submitted<T>,
    visitor: Visitor,
}

/// A form that was sent from one of our pages by its own visitor.
pub struct SignedForm<T>(pub T);

/// A form with a button and no other fields.
#[derive(Deserialize)]
pub struct Nothing {}

/// The hidden fields of a form.
#[derive(Deserialize)]
struct HiddenFields {
    #[serde(default)]
    csrf_token: String,
    /// Empty in forms that create nothing.
    #[serde(default)]
    idempotency_key: String,
}

impl<T: DeserializeOwned> FromRequest for Submitted<T> {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request))
    }
}

impl<T: DeserializeOwned> FromRequest for MemberForm<T> {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let visitor = Visitor::of(request);
        let form = Submitted::of(request);
        let form = form.map(|form| form.of_member(&visitor).of_its_account(&visitor));
        ready(form.map(|form| Self { form, visitor }))
    }
}

impl<T: DeserializeOwned> FromRequest for SignedForm<T> {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Submitted::of(request).and_then(|form| form.signed().map(Self)))
    }
}

impl<T: DeserializeOwned> Submitted<T> {
    fn of(request: &HttpRequest) -> Result<Self> {
        let body = arrival::take_body(request)?;
        if !is_text(&body) {
            return Err(Error::BadForm);
        }
        let fields = serde_urlencoded::from_bytes(&body).map_err(|_| Error::BadForm)?;
        let HiddenFields {
            csrf_token,
            idempotency_key,
        } = serde_urlencoded::from_bytes(&body).map_err(|_| Error::BadForm)?;
        if let Some(owner) = csrf::named_member(&csrf_token) {
            request.extensions_mut().insert(FormOwner(owner));
        }
        let verdict = verify(request, &csrf_token);
        Ok(Self {
            fields,
            token: csrf_token,
            idempotency_key,
            verdict,
        })
    }
}

impl<T> Submitted<T> {
    /// Treats the form as one for members: if the visitor is logged out, that error comes first.
    pub fn of_member(mut self, visitor: &Visitor) -> Self {
        let is_anonymous = matches!(visitor.login_state(), LoginState::Anonymous);
        if is_anonymous && !self.is_foreign() {
            self.verdict = Err(Error::LoggedOut);
        }
        self
    }

    /// Treats the form as one of the account that opened it: if another one is logged in, that error comes first.
    fn of_its_account(mut self, visitor: &Visitor) -> Self {
        if let LoginState::Member(member) = visitor.login_state()
            && visitor.form_owner().is_some_and(|owner| owner != member.id)
            && !self.is_foreign()
        {
            self.verdict = Err(Forgery::OfOtherAccount.into());
        }
        self
    }

    /// Runs the form's action. After an error, the visitor gets the form back. Forms from other
    /// sites are not given back. Nor are forms about missing things, unless the action names the thing with
    /// [`Error::of_form_about`].
    pub async fn answer(
        self,
        visitor: &Visitor,
        act: impl AsyncFnOnce(&T) -> Result<HttpResponse>,
        give_back: impl FnOnce(&T, &Visit, &Error) -> Retained,
    ) -> Result<HttpResponse> {
        let foreign = self.is_foreign();
        let answered = match self.verdict {
            // The futures of actions are large. Each layer around one would hold it once more.
            Ok(()) => in_time(visitor.request(), Box::pin(act(&self.fields))).await,
            Err(error) => Err(error),
        };
        match answered {
            Err(error) if !foreign && !matches!(error, Error::NotFound) => {
                if matches!(error, Error::LoggedOut) {
                    visitor.treat_as_logged_out();
                }
                let visit = visitor.visit_again(&self.token);
                let retained = match error {
                    // The form keeps its token, so only its owner can send it.
                    Error::Forged(Forgery::OfOtherAccount) => {
                        let mut of_owner = visit.clone();
                        of_owner.csrf_token.clone_from(&self.token);
                        give_back(&self.fields, &of_owner, &error).of_other()
                    }
                    _ => give_back(&self.fields, &visit, &error),
                };
                Ok(error_page::retain(visitor, &error, &visit, retained))
            }
            answered => answered,
        }
    }

    /// Returns the fields if the form is verified.
    pub fn signed(self) -> Result<T> {
        self.verdict.map(|()| self.fields)
    }

    fn is_foreign(&self) -> bool {
        matches!(self.verdict, Err(Error::Forged(Forgery::Foreign)))
    }
}

impl<T> MemberForm<T> {
    /// Runs the member's action. After an error, the sender gets the form back, like
    /// [`Submitted::answer`].
    pub async fn answer(
        self,
        act: impl AsyncFnOnce(&CurrentUser, &T) -> Result<HttpResponse>,
        give_back: impl FnOnce(&T, &Visit, &Error) -> Retained,
    ) -> Result<HttpResponse> {
        let Self { form, visitor } = self;
        let sent_key = form.idempotency_key.clone();
        let act_as_member = async |fields: &T| {
            let member = visitor.member()?.ok_or(Error::LoggedOut)?;
            let me = CurrentUser::new(member, visitor.clone());
            visitor.forget_edit_sent_as_new(&sent_key);
            let app = AppState::of(visitor.request());
            app.site.fair_shares.check_form(me.id)?;
            act(&me, fields).await
        };
        form.answer(&visitor, act_as_member, give_back).await
    }
}

/// Awaits the action. Panics and time-outs become errors, so that the form is not lost.
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

fn verify(request: &HttpRequest, token: &str) -> Result<()> {
    let visitor = Visitor::of(request);
    visitor.sent_from_here()?;
    match visitor.login_state() {
        LoginState::Unknown(unread) => Err(unread.into()),
        _ if visitor.gave(token) => Ok(()),
        _ => Err(Forgery::Stale.into()),
    }
}

/// Returns whether a form is UTF-8 after percent-decoding: other bytes would be changed silently.
fn is_text(form: &[u8]) -> bool {
    percent_decode(form).decode_utf8().is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::forms::*;

    #[test]
    fn a_form_must_be_text_after_percent_decoding() {
        for text in ["", "a=b+c", "m=%C3%A9", "m=100%", "m=%zz", "m=%f0%9f%90%a6"] {
            assert!(is_text(text.as_bytes()), "{text}");
        }
        for bytes in [&b"m=%ff%fe"[..], b"m=%C3", b"m=\xff", b"m=%c3%28"] {
            assert!(!is_text(bytes), "{bytes:?}");
        }
    }
}
