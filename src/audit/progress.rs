//! Progress of a walk: a bar on a terminal, nothing elsewhere.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressStyle};

/// The bar of one walk.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    /// Draws a bar on standard error if it is a terminal.
    pub(super) fn begin(total: u64) -> Self {
        Self(stderr().is_terminal().then(|| bar(total)))
    }

    pub(super) fn step(&self, keys: usize) {
        if let Some(bar) = &self.0 {
            bar.inc(keys as u64);
        }
    }

    pub(super) fn end(self) {
        if let Some(bar) = self.0 {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("    keys {wide_bar} {human_pos}/{human_len}  {eta} left")
            .expect("the template of the bar is well formed");
    ProgressBar::new(total).with_style(style)
}
