//! Which calls may fail for some of their arguments. DataFusion's functions have no such property, so those here declare it where
//! they are defined.

use datafusion::logical_expr::ScalarUDF;

use crate::numbers::operators::REMAINDER;
use crate::scalar_udf::{FailsOn, KernelUdf};

/// Built-in functions that fail for some of their arguments.
const BUILT_IN: [&str; 3] = ["decode", "sqrt", "url_decode"];

/// The arguments on whose values it depends whether a call fails.
pub fn fails_on(function: &ScalarUDF) -> FailsOn {
    match function.inner().downcast_ref::<KernelUdf>() {
        Some(kernel) => kernel.fails_on(),
        None if function.name() == REMAINDER => FailsOn::Divisor,
        None if BUILT_IN.contains(&function.name()) => FailsOn::AnyArgument,
        None => FailsOn::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_of_a_function_keep_the_property() {
        for (name, expected) in [
            ("from_iso8601_timestamp", FailsOn::AnyArgument),
            ("varbinary_to_uint256", FailsOn::AnyArgument),
            ("remainder", FailsOn::Divisor),
            ("from_base64url", FailsOn::AnyArgument),
            ("parse_date", FailsOn::AnyArgument),
            ("url_decode", FailsOn::AnyArgument),
            ("div", FailsOn::Divisor),
            ("try_uint256", FailsOn::Nothing),
            ("to_base32", FailsOn::Nothing),
        ] {
            let is_named =
                |function: &ScalarUDF| function.name() == name || function.aliases().iter().any(|alias| alias == name);
            let function = crate::scalars().find(is_named).unwrap_or_else(|| crate::remainder().as_ref().clone());
            assert!(is_named(&function), "{name}");
            assert_eq!(fails_on(&function), expected, "{name}");
        }
    }
}
