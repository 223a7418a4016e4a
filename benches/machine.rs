//! The machine on which the figures were measured, without anything that identifies the host.

use std::{fmt, fs, process::Command, thread::available_parallelism};

use serde::Serialize;

use super::{
    load,
    redis::{Outcome, Redis},
};

#[derive(Debug, Serialize)]
pub struct Machine {
    processor: String,
    cores: usize,
    memory_gib: u64,
    kernel: String,
    redis: String,
    generator: String,
    commit: String,
    day: String,
}

impl Machine {
    pub fn here(redis: &mut Redis) -> Outcome<Self> {
        let server = redis.info("server")?;
        let version = server
            .get("valkey_version")
            .map(|version| format!("Valkey {version}"));
        let version = version.or_else(|| Some(format!("Redis {}", server.get("redis_version")?)));
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease")?;
        Ok(Self {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".into()),
            cores: available_parallelism()?.get(),
            memory_gib: memory_gib().unwrap_or_default(),
            kernel: kernel
                .split('-')
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned(),
            redis: version.unwrap_or_else(|| "unknown".into()),
            generator: first_output_line("wrk", &["-v"])
                .filter(|_| load::has_wrk())
                .map_or_else(
                    || "threads of the bench".into(),
                    |said| {
                        said.split_whitespace()
                            .take(2)
                            .collect::<Vec<_>>()
                            .join(" ")
                    },
                ),
            commit: first_output_line("git", &["rev-parse", "--short", "HEAD"])
                .unwrap_or_else(|| "unknown".into()),
            day: first_output_line("date", &["-u", "+%Y-%m-%d"]).unwrap_or_default(),
        })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} shared cores ({}), {} GiB, Linux {}, {}, load by {} on the same cores; commit {}, {}.",
            self.cores,
            self.processor,
            self.memory_gib,
            self.kernel,
            self.redis,
            self.generator,
            self.commit,
            self.day
        )
    }
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory_gib() -> Option<u64> {
    let total = field("/proc/meminfo", "MemTotal")?;
    let kib: u64 = total.split_whitespace().next()?.parse().ok()?;
    Some(kib.div_ceil(1024 * 1024))
}

/// Returns the first line that a program prints to either of its outputs.
fn first_output_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    said.lines().next().map(|line| line.trim().to_owned())
}
