//! The route table: which handler answers which path and method.

mod accounts;
mod messages;
mod resources;

use actix_web::{
    HttpResponse,
    middleware::from_fn,
    web::{self, Data, ServiceConfig},
};

use self::{
    accounts::{account_pages, administration_pages},
    messages::message_pages,
    resources::{form, nothing_here, page, page_and_form},
};
use crate::web::{
    AppState, assets,
    author_preferences::handlers as author_preferences,
    blocks::handlers as blocks,
    collections::handlers as collections,
    conversations::handlers as conversations,
    edits::handlers as edits,
    everybody::handlers as everybody,
    follows::handlers as follows,
    groups::{
        directory as group_directory, found as found_group, handlers as groups,
        people as group_people, person as group_person, posts as group_posts,
        settings as group_settings,
    },
    health,
    homes::handlers as homes,
    http::{
        answer::see_other,
        arrival,
        errors::error_page,
        fair_share, page_cache,
        session::{memory, restriction, session_store},
    },
    importance::handlers as importance,
    leaving::handlers as leaving,
    lists::{handlers as lists, members::handlers as members},
    live::handlers as live,
    mentions::handlers as mentions,
    moderation::{branch, cases, decisions, queues, reports},
    muted_conversations::handlers as muted_conversations,
    muted_texts::handlers as muted_texts,
    mutes::handlers as mutes,
    notifications::handlers as notifications,
    people::{handlers as people, profile::Tab, reacted_people::Reaction, view::Direction},
    people_files::handlers as people_files,
    pinned_posts::handlers as pinned_posts,
    polls::handlers as polls,
    privacy::handlers as privacy,
    public_log::handlers as public_log,
    reply_control::handlers::{self as reply_control, ReplyState},
    reposts::handlers as reposts,
    routes,
    rules::handlers as rules,
    search::handlers as search,
    site_texts::handlers as site_texts,
    statuses::{handlers as statuses, menu, new_post, press, state},
    tags::handlers as tags,
};
use crate::{
    actions::follows::FilterChange,
    domain::{
        Collection::{Bookmarks, Favourites},
        HomeFilter::HiddenReposts,
        PeopleFile::{Blocked, Following, Muted},
        ProfileView::{Posts, PostsAndReplies},
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
                    .wrap(from_fn(arrival::page_begins))
                    .wrap(from_fn(restriction::middleware))
                    .wrap(from_fn(fair_share::middleware))
                    .wrap(from_fn(memory::middleware))
                    .wrap(from_fn(error_page::middleware))
                    .wrap(sessions)
                    .wrap(from_fn(page_cache::middleware))
                    .wrap(from_fn(arrival::middleware)),
            );
    }
}

fn pages() -> actix_web::Scope {
    web::scope("")
        .configure(frequent_pages)
        .configure(account_pages)
        .configure(administration_pages)
        .configure(reply_control_pages)
        .configure(muting_pages)
        .configure(message_pages)
        .configure(group_pages)
        .configure(moderation_pages)
        .service(page("/rules", rules::show))
        .service(page("/about", site_texts::about))
        .service(page("/privacy", site_texts::privacy))
        .service(page("/moderation", public_log::show))
        .service(page("/everybody", everybody::index))
        .service(page("/help", help))
        .service(page("/help/importance", importance::help))
        .service(page("/help/leaving", leaving::help))
        .service(page("/help/posting", statuses::help))
        .service(page("/live/notice", live::notice))
        .service(page("/compose", new_post::show))
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
        .service(page("/statuses/{id}/menu", menu::show))
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
        .service(form("/statuses/{id}/pin", pinned_posts::create))
        .service(form("/statuses/{id}/unpin", pinned_posts::destroy))
        .service(form("/statuses/{id}/bookmark", collections::create).app_data(Bookmarks))
        .service(form("/statuses/{id}/unbookmark", collections::destroy).app_data(Bookmarks))
        .service(page("/favourites", collections::index).app_data(Favourites))
        .service(page("/bookmarks", collections::index).app_data(Bookmarks))
        .service(page("/profile", people::own))
        .service(page("/mentions", mentions::index))
        .service(page("/mentions/people", mentions::people))
        .service(page("/tags", tags::index))
        .service(page("/tags/{tag}", tags::show))
        .service(form("/tags/{tag}/follow", tags::create))
        .service(form("/tags/{tag}/unfollow", tags::destroy))
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
        .service(page("/@{login}/replies", people::show).app_data(Tab::Statuses(PostsAndReplies)))
        .service(page("/@{login}/favourites", people::show).app_data(Tab::Favourites))
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
        .service(
            form("/@{login}/reposts/hide", follows::filter)
                .app_data(FilterChange::Set(HiddenReposts)),
        )
        .service(
            form("/@{login}/reposts/show", follows::filter)
                .app_data(FilterChange::Clear(HiddenReposts)),
        )
        .service(page("/@{login}/{id}", conversations::show))
        .service(page("/@{login}/{id}/reposts", people::reacted).app_data(Reaction::Repost))
        .service(page("/@{login}/{id}/favourites", people::reacted).app_data(Reaction::Favourite))
        .service(page("/@{login}/{id}/versions", edits::versions))
        .default_service(web::to(nothing_here))
}

/// Registers the pages that people open most often. Paths are compared one after the other, so these come first.
fn frequent_pages(table: &mut ServiceConfig) {
    table
        .service(page("/", homes::show))
        .service(page("/live", live::open))
        .service(page("/notifications", notifications::index))
        .service(page("/important", importance::show))
        .service(page("/search", search::show))
        .service(page("/@{login}", people::show).app_data(Tab::Statuses(Posts)));
}

/// Registers who can reply and quote, hidden replies and detached quotes.
fn reply_control_pages(table: &mut ServiceConfig) {
    table
        .service(page_and_form(
            "/statuses/{id}/reply-control",
            reply_control::show,
            reply_control::update,
        ))
        .service(form("/statuses/{id}/hide", reply_control::set_reply).app_data(ReplyState::Hidden))
        .service(form("/statuses/{id}/show", reply_control::set_reply).app_data(ReplyState::Shown))
        .service(form("/statuses/{id}/detach", reply_control::detach));
}

/// Registers groups.
fn group_pages(table: &mut ServiceConfig) {
    table
        .service(page("/groups", group_directory::index))
        .service(page("/groups/mine", group_directory::mine))
        .service(page("/groups/notices", group_directory::notices))
        .service(page("/help/groups", group_directory::help))
        .service(page_and_form(
            "/groups/new",
            found_group::new,
            found_group::create,
        ))
        .service(page("/groups/{slug}", groups::show))
        .service(page("/groups/{slug}/feed", group_posts::feed))
        .service(page_and_form(
            "/statuses/{id}/remove",
            group_posts::ask_to_remove,
            group_posts::remove,
        ))
        .service(form("/groups/{slug}/join", groups::join))
        .service(form("/groups/{slug}/withdraw", groups::withdraw))
        .service(form("/groups/{slug}/decline", groups::decline))
        .service(page_and_form(
            "/groups/{slug}/leave",
            groups::ask_to_leave,
            groups::leave,
        ))
        .service(form("/groups/{slug}/delivery", groups::deliver))
        .service(form("/groups/{slug}/take-over", groups::take_over))
        .service(page("/groups/{slug}/members", group_people::members))
        .service(page_and_form(
            "/groups/{slug}/members/{login}",
            group_person::show,
            group_person::update,
        ))
        .service(form(
            "/groups/{slug}/members/{login}/press",
            group_person::press,
        ))
        .service(page_and_form(
            "/groups/{slug}/requests",
            group_people::requests,
            group_people::answer,
        ))
        .service(page_and_form(
            "/groups/{slug}/invitations",
            group_people::invitations,
            group_people::invite,
        ))
        .service(form(
            "/groups/{slug}/invitations/withdraw",
            group_people::withdraw_invitation,
        ))
        .service(page("/groups/{slug}/bans", group_people::bans))
        .service(form("/groups/{slug}/bans/end", group_people::unban))
        .service(page("/groups/{slug}/log", group_people::log))
        .service(page_and_form(
            "/groups/{slug}/settings",
            group_settings::edit,
            group_settings::update,
        ))
        .service(page_and_form(
            "/groups/{slug}/delete",
            group_settings::ask,
            group_settings::destroy,
        ));
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
        .service(page_and_form(
            "/groups/{slug}/report",
            reports::ask_about_group,
            reports::report_group,
        ))
        .service(page("/settings/reports", reports::index))
        .service(page("/account/decisions", decisions::index))
        .service(form("/account/decisions/appeal", decisions::create_appeal))
        .service(page("/admin/reports", queues::show).app_data(QueueOf::Reports))
        .service(page("/admin/appeals", queues::show).app_data(QueueOf::Appeals))
        .service(page_and_form(
            "/admin/people/{login}/invited",
            branch::ask,
            branch::freeze,
        ))
        .service(page("/admin/reports/{login}", cases::show))
        .service(page(
            "/admin/reports/{login}/posts/{id}",
            cases::show_with_post,
        ))
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

/// Redirects to one of the two help pages, which link to each other.
async fn help() -> HttpResponse {
    see_other(routes::POSTING_HELP)
}
