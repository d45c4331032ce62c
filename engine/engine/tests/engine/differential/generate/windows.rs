//! Window functions with partitions, orders and frames.

use rand::Rng;

use super::super::ast::{ATOM, Expr, Form, Kind};
use super::super::values::Type;
use super::aggregates::{extreme, insert_filter, whole};
use super::{Generator, Scope};

/// The contents of OVER, and the expressions in it.
struct Over {
    /// The order of nulls is left out where it is the default of Quarry and DuckDB.
    usual: String,
    /// The order of nulls is always explicit, as PostgreSQL has another default.
    told: String,
    parts: Vec<Expr>,
}

impl Generator<'_> {
    /// A window function with this result type, if there is one.
    pub(super) fn window(&mut self, of: Type, scope: &Scope) -> Option<Expr> {
        let plain = Scope { windows: false, ..scope.clone() };
        // Ordered by all columns, rows that tie are equal, so their order does not matter.
        let mut keys: Vec<Expr> = scope.leaves.clone();
        if keys.is_empty() || keys.len() > 7 || keys.iter().any(|key| !key.value_type().has_order()) {
            return None;
        }
        for at in (1..keys.len()).rev() {
            keys.swap(at, self.random.random_range(0..=at));
        }
        let (form, types, frame) = self.window_form(of)?;
        let depth = usize::from(self.once_in(4));
        let mut parts: Vec<Expr> = types.into_iter().map(|of| self.expr(of, depth, &plain)).collect();
        // An aggregate may be ordered by one key alone: its range frame treats ties alike.
        let ties = form.kind == Kind::Aggregate;
        let over = self.over(&keys, frame, ties, parts.len());
        parts.extend(over.parts);
        let written =
            |text: Option<String>, over: &str| text.map(|text| insert_filter(&text, &format!(" over ({over})")));
        let form = Form {
            quarry: insert_filter(&form.quarry, &format!(" over ({})", over.usual)),
            duckdb: written(form.duckdb, &over.usual),
            postgres: written(form.postgres, &over.told),
            level: ATOM,
            kind: Kind::Window,
        };
        Some(Expr::Form(form, parts, of))
    }

    /// PARTITION BY, an order by all keys and a frame. The placeholders of its expressions start at `first`.
    fn over(&mut self, keys: &[Expr], frame: bool, ties: bool, first: usize) -> Over {
        let mut over = Over { usual: String::new(), told: String::new(), parts: Vec::new() };
        let add = |over: &mut Over, text: &str| {
            over.usual += text;
            over.told += text;
        };
        if self.once_in(2) {
            add(&mut over, &format!("partition by {{{first}}} "));
            over.parts.push(self.pick(keys));
        }
        // RANGE with an offset needs exactly one numeric key.
        let distance = frame && ties && keys[0].value_type() == Type::Int && self.once_in(5);
        let ordered = if distance { &keys[..1] } else { keys };
        add(&mut over, "order by ");
        for (at, key) in ordered.iter().enumerate() {
            if at > 0 {
                add(&mut over, ", ");
            }
            let place = first + over.parts.len();
            add(&mut over, &format!("{{{place}}}"));
            over.parts.push(key.clone());
            add(&mut over, self.pick(&["", " desc"]));
            match self.random.random_range(0..3) {
                0 => over.told += " nulls last",
                1 => add(&mut over, " nulls last"),
                _ => add(&mut over, " nulls first"),
            }
        }
        if frame && (distance || self.once_in(2)) {
            let text = self.frame(distance);
            add(&mut over, &text);
        }
        over
    }

    fn frame(&mut self, distance: bool) -> String {
        let unit = match distance {
            true => "range",
            false => self.pick(&["rows", "rows", "groups"]),
        };
        let starts = ["unbounded preceding", "2 preceding", "1 preceding", "current row", "1 following"];
        let ends = ["unbounded following", "2 following", "1 following", "current row", "1 preceding"];
        let start = self.random.random_range(0..5);
        // The grammar allows no frame that ends before it starts.
        let end = match start {
            3 => self.random.random_range(0..4),
            4 => self.random.random_range(0..3),
            _ => self.random.random_range(0..5),
        };
        let exclude = match self.once_in(4) {
            true => self.pick(&[" exclude current row", " exclude group", " exclude ties", " exclude no others"]),
            false => "",
        };
        format!(" {unit} between {} and {}{exclude}", starts[start], ends[end])
    }

    /// A window function, its argument types, and whether it uses a frame.
    fn window_form(&mut self, of: Type) -> Option<(Form, Vec<Type>, bool)> {
        if self.once_in(3) {
            let (form, types) = self.aggregate_form(of)?;
            let stays = |word: &str| form.quarry.contains(word);
            // Ordered and DISTINCT aggregates are not supported as window functions everywhere.
            if !stays("distinct") && !stays("order by") && !stays("median") {
                return Some((form.kind(Kind::Aggregate), types, true));
            }
        }
        let call = |text: &str| Form::new(text, ATOM);
        let mut forms = vec![self.shifted(of), (self.nth(), vec![of], true)];
        if of == Type::Int {
            forms.push((call("row_number()"), vec![], false));
            forms.push((call("rank()"), vec![], false));
            forms.push((call("dense_rank()"), vec![], false));
            forms.push((call("ntile(3)"), vec![], false));
            forms.push((call("count(*)"), vec![], true));
            forms.push((whole("sum({0})").kind(Kind::Aggregate), vec![Type::Int], true));
        }
        if of == Type::Double {
            forms.push((call("percent_rank()"), vec![], false));
            forms.push((call("cume_dist()"), vec![], false));
        }
        if of.has_order() && of != Type::Bool {
            let (form, types) = extreme(self.pick(&["min", "max"]), of);
            forms.push((form.kind(Kind::Aggregate), types, true));
        }
        Some(self.pick(&forms))
    }

    /// LAG and LEAD.
    fn shifted(&mut self, of: Type) -> (Form, Vec<Type>, bool) {
        let word = self.pick(&["lag", "lead"]);
        let by = self.pick(&["", ", 1", ", 2", ", 0", ", 3"]);
        let (default, types) = match by.is_empty() || self.once_in(2) {
            true => ("", vec![of]),
            false => (", {1}", vec![of, of]),
        };
        let inside = format!("{{0}}{by}{default}");
        (self.with_nulls(word, &inside), types, false)
    }

    /// FIRST_VALUE, LAST_VALUE and NTH_VALUE.
    fn nth(&mut self) -> Form {
        let (word, inside) = self.pick(&[
            ("first_value", "{0}"),
            ("last_value", "{0}"),
            ("nth_value", "{0}, 1"),
            ("nth_value", "{0}, 2"),
        ]);
        self.with_nulls(word, inside)
    }

    /// The call, sometimes with IGNORE NULLS: DuckDB writes it inside the parentheses, and PostgreSQL lacks it.
    fn with_nulls(&mut self, word: &str, inside: &str) -> Form {
        match self.once_in(3) {
            true => Form::new(format!("{word}({inside}) ignore nulls"), ATOM)
                .duckdb(format!("{word}({inside} ignore nulls)"))
                .not_postgres(),
            false => Form::new(format!("{word}({inside})"), ATOM),
        }
    }
}

/// Whether the values of a window function depend on the order of rows that are equal.
pub(super) fn depends_on_ties(window: &Expr) -> bool {
    let Expr::Form(form, ..) = window else { return false };
    ["row_number(", "ntile(", "lag(", "lead(", " rows between"].iter().any(|text| form.quarry.contains(text))
}
