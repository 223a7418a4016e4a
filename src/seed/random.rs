//! Pseudo-random numbers of the seed. They follow from words, so they are the same in every run, with
//! the skew of real networks.

use super::plan::digest;

/// Skew of numbers: the share of things with `n` or more falls like n^(-1/0.8).
const SKEW: f64 = 0.8;

/// Returns a number above 0 and up to 1 that these words determine.
pub(super) fn random_fraction(words: &[&str]) -> f64 {
    let drawn = digest(words) >> 75;
    (drawn as f64 + 1.0) / (1_u64 << 53) as f64
}

/// Returns a count: few for most words, many for a few.
pub(super) fn skewed_count(words: &[&str], scale: f64, most: usize) -> usize {
    let drawn = scale * (random_fraction(words).powf(-SKEW) - 1.0);
    (drawn as usize).min(most)
}

/// Returns an index with a uniform distribution.
pub(super) fn pick_index(words: &[&str], of: usize) -> usize {
    (random_fraction(words) * of as f64) as usize % of.max(1)
}

/// Returns an index that favours the first ones.
pub(super) fn pick_skewed_index(words: &[&str], of: usize) -> usize {
    skewed_count(words, 0.8, usize::MAX) % of.max(1)
}

/// Returns so many neighbouring items from any start.
pub(super) fn pick_neighbours<'a>(
    words: &[&str],
    from: &'a [usize],
    count: usize,
) -> impl Iterator<Item = usize> + use<'a> {
    let start = pick_index(words, from.len());
    let count = count.min(from.len());
    from.iter().cycle().skip(start).take(count).copied()
}
