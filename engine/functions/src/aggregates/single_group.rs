//! Makes an accumulator of one group from one of many groups.

use std::fmt::{Debug, Formatter};

use arrow::array::new_empty_array;
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};

use crate::prelude::*;

pub(super) struct SingleGroup<G> {
    groups: G,
    /// The types of the arguments.
    types: Vec<DataType>,
}

impl<G: GroupsAccumulator> SingleGroup<G> {
    pub fn new(groups: G, args: &AccumulatorArgs) -> SingleGroup<G> {
        SingleGroup { groups, types: args.expr_fields.iter().map(|field| field.data_type().clone()).collect() }
    }

    /// Creates the group, by an empty batch, in case there were no rows.
    fn start(&mut self) -> Result<()> {
        let nothing: Vec<ArrayRef> = self.types.iter().map(new_empty_array).collect();
        self.groups.update_batch(&nothing, &[], None, 1)
    }
}

impl<G> Debug for SingleGroup<G> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("SingleGroup")
    }
}

impl<G: GroupsAccumulator + Sync> Accumulator for SingleGroup<G> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.groups.update_batch(values, &vec![0; values[0].len()], None, 1)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.groups.merge_batch(states, &vec![0; states[0].len()], 1)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.start()?;
        let state = self.groups.state(EmitTo::All)?;
        state.iter().map(|column| ScalarValue::try_from_array(column, 0)).collect()
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.start()?;
        ScalarValue::try_from_array(&self.groups.evaluate(EmitTo::All)?, 0)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.groups.size()
    }
}
