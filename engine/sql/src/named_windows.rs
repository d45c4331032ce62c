//! Named windows, `sum(x) OVER w … WINDOW w AS (…)`, are replaced by what they are. The planner knows them in SELECT only, and ignores
//! `w` in `OVER (w ORDER BY x)`.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, Function, Ident, NamedWindowDefinition, NamedWindowExpr, OrderBy, Query, Select, VisitorMut, WindowSpec,
    WindowType,
};

use super::error_location;
use super::expansion::{Contents, Growth};
use crate::syntax::visitor::visit_mut;
use quarry_types::{Error, ErrorCode};

/// Replaces the windows that a SELECT names, also in ORDER BY of its query.
pub fn expand(select: &mut Select, order: Option<&mut OrderBy>, growth: &mut Growth) -> ControlFlow<Box<Error>> {
    let mut names = Names { known: &select.named_window, growth, queries: 0 };
    visit_mut(&mut select.projection, &mut names)?;
    visit_mut(&mut select.qualify, &mut names)?;
    order.map_or(ControlFlow::Continue(()), |order| visit_mut(order, &mut names))
}

struct Names<'a> {
    known: &'a [NamedWindowDefinition],
    growth: &'a mut Growth,
    /// How many queries inside are open: they have windows of their own.
    queries: usize,
}

impl VisitorMut for Names<'_> {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<Box<Error>> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<Box<Error>> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        let Expr::Function(Function { over: Some(over), .. }) = &*expr else { return ControlFlow::Continue(()) };
        let spec = match over {
            WindowType::NamedWindow(name) => of_name(name),
            WindowType::WindowSpec(spec) if spec.window_name.is_some() => spec.clone(),
            WindowType::WindowSpec(_) => return ControlFlow::Continue(()),
        };
        if self.queries > 0 {
            return ControlFlow::Continue(());
        }
        let (before, position) = (Contents::new(expr), error_location::expr_position(expr));
        match resolved(self.known, spec) {
            Ok(spec) => {
                if let Expr::Function(function) = expr {
                    function.over = Some(WindowType::WindowSpec(spec));
                }
                self.growth.note(&before, expr)
            }
            Err(message) => {
                let error = Error::new(ErrorCode::InvalidQuery, message);
                ControlFlow::Break(Box::new(error_location::error_at(error, position)))
            }
        }
    }
}

/// A window that only names another one.
fn of_name(name: &Ident) -> WindowSpec {
    let window_name = Some(name.clone());
    WindowSpec { window_name, partition_by: Vec::new(), order_by: Vec::new(), window_frame: None }
}

/// A window with all parts of the one that it names, which may name another one in turn: one before it, or else one after it.
fn resolved(known: &[NamedWindowDefinition], mut spec: WindowSpec) -> Result<WindowSpec, String> {
    let mut left: Vec<&NamedWindowDefinition> = known.iter().collect();
    let mut before = left.len();
    while let Some(name) = spec.window_name.take() {
        let is_named = |NamedWindowDefinition(own, _): &&NamedWindowDefinition| is_same(own, &name);
        let found = left[..before].iter().rposition(is_named).or_else(|| left.iter().rposition(is_named));
        let Some(place) = found else { return Err(format!("The window {name} is not defined!")) };
        // Removed, so that no window is resolved twice in a cycle.
        let base = match left.remove(place) {
            NamedWindowDefinition(_, NamedWindowExpr::NamedWindow(other)) => of_name(other),
            NamedWindowDefinition(_, NamedWindowExpr::WindowSpec(base)) => base.clone(),
        };
        before = place;
        if !spec.order_by.is_empty() && !base.order_by.is_empty() {
            return Err(format!(
                "The window {name} already has an ORDER BY; write out a separate window for another order."
            ));
        }
        spec.window_name = base.window_name;
        spec.partition_by.splice(0..0, base.partition_by);
        spec.order_by.extend(base.order_by);
        spec.window_frame = spec.window_frame.or(base.window_frame);
    }
    Ok(spec)
}

fn is_same(own: &Ident, name: &Ident) -> bool {
    match (own.quote_style, name.quote_style) {
        (None, None) => own.value.eq_ignore_ascii_case(&name.value),
        _ => own.value == name.value,
    }
}
