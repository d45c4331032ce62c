//! The texts a job is made of.

/// One of them; its name is that of its field in the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Driver,
    Mapper,
    Combiner,
    Reducer,
}

impl Part {
    pub const ALL: [Part; 4] = [Part::Driver, Part::Mapper, Part::Combiner, Part::Reducer];

    pub fn name(self) -> &'static str {
        match self {
            Part::Driver => "driver",
            Part::Mapper => "mapper",
            Part::Combiner => "combiner",
            Part::Reducer => "reducer",
        }
    }

    /// What a script may call its function.
    pub fn functions(self) -> [&'static str; 2] {
        match self {
            Part::Driver => ["driver", "drive"],
            Part::Mapper => ["mapper", "map"],
            Part::Combiner => ["combiner", "combine"],
            Part::Reducer => ["reducer", "reduce"],
        }
    }
}
