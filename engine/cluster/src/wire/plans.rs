//! Encodes and decodes plans.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::TaskContext;
use datafusion::execution::session_state::SessionState;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{PhysicalPlanDecodeContext, PhysicalProtoConverterExtension};
use datafusion_proto::protobuf::PhysicalPlanNode;
use prost::Message;
use quarry_lake::LakeFiles;

use super::codec::WireCodec;
use super::context::{WireContext, unsupported};
use super::converter::WireConverter;
use super::functions::FunctionRegistry;

/// The most bytes of an encoded plan.
const MAX_PLAN_BYTES: usize = 64 << 20;

/// Encodes and decodes plans over a lake.
#[derive(Clone)]
pub struct Wire {
    registry: Arc<FunctionRegistry>,
    lake: LakeFiles,
}

impl Wire {
    /// A wire with the functions of both dialects.
    ///
    /// # Errors
    ///
    /// Two functions have one id.
    pub fn new(sql: &SessionState, hive: &SessionState, lake: LakeFiles) -> Result<Wire> {
        Ok(Wire { registry: Arc::new(FunctionRegistry::new(sql, hive)?), lake })
    }

    /// The build that plans are for: processes of other builds may have other functions under the same id.
    pub fn version(&self) -> String {
        format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), self.registry.fingerprint())
    }

    /// Encodes a plan.
    ///
    /// # Errors
    ///
    /// The plan has an operator, an expression or a function that can't be sent, or it is too large.
    pub fn encode(&self, plan: &Arc<dyn ExecutionPlan>) -> Result<Vec<u8>> {
        let codec = self.codec();
        let message = WireConverter::new(&codec).execution_plan_to_proto(plan, &codec);
        let bytes = message.map_err(|error| codec.0.refusal.get().map_or(error, unsupported))?.encode_to_vec();
        if bytes.len() > MAX_PLAN_BYTES {
            return Err(unsupported(format!("a plan of {} bytes is too large", bytes.len())));
        }
        Ok(bytes)
    }

    /// Decodes what [`Wire::encode`] made.
    ///
    /// # Errors
    ///
    /// The bytes are no plan, or one with files or functions that this process does not have.
    pub fn decode(&self, bytes: &[u8], tasks: &TaskContext) -> Result<Arc<dyn ExecutionPlan>> {
        if bytes.len() > MAX_PLAN_BYTES {
            return Err(unsupported(format!("a plan of {} bytes is too large", bytes.len())));
        }
        let codec = self.codec();
        let decode = || {
            let message = PhysicalPlanNode::decode(bytes).map_err(unsupported)?;
            let context = PhysicalPlanDecodeContext::new(tasks, &codec);
            WireConverter::new(&codec).proto_to_execution_plan(&message, &context)
        };
        // Literals are Arrow messages, which panic if their offsets are wrong.
        catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| Err(unsupported("a damaged plan")))
    }

    fn codec(&self) -> WireCodec {
        let registry = Arc::clone(&self.registry);
        WireCodec(WireContext { registry, lake: self.lake.clone(), refusal: Arc::default() })
    }
}

#[cfg(test)]
mod tests {
    use datafusion::execution::SessionStateBuilder;
    use datafusion::prelude::{SessionConfig, SessionContext};
    use quarry_lake::LakeOptions;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;

    /// A session, a wire with its functions, and a plan of many kinds of operators and expressions.
    async fn wire_and_plan(folder: &std::path::Path) -> (SessionContext, Wire, Arc<dyn ExecutionPlan>) {
        let config = SessionConfig::new().with_target_partitions(2);
        let mut state = SessionStateBuilder::new().with_config(config).with_default_features().build();
        quarry_functions::register(&mut state).unwrap();
        let wire = Wire::new(&state, &state, LakeFiles::open(folder, &LakeOptions::default()).unwrap()).unwrap();
        let context = SessionContext::new_with_state(state);
        let query = "with t(a, b) as (values (1, 'x'), (2, 'y'), (3, null))
            select upper(t.b) as b, sum(u.a) as s, rank() over (order by sum(u.a)) as r, case when max(u.a) > 2 then 'many' end
            from t join t u on t.a = u.a and t.b like 'x%' where t.a in (1, 2, 5) group by t.b order by s limit 5";
        let plan = context.sql(query).await.unwrap().create_physical_plan().await.unwrap();
        (context, wire, plan)
    }

    #[tokio::test]
    async fn a_plan_arrives_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (context, wire, plan) = wire_and_plan(folder.path()).await;
        wire.encode_checked(&plan, &context.task_ctx()).unwrap();
    }

    #[tokio::test]
    async fn a_damaged_plan_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let (context, wire, plan) = wire_and_plan(folder.path()).await;
        let (bytes, tasks) = (wire.encode(&plan).unwrap(), context.task_ctx());
        let mut random = StdRng::seed_from_u64(7);
        let mut errors = 0;
        for _ in 0..5_000 {
            let mut damaged = bytes.clone();
            for _ in 0..random.random_range(1..4) {
                let at = random.random_range(0..damaged.len());
                damaged[at] = random.random();
            }
            damaged.truncate(random.random_range(damaged.len() / 2..=damaged.len()));
            errors += usize::from(wire.decode(&damaged, &tasks).is_err());
        }
        assert!(errors > 2_500, "{errors}");
        assert!(wire.decode(&vec![0; MAX_PLAN_BYTES + 1], &tasks).unwrap_err().to_string().contains("too large"));
    }
}
