//! Whether a query may answer otherwise when it is asked again, though nothing that it reads has changed.

use std::ops::ControlFlow;

use crate::ast_visitor::visit;
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::Volatility;
use datafusion::sql::sqlparser::ast::{Expr, ObjectName, ObjectNamePart, Statement, Visitor};

/// The schema whose tables say what there is; they are made of more than the files of the lake.
const OF_TABLES: &str = "information_schema";

/// Whether a statement calls what is another value each time, as it does for a sample of a table, or asks what tables there are.
/// Its functions have the names of the engine already. The time is that of the newest block; with `clock`, in a lake without
/// blocks, it is the clock's and changes too.
pub fn changes(statement: &Statement, state: &SessionState, clock: bool) -> bool {
    let changing = if clock { &[Volatility::Volatile, Volatility::Stable][..] } else { &[Volatility::Volatile] };
    visit(statement, &mut Changing { state, changing }).is_break()
}

struct Changing<'a> {
    state: &'a SessionState,
    changing: &'a [Volatility],
}

impl Visitor for Changing<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
        let name = function.name.to_string().to_lowercase();
        let scalar = self.state.scalar_functions().get(&name).map(|known| known.signature().volatility);
        let of_rows = self.state.aggregate_functions().get(&name).map(|known| known.signature().volatility);
        match [scalar, of_rows].into_iter().flatten().any(|volatility| self.changing.contains(&volatility)) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        let asked = |part: &ObjectNamePart| {
            part.as_ident().is_some_and(|name| name.value.to_lowercase().split('.').any(|name| name == OF_TABLES))
        };
        match relation.0.iter().any(asked) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
