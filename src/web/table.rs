//! The route table: which handler answers which path and method.

use actix_web::{
    Handler, HttpResponse, Resource, Responder, guard,
    middleware::from_fn,
    web::{self, Data, ServiceConfig},
};

use super::{
    AppState,
    accounts::handlers as accounts,
    assets,
    author_preferences::handlers as author_preferences,
    bookmarks::handlers as bookmarks,
    conversations::handlers as conversations,
    edits::handlers as edits,
    favourites::handlers as favourites,
    follows::handlers as follows,
    health,
    homes::handlers as homes,
    http::{
        answer::see_other,
        arrival,
        errors::{Error, Result, error_page},
        session::{memory, session_store},
    },
    importance::handlers as importance,
    lists::{handlers as lists, members::handlers as members},
    live::handlers as live,
    mentions::handlers as mentions,
    notifications::handlers as notifications,
    people::handlers as people,
    polls::handlers as polls,
    reposts::handlers as reposts,
    routes,
    search::handlers as search,
    sessions::handlers as sessions,
    settings::handlers as settings,
    statuses::handlers as statuses,
    tags::handlers as tags,
};

/// Registers every URL of the site. Routes without a session come first; routes without Redis are
/// served under any load.
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
        .service(form("/@{login}/preference", author_preferences::update))
        .service(form("/@{login}/reposts/hide", follows::hide_reposts))
        .service(form("/@{login}/reposts/show", follows::show_reposts))
        .service(page("/@{login}/{id}", conversations::show))
        .service(page("/@{login}/{id}/reposts", reposts::reposters))
        .service(page("/@{login}/{id}/favourites", favourites::favourited_by))
        .service(page("/@{login}/{id}/versions", edits::versions))
        .default_service(web::to(nothing_here))
}

/// Registers a page for GET and HEAD.
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

/// Registers a form that is shown on another page.
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

/// Registers a form and its page.
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

/// Redirects to one of the two help pages, which link to each other.
async fn help() -> HttpResponse {
    see_other(routes::POSTING_HELP)
}

async fn nothing_here() -> Result<&'static str> {
    Err(Error::NotFound)
}
