//! Polls: the options, the number of choices per person, and the duration. A vote is a [`Ballot`].

use std::{collections::HashSet, fmt};

use unicode_normalization::UnicodeNormalization;

use crate::domain::{
    Ballot,
    text::{TextError, names::line, text_type, tokens::characters::is_unseen},
};

/// The number of options that one person can choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Choice {
    #[default]
    One,
    Several,
}

/// The duration of a poll from the time of posting, in hours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PollTerm {
    Hour = 1,
    SixHours = 6,
    #[default]
    Day = 24,
    ThreeDays = 72,
    Week = 168,
}

impl PollTerm {
    pub const ALL: [Self; 5] = {
        use PollTerm::{Day, Hour, SixHours, ThreeDays, Week};
        [Hour, SixHours, Day, ThreeDays, Week]
    };

    pub fn hours(self) -> u64 {
        self as u64
    }

    pub fn ms(self) -> u64 {
        self.hours() * 3_600_000
    }

    pub fn of_hours(text: &str) -> Option<Self> {
        let hours: u64 = text.parse().ok()?;
        Self::ALL.into_iter().find(|term| term.hours() == hours)
    }
}

text_type! {
    /// An option: 1 to 50 characters, one line, in normal form C.
    PollOption, 50 characters, 800 bytes
}

impl PollOption {
    /// Replaces runs of white space by one blank and trims both ends. Blank text is no option.
    pub fn parse(text: &str) -> Result<Option<Self>, TextError> {
        Ok(line(text, Self::LIMITS)?.map(Self))
    }
}

/// An error of a poll as a whole, worded for its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PollError {
    #[error("A poll needs at least two options.")]
    TooFew,
    #[error("A poll can have at most {max} options.", max = Poll::MAX_OPTIONS)]
    TooMany,
    #[error("This option is a duplicate.")]
    Same {
        /// Index of the first duplicate option, counted from 0.
        at: usize,
    },
}

/// A poll: 2 to 4 different options, the number of choices, and the duration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poll {
    options: Vec<PollOption>,
    choice: Choice,
    term: PollTerm,
}

impl Poll {
    pub const MIN_OPTIONS: usize = 2;
    pub const MAX_OPTIONS: usize = 4;

    /// Creates a poll. No two options may be equal, regardless of case.
    pub fn new(
        options: Vec<PollOption>,
        choice: Choice,
        term: PollTerm,
    ) -> Result<Self, PollError> {
        if options.len() > Self::MAX_OPTIONS {
            return Err(PollError::TooMany);
        }
        let folded = |option: &PollOption| -> String {
            let visible: String = option.0.chars().filter(|c| !is_unseen(*c)).collect();
            visible.to_lowercase().nfc().collect()
        };
        let mut seen = HashSet::new();
        let mut folded = options.iter().map(folded);
        if let Some(at) = folded.position(|option| !seen.insert(option)) {
            return Err(PollError::Same { at });
        }
        if options.len() < Self::MIN_OPTIONS {
            return Err(PollError::TooFew);
        }
        Ok(Self {
            options,
            choice,
            term,
        })
    }

    /// Parses the stored form, which [`fmt::Display`] writes.
    pub fn stored(text: &str) -> Option<Self> {
        let (head, options) = text.split_once('\n')?;
        let (choice, hours) = head.split_once(' ')?;
        let choice = match choice {
            "one" => Choice::One,
            "several" => Choice::Several,
            _ => return None,
        };
        let options = options.split('\n').map(|option| PollOption(option.into()));
        Self::new(options.collect(), choice, PollTerm::of_hours(hours)?).ok()
    }

    pub fn options(&self) -> &[PollOption] {
        &self.options
    }

    pub fn choice(&self) -> Choice {
        self.choice
    }

    pub fn term(&self) -> PollTerm {
        self.term
    }

    /// Returns the memory of its options, in bytes.
    pub fn bytes(&self) -> usize {
        let texts = self.options.iter().map(|option| option.0.len());
        texts.sum::<usize>() + self.options.len() * size_of::<PollOption>()
    }

    /// Returns whether this vote is valid for the poll.
    pub fn allows(&self, ballot: Ballot) -> bool {
        ballot.is_within(self.options.len())
            && (self.choice == Choice::Several || ballot.count() == 1)
    }
}

/// Formats the stored form: `<one or several> <hours>`, then each option on a line. The end follows from
/// the time of posting, so repeated submissions are equal.
impl fmt::Display for Poll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choice = match self.choice {
            Choice::One => "one",
            Choice::Several => "several",
        };
        write!(f, "{choice} {}", self.term.hours())?;
        self.options
            .iter()
            .try_for_each(|option| write!(f, "\n{}", option.0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::poll::*;

    fn options(texts: &[&str]) -> Vec<PollOption> {
        let parsed = texts.iter().map(|text| PollOption::parse(text));
        parsed.filter_map(|option| option.expect("valid")).collect()
    }

    fn poll(texts: &[&str], choice: Choice) -> Result<Poll, PollError> {
        Poll::new(options(texts), choice, PollTerm::Day)
    }

    #[test]
    fn a_poll_has_two_to_four_different_options() {
        assert!(poll(&["a", "b"], Choice::One).is_ok());
        assert!(poll(&["a", "b", "c", "d"], Choice::One).is_ok());
        assert_eq!(poll(&["a"], Choice::One), Err(PollError::TooFew));
        let five = poll(&["a", "b", "c", "d", "e"], Choice::One);
        assert_eq!(five, Err(PollError::TooMany));
        for [one, same] in [
            ["Tea", "tea"],
            ["Zoe\u{308}", "ZOË"],
            ["a", " a "],
            ["a", "a\u{2060}\u{FE0E}"],
        ] {
            let refusal = poll(&[one, same, "x"], Choice::One);
            assert_eq!(refusal, Err(PollError::Same { at: 1 }), "{same:?}");
        }
        assert_eq!(
            options(&[" \u{200B}", "a"]).len(),
            1,
            "blank text is no option"
        );
    }

    #[test]
    fn a_poll_round_trips_through_text() {
        for choice in [Choice::One, Choice::Several] {
            for term in PollTerm::ALL {
                let poll = Poll::new(options(&["Yes, 1", "no"]), choice, term).expect("valid");
                assert_eq!(Poll::stored(&poll.to_string()), Some(poll));
            }
        }
        for text in ["", "one 24", "one 24\nx", "one 25\nx\ny", "all 24\nx\ny"] {
            assert_eq!(Poll::stored(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_poll_allows_only_ballots_for_its_options_and_choice() {
        let allows = |choice, chosen: &[usize]| {
            let poll = poll(&["a", "b", "c"], choice).expect("valid");
            poll.allows(Ballot::of(chosen).expect("a ballot"))
        };
        assert!(allows(Choice::One, &[2]) && allows(Choice::Several, &[0, 2]));
        assert!(!allows(Choice::One, &[0, 1]) && !allows(Choice::Several, &[0, 3]));
    }
}
