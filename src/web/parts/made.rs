//! HTML that a template made earlier, kept beside the row it was made of: a page writes it as it is.

use std::{borrow::Cow, fmt};

use askama::{FastWritable, Template, Values};

use crate::store::Shown;

/// A part of a page that its own template has escaped.
#[derive(Debug)]
pub(in crate::web) struct Made<'a>(Cow<'a, str>);

impl askama::filters::HtmlSafe for Made<'_> {}

impl<'a> Made<'a> {
    /// What is kept, or else what the part that `part` gives renders to.
    pub(in crate::web) fn of<T: Template>(kept: &'a Shown, part: impl FnOnce() -> T) -> Self {
        Self(kept.or_make(|| rendered(&part())).into())
    }

    /// What a part renders to, for a page that is kept itself.
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
