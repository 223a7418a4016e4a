//! Progress of a seed: a bar with its rate on a terminal, a line every few seconds elsewhere.

use std::{
    cell::Cell,
    fmt,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

const LINE_EVERY: Duration = Duration::from_secs(5);

/// A running part of the work.
pub(super) struct Progress {
    label: &'static str,
    /// Hidden without a terminal.
    bar: ProgressBar,
    shown: Cell<Instant>,
}

impl Progress {
    pub(super) fn begin(label: &'static str, total: usize) -> Self {
        let template = "{msg:>8} {wide_bar} {human_pos}/{human_len}  {per_sec}  {eta} left";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let bar = ProgressBar::new(total as u64)
            .with_style(style)
            .with_message(label);
        let shown = Cell::new(Instant::now());
        Self { label, bar, shown }
    }

    pub(super) fn step(&self) {
        self.bar.inc(1);
        if self.bar.is_hidden() && self.shown.get().elapsed() >= LINE_EVERY {
            self.shown.set(Instant::now());
            let total = self.bar.length().unwrap_or_default();
            let done = self.bar.position();
            output::print_error(format_args!("{done}/{total} {}", self.result()));
        }
    }

    pub(super) fn end(self) -> Completed {
        let result = self.result();
        self.bar.finish_and_clear();
        output::print_error(result);
        result
    }

    fn result(&self) -> Completed {
        Completed {
            label: self.label,
            done: self.bar.position(),
            duration: self.bar.elapsed(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Completed {
    label: &'static str,
    pub(super) done: u64,
    pub(super) duration: Duration,
}

impl fmt::Display for Completed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (label, done, seconds) = (self.label, self.done, self.duration.as_secs_f64());
        let rate = done as f64 / seconds;
        write!(f, "{label:>8} {done:>7} in {seconds:>6.1} s  ({rate:.0}/s)")
    }
}
