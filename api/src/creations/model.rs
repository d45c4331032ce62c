//! Shapes that all kinds of creations share.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CreationKind {
    Query,
    Visualization,
    Graph,
    Dashboard,
    Project,
}

impl CreationKind {
    pub const ALL: [CreationKind; 5] = [
        CreationKind::Query,
        CreationKind::Visualization,
        CreationKind::Graph,
        CreationKind::Dashboard,
        CreationKind::Project,
    ];

    pub fn name(self) -> &'static str {
        match self {
            CreationKind::Query => "query",
            CreationKind::Visualization => "visualization",
            CreationKind::Graph => "graph",
            CreationKind::Dashboard => "dashboard",
            CreationKind::Project => "project",
        }
    }

    pub fn parse(name: &str) -> Option<CreationKind> {
        CreationKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Who may read a creation. Only its owner and administrators ever change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Visibility {
    /// Its owner.
    #[default]
    Private,
    /// Its owner, and who has the share link.
    Link,
    /// Everybody, visitors too; lists and searches show it.
    Public,
}

impl Visibility {
    pub fn name(self) -> &'static str {
        match self {
            Visibility::Private => "private",
            Visibility::Link => "link",
            Visibility::Public => "public",
        }
    }

    pub fn parse(name: &str) -> Option<Visibility> {
        [Visibility::Private, Visibility::Link, Visibility::Public].into_iter().find(|one| one.name() == name)
    }
}

/// What can be tagged and marked as a favourite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntityKind {
    Dashboard,
    Query,
    User,
    Project,
    Address,
}

impl EntityKind {
    pub const ALL: [EntityKind; 5] =
        [EntityKind::Dashboard, EntityKind::Query, EntityKind::User, EntityKind::Project, EntityKind::Address];

    pub fn name(self) -> &'static str {
        match self {
            EntityKind::Dashboard => "dashboard",
            EntityKind::Query => "query",
            EntityKind::User => "user",
            EntityKind::Project => "project",
            EntityKind::Address => "address",
        }
    }

    pub fn parse(name: &str) -> Option<EntityKind> {
        EntityKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind of creation it is, unless it is a user or an address.
    pub fn creation(self) -> Option<CreationKind> {
        match self {
            EntityKind::Dashboard => Some(CreationKind::Dashboard),
            EntityKind::Query => Some(CreationKind::Query),
            EntityKind::Project => Some(CreationKind::Project),
            EntityKind::User | EntityKind::Address => None,
        }
    }
}

/// One creation.
#[derive(Debug, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
pub struct Target {
    pub id: String,
    /// The token of a share link.
    pub share: Option<String>,
}

/// One creation of the caller.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Chosen {
    pub id: String,
}

/// What every kind of creation says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Head {
    pub id: String,
    pub kind: CreationKind,
    pub title: String,
    pub notes: String,
    /// Of content that ships with the product; null for what people made.
    pub title_zh: Option<String>,
    pub notes_zh: Option<String>,
    pub tags: Vec<String>,
    pub user_name: String,
    /// Address of the owner's picture; empty when there is none.
    pub head_photo: String,
    pub visibility: Visibility,
    /// Shown on the official pages.
    pub official: bool,
    /// Grows with every change; a change names the one it was made on.
    pub revision: i64,
    pub favorites: i64,
    /// Whether the caller marked it as a favourite.
    pub favorited: bool,
    pub forks: i64,
    pub forked_from: Option<Origin>,
    /// Whether the caller may change it.
    pub editable: bool,
    /// Milliseconds since 1970, like every time here.
    pub create_time: i64,
    pub update_time: i64,
}

/// What something was forked from.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    pub id: String,
    /// Null when the caller may not read it, or it is gone.
    pub title: Option<String>,
    pub user_name: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_json() {
        for kind in CreationKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert_eq!(CreationKind::parse(kind.name()), Some(kind));
        }
        for kind in EntityKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert_eq!(EntityKind::parse(kind.name()), Some(kind));
        }
        for one in [Visibility::Private, Visibility::Link, Visibility::Public] {
            assert_eq!(serde_json::to_value(one).unwrap(), one.name());
            assert_eq!(Visibility::parse(one.name()), Some(one));
        }
    }
}
