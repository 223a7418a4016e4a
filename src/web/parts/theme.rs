//! The colours of the pages: light or dark.

use serde::Deserialize;

/// The theme that a reader chose for a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the device is set.
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    /// The value in the form and in the cookie.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Returns the theme of a cookie. Any other value is `Auto`.
    pub fn from_cookie(value: &str) -> Self {
        let named = Self::ALL.into_iter().find(|theme| theme.as_str() == value);
        named.unwrap_or_default()
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Auto => "As this device is set",
            Self::Light => "Light",
            Self::Dark => "Dark",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_name_a_theme_or_are_ignored() {
        for theme in Theme::ALL {
            assert_eq!(Theme::from_cookie(theme.as_str()), theme);
        }
        assert_eq!(Theme::from_cookie("dark\"><b>"), Theme::Auto);
    }
}
