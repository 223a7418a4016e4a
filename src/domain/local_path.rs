//! The page to continue with after a form: a path of this site, never of another one.

/// A path with its query, valid in a `Location` header: `/` first, then printable ASCII.
#[derive(Debug, Clone, PartialEq, Eq, derive_more::Display)]
pub struct LocalPath(String);

impl LocalPath {
    pub const MAX_BYTES: usize = 512;

    /// Parses a path. Refuses everything that a browser could take for another site's address: `//host`,
    /// and `\`, which it reads as `/`.
    pub fn parse(text: &str) -> Option<Self> {
        let local = text.starts_with('/') && !text.contains("//") && !text.contains('\\');
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        (local && plain && text.len() <= Self::MAX_BYTES).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn without_query(&self) -> &str {
        self.0.split('?').next().unwrap_or_default()
    }
}

impl Default for LocalPath {
    fn default() -> Self {
        Self("/".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::super::local_path::*;

    #[test]
    fn local_paths_are_accepted_unchanged() {
        for path in ["/", "/@robin", "/@robin/12?before=34", "/search?q=%C3%A9"] {
            let parsed = LocalPath::parse(path).map(|path| path.to_string());
            assert_eq!(parsed.as_deref(), Some(path));
        }
    }

    #[test]
    fn paths_that_may_leave_the_site_are_refused() {
        let long = format!("/{}", "a".repeat(LocalPath::MAX_BYTES));
        assert_eq!(LocalPath::parse(&long), None);
        for path in "|home|//evil.example|/\\evil.example|\\/evil.example|https://evil.example|\
            /\t/evil.example|/\n/evil.example|/a b|/é|/a//b|javascript:alert(1)| /"
            .split('|')
        {
            assert_eq!(LocalPath::parse(path), None, "{path:?}");
        }
    }

    proptest! {
        #[test]
        fn a_local_path_never_leaves_the_site(text in "[/\\\\]{0,3}[a-z@:/.?#\\\\%\\t ]{0,20}") {
            if let Some(path) = LocalPath::parse(&text) {
                let site = Url::parse("https://here.example/login").expect("a URL");
                let target = site.join(path.as_str()).expect("a path that resolves");
                prop_assert_eq!(target.host_str(), Some("here.example"));
                prop_assert_eq!(target.scheme(), "https");
            }
        }
    }
}
