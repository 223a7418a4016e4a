//! A QR code as SVG: one path with a rectangle for each dark module.

use std::fmt::Write;

use askama::Template;
use qrcode::{Color, EcLevel, QrCode};

/// Light modules around the code, which readers need.
const MARGIN: usize = 4;

#[derive(Debug, Template)]
#[template(path = "device_log_ins/_qr_code.html")]
pub struct QrSvg {
    /// Width and height, in modules.
    size: usize,
    path: String,
}

impl askama::filters::HtmlSafe for QrSvg {}

impl QrSvg {
    /// Returns the code of a text. `None` if the text is too long.
    pub fn of(text: &str) -> Option<Self> {
        let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
        let width = code.width();
        let mut path = String::new();
        for (at, color) in code.to_colors().into_iter().enumerate() {
            if color == Color::Dark {
                let (x, y) = (MARGIN + at % width, MARGIN + at / width);
                // Writing to a String does not fail.
                let _ = write!(path, "M{x} {y}h1v1h-1z");
            }
        }
        let size = width + 2 * MARGIN;
        Some(Self { size, path })
    }
}

#[cfg(test)]
mod tests {
    use super::super::qr_code::*;

    #[test]
    fn a_code_has_its_finder_patterns_and_a_margin() {
        let code = QrSvg::of("https://red.example/login/device/7-ABCD").expect("short");
        assert!(code.path.starts_with("M4 4h1v1h-1z"), "the corner is dark");
        let right = code.size - MARGIN - 1;
        assert!(code.path.contains(&format!("M{right} 4h1v1h-1z")));
        let html = code.render().expect("no template fails");
        assert!(html.contains(&format!("viewBox=\"0 0 {0} {0}\"", code.size)));
        assert!(QrSvg::of(&"x".repeat(5000)).is_none());
    }
}
