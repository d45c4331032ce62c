//! Where settings come from: flags, environment, `quarry.toml`.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::builder::PathBufValueParser;
use clap::{Arg, ArgAction, ArgMatches};
use quarry_runtime::{EngineConfig, Machine, MemorySource};

use super::{DECLARED, Declared, Settings};

/// File that is read when no other is named, from the folder Quarry is started in.
const FILE: &str = "quarry.toml";
const FILE_KEY: &str = "config";

/// Where a value was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Flag(String),
    Variable(String),
    File(PathBuf),
    Default,
    /// A default that follows from the memory of the machine or of a control group.
    Memory(MemorySource),
}

/// A setting in force, as `quarry config` shows it.
#[derive(Debug, Clone)]
pub struct Chosen {
    pub key: &'static str,
    pub value: String,
    pub origin: Origin,
}

/// A setting that can't be used: one sentence.
#[derive(Debug)]
pub struct BadSetting(pub String);

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Flag(flag) => write!(f, "--{flag}"),
            Origin::Variable(name) => f.write_str(name),
            Origin::File(file) => write!(f, "{}", file.display()),
            Origin::Default => f.write_str("default"),
            Origin::Memory(source) => write!(f, "default, from the memory of {source}"),
        }
    }
}

impl Declared {
    pub fn flag(&self) -> String {
        self.key.replace('_', "-")
    }

    pub fn variable(&self) -> String {
        format!("QUARRY_{}", self.key.to_uppercase())
    }
}

/// The flags of all settings, and the one that names the file.
pub fn flags() -> Vec<Arg> {
    let file = Arg::new(FILE_KEY)
        .long(FILE_KEY)
        .global(true)
        .value_name("FILE")
        .value_parser(PathBufValueParser::new())
        .help_heading("Settings")
        .help("File of settings in place of quarry.toml [QUARRY_CONFIG]");
    let settings = DECLARED.iter().map(|declared| {
        let help = format!("{} [{}]", declared.help.trim().trim_end_matches('.'), declared.variable());
        Arg::new(declared.key)
            // Names of flags live as long as the process, and are made once.
            .long(&*declared.flag().leak())
            .global(true)
            .action(if declared.key == "rpc" { ArgAction::Append } else { ArgAction::Set })
            .value_name("VALUE")
            .help_heading("Settings")
            .help(help)
            .hide_short_help(!matches!(declared.key, "home" | "listen" | "rpc"))
    });
    std::iter::once(file).chain(settings).collect()
}

/// The settings in force, and where each came from.
pub fn load(matches: &ArgMatches) -> Result<(Settings, Vec<Chosen>), BadSetting> {
    let named = matches.get_one::<PathBuf>(FILE_KEY).cloned().or_else(|| variable("QUARRY_CONFIG").map(PathBuf::from));
    let file = read_file(named.as_deref())?;
    // A flag that is given several times makes a list.
    let flag = |key: &str| matches.get_many::<String>(key).map(|all| all.cloned().collect::<Vec<_>>().join(","));
    from_sources(flag, variable, &file)
}

/// A file of settings and its entries, all as text.
#[derive(Debug, Default)]
struct SettingsFile {
    path: PathBuf,
    entries: Vec<(String, String)>,
}

fn from_sources(
    flag: impl Fn(&str) -> Option<String>,
    variable: impl Fn(&str) -> Option<String>,
    file: &SettingsFile,
) -> Result<(Settings, Vec<Chosen>), BadSetting> {
    let find = |key: &'static str| {
        let declared = Declared { key, help: "" };
        if let Some(text) = flag(key) {
            return Some((text, Origin::Flag(declared.flag())));
        }
        if let Some(text) = variable(&declared.variable()) {
            return Some((text, Origin::Variable(declared.variable())));
        }
        let entry = file.entries.iter().find(|(name, _)| name == key)?;
        Some((entry.1.clone(), Origin::File(file.path.clone())))
    };
    let source = Machine::read().memory_source;
    let mut shown = Vec::new();
    let read = Settings::read(
        &EngineConfig::default(),
        |key| find(key).map(|(text, _)| text),
        |key, value, is_default| {
            let origin = if is_default { None } else { find(key).map(|(_, origin)| origin) };
            shown.push(Chosen { key, value, origin: origin.unwrap_or_else(|| default_origin(key, source)) });
        },
    );
    match read {
        Ok(settings) => Ok((settings, shown)),
        Err((key, expected)) => {
            let origin = find(key).map_or(Origin::Default, |(_, origin)| origin);
            Err(BadSetting(format!("The setting {key} ({origin}) must be {expected}.")))
        }
    }
}

/// Where the default of a setting comes from.
fn default_origin(key: &str, source: MemorySource) -> Origin {
    match key.ends_with("memory_limit") && key != "script_memory_limit" {
        true => Origin::Memory(source),
        false => Origin::Default,
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place where settings are read from the environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn read_file(named: Option<&Path>) -> Result<SettingsFile, BadSetting> {
    let path = named.unwrap_or(Path::new(FILE));
    match std::fs::read_to_string(path) {
        Ok(text) => parse_file(path, &text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => Ok(SettingsFile::default()),
        Err(error) => Err(BadSetting(format!("The settings in {} can't be read: {error}.", path.display()))),
    }
}

fn parse_file(path: &Path, text: &str) -> Result<SettingsFile, BadSetting> {
    let bad = |why: String| BadSetting(format!("The settings in {} can't be used: {why}.", path.display()));
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| bad(error.message().to_string()))?;
    let mut entries = Vec::new();
    for (key, value) in table {
        if !DECLARED.iter().any(|declared| declared.key == key) {
            return Err(bad(format!("there is no setting {key}; `quarry config` lists all")));
        }
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => value.to_string(),
            _ => return Err(bad(format!("{key} must be a text, a number, true or false"))),
        };
        entries.push((key, text));
    }
    Ok(SettingsFile { path: path.to_path_buf(), entries })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |key| pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| value.to_string())
    }

    fn origin(chosen: &[Chosen], key: &str) -> Origin {
        chosen.iter().find(|chosen| chosen.key == key).unwrap().origin.clone()
    }

    #[test]
    fn a_flag_wins_over_the_environment_over_the_file_over_the_default() {
        let text = "listen = \"file:1\"\nconcurrency = 7\nthreads = 3\n";
        let file = parse_file(Path::new("quarry.toml"), text).unwrap();
        let flag = only(&[("listen", "flag:1")]);
        let variable = only(&[("QUARRY_LISTEN", "variable:1"), ("QUARRY_CONCURRENCY", "9")]);
        let (settings, chosen) = from_sources(flag, variable, &file).unwrap();
        assert_eq!((settings.listen.as_str(), settings.concurrency, settings.threads), ("flag:1", 9, 3));
        assert_eq!(settings.sample_transactions, 150_000);
        assert_eq!(origin(&chosen, "listen"), Origin::Flag("listen".to_string()));
        assert_eq!(origin(&chosen, "concurrency"), Origin::Variable("QUARRY_CONCURRENCY".to_string()));
        assert_eq!(origin(&chosen, "threads"), Origin::File(PathBuf::from("quarry.toml")));
        assert_eq!(origin(&chosen, "log"), Origin::Default);
        assert_eq!(origin(&chosen, "script_memory_limit"), Origin::Default);
        assert!(matches!(origin(&chosen, "query_memory_limit"), Origin::Memory(_)));
        assert_eq!(settings.engine().concurrency, 9);
    }

    #[test]
    fn a_wrong_value_is_told_with_its_place() {
        let none = SettingsFile::default();
        let error = from_sources(only(&[]), only(&[("QUARRY_TIME_LIMIT", "soon")]), &none).unwrap_err();
        assert!(error.0.contains("time_limit (QUARRY_TIME_LIMIT)"), "{}", error.0);
        assert!(parse_file(Path::new("quarry.toml"), "lisetn = \"x\"").unwrap_err().0.contains("no setting lisetn"));
        assert!(parse_file(Path::new("quarry.toml"), "listen = ").is_err());
        assert!(parse_file(Path::new("quarry.toml"), "listen = [1]").is_err());
    }
}
