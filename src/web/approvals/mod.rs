//! People who ask to join: the queue of those who answer them, and the page of an applicant.

pub(super) mod applicant;
pub(super) mod handlers;
mod view;
