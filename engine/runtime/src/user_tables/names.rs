//! Names of users' schemas, tables and columns.

use arrow::datatypes::Schema;

use quarry_types::{Error, ErrorCode, Result};

/// Reserved words of HiveQL and SQL, separated by spaces.
const RESERVED: &str = "all alter and any array as asc authorization between bigint binary boolean both by case cast \
                        char column commit conf constraint create cross cube current current_date current_timestamp \
                        cursor database date decimal delete desc describe distinct double drop else end except \
                        exchange exists extended external extract false fetch float floor following for foreign from \
                        full function grant group grouping having if import in inner insert int integer intersect \
                        interval into is join lateral left less like limit local macro map minus more natural none \
                        not null of offset on or order outer over partition percent preceding primary procedure range \
                        reads references revoke right rlike rollback row rows select set smallint table tablesample \
                        then timestamp to transform trigger true truncate unbounded union unique uniquejoin update \
                        user using utc_tmestamp values varchar when where window with";

/// Longest name of a table.
const MAX_TABLE: usize = 20;
/// Longest name of a column.
const MAX_COLUMN: usize = 128;

/// How strict the rules for names are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRules {
    /// The rules for users.
    Users,
    /// Only names that would leave the folder are refused: for tables that live as long as one command.
    Free,
}

impl NameRules {
    /// Checks the name of a table, lower case.
    pub fn table(self, name: &str) -> Result<()> {
        let letter_first = name.starts_with(|first: char| first.is_ascii_alphabetic());
        let fits = self == NameRules::Free || (letter_first && name.len() <= MAX_TABLE);
        if name.is_empty() || name.len() > 128 || !name.chars().all(is_word) || !fits {
            let message = "TableName can only contain a-z/A-Z, numbers, _ , must start with character!";
            return Err(Error::new(ErrorCode::InvalidInput, message));
        }
        Ok(())
    }

    /// Checks the names of all columns.
    pub fn columns(self, schema: &Schema) -> Result<()> {
        let mut seen = std::collections::HashSet::new();
        for field in schema.fields() {
            self.column(field.name())?;
            if !seen.insert(field.name().to_lowercase()) {
                return Err(invalid(format!("The column name {} is used twice.", field.name())));
            }
        }
        if seen.is_empty() {
            return Err(invalid("A table needs at least one column.".to_string()));
        }
        Ok(())
    }

    fn column(self, name: &str) -> Result<()> {
        if name.trim().is_empty() {
            return Err(invalid("ColumnName can not be empty!".to_string()));
        }
        if self == NameRules::Free || is_generated(name) {
            return Ok(());
        }
        let lower = name.to_lowercase();
        if RESERVED.split(' ').any(|word| word == lower) {
            return Err(invalid("ColumnName cannot be used, the columnName is db key word!".to_string()));
        }
        let letter_first = name.starts_with(|first: char| first.is_ascii_alphabetic());
        if !letter_first || !name.chars().all(is_word) || name.len() > MAX_COLUMN {
            return Err(invalid(format!(
                "ColumnName can only contain a-z/A-Z, numbers, _ , must start with character! '{}' does not.",
                name.chars().take(40).collect::<String>()
            )));
        }
        Ok(())
    }
}

/// `_c0`, `_c1`, …: the generated names of columns without an alias.
fn is_generated(name: &str) -> bool {
    name.strip_prefix("_c").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Checks the name of a schema; it becomes the name of a folder.
pub(super) fn schema(name: &str) -> Result<()> {
    let fine = name.strip_prefix("user_").is_some_and(|user| {
        (1..=64).contains(&user.len())
            && user.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    });
    if fine { Ok(()) } else { Err(invalid(format!("'{name}' is not a user's schema."))) }
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidInput, message)
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::{DataType, Field};

    use super::*;

    fn column(name: &str) -> String {
        let schema = Schema::new(vec![Field::new(name, DataType::Int64, true)]);
        NameRules::Users.columns(&schema).err().map(|error| error.message).unwrap_or_default()
    }

    #[test]
    fn table_names_are_validated() {
        for good in ["a", "whales_2024", "t2345678901234567890"] {
            NameRules::Users.table(good).unwrap();
        }
        for bad in ["", "1a", "_a", "a b", "a-b", "../x", "ü", "t23456789012345678901"] {
            let error = NameRules::Users.table(bad).unwrap_err();
            assert_eq!(
                error.message, "TableName can only contain a-z/A-Z, numbers, _ , must start with character!",
                "{bad}"
            );
        }
        NameRules::Free.table("_quite_a_long_name_of_a_table").unwrap();
        NameRules::Free.table("../x").unwrap_err();
    }

    #[test]
    fn reserved_words_are_rejected_as_column_names() {
        assert_eq!(column("amount"), "");
        assert_eq!(column("_c0"), "");
        assert_eq!(column(" "), "ColumnName can not be empty!");
        assert_eq!(column("Select"), "ColumnName cannot be used, the columnName is db key word!");
        assert_eq!(column("timestamp"), "ColumnName cannot be used, the columnName is db key word!");
        assert!(column("1st").starts_with("ColumnName can only contain"));
        assert!(column("a b").starts_with("ColumnName can only contain"));
    }

    #[test]
    fn schemas_stay_in_their_folder() {
        schema("user_ada").unwrap();
        for bad in ["ada", "user_", "user_../x", "user_A", "ethereum"] {
            schema(bad).unwrap_err();
        }
    }
}
