//! The table of a run, as Markdown and as JSON.

use std::{fmt::Write, fs, path::Path};

use serde::Serialize;

use super::{machine::Machine, redis::Outcome, spread::Spread};

/// Row of the table.
#[derive(Debug, Serialize)]
pub struct Row {
    pub part: &'static str,
    pub case: String,
    pub unit: &'static str,
    #[serde(flatten)]
    pub figure: Spread,
    pub ratio: Option<Ratio>,
    /// Additional observations.
    pub details: String,
}

/// The figure divided by a named figure of the same round.
#[derive(Debug, Serialize)]
pub struct Ratio {
    pub of: &'static str,
    #[serde(flatten)]
    pub spread: Spread,
}

/// All results of a run.
#[derive(Debug, Serialize)]
pub struct Results {
    pub machine: Machine,
    /// Sizes and durations of the run, in words.
    pub run: String,
    pub rows: Vec<Row>,
}

impl Row {
    pub fn new(
        part: &'static str,
        case: impl Into<String>,
        unit: &'static str,
        figure: Spread,
    ) -> Self {
        Self {
            part,
            case: case.into(),
            unit,
            figure,
            ratio: None,
            details: String::new(),
        }
    }

    pub fn with_ratio(mut self, spread: Spread, of: &'static str) -> Self {
        self.ratio = Some(Ratio { of, spread });
        self
    }

    pub fn with_details(mut self, details: impl Into<String>) -> Self {
        self.details = details.into();
        self
    }

    fn line(&self) -> String {
        let spread = |spread: &Spread| {
            let (median, least, most) = (spread.median, spread.least, spread.most);
            if least.total_cmp(&most).is_eq() {
                return format_figure(median);
            }
            format!(
                "{} ({}–{})",
                format_figure(median),
                format_figure(least),
                format_figure(most)
            )
        };
        let ratio = self.ratio.as_ref();
        let ratio = ratio.map_or_else(String::new, |ratio| {
            format!("{} of {}", spread(&ratio.spread), ratio.of)
        });
        format!(
            "| {} | {} {} | {ratio} | {} |",
            self.case,
            spread(&self.figure),
            self.unit,
            self.details
        )
    }
}

impl Results {
    /// Adds the rows of a part and prints them at once.
    pub fn add(&mut self, rows: Vec<Row>) {
        for row in &rows {
            eprintln!("  {}", row.line());
        }
        self.rows.extend(rows);
    }

    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n\n{}\n", self.machine, self.run);
        if self.rows.iter().any(|row| row.ratio.is_some()) {
            text += "A ratio is the median of the ratios of the rounds. It can differ from the ratio of \
                     the medians.\n";
        }
        let mut part = "";
        for row in &self.rows {
            if row.part != part {
                part = row.part;
                let _ = write!(
                    text,
                    "\n### {part}\n\n| case | median (least–most) | ratio | details |\n|---|---|---|---|\n"
                );
            }
            let _ = writeln!(text, "{}", row.line());
        }
        text
    }

    /// Writes `table.md`, `figures.json` and the plot if there is one.
    pub fn write(&self, directory: &Path, plot: Option<&str>) -> Outcome<()> {
        fs::create_dir_all(directory)?;
        fs::write(directory.join("table.md"), self.markdown())?;
        fs::write(
            directory.join("figures.json"),
            serde_json::to_string_pretty(self)? + "\n",
        )?;
        if let Some(plot) = plot {
            fs::write(directory.join("growth.svg"), plot)?;
        }
        Ok(())
    }
}

/// Formats a figure with three significant digits.
pub fn format_figure(figure: f64) -> String {
    match figure.abs() {
        none if none < 0.0005 => "0.000".to_owned(),
        large if large >= 1000.0 => format_thousands(figure),
        large if large >= 100.0 => format!("{figure:.0}"),
        large if large >= 10.0 => format!("{figure:.1}"),
        large if large >= 1.0 => format!("{figure:.2}"),
        _ => format!("{figure:.3}"),
    }
}

/// Formats a whole number with commas.
pub fn format_thousands(figure: f64) -> String {
    let digits = format!("{figure:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        let left = digits.len() - place;
        if place > 0 && left.is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
