//! The sender of a request: a visitor, or a logged-in member. Also issues the form tokens.
//! The file has over 400 lines because its tests need the private fields.

use std::{
    future::{Ready, ready},
    rc::Rc,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use actix_session::{Session, SessionExt};
use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, http::Method};

use url::{Position, Url};

use super::session_store::{KEY, LOADED, UNAVAILABLE};
use crate::{
    domain::{IdempotencyKey, LocalPath, Login, Restriction, UserId, Zone},
    store::{Actor, Loaded, ReadMode, UnixMs, Viewer},
    web::{
        AppState, assets,
        http::{
            admission::TurnedAway,
            csrf::{self, Forgery},
            errors::{Error, Result},
            page_cache::Cacheable,
        },
        parts::visit::{Me, Visit, WaitingWork, Who},
    },
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub id: UserId,
    pub login: Login,
    /// The session's copy of the display name.
    pub name: String,
}

/// The content of the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginState {
    Anonymous,
    Member(Member),
    /// There may be a session, but it could not be read.
    Unknown(Unread),
}

/// Why a session was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
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
pub struct Visitor {
    request: HttpRequest,
    session: Session,
}

/// The new seed of form tokens that this response sets as a cookie.
pub struct FreshSeed(pub String);

/// The cached content of the session, until a write.
struct Found {
    login_state: LoginState,
    loaded: Option<Rc<Loaded>>,
}

/// The member that the token of the sent form names.
pub struct FormOwner(pub UserId);

/// Marks a request whose session ended during its action.
struct SessionOver;

/// Marks a response for one person, which must not be stored.
pub struct Personal;

impl Visitor {
    pub fn of(request: &HttpRequest) -> Self {
        let visitor = Self {
            request: request.clone(),
            session: request.get_session(),
        };
        if visitor.login_state() != LoginState::Anonymous {
            request.extensions_mut().insert(Personal);
        }
        visitor
    }

    pub fn request(&self) -> &HttpRequest {
        &self.request
    }

    /// Treats the visitor as logged out, because the session ended during the action.
    pub fn treat_as_logged_out(&self) {
        self.request.extensions_mut().insert(SessionOver);
    }

    pub fn login_state(&self) -> LoginState {
        if self.request.extensions().contains::<SessionOver>() {
            return LoginState::Anonymous;
        }
        if self.request.extensions().contains::<TurnedAway>() {
            return LoginState::Unknown(Unread::TurnedAway);
        }
        self.found().login_state.clone()
    }

    /// Returns the session as the store loaded it.
    pub fn loaded(&self) -> Option<Rc<Loaded>> {
        self.found().loaded.clone()
    }

    fn found(&self) -> Rc<Found> {
        let cached = self.request.extensions().get::<Rc<Found>>().cloned();
        cached.unwrap_or_else(|| {
            let found = Rc::new(self.read_session());
            self.request.extensions_mut().insert(Rc::clone(&found));
            found
        })
    }

    fn read_session(&self) -> Found {
        let loaded: Option<Loaded> = self.session.get(LOADED).ok().flatten();
        let unavailable = self.session.get(UNAVAILABLE).ok().flatten();
        let login_state = match (&loaded, unavailable) {
            (_, Some(reason)) => LoginState::Unknown(Unread::Away(reason)),
            (Some(Loaded { state, .. }), None) => LoginState::Member(Member {
                id: state.uid,
                login: state.login.clone(),
                name: state.name.clone(),
            }),
            (None, None) => LoginState::Anonymous,
        };
        let loaded = loaded.map(Rc::new);
        Found {
            login_state,
            loaded,
        }
    }

    /// Returns the member, if the visitor is one. Fails if the session could not be read.
    pub fn member(&self) -> Result<Option<Member>> {
        match self.login_state() {
            LoginState::Anonymous => Ok(None),
            LoginState::Member(member) => Ok(Some(member)),
            LoginState::Unknown(unread) => Err(unread.into()),
        }
    }

    /// Returns the actor of the member's writes, which the store accepts only while the session
    /// exists.
    pub fn actor(&self, id: UserId) -> Actor {
        Actor::in_session(id, self.epoch().unwrap_or_default())
    }

    /// Returns the epoch in which the session began.
    pub fn epoch(&self) -> Option<String> {
        Some(self.loaded()?.state.epoch.clone())
    }

    /// Returns the viewer for the store's reads.
    pub fn viewer(&self) -> Result<Viewer> {
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
        let member = match self.login_state() {
            LoginState::Member(Member { id, .. }) => Some(id),
            LoginState::Anonymous | LoginState::Unknown(_) => self.form_owner(),
        };
        csrf::token(&self.app().site.keys.csrf, &seed, member)
    }

    /// Allows the page of this visit to be cached. While its sources are unchanged, it is served from the cache with
    /// another token and another idempotency key. Pages of a restricted member are never cached.
    pub fn allow_caching(&self, visit: &Visit, key: &IdempotencyKey) {
        let Some(loaded) = self.loaded() else { return };
        if loaded.restriction.is_none() {
            self.request.extensions_mut().insert(Cacheable {
                member: loaded.state.uid,
                seed: loaded.state.csrf.clone(),
                token: visit.csrf_token.clone(),
                idempotency_key: key.clone(),
            });
        }
    }

    /// Returns the member who opened the sent form, also if their session has ended.
    pub fn form_owner(&self) -> Option<UserId> {
        let extensions = self.request.extensions();
        let owner = extensions.get::<FormOwner>();
        owner.map(|FormOwner(owner)| *owner)
    }

    /// Returns whether this token was issued to this visitor.
    pub fn gave(&self, token: &str) -> bool {
        self.seed()
            .is_some_and(|seed| csrf::matches(&self.app().site.keys.csrf, &seed, token))
    }

    /// Fails with [`Forgery::Foreign`] if the browser says that another site sent the form.
    pub fn sent_from_here(&self) -> Result<()> {
        let (site, origin) = (self.header("sec-fetch-site"), self.header("origin"));
        if csrf::same_origin(site, origin, &self.app().site.origin) {
            Ok(())
        } else {
            Err(Forgery::Foreign.into())
        }
    }

    /// Returns the visit for a page that shows no form to visitors.
    pub fn visit(&self) -> Visit {
        match self.login_state() {
            LoginState::Member(_) => self.visit_with_form(),
            LoginState::Anonymous | LoginState::Unknown(_) => self.visit_with(String::new()),
        }
    }

    /// Returns the visit for a page with a form for everyone. A visitor without a session gets a
    /// cookie.
    pub fn visit_with_form(&self) -> Visit {
        let shown = self.take_notice();
        let uri = self.request.uri();
        let page = uri
            .path_and_query()
            .map_or(uri.path(), |page| page.as_str());
        Visit {
            place: shown.as_ref().and_then(|shown| shown.place),
            notice_page: shown.as_ref().map(|_| page.to_owned()),
            notice: self
                .notice_of_restored()
                .or_else(|| shown.map(|shown| shown.notice)),
            ..self.visit_with(self.token())
        }
    }

    /// Returns the visit for a form that is given back. If the session could not be read, the form
    /// keeps its token, which is valid again when Redis is back. The notice waits.
    pub fn visit_again(&self, sent_token: &str) -> Visit {
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
            form_owner: self.form_owner(),
            unread: self.loaded().map_or(0, |loaded| loaded.unread),
            requests: self.loaded().map_or(0, |loaded| loaded.requests),
            unread_chats: self.loaded().map_or(0, |loaded| loaded.unread_chats),
            waiting: match self.login_state() {
                LoginState::Member(Member { id, .. }) => {
                    WaitingWork::of(&self.app().store.known_staff_state(), id)
                }
                LoginState::Anonymous | LoginState::Unknown(_) => WaitingWork::default(),
            },
            frozen_until: self.frozen_until(),
            now: now(),
            zone: self.zone(),
            notice: None,
            notice_page: None,
            place: None,
            theme: self.app().site.cookies.theme(&self.request),
            is_posting_closed: self.app().store.memory_use().is_almost_full(),
            assets: assets::of_layout(),
            site: self.app().store.known_site(),
            origin: Arc::clone(&AppState::of(&self.request).site.origin),
            fragments: Arc::clone(&AppState::of(&self.request).site.fragments),
        }
    }

    /// Returns the time zone that the member chose, or UTC.
    pub fn zone(&self) -> Zone {
        let loaded = self.loaded();
        loaded.map(|loaded| loaded.zone.clone()).unwrap_or_default()
    }

    fn frozen_until(&self) -> Option<UnixMs> {
        match self.loaded()?.restriction {
            Some(Restriction::Frozen(until_ms)) => {
                Some(UnixMs(until_ms)).filter(|until| now() < *until)
            }
            _ => None,
        }
    }

    /// Returns how the page is read. HEAD requests and browser prefetches do not count as visits.
    pub fn read_mode(&self) -> ReadMode {
        let purpose = self.header("sec-purpose").or(self.header("purpose"));
        let prefetched = purpose.is_some_and(|purpose| purpose.contains("prefetch"));
        match *self.request.method() {
            Method::GET if !prefetched => ReadMode::Visit,
            _ => ReadMode::Prefetch,
        }
    }

    /// Returns the requested path with its query, to return to.
    pub fn path(&self) -> LocalPath {
        let path = self.request.uri().path_and_query();
        path.and_then(|path| LocalPath::parse(path.as_str()))
            .unwrap_or_default()
    }

    /// Returns the page of this site that contained the form or link, by the Referer header. Browsers may
    /// know the site by another address than the public one.
    pub fn came_from(&self) -> Option<LocalPath> {
        let referer = Url::parse(self.header("referer")?).ok()?;
        let known = referer.origin().ascii_serialization() == *self.app().site.origin;
        let asked = self.header("host") == Some(referer.authority());
        let page = &referer[Position::BeforePath..Position::AfterQuery];
        LocalPath::parse(page).filter(|_| known || asked)
    }

    fn seed(&self) -> Option<String> {
        if let Some(fresh) = self.request.extensions().get::<FreshSeed>() {
            return Some(fresh.0.clone());
        }
        match self.login_state() {
            LoginState::Member(_) => Some(self.loaded()?.state.csrf.clone()),
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

    pub fn app(&self) -> &AppState {
        AppState::of(&self.request)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let value = self.request.headers().get(name)?;
        value.to_str().ok()
    }

    /// Writes the loaded session as it is now stored, and sends the cookie again.
    pub(super) fn write(&self, loaded: &Loaded) {
        self.forget_found();
        let written = self.session.insert(LOADED, loaded);
        written.expect("a session is always JSON");
    }

    /// Replaces the session in the cookie by a new one with this key.
    pub(super) fn move_to(&self, key: String) {
        self.forget_found();
        self.session.clear();
        let written = self.session.insert(KEY, key);
        written.expect("text is always JSON");
        self.session.renew();
    }

    /// Ends the session and removes its cookie.
    pub(super) fn clear_session(&self) {
        self.forget_found();
        self.session.purge();
    }

    fn forget_found(&self) {
        self.request.extensions_mut().remove::<Rc<Found>>();
    }
}

pub fn now() -> UnixMs {
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
    use crate::store::SessionState;

    /// A visitor whose session contains a member.
    fn member() -> Visitor {
        let request = TestRequest::get().to_http_request();
        let loaded = Loaded {
            state: SessionState {
                uid: UserId::new(42).unwrap(),
                login: Login::stored("alice").unwrap(),
                name: "Alice".to_owned(),
                epoch: "e1".to_owned(),
                agent: String::new(),
                created: UnixMs(0),
                seen: UnixMs(0),
                csrf: "00ff".to_owned(),
                pending_form: None,
            },
            digest: "0123".to_owned(),
            unread: 0,
            requests: 0,
            unread_chats: 0,
            restriction: None,
            zone: Default::default(),
        };
        request.get_session().insert(LOADED, loaded).unwrap();
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
        let mut loaded = Loaded::clone(&visitor.loaded().unwrap());
        loaded.state.name = "Alice Arden".to_owned();
        visitor.write(&loaded);
        let LoginState::Member(member) = visitor.login_state() else {
            panic!("a member stays one");
        };
        assert_eq!(member.name, "Alice Arden");
    }
}
