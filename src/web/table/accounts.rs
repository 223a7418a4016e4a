//! The routes of accounts, of their settings and of the administration.

use actix_web::web::ServiceConfig;

use crate::web::{
    accounts::handlers as accounts,
    administration::{handlers as administration, reset_links, suspension, vouching},
    approvals::handlers as approvals,
    blocks::handlers as blocks,
    device_log_ins::handlers as device_log_ins,
    display::handlers as display,
    exports::handlers as exports,
    invitations::handlers as invitations,
    leaving::handlers as leaving,
    mutes::handlers as mutes,
    privacy::handlers as privacy,
    recovery::handlers as recovery,
    rename::handlers as rename,
    sessions::handlers as sessions,
    set_up::handlers as set_up,
    settings::handlers as settings,
    shields::handlers as shields,
    site_texts::handlers as site_texts,
    table::resources::{form, page, page_and_form},
};

/// Registers the pages of accounts and of their settings.
pub fn account_pages(table: &mut ServiceConfig) {
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
        .service(form("/settings/favourites", privacy::show_favourites))
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
pub fn administration_pages(table: &mut ServiceConfig) {
    table
        .service(page("/admin", administration::show))
        .service(page_and_form("/admin/site", set_up::show, set_up::update))
        .service(page_and_form(
            "/admin/site/texts",
            site_texts::edit,
            site_texts::update,
        ))
        .service(page_and_form(
            "/admin/site/shields",
            shields::show,
            shields::update,
        ))
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
        .service(form("/admin/people/{login}/restore", suspension::restore))
        .service(form("/admin/people/{login}/vouch", vouching::vouch))
        .service(form("/admin/people/{login}/reset", reset_links::make));
}
