//! What people make: queries, visualizations, graphs, dashboards and projects. Ownership, visibility, share links, tags,
//! favourites, versions and search are here once for all kinds; the features add what is special to each.

pub mod access;
pub mod asked;
pub mod card;
pub mod conflict;
pub mod dashboards;
pub mod document;
pub mod entities;
pub mod favorites;
pub mod figures;
pub mod graphs;
pub mod index;
pub mod indexing;
pub mod lists;
pub mod model;
pub mod paging;
pub mod queries;
pub mod ranges;
pub mod results;
pub mod rewards;
pub mod rules;
pub mod sources;
pub mod store;
pub mod tags;
pub mod versions;
pub mod visualizations;
pub mod viz;
