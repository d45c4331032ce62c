//! Whether a query may have another result when it runs again over the same data.

use std::ops::ControlFlow;

use crate::syntax::visitor::visit;
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::Volatility;
use datafusion::sql::sqlparser::ast::{Expr, ObjectName, ObjectNamePart, Statement, Visitor};

/// The schema whose tables describe the others; they depend on more than the files of the lake.
const INFORMATION_SCHEMA: &str = "information_schema";

/// Whether a statement calls volatile functions, as it does for a sample of a table, or reads `information_schema`. `now()` is the
/// time of the newest block; with `clock`, in a lake without blocks, it is the clock's and changes too.
pub fn is_volatile(statement: &Statement, state: &SessionState, clock: bool) -> bool {
    let volatilities = if clock { &[Volatility::Volatile, Volatility::Stable][..] } else { &[Volatility::Volatile] };
    visit(statement, &mut Volatile { state, volatilities }).is_break()
}

struct Volatile<'a> {
    state: &'a SessionState,
    volatilities: &'a [Volatility],
}

impl Visitor for Volatile<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
        let name = function.name.to_string().to_lowercase();
        let scalar = self.state.scalar_functions().get(&name).map(|known| known.signature().volatility);
        let aggregate = self.state.aggregate_functions().get(&name).map(|known| known.signature().volatility);
        match [scalar, aggregate].into_iter().flatten().any(|volatility| self.volatilities.contains(&volatility)) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        let is_named = |part: &ObjectNamePart| {
            part.as_ident()
                .is_some_and(|name| name.value.to_lowercase().split('.').any(|name| name == INFORMATION_SCHEMA))
        };
        match relation.0.iter().any(is_named) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
