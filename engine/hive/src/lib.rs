//! The HIVE kind: a script of HiveQL as a batch job. Text → tokens → statements → each planned and run in turn; tables go
//! to the user's own schema, the rows of the last query are the result.

mod alter;
mod build;
mod calls;
mod changed;
mod clauses;
mod columns;
mod command;
mod cursor;
mod defaults;
mod dialect;
mod dropped;
mod expressions;
#[cfg(test)]
#[path = "../../sql/src/extremes.rs"]
mod extremes;
mod from_first;
#[cfg(test)]
mod functions;
mod interval;
mod lexer;
mod lists;
mod literals;
mod load;
mod merge;
mod ordered;
mod plan;
mod reader;
mod rewrite;
mod run;
mod script;
mod settings;
mod show;
mod spark;
mod stars;
mod statement;
mod tables;
mod text_format;
mod text_rows;
mod time;
mod tokens;
mod variables;
mod views;
mod write;

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use command::Command;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{Job, JobContext, JobRequest, Parameters, Schemas};
use quarry_sql::context::QueryContext;
use quarry_sql::errors::at_the_end;
use quarry_sql::plan::on_thread;
use quarry_sql::{bounds, parameters};
use quarry_types::{Error, ErrorCode, Result};
use script::Script;
use settings::Settings;

/// One script of HiveQL as a job.
pub struct HiveJob {
    core: Arc<QueryContext>,
    id: String,
    text: String,
    parameters: Parameters,
    schemas: Schemas,
}

impl HiveJob {
    pub fn new(core: Arc<QueryContext>, request: &JobRequest) -> HiveJob {
        let JobRequest { id, text, parameters, schemas, .. } = request.clone();
        HiveJob { core, id, text, parameters, schemas }
    }

    async fn run(self, context: JobContext) -> Result<()> {
        let (text, parameters) = (self.text.clone(), self.parameters);
        let EngineConfig { text_limit, read_files, .. } = self.core.config;
        let settings = Settings::reading(read_files);
        // Everything is read before anything runs.
        let commands =
            on_thread(self.core.config.plan_time_limit, async move || read(&text, &parameters, text_limit, settings))
                .await?;
        let shown = commands.iter().rposition(Command::has_rows);
        let count = commands.len();
        context.log(format!("The script has {count} {}.", if count == 1 { "statement" } else { "statements" }));
        let mut script = Script::new(self.core, self.id, self.text, self.schemas);
        for (index, command) in commands.into_iter().enumerate() {
            context.log(format!("Statement {} of {count}: {}", index + 1, command.describe()));
            let stage = context.stage(index, count);
            if command.has_rows() && shown != Some(index) {
                context.log("Its rows are not shown: a later query is the result.");
                continue;
            }
            run::run(&mut script, command, &stage).await?;
        }
        if shown.is_none() { script.finish_without_rows() } else { Ok(()) }
    }
}

impl Job for HiveJob {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>> {
        (*self).run(context).boxed()
    }
}

fn read(text: &str, parameters: &Parameters, max_bytes: usize, mut settings: Settings) -> Result<Vec<Command>> {
    bounds::bytes(text, max_bytes)?;
    let bound = parameters::bind(text, parameters)?;
    let mut statements = lexer::statements(&bound.text, max_bytes)?;
    statements.iter().try_for_each(|tokens| bound.check(tokens))?;
    statements.iter_mut().for_each(|tokens| bound.quote_moments(tokens));
    if statements.is_empty() {
        return Err(Error::new(ErrorCode::Syntax, "There is no statement in the text."));
    }
    let read = |tokens: &tokens::Tokens| statement::command(tokens, &bound, &mut settings);
    let commands = statements.iter().map(read).collect::<Result<_>>();
    commands.map_err(|error| at_the_end(error, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that texts are made of: what HiveQL is made of, and what breaks it.
    const WORDS: [&str; 64] = [
        "select",
        "from",
        "t",
        "where",
        "a",
        ",",
        "(",
        ")",
        "*",
        "group by",
        "order by",
        "sort by",
        "cluster by",
        "lateral view",
        "explode",
        "outer",
        "as",
        "x",
        "insert",
        "overwrite",
        "table",
        "into",
        "partition",
        "=",
        "'s'",
        "\"d\"",
        "1",
        "1.5",
        "10L",
        "2S",
        "`q`",
        ".",
        "[",
        "]",
        "0",
        "case",
        "when",
        "then",
        "else",
        "end",
        "between",
        "and",
        "or",
        "not",
        "in",
        "is null",
        "rlike",
        "div",
        "union all",
        "with",
        "create",
        "drop",
        ";",
        "over",
        "distribute by",
        "rows 2 preceding",
        "grouping sets",
        "cast",
        "struct",
        "map",
        "array",
        "--",
        "\\",
        "interval",
    ];

    /// Reading and rewriting answers every text with statements or an error. The texts follow from a fixed seed.
    #[test]
    fn no_text_makes_the_reader_panic() {
        let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut good = 0;
        for _ in 0..20_000 {
            let length = 1 + next(24);
            let mut text = "select a from t where ".repeat(usize::from(next(4) == 0));
            for _ in 0..length {
                text.push_str(WORDS[next(WORDS.len())]);
                text.push_str(if next(8) == 0 { "" } else { " " });
            }
            good += usize::from(read(&text, &Parameters::default(), 1_000_000, Settings::default()).is_ok());
        }
        assert!(good > 20, "some of the texts must be statements: {good}");
    }

    #[test]
    fn what_does_not_run_is_refused_with_its_place() {
        for (text, at) in [
            ("select 1;\nload data inpath 'x' into table t", (2, 6)),
            ("create table t (a blob)", (1, 19)),
            ("insert overwrite directory '/tmp/x' select 1", (1, 28)),
            ("select a from t tablesample(10 percent)", (0, 0)),
            ("create table t (a int) location '/x'", (1, 33)),
            ("merge into t using u on a = b when matched then insert values (1)", (1, 31)),
            ("select a from", (1, 14)),
        ] {
            let error = read(text, &Parameters::default(), 1_000_000, Settings::default()).unwrap_err();
            let position = error.position.map_or((0, 0), |at| (at.line, at.column));
            assert_eq!(position, at, "{text}: {error}");
        }
    }

    #[test]
    fn what_doubles_is_refused_before_it_fills_the_memory() {
        for (open, close) in [
            ("", " between 1 and 3"),
            ("regr_r2(", ", 1)"),
            ("('a', ", ") in (('b', 1), ('c', 2))"),
            ("", " like any ('a', 'b')"),
            ("case ", " when 1 then 2 when 3 then 4 end"),
        ] {
            let nested = |depth| (0..depth).fold("x".to_string(), |inner, _| format!("({open}{inner}{close})"));
            let read = |depth| {
                let text = format!("select {} from t", nested(depth));
                read(&text, &Parameters::default(), 1_000_000, Settings::default())
            };
            assert!(read(2).is_ok(), "{close}");
            assert_eq!(read(20).unwrap_err().code, ErrorCode::TooComplex, "{close}");
        }
    }
}
