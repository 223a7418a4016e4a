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
    assert!(
        rows_in("docs/configuration.md") == expected,
        "the rows of docs/configuration.md should be:\n{}\n",
        expected.join("\n")
    );
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
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("'nowhere'") && said.contains("address and port"),
            "{said}"
        );
    }
}
