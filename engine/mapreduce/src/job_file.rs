//! A whole job in one file: fields in comments at its beginning, and a script after each line that names it.
//!
//! ```js
//! // tableName: per_sender
//! // startDate: 2024-01-01
//!
//! // ---- driver ----
//! ({ input: 'transactions', columns: ['from_address'], output: { sender: 'address', count: 'bigint' } })
//!
//! // ---- mapper ----
//! (row, emit) => emit(row.from_address, 1)
//!
//! // ---- reducer ----
//! (sender, ones, emit) => emit(sender, ones.reduce((sum, one) => sum + one, 0))
//! ```

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::script::Script;
use quarry_types::{Error, ErrorCode, Result};

/// Fields of the head that belong to the spec.
const FIELDS: [&str; 4] = ["tableName", "startDate", "endDate", "result"];

/// A job's file, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobFile {
    /// The spec of the job.
    pub spec: Value,
    /// The other fields of the head, such as titles and descriptions.
    pub notes: BTreeMap<String, String>,
}

/// Reads a job from the text of a file: the spec as JSON, or the form above.
pub fn job_file(text: &str) -> Result<JobFile> {
    if text.trim_start().starts_with('{') {
        let spec: Value = serde_json::from_str(text)
            .map_err(|error| Error::new(ErrorCode::Syntax, format!("The file is not valid JSON: {error}.")))?;
        return Ok(JobFile { spec, notes: BTreeMap::new() });
    }
    let mut spec = Map::new();
    let mut notes = BTreeMap::new();
    let mut part: Option<(Script, String)> = None;
    let mut keep = |part: Option<(Script, String)>| {
        if let Some((script, text)) = part {
            spec.insert(script.name().to_string(), Value::String(text.trim_matches('\n').to_string()));
        }
    };
    let mut head = Vec::new();
    for line in text.lines() {
        if let Some(next) = heading(line) {
            keep(part.replace((next, String::new())));
            continue;
        }
        match &mut part {
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None => head.push(line),
        }
    }
    if part.is_none() {
        let message = "The file has no sections; write a line `// ---- driver ----` before the driver, and so on.";
        return Err(Error::new(ErrorCode::Syntax, message));
    }
    keep(part);
    for line in head {
        let Some((name, value)) = line.trim().strip_prefix("//").and_then(|line| line.split_once(':')) else {
            continue;
        };
        let (name, value) = (name.trim(), value.trim().to_string());
        if FIELDS.contains(&name) {
            spec.insert(name.to_string(), Value::String(value));
        } else {
            notes.insert(name.to_string(), value);
        }
    }
    Ok(JobFile { spec: Value::Object(spec), notes })
}

/// The part that begins after this line: `// ---- mapper ----`.
fn heading(line: &str) -> Option<Script> {
    let rule = line.trim().strip_prefix("//")?.trim();
    let name = rule.trim_matches('-');
    if rule.len() < name.len() + 4 {
        return None;
    }
    Script::ALL.into_iter().find(|script| script.name() == name.trim())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_holds_fields_and_parts() {
        let text = "// tableName: t\n// titleEn: Colons: kept\n\n// ---- driver ----\n{a: 1}\n\n// ---- mapper ----\n// -- no part --\nm\n//----reducer----\nr";
        let file = job_file(text).unwrap();
        assert_eq!(
            file.spec,
            json!({"tableName": "t", "driver": "{a: 1}", "mapper": "// -- no part --\nm", "reducer": "r"})
        );
        assert_eq!(file.notes["titleEn"], "Colons: kept");
        assert_eq!(job_file(" {\"driver\": \"d\"}").unwrap().spec, json!({"driver": "d"}));
        assert_eq!(job_file("{").unwrap_err().code, ErrorCode::Syntax);
        assert_eq!(job_file("(row) => 1").unwrap_err().code, ErrorCode::Syntax);
    }
}
