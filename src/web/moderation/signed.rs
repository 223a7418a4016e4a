//! What the form of a report showed. The form sends it back with a signature, so an edit, a deletion or a block while the
//! form is open does not change the report.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use subtle::ConstantTimeEq;

use crate::{
    domain::hex,
    web::{
        http::{keys::mac, session::visitor::now},
        prelude::*,
    },
};

/// Maximum bytes of the JSON of the shown texts in a form. In the form each byte can take three.
pub(super) const MAX_BYTES: usize = 18_000;
/// Time for which a form can be sent with the texts that it showed.
const VALID_MS: u64 = 24 * 60 * 60 * 1000;
const SIGNATURE_DIGITS: usize = 64;

#[derive(Serialize, Deserialize)]
struct Dated<T> {
    at: u64,
    #[serde(flatten)]
    shown: T,
}

/// Returns the value of a form's field: what the form shows to this reporter of this subject, with a signature.
pub(super) fn sign(reporter: &CurrentUser, subject: &str, shown: impl Serialize) -> String {
    let at = now().0;
    let json = serde_json::to_string(&Dated { at, shown }).unwrap_or_default();
    signature(reporter, subject, &json) + &json
}

/// Returns what a form showed. `None` if the field is not one of this reporter and subject, or is older than a day.
pub(super) fn verified<T: DeserializeOwned>(
    reporter: &CurrentUser,
    subject: &str,
    field: &str,
) -> Option<T> {
    let (signed, json) = field.split_at_checked(SIGNATURE_DIGITS)?;
    let expected = signature(reporter, subject, json);
    let is_valid: bool = expected.as_bytes().ct_eq(signed.as_bytes()).into();
    let dated = is_valid.then(|| serde_json::from_str::<Dated<T>>(json).ok());
    let oldest = now().0.saturating_sub(VALID_MS);
    let dated = dated.flatten().filter(|dated| dated.at >= oldest);
    dated.map(|dated| dated.shown)
}

fn signature(reporter: &CurrentUser, subject: &str, json: &str) -> String {
    let context = format!("{} {subject} ", reporter.id);
    let parts = [context.as_bytes(), json.as_bytes()];
    hex(&mac(&reporter.visitor.app().site.keys.report, &parts))
}
