//! What the assistant knows: the manuals by their parts, the tables, the functions, and the queries that ship.

use std::collections::HashMap;

use quarry_engine::catalog::Catalog;
use rust_embed::RustEmbed;
use serde::Serialize;
use utoipa::ToSchema;

use crate::starter;

#[derive(RustEmbed)]
#[folder = "../data/docs/en/"]
struct English;

#[derive(RustEmbed)]
#[folder = "../data/docs/zh/"]
struct Chinese;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    En,
    Zh,
}

/// What kind of thing a passage is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum About {
    Page,
    Table,
    Function,
    Query,
}

/// A query that runs as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Runnable {
    /// `SQL`, `GRAPH` or `HIVE`.
    pub kind: &'static str,
    pub text: String,
}

/// A piece of knowledge.
#[derive(Debug)]
pub struct Passage {
    pub about: About,
    pub title: String,
    /// The page that says it, with its anchor.
    pub path: String,
    pub text: String,
    pub query: Option<Runnable>,
}

/// Everything in a language.
pub fn passages(language: Language, catalogue: &Catalog) -> Vec<Passage> {
    let say = sentences(language);
    let mut passages = pages(language);
    for schema in &catalogue.schemas {
        for table in &schema.tables {
            let name = format!("{}.{}", schema.name, table.name);
            let columns = table.columns.iter().map(|column| format!("- `{}`: {}", column.name, say(&column.doc)));
            let columns: Vec<String> = columns.collect();
            passages.push(Passage {
                about: About::Table,
                path: page_of_table(&name),
                text: format!("{}\n\n{}", say(&table.doc), columns.join("\n")),
                query: Some(Runnable { kind: "SQL", text: format!("select *\nfrom {name}\nlimit 100") }),
                title: name,
            });
        }
    }
    for function in &catalogue.functions {
        let example = function.example.trim();
        let runs = example.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("select "));
        passages.push(Passage {
            about: About::Function,
            title: function.name.clone(),
            path: "/platform/function-introduction/query#all".to_string(),
            text: format!("`{}`: {}", function.signature, say(&function.doc)),
            query: runs.then(|| Runnable { kind: "SQL", text: example.to_string() }),
        });
    }
    passages.extend(examples(language));
    passages
}

/// What the engine says in English, in the language.
fn sentences(language: Language) -> impl Fn(&str) -> String {
    let file = match language {
        Language::En => None,
        Language::Zh => Chinese::get("sentences.json"),
    };
    let known: HashMap<String, String> =
        file.and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default();
    move |sentence: &str| known.get(sentence).cloned().unwrap_or_else(|| sentence.to_string())
}

fn page_of_table(name: &str) -> String {
    let page = |page: &str, anchor: &str| format!("/platform/data-declaration/{page}#{anchor}");
    match name.split_once('.') {
        Some(("ethereum", "token_transfers")) => page("token", "transfers"),
        Some(("ethereum", "creation_traces")) => page("ETH", "contracts"),
        Some(("ethereum", table)) => page("ETH", table),
        Some(("rollups", _)) => page("ETH", "rollups"),
        Some(("tokens", _)) => page("token", "erc20"),
        Some(("dex", _)) => page("token", "trades"),
        Some(("prices", _)) => page("token", "prices"),
        Some((schema, _)) if schema.ends_with("_ethereum") => page("token", "events"),
        _ => page("ETH", "overview"),
    }
}

fn pages(language: Language) -> Vec<Passage> {
    let names: Vec<_> = match language {
        Language::En => English::iter().collect(),
        Language::Zh => Chinese::iter().collect(),
    };
    let mut passages = Vec::new();
    for name in names {
        let Some(id) = name.strip_suffix(".md") else { continue };
        let file = match language {
            Language::En => English::get(&name),
            Language::Zh => Chinese::get(&name),
        };
        let text = file.map(|file| String::from_utf8_lossy(&file.data).into_owned()).unwrap_or_default();
        passages.extend(parts(&format!("/{id}"), &text));
    }
    passages
}

/// The parts of a page: what its head says, and each heading with what follows it.
fn parts(path: &str, text: &str) -> Vec<Passage> {
    let (head, body) = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap_or(("", text));
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
    let title = field("title:");
    let part =
        |title: String, path: String, text: String| Passage { about: About::Page, title, path, text, query: None };
    let mut parts = vec![part(title.to_string(), path.to_string(), field("lead:").to_string())];
    let mut lines = body.lines();
    while let Some(line) = lines.next() {
        if let Some(heading) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            let (name, anchor) = heading.split_once(" {#").unwrap_or((heading, ""));
            let path = format!("{path}#{}", anchor.trim_end_matches('}'));
            parts.push(part(format!("{title} › {}", name.replace('`', "")), path, String::new()));
            continue;
        }
        let Some(last) = parts.last_mut() else { continue };
        if let Some(info) = line.strip_prefix("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            let kind = match info {
                "sql run" => "SQL",
                "cypher run" => "GRAPH",
                "hive run" => "HIVE",
                _ => continue,
            };
            last.query = last.query.take().or(Some(Runnable { kind, text: code.join("\n") }));
        } else {
            last.text.push_str(&plain(line));
            last.text.push('\n');
        }
    }
    for part in &mut parts {
        part.text = part.text.trim().to_string();
    }
    parts.retain(|part| !part.text.is_empty());
    parts
}

/// A line of Markdown without its links' addresses.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(&before.replacen('[', "", 1));
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.trim_start_matches("> ").to_string()
}

fn examples(language: Language) -> Vec<Passage> {
    let content = starter::queries().unwrap_or_default();
    content
        .into_iter()
        .map(|(query, what)| {
            let of = |both: starter::Both| match language {
                Language::En => both.en,
                Language::Zh => both.zh,
            };
            Passage {
                about: About::Query,
                title: of(query.title),
                path: "/platform/use-cases/official-dashboard".to_string(),
                text: of(query.notes),
                // A spec is no text that the editor could be opened with.
                query: what
                    .spec
                    .is_none()
                    .then(|| Runnable { kind: query.kind.name(), text: what.text.trim().to_string() }),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_known_by_its_parts() {
        let text = "---\ntitle: Course\nlead: Learn.\n---\n\n## Look {#look}\nSee [tables](/x).\n\n```sql run\nselect 1\n```\n\
                    ### More `x` {#more}\n- one\n";
        let parts = parts("/platform/c", text);
        let found: Vec<_> =
            parts.iter().map(|part| (part.path.as_str(), part.title.as_str(), part.text.as_str())).collect();
        assert_eq!(
            found,
            [
                ("/platform/c", "Course", "Learn."),
                ("/platform/c#look", "Course › Look", "See tables."),
                ("/platform/c#more", "Course › More x", "- one"),
            ]
        );
        assert_eq!(parts[1].query, Some(Runnable { kind: "SQL", text: "select 1".to_string() }));
    }

    #[test]
    fn both_languages_know_the_same_pages() {
        let paths = |language| pages(language).into_iter().map(|part| part.path).collect::<Vec<_>>();
        assert_eq!(paths(Language::En), paths(Language::Zh));
        assert!(paths(Language::En).len() > 80);
    }
}
