//! `make bench`: starts real sites with networks of several sizes and measures every speed that
//! README states. Figures are ratios to reference figures taken in the same run, one after the
//! other.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the bench prints its results"
)]

mod actions;
mod fixed;
mod http;
mod index;
#[path = "../tests/support/leftovers.rs"]
mod leftovers;
mod load;
mod loader;
mod machine;
mod member;
mod network;
mod open_loop;
mod parts;
mod plot;
mod redis;
mod results;
mod site;
mod spread;
mod talk;
mod talk_pages;
mod world;

use std::{env, path::PathBuf, process::ExitCode, time::Duration};

use clap::{Parser, ValueEnum};
use redwing::{actions::passwords::Hasher, domain::Password};

use self::redis::Outcome;
use machine::Machine;
use member::PASSWORD;
use parts::{
    dormancy, fan_out, groups, growth, memory, messages, open, pages, posting, scripts, talking,
    writes,
};
use results::Results;
use site::Site;
use talk::TalkingSite;
use world::World;

/// Memory of a password hash: the default of the setting.
const HASH_BYTES: u32 = 19_922_944;

/// Size above which `redwing check` takes minutes.
const MAX_CHECKED_PEOPLE: u64 = 20_000;
/// Number of logged-in people, spread over all circles.
const READERS: u64 = 64;

/// Amount of measuring.
#[derive(Parser)]
struct Settings {
    /// People in the main network, in whole thousands. Growth is measured from a tenth to ten times
    /// that size.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1000..))]
    people: u64,
    /// Duration of each load.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Number of rounds.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=99))]
    rounds: u64,
    /// Parts to measure, comma-separated; all by default.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Part::value_variants().iter().copied())]
    parts: Vec<Part>,
    /// Binary of the talking network, for example of an older commit. Other parts write keys
    /// directly, so they only measure the binary that was built with the bench.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_redwing"))]
    binary: PathBuf,
    /// Directory for the table, the figures and the plot.
    #[arg(long)]
    results: PathBuf,
    /// Passed by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Parts of the table. Scripts needs no network, talking one of its own, growth networks of three sizes,
/// and the others one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Scripts,
    Talking,
    Pages,
    Open,
    Posting,
    Writes,
    Messages,
    Groups,
    Memory,
    Growth,
    FanOut,
    Dormancy,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    let done = match &arguments[1..] {
        [argument, file] if argument == fixed::ARGUMENT => fixed::serve(file),
        _ => measure(&Settings::parse()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(settings: &Settings) -> Outcome<()> {
    let mut results = Results {
        machine: Machine::here(&mut Site::start()?.redis()?)?,
        run: format!(
            "{} people. Each follows 40 others and has a full home. Medians of {} rounds. \
             Each load lasts {} s.",
            results::format_thousands(settings.people.next_multiple_of(1000) as f64),
            settings.rounds,
            settings.seconds
        ),
        rows: Vec::new(),
    };
    if settings.parts.contains(&Part::Scripts) {
        results.add(scripts::run(settings.rounds()?)?);
    }
    if settings.parts.contains(&Part::Talking) {
        eprintln!("Seeding a network with conversations ...");
        let mut site = TalkingSite::build(&settings.binary)?;
        results.add(talking::run(
            &mut site,
            settings.rounds()?,
            settings.lasting(),
        )?);
    }
    let mut plot = None;
    let alone = [Part::Scripts, Part::Talking];
    if settings.parts.iter().any(|part| !alone.contains(part)) {
        plot = measure_loaded(settings, &mut results)?;
    }
    results.write(&settings.results, plot.as_deref())?;
    println!("{}", results.markdown());
    Ok(())
}

/// Measures everything that needs networks in bulk. Returns the plot if growth was measured.
fn measure_loaded(settings: &Settings, results: &mut Results) -> Outcome<Option<String>> {
    let wanted = |part| settings.parts.contains(&part);
    let (rounds, lasting) = (settings.rounds()?, settings.lasting());
    let hash = password_hash()?;
    let mut worlds = Worlds::build(settings.people, &hash)?;
    measure_one(settings, &mut worlds.0[0], &hash, results)?;
    let mut plot = None;
    if wanted(Part::Growth) {
        worlds.add_smaller_and_larger(&hash)?;
        let growth = growth::run(&mut worlds.0, rounds, lasting)?;
        results.add(growth.rows);
        plot = Some(plot::draw(&growth.charts));
    }
    if wanted(Part::FanOut) {
        results.add(fan_out::run(worlds.largest(), rounds, lasting)?);
    }
    if wanted(Part::Dormancy) {
        results.add(dormancy::run(worlds.largest(), rounds)?);
    }
    worlds.check()?;
    Ok(plot)
}

/// Measures everything that needs a single network, while no other network runs.
fn measure_one(
    settings: &Settings,
    world: &mut World,
    hash: &str,
    results: &mut Results,
) -> Outcome<()> {
    let wanted = |part| settings.parts.contains(&part);
    let (rounds, lasting) = (settings.rounds()?, settings.lasting());
    if wanted(Part::Pages) {
        results.add(pages::run(world, rounds, lasting)?);
    }
    if wanted(Part::Open) {
        results.add(open::run(world, rounds, lasting)?);
    }
    let after_pages = match wanted(Part::Pages) && wanted(Part::Memory) {
        true => Some(memory::Resident::of(&world.site)?),
        false => None,
    };
    if wanted(Part::Posting) {
        results.add(posting::run(world, rounds)?);
    }
    if wanted(Part::Writes) {
        results.add(writes::run(world, hash, rounds, lasting)?);
    }
    if wanted(Part::Messages) {
        results.add(messages::run(world, rounds, lasting)?);
    }
    if wanted(Part::Groups) {
        results.add(groups::run(world, rounds)?);
    }
    if wanted(Part::Memory) {
        results.add(memory::run(world, after_pages)?);
    }
    Ok(())
}

impl Settings {
    fn rounds(&self) -> Outcome<usize> {
        Ok(usize::try_from(self.rounds)?)
    }

    fn lasting(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// The networks, from the smallest to the largest. There is one until growth is measured. Then a
/// network with a tenth and one with ten times as many people are added, because even an idle site
/// slows the others.
struct Worlds(Vec<World>);

impl Worlds {
    fn build(people: u64, password_hash: &str) -> Outcome<Self> {
        eprintln!("Building a network ...");
        let people = people.next_multiple_of(1000);
        let worlds = Self(vec![World::build(people, READERS, password_hash)?]);
        eprintln!("Checking its data ...");
        worlds.check()?;
        Ok(worlds)
    }

    fn add_smaller_and_larger(&mut self, password_hash: &str) -> Outcome<()> {
        eprintln!("Building a smaller and a larger network ...");
        let people = self.0[0].network.people;
        for people in [people / 10, people * 10] {
            self.0.push(World::build(people, READERS, password_hash)?);
        }
        self.0.sort_by_key(|world| world.network.people);
        Ok(())
    }

    fn largest(&mut self) -> &mut World {
        let last = self.0.len() - 1;
        &mut self.0[last]
    }

    /// Runs `redwing check` on the networks for which it takes seconds.
    fn check(&self) -> Outcome<()> {
        let mut small = self
            .0
            .iter()
            .filter(|world| world.network.people <= MAX_CHECKED_PEOPLE);
        small.try_for_each(|world| world.site.check())
    }
}

/// Returns the one password hash that all people share, so that only one is computed.
fn password_hash() -> Outcome<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let password = Password::parse(PASSWORD)?;
    Ok(runtime.block_on(Hasher::new(HASH_BYTES, 1, 0).hash(&password))?)
}
