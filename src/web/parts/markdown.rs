//! Markdown as HTML. HTML in the text is shown as text, images by their description, and only web, mail and local
//! addresses are links.

use std::fmt;

use pulldown_cmark::{
    Event, HeadingLevel, LinkType, Parser, Tag, TagEnd, TextMergeStream, html::push_html,
};

use super::rich_text::RichText;

/// Rendered Markdown.
#[derive(Debug)]
pub struct Markdown(String);

impl askama::filters::HtmlSafe for Markdown {}

impl fmt::Display for Markdown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Markdown {
    pub fn new(text: &str) -> Self {
        Self::render(safe_events(text))
    }

    /// Renders a short text as posts are shown: mentions, tags and web addresses are links, and lines stay lines.
    pub fn with_mentions(text: &str) -> Self {
        let mut is_plain = true;
        let events = TextMergeStream::new(safe_events(text)).map(|event| match event {
            Event::Start(Tag::Link { .. } | Tag::CodeBlock(_)) => {
                is_plain = false;
                event
            }
            Event::End(TagEnd::Link | TagEnd::CodeBlock) => {
                is_plain = true;
                event
            }
            Event::Text(text) if is_plain => {
                Event::InlineHtml(RichText::new(text.as_ref()).to_string().into())
            }
            Event::SoftBreak => Event::HardBreak,
            other => other,
        });
        Self::render(events)
    }

    fn render<'a>(events: impl Iterator<Item = Event<'a>>) -> Self {
        let mut html = String::new();
        push_html(&mut html, events);
        Self(html)
    }
}

/// Returns the parts of a text without HTML, images and links that are not permitted.
fn safe_events(text: &str) -> impl Iterator<Item = Event<'_>> {
    let mut link_is_permitted = true;
    Parser::new(text).filter_map(move |event| match event {
        Event::Html(html) | Event::InlineHtml(html) => Some(Event::Text(html)),
        Event::Start(Tag::HtmlBlock) => Some(Event::Start(Tag::Paragraph)),
        Event::End(TagEnd::HtmlBlock) => Some(Event::End(TagEnd::Paragraph)),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::Link {
            link_type,
            ref dest_url,
            ..
        }) => {
            link_is_permitted = link_type == LinkType::Email || is_permitted(dest_url);
            link_is_permitted.then_some(event)
        }
        Event::End(TagEnd::Link) => link_is_permitted.then_some(event),
        Event::Start(Tag::Heading { level, .. }) => Some(Event::Start(heading(below(level)))),
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(below(level)))),
        other => Some(other),
    })
}

/// Returns whether an address can be a link.
fn is_permitted(address: &str) -> bool {
    let is_local = address.starts_with('/') && !address.starts_with("//");
    let begins = |scheme: &&str| {
        let start = address.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    is_local || ["https://", "http://", "mailto:"].iter().any(begins)
}

/// Returns the level below. The title of the page is its only heading of the first level.
fn below(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(level as usize + 1).unwrap_or(HeadingLevel::H6)
}

fn heading<'a>(level: HeadingLevel) -> Tag<'a> {
    Tag::Heading {
        level,
        id: None,
        classes: Vec::new(),
        attrs: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::Markdown;

    fn html(text: &str) -> String {
        Markdown::new(text).to_string()
    }

    #[test]
    fn paragraphs_lists_and_links_are_rendered_below_the_title_of_the_page() {
        assert_eq!(html("# We sail"), "<h2>We sail</h2>\n");
        assert_eq!(html("###### Deep"), "<h6>Deep</h6>\n");
        assert_eq!(
            html("- *one*\n- two"),
            "<ul>\n<li><em>one</em></li>\n<li>two</li>\n</ul>\n"
        );
        let link = html("[rules](/rules) and <https://example.org/?a&b>");
        assert!(link.contains(r#"<a href="/rules">rules</a>"#), "{link}");
        assert!(
            link.contains(r#"<a href="https://example.org/?a&amp;b">"#),
            "{link}"
        );
    }

    #[test]
    fn mentions_and_addresses_are_links_outside_of_links_and_code() {
        let html = |text: &str| Markdown::with_mentions(text).to_string();
        let mention = r#"<a class=h-card href=/@ann dir=ltr>@ann</a>"#;
        assert_eq!(
            html("Ask **@ann** now"),
            format!("<p>Ask <strong>{mention}</strong> now</p>\n")
        );
        for text in ["[@ann](/about)", "`@ann`", "    @ann"] {
            assert!(!html(text).contains("h-card"), "{text}");
        }
        assert_eq!(
            html("a_b_c & <b>\nd"),
            "<p>a_b_c &#38; &#60;b&#62;<br />\nd</p>\n"
        );
        assert!(!html("<script>alert(1)</script>").contains("<script"));
        assert!(!html("[x](javascript:alert(1))").contains("<a"));
    }

    #[test]
    fn html_in_the_text_is_shown_as_text() {
        for text in [
            "<script>alert(1)</script>",
            "a <b onclick=x>word</b>",
            "<!-- hidden -->",
            "<div>\n\n<img src=x onerror=alert(1)>",
        ] {
            let html = html(text);
            for tag in ["<script", "<b ", "<!--", "<div", "<img"] {
                assert!(!html.contains(tag), "{text}: {html}");
            }
            assert!(html.contains("&lt;"), "{html}");
        }
    }

    #[test]
    fn only_web_mail_and_local_addresses_are_links_and_no_image_is_loaded() {
        for text in [
            "[x](javascript:alert(1))",
            "[x](JavaScript:alert(1))",
            "<javascript:alert(1)>",
            "[x](data:text/html,hello)",
            "[x](//example.org)",
            "[x]: vbscript:x\n\n[x]",
            "![picture](https://example.org/a.png)",
        ] {
            let html = html(text);
            assert!(
                !html.contains("<a") && !html.contains("<img"),
                "{text}: {html}"
            );
        }
        assert!(html("<me@example.org>").contains(r#"href="mailto:me@example.org""#));
    }
}
