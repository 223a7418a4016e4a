//! Everything that a handler is made of.

pub(super) use actix_web::{HttpResponse, http::StatusCode, web::Data};
pub(super) use serde::Deserialize;
pub(super) use tokio::try_join;

pub(super) use super::{
    AppState,
    addresses::{Before, Named, Numbered, OfRoute},
    http::{
        answer::{page, page_with, see_other},
        errors::{Error, Result, view::Retained},
        forms::{MemberForm, SignedForm, Submitted},
        rate,
        return_to::ReturnTo,
        session::{current_user::CurrentUser, pending_form::PendingForm, visitor::Visitor},
    },
    parts::{field::Typed, notice::Notice, visit::Visit},
    routes,
};
pub(super) use crate::{
    domain::{IdempotencyKey, LocalPath, Login, StatusId, UserId},
    store::{RateLimit, User, Viewer, VisibleStatus},
};
