//! Shapes of projects.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::creations::card::Card;
use crate::creations::model::{Head, Visibility};

/// A project to be made.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewProject {
    pub title: String,
    #[serde(default)]
    pub notes: String,
    /// Each of 1 to 15 characters.
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub visibility: Visibility,
}

/// A change of a project; what is left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ProjectChange {
    pub id: String,
    /// The revision that the change was made on; 409 with the current state when there is a newer one.
    pub revision: i64,
    pub title: Option<String>,
    pub notes: Option<String>,
    pub tags: Option<Vec<String>>,
}

/// A project.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectView {
    #[serde(flatten)]
    pub head: Head,
    /// What is in it and the caller may see, in its order.
    pub items: Vec<Card>,
    /// Who made what is in it.
    pub members: Vec<String>,
}

/// Something that goes into a project, or out of it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectItem {
    /// The project.
    pub id: String,
    /// A creation that the caller may read and that is no project.
    pub item_id: String,
}

/// The order of what is in a project.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ProjectOrder {
    pub id: String,
    /// Ids of what is in it; those left out keep their order behind these.
    pub items: Vec<String>,
}
