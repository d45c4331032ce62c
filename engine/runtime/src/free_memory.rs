//! Free memory that the allocator keeps for what comes next. The binary chooses its allocator, so it is the binary that says how
//! such memory goes back to the system.

use std::sync::OnceLock;

static GIVE_BACK: OnceLock<fn()> = OnceLock::new();

/// Sets how free memory goes back to the system at once. Only the first call has an effect.
pub fn give_back_by(how: fn()) {
    // The allocator of a process never changes, so a second call has nothing to add.
    let _ = GIVE_BACK.set(how);
}

/// Gives free memory back to the system, if the binary has set how.
pub fn give_back() {
    if let Some(how) = GIVE_BACK.get() {
        how();
    }
}
