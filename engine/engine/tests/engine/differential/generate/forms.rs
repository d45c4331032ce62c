//! Operators and functions by their result type, in the syntax of each dialect.

use super::super::ast::{ATOM, Form};
use super::super::values::Type;
use super::Generator;

impl Generator<'_> {
    /// An operation with this result type, and its argument types.
    pub(super) fn form(&mut self, of: Type) -> Option<(Form, Vec<Type>)> {
        let forms = match of {
            Type::Int => whole_numbers(),
            Type::Decimal => decimals(),
            Type::Wei => wei(),
            Type::Double => doubles(),
            Type::Text => texts(),
            Type::Bytes => bytes(),
            Type::Date | Type::Time => times(of),
            Type::Ints => lists(),
            Type::Bool | Type::Big | Type::Huge => return None,
        };
        Some(self.pick(&forms))
    }
}

fn whole_numbers() -> Vec<(Form, Vec<Type>)> {
    use Type::{Bytes, Date, Decimal, Int, Ints, Text, Time};
    let two = || vec![Int, Int];
    vec![
        (Form::new("{0:8} + {1:9}", 8), two()),
        (Form::new("{0:8} - {1:9}", 8), two()),
        (Form::new("{0:9} * {1:10}", 9), two()),
        // `/` of integers is a floating-point division in DuckDB.
        (Form::new("{0:9} / nullif({1}, 0)", 9).duckdb("{0:9} // nullif({1}, 0)"), two()),
        (Form::new("{0:9} % nullif({1}, 0)", 9), two()),
        (Form::new("-{0:11}", 10), vec![Int]),
        (Form::new("abs({0})", ATOM), vec![Int]),
        (Form::new("length({0})", ATOM), vec![Text]),
        (Form::new("length({0})", ATOM).duckdb("octet_length({0})"), vec![Bytes]),
        (Form::new("cast({0} as bigint)", ATOM), vec![Decimal]),
        (Form::new("cast(extract(year from {0}) as bigint)", ATOM), vec![Date]),
        (Form::new("cast(extract(month from {0}) as bigint)", ATOM), vec![Time]),
        (Form::new("cast(extract(hour from {0}) as bigint)", ATOM), vec![Time]),
        (Form::new("date_diff('day', {0}, {1})", ATOM).postgres("({1:9} - {0:9})"), vec![Date, Date]),
        (Form::new("cardinality({0})", ATOM).duckdb("len({0})"), vec![Ints]),
        (Form::new("{0:11}[1]", ATOM).postgres("({0})[1]"), vec![Ints]),
        (Form::new("strpos({0}, {1})", ATOM), vec![Text, Text]),
    ]
}

fn decimals() -> Vec<(Form, Vec<Type>)> {
    use Type::{Decimal, Int};
    vec![
        (Form::new("{0:8} + {1:9}", 8), vec![Decimal, Decimal]),
        (Form::new("{0:8} - {1:9}", 8), vec![Decimal, Decimal]),
        (Form::new("{0:8} + {1:9}", 8), vec![Decimal, Int]),
        (Form::new("-{0:11}", 10), vec![Decimal]),
        (Form::new("abs({0})", ATOM), vec![Decimal]),
        (Form::new("cast({0} as decimal(18,2))", ATOM), vec![Int]),
        // Without the cast, the scale would grow with each product beyond what other products hold.
        (Form::new("cast({0:9} * {1:10} as decimal(18,2))", ATOM), vec![Decimal, Int]),
        // Their scale differs between products: DuckDB's is smaller, and a CASE or UNION then rounds the other branches to it.
        (Form::new("cast(round({0}, 1) as decimal(18,2))", ATOM), vec![Decimal]),
        (Form::new("cast(floor({0}) as decimal(18,2))", ATOM), vec![Decimal]),
        (Form::new("cast(ceil({0}) as decimal(18,2))", ATOM), vec![Decimal]),
    ]
}

fn wei() -> Vec<(Form, Vec<Type>)> {
    use Type::{Int, Wei};
    vec![
        (Form::new("{0:8} + {1:9}", 8), vec![Wei, Wei]),
        (
            Form::new("cast(abs({0}) as uint256)", ATOM)
                .duckdb("cast(abs({0}) as hugeint)")
                .postgres("cast(abs({0}) as numeric)"),
            vec![Int],
        ),
        // uint256 has no negative values: a difference below zero is an error.
        (Form::new("case when {0:6} >= {1:6} then {0:8} - {1:9} end", ATOM), vec![Wei, Wei]),
        (Form::new("{0:9} / 2", 9).duckdb("{0:9} // 2").postgres("div({0}, 2)"), vec![Wei]),
        (Form::new("{0:9} % 3", 9), vec![Wei]),
    ]
}

fn doubles() -> Vec<(Form, Vec<Type>)> {
    use Type::{Decimal, Double, Int};
    let cast = |form: Form| form.postgres("cast({0} as double precision)");
    vec![
        (Form::new("{0:8} + {1:9}", 8), vec![Double, Double]),
        (Form::new("{0:8} - {1:9}", 8), vec![Double, Double]),
        (Form::new("{0:9} * {1:10}", 9), vec![Double, Double]),
        (Form::new("{0:9} / nullif({1}, 0)", 9), vec![Double, Double]),
        (Form::new("-{0:11}", 10), vec![Double]),
        (Form::new("abs({0})", ATOM), vec![Double]),
        (cast(Form::new("cast({0} as double)", ATOM)), vec![Int]),
        (cast(Form::new("cast({0} as double)", ATOM)), vec![Decimal]),
        (Form::new("{0:8} + {1:9}", 8), vec![Double, Int]),
    ]
}

fn texts() -> Vec<(Form, Vec<Type>)> {
    use Type::{Big, Bytes, Date, Int, Text};
    vec![
        (Form::new("{0:7} || {1:8}", 7), vec![Text, Text]),
        (Form::new("upper({0})", ATOM).not_postgres(), vec![Text]),
        (Form::new("lower({0})", ATOM), vec![Text]),
        (Form::new("substr({0}, 1, 1)", ATOM), vec![Text]),
        (Form::new("substr({0}, 2)", ATOM), vec![Text]),
        (Form::new("replace({0}, 'a', {1})", ATOM), vec![Text, Text]),
        (Form::new("trim({0})", ATOM), vec![Text]),
        (Form::new("reverse({0})", ATOM), vec![Text]),
        (Form::new("cast({0} as varchar)", ATOM), vec![Int]),
        (Form::new("cast({0} as varchar)", ATOM), vec![Big]),
        (Form::new("cast({0} as varchar)", ATOM), vec![Date]),
        (Form::new("to_hex({0})", ATOM).duckdb("hex({0})").postgres("upper(encode({0}, 'hex'))"), vec![Bytes]),
    ]
}

fn bytes() -> Vec<(Form, Vec<Type>)> {
    use Type::Bytes;
    let part = |quarry: &str, duckdb: &str, postgres: &str| {
        (Form::new(quarry, ATOM).duckdb(duckdb).postgres(postgres), vec![Bytes])
    };
    vec![
        (Form::new("{0:7} || {1:8}", 7), vec![Bytes, Bytes]),
        part("bytearray_substring({0}, 1, 2)", "({0})[1:2]", "substring({0} from 1 for 2)"),
        part("bytearray_substring({0}, 13, 20)", "({0})[13:32]", "substring({0} from 13 for 20)"),
    ]
}

fn times(of: Type) -> Vec<(Form, Vec<Type>)> {
    let cast = |form: &str| format!("cast({form} as date)");
    match of {
        Type::Date => {
            // In the other products, a date plus an interval is a timestamp.
            let on_date =
                |form: &str| (Form::new(form, ATOM).duckdb(cast(form)).postgres(cast(form)), vec![Type::Date]);
            vec![
                on_date("({0:9} + interval '1' day)"),
                on_date("({0:9} - interval '1' month)"),
                on_date("date_trunc('month', {0})"),
                on_date("date_trunc('year', {0})"),
                (Form::new("cast({0} as date)", ATOM), vec![Type::Time]),
            ]
        }
        _ => vec![
            (Form::new("{0:8} + interval '1' hour", 8), vec![Type::Time]),
            (Form::new("{0:8} - interval '1' month", 8), vec![Type::Time]),
            (Form::new("date_trunc('hour', {0})", ATOM), vec![Type::Time]),
            (Form::new("date_trunc('month', {0})", ATOM), vec![Type::Time]),
            (Form::new("cast({0} as timestamp)", ATOM), vec![Type::Date]),
        ],
    }
}

fn lists() -> Vec<(Form, Vec<Type>)> {
    use Type::{Int, Ints};
    let made = Form::new("array[{0}, {1}]", ATOM).duckdb("[{0}, {1}]").postgres("array[{0}, {1}]::bigint[]");
    vec![
        (made, vec![Int, Int]),
        (Form::new("array_append({0}, {1})", ATOM).duckdb("list_append({0}, {1})"), vec![Ints, Int]),
    ]
}
