//! Window frames with EXCLUDE, as calls of window functions that leave rows out of their frame.
//!
//! The parser's frames have no EXCLUDE yet (<https://github.com/apache/datafusion-sqlparser-rs/pull/2500>,
//! <https://github.com/apache/datafusion-sqlparser-rs/pull/2513>), nor have DataFusion's, so `ExprPlanner::plan_window` does not
//! get it. Until they do, `quarry_sql::frames` writes it as a call among the partition keys, from where it is taken here.

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Expr, LogicalPlan};

use crate::node_rules::rewrite_expressions;
use quarry_functions::{EXCLUDED_ROWS, FrameExclusion, exclude_rows};

/// Runs when the arguments of all calls are coerced.
pub(crate) fn expand_frame_exclusion(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    rewrite_expressions(plan, |expr, _| {
        let Expr::WindowFunction(mut call) = expr else { return Ok(Transformed::no(expr)) };
        let keys = &mut call.params.partition_by;
        let Some((index, excluded)) = keys.iter().enumerate().find_map(|(index, key)| Some((index, exclusion(key)?)))
        else {
            return Ok(Transformed::no(Expr::WindowFunction(call)));
        };
        keys.remove(index);
        Ok(Transformed::yes(Expr::WindowFunction(Box::new(exclude_rows(*call, excluded)))))
    })
}

/// The rows that a partition key says to exclude, if it is such a call.
fn exclusion(key: &Expr) -> Option<FrameExclusion> {
    let Expr::ScalarFunction(call) = key else { return None };
    let [Expr::Literal(words, _)] = call.args.as_slice() else { return None };
    words.try_as_str().flatten().filter(|_| call.func.name() == EXCLUDED_ROWS).and_then(FrameExclusion::from_words)
}
