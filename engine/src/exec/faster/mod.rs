//! Plans that answer the same with less work.

pub(super) mod distinct;
pub(super) mod partners;
pub(super) mod passing;
pub(super) mod unused;
