//! Profiles, and pages of people: followers and followed people, and those who reacted to a status.

pub(super) mod counts;
pub(super) mod handlers;
pub(super) mod people_list;
pub(super) mod person_row;
pub(super) mod profile;
mod profile_menu;
pub(super) mod reacted_people;
pub(super) mod view;
