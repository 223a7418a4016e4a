//! Markdown as plain text, for places that have one line and no markup.

use pulldown_cmark::{Event, Parser, TagEnd};

/// Returns the words of a Markdown text on one line: without marks and addresses of links, with single blanks. An
/// image becomes its description, and HTML stays text. A text that has only marks is returned as it is.
pub(in crate::domain) fn plain_line(markdown: &str) -> String {
    let mut words = String::new();
    for event in Parser::new(markdown) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                words.push_str(&text)
            }
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => words.push(' '),
            _ => {}
        }
    }
    let line = single_blanks(&words);
    match line.is_empty() {
        true => single_blanks(markdown),
        false => line,
    }
}

fn single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::plain_line;

    #[test]
    fn a_line_of_markdown_has_its_words_without_marks() {
        for (markdown, line) in [
            ("Be kind.", "Be kind."),
            ("No *spam*, no **ads**.", "No spam, no ads."),
            ("un*believ*able", "unbelievable"),
            ("See [the `law`](/about), twice", "See the law, twice"),
            ("<https://example.org/a_b_c>", "https://example.org/a_b_c"),
            ("# Be   kind", "Be kind"),
            ("- one", "one"),
            ("> Quote _fairly_", "Quote fairly"),
            ("![A cat](/cat.png) only", "A cat only"),
            ("Be <b>kind</b> & fair", "Be <b>kind</b> & fair"),
            ("<div>x", "<div>x"),
            (r"5 \* 3, a_b_c", "5 * 3, a_b_c"),
            ("one\ntwo  \nthree\n\nfour", "one two three four"),
            ("- one\n- two", "one two"),
            ("# Title\ntext", "Title text"),
        ] {
            assert_eq!(plain_line(markdown), line, "{markdown}");
        }
    }

    #[test]
    fn a_line_without_words_stays_as_it_is() {
        for text in ["* * *", "[x]: /y", "![](/cat.png)", ""] {
            assert_eq!(plain_line(text), text);
        }
    }
}
