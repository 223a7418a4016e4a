//! The content of a session, as Redis stores it.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::domain::{Login, UnixMs, UserId};

/// The content of a session. It is stored as a JSON object of texts in one STRING and not as a HASH: every
/// request reads all of it, and a change replaces all of it only while it exists (`SET … XX EX`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionState {
    pub uid: UserId,
    pub login: Login,
    pub name: String,
    /// The epoch of the user when the session began. Another epoch ends the session.
    pub epoch: String,
    /// The browser, as it names itself.
    pub agent: String,
    #[serde(with = "ms_as_text")]
    pub created: UnixMs,
    #[serde(with = "ms_as_text")]
    pub seen: UnixMs,
    /// Seed of the form tokens.
    pub csrf: String,
    /// The text of a form that was typed before the log-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_form: Option<String>,
}

impl SessionState {
    /// Returns the memory of its texts.
    pub(super) fn text_bytes(&self) -> usize {
        let pending_form = self.pending_form.as_deref().unwrap_or_default();
        let login = self.login.as_str();
        let texts = [
            login,
            &self.name,
            &self.epoch,
            &self.agent,
            &self.csrf,
            pending_form,
        ];
        texts.iter().map(|text| text.len()).sum()
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a session is always JSON")
    }

    /// Parses a stored session. `None` if the text is not one.
    pub(super) fn from_json(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }
}

mod ms_as_text {
    use super::*;

    pub(super) fn serialize<S: Serializer>(time: &UnixMs, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&time.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<UnixMs, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map(UnixMs).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORED: &str = r#"{"uid":"42","login":"Alice","name":"Alice \"A\"","epoch":"e1","agent":"Browser/1","created":"1767225600000","seen":"1767225600001","csrf":"00ff"}"#;

    fn session() -> SessionState {
        SessionState {
            uid: UserId::new(42).unwrap(),
            login: Login::stored("Alice").unwrap(),
            name: "Alice \"A\"".to_owned(),
            epoch: "e1".to_owned(),
            agent: "Browser/1".to_owned(),
            created: UnixMs(1_767_225_600_000),
            seen: UnixMs(1_767_225_600_001),
            csrf: "00ff".to_owned(),
            pending_form: None,
        }
    }

    #[test]
    fn a_session_keeps_its_stored_text() {
        assert_eq!(session().to_json(), STORED);
        assert_eq!(SessionState::from_json(STORED), Some(session()));
        let with_form = SessionState {
            pending_form: Some(r#"{"form":"new_list"}"#.to_owned()),
            ..session()
        };
        let stored = STORED.replace('}', r#","pending_form":"{\"form\":\"new_list\"}"}"#);
        assert_eq!(with_form.to_json(), stored);
        assert_eq!(SessionState::from_json(&stored), Some(with_form));
    }

    #[test]
    fn the_order_of_entries_does_not_matter_and_unknown_ones_are_ignored() {
        let stored: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&STORED.replace('{', r#"{"later":"x","#)).unwrap();
        let reversed: Vec<String> = stored
            .iter()
            .rev()
            .map(|(name, text)| format!("\"{name}\":{text}"))
            .collect();
        let reversed = format!("{{{}}}", reversed.join(","));
        assert_eq!(SessionState::from_json(&reversed), Some(session()));
    }

    #[test]
    fn a_malformed_session_is_refused() {
        for (from, to) in [
            (r#""uid":"42""#, r#""uid":"0""#),
            (r#""uid":"42","#, ""),
            (r#""epoch":"e1","#, ""),
            (r#""seen":"1767225600001""#, r#""seen":"soon""#),
        ] {
            let malformed = STORED.replace(from, to);
            assert_ne!(malformed, STORED);
            assert_eq!(SessionState::from_json(&malformed), None, "{malformed}");
        }
    }
}
