//! The post that a report form showed.

use super::signed;
use crate::{store::ShownPost, web::prelude::*};

/// Returns the value of the form's field. The earliest versions are left out if they do not fit.
pub fn sign(reporter: &CurrentUser, mut shown: ShownPost) -> String {
    let is_long = |shown: &ShownPost| shown.post.to_json().len() > signed::MAX_BYTES;
    while is_long(&shown) && !shown.post.versions.is_empty() {
        shown.post.versions.remove(0);
    }
    signed::sign(reporter, &subject(shown.id), shown)
}

/// Returns the post of a form. `None` if the field is not one of this reporter and post, or is older than a day.
pub fn verified(reporter: &CurrentUser, id: StatusId, field: &str) -> Option<ShownPost> {
    signed::verified(reporter, &subject(id), field)
}

fn subject(id: StatusId) -> String {
    format!("post {id}")
}
