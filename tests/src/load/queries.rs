//! Queries that run, and their results.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::{Gone, User, Work, run};
use crate::dice::Dice;

/// Most jobs that are checked later; the server keeps all of them.
const MAX_CHECKED_JOBS: usize = 300;
/// Those that are looked at after every start.
const NEWEST: usize = 30;

const ENDED: [&str; 3] = ["SUCCEEDED", "FAILED", "KILLED"];

#[derive(Default)]
pub struct Queries {
    jobs: VecDeque<Job>,
}

struct Job {
    id: String,
    /// Its rows, where it was seen to succeed.
    rows: Option<Value>,
}

impl Work for Queries {
    fn step(&mut self, user: &User<'_>, dice: &mut Dice) -> Result<bool, Gone> {
        let number = dice.below(1_000_000);
        let text = match dice.below(3) {
            0 => format!("select {number} as n"),
            1 => format!("select count(*), {number} from transactions t join blocks b on t.block_number = b.number"),
            _ => format!(
                "select a.generate_series + {number} as n from unnest(range(1000)) a(generate_series) order by 1 desc limit 50"
            ),
        };
        if dice.once_in(3) {
            // Nobody waits for this one.
            let job = json!({"kind": "SQL", "text": text});
            let begun = user.call("POST", "/api/query/execute", Some(&job))?;
            self.keep(Job { id: id(&begun), rows: None });
        } else {
            let ended = run(user, &text)?;
            assert_eq!(ended["job"]["state"], "SUCCEEDED", "{text}: {ended}");
            self.keep(Job { id: id(&ended), rows: Some(ended["result"]["rows"].clone()) });
        }
        Ok(true)
    }

    fn check(&mut self, user: &User<'_>, all: bool) {
        let skipped = if all { 0 } else { self.jobs.len().saturating_sub(NEWEST) };
        for Job { id, rows } in self.jobs.iter().skip(skipped) {
            let job = user.get(&format!("/api/job/{id}"));
            let state = job["state"].as_str().unwrap_or_default();
            match rows {
                Some(rows) => {
                    assert_eq!(state, "SUCCEEDED", "{job}");
                    let result = user.get(&format!("/api/job/{id}/result?offset=0&limit=100"));
                    assert_eq!(result["rows"], *rows, "{job}");
                }
                // It ended before the server did, or with it; which is said.
                None => {
                    assert!(ENDED.contains(&state), "{job}");
                    assert_eq!(state == "SUCCEEDED", job["message"] == "", "{job}");
                }
            }
        }
    }
}

impl Queries {
    fn keep(&mut self, job: Job) {
        self.jobs.push_back(job);
        if self.jobs.len() > MAX_CHECKED_JOBS {
            self.jobs.pop_front();
        }
    }
}

fn id(begun: &Value) -> String {
    begun["jobId"].as_str().unwrap_or_else(|| panic!("{begun}")).to_string()
}
