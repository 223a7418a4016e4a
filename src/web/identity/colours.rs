//! The colours of a site: those of the stylesheet, turned to another hue. Lightness and chroma stay, so the pages look
//! alike in each hue. Texts become darker or lighter until they are readable.

use std::{fmt::Write as _, sync::LazyLock};

use crate::{domain::SiteHue, web::assets};

/// The colours of the stylesheet that follow the hue.
const BACKGROUNDS: [&str; 6] = ["paper", "sheet", "raised", "accent-soft", "line", "edge"];
/// Texts, which are readable on the first four backgrounds.
const TEXTS: [&str; 4] = ["ink", "muted", "accent", "field-edge"];
/// The backgrounds of white texts.
const FILLS: [&str; 2] = ["accent-fill", "accent-fill-hover"];

/// The contrast of texts that the WCAG demand, with a margin for rounding.
const CONTRAST: f64 = 4.55;
const STEP: f64 = 0.004;
/// Halvings of the chroma's range. The rest is less than a step of eight bits.
const HALVINGS: usize = 16;

/// A colour in OKLCH, with the digits of its opacity in hexadecimal notation.
#[derive(Debug, Clone)]
struct Colour<'a> {
    lightness: f64,
    chroma: f64,
    hue: f64,
    opacity: &'a str,
}

/// A colour in sRGB, from 0 to 1.
type Rgb = [f64; 3];

const WHITE: Rgb = [1.0; 3];

/// Returns the style sheet that turns the colours of pages to a hue.
pub fn stylesheet(hue: SiteHue) -> String {
    let [light, dark] = [0, 1].map(|scheme| palette(hue, scheme));
    let mut sheet = String::from("@layer base{@media screen{:root{");
    for ((name, light), (_, dark)) in light.iter().zip(&dark) {
        write!(sheet, "--{name}:light-dark({light},{dark});").expect("writing to memory");
    }
    sheet + "}}}"
}

/// The colours of the header in each hue, light and dark. Every page has them, so they are computed once.
static HEADERS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| {
    let header = |hue, scheme| Colour::of_stylesheet("sheet", scheme).turned(hue).to_hex();
    let hues = SiteHue::all();
    hues.map(|hue| [0, 1].map(|scheme| header(hue, scheme)))
        .collect()
});

/// Returns the colour of the header in a scheme: 0 is light, 1 is dark.
pub fn header(hue: SiteHue, scheme: usize) -> &'static str {
    &HEADERS[usize::from(hue.degrees())][scheme]
}

/// Returns the background of white texts, in the light scheme.
pub fn fill(hue: SiteHue) -> String {
    readable_fill("accent-fill", hue, 0).to_hex()
}

fn palette(hue: SiteHue, scheme: usize) -> Vec<(&'static str, String)> {
    let turned = |name: &'static str| (name, Colour::of_stylesheet(name, scheme).turned(hue));
    let backgrounds = BACKGROUNDS.map(turned);
    let below: Vec<Rgb> = backgrounds
        .iter()
        .take(4)
        .map(|(_, one)| one.rgb())
        .collect();
    let texts = TEXTS.map(|name| {
        let text = Colour::of_stylesheet(name, scheme).turned(hue);
        let step = if scheme == 0 { -STEP } else { STEP };
        (name, text.until_readable(&below, step))
    });
    let fills = FILLS.map(|name| (name, readable_fill(name, hue, scheme)));
    let all = backgrounds.into_iter().chain(texts).chain(fills);
    all.map(|(name, colour)| (name, colour.to_hex())).collect()
}

fn readable_fill(name: &str, hue: SiteHue, scheme: usize) -> Colour<'static> {
    let fill = Colour::of_stylesheet(name, scheme).turned(hue);
    fill.until_readable(&[WHITE], -STEP)
}

impl Colour<'static> {
    /// Reads a colour of the stylesheet, which has the form `--name: light-dark(#rrggbb, #rrggbb);`.
    fn of_stylesheet(name: &str, scheme: usize) -> Self {
        let (text, _) = assets::stylesheet();
        let start = format!("--{name}: light-dark(");
        let both = text
            .split_once(&start)
            .and_then(|(_, rest)| rest.split_once(')'));
        let (both, _) = both.expect("the stylesheet declares each of these colours");
        let hex = both
            .split(", ")
            .nth(scheme)
            .expect("a colour of each scheme");
        Self::of_hex(hex).expect("colours of the stylesheet are hexadecimal")
    }

    fn of_hex(hex: &'static str) -> Option<Self> {
        let digits = hex.strip_prefix('#')?;
        let part = |at: usize| {
            let value = u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()?;
            Some(to_linear(f64::from(value) / 255.0))
        };
        let [red, green, blue] = [part(0)?, part(2)?, part(4)?];
        let l = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let m = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let s = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        let a = 1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s;
        let b = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s;
        Some(Self {
            lightness: 0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            chroma: a.hypot(b),
            hue: b.atan2(a).to_degrees(),
            opacity: digits.get(6..)?,
        })
    }

    fn turned(self, hue: SiteHue) -> Self {
        Self {
            hue: f64::from(hue.degrees()),
            ..self
        }
    }

    /// Changes the lightness by steps until the contrast to each of these colours suffices.
    fn until_readable(mut self, others: &[Rgb], step: f64) -> Self {
        let is_readable = |colour: &Self| {
            let rgb = colour.rgb();
            others.iter().all(|other| contrast(rgb, *other) >= CONTRAST)
        };
        while !is_readable(&self) && (0.0..=1.0).contains(&self.lightness) {
            self.lightness += step;
        }
        self
    }

    /// Returns the colour in linear sRGB. Parts outside of 0 to 1 cannot be shown.
    fn linear(&self, chroma: f64) -> Rgb {
        let (sin, cos) = self.hue.to_radians().sin_cos();
        let (a, b) = (chroma * cos, chroma * sin);
        let l = (self.lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (self.lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (self.lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
        [
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
        ]
    }

    /// Returns the colour in sRGB, with as much of its chroma as screens show.
    fn rgb(&self) -> Rgb {
        let is_shown = |chroma| {
            let linear = self.linear(chroma);
            linear
                .iter()
                .all(|part| (-1e-6..=1.0 + 1e-6).contains(part))
        };
        let (mut low, mut high) = (0.0, self.chroma);
        if is_shown(high) {
            low = high;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            match is_shown(middle) {
                true => low = middle,
                false => high = middle,
            }
        }
        self.linear(low).map(to_srgb)
    }

    fn to_hex(&self) -> String {
        let parts = self.rgb().map(|part| format!("{:02x}", to_byte(part)));
        format!("#{}{}", parts.concat(), self.opacity)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is rounded and between 0 and 255"
)]
fn to_byte(part: f64) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn to_linear(part: f64) -> f64 {
    match part <= 0.040_45 {
        true => part / 12.92,
        false => ((part + 0.055) / 1.055).powf(2.4),
    }
}

fn to_srgb(part: f64) -> f64 {
    match part <= 0.003_130_8 {
        true => part.max(0.0) * 12.92,
        false => 1.055 * part.powf(1.0 / 2.4) - 0.055,
    }
}

/// Returns the contrast of two colours as the WCAG define it.
fn contrast(one: Rgb, other: Rgb) -> f64 {
    let luminance = |rgb: Rgb| {
        let [red, green, blue] = rgb.map(to_linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
    };
    let (one, other) = (luminance(one), luminance(other));
    one.max(other) / one.min(other)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::colours::*;

    fn rgb(hex: &str) -> Rgb {
        let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        [1, 3, 5].map(|at| f64::from(part(at)) / 255.0)
    }

    #[test]
    fn texts_are_readable_in_every_hue() {
        for degrees in 0..=SiteHue::MAX {
            let hue: SiteHue = degrees.to_string().parse().unwrap();
            for scheme in [0, 1] {
                let palette: HashMap<&str, String> = palette(hue, scheme).into_iter().collect();
                let colour = |name: &str| rgb(&palette[name]);
                for (text, below) in TEXTS
                    .iter()
                    .flat_map(|text| BACKGROUNDS.iter().take(4).map(move |below| (text, below)))
                {
                    let contrast = contrast(colour(text), colour(below));
                    assert!(
                        contrast >= 4.5,
                        "{degrees} {scheme} {text} on {below}: {contrast}"
                    );
                }
                for fill in FILLS {
                    let contrast = contrast(colour(fill), WHITE);
                    assert!(contrast >= 4.5, "{degrees} {scheme} {fill}: {contrast}");
                }
            }
        }
    }

    #[test]
    fn a_colour_keeps_its_value_in_its_own_hue() {
        for hex in ["#b8321f", "#f8f2ec", "#14100f", "#94807780"] {
            assert_eq!(Colour::of_hex(hex).unwrap().to_hex(), hex);
        }
    }
}
