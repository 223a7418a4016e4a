//! Progress of a seed: a bar with its rate on a terminal, a line every few seconds elsewhere.

use std::{
    cell::Cell,
    fmt,
    io::{IsTerminal, stderr},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

/// Interval of lines without a terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A running part of the work.
pub(super) struct Progress {
    label: &'static str,
    total: usize,
    done: Cell<usize>,
    begun: Instant,
    /// Time of the last line. Unused with a bar.
    shown: Cell<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn begin(label: &'static str, total: usize) -> Self {
        let now = Instant::now();
        let bar = stderr().is_terminal().then(|| bar(label, total));
        Self {
            label,
            total,
            done: Cell::new(0),
            begun: now,
            shown: Cell::new(now),
            bar,
        }
    }

    /// Counts one more item.
    pub(super) fn step(&self) {
        self.done.set(self.done.get() + 1);
        match &self.bar {
            Some(bar) => bar.inc(1),
            None if self.shown.get().elapsed() >= LINE_EVERY => {
                self.shown.set(Instant::now());
                eprintln!("{}/{} {}", self.done.get(), self.total, self.result());
            }
            None => {}
        }
    }

    /// Ends the part.
    pub(super) fn end(self) -> Completed {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let result = self.result();
        eprintln!("{result}");
        result
    }

    fn result(&self) -> Completed {
        Completed {
            label: self.label,
            done: self.done.get(),
            duration: self.begun.elapsed(),
        }
    }
}

fn bar(label: &'static str, total: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{msg:>8} {wide_bar} {human_pos}/{human_len}  {per_sec}  {eta} left",
    )
    .expect("the template of the bar is well formed");
    ProgressBar::new(total as u64)
        .with_style(style)
        .with_message(label)
}

/// Amount and duration of a completed part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Completed {
    pub(super) label: &'static str,
    pub(super) done: usize,
    pub(super) duration: Duration,
}

impl fmt::Display for Completed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.duration.as_secs_f64();
        #[expect(
            clippy::cast_precision_loss,
            reason = "a rate for reading needs three digits"
        )]
        let rate = if seconds > 0.0 {
            self.done as f64 / seconds
        } else {
            0.0
        };
        write!(
            f,
            "{:>8} {:>7} in {seconds:>6.1} s  ({rate:.0}/s)",
            self.label, self.done
        )
    }
}
