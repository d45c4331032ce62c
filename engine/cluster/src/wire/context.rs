//! What the parts of one conversion share.

use std::fmt::Display;
use std::sync::{Arc, OnceLock};

use arrow::datatypes::Schema;
use datafusion::common::{DataFusionError, Result};
use datafusion::physical_expr::PhysicalExpr;
use datafusion_proto::protobuf::PhysicalExprNode;
use quarry_lake::LakeFiles;

use super::functions::FunctionRegistry;

/// The functions and files of this process.
#[derive(Clone)]
pub(super) struct WireContext {
    pub registry: Arc<FunctionRegistry>,
    pub lake: LakeFiles,
    /// Why the plan can't be encoded. DataFusion puts whole plans into its errors.
    pub refusal: Arc<OnceLock<String>>,
}

impl WireContext {
    pub fn refuse<T>(&self, reason: String) -> Result<T> {
        Err(unsupported(self.refusal.get_or_init(|| reason)))
    }
}

/// Converts expressions inside functions.
pub(super) trait ExprConverter {
    fn encode(&self, expr: &Arc<dyn PhysicalExpr>) -> Result<PhysicalExprNode>;

    /// Decodes an expression over the columns of `schema`, with default settings.
    fn decode(&self, message: &PhysicalExprNode, schema: &Schema) -> Result<Arc<dyn PhysicalExpr>>;
}

pub(super) fn unsupported(reason: impl Display) -> DataFusionError {
    DataFusionError::NotImplemented(reason.to_string())
}
