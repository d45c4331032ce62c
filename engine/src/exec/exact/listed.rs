//! `x in (case …, 1)`: what is computed in a list is another value in each row. The stock operator tries whether a list is
//! constant by asking for its values of no rows; `case` answers with a null then, which would stand for it in all rows.

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::AnalyzerRule;

use crate::functions::pass::every_part;
use crate::functions::per_row;

/// The pass over the plan, once its types are settled.
#[derive(Debug)]
pub(super) struct ListedPerRow;

impl AnalyzerRule for ListedPerRow {
    fn name(&self) -> &str {
        "listed_per_row"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        every_part(plan, |part, _| match part {
            Expr::InList(InList { expr, list, negated }) if list.iter().any(is_computed) => {
                let each = |item| if is_computed(&item) { per_row().call(vec![item]) } else { item };
                let list = list.into_iter().map(each).collect();
                Ok(Transformed::yes(Expr::InList(InList { expr, list, negated })))
            }
            other => Ok(Transformed::no(other)),
        })
    }
}

/// Whether something is made of columns, rather than one as it is.
fn is_computed(item: &Expr) -> bool {
    let done = matches!(item, Expr::ScalarFunction(call) if call.func == per_row());
    !done && !matches!(item, Expr::Column(_)) && item.any_column_refs()
}
