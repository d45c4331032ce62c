//! The ids of functions. Names do not tell functions apart: SQL and HiveQL have different functions of one name, planner rules call
//! built-in functions that sessions replaced, and wrappers have the names of what they wrap. So a function is known by the address
//! of its implementation, which all clones share, and has the same id in every process of the same build.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::{Result, internal_err};
use datafusion::execution::SessionStateDefaults;
use datafusion::execution::session_state::SessionState;
use datafusion::functions::core::get_field;
use datafusion::functions::core::getfield::GetFieldFunc;
use datafusion::logical_expr::{AggregateUDF, HigherOrderUDF, ScalarUDF, WindowUDF};
use quarry_functions::{shared_aggregates, shared_functions};
use quarry_planner::analyzer::Macro;

/// A function around an implementation that its clones share.
trait SharedImplementation {
    fn name(&self) -> &str;

    fn address(&self) -> usize;
}

macro_rules! shares_implementation {
    ($($function:ty),*) => {$(
        impl SharedImplementation for $function {
            fn name(&self) -> &str {
                <$function>::name(self)
            }

            fn address(&self) -> usize {
                Arc::as_ptr(self.inner()).cast::<()>().addr()
            }
        }
    )*};
}

shares_implementation!(ScalarUDF, AggregateUDF, WindowUDF, HigherOrderUDF);

/// Functions of one kind.
struct ById<F> {
    functions: HashMap<String, Arc<F>>,
    /// The id for each address of an implementation. The functions above keep these addresses from being used again.
    ids: HashMap<usize, String>,
}

impl<F: SharedImplementation> ById<F> {
    fn new() -> ById<F> {
        ById { functions: HashMap::new(), ids: HashMap::new() }
    }

    /// The first id of a function stays.
    fn add(&mut self, id: String, function: &Arc<F>) -> Result<()> {
        let address = function.address();
        if self.ids.contains_key(&address) {
            return Ok(());
        }
        if self.functions.contains_key(&id) {
            return internal_err!("two functions have the id {id}");
        }
        self.ids.insert(address, id.clone());
        self.functions.insert(id, Arc::clone(function));
        Ok(())
    }

    /// Adds functions that are in no session.
    fn add_all(&mut self, source: &str, functions: impl IntoIterator<Item = Arc<F>>) -> Result<()> {
        functions.into_iter().try_for_each(|function| self.add(format!("{source}:{}", function.name()), &function))
    }

    /// Adds the functions of a session by their own names; one that has lost its own name to another function, by the first of its
    /// other names.
    fn add_session(&mut self, dialect: &str, functions: &HashMap<String, Arc<F>>) -> Result<()> {
        let mut names: Vec<(bool, &String, &Arc<F>)> =
            functions.iter().map(|(name, function)| (function.name() != name, name, function)).collect();
        names.sort_unstable_by_key(|(is_other, name, _)| (*is_other, *name));
        names.into_iter().try_for_each(|(_, name, function)| self.add(format!("{dialect}:{name}"), function))
    }

    fn id(&self, function: &F) -> Option<&str> {
        self.ids.get(&function.address()).map(String::as_str)
    }

    fn get(&self, id: &str) -> Option<&Arc<F>> {
        self.functions.get(id)
    }
}

/// The functions that every process of a build makes once, by their ids.
pub struct FunctionRegistry {
    scalars: ById<ScalarUDF>,
    aggregates: ById<AggregateUDF>,
    windows: ById<WindowUDF>,
    higher_order: ById<HigherOrderUDF>,
    get_field: Arc<ScalarUDF>,
}

impl FunctionRegistry {
    /// The functions of the states that sessions of both dialects are cloned from, and all that planner rules may call besides.
    ///
    /// # Errors
    ///
    /// Two functions would have one id.
    pub fn new(sql: &SessionState, hive: &SessionState) -> Result<FunctionRegistry> {
        let mut registry = FunctionRegistry {
            scalars: ById::new(),
            aggregates: ById::new(),
            windows: ById::new(),
            higher_order: ById::new(),
            get_field: get_field(),
        };
        for (dialect, state) in [("sql", sql), ("hive", hive)] {
            registry.scalars.add_session(dialect, &called(state.scalar_functions()))?;
            registry.aggregates.add_session(dialect, state.aggregate_functions())?;
            registry.windows.add_session(dialect, state.window_functions())?;
            registry.higher_order.add_session(dialect, state.higher_order_functions())?;
        }
        registry.scalars.add_all("shared", shared_functions())?;
        registry.aggregates.add_all("shared", shared_aggregates())?;
        // Rules also call built-in functions that the sessions replaced.
        registry.scalars.add_all("datafusion", SessionStateDefaults::default_scalar_functions())?;
        registry.aggregates.add_all("datafusion", SessionStateDefaults::default_aggregate_functions())?;
        registry.windows.add_all("datafusion", SessionStateDefaults::default_window_functions())?;
        registry.higher_order.add_all("datafusion", SessionStateDefaults::default_higher_order_functions())?;
        registry.scalars.add_all("spark", datafusion_spark::all_default_scalar_functions())?;
        registry.aggregates.add_all("spark", datafusion_spark::all_default_aggregate_functions())?;
        registry.windows.add_all("spark", datafusion_spark::all_default_window_functions())?;
        Ok(registry)
    }

    /// The id of a function; `None` if it was made for one query.
    pub fn scalar_id(&self, function: &ScalarUDF) -> Option<&str> {
        // `simplify` of this function makes calls of another instance, which is private to its module and does the same.
        let is_get_field = function.inner().is::<GetFieldFunc>();
        self.scalars.id(if is_get_field { self.get_field.as_ref() } else { function })
    }

    /// The function of an id.
    pub fn scalar(&self, id: &str) -> Option<&Arc<ScalarUDF>> {
        self.scalars.get(id)
    }

    /// The id of an aggregate; `None` if it was made for one query.
    pub fn aggregate_id(&self, function: &AggregateUDF) -> Option<&str> {
        self.aggregates.id(function)
    }

    /// The aggregate of an id.
    pub fn aggregate(&self, id: &str) -> Option<&Arc<AggregateUDF>> {
        self.aggregates.get(id)
    }

    /// The id of a window function; `None` if it was made for one query.
    pub fn window_id(&self, function: &WindowUDF) -> Option<&str> {
        self.windows.id(function)
    }

    /// The window function of an id.
    pub fn window(&self, id: &str) -> Option<&Arc<WindowUDF>> {
        self.windows.get(id)
    }

    /// The id of a function that takes lambdas; `None` if it was made for one query.
    pub fn higher_order_id(&self, function: &HigherOrderUDF) -> Option<&str> {
        self.higher_order.id(function)
    }

    /// The function of an id that takes lambdas.
    pub fn higher_order(&self, id: &str) -> Option<&Arc<HigherOrderUDF>> {
        self.higher_order.get(id)
    }

    /// A hash of all ids. Two processes with different ones are not of the same build.
    pub fn fingerprint(&self) -> u64 {
        let of_kind = |kind: &'static str, ids: Vec<&String>| -> Vec<String> {
            ids.into_iter().map(|id| format!("{kind} {id}\n")).collect()
        };
        let mut ids = of_kind("scalar", self.scalars.functions.keys().collect());
        ids.extend(of_kind("aggregate", self.aggregates.functions.keys().collect()));
        ids.extend(of_kind("window", self.windows.functions.keys().collect()));
        ids.extend(of_kind("higher-order", self.higher_order.functions.keys().collect()));
        ids.sort_unstable();
        // FNV-1a: the hashers of the standard library may change with its version.
        let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        ids.iter().flat_map(|id| id.bytes()).fold(0xcbf2_9ce4_8422_2325, add)
    }
}

/// The functions of a session as they are in plans, where no macro is left.
fn called(functions: &HashMap<String, Arc<ScalarUDF>>) -> HashMap<String, Arc<ScalarUDF>> {
    let functions = functions.iter();
    functions.filter_map(|(name, function)| Some((name.clone(), Arc::clone(Macro::called(function)?)))).collect()
}

#[cfg(test)]
mod tests {
    use datafusion::execution::FunctionRegistry as _;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::functions::{math, string};
    use datafusion::functions_window::lead_lag::lead_udwf;
    use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
    use datafusion::logical_expr::{Expr, ReversedUDWF, col, lit};
    use quarry_functions::hive::{self, hive_function, seeded_rand};

    use super::*;

    fn states() -> [SessionState; 2] {
        let mut states = [(); 2].map(|()| SessionStateBuilder::new().with_default_features().build());
        states.iter_mut().for_each(|state| quarry_functions::register(state).unwrap());
        hive::register(&mut states[1]).unwrap();
        states
    }

    fn registry([sql, hive]: &[SessionState; 2]) -> FunctionRegistry {
        FunctionRegistry::new(sql, hive).unwrap()
    }

    #[test]
    fn every_function_of_a_session_comes_back_as_itself() {
        let states = states();
        let registry = registry(&states);
        for state in &states {
            for function in state.scalar_functions().values() {
                let again = registry.scalar(registry.scalar_id(function).unwrap()).unwrap();
                assert!(Arc::ptr_eq(again.inner(), function.inner()), "{}", function.name());
            }
            for function in state.aggregate_functions().values() {
                let again = registry.aggregate(registry.aggregate_id(function).unwrap()).unwrap();
                assert!(Arc::ptr_eq(again.inner(), function.inner()), "{}", function.name());
            }
            for function in state.window_functions().values() {
                let again = registry.window(registry.window_id(function).unwrap()).unwrap();
                assert!(Arc::ptr_eq(again.inner(), function.inner()), "{}", function.name());
            }
            for function in state.higher_order_functions().values() {
                let again = registry.higher_order(registry.higher_order_id(function).unwrap()).unwrap();
                assert!(Arc::ptr_eq(again.inner(), function.inner()), "{}", function.name());
            }
        }
    }

    #[test]
    fn functions_of_one_name_have_their_own_ids() {
        let states = states();
        let registry = registry(&states);
        assert_eq!(registry.scalar_id(&states[0].scalar_functions()["round"]), Some("sql:round"));
        assert_eq!(registry.scalar_id(&math::round()), Some("datafusion:round"));
        assert_eq!(registry.scalar_id(&states[0].scalar_functions()["substr"]), Some("sql:substr"));
        assert_eq!(registry.scalar_id(&states[1].scalar_functions()["substr"]), Some("hive:substr"));
        assert_eq!(registry.scalar_id(&hive_function("hive_list_field").unwrap()), Some("hive:hive_list_field"));
        assert_eq!(registry.scalar_id(&quarry_functions::as_hex()), Some("shared:as_hex"));
        assert_eq!(registry.aggregate_id(&quarry_functions::count_distinct()), Some("shared:count_distinct"));
        assert_eq!(registry.window_id(&lead_udwf()), Some("datafusion:lead"));
        assert_eq!(registry.higher_order_id(&states[1].higher_order_functions()["reduce"]), Some("hive:reduce"));
    }

    #[test]
    fn the_reverse_of_a_window_function_is_known() {
        let states = states();
        let ReversedUDWF::Reversed(lead) = states[0].window_functions()["lead"].reverse_expr() else { panic!() };
        assert_eq!(registry(&states).window_id(&lead), Some("sql:lead"));
    }

    #[test]
    fn the_function_behind_a_macro_keeps_its_id() {
        let mut states = states();
        let own = Arc::clone(&states[0].scalar_functions()["round"]);
        let macros = Macro::udf("round", Vec::new(), vec![(3, lit(1))], Some(Arc::clone(&own)), None).unwrap();
        states[0].register_udf(Arc::new(macros)).unwrap();
        assert_eq!(registry(&states).scalar_id(&own), Some("sql:round"));
    }

    #[test]
    fn a_simplified_access_of_a_field_is_known() {
        let inner = get_field().call(vec![col("a"), lit("b")]);
        let call = match get_field().simplify(vec![inner, lit("c")], &SimplifyContext::default()).unwrap() {
            ExprSimplifyResult::Simplified(Expr::ScalarFunction(call)) => call,
            other => panic!("{other:?} calls no function"),
        };
        let registry = registry(&states());
        assert_eq!(registry.scalar_id(&call.func), registry.scalar_id(&get_field()));
        assert!(registry.scalar_id(&call.func).is_some());
    }

    #[test]
    fn functions_of_one_query_have_no_id() {
        assert_eq!(registry(&states()).scalar_id(&seeded_rand::udf()), None);
    }

    #[test]
    fn two_functions_with_one_id_are_refused() {
        let mut functions = ById::new();
        functions.add("sql:lower".to_string(), &string::lower()).unwrap();
        functions.add("sql:small".to_string(), &string::lower()).unwrap();
        assert_eq!(functions.id(&string::lower()), Some("sql:lower"));
        assert!(functions.add("sql:lower".to_string(), &string::upper()).is_err());
    }

    #[test]
    fn a_build_has_one_fingerprint() {
        assert_eq!(registry(&states()).fingerprint(), registry(&states()).fingerprint());
        let [sql, hive] = states();
        let plain = SessionStateBuilder::new().with_default_features().build();
        assert_ne!(registry(&[sql, hive]).fingerprint(), FunctionRegistry::new(&plain, &plain).unwrap().fingerprint());
    }
}
