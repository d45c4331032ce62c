//! The scripts of a job.

/// One of them; its name is that of its field in the spec of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Driver,
    Mapper,
    Combiner,
    Reducer,
}

impl Script {
    pub const ALL: [Script; 4] = [Script::Driver, Script::Mapper, Script::Combiner, Script::Reducer];

    pub fn name(self) -> &'static str {
        match self {
            Script::Driver => "driver",
            Script::Mapper => "mapper",
            Script::Combiner => "combiner",
            Script::Reducer => "reducer",
        }
    }

    /// Names that a script may give its function.
    pub fn functions(self) -> [&'static str; 2] {
        match self {
            Script::Driver => ["driver", "drive"],
            Script::Mapper => ["mapper", "map"],
            Script::Combiner => ["combiner", "combine"],
            Script::Reducer => ["reducer", "reduce"],
        }
    }
}
