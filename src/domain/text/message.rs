//! Messages, and their division into text, links and line breaks.

use super::{
    TextError, text_type,
    tokens::{TokenKind, tokens},
};
use crate::domain::{FoldedTag, Login, text};

text_type! {
    /// A valid message: 1 to 500 characters as people count them, with `\n` as line end.
    ///
    /// Each extended grapheme cluster counts one. twitter-text uses weights instead (`tokens` lists the
    /// differences). A URL counts by its length, so the counter in the browser needs no tokenizer to
    /// agree with the server.
    ///
    /// The bytes are 8 for each character and some more. Dense texts of the languages with the longest characters have
    /// fewer; only piles of marks and joined emoji have more. Stored messages may be longer, from before this limit.
    Message, 500 characters, 4096 bytes
}

text_type! {
    /// A direct message: 1 to 2,000 characters, in the form of a [`Message`].
    ///
    /// Eight bytes a character are enough for text in every script. An earlier version stored up to 32,768 bytes.
    ChatText, 2000 characters, 16384 bytes
}

impl ChatText {
    /// Parses like [`Message::parse`].
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let text = text::trim(text);
        if text::is_blank(text) {
            return Err(TextError::Blank);
        }
        Self::LIMITS.check(text)?;
        Ok(Self(without_gaps(&text::plain_lines(text))))
    }
}

impl Message {
    /// Maximum number of consecutive empty lines. Further ones are removed.
    pub const MAX_EMPTY_LINES: usize = 2;

    /// Trims white space, counts the rest as the browser does, and normalises line ends.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let text = text::trim(text);
        if text::is_blank(text) {
            return Err(TextError::Blank);
        }
        Self::LIMITS.check(text)?;
        Ok(Self(without_gaps(&text::plain_lines(text))))
    }

    /// Returns the number of characters of a text, valid or not, as the browser counts them.
    pub fn characters(text: &str) -> usize {
        Self::LIMITS.count(text::trim(text))
    }
}

/// Limits consecutive empty lines to [`Message::MAX_EMPTY_LINES`].
pub(super) fn without_gaps(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut empty = 0;
    for (number, line) in text.split('\n').enumerate() {
        let is_empty = text::trim(line).is_empty();
        empty = if is_empty { empty + 1 } else { 0 };
        if empty > Message::MAX_EMPTY_LINES {
            continue;
        }
        if number > 0 {
            kept.push('\n');
        }
        if !is_empty {
            kept.push_str(line);
        }
    }
    kept
}

/// A part of a message as a page shows it, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment<'a> {
    Text(&'a str),
    /// A URL with scheme http or https, as written.
    Link(&'a str),
    /// A login with its sign, as written. It may not exist.
    Mention {
        written: &'a str,
        login: Login,
    },
    /// A tag with its sign, as written.
    Tag {
        written: &'a str,
        tag: FoldedTag,
    },
    Break,
}

/// Maximum number of links in one text. A link takes forty times as many bytes on a page as the shortest tag.
pub const MAX_LINKS: usize = 50;

/// Splits a text into segments. Joined again, they are the text. Everything after the first [`MAX_LINKS`] web addresses,
/// mentions and tags is plain text. So no time is spent on further links.
pub fn segments(text: &str) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    let mut links = 0;
    for token in tokens(text) {
        links += usize::from(!matches!(token.kind, TokenKind::Text));
        if links > MAX_LINKS {
            segments.extend(lines(&text[token.span.start..]));
            break;
        }
        let written = token.text;
        match token.kind {
            TokenKind::Text => segments.extend(lines(written)),
            TokenKind::Url => segments.push(Segment::Link(written)),
            TokenKind::Mention(login) => segments.push(Segment::Mention { written, login }),
            TokenKind::Tag(tag) => segments.push(Segment::Tag {
                written,
                tag: tag.folded(),
            }),
        }
    }
    segments
}

fn lines(text: &str) -> impl Iterator<Item = Segment<'_>> {
    text.split_inclusive('\n').flat_map(|line| {
        let (words, end) = match line.strip_suffix('\n') {
            Some(words) => (words, Some(Segment::Break)),
            None => (line, None),
        };
        let words = (!words.is_empty()).then_some(Segment::Text(words));
        words.into_iter().chain(end)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;
    use unicode_segmentation::UnicodeSegmentation;

    use super::super::message::*;

    fn parsed(text: &str) -> String {
        Message::parse(text).expect("a valid message").0
    }

    fn joined(text: &str) -> String {
        segments(text)
            .into_iter()
            .map(|segment| match segment {
                Segment::Text(piece)
                | Segment::Link(piece)
                | Segment::Mention { written: piece, .. }
                | Segment::Tag { written: piece, .. } => piece,
                Segment::Break => "\n",
            })
            .collect()
    }

    #[test]
    fn a_text_has_a_limited_number_of_links() {
        let text = "http://a.example @a #a\n".repeat(40);
        let is_plain = |segment: &Segment<'_>| matches!(segment, Segment::Text(_) | Segment::Break);
        let found = segments(&text);
        let links = found.iter().filter(|segment| !is_plain(segment));
        assert_eq!(links.count(), MAX_LINKS);
        let breaks = found.iter().filter(|segment| **segment == Segment::Break);
        assert_eq!(breaks.count(), 40);
        assert_eq!(joined(&text), text);
    }

    #[test]
    fn a_message_has_at_most_500_characters() {
        assert!(Message::parse(&"é".repeat(500)).is_ok());
        assert!(Message::parse(&"🇳🇿".repeat(500)).is_ok());
        let too_long = TextError::TooLong { max: 500, is: 501 };
        assert_eq!(Message::parse(&"e\u{301}".repeat(501)), Err(too_long));
        let too_large = TextError::TooManyBytes { max: 4096 };
        assert_eq!(Message::parse(&"👨‍👩‍👧‍👦".repeat(500)), Err(too_large));
    }

    #[test]
    fn a_direct_message_of_2000_characters_fits_in_any_language() {
        let long = |text: &str| text.graphemes(true).cycle().take(2000).collect::<String>();
        let hindi = "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है। ";
        let malayalam = "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ";
        for text in ["a", "é", "山", "👍", "🇳🇿", hindi, malayalam] {
            let parsed = ChatText::parse(&long(text));
            assert!(parsed.is_ok(), "{text}: {parsed:?}");
        }
        let too_large = TextError::TooManyBytes { max: 16_384 };
        let piled_marks = format!("a{}", "\u{301}".repeat(15));
        assert_eq!(ChatText::parse(&long(&piled_marks)), Err(too_large));
        let too_long = TextError::TooLong {
            max: 2000,
            is: 2001,
        };
        assert_eq!(ChatText::parse(&"a".repeat(2001)), Err(too_long));
    }

    #[test]
    fn a_text_of_500_characters_fits_in_any_language() {
        let texts = [
            "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
            "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ",
            "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।",
            "மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; ",
            "ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును ",
            "ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಜನಿಸಿದ್ದಾರೆ. ಹಾಗೂ ಘನತೆ ಮತ್ತು ಹಕ್ಕುಗಳಲ್ಲಿ ",
            "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ",
            "සියලු මනුෂ්‍යයෝ නිදහස්ව උපත ලබා ඇත. ගරුත්වයෙන් හා අයිතිවාසිකම්වලින් ",
            "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း၊ အခွင့်အရေးများဖြင့် ",
            "មនុស្សទាំងអស់ កើតមកមានសេរីភាព និងសមភាព ក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។",
            "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
            "འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང་། ཐོབ་ཐངགི་རང་དབང་འདྲ་མཉམ་དུ་ཡོད་ལ། ",
            "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם וְאֵ֥ת הָאָֽרֶץ׃ ",
            "بِسْمِ اللَّهِ الرَّحْمَٰنِ الرَّحِيمِ ",
            "Tất cả mọi người sinh ra đều được tự do và bình đẳng ",
            "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ",
        ];
        for text in texts {
            let decomposed: String = text.nfd().collect();
            for text in [text, decomposed.as_str()] {
                let cycle = text.graphemes(true).cycle();
                let full: String = cycle.take(Message::MAX_CHARACTERS - 1).collect();
                let parsed = Message::parse(&format!("{full}!"));
                assert!(parsed.is_ok(), "{} bytes: {text}", full.len());
            }
        }
    }

    #[test]
    fn a_blank_message_is_refused() {
        for blank in ["", "  \r\n", "\u{200B}", "\u{3164}\u{2800}"] {
            assert_eq!(Message::parse(blank), Err(TextError::Blank), "{blank:?}");
        }
    }

    #[test]
    fn surrounding_white_space_is_trimmed_and_not_counted() {
        assert_eq!(parsed("\r\n  hello \u{FEFF}\n"), "hello");
        assert!(Message::parse(&format!("{}\r\n\r\n", "a".repeat(500))).is_ok());
    }

    #[test]
    fn more_than_two_blank_lines_are_collapsed() {
        assert_eq!(parsed("a\r\n\r\n\r\n \r\n\r\nb\n\nc"), "a\n\n\nb\n\nc");
    }

    #[test]
    fn other_text_is_stored_unchanged() {
        for text in "e\u{301}|indented|a  b|<b>&amp;</b>|می‌خواهم|a\n\n  b".split('|') {
            assert_eq!(parsed(text), text);
        }
    }

    #[test]
    fn segments_break_at_line_ends() {
        use Segment::{Break, Link, Mention, Tag, Text};
        let pieces = segments("one\n\nhttp://two.example #three @four\n");
        let (tag, login) = (FoldedTag::stored("three"), Login::stored("four"));
        let (tag, login) = (tag.expect("a tag"), login.expect("a login"));
        let (written, link) = ("#three", Link("http://two.example"));
        let tag = Tag { written, tag };
        let written = "@four";
        let mention = Mention { written, login };
        let (one, space) = (Text("one"), Text(" "));
        let line = [link, space.clone(), tag, space, mention, Break];
        assert_eq!(pieces, [&[one, Break, Break][..], &line].concat());
    }

    proptest! {
        #[test]
        fn parsing_a_message_twice_changes_nothing(text in "(?s).{0,80}") {
            if let Ok(message) = Message::parse(&text) {
                prop_assert_eq!(Message::parse(message.as_str()), Ok(message));
            }
        }

        #[test]
        fn a_parsed_message_respects_all_limits(text in "[a-z \\t\\r\\n\u{301}\u{200d}\u{feff}👩🇳]{0,600}") {
            let trimmed = text::trim(&text);
            match Message::parse(&text) {
                Ok(message) => {
                    prop_assert!(trimmed.graphemes(true).count() <= Message::MAX_CHARACTERS);
                    prop_assert!(message.as_str().graphemes(true).count() <= Message::MAX_CHARACTERS);
                    prop_assert!(!message.as_str().contains(['\r', '\t']));
                    prop_assert!(!message.as_str().contains("\n\n\n\n"));
                }
                Err(TextError::TooLong { is, .. }) => {
                    prop_assert_eq!(trimmed.graphemes(true).count(), is);
                    prop_assert!(is > Message::MAX_CHARACTERS);
                }
                Err(_) => {}
            }
        }

        #[test]
        fn joined_segments_equal_the_text(text in "(?s).{0,60}(https?://|@|#)?[a-z./@()]{0,20}(?s).{0,20}") {
            prop_assert_eq!(joined(&text), text);
        }
    }
}
