//! Everything that a page or a part of one is made of.

pub use askama::Template;

pub use super::{
    count,
    field::{ErrorSummary, Field, Kind, Typed},
    layout::{Layout, Section, section_of},
    pager::Pager,
    visit::Visit,
};
pub use crate::{
    domain::{Cursor, Page, StatusId},
    store::{User, VisibleStatus},
    web::routes,
};
