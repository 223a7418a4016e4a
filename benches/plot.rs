//! Charts with logarithmic axes, as one SVG that is readable on light and dark pages.

use std::fmt::Write;

use super::{
    results::format_figure,
    spread::{Spread, exponent},
};

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 351.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 91.0;
const BOTTOM: f64 = 48.0;
const COLOURS: [&str; 4] = ["#c2410c", "#0369a1", "#15803d", "#7e22ce"];
/// Number of charts in a row.
const COLUMNS: usize = 2;

pub struct Axes {
    pub title: &'static str,
    pub x: &'static str,
    pub y: &'static str,
}

/// Figures over a size, each with its spread.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, Spread)>,
}

/// Number of last points from which growth is read, where constant costs no longer matter.
const TAIL: usize = 3;

impl Series {
    /// Returns the exponent of all points and, if there are more than [`TAIL`], that of the last
    /// ones.
    pub fn growth(&self) -> String {
        let points = self.points.iter();
        let medians: Vec<_> = points.map(|(x, spread)| (*x, spread.median)).collect();
        let all = format!("exponent {}", format_figure(exponent(&medians)));
        match medians.len() {
            0..=TAIL => all,
            count => {
                let tail = format_figure(exponent(&medians[count - TAIL..]));
                format!("{all}, last {TAIL}: {tail}")
            }
        }
    }
}

/// Logarithmic axis over whole powers of ten.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// Draws the charts, in rows.
pub fn draw(charts: &[(Axes, Vec<Series>)]) -> String {
    let width = WIDTH * COLUMNS as f64;
    let height = HEIGHT * charts.len().div_ceil(COLUMNS) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" role=\"img\" \
         aria-label=\"How pages, search and posting grow\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (place, (axes, series)) in charts.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<g transform=\"translate({},{})\">",
            WIDTH * (place % COLUMNS) as f64,
            HEIGHT * (place / COLUMNS) as f64
        );
        chart(&mut svg, axes, series);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

fn chart(svg: &mut String, axes: &Axes, series: &[Series]) {
    let all = || series.iter().flat_map(|series| &series.points);
    let xs = Scale::over(all().map(|(x, _)| *x), LEFT, WIDTH - RIGHT);
    let ys = all().flat_map(|(_, spread)| [spread.least, spread.most]);
    let ys = Scale::over(ys, HEIGHT - BOTTOM, TOP);
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"18\" font-weight=\"600\">{}</text>",
        axes.title
    );
    frame(svg, axes, &xs, &ys);
    for (place, series) in series.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        line(svg, series, &xs, &ys, colour);
        let y = 34.0 + 15.0 * place as f64;
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"{y}\" fill=\"{colour}\">{} ({})</text>",
            series.name,
            series.growth()
        );
    }
}

fn frame(svg: &mut String, axes: &Axes, xs: &Scale, ys: &Scale) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for power in xs.powers() {
        let x = xs.at(power);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#444\">{}</text>",
            bottom + 16.0,
            label(power)
        );
    }
    for power in ys.powers() {
        let y = ys.at(power);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444\">{}</text>",
            LEFT - 6.0,
            y + 4.0,
            label(power)
        );
    }
    let middle = f64::midpoint(TOP, bottom);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#444\">{}</text>\
         <text transform=\"translate(14,{middle}) rotate(-90)\" text-anchor=\"middle\" fill=\"#444\">{}</text>",
        f64::midpoint(LEFT, right),
        HEIGHT - 12.0,
        axes.x,
        axes.y
    );
}

/// Draws the medians with a line through them, and a bar from minimum to maximum at each.
fn line(svg: &mut String, series: &Series, xs: &Scale, ys: &Scale, colour: &str) {
    let mut path = String::new();
    for (x, spread) in &series.points {
        let (x, y) = (xs.at(*x), ys.at(spread.median));
        let _ = write!(
            path,
            "{}{x:.1} {y:.1}",
            if path.is_empty() { 'M' } else { 'L' }
        );
        let (least, most) = (ys.at(spread.least), ys.at(spread.most));
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>\
             <path d=\"M{x:.1} {least:.1}V{most:.1}\" stroke=\"{colour}\"/>"
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
    );
}

/// Formats a power of ten for readers.
fn label(power: f64) -> String {
    if power >= 1.0 {
        super::results::format_thousands(power)
    } else {
        power.to_string()
    }
}

impl Scale {
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values.fold((f64::MAX, f64::MIN_POSITIVE), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let low = low.log10().floor();
        let high = high.log10().ceil().max(low + 1.0);
        Self {
            low,
            high,
            from,
            to,
        }
    }

    fn at(&self, value: f64) -> f64 {
        let part = (value.log10() - self.low) / (self.high - self.low);
        self.from + part * (self.to - self.from)
    }

    fn powers(&self) -> impl Iterator<Item = f64> {
        (self.low as i32..=self.high as i32).map(|power| 10_f64.powi(power))
    }
}
