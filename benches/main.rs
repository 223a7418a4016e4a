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

use clap::Parser;
use redwing::{actions::passwords::Hasher, domain::Password};

use machine::Machine;
use member::PASSWORD;
use parts::{dormancy, fan_out, growth, memory, open, pages, posting, writes};
use redis::Outcome;
use results::Results;
use world::World;

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
    /// Where the table, the figures and the plot are left.
    #[arg(long)]
    results: PathBuf,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
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
    let lasting = Duration::from_secs(settings.seconds);
    let rounds = usize::try_from(settings.rounds)?;
    let hash = password_hash()?;
    eprintln!("Building networks ...");
    let people = settings.people.next_multiple_of(1000);
    let sizes = [people / 10, people, people * 10];
    let worlds: Outcome<Vec<World>> = sizes
        .iter()
        .map(|people| World::build(*people, 64, &hash))
        .collect();
    let mut worlds = worlds?;
    eprintln!("Holding them against the invariants ...");
    worlds[0].site.check()?;
    worlds[1].site.check()?;

    let mut results = Results {
        machine: Machine::here(&mut worlds[1].redis)?,
        run: format!(
            "{} people, of whom each reads 40 others and has a full home; medians of {rounds} rounds \
             with each load lasting {} s.",
            results::thousands(people as f64),
            settings.seconds
        ),
        rows: Vec::new(),
    };
    let main = &mut worlds[1];
    results.add(pages::run(main, rounds, lasting)?);
    results.add(open::run(main, rounds, lasting)?);
    let after_pages_kib = main.site.memory_kib("VmRSS")?;
    results.add(posting::run(main, rounds)?);
    results.add(writes::run(main, &hash, rounds, lasting)?);
    results.add(memory::run(main, after_pages_kib)?);
    let growth = growth::run(&mut worlds, rounds, lasting)?;
    results.add(growth.rows);
    let [.., largest] = &mut worlds[..] else {
        return Err("there is a network".into());
    };
    results.add(fan_out::run(largest, rounds, lasting)?);
    results.add(dormancy::run(largest, rounds)?);
    worlds[0].site.check()?;
    worlds[1].site.check()?;
    results.write(&settings.results, &plot::draw(&growth.charts))?;
    println!("{}", results.markdown());
    Ok(())
}

/// Everybody's, so that only one is hashed.
fn password_hash() -> Outcome<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let password = Password::parse(PASSWORD)?;
    Ok(runtime.block_on(Hasher::new(1, 0).hash(&password))?)
}
