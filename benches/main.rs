//! `make bench`: starts real sites with networks of several sizes, and measures all that README says
//! of how fast they are, as ratios of figures that were taken one after the other in the same run.

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
mod world;

use std::{env, path::PathBuf, process::ExitCode, time::Duration};

use clap::{Parser, ValueEnum};
use redwing::{actions::passwords::Hasher, domain::Password};

use machine::Machine;
use member::PASSWORD;
use parts::{dormancy, fan_out, growth, memory, open, pages, posting, writes};
use redis::Outcome;
use results::Results;
use world::World;

/// A network of more people takes minutes to be checked.
const CHECKED: u64 = 20_000;
/// People who are logged in, of all circles in turn.
const READERS: u64 = 64;

/// How much is measured.
#[derive(Parser)]
struct Settings {
    /// People of the network that most is measured on, in whole thousands; growth is seen from a
    /// tenth to ten times that.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1000..))]
    people: u64,
    /// How long each load lasts.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// How often everything is measured in turn.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=99))]
    rounds: u64,
    /// What is measured, comma-separated; everything unless it is said.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Part::value_variants().iter().copied())]
    parts: Vec<Part>,
    /// Where the table, the figures and the plot are left.
    #[arg(long)]
    results: PathBuf,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Parts of the table. Growth needs networks of three sizes; without it, one is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Pages,
    Open,
    Posting,
    Writes,
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
    let wanted = |part| settings.parts.contains(&part);
    let (rounds, lasting) = (settings.rounds()?, settings.lasting());
    let hash = password_hash()?;
    let mut worlds = Worlds::build(settings.people, &hash)?;
    let mut results = measure_one(settings, &mut worlds.0[0], &hash)?;
    let mut plot = None;
    if wanted(Part::Growth) {
        worlds.surround(&hash)?;
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
    results.write(&settings.results, plot.as_deref())?;
    println!("{}", results.markdown());
    Ok(())
}

/// What one network shows, while there is no other.
fn measure_one(settings: &Settings, world: &mut World, hash: &str) -> Outcome<Results> {
    let wanted = |part| settings.parts.contains(&part);
    let (rounds, lasting) = (settings.rounds()?, settings.lasting());
    let mut results = Results {
        machine: Machine::here(&mut world.redis)?,
        run: format!(
            "{} people, of whom each reads 40 others and has a full home; medians of {rounds} rounds \
             with each load lasting {} s.",
            results::thousands(world.network.people as f64),
            settings.seconds
        ),
        rows: Vec::new(),
    };
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
    if wanted(Part::Memory) {
        results.add(memory::run(world, after_pages)?);
    }
    Ok(results)
}

impl Settings {
    fn rounds(&self) -> Outcome<usize> {
        Ok(usize::try_from(self.rounds)?)
    }

    fn lasting(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// The networks, from the smallest to the largest: one, and once growth is looked at, one of a tenth
/// and one of ten times as many people beside it. A site that nobody asks anything costs the others
/// something too.
struct Worlds(Vec<World>);

impl Worlds {
    fn build(people: u64, password_hash: &str) -> Outcome<Self> {
        eprintln!("Building a network ...");
        let people = people.next_multiple_of(1000);
        let worlds = Self(vec![World::build(people, READERS, password_hash)?]);
        eprintln!("Holding it against the invariants ...");
        worlds.check()?;
        Ok(worlds)
    }

    fn surround(&mut self, password_hash: &str) -> Outcome<()> {
        eprintln!("Building a smaller and a larger one ...");
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

    /// Holds those against the invariants for which that takes seconds.
    fn check(&self) -> Outcome<()> {
        let mut small = self
            .0
            .iter()
            .filter(|world| world.network.people <= CHECKED);
        small.try_for_each(|world| world.site.check())
    }
}

/// Everybody's, so that only one is hashed.
fn password_hash() -> Outcome<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let password = Password::parse(PASSWORD)?;
    Ok(runtime.block_on(Hasher::new(1, 0).hash(&password))?)
}
