//! A person's text as escaped text, links and line breaks.

use askama::Template;

use crate::{
    domain::{FoldedTag, Login, Segment, segments},
    web::routes,
};

/// Longer web addresses may be cut on the page, by the stylesheet.
const MAX_SHOWN_ADDRESS: usize = 40;

#[derive(Debug, Template)]
#[template(path = "statuses/_rich_text.html")]
pub struct RichText {
    pub text: String,
}

impl askama::filters::HtmlSafe for RichText {}

impl RichText {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    fn segments(&self) -> Vec<Segment<'_>> {
        segments(&self.text)
    }

    /// Returns whether a web address is cut on the page, so that its link needs the whole of it as title.
    fn is_long(url: &str) -> bool {
        url.chars().count() > MAX_SHOWN_ADDRESS
    }

    /// Returns the link of a mention without checking the login: a check would cost every page a
    /// round trip.
    fn profile(login: &Login) -> String {
        routes::profile(login)
    }

    fn tag(tag: &FoldedTag) -> String {
        routes::tag(tag)
    }

    /// Returns the sign before a written tag: `#` or `＃`.
    fn sign(written: &str) -> &str {
        &written[..written.len() - Self::word(written).len()]
    }

    /// Returns a written tag without its sign, which is no part of a category.
    fn word(written: &str) -> &str {
        let mut characters = written.chars();
        characters.next();
        characters.as_str()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use scraper::{Html, Selector};

    use super::super::rich_text::*;

    fn rendered(text: &str) -> String {
        RichText::new(text).render().expect("no template fails")
    }

    #[test]
    fn markup_is_text_and_urls_are_links() {
        let html = rendered("<b>&\nhttp://a.example/?x=1&y=\"2");
        assert!(!html.contains("<b>"));
        assert!(html.contains("<br>"));
        assert!(html.contains(r#"<a href="http://a.example/?x=1"#));
        assert!(html.contains(r#"rel="nofollow ugc noopener""#));
    }

    #[test]
    fn a_long_address_is_the_title_of_its_link() {
        let url = format!("https://example.org/{}", "x".repeat(400));
        assert!(rendered(&url).contains(&format!("title=\"{url}\">{url}</a>")));
        assert!(!rendered("https://example.org/a").contains("title"));
    }

    #[test]
    fn mentions_link_to_profiles_and_tags_to_tag_pages() {
        assert_eq!(
            rendered("＠Ann #Tag"),
            "<a class=h-card href=/@Ann dir=ltr>＠Ann</a> \
             <a rel=tag href=/tags/tag dir=auto>#<span class=p-category>Tag</span></a>"
        );
    }

    proptest! {
        /// Parsed like in a browser, the page contains the text and our own elements only.
        #[test]
        fn user_text_never_becomes_markup(
            text in "((?s).|[<>&\"'@#/]|https?://a\\.example/|@a|#鳥|</?[a-z]+ on[a-z]+=|&lt;|&#39;){0,30}"
        ) {
            prop_assume!(!text.contains(['\r', '\0', '\u{FEFF}']));
            let page = Html::parse_fragment(&rendered(&text));
            let written: String = page.root_element().text().collect();
            prop_assert_eq!(written, text.replace('\n', ""));
            for element in page.select(&Selector::parse("*").expect("a selector")).skip(1) {
                let attributes: Vec<_> = element.value().attrs().map(|(name, _)| name).collect();
                match element.value().name() {
                    "br" => prop_assert!(attributes.is_empty()),
                    "span" => prop_assert!(element.attr("class") == Some("p-category")),
                    "a" => {
                        let href = element.attr("href").unwrap_or_default();
                        prop_assert!(["/@", "/tags/", "http://", "https://"].iter().any(|start| href.to_lowercase().starts_with(start)), "{}", href);
                        prop_assert!(attributes.iter().all(|name| ["class", "dir", "href", "rel", "title"].contains(name)));
                    }
                    other => prop_assert!(false, "{} in {:?}", other, text),
                }
            }
        }
    }
}
