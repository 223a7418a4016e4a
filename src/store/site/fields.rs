//! The stored values of the fields of the site.

/// The stored field if only the people who run the site found groups.
pub(super) const MODERATORS: &str = "moderators";
/// The stored field if visitors do not see the newest posts.
pub(super) const MEMBERS: &str = "members";
/// The stored field of a setting that is on.
pub(super) const ON: &str = "1";
/// The stored field if the site reports nothing by itself.
pub(super) const OFF: &str = "off";

/// Returns the stored field of the people who found groups.
pub(super) fn group_founders(are_members: bool) -> &'static str {
    if are_members { "members" } else { MODERATORS }
}

/// Returns the stored field of the people who see the newest posts.
pub(super) fn everybody(are_visitors: bool) -> &'static str {
    if are_visitors { "visitors" } else { MEMBERS }
}

/// Returns the stored field of a setting that is off at first.
pub(super) fn flag(is_on: bool) -> &'static str {
    if is_on { ON } else { "" }
}

/// Returns whether a stored field has a text.
pub(super) fn has_text(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.is_empty())
}

/// Returns the stored field of the reports by the site.
pub(super) fn site_reports(are_made: bool) -> &'static str {
    if are_made { "" } else { OFF }
}
