//! Aggregates by their result type.

use super::super::ast::{ATOM, Expr, Form, Kind};
use super::super::values::Type;
use super::{Generator, Scope};

impl Generator<'_> {
    /// An aggregate of the columns of a group's rows.
    pub(super) fn aggregate(&mut self, of: Type, scope: &Scope) -> Option<Expr> {
        let rows = Scope { leaves: scope.grouped.clone()?, ..Scope::default() };
        let (form, types) = self.aggregate_form(of)?;
        let depth = usize::from(self.once_in(3));
        let parts: Vec<Expr> = types.into_iter().map(|of| self.expr(of, depth, &rows)).collect();
        Some(self.filtered(form, parts, of, &rows))
    }

    /// The aggregate, sometimes with a FILTER clause.
    pub(super) fn filtered(&mut self, form: Form, mut parts: Vec<Expr>, of: Type, rows: &Scope) -> Expr {
        if !self.once_in(6) {
            return Expr::Form(form.kind(Kind::Aggregate), parts, of);
        }
        let filter = format!(" filter (where {{{}}})", parts.len());
        let filtered = |text: Option<String>| text.map(|text| insert_filter(&text, &filter));
        let form = Form {
            quarry: insert_filter(&form.quarry, &filter),
            duckdb: filtered(form.duckdb),
            postgres: filtered(form.postgres),
            ..form
        };
        parts.push(self.expr(Type::Bool, 1, rows));
        Expr::Form(form.kind(Kind::Aggregate), parts, of)
    }

    /// An aggregate with this result type, and its argument types.
    pub(super) fn aggregate_form(&mut self, of: Type) -> Option<(Form, Vec<Type>)> {
        let forms = match of {
            Type::Bool => vec![
                (Form::new("bool_and({0})", ATOM), vec![Type::Bool]),
                (Form::new("bool_or({0})", ATOM), vec![Type::Bool]),
            ],
            Type::Int => self.counts(),
            Type::Double => vec![
                (double("avg({0})"), vec![Type::Int]),
                (double("avg({0})"), vec![Type::Double]),
                (double("avg(distinct {0})"), vec![Type::Int]),
                (Form::new("sum({0})", ATOM), vec![Type::Double]),
                // The last digits depend on the order of the rows, which GROUP BY and UNION of the values would show.
                (double("round(stddev_samp({0}), 6)"), vec![Type::Int]),
                (double("round(var_pop({0}), 6)"), vec![Type::Int]),
                (Form::new("median({0})", ATOM).not_postgres(), vec![Type::Int]),
                extreme(self.pick(&["min", "max"]), of),
            ],
            Type::Decimal | Type::Wei => vec![
                (Form::new("sum({0})", ATOM), vec![of]),
                (Form::new("sum(distinct {0})", ATOM), vec![of]),
                extreme("min", of),
                extreme("max", of),
            ],
            Type::Text => vec![
                (Form::new("string_agg({0}, ',' order by {0})", ATOM), vec![Type::Text]),
                extreme("min", of),
                extreme("max", of),
            ],
            Type::Ints => vec![
                (Form::new("array_agg({0} order by {0} nulls last)", ATOM), vec![Type::Int]),
                (Form::new("array_agg({0} order by {0} desc nulls first)", ATOM), vec![Type::Int]),
                (Form::new("array_agg(distinct {0} order by {0} nulls last)", ATOM), vec![Type::Int]),
            ],
            Type::Big | Type::Huge | Type::Bytes | Type::Date | Type::Time => {
                vec![extreme("min", of), extreme("max", of)]
            }
        };
        Some(self.pick(&forms))
    }

    fn counts(&mut self) -> Vec<(Form, Vec<Type>)> {
        let counted = self.any_type();
        let ordered = self.ordered_type();
        vec![
            (Form::new("count(*)", ATOM), vec![]),
            (Form::new("count({0})", ATOM), vec![counted]),
            (Form::new("count(distinct {0})", ATOM), vec![ordered]),
            (Form::new("count(distinct {0})", ATOM), vec![ordered]),
            (whole("sum({0})"), vec![Type::Int]),
            (whole("sum(distinct {0})"), vec![Type::Int]),
            (whole("sum({0})"), vec![Type::Int]),
            extreme("min", Type::Int),
            extreme("max", Type::Int),
        ]
    }
}

/// MIN or MAX.
pub(super) fn extreme(word: &str, of: Type) -> (Form, Vec<Type>) {
    (Form::new(format!("{word}({{0}})"), ATOM), vec![of])
}

/// A sum of integers, cast because its type, and with it division, differs between products.
pub(super) fn whole(text: &str) -> Form {
    Form::new(format!("cast({text} as bigint)"), ATOM)
}

/// An aggregate that PostgreSQL returns as numeric.
fn double(text: &str) -> Form {
    Form::new(text, ATOM).postgres(format!("cast({text} as double precision)"))
}

/// Appends a clause to the call, inside the cast and the rounding if there are such.
pub(super) fn insert_filter(text: &str, clause: &str) -> String {
    for (outer, separator) in [("cast(", " as "), ("round(", ", ")] {
        if let Some((call, rest)) = text.strip_prefix(outer).and_then(|inner| inner.rsplit_once(separator)) {
            return format!("{outer}{}{separator}{rest}", insert_filter(call, clause));
        }
    }
    format!("{text}{clause}")
}
