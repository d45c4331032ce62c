//! DataFusion's walks over expressions and plans, compiled once.
//!
//! DataFusion's are generic over the function that they call, so each closure compiles the walk through all kinds of nodes once
//! more. With a hundred closures that was most of the time and size of the planner. Those here call it through a reference.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;

type Look<'a, 'n, N> = &'a mut dyn FnMut(&'n N) -> Result<TreeNodeRecursion>;
type LookAny<'a, N> = &'a mut dyn FnMut(&N) -> Result<TreeNodeRecursion>;
type Rewrite<'a, N> = &'a mut dyn FnMut(N) -> Result<Transformed<N>>;

/// The walks of DataFusion's [`TreeNode`], with the same names. Import it instead of that trait.
pub trait TreeWalk: Sized {
    fn dyn_apply<'n>(&'n self, look: Look<'_, 'n, Self>) -> Result<TreeNodeRecursion>;
    fn dyn_transform_up(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>>;
    fn dyn_transform_down(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>>;
    fn dyn_map_children(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>>;

    /// Looks at each node, parents before children.
    fn apply<'n>(&'n self, mut look: impl FnMut(&'n Self) -> Result<TreeNodeRecursion>) -> Result<TreeNodeRecursion> {
        self.dyn_apply(&mut look)
    }

    /// Whether a node passes the test.
    fn exists<'n>(&'n self, mut test: impl FnMut(&'n Self) -> Result<bool>) -> Result<bool> {
        let stopped = self.dyn_apply(&mut |node| stop_if(test(node)?))?;
        Ok(stopped == TreeNodeRecursion::Stop)
    }

    /// Rewrites each node, children before parents.
    fn transform_up(self, mut rewrite: impl FnMut(Self) -> Result<Transformed<Self>>) -> Result<Transformed<Self>> {
        self.dyn_transform_up(&mut rewrite)
    }

    /// Rewrites each node, parents before children.
    fn transform_down(self, mut rewrite: impl FnMut(Self) -> Result<Transformed<Self>>) -> Result<Transformed<Self>> {
        self.dyn_transform_down(&mut rewrite)
    }

    /// Rewrites the children of this node.
    fn map_children(self, mut rewrite: impl FnMut(Self) -> Result<Transformed<Self>>) -> Result<Transformed<Self>> {
        self.dyn_map_children(&mut rewrite)
    }
}

fn stop_if(found: bool) -> Result<TreeNodeRecursion> {
    Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
}

macro_rules! tree_walk {
    ($($node:ty),+) => {
        $(impl TreeWalk for $node {
            fn dyn_apply<'n>(&'n self, look: Look<'_, 'n, Self>) -> Result<TreeNodeRecursion> {
                TreeNode::apply(self, look)
            }

            fn dyn_transform_up(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>> {
                TreeNode::transform_up(self, rewrite)
            }

            fn dyn_transform_down(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>> {
                TreeNode::transform_down(self, rewrite)
            }

            fn dyn_map_children(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>> {
                TreeNode::map_children(self, rewrite)
            }
        })+
    };
}

tree_walk!(Expr, LogicalPlan, Arc<dyn ExecutionPlan>);

/// The walks of [`LogicalPlan`] through subqueries and expressions.
pub trait PlanWalk: Sized {
    fn dyn_apply_deep(&self, look: LookAny<'_, Self>) -> Result<TreeNodeRecursion>;
    fn dyn_transform_deep_up(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>>;
    fn dyn_transform_deep_down(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>>;
    fn dyn_apply_exprs(&self, look: LookAny<'_, Expr>) -> Result<TreeNodeRecursion>;
    fn dyn_map_exprs(self, rewrite: Rewrite<'_, Expr>) -> Result<Transformed<Self>>;

    /// Looks at each node of the plan and its subqueries, parents before children.
    fn apply_deep(&self, mut look: impl FnMut(&Self) -> Result<TreeNodeRecursion>) -> Result<TreeNodeRecursion> {
        self.dyn_apply_deep(&mut look)
    }

    /// Rewrites each node of the plan and its subqueries, children before parents.
    fn transform_deep_up(
        self,
        mut rewrite: impl FnMut(Self) -> Result<Transformed<Self>>,
    ) -> Result<Transformed<Self>> {
        self.dyn_transform_deep_up(&mut rewrite)
    }

    /// Rewrites each node of the plan and its subqueries, parents before children.
    fn transform_deep_down(
        self,
        mut rewrite: impl FnMut(Self) -> Result<Transformed<Self>>,
    ) -> Result<Transformed<Self>> {
        self.dyn_transform_deep_down(&mut rewrite)
    }

    /// Looks at the expressions of this node.
    fn apply_exprs(&self, mut look: impl FnMut(&Expr) -> Result<TreeNodeRecursion>) -> Result<TreeNodeRecursion> {
        self.dyn_apply_exprs(&mut look)
    }

    /// Rewrites the expressions of this node.
    fn map_exprs(self, mut rewrite: impl FnMut(Expr) -> Result<Transformed<Expr>>) -> Result<Transformed<Self>> {
        self.dyn_map_exprs(&mut rewrite)
    }
}

impl PlanWalk for LogicalPlan {
    fn dyn_apply_deep(&self, look: LookAny<'_, Self>) -> Result<TreeNodeRecursion> {
        self.apply_with_subqueries(look)
    }

    fn dyn_transform_deep_up(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>> {
        self.transform_up_with_subqueries(rewrite)
    }

    fn dyn_transform_deep_down(self, rewrite: Rewrite<'_, Self>) -> Result<Transformed<Self>> {
        self.transform_down_with_subqueries(rewrite)
    }

    fn dyn_apply_exprs(&self, look: LookAny<'_, Expr>) -> Result<TreeNodeRecursion> {
        self.apply_expressions(look)
    }

    fn dyn_map_exprs(self, rewrite: Rewrite<'_, Expr>) -> Result<Transformed<Self>> {
        self.map_expressions(rewrite)
    }
}

#[cfg(test)]
mod tests {
    use datafusion::common::tree_node::{Transformed, TransformedResult};
    use datafusion::prelude::{Expr, col, lit};

    use super::{TreeWalk, stop_if};

    #[test]
    fn walks_are_those_of_datafusion() {
        let expr = (col("a") + lit(1)).gt(col("b"));
        let mut seen = Vec::new();
        expr.apply(|part| {
            seen.push(part.to_string());
            stop_if(part.to_string() == "a")
        })
        .unwrap();
        assert_eq!(seen, ["a + Int32(1) > b", "a + Int32(1)", "a"]);
        assert!(expr.exists(|part| Ok(*part == col("b"))).unwrap());
        let renamed =
            |part: Expr| Ok(if part == col("a") { Transformed::yes(col("c")) } else { Transformed::no(part) });
        assert_eq!(expr.clone().transform_up(renamed).data().unwrap().to_string(), "c + Int32(1) > b");
        assert_eq!(expr.clone().transform_down(renamed).data().unwrap().to_string(), "c + Int32(1) > b");
        assert_eq!(expr.map_children(renamed).data().unwrap().to_string(), "a + Int32(1) > b");
    }
}
