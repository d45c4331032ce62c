//! Window functions.

use datafusion::logical_expr::WindowUDF;

use crate::aggregates::frame_exclusion::ExcludingFunction;
use crate::prelude::*;

/// What a window function with EXCLUDE is made of; `None` for other window functions, of which none is made for one query.
pub fn window_state(function: &WindowUDF) -> Option<&ExcludingFunction> {
    ExcludingFunction::from_function(function)
}

/// The window function that is made of this.
pub fn window_from(state: ExcludingFunction) -> Arc<WindowUDF> {
    Arc::new(state.udwf())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FrameExclusion;
    use crate::remote::{FrameFunction, FrameItem};

    #[test]
    fn windows_come_back_as_they_were() {
        let aggregate = FrameFunction::Aggregate { aggregate: crate::count_distinct(), distinct: false };
        let items = [FrameItem::First, FrameItem::Last, FrameItem::Nth];
        let functions = items.map(FrameFunction::Item).into_iter().chain([aggregate]);
        for function in functions {
            let state = ExcludingFunction { function, exclusion: FrameExclusion::Ties, filtered: true, arguments: 2 };
            let window = window_from(state.clone());
            assert_eq!(window_state(&window), Some(&state));
        }
        assert!(crate::aggregates::lead_lag::udwfs().iter().all(|function| window_state(function).is_none()));
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for item in [FrameItem::First, FrameItem::Last, FrameItem::Nth] {
            assert_eq!(FrameItem::from_name(item.name()), Some(item));
        }
        for exclusion in [FrameExclusion::CurrentRow, FrameExclusion::Group, FrameExclusion::Ties] {
            assert_eq!(FrameExclusion::from_words(exclusion.words()), Some(exclusion));
        }
    }
}
