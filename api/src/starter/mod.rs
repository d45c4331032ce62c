//! The content that ships with the product: official dashboards, example queries and a project, from `data/starter/`. It
//! is brought in when the server starts; what is there already and what somebody has changed or removed stays as it is.

mod content;
mod load;

pub use load::load;
