//! Pages of lists.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::ApiError;

const PAGE: i64 = 20;
const LARGEST_PAGE: i64 = 100;
/// The offset of a page beyond this would not fit the database's numbers, and no list is that long.
const LAST_PAGE: i64 = 1_000_000_000;

/// Which page of a list.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out. The pages offer 10, 20, 30 and 50.
    pub size: Option<i64>,
}

/// How many rows, after passing over how many.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    pub limit: i64,
    pub offset: i64,
}

impl PageParams {
    pub fn window(self) -> Result<Window, ApiError> {
        let page = self.page.unwrap_or(1);
        let size = self.size.unwrap_or(PAGE);
        if !(1..=LAST_PAGE).contains(&page) {
            return Err(ApiError::invalid("page", "Pages count from 1 to 1,000,000,000."));
        }
        if !(1..=LARGEST_PAGE).contains(&size) {
            return Err(ApiError::invalid("size", format!("A page has 1 to {LARGEST_PAGE} entries.")));
        }
        Ok(Window { limit: size, offset: (page - 1) * size })
    }
}

impl Window {
    /// Whether the page begins behind the last of so many rows: nobody passes over all of them to look for what is not there.
    pub fn is_behind(self, total: i64) -> bool {
        self.offset >= total
    }
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Listing<T> {
    pub items: Vec<T>,
    /// Entries on all pages.
    pub total: i64,
}
