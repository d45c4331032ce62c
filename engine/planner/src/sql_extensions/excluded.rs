//! Windows whose frames leave rows out: the text says so by a call among what their rows are parted by, since neither the parser
//! nor the planner has another place for it.

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

use quarry_functions::pass::every_part;
use quarry_functions::{EXCLUDED_ROWS, Excluded, excluding};

/// The pass over the plan; it runs when the arguments of all calls have their types.
#[derive(Debug)]
pub struct ExcludedRows;

impl AnalyzerRule for ExcludedRows {
    fn name(&self) -> &str {
        "excluded_rows"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        every_part(plan, |expr, _| {
            let Expr::WindowFunction(mut call) = expr else { return Ok(Transformed::no(expr)) };
            let keys = &mut call.params.partition_by;
            let Some((at, excluded)) = keys.iter().enumerate().find_map(|(at, key)| Some((at, said(key)?))) else {
                return Ok(Transformed::no(Expr::WindowFunction(call)));
            };
            keys.remove(at);
            Ok(Transformed::yes(Expr::WindowFunction(Box::new(excluding(*call, excluded)))))
        })
    }
}

/// What a key says that is left out.
fn said(key: &Expr) -> Option<Excluded> {
    let Expr::ScalarFunction(call) = key else { return None };
    let [Expr::Literal(words, _)] = call.args.as_slice() else { return None };
    words.try_as_str().flatten().filter(|_| call.func.name() == EXCLUDED_ROWS).and_then(Excluded::named)
}
