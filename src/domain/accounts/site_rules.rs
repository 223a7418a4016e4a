//! The rules of a site: a list of short lines. Each has an id that it keeps while its text stays the same, so a
//! report can name a rule after others were added, removed or moved.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::{
    ParseError,
    text::{Limits, TextError, is_blank, names::line},
};

/// The id of a rule. It is never used again for another text.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    derive_more::Display,
)]
#[serde(transparent)]
pub struct RuleId(u32);

impl FromStr for RuleId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.parse().map(Self).map_err(|_| ParseError)
    }
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteRule {
    pub id: RuleId,
    /// Its place in the list, from 1.
    pub number: usize,
    /// One line.
    pub text: String,
}

/// The rules of a site, in the order of their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteRules {
    /// The highest id that a rule ever had.
    last_id: u32,
    rules: Vec<SiteRule>,
}

/// The rules as a form has them: one on each line, no two equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleLines(Vec<String>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    #[error("At most {max} rules; these are {is}.")]
    TooMany { max: usize, is: usize },
    #[error("Rule {number}: {error}")]
    Line { number: usize, error: TextError },
}

impl RuleLines {
    pub const MAX_RULES: usize = 20;
    pub const MAX_CHARACTERS: usize = 200;
    const LIMITS: Limits = Limits {
        characters: Self::MAX_CHARACTERS,
        bytes: 3200,
    };

    /// Parses one rule on each line. Blank and repeated lines are left out, and so are numbers that were typed
    /// before the rules.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let mut lines: Vec<String> = Vec::new();
        for typed in text.lines().filter(|typed| !is_blank(typed)) {
            let number = lines.len() + 1;
            let parsed = line(without_number(typed.trim()), Self::LIMITS);
            let parsed = parsed.map_err(|error| RulesError::Line { number, error })?;
            lines.extend(parsed.filter(|rule| !lines.contains(rule)));
        }
        match lines.len() {
            is if is > Self::MAX_RULES => Err(RulesError::TooMany {
                max: Self::MAX_RULES,
                is,
            }),
            _ => Ok(Self(lines)),
        }
    }
}

/// Returns a line without a number and dot, or parenthesis, at its beginning.
fn without_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = (1..=2).contains(&(line.len() - rest.len()));
    let rest = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    rest.filter(|_| is_number).unwrap_or(line)
}

impl SiteRules {
    pub fn as_slice(&self) -> &[SiteRule] {
        &self.rules
    }

    /// Returns these rules replaced by the lines of a form. A line that was a rule keeps its id.
    #[must_use]
    pub fn revised(&self, lines: &RuleLines) -> Self {
        let mut last_id = self.last_id;
        let revise = |(text, number): (&String, usize)| {
            let known = self.rules.iter().find(|rule| rule.text == *text);
            let id = known.map_or_else(
                || {
                    last_id += 1;
                    RuleId(last_id)
                },
                |rule| rule.id,
            );
            SiteRule {
                id,
                number,
                text: text.clone(),
            }
        };
        let rules = lines.0.iter().zip(1..).map(revise).collect();
        Self { last_id, rules }
    }

    /// Returns the rules as the lines of a form.
    pub fn lines(&self) -> String {
        let texts = self.rules.iter().map(|rule| rule.text.as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Returns the stored form.
    pub fn to_json(&self) -> String {
        let rules = self.rules.iter().map(|rule| (rule.id, rule.text.clone()));
        let stored = Stored {
            last_id: self.last_id,
            rules: rules.collect(),
        };
        serde_json::to_string(&stored).expect("rules are always JSON")
    }

    /// Reads the stored form. A text that is none has no rules.
    pub fn stored(text: &str) -> Self {
        let stored: Stored = serde_json::from_str(text).unwrap_or_default();
        let numbered = stored.rules.into_iter().zip(1..);
        let rules = numbered.map(|((id, text), number)| SiteRule { id, number, text });
        Self {
            last_id: stored.last_id,
            rules: rules.collect(),
        }
    }
}

#[derive(Default, Serialize, Deserialize)]
struct Stored {
    last_id: u32,
    rules: Vec<(RuleId, String)>,
}

#[cfg(test)]
mod tests {
    use super::super::site_rules::*;

    fn lines(text: &str) -> RuleLines {
        RuleLines::parse(text).expect("valid")
    }

    fn ids(rules: &SiteRules) -> Vec<(u32, usize, &str)> {
        let rules = rules.as_slice().iter();
        rules
            .map(|rule| (rule.id.0, rule.number, rule.text.as_str()))
            .collect()
    }

    #[test]
    fn a_rule_keeps_its_id_and_ids_are_never_used_again() {
        let rules = SiteRules::default().revised(&lines("Be kind.\nNo spam."));
        assert_eq!(ids(&rules), [(1, 1, "Be kind."), (2, 2, "No spam.")]);
        let fewer = rules.revised(&lines("Be kind."));
        let more = fewer.revised(&lines("No ads.\nBe kind.\nNo spam."));
        let expected = [(3, 1, "No ads."), (1, 2, "Be kind."), (4, 3, "No spam.")];
        assert_eq!(ids(&more), expected);
        assert_eq!(SiteRules::stored(&more.to_json()), more);
        assert_eq!(more.revised(&lines(&more.lines())), more);
        assert_eq!(SiteRules::stored(""), SiteRules::default());
    }

    #[test]
    fn typed_numbers_blank_lines_and_repetitions_are_left_out() {
        let parsed = lines("1. Be  kind. \r\n\r\n2) No spam.\nBe kind.\n18 is the age.");
        assert_eq!(parsed.0, ["Be kind.", "No spam.", "18 is the age."]);
    }

    #[test]
    fn rules_have_limits() {
        let many = |count: usize| {
            (0..count)
                .map(|at| format!("Rule {at}\n"))
                .collect::<String>()
        };
        assert!(RuleLines::parse(&many(20)).is_ok());
        let refusal = RuleLines::parse(&many(21)).expect_err("too many");
        assert_eq!(refusal.to_string(), "At most 20 rules; these are 21.");
        let long = format!("Be kind.\n{}", "x".repeat(201));
        let refusal = RuleLines::parse(&long).expect_err("too long");
        let words = "Rule 2: At most 200 characters; this has 201.";
        assert_eq!(refusal.to_string(), words);
    }
}
