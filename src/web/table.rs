//! The route table: which handler answers which path and method.

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, guard,
    http::Method,
    middleware::from_fn,
    web::{self, Data, ServiceConfig},
};

use super::{
    AppState,
    accounts::handlers as accounts,
    administration::{handlers as administration, suspension},
    approvals::handlers as approvals,
    assets,
    author_preferences::handlers as author_preferences,
    blocks::handlers as blocks,
    collections::handlers as collections,
    conversations::handlers as conversations,
    device_log_ins::handlers as device_log_ins,
    display::handlers as display,
    edits::handlers as edits,
    everybody::handlers as everybody,
    exports::handlers as exports,
    follows::handlers as follows,
    health,
    homes::handlers as homes,
    http::{
        answer::see_other,
        arrival,
        errors::{Error, Result, error_page},
        session::{memory, restriction, session_store},
    },
    importance::handlers as importance,
    invitations::handlers as invitations,
    leaving::handlers as leaving,
    lists::{handlers as lists, members::handlers as members},
    live::handlers as live,
    mentions::handlers as mentions,
    messages::{
        changes::{self as message_changes, Change, Removal},
        edits as message_edits, handlers as messages, search as message_search,
        settings as message_settings,
    },
    moderation::{cases, decisions, queues, reports},
    muted_conversations::handlers as muted_conversations,
    muted_texts::handlers as muted_texts,
    mutes::handlers as mutes,
    notifications::handlers as notifications,
    people::{handlers as people, reacted_people::Reaction, view::Direction},
    people_files::handlers as people_files,
    polls::handlers as polls,
    privacy::handlers as privacy,
    recovery::handlers as recovery,
    rename::handlers as rename,
    reply_control::handlers::{self as reply_control, Reply},
    reposts::handlers as reposts,
    routes,
    rules::handlers as rules,
    search::handlers as search,
    sessions::handlers as sessions,
    set_up::handlers as set_up,
    settings::handlers as settings,
    statuses::{handlers as statuses, press, state},
    tags::handlers as tags,
};
use crate::{
    actions::follows::Reposts,
    domain::ChatList,
    domain::{
        Collection::{Bookmarks, Favourites},
        PeopleFile::{Blocked, Following, Muted},
        ProfileView,
    },
    store::{Claiming, QueueOf},
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
                    .wrap(from_fn(restriction::middleware))
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
        .configure(account_pages)
        .configure(administration_pages)
        .configure(reply_control_pages)
        .configure(muting_pages)
        .configure(message_pages)
        .configure(moderation_pages)
        .service(page("/", homes::show))
        .service(page("/important", importance::show))
        .service(page("/rules", rules::show))
        .service(page("/everybody", everybody::index))
        .service(page("/help", help))
        .service(page("/help/importance", importance::help))
        .service(page("/help/leaving", leaving::help))
        .service(page("/help/posting", statuses::help))
        .service(page("/live", live::open))
        .service(page("/live/notice", live::notice))
        .service(form("/statuses", statuses::create))
        .service(form("/statuses/press", press::create))
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
        .service(page("/statuses/{id}/state", state::show))
        .service(form("/statuses/{id}/vote", polls::vote))
        .service(form("/statuses/{id}/favourite", collections::create).app_data(Favourites))
        .service(form("/statuses/{id}/unfavourite", collections::destroy).app_data(Favourites))
        .service(form("/statuses/{id}/repost", reposts::create))
        .service(form("/statuses/{id}/unrepost", reposts::destroy))
        .service(page_and_form(
            "/statuses/{id}/quote",
            reposts::new_quote,
            reposts::quote,
        ))
        .service(form("/statuses/{id}/bookmark", collections::create).app_data(Bookmarks))
        .service(form("/statuses/{id}/unbookmark", collections::destroy).app_data(Bookmarks))
        .service(page("/favourites", collections::index).app_data(Favourites))
        .service(page("/bookmarks", collections::index).app_data(Bookmarks))
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
        .service(page("/@{login}", people::show).app_data(ProfileView::Posts))
        .service(page("/@{login}/replies", people::show).app_data(ProfileView::PostsAndReplies))
        .service(page("/@{login}/followers", people::connections).app_data(Direction::Followers))
        .service(page("/@{login}/following", people::connections).app_data(Direction::Following))
        .service(form("/@{login}/follow", follows::create))
        .service(form("/@{login}/unfollow", follows::destroy))
        .service(form("/@{login}/withdraw", follows::withdraw))
        .service(form("/@{login}/remove", privacy::remove))
        .service(form("/@{login}/block", blocks::create))
        .service(form("/@{login}/mute", mutes::create))
        .service(form("/@{login}/unmute", mutes::destroy))
        .service(form("/@{login}/preference", author_preferences::update))
        .service(form("/@{login}/reposts/hide", follows::set_reposts).app_data(Reposts::Hidden))
        .service(form("/@{login}/reposts/show", follows::set_reposts).app_data(Reposts::Shown))
        .service(page("/@{login}/{id}", conversations::show))
        .service(page("/@{login}/{id}/reposts", people::reacted).app_data(Reaction::Repost))
        .service(page("/@{login}/{id}/favourites", people::reacted).app_data(Reaction::Favourite))
        .service(page("/@{login}/{id}/versions", edits::versions))
        .default_service(web::to(nothing_here))
}

/// Registers who can reply and quote, hidden replies and detached quotes.
fn reply_control_pages(table: &mut ServiceConfig) {
    table
        .service(page_and_form(
            "/statuses/{id}/reply-control",
            reply_control::show,
            reply_control::update,
        ))
        .service(form("/statuses/{id}/hide", reply_control::set_reply).app_data(Reply::Hidden))
        .service(form("/statuses/{id}/show", reply_control::set_reply).app_data(Reply::Shown))
        .service(form("/statuses/{id}/detach", reply_control::detach));
}

/// Registers the pages of accounts and of their settings.
fn account_pages(table: &mut ServiceConfig) {
    table
        .service(page_and_form("/signup", accounts::new, accounts::create))
        .service(page("/invite/{link}", accounts::invited))
        .service(page_and_form("/setup/{token}", set_up::new, set_up::create))
        .service(page_and_form("/login", sessions::new, sessions::create))
        .service(page_and_form(
            "/login/recover",
            recovery::new,
            recovery::recover,
        ))
        .service(page_and_form(
            "/login/reset/{link}",
            recovery::follow_link,
            recovery::reset,
        ))
        .service(form("/login/device", device_log_ins::finish))
        .service(page_and_form(
            "/login/device/{link}",
            device_log_ins::open,
            device_log_ins::claim,
        ))
        .service(page_and_form(
            "/settings/device",
            device_log_ins::start,
            device_log_ins::offer,
        ))
        .service(page_and_form(
            "/settings/device/confirm",
            device_log_ins::ask,
            device_log_ins::confirm,
        ))
        .service(form("/settings/device/cancel", device_log_ins::cancel))
        .service(page_and_form(
            "/settings/export",
            exports::show,
            exports::create,
        ))
        .service(page("/settings/export/archive.zip", exports::download))
        .service(form("/logout", sessions::destroy))
        .service(page("/account", leaving::show))
        .service(form("/account/delete", leaving::destroy))
        .service(form("/account/reactivate", leaving::reactivate))
        .service(page("/settings", settings::show))
        .service(form("/settings/profile", settings::update_profile))
        .service(form("/settings/password", settings::update_password))
        .service(page_and_form(
            "/settings/display",
            display::ask,
            display::choose,
        ))
        .service(page_and_form(
            "/settings/login",
            rename::ask,
            rename::rename,
        ))
        .service(page("/settings/blocked", blocks::index))
        .service(form("/settings/blocked/remove", blocks::destroy))
        .service(page("/settings/muted", mutes::index))
        .service(form("/settings/account", privacy::switch))
        .service(page("/settings/followers", privacy::followers))
        .service(page_and_form(
            "/settings/requests",
            privacy::requests,
            privacy::answer,
        ))
        .service(page_and_form(
            "/settings/privacy",
            privacy::show,
            privacy::update,
        ))
        .service(page_and_form(
            "/settings/invitations",
            invitations::index,
            invitations::create,
        ))
        .service(form("/settings/invitations/revoke", invitations::revoke))
        .service(page_and_form(
            "/settings/recovery",
            recovery::show,
            recovery::create,
        ))
        .service(page_and_form(
            "/settings/leave",
            leaving::ask,
            leaving::leave,
        ))
        .service(page("/settings/sessions", sessions::index))
        .service(form("/settings/sessions/revoke", sessions::revoke))
        .service(form("/settings/sessions/revoke-all", sessions::revoke_all));
}

/// Registers the administration, without reports and decisions.
fn administration_pages(table: &mut ServiceConfig) {
    table
        .service(page("/admin", administration::show))
        .service(page_and_form("/admin/site", set_up::show, set_up::update))
        .service(page_and_form(
            "/admin/approvals",
            approvals::index,
            approvals::answer,
        ))
        .service(page("/admin/people", administration::people))
        .service(page("/admin/people/{login}", administration::person))
        .service(page_and_form(
            "/admin/people/{login}/suspend",
            suspension::ask,
            suspension::suspend,
        ))
        .service(form("/admin/people/{login}/restore", suspension::restore));
}

/// Registers direct messages.
fn message_pages(table: &mut ServiceConfig) {
    table
        .service(page("/messages", messages::index).app_data(ChatList::Chats))
        .service(page("/messages/search", message_search::show))
        .service(page("/messages/requests", messages::index).app_data(ChatList::Requests))
        .service(page_and_form(
            "/messages/new",
            messages::new,
            messages::create,
        ))
        .service(page_and_form(
            "/messages/{chat}",
            messages::show,
            messages::send,
        ))
        .service(form("/messages/{chat}/accept", message_changes::change).app_data(Change::Accept))
        .service(form("/messages/{chat}/ignore", message_changes::change).app_data(Change::Ignore))
        .service(form("/messages/{chat}/leave", message_changes::change).app_data(Change::Leave))
        .service(form("/messages/{chat}/mute", message_changes::change).app_data(Change::Mute))
        .service(form("/messages/{chat}/unmute", message_changes::change).app_data(Change::Unmute))
        .service(form("/messages/{chat}/clear", message_changes::clear))
        .service(form("/messages/{chat}/name", message_changes::rename))
        .service(form("/messages/{chat}/expiry", message_changes::set_expiry))
        .service(
            form("/messages/{chat}/delete", message_changes::remove_message)
                .app_data(Removal::ForEverybody),
        )
        .service(
            form("/messages/{chat}/hide", message_changes::remove_message)
                .app_data(Removal::ForMember),
        )
        .service(page_and_form(
            "/messages/{chat}/{message}/edit",
            message_edits::edit,
            message_edits::update,
        ))
        .service(form("/messages/{chat}/block", message_changes::block))
        .service(page_and_form(
            "/settings/messages",
            message_settings::show,
            message_settings::update,
        ))
        .service(page("/help/messages", messages::help));
}

/// Registers reports, the queue, decisions and appeals.
fn moderation_pages(table: &mut ServiceConfig) {
    table
        .service(page_and_form(
            "/statuses/{id}/report",
            reports::ask_about_post,
            reports::report_post,
        ))
        .service(page_and_form(
            "/@{login}/report",
            reports::ask_about_person,
            reports::report_person,
        ))
        .service(page("/settings/reports", reports::index))
        .service(page("/account/decisions", decisions::index))
        .service(form("/account/decisions/appeal", decisions::create_appeal))
        .service(page("/admin/reports", queues::show).app_data(QueueOf::Reports))
        .service(page("/admin/appeals", queues::show).app_data(QueueOf::Appeals))
        .service(page("/admin/reports/{login}", cases::show))
        .service(form("/admin/reports/{login}/claim", cases::set_claim).app_data(Claiming::Claim))
        .service(
            form("/admin/reports/{login}/release", cases::set_claim).app_data(Claiming::Release),
        )
        .service(form(
            "/admin/reports/{login}/decide",
            cases::create_decision,
        ))
        .service(form("/admin/reports/{login}/end", cases::end))
        .service(form("/admin/reports/{login}/answer", cases::answer));
}

/// Registers muted words and conversations, and the import and export of people.
fn muting_pages(table: &mut ServiceConfig) {
    table
        .service(page_and_form(
            "/settings/muted-words",
            muted_texts::index,
            muted_texts::create,
        ))
        .service(form("/settings/muted-words/remove", muted_texts::destroy))
        .service(page(
            "/settings/muted-conversations",
            muted_conversations::index,
        ))
        .service(form("/statuses/{id}/mute", muted_conversations::create))
        .service(form("/statuses/{id}/unmute", muted_conversations::destroy))
        .service(page_and_form(
            "/settings/files",
            people_files::index,
            people_files::import,
        ))
        .service(
            page(
                "/settings/files/following_accounts.csv",
                people_files::export,
            )
            .app_data(Following),
        )
        .service(
            page("/settings/files/blocked_accounts.csv", people_files::export).app_data(Blocked),
        )
        .service(page("/settings/files/muted_accounts.csv", people_files::export).app_data(Muted));
}

/// Registers a page for GET and HEAD.
fn page<F, Args>(path: &str, get: F) -> Resource
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
{
    let head = guard::Any(guard::Get()).or(guard::Head());
    let refusal = || async { refuse("GET, HEAD") };
    web::resource(path.to_owned())
        .route(web::route().guard(head).to(get))
        .default_service(web::to(refusal))
}

/// Registers a form that is shown on another page. After a failed form, its path is in the address bar, and
/// Enter opens it again: GET leads to the page above it.
fn form<F, Args>(path: &str, post: F) -> Resource
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
{
    page(path, page_of_form)
        .route(web::post().to(post))
        .default_service(web::to(|| async { refuse("GET, HEAD, POST") }))
}

/// Redirects from the path of a form to the page above it: `/settings` for `/settings/profile`.
async fn page_of_form(request: HttpRequest) -> HttpResponse {
    let path = request.path();
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    // The forms to hide and show reposts are on the profile.
    let above = above.strip_suffix("/reposts").unwrap_or(above);
    see_other(if above.is_empty() {
        routes::HOME
    } else {
        above
    })
}

/// Registers a form and its page.
fn page_and_form<F, G, Args, Brgs>(path: &str, get: F, post: G) -> Resource
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
    G: Handler<Brgs, Output: Responder + 'static>,
    Brgs: FromRequest + 'static,
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

/// A path with a slash at its end leads to the path without it. `//host` would be another site.
async fn nothing_here(request: HttpRequest) -> Result<&'static str> {
    let path = request.path().trim_end_matches('/');
    let is_local = path.starts_with('/') && !path.starts_with("//") && !path.contains('\\');
    if !is_local || path.len() == request.path().len() || request.method() == Method::POST {
        return Err(Error::NotFound);
    }
    Err(Error::Moved(match request.query_string() {
        "" => path.to_owned(),
        query => format!("{path}?{query}"),
    }))
}
