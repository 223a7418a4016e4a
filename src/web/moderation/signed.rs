//! The signed content of the form of a report: the post or the messages that it showed. The form sends them back, so an
//! edit, a deletion or a block while the form is open does not change the report.

use subtle::ConstantTimeEq;

use crate::{
    domain::{UnixMs, hex},
    web::{http::keys::mac, prelude::*},
};

/// Maximum bytes of the shown texts in a form. In the form each byte can take three, and the note is beside them.
pub(super) const MAX_BYTES: usize = 12_000;
/// Time for which a form can be sent with the texts that it showed.
const VALID_MS: u64 = 24 * 60 * 60 * 1000;
const SIGNATURE_DIGITS: usize = 64;

/// The form of one reporter about one subject.
pub(super) struct FormOf<'a> {
    key: &'a [u8; 32],
    /// The reporter and the subject.
    context: String,
}

impl<'a> FormOf<'a> {
    pub(super) fn new(reporter: &'a CurrentUser, subject: &str) -> Self {
        Self {
            key: &reporter.visitor.app().site.keys.report,
            context: format!("{} {subject} ", reporter.id),
        }
    }

    /// Returns the value of the form's field: a text with its time and its signature.
    pub(super) fn sign(&self, text: &str, at: UnixMs) -> String {
        let dated = format!("{} {text}", at.0);
        self.signature(&dated) + &dated
    }

    /// Returns the text of a field. `None` if the field is not of this form, or is older than a day.
    pub(super) fn verified<'f>(&self, field: &'f str, now: UnixMs) -> Option<&'f str> {
        let (signature, dated) = field.split_at_checked(SIGNATURE_DIGITS)?;
        let expected = self.signature(dated);
        let is_valid: bool = expected.as_bytes().ct_eq(signature.as_bytes()).into();
        let (at, text) = dated.split_once(' ').filter(|_| is_valid)?;
        let at: u64 = at.parse().ok()?;
        (at >= now.0.saturating_sub(VALID_MS)).then_some(text)
    }

    fn signature(&self, dated: &str) -> String {
        hex(&mac(self.key, &[self.context.as_bytes(), dated.as_bytes()]))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::signed::*;
    use crate::{config::Limits, domain::ReportNote};

    /// The bytes of the other fields, with room to spare: the token, the reason, the chosen messages, the signature.
    const OTHER_FIELDS: usize = 5000;

    #[derive(Parser)]
    struct Defaults {
        #[command(flatten)]
        limits: Limits,
    }

    #[test]
    fn the_shown_texts_and_the_longest_note_fit_into_a_form() {
        let Defaults { limits } = Defaults::parse_from(["redwing"]);
        let encoded = 3 * (MAX_BYTES + ReportNote::MAX_BYTES) + OTHER_FIELDS;
        assert!(encoded <= limits.max_form_bytes, "{encoded}");
    }

    fn form(context: &str) -> FormOf<'static> {
        FormOf {
            key: &[7; 32],
            context: context.to_owned(),
        }
    }

    #[test]
    fn a_signed_text_is_valid_for_a_day_and_for_its_own_form() {
        let at = UnixMs(1_000_000_000_000);
        let field = form("7 post 1 ").sign("buy this", at);
        let verified = |context: &str, field: &str, after_ms: u64| {
            let text = form(context).verified(field, UnixMs(at.0 + after_ms));
            text.map(str::to_owned)
        };
        let text = Some("buy this".to_owned());
        assert_eq!(verified("7 post 1 ", &field, 0), text);
        assert_eq!(verified("7 post 1 ", &field, VALID_MS), text);
        assert_eq!(verified("7 post 1 ", &field, VALID_MS + 1), None);
        assert_eq!(verified("7 post 2 ", &field, 0), None);
        assert_eq!(verified("8 post 1 ", &field, 0), None);
        let changed = field.replace("buy", "sell");
        for forged in ["", "forged", &field[1..], &changed] {
            assert_eq!(verified("7 post 1 ", forged, 0), None, "{forged}");
        }
        let younger = field.replace("1000000000000 ", "1000000000001 ");
        assert_eq!(verified("7 post 1 ", &younger, 0), None);
    }
}
