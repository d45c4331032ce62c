//! Parts of JSON by signs: `j -> 'a' ->> 0` and `j #>> '{a,0}'` of PostgreSQL and DuckDB, `j:a.b[0]` of Snowflake, as
//! calls of `json_extract`. What `->>` and `#>>` answer is a text.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, JsonPathElem,
    LambdaFunction, OneOrManyWithParens, Value,
};

use super::ast::{call, cast, text};

/// Words in the names of functions that take lambdas.
const WITH_LAMBDA: [&str; 9] = ["transform", "filter", "match", "reduce", "sort", "zip", "apply", "map", "lambda"];

/// An expression with such signs as a call; `None` leaves it.
pub(super) fn access(expr: &Expr) -> Option<Expr> {
    use BinaryOperator::{Arrow, HashArrow, HashLongArrow, LongArrow};
    match expr {
        Expr::BinaryOp { left, op: op @ (Arrow | LongArrow), right } => {
            let found = call("json_extract", vec![left.as_ref().clone(), text(&step(right)?)]);
            Some(if *op == LongArrow { as_text(found) } else { found })
        }
        Expr::BinaryOp { left, op: op @ (HashArrow | HashLongArrow), right } => {
            let path = string(right)?.strip_prefix('{')?.strip_suffix('}')?.to_string();
            let steps = path.split(',').map(|part| named(part.trim(), true)).collect::<Option<String>>()?;
            let found = call("json_extract", vec![left.as_ref().clone(), text(&format!("${steps}"))]);
            Some(if *op == HashLongArrow { as_text(found) } else { found })
        }
        Expr::JsonAccess { value, path } => {
            let steps = path.path.iter().map(|part| match part {
                JsonPathElem::Dot { key, .. } => named(key, false),
                JsonPathElem::Bracket { key } | JsonPathElem::ColonBracket { key } => {
                    step(key).map(|path| path[1..].to_string())
                }
            });
            let steps = steps.collect::<Option<String>>()?;
            Some(call("json_extract", vec![value.as_ref().clone(), text(&format!("${steps}"))]))
        }
        _ => None,
    }
}

/// `column -> 'key'` is read as a lambda, with all that follows as its body. Where no function takes one it is this.
pub(super) fn of_lambdas(expr: &mut Expr) {
    match expr {
        Expr::Lambda(lambda) => {
            if let Some(access) = reread(lambda) {
                *expr = access;
            }
        }
        Expr::Function(Function { name, args: FunctionArguments::List(list), .. }) => {
            let name = name.to_string().to_ascii_lowercase();
            if WITH_LAMBDA.iter().any(|word| name.contains(word)) {
                return;
            }
            for arg in &mut list.args {
                if let FunctionArg::Unnamed(FunctionArgExpr::Expr(arg))
                | FunctionArg::Named { arg: FunctionArgExpr::Expr(arg), .. } = arg
                {
                    of_lambdas(arg);
                }
            }
        }
        _ => {}
    }
}

/// The body with its first operand as a part of what was read as the lambda's parameter.
fn reread(lambda: &LambdaFunction) -> Option<Expr> {
    let OneOrManyWithParens::One(parameter) = &lambda.params else { return None };
    let mut body = lambda.body.as_ref().clone();
    let mut first = &mut body;
    loop {
        first = match first {
            Expr::BinaryOp { left: inner, .. }
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::InList { expr: inner, .. }
            | Expr::Between { expr: inner, .. }
            | Expr::Like { expr: inner, .. }
            | Expr::ILike { expr: inner, .. } => inner,
            Expr::Value(_) => break,
            _ => return None,
        };
    }
    step(first)?;
    let (left, right) = (Box::new(Expr::Identifier(parameter.name.clone())), Box::new(first.clone()));
    *first = Expr::BinaryOp { left, op: BinaryOperator::Arrow, right };
    Some(body)
}

/// A key or the place of an item as a path.
fn step(key: &Expr) -> Option<String> {
    let Expr::Value(value) = key else { return None };
    match &value.value {
        Value::SingleQuotedString(name) => named(name, false).map(|step| format!("${step}")),
        Value::Number(place, _) => place.parse::<u32>().ok().map(|place| format!("$[{place}]")),
        _ => None,
    }
}

fn string(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// One step of a path; digits are a place where `places`.
fn named(name: &str, places: bool) -> Option<String> {
    if places && name.parse::<u32>().is_ok() {
        return Some(format!("[{name}]"));
    }
    match (name.contains('"'), name.contains('\'')) {
        (false, _) => Some(format!("[\"{name}\"]")),
        (true, false) => Some(format!("['{name}']")),
        (true, true) => None,
    }
}

/// JSON as a text: what stands in quotes there without them.
fn as_text(json: Expr) -> Expr {
    cast(json, DataType::Varchar(None))
}
