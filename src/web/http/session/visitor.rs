//! The sender of a request: a visitor, or a logged-in member. Also issues the form tokens.

use std::{
    future::{Ready, ready},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use actix_session::{Session, SessionExt, SessionStatus};
use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, http::Method};

use super::session_store::{KEY, UNAVAILABLE, UNREAD, decode};
use crate::{
    domain::{LocalPath, Login, UserId},
    store::{Actor, ReadMode, SessionState, UnixMs, Viewer},
    web::{
        AppState, assets,
        http::{
            admission::TurnedAway,
            csrf::{self, Forgery},
            errors::{Error, Result},
        },
        parts::visit::{Me, Visit, Who},
    },
};

/// A logged-in person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::web) struct Member {
    pub id: UserId,
    pub login: Login,
    /// The session's copy of the display name.
    pub name: String,
}

/// The content of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::web) enum LoginState {
    Anonymous,
    Member(Member),
    /// There may be a session, but it could not be read.
    Unknown(Unread),
}

/// Why a session was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::web) enum Unread {
    /// Redis is unavailable.
    Away(String),
    /// There is no place among the concurrent requests.
    TurnedAway,
}

impl From<Unread> for Error {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Away(reason) => Self::Unavailable(reason),
            Unread::TurnedAway => Self::Overloaded,
        }
    }
}

/// The sender of a request.
#[derive(Clone)]
pub(in crate::web) struct Visitor {
    request: HttpRequest,
    session: Session,
}

/// The new seed of form tokens that this response sets as a cookie.
pub(in crate::web) struct FreshSeed(pub(in crate::web) String);

/// The cached content of the session, until a write.
struct Found(LoginState);

/// Marks a request whose session ended during its action.
struct SessionOver;

/// Marks a response for one person, which must not be stored.
pub(in crate::web) struct Personal;

impl Visitor {
    pub(in crate::web) fn of(request: &HttpRequest) -> Self {
        let visitor = Self {
            request: request.clone(),
            session: request.get_session(),
        };
        if visitor.login_state() != LoginState::Anonymous {
            request.extensions_mut().insert(Personal);
        }
        visitor
    }

    pub(in crate::web) fn request(&self) -> &HttpRequest {
        &self.request
    }

    /// Treats the visitor as logged out, because the session ended during the action.
    pub(in crate::web) fn treat_as_logged_out(&self) {
        self.request.extensions_mut().insert(SessionOver);
    }

    pub(in crate::web) fn login_state(&self) -> LoginState {
        if self.request.extensions().contains::<SessionOver>() {
            return LoginState::Anonymous;
        }
        if self.request.extensions().contains::<TurnedAway>() {
            return LoginState::Unknown(Unread::TurnedAway);
        }
        if let Some(Found(login_state)) = self.request.extensions().get() {
            return login_state.clone();
        }
        let login_state = self.read_login_state();
        self.request
            .extensions_mut()
            .insert(Found(login_state.clone()));
        login_state
    }

    fn read_login_state(&self) -> LoginState {
        if let Some(reason) = self.entry(UNAVAILABLE) {
            return LoginState::Unknown(Unread::Away(reason));
        }
        let id = self.entry("uid").and_then(|uid| uid.parse().ok());
        let login = self.entry("login").and_then(|login| Login::stored(&login));
        match (id, login) {
            (Some(id), Some(login)) => {
                let name = self.entry("name").unwrap_or_else(|| login.to_string());
                LoginState::Member(Member { id, login, name })
            }
            _ => LoginState::Anonymous,
        }
    }

    /// Returns the member, if the visitor is one.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] or [`Error::Overloaded`] if the session could not be read.
    pub(in crate::web) fn member(&self) -> Result<Option<Member>> {
        match self.login_state() {
            LoginState::Anonymous => Ok(None),
            LoginState::Member(member) => Ok(Some(member)),
            LoginState::Unknown(unread) => Err(unread.into()),
        }
    }

    /// Returns the actor of the member's writes, which the store accepts only while the session
    /// exists.
    pub(in crate::web) fn actor(&self, id: UserId) -> Actor {
        Actor::in_session(id, self.entry("epoch").unwrap_or_default())
    }

    /// Returns the viewer for the store's reads.
    pub(in crate::web) fn viewer(&self) -> Result<Viewer> {
        Ok(self
            .member()?
            .map_or(Viewer::Anonymous, |member| Viewer::Member(member.id)))
    }

    /// Returns a token for the page's forms. A visitor without a session gets a seed cookie.
    fn token(&self) -> String {
        let seed = self.seed().unwrap_or_else(|| {
            let seed = csrf::draw_seed();
            self.request
                .extensions_mut()
                .insert(FreshSeed(seed.clone()));
            seed
        });
        self.request.extensions_mut().insert(Personal);
        csrf::token(&self.app().site.keys.csrf, &seed)
    }

    /// Returns whether this token was issued to this visitor.
    pub(in crate::web) fn gave(&self, token: &str) -> bool {
        self.seed()
            .is_some_and(|seed| csrf::matches(&self.app().site.keys.csrf, &seed, token))
    }

    /// # Errors
    ///
    /// [`Forgery::Foreign`] if the browser says that another site sent the form.
    pub(in crate::web) fn sent_from_here(&self) -> Result<()> {
        let (site, origin) = (self.header("sec-fetch-site"), self.header("origin"));
        if csrf::same_origin(site, origin, &self.app().site.origin) {
            Ok(())
        } else {
            Err(Forgery::Foreign.into())
        }
    }

    /// Returns the visit for a page that shows no form to visitors.
    pub(in crate::web) fn visit(&self) -> Visit {
        match self.login_state() {
            LoginState::Member(_) => self.visit_with_form(),
            LoginState::Anonymous | LoginState::Unknown(_) => self.visit_with(String::new()),
        }
    }

    /// Returns the visit for a page with a form for everyone. A visitor without a session gets a
    /// cookie.
    pub(in crate::web) fn visit_with_form(&self) -> Visit {
        Visit {
            notice: self.take_notice(),
            ..self.visit_with(self.token())
        }
    }

    /// Returns the visit for a form that is given back. If the session could not be read, the form
    /// keeps its token, which is valid again when Redis is back. The notice waits.
    pub(in crate::web) fn visit_again(&self, sent_token: &str) -> Visit {
        match self.login_state() {
            LoginState::Unknown(_) => self.visit_with(sent_token.to_owned()),
            LoginState::Anonymous | LoginState::Member(_) => self.visit_with(self.token()),
        }
    }

    fn visit_with(&self, csrf_token: String) -> Visit {
        let who = match self.login_state() {
            LoginState::Member(Member { id, login, .. }) => Who::Member(Me { id, login }),
            LoginState::Anonymous => Who::Visitor,
            LoginState::Unknown(_) => Who::Unknown,
        };
        Visit {
            who,
            csrf_token,
            unread: self.unread(),
            now: now(),
            notice: None,
            assets: assets::of_layout(),
            fragments: Arc::clone(&AppState::of(&self.request).site.fragments),
        }
    }

    /// Returns the number of unread notifications when the request arrived.
    fn unread(&self) -> u64 {
        let unread = self.entry(UNREAD);
        unread
            .and_then(|unread| unread.parse().ok())
            .unwrap_or_default()
    }

    /// Returns how the page is read. HEAD requests and browser prefetches do not count as visits.
    pub(in crate::web) fn read_mode(&self) -> ReadMode {
        let purpose = self.header("sec-purpose").or(self.header("purpose"));
        let prefetched = purpose.is_some_and(|purpose| purpose.contains("prefetch"));
        match *self.request.method() {
            Method::GET if !prefetched => ReadMode::Visit,
            _ => ReadMode::Prefetch,
        }
    }

    /// Returns the requested path with its query, to return to.
    pub(in crate::web) fn path(&self) -> LocalPath {
        let path = self.request.uri().path_and_query();
        path.and_then(|path| LocalPath::parse(path.as_str()))
            .unwrap_or_default()
    }

    /// Returns the page of this site that contained the form, by the Referer header.
    pub(in crate::web) fn came_from(&self) -> Option<LocalPath> {
        let referer = self.header("referer")?;
        let path = referer.strip_prefix(&self.app().site.origin)?;
        LocalPath::parse(path)
    }

    fn seed(&self) -> Option<String> {
        if let Some(fresh) = self.request.extensions().get::<FreshSeed>() {
            return Some(fresh.0.clone());
        }
        match self.login_state() {
            LoginState::Member(_) => self.entry("csrf"),
            LoginState::Anonymous => self.seed_cookie(),
            LoginState::Unknown(_) => None,
        }
    }

    fn seed_cookie(&self) -> Option<String> {
        let cookie = self.request.cookie(self.app().site.cookies.form_name())?;
        let seed = cookie.value();
        let valid = seed.len() == 32 && seed.bytes().all(|byte| byte.is_ascii_hexdigit());
        valid.then(|| seed.to_owned())
    }

    pub(in crate::web) fn app(&self) -> &AppState {
        AppState::of(&self.request)
    }

    pub(in crate::web) fn header(&self, name: &str) -> Option<&str> {
        let value = self.request.headers().get(name)?;
        value.to_str().ok()
    }

    pub(in crate::web) fn entry(&self, name: &str) -> Option<String> {
        self.session.get(name).ok().flatten()
    }

    /// Returns all stored entries, unless this request has changed the session.
    pub(super) fn stored_state(&self) -> Option<SessionState> {
        let unchanged = self.session.status() == SessionStatus::Unchanged;
        unchanged.then(|| decode(self.session.entries().clone()))
    }

    /// Writes an entry, and sends the cookie again.
    pub(in crate::web) fn write(&self, name: &str, text: String) {
        self.forget_login_state();
        let written = self.session.insert(name, text);
        written.expect("text is always JSON");
    }

    /// Replaces the session in the cookie by a new one with this key.
    pub(super) fn move_to(&self, key: String) {
        self.session.clear();
        self.write(KEY, key);
        self.session.renew();
    }

    /// Ends the session and removes its cookie.
    pub(super) fn clear_session(&self) {
        self.forget_login_state();
        self.session.purge();
    }

    fn forget_login_state(&self) {
        self.request.extensions_mut().remove::<Found>();
    }
}

pub(in crate::web) fn now() -> UnixMs {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    UnixMs(since.as_secs() * 1000 + u64::from(since.subsec_millis()))
}

impl FromRequest for Visitor {
    type Error = Error;
    type Future = Ready<Result<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::super::visitor::*;

    /// A visitor whose session contains a member.
    fn member() -> Visitor {
        let request = TestRequest::get().to_http_request();
        for (name, text) in [("uid", "42"), ("login", "alice"), ("name", "Alice")] {
            request.get_session().insert(name, text).unwrap();
        }
        let visitor = Visitor::of(&request);
        assert!(matches!(visitor.login_state(), LoginState::Member(_)));
        visitor
    }

    #[test]
    fn a_visitor_is_anonymous_after_logging_out() {
        let visitor = member();
        visitor.clear_session();
        assert_eq!(visitor.login_state(), LoginState::Anonymous);
    }

    #[test]
    fn a_visitor_is_anonymous_after_a_session_change() {
        let visitor = member();
        visitor.move_to("43.abc".to_owned());
        assert_eq!(visitor.login_state(), LoginState::Anonymous);
    }

    #[test]
    fn an_ended_session_is_anonymous_despite_its_fields() {
        let visitor = member();
        visitor.treat_as_logged_out();
        assert_eq!(visitor.login_state(), LoginState::Anonymous);
    }

    #[test]
    fn a_written_field_is_read_back_in_the_same_request() {
        let visitor = member();
        visitor.write("name", "Alice Arden".to_owned());
        let LoginState::Member(member) = visitor.login_state() else {
            panic!("a member stays one");
        };
        assert_eq!(member.name, "Alice Arden");
    }
}
