//! actix-web: the route table, the handlers, and what every request passes through.

mod accounts;
mod activity;
mod addresses;
mod admission;
mod answer;
mod arrival;
mod assets;
mod author_preferences;
mod body;
mod bookmarks;
mod client;
mod collections;
mod conversations;
mod cookies;
mod csrf;
mod current_user;
mod edits;
mod error;
mod error_page;
mod favourites;
mod follows;
mod forms;
mod headers;
mod health;
mod homes;
mod importance;
mod keys;
mod lists;
mod live;
mod members;
mod memory;
mod mentions;
pub mod metrics;
mod notifications;
mod page_body;
mod people;
mod polls;
mod rate;
mod reposts;
mod request;
mod return_to;
pub mod routes;
mod search;
mod session_store;
mod sessions;
mod settings;
mod statuses;
mod tags;
pub mod view;
mod visitor;
mod words;

use std::{io, sync::Arc};

use actix_web::{
    Handler, HttpRequest, HttpResponse, Resource, Responder, guard,
    middleware::from_fn,
    web::{self, Data, ServiceConfig},
};

pub use activity::{Activity, Doing, Next};
pub use admission::Admission;
pub use body::Bodies;
pub use request::pass;

use crate::{actions::passwords::Hasher, config::Config, live::Streams, store::Store};
use answer::see_other;
use cookies::CookiePolicy;
use error::{Error, Result};
use keys::Keys;

/// What is the same for all threads of a site.
pub struct Site {
    config: Arc<Config>,
    keys: Keys,
    cookies: CookiePolicy,
    /// Scheme, host and port of the public URL, as browsers send them.
    origin: String,
}

impl Site {
    /// # Errors
    ///
    /// The public URL is not fit for sessions, or there is no secret key.
    pub fn new(config: Arc<Config>) -> io::Result<Self> {
        let cookies = CookiePolicy::of(&config.public_url)?;
        let origin = config.public_url.origin().ascii_serialization();
        Ok(Self {
            keys: keys::load_or_create(&config)?,
            config,
            cookies,
            origin,
        })
    }

    /// Warns of a site that listens on the network while its public URL is one of this machine.
    pub fn warn_of_the_network(&self) {
        if !self.cookies.secure && self.config.listen.is_of_the_network() {
            tracing::warn!(
                "listening on the network while REDWING_PUBLIC_URL is {}: from another machine pages may be \
                 read, but over plain http every form is refused. For others than this machine put https \
                 in front and set it (docs/deploy.md)",
                self.origin
            );
        }
    }
}

/// What handlers work with. The store has a connection of its own on each thread.
pub struct AppState {
    pub store: Store,
    pub hasher: Hasher,
    pub admission: Admission,
    pub bodies: Bodies,
    pub streams: Streams,
    pub site: Arc<Site>,
}

impl AppState {
    fn of(request: &HttpRequest) -> &Data<Self> {
        request
            .app_data()
            .expect("every service of the site is given its state")
    }
}

/// Every URL of the site. What needs no session comes first and outside of it; what needs no Redis
/// is answered however many requests are under way.
pub fn table(app: &Data<AppState>) -> impl FnOnce(&mut ServiceConfig) + use<> {
    let sessions = session_store::middleware(&app.site, app.store.clone());
    move |table| {
        table
            .service(page("/healthz", health::alive))
            .service(page("/readyz", health::ready).wrap(from_fn(arrival::middleware)))
            .service(page("/robots.txt", health::robots))
            .service(page("/favicon.ico", assets::favicon))
            .service(page("/static/{file:.+}", assets::show))
            .service(
                pages()
                    .wrap(from_fn(memory::middleware))
                    .wrap(from_fn(error_page::middleware))
                    .wrap(sessions)
                    .wrap(from_fn(arrival::page_begins))
                    .wrap(from_fn(arrival::middleware)),
            );
    }
}

fn pages() -> actix_web::Scope {
    web::scope("")
        .service(page("/", homes::show))
        .service(page("/important", importance::show))
        .service(page("/help", help))
        .service(page("/help/importance", importance::help))
        .service(page("/help/posting", statuses::help))
        .service(page("/live", live::open))
        .service(page_and_form("/signup", accounts::new, accounts::create))
        .service(page_and_form("/login", sessions::new, sessions::create))
        .service(form("/logout", sessions::destroy))
        .service(form("/statuses", statuses::create))
        .service(page("/statuses/{id}", conversations::find))
        .service(page_and_form(
            "/statuses/{id}/delete",
            statuses::ask,
            statuses::destroy,
        ))
        .service(page_and_form(
            "/statuses/{id}/edit",
            edits::edit,
            edits::update,
        ))
        .service(form("/statuses/{id}/vote", polls::vote))
        .service(form("/statuses/{id}/favourite", favourites::create))
        .service(form("/statuses/{id}/unfavourite", favourites::destroy))
        .service(form("/statuses/{id}/repost", reposts::create))
        .service(form("/statuses/{id}/unrepost", reposts::destroy))
        .service(page_and_form(
            "/statuses/{id}/quote",
            reposts::new_quote,
            reposts::quote,
        ))
        .service(form("/statuses/{id}/bookmark", bookmarks::create))
        .service(form("/statuses/{id}/unbookmark", bookmarks::destroy))
        .service(page("/favourites", favourites::index))
        .service(page("/bookmarks", bookmarks::index))
        .service(page("/mentions", mentions::index))
        .service(page("/tags", tags::index))
        .service(page("/tags/{tag}", tags::show))
        .service(form("/tags/{tag}/follow", tags::create))
        .service(form("/tags/{tag}/unfollow", tags::destroy))
        .service(page("/notifications", notifications::index))
        .service(page_and_form("/lists", lists::index, lists::create))
        .service(page("/lists/{n}", lists::show))
        .service(page_and_form(
            "/lists/{n}/members",
            members::index,
            members::create,
        ))
        .service(form("/lists/{n}/members/remove", members::destroy))
        .service(page_and_form("/lists/{n}/edit", lists::edit, lists::update))
        .service(page_and_form(
            "/lists/{n}/delete",
            lists::ask,
            lists::destroy,
        ))
        .service(page("/search", search::show))
        .service(page("/settings", settings::show))
        .service(form("/settings/profile", settings::update_profile))
        .service(form("/settings/password", settings::update_password))
        .service(page("/settings/sessions", sessions::index))
        .service(form("/settings/sessions/revoke", sessions::revoke))
        .service(form("/settings/sessions/revoke-all", sessions::revoke_all))
        .service(page("/@{login}", people::show))
        .service(page("/@{login}/replies", people::show_replies))
        .service(page("/@{login}/followers", people::followers))
        .service(page("/@{login}/following", people::following))
        .service(form("/@{login}/follow", follows::create))
        .service(form("/@{login}/unfollow", follows::destroy))
        .service(form("/@{login}/weight", author_preferences::update))
        .service(form("/@{login}/reposts/hide", follows::hide_reposts))
        .service(form("/@{login}/reposts/show", follows::show_reposts))
        .service(page("/@{login}/{id}", conversations::show))
        .service(page("/@{login}/{id}/reposts", reposts::reposters))
        .service(page("/@{login}/{id}/favourites", favourites::favourited_by))
        .service(page("/@{login}/{id}/versions", edits::versions))
        .default_service(web::to(nothing_here))
}

/// A page, and its head alone.
fn page<F, Args>(path: &str, get: F) -> Resource
where
    F: Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let head = guard::Any(guard::Get()).or(guard::Head());
    let refusal = || async { refuse("GET, HEAD") };
    web::resource(path.to_owned())
        .route(web::route().guard(head).to(get))
        .default_service(web::to(refusal))
}

/// A form that is shown elsewhere.
fn form<F, Args>(path: &str, post: F) -> Resource
where
    F: Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let refusal = || async { refuse("POST") };
    web::resource(path.to_owned())
        .route(web::post().to(post))
        .default_service(web::to(refusal))
}

/// A form and the page that shows it.
fn page_and_form<F, G, Args, Brgs>(path: &str, get: F, post: G) -> Resource
where
    F: Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: Responder + 'static,
    G: Handler<Brgs>,
    Brgs: actix_web::FromRequest + 'static,
    G::Output: Responder + 'static,
{
    let refusal = || async { refuse("GET, HEAD, POST") };
    page(path, get)
        .route(web::post().to(post))
        .default_service(web::to(refusal))
}

fn refuse(allow: &'static str) -> Result<&'static str> {
    Err(Error::MethodNotAllowed { allow })
}

/// Either of the two pages leads to the other.
async fn help() -> HttpResponse {
    see_other(routes::POSTING_HELP)
}

async fn nothing_here() -> Result<&'static str> {
    Err(Error::NotFound)
}
