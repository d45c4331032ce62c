//! What HiveQL means where it differs from SQL: operators, conversions, orders, LATERAL VIEW.

pub mod conversions;
pub mod groups;
pub mod inside;
pub mod lateral;
pub mod operators;
pub mod turns;
pub mod unions;

pub use conversions::{JoinKeys, Meanings, SafeCasts};
pub use groups::GroupsInOrder;
pub use inside::OrdersInside;
pub use lateral::LateralViews;
pub use operators::{HiveOperators, TRUTH};
pub use turns::InTurn;
pub use unions::UnionsOfTexts;
