//! Splits a query at blanks, except inside quotes.

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Item {
    Word(String),
    /// Text in quotes. An unclosed quote extends to the end.
    Phrase(String),
}

pub(super) fn items(text: &str) -> Vec<Item> {
    let (mut items, mut word) = (Vec::new(), String::new());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if let Some(closing) = closing_quotes(c) {
            end_word(&mut items, &mut word);
            let quoted = rest.by_ref().take_while(|c| !closing.contains(c));
            items.push(Item::Phrase(quoted.collect()));
        } else if c.is_whitespace() {
            end_word(&mut items, &mut word);
        } else {
            word.push(c);
        }
    }
    end_word(&mut items, &mut word);
    items
}

fn end_word(items: &mut Vec<Item>, word: &mut String) {
    if !word.is_empty() {
        items.push(Item::Word(std::mem::take(word)));
    }
}

/// Returns the closing quotation marks for an opening one, in the styles of several languages.
fn closing_quotes(opening: char) -> Option<&'static [char]> {
    Some(match opening {
        '"' | '＂' => &['"', '＂'],
        '“' | '„' | '”' => &['“', '”', '"'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::items::*;

    #[test]
    fn quoted_words_form_a_phrase() {
        let items = items("a \"b c\"d „e f“ 「g」 \"h i");
        let shown = items.iter().map(|item| match item {
            Item::Word(text) => text.clone(),
            Item::Phrase(text) => format!("<{text}>"),
        });
        assert_eq!(shown.collect::<String>(), "a<b c>d<e f><g><h i>");
    }
}
