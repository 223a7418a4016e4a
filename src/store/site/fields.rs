//! The stored texts of the fields of the site, and the value of a field that has no text.

use super::SiteProfile;
use crate::domain::SiteHue;

/// The stored field if only the people who run the site found groups.
const MODERATORS: &str = "moderators";
/// The stored field if visitors do not see the newest posts.
const MEMBERS: &str = "members";
/// The stored field of a setting that is on.
const ON: &str = "1";
/// The stored field if the site reports nothing by itself.
const OFF: &str = "off";

/// Returns the name of the site.
pub(super) fn name(text: Option<&str>) -> &str {
    text.unwrap_or(SiteProfile::UNNAMED)
}

pub(super) fn hue(text: Option<&str>) -> SiteHue {
    let hue = text.and_then(|text| text.parse().ok());
    hue.unwrap_or_default()
}

/// Returns the stored field of the people who found groups.
pub(super) fn group_founders(are_members: bool) -> &'static str {
    if are_members { "members" } else { MODERATORS }
}

/// Returns whether everybody can found groups.
pub(super) fn are_members_founders(text: Option<&str>) -> bool {
    text != Some(MODERATORS)
}

/// Returns the stored field of the people who see the newest posts.
pub(super) fn everybody(are_visitors: bool) -> &'static str {
    if are_visitors { "visitors" } else { MEMBERS }
}

/// Returns whether visitors see the newest posts.
pub(super) fn are_visitors_included(text: Option<&str>) -> bool {
    text != Some(MEMBERS)
}

/// Returns whether a setting that is off at first is on.
pub(super) fn is_on(text: Option<&str>) -> bool {
    text == Some(ON)
}

/// Returns whether a stored field has a text.
pub(super) fn has_text(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.is_empty())
}

/// Returns the stored field of the reports by the site.
pub(super) fn site_reports(are_made: bool) -> &'static str {
    if are_made { "" } else { OFF }
}

/// Returns whether the site makes reports.
pub(super) fn are_reports_made(text: Option<&str>) -> bool {
    text != Some(OFF)
}
