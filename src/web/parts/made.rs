//! Rendered HTML that is cached beside the row it was made of.

use std::{borrow::Cow, fmt};

use askama::{FastWritable, Template, Values};

use crate::store::Shown;

/// HTML that its own template has escaped.
#[derive(Debug)]
pub(in crate::web) struct Made<'a>(Cow<'a, str>);

impl askama::filters::HtmlSafe for Made<'_> {}

impl<'a> Made<'a> {
    /// Returns the cached HTML, or renders it with `part`.
    pub(in crate::web) fn of<T: Template>(kept: &'a Shown, part: impl FnOnce() -> T) -> Self {
        Self(kept.or_make(|| rendered(&part())).into())
    }

    /// Renders HTML for a page that is cached itself.
    pub(in crate::web) fn once(part: &impl Template) -> Self {
        Self(rendered(part).into())
    }
}

fn rendered(part: &impl Template) -> String {
    part.render().expect("writing to memory does not fail")
}

impl fmt::Display for Made<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FastWritable for Made<'_> {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn Values) -> askama::Result<()> {
        Ok(dest.write_str(&self.0)?)
    }
}
