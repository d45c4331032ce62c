//! Exact sums and means: of one group, of many groups, of distinct values, and over moving frames.

pub(super) mod accumulators;
pub(super) mod answer;
pub(super) mod exact_sum;
pub(super) mod groups;
pub mod moving;

/// Evaluates an expression with the `ExactSum` of a column type; `None` for a type without exact sums.
macro_rules! with_exact_kind {
    ($from:expr, $kind:ident => $made:expr $(, $more:pat => $values:expr)*) => {{
        use $crate::aggregates::exact::exact_sum::*;
        match $from {
            arrow::datatypes::DataType::Int64 => { let $kind = Int64Values; Some($made) }
            arrow::datatypes::DataType::UInt64 => { let $kind = UInt64Values; Some($made) }
            arrow::datatypes::DataType::Decimal128(..) => { let $kind = Decimal128Values; Some($made) }
            arrow::datatypes::DataType::Decimal256(..) => { let $kind = Decimal256Values; Some($made) }
            &INTERVAL => { let $kind = IntervalValues; Some($made) }
            from if quarry_types::uint256::is_number(from) => { let $kind = Uint256Values; Some($made) }
            $($more => { let $kind = $values; Some($made) })*
            _ => None,
        }
    }};
}
pub(super) use with_exact_kind;
