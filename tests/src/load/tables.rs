//! Files that become tables, grow and are dropped.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Gone, User, Work, run};
use crate::dice::Dice;
use crate::http::{FORM, form};

/// Tables of the account at a time.
const MAX_TABLES: usize = 12;

#[derive(Default)]
pub struct Tables {
    /// The numbers in each.
    held: BTreeMap<String, Numbers>,
    under_way: Option<(String, Change)>,
    next: u64,
}

/// How many numbers a table has, and their sum.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Numbers {
    count: u64,
    sum: u64,
}

#[derive(Clone, Copy)]
enum Change {
    /// Created, replaced or added to, it would be this.
    To(Numbers),
    Drop,
}

impl Work for Tables {
    fn step(&mut self, user: &User<'_>, dice: &mut Dice) -> Result<bool, Gone> {
        let names: Vec<&String> = self.held.keys().collect();
        let known = (!names.is_empty()).then(|| names[dice.index(names.len())].clone());
        let (name, mode) = match (dice.below(4), known) {
            (_, Some(name)) if self.held.len() >= MAX_TABLES => (name, None),
            (1, Some(name)) => (name, Some("append")),
            (2, Some(name)) => (name, Some("replace")),
            _ => {
                self.next += 1;
                (format!("t{}", self.next), Some("create"))
            }
        };
        let Some(mode) = mode else {
            self.under_way = Some((name.clone(), Change::Drop));
            user.call("POST", "/api/table/drop", Some(&json!({"table": name})))?;
            self.held.remove(&name);
            self.under_way = None;
            return Ok(true);
        };
        let numbers: Vec<u64> = (0..=dice.below(2_000)).map(|_| dice.below(1_000_000)).collect();
        let before = self.held.get(&name).filter(|_| mode == "append");
        let before = before.copied().unwrap_or(Numbers { count: 0, sum: 0 });
        let after =
            Numbers { count: before.count + numbers.len() as u64, sum: before.sum + numbers.iter().sum::<u64>() };
        self.under_way = Some((name.clone(), Change::To(after)));
        user.send("POST", "/api/table/upload", FORM, &numbers_form(&name, mode, &numbers))?;
        self.held.insert(name, after);
        self.under_way = None;
        Ok(true)
    }

    fn check(&mut self, user: &User<'_>, _all: bool) {
        let list = user.get("/api/table/list");
        let schema = list["schema"].as_str().unwrap_or_else(|| panic!("{list}"));
        let mut there = BTreeMap::new();
        for table in list["tables"].as_array().unwrap_or_else(|| panic!("{list}")) {
            let name = table["table"].as_str().unwrap_or_else(|| panic!("{table}"));
            let numbers = read(user, &format!("{schema}.{name}"));
            assert_eq!(table["rows"], numbers.count, "{table}");
            there.insert(name.to_string(), numbers);
        }
        if let Some((name, change)) = self.under_way.take() {
            match change {
                Change::To(after) if there.get(&name) == Some(&after) => drop(self.held.insert(name, after)),
                Change::Drop if !there.contains_key(&name) => drop(self.held.remove(&name)),
                Change::To(_) | Change::Drop => {}
            }
        }
        assert_eq!(there, self.held, "the tables are not those that were acknowledged");
    }
}

fn read(user: &User<'_>, table: &str) -> Numbers {
    let ended = run(user, &format!("select count(*), sum(n) from {table}")).unwrap_or_else(|Gone| panic!("it is gone"));
    assert_eq!(ended["job"]["state"], "SUCCEEDED", "{table}: {ended}");
    let row = &ended["result"]["rows"][0];
    Numbers { count: number(&row[0]), sum: number(&row[1]) }
}

/// Numbers that a JavaScript number can't hold come as text.
fn number(value: &Value) -> u64 {
    value.to_string().trim_matches('"').parse().unwrap_or_else(|_| panic!("a number: {value}"))
}

/// The body of an upload of these numbers to a table, which is created, replaced or added to (`append`).
pub fn numbers_form(name: &str, mode: &str, numbers: &[u64]) -> Vec<u8> {
    let lines: String = numbers.iter().map(|number| format!("{number}\n")).collect();
    form(&[("table", name), ("mode", mode)], "numbers.csv", format!("n\n{lines}").as_bytes())
}
