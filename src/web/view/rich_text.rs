//! What a person wrote, as text, links and line breaks: escaped, whatever it holds.

use askama::Template;

use crate::domain::{Segment, segments};

#[derive(Debug, Template)]
#[template(path = "statuses/_rich_text.html")]
pub(super) struct RichText {
    pub(super) text: String,
}

impl RichText {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    fn segments(&self) -> impl Iterator<Item = Segment<'_>> {
        segments(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text_and_urls_are_links() {
        let html = RichText::new("<b>&\nhttp://a.example/?x=1&y=\"2")
            .render()
            .unwrap();
        assert!(!html.contains("<b>"));
        assert!(html.contains("<br>"));
        assert!(html.contains(r#"<a href="http://a.example/?x=1"#));
        assert!(html.contains(r#"rel="nofollow ugc noopener""#));
    }
}
