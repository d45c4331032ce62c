//! Calls for the rules, and for what an address is known as.

use axum::extract::State;
use quarry_label_rules::{self as label, Both, Category, Parameter, Rule};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::creations::access::Reader;
use crate::creations::rules;
use crate::http::{Answer, Failure, Query, Reply, Success};
use crate::labels::of_address::{self, AddressLabel};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(catalogue)).routes(routes!(of_address))
}

/// Which address.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LabelledAddress {
    /// 0x and 40 hexadecimal digits in either letter case.
    address: String,
}

/// A text in both languages.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextOfRule {
    pub en: &'static str,
    pub zh: &'static str,
}

/// The rules by category.
#[derive(Debug, Serialize, ToSchema)]
pub struct LabelCatalogue {
    pub categories: Vec<LabelCategory>,
}

/// A shelf of the catalogue.
#[derive(Debug, Serialize, ToSchema)]
pub struct LabelCategory {
    /// `basic`, `monthly-report`, `dapp-monthly-report` or `algorithm`.
    pub name: &'static str,
    pub title: TextOfRule,
    pub rules: Vec<LabelRule>,
}

/// A rule that a LABEL job can run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelRule {
    /// Short name: `A1`.
    pub id: &'static str,
    /// The `label` of a job's spec.
    pub name: &'static str,
    pub title: TextOfRule,
    /// What makes an address have the label.
    pub text: TextOfRule,
    /// What the value of a label counts.
    pub value: TextOfRule,
    /// All labels that it may give.
    pub labels: &'static [&'static str],
    pub inputs: Vec<LabelInput>,
    pub parameters: Vec<LabelParameter>,
    /// Where the rule comes from.
    pub source: &'static str,
    pub version: i32,
}

/// A field of the spec that a rule takes.
#[derive(Debug, Serialize, ToSchema)]
pub struct LabelInput {
    /// `eoa`, `startDate`, `endDate`, `contractAddress`, `dappName`, `erc721` or `month`.
    pub field: &'static str,
    pub required: bool,
}

/// A member of the spec's `parameters`; numbers are decimal texts.
#[derive(Debug, Serialize, ToSchema)]
pub struct LabelParameter {
    pub name: &'static str,
    /// `whole`, `fraction`, or `ether` for an amount of ETH.
    pub kind: &'static str,
    pub default: String,
    pub min: String,
    pub max: String,
    pub text: TextOfRule,
}

/// The rules that find labels: what they take, what they give, where they come from.
#[utoipa::path(get, path = "/api/label/catalogue", tag = "label", operation_id = "labelCatalogue",
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<LabelCatalogue>), (status = "default", body = Failure)))]
async fn catalogue() -> Answer<LabelCatalogue> {
    let of = |category: Category| label::catalogue().iter().filter(move |rule| rule.category == category);
    let shelf = |category: Category| LabelCategory {
        name: category.name(),
        title: text(category.title()),
        rules: of(category).map(shown).collect(),
    };
    Ok(Reply(LabelCatalogue { categories: Category::ALL.map(shelf).into() }))
}

/// What an address is known as, with the facts behind each label. Who is logged in also sees their own labels.
#[utoipa::path(get, path = "/api/label/ofAddress", tag = "label", operation_id = "labelsOfAddress", params(LabelledAddress),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<Vec<AddressLabel>>), (status = "default", body = Failure)))]
async fn of_address(state: State<App>, reader: Reader, params: Query<LabelledAddress>) -> Answer<Vec<AddressLabel>> {
    let address = rules::address(&params.0.address)?;
    Ok(Reply(of_address::read(&state, &reader, &address).await?))
}

fn text(both: Both) -> TextOfRule {
    TextOfRule { en: both.en, zh: both.zh }
}

fn shown(rule: &Rule) -> LabelRule {
    let parameter = |parameter: &Parameter| LabelParameter {
        name: parameter.name,
        kind: parameter.kind.name(),
        default: parameter.default.to_string(),
        min: parameter.min.to_string(),
        max: parameter.max.to_string(),
        text: text(parameter.text),
    };
    LabelRule {
        id: rule.id,
        name: rule.name,
        title: text(rule.title),
        text: text(rule.text),
        value: text(rule.value),
        labels: rule.labels,
        inputs: rule
            .inputs
            .iter()
            .map(|input| LabelInput { field: input.field.name(), required: input.required })
            .collect(),
        parameters: rule.parameters.iter().map(parameter).collect(),
        source: rule.source,
        version: rule.version,
    }
}
