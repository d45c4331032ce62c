//! Translates PostgreSQL's functions for SQLite.

use sqlparser::ast::{Expr, TrimWhereField};

use super::arrays;
use super::fill::{DATABASE, MAIN_SCHEMA, VERSION};
use super::rewrite::quoted;

/// Functions that SQLite has as well.
const SHARED: [&str; 26] = [
    "abs",
    "avg",
    "coalesce",
    "count",
    "dense_rank",
    "first_value",
    "lag",
    "last_value",
    "lead",
    "length",
    "lower",
    "ltrim",
    "max",
    "min",
    "nullif",
    "quote",
    "rank",
    "round",
    "row_number",
    "rtrim",
    "substr",
    "substring",
    "sum",
    "total",
    "trim",
    "upper",
];

/// Translates a call. `None` if SQLite has the function, an error if it is unknown.
pub fn translate(name: &str, args: &[String], user: &str) -> Result<Option<String>, ()> {
    if SHARED.contains(&name) {
        return Ok(None);
    }
    let first = args.first().map_or("null", String::as_str);
    let second = args.get(1).map_or("null", String::as_str);
    let said = match name {
        "version" => quoted(&format!("PostgreSQL {VERSION} (Quarry {})", env!("CARGO_PKG_VERSION"))),
        "current_database" | "current_catalog" => quoted(DATABASE),
        "current_schema" => quoted(MAIN_SCHEMA),
        // Without the schemas that are searched although search_path does not name them.
        "current_schemas" if first.eq_ignore_ascii_case("false") => quoted(&format!("{{{MAIN_SCHEMA}}}")),
        "current_schemas" => quoted(&format!("{{pg_catalog,{MAIN_SCHEMA}}}")),
        "current_user" | "session_user" | "user" | "pg_get_userbyid" => quoted(user),
        "pg_backend_pid" | "txid_current" => "0".to_string(),
        "pg_is_in_recovery" | "pg_is_other_temp_schema" | "pg_my_temp_schema" | "row_security_active" => {
            "0".to_string()
        }
        "pg_relation_is_publishable" | "pg_relation_is_updatable" | "pg_column_is_updatable" => "0".to_string(),
        "pg_encoding_to_char" | "getdatabaseencoding" | "pg_client_encoding" => quoted("UTF8"),
        "set_config" => second.to_string(),
        "current_setting" => {
            format!("(select s.setting from pg_catalog.pg_settings s where s.name = lower({first}))")
        }
        "format_type" => format!(
            "case when ({first}) = 1700 and ({second}) > 4 then 'numeric(' || ((({second}) - 4) >> 16) || ',' || \
             ((({second}) - 4) & 65535) || ')' else (select y.formatted from pg_catalog.pg_type y where y.oid = ({first})) end"
        ),
        "obj_description" => {
            format!(
                "(select o.description from pg_catalog.pg_description o where o.objoid = ({first}) and o.objsubid = 0)"
            )
        }
        "col_description" => format!(
            "(select o.description from pg_catalog.pg_description o where o.objoid = ({first}) and o.objsubid = ({second}))"
        ),
        "pg_table_is_visible" => format!(
            "(({first}) in (select v.oid from pg_catalog.pg_class v join pg_catalog.pg_namespace w \
             on w.oid = v.relnamespace where w.nspname = '{MAIN_SCHEMA}'))"
        ),
        "to_regclass" => regclass(first),
        "to_regtype" => regtype(first),
        "quote_ident" => first.to_string(),
        "quote_literal" => format!("quote({first})"),
        "char_length" | "character_length" => format!("length({first})"),
        "btrim" => format!("trim({first})"),
        "concat" => {
            format!("({})", args.iter().map(|arg| format!("coalesce({arg}, '')")).collect::<Vec<_>>().join(" || "))
        }
        "format" => formatted(args).ok_or(())?,
        "string_agg" | "group_concat" => format!("group_concat({first}, {second})"),
        "array_agg" => format!("group_concat({first})"),
        "bool_or" => format!("max({first})"),
        "bool_and" | "every" => format!("min({first})"),
        "parse_ident" | "string_to_array" | "array_length" | "array_upper" | "array_lower" | "cardinality"
            if let Some(said) = arrays::call(name, args) =>
        {
            said
        }
        // Array columns of the catalog are null, but for rights (`relacl`), which are read as a whole.
        "array_remove"
        | "array_to_string"
        | "unnest"
        | "array_length"
        | "array_upper"
        | "array_lower"
        | "array_position"
        | "cardinality"
        | "_pg_expandarray"
        | "generate_subscripts" => "null".to_string(),
        "json_build_object" | "jsonb_build_object" => format!("json_object({})", args.join(", ")),
        "json_build_array" | "jsonb_build_array" => format!("json_array({})", args.join(", ")),
        "json_agg" | "jsonb_agg" => format!("json_group_array({first})"),
        // Sizes and statistics are not tracked.
        "pg_relation_size" | "pg_total_relation_size" | "pg_table_size" | "pg_indexes_size" | "pg_database_size" => {
            "0".to_string()
        }
        other if other.starts_with("pg_stat_get_") => "0".to_string(),
        "pg_size_pretty" => format!("({first} || ' bytes')"),
        "pg_has_role" => "1".to_string(),
        other if other.starts_with("pg_") && other.ends_with("_is_visible") => "1".to_string(),
        // Reading is allowed, writing is not.
        privilege if privilege.starts_with("has_") && privilege.ends_with("_privilege") => {
            let asked = args.last().map_or("null", String::as_str);
            format!("(upper({asked}) in ('SELECT', 'USAGE', 'CONNECT'))")
        }
        // Definitions of objects that Quarry does not have.
        other if other.starts_with("pg_get_") => "null".to_string(),
        "shobj_description" | "pg_tablespace_location" | "inet_server_addr" | "inet_client_addr" => "null".to_string(),
        "inet_server_port" | "inet_client_port" | "pg_postmaster_start_time" | "pg_conf_load_time" => {
            "null".to_string()
        }
        _ => return Err(()),
    };
    Ok(Some(said))
}

/// A call for what has a syntax of its own in PostgreSQL: `trim(both 'x' from y)`, `substring(x from 1 for 2)`.
pub fn call_of(expr: &Expr) -> String {
    match expr {
        Expr::Trim { trim_where, trim_what, expr, trim_characters } => {
            let name = match trim_where {
                Some(TrimWhereField::Leading) => "ltrim",
                Some(TrimWhereField::Trailing) => "rtrim",
                Some(TrimWhereField::Both) | None => "trim",
            };
            let what = trim_what.as_deref().or_else(|| trim_characters.as_ref()?.first());
            format!("{name}({expr}{})", what.map(|what| format!(", {what}")).unwrap_or_default())
        }
        Expr::Substring { expr, substring_from, substring_for, .. } => {
            let from = substring_from.as_ref().map_or_else(|| "1".to_string(), ToString::to_string);
            let length = substring_for.as_ref().map(|length| format!(", {length}")).unwrap_or_default();
            format!("substr({expr}, {from}{length})")
        }
        Expr::Position { expr, r#in } => format!("instr({}, {expr})", r#in),
        other => other.to_string(),
    }
}

/// `format` with only `%s` and `%I`. Widths are refused: SQLite would pad a text to any length.
fn formatted(args: &[String]) -> Option<String> {
    let (template, values) = args.split_first()?;
    let template = arrays::text_of(template)?.replace("%I", "%s");
    if template.replace("%s", "").contains('%') {
        return None;
    }
    let args: Vec<String> = std::iter::once(quoted(&template)).chain(values.iter().cloned()).collect();
    Some(format!("printf({})", args.join(", ")))
}

/// The OID of the table that an expression names, or already is.
pub fn regclass(expr: &str) -> String {
    format!(
        "coalesce((select r.oid from pg_catalog.pg_class r join pg_catalog.pg_namespace q on q.oid = r.relnamespace \
         where ({expr}) in (r.relname, q.nspname || '.' || r.relname, '\"' || q.nspname || '\".\"' || r.relname || '\"') \
         order by q.nspname = '{MAIN_SCHEMA}' desc limit 1), case ({expr}) when 'pg_class' then 1259 \
         when 'pg_catalog.pg_class' then 1259 when 'pg_namespace' then 2615 when 'pg_catalog.pg_namespace' then 2615 \
         when 'pg_type' then 1247 when 'pg_database' then 1262 else cast({expr} as integer) end)"
    )
}

/// The name of the table that an expression names or is the OID of.
pub fn class_name(expr: &str) -> String {
    format!(
        "(select case w.nspname when '{MAIN_SCHEMA}' then v.relname else w.nspname || '.' || v.relname end from \
         pg_catalog.pg_class v join pg_catalog.pg_namespace w on w.oid = v.relnamespace where v.oid = ({expr}))"
    )
}

/// The OID of the type that an expression names, or already is; null if there is none.
pub fn regtype(expr: &str) -> String {
    format!(
        "coalesce((select y.oid from pg_catalog.pg_type y where lower({expr}) in (y.typname, y.formatted, \
         'pg_catalog.' || y.typname) order by y.oid limit 1), case typeof({expr}) when 'integer' then {expr} end)"
    )
}
