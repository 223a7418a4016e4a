//! The post that a report form showed.

use super::signed::{self, FormOf};
use crate::{
    store::ShownPost,
    web::{http::session::visitor::now, prelude::*},
};

/// Returns the value of the form's field. The earliest versions are left out if they do not fit.
pub fn sign(reporter: &CurrentUser, shown: &ShownPost) -> String {
    form(reporter, shown.id()).sign(&shown.to_text(signed::MAX_BYTES), now())
}

/// Returns the post of a form. `None` if the field is not one of this reporter and post, or is older than a day.
pub fn verified(reporter: &CurrentUser, id: StatusId, field: &str) -> Option<ShownPost> {
    let form = form(reporter, id);
    ShownPost::from_signed(form.verified(field, now())?)
}

fn form(reporter: &CurrentUser, id: StatusId) -> FormOf<'_> {
    FormOf::new(reporter, &format!("post {id}"))
}
