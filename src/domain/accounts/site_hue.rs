//! The hue of a site, from which the colours of its pages follow.

use std::str::FromStr;

use crate::domain::ParseError;

/// A hue of the colour space OKLCH, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, derive_more::Display)]
pub struct SiteHue(u16);

impl SiteHue {
    pub const MAX: u16 = 359;

    /// The hue of the colours in the stylesheet.
    pub const DEFAULT: Self = Self(31);

    /// Returns all hues, from 0 degrees on.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::MAX).map(Self)
    }

    pub fn degrees(self) -> u16 {
        self.0
    }
}

impl Default for SiteHue {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl FromStr for SiteHue {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let degrees: u16 = text.parse().map_err(|_| ParseError)?;
        let is_plain = degrees <= Self::MAX && degrees.to_string() == text;
        is_plain.then_some(Self(degrees)).ok_or(ParseError)
    }
}

#[cfg(test)]
mod tests {
    use super::super::site_hue::*;

    #[test]
    fn a_hue_is_a_plain_number_of_degrees() {
        for degrees in 0..=SiteHue::MAX {
            let hue = degrees.to_string().parse().map(SiteHue::degrees);
            assert_eq!(hue, Ok(degrees));
        }
        for text in ["", "360", "-1", "+1", "01", "1.5", "red"] {
            assert_eq!(text.parse::<SiteHue>(), Err(ParseError), "{text}");
        }
    }
}
