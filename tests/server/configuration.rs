//! The settings: docs/configuration.md, README and `--help` use the same words as the code.

use std::{fs, process::Command};

use clap::Args;
use redwing::config::Config;

/// Returns one row of the table for each setting, in the order of the code.
fn rows() -> Vec<String> {
    let command = Config::augment_args(clap::Command::new("redwing"));
    command.get_arguments().map(row).collect()
}

fn row(setting: &clap::Arg) -> String {
    let flag = setting.get_long().expect("every setting is a flag");
    let variable = setting
        .get_env()
        .expect("every setting is a variable")
        .to_string_lossy();
    let defaults: Vec<_> = setting
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    let default = match (defaults.join(","), setting.get_value_names()) {
        (default, _) if default.is_empty() || !setting.get_action().takes_values() => String::new(),
        (default, Some([unit])) if ["MS", "DAYS", "BYTES"].contains(&unit.as_str()) => {
            format!("{default} {}", unit.to_lowercase())
        }
        (default, _) => format!("`{default}`"),
    };
    let help = setting
        .get_help()
        .expect("every setting is explained")
        .to_string();
    format!(
        "| `{variable}` | `--{flag}` | {default} | {} |",
        help.trim()
    )
}

/// Units of settings that are numbers. Each of them has bounds.
const UNITS: [&str; 12] = [
    "STATUSES",
    "PEOPLE",
    "TAGS",
    "LISTS",
    "TIMELINES",
    "TRIES",
    "SESSIONS",
    "COUNT",
    "BYTES",
    "PAGES",
    "MS",
    "DAYS",
];

/// A row of the configuration page: the row without its bounds, and the bounds.
struct DocumentedSetting {
    row: String,
    bounds: String,
}

fn documented_settings() -> Vec<DocumentedSetting> {
    let rows = rows_in("docs/configuration.md").into_iter();
    rows.map(|row| {
        let mut cells: Vec<&str> = row.split(" | ").collect();
        let bounds = cells.remove(3).trim().to_owned();
        let row = cells.join(" | ");
        DocumentedSetting { row, bounds }
    })
    .collect()
}

fn is_accepted(setting: &clap::Arg, value: u128) -> bool {
    let flag = setting.get_long().expect("every setting is a flag");
    Config::augment_args(clap::Command::new("redwing"))
        .try_get_matches_from(["redwing".to_owned(), format!("--{flag}={value}")])
        .is_ok()
}

/// Returns the rows of settings in a document, in its order.
fn rows_in(document: &str) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/").to_owned() + document;
    let text = fs::read_to_string(path).expect("the document exists");
    let rows = text.lines().filter(|line| line.starts_with("| `RED"));
    rows.map(str::to_owned).collect()
}

#[test]
fn the_configuration_page_lists_every_setting_with_its_flag_variable_default_and_meaning() {
    let expected = rows();
    let documented = documented_settings().into_iter();
    let documented: Vec<String> = documented.map(|setting| setting.row).collect();
    assert!(
        documented == expected,
        "the rows of docs/configuration.md should be:\n{}\n",
        expected.join("\n")
    );
}

#[test]
fn every_number_has_the_bounds_that_the_configuration_page_states() {
    let command = Config::augment_args(clap::Command::new("redwing"));
    for (setting, documented) in command.get_arguments().zip(documented_settings()) {
        let unit = setting.get_value_names().and_then(|names| names.first());
        if documented.bounds.is_empty() {
            let is_number = unit.is_some_and(|unit| UNITS.contains(&unit.as_str()));
            assert!(!is_number, "bounds are missing: {}", documented.row);
            continue;
        }
        let (least, most) = documented.bounds.split_once(" to ").expect("two bounds");
        let number = |text: &str| text.parse::<u128>().expect("a number");
        let (least, most) = (number(least), number(most));
        for (value, accepted) in [(least, true), (most, true), (most + 1, false)] {
            assert_eq!(
                is_accepted(setting, value),
                accepted,
                "{value}: {}",
                documented.row
            );
        }
        if least > 0 {
            assert!(!is_accepted(setting, least - 1), "{}", documented.row);
        }
    }
}

#[test]
fn the_readme_describes_the_settings_of_a_host_as_the_configuration_page_does() {
    let settings = rows();
    let in_readme = rows_in("README.md");
    assert_eq!(in_readme.len(), 8);
    for row in in_readme {
        assert!(settings.contains(&row), "not a row of the table: {row}");
    }
}

#[test]
fn help_names_every_setting_and_every_subcommand() {
    let output = Command::new(env!("CARGO_BIN_EXE_redwing"))
        .arg("--help")
        .output()
        .expect("it runs");
    let help = String::from_utf8_lossy(&output.stdout);
    let command = Config::augment_args(clap::Command::new("redwing"));
    for setting in command.get_arguments() {
        let flag = format!("--{}", setting.get_long().expect("every setting is a flag"));
        let variable = setting
            .get_env()
            .expect("every setting is a variable")
            .to_string_lossy();
        assert!(
            help.contains(&flag) && help.contains(&*variable),
            "{flag} {variable}"
        );
    }
    for subcommand in ["serve", "work", "seed", "check"] {
        assert!(
            help.lines()
                .any(|line| line.trim_start().starts_with(subcommand)),
            "{subcommand}"
        );
    }
}

#[test]
fn settings_can_precede_or_follow_the_subcommand_and_flags_override_the_environment() {
    for arguments in [
        ["--listen", "nowhere", "serve"],
        ["serve", "--listen", "nowhere"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_redwing"));
        let output = command
            .args(arguments)
            .env("REDWING_LISTEN", "127.0.0.1:0")
            .output()
            .expect("it runs");
        let output_text = String::from_utf8_lossy(&output.stderr);
        assert!(
            output_text.contains("'nowhere'") && output_text.contains("address and port"),
            "{output_text}"
        );
    }
}
