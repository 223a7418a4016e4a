//! Where a form or a link leads on to: `next`, in a form's fields or in a query.

use serde::{Deserialize, Deserializer};

use crate::domain::LocalPath;

/// A page of this site to go on to, if one is named.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Leading {
    #[serde(default, deserialize_with = "local")]
    pub next: Option<LocalPath>,
}

/// What is no path of this site leads nowhere; the form it came with is as good as without it.
pub(super) fn local<'de, D: Deserializer<'de>>(from: D) -> Result<Option<LocalPath>, D::Error> {
    String::deserialize(from).map(|text| LocalPath::parse(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(query: &str) -> Option<String> {
        let leading: Leading = serde_urlencoded::from_str(query).unwrap();
        leading.next.map(|path| path.to_string())
    }

    #[test]
    fn only_a_path_of_this_site_is_a_way_on() {
        assert_eq!(next("next=%2F%40ada&x=y").as_deref(), Some("/@ada"));
        for query in [
            "",
            "next=",
            "next=%2F%2Fevil.example",
            "next=https%3A%2F%2Fevil",
        ] {
            assert_eq!(next(query), None, "{query}");
        }
    }
}
