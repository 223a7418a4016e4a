//! The routes of direct messages.

use actix_web::web::ServiceConfig;

use crate::{
    domain::ChatList,
    web::{
        messages::{
            changes::{self as message_changes, ChatAction, Removal},
            edits as message_edits, handlers as messages, search as message_search,
            settings as message_settings,
        },
        moderation::reports,
        table::resources::{form, page, page_and_form},
    },
};

/// Registers direct messages.
pub fn message_pages(table: &mut ServiceConfig) {
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
        .service(
            form("/messages/{chat}/accept", message_changes::change).app_data(ChatAction::Accept),
        )
        .service(
            form("/messages/{chat}/ignore", message_changes::change).app_data(ChatAction::Ignore),
        )
        .service(
            form("/messages/{chat}/leave", message_changes::change).app_data(ChatAction::Leave),
        )
        .service(form("/messages/{chat}/mute", message_changes::change).app_data(ChatAction::Mute))
        .service(
            form("/messages/{chat}/unmute", message_changes::change).app_data(ChatAction::Unmute),
        )
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
        .service(page_and_form(
            "/messages/{chat}/{message}/report",
            reports::ask_about_message,
            reports::report_message,
        ))
        .service(form("/messages/{chat}/block", message_changes::block))
        .service(page_and_form(
            "/settings/messages",
            message_settings::show,
            message_settings::update,
        ))
        .service(page("/help/messages", messages::help));
}
