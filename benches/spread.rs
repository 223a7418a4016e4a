//! Figures of several rounds: median and spread.

use serde::Serialize;

/// Median of some rounds, with minimum and maximum.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Spread {
    pub median: f64,
    pub least: f64,
    pub most: f64,
}

impl Spread {
    /// Returns the spread of at least one figure.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Self {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_by(f64::total_cmp);
        let middle = figures.len() / 2;
        let median = match figures.len() {
            0 => f64::NAN,
            length if length % 2 == 1 => figures[middle],
            _ => f64::midpoint(figures[middle - 1], figures[middle]),
        };
        Self {
            median,
            least: figures.first().copied().unwrap_or(f64::NAN),
            most: figures.last().copied().unwrap_or(f64::NAN),
        }
    }

    /// Returns the spread of the ratios of two figures of each round. Both were measured one after
    /// the other on the same machine.
    pub fn of_ratios(figures: &[f64], references: &[f64]) -> Self {
        Self::of(
            figures
                .iter()
                .zip(references)
                .map(|(figure, reference)| figure / reference),
        )
    }
}

/// Returns the exponent with which y grows with x: the slope of the line through their logarithms.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|log| log.0), mean(|log| log.1));
    let above: f64 = logs.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let below: f64 = logs.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    above / below
}
