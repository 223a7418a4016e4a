//! The arguments that several commands share.

use clap::Args;

use super::Failure;
use crate::{
    domain::{Login, ReportReason, StatusId, SuspensionReason, UserId},
    store::Store,
};

/// A command about one account.
#[derive(Debug, Args)]
pub(super) struct AccountArgs {
    #[arg(value_parser = stored_login)]
    pub(super) login: Login,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    pub(super) json: bool,
}

/// The reason of a decision that its person reads.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(super) struct GroundsArgs {
    /// The reason, at most 500 characters. The person reads it.
    #[arg(long, value_parser = parse_reason, value_name = "TEXT")]
    pub(super) reason: Option<SuspensionReason>,

    /// The rule that was broken: its number in the list of rules. A site without rules has `spam`, `harassment` and
    /// `illegal`.
    #[arg(long)]
    pub(super) rule: Option<String>,
}

/// The options that all decisions share.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct DecisionOptions {
    /// Also close the reports that you have read: the number that `redwing admin case` prints below them. Reports that
    /// came later stay open. The decision is refused if someone has decided since.
    #[arg(long, value_name = "NUMBER")]
    pub(super) seen: Option<u64>,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    pub(super) json: bool,
}

/// The reason of a decision, and the explanation for its person.
#[derive(Debug, Clone)]
pub(super) struct Grounds {
    pub(super) reason: ReportReason,
    /// Empty if there are none.
    pub(super) explanation: String,
}

impl Grounds {
    /// Creates grounds that name no rule.
    pub(super) fn of_text(explanation: Option<SuspensionReason>) -> Self {
        Self {
            reason: ReportReason::SomethingElse,
            explanation: explanation.map_or_else(String::new, |text| text.as_str().to_owned()),
        }
    }
}

impl GroundsArgs {
    /// Returns the grounds, with the rule as the site has it now.
    ///
    /// # Errors
    /// If neither a reason nor a rule is given, if there is no such rule, or if Redis could not be reached.
    pub(super) async fn read(self, store: &Store) -> Result<Grounds, Failure> {
        let grounds = Grounds::of_text(self.reason);
        let Some(rule) = self.rule else {
            return match grounds.explanation.is_empty() {
                true => Err("give a reason with --reason or --rule".into()),
                false => Ok(grounds),
            };
        };
        let site = store.read_site().await?;
        let rules: Vec<String> = site.rules().iter().map(|rule| rule.text.clone()).collect();
        let reason = find_rule(&rule, &rules).ok_or_else(|| describe_rules(&rule, &rules))?;
        Ok(Grounds { reason, ..grounds })
    }
}

/// Returns the rule with this number, or the usual reason with this name.
fn find_rule(text: &str, rules: &[String]) -> Option<ReportReason> {
    let number = text.parse::<usize>().ok();
    match number.and_then(|number| rules.get(number.checked_sub(1)?)) {
        Some(rule) => Some(ReportReason::Rule(rule.clone())),
        None => ReportReason::chosen(text, rules).filter(|one| *one != ReportReason::SomethingElse),
    }
}

fn describe_rules(text: &str, rules: &[String]) -> String {
    match rules.len() {
        0 => format!(
            "the site has no rule {text}. Without rules there are spam, harassment and illegal"
        ),
        1 => format!("the site has no rule {text}. It has rule 1"),
        count => format!("the site has no rule {text}. It has the rules 1 to {count}"),
    }
}

/// Returns the person with this login.
///
/// # Errors
/// If there is none, or if Redis could not be reached.
pub(super) async fn holder(store: &Store, login: &Login) -> Result<UserId, Failure> {
    let holder = store.holder(login).await?;
    holder.ok_or_else(|| format!("no one has the login {login}").into())
}

pub(super) fn stored_login(text: &str) -> Result<Login, &'static str> {
    Login::stored(Login::typed(text)).ok_or("not a login")
}

pub(super) fn parse_reason(text: &str) -> Result<SuspensionReason, String> {
    match SuspensionReason::parse(text) {
        Ok(Some(reason)) => Ok(reason),
        Ok(None) => Err("give a reason".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Parses the id of a post, or the address of its page, which ends with the id.
pub(super) fn parse_post(text: &str) -> Result<StatusId, &'static str> {
    let id = text.rsplit('/').next().unwrap_or_default();
    id.parse()
        .map_err(|_| "not the id or the address of a post")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_by_its_number_and_the_usual_reasons_by_their_names() {
        let rules = ["Be kind.".to_owned(), "No ads.".to_owned()];
        let second = ReportReason::Rule("No ads.".to_owned());
        assert_eq!(find_rule("2", &rules), Some(second));
        for text in ["0", "3", "spam", "something_else", ""] {
            assert_eq!(find_rule(text, &rules), None, "{text}");
        }
        assert_eq!(find_rule("spam", &[]), Some(ReportReason::Spam));
        for text in ["1", "something_else"] {
            assert_eq!(find_rule(text, &[]), None, "{text}");
        }
    }

    #[test]
    fn a_post_is_named_by_its_id_or_its_address() {
        let id = StatusId::new(8192).expect("in range");
        for text in ["8192", "https://example.org/@bob/8192", "/statuses/8192"] {
            assert_eq!(parse_post(text), Ok(id));
        }
        for text in ["", "bob", "https://example.org/@bob/", "-1"] {
            assert!(parse_post(text).is_err(), "{text}");
        }
    }
}
