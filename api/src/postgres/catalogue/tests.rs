//! Questions as `psql`, drivers and tools ask them.

use quarry_engine::catalog::{ColumnEntry, SchemaEntry, TableEntry};
use serde_json::json;

use super::*;

fn known() -> Known {
    let column = |name: &str, type_name: &str, nullable| ColumnEntry {
        name: name.to_string(),
        type_name: type_name.to_string(),
        doc: format!("What {name} is."),
        unit: "",
        nullable,
    };
    let table = TableEntry {
        name: "blocks".to_string(),
        doc: "One row per block.".to_string(),
        rows: Some(7),
        columns: vec![
            column("number", "bigint", false),
            column("hash", "hash", false),
            column("burnt", "decimal(38,0)", true),
        ],
        synonyms: Vec::new(),
    };
    let schemas = vec![SchemaEntry { name: "ethereum".to_string(), tables: vec![table] }];
    let catalogue = Catalog { schemas, functions: Vec::new(), keywords: vec!["group by", "order by"] };
    Known {
        user: "ada".to_string(),
        catalogue,
        tables: Vec::new(),
        settings: vec![("search_path", "ethereum".to_string())],
    }
}

async fn rows(text: &str, values: &[Value]) -> Value {
    let found = answer(&known(), text, values).await.unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
    json!(found.rows)
}

#[tokio::test]
async fn psql_lists_tables() {
    let text = "SELECT n.nspname as \"Schema\", c.relname as \"Name\", CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' \
        END as \"Type\", pg_catalog.pg_get_userbyid(c.relowner) as \"Owner\" FROM pg_catalog.pg_class c LEFT JOIN \
        pg_catalog.pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_am am ON am.oid = c.relam WHERE \
        c.relkind IN ('r','p','') AND n.nspname <> 'pg_catalog' AND n.nspname !~ '^pg_toast' AND n.nspname <> \
        'information_schema' AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 1,2;";
    assert_eq!(rows(text, &[]).await, json!([["ethereum", "blocks", "table", "ada"]]));
}

#[tokio::test]
async fn psql_describes_a_table() {
    let text = "SELECT c.oid, n.nspname, c.relname FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid = \
        c.relnamespace WHERE c.relname OPERATOR(pg_catalog.~) '^(blocks)$' COLLATE pg_catalog.default AND \
        pg_catalog.pg_table_is_visible(c.oid) ORDER BY 2, 3;";
    let found = rows(text, &[]).await;
    let oid = found[0][0].as_str().unwrap().to_string();
    let columns = format!(
        "SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), (SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid, \
         true) FROM pg_catalog.pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum AND a.atthasdef), a.attnotnull, \
         (SELECT c.collname FROM pg_catalog.pg_collation c, pg_catalog.pg_type t WHERE c.oid = a.attcollation AND t.oid = \
         a.atttypid AND a.attcollation <> t.typcollation) AS attcollation, a.attidentity, a.attgenerated FROM \
         pg_catalog.pg_attribute a WHERE a.attrelid = '{oid}' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum;"
    );
    let found = rows(&columns, &[]).await;
    assert_eq!(found[0], json!(["number", "bigint", null, true, null, "", ""]));
    assert_eq!((&found[1][1], &found[2][1], &found[2][3]), (&json!("text"), &json!("numeric(38,0)"), &json!(false)));
    let details = format!(
        "SELECT c.relchecks, c.relkind, c.relhasindex, c.relhasrules, c.relhastriggers, c.relrowsecurity, \
         c.relforcerowsecurity, false AS relhasoids, c.relispartition, '', c.reltablespace, CASE WHEN c.reloftype = 0 THEN '' \
         ELSE c.reloftype::pg_catalog.regtype::pg_catalog.text END, c.relpersistence, c.relreplident, am.amname FROM \
         pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_class tc ON (c.reltoastrelid = tc.oid) LEFT JOIN pg_catalog.pg_am am ON \
         (c.relam = am.oid) WHERE c.oid = '{oid}';"
    );
    assert_eq!(rows(&details, &[]).await[0][2], false);
}

#[tokio::test]
async fn drivers_and_tools_find_what_they_look_for() {
    let jdbc = "SELECT NULL AS TABLE_CAT, n.nspname AS TABLE_SCHEM, c.relname AS TABLE_NAME, d.description AS REMARKS FROM \
        pg_catalog.pg_namespace n, pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_description d ON (c.oid = d.objoid AND \
        d.objsubid = 0 and d.classoid = 'pg_class'::regclass) WHERE c.relnamespace = n.oid AND n.nspname LIKE $1 AND \
        (false OR (c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema')) ORDER BY 1,2,3";
    let value = json!({"type": "text", "value": "ether%"});
    assert_eq!(rows(jdbc, &[value]).await, json!([[null, "ethereum", "blocks", "One row per block."]]));
    let metabase = "SELECT c.column_name AS name, c.udt_name, c.ordinal_position FROM information_schema.columns c LEFT JOIN \
        (SELECT tc.table_schema, tc.table_name, kc.column_name FROM information_schema.table_constraints tc JOIN \
        information_schema.key_column_usage kc ON tc.constraint_name = kc.constraint_name) pk ON c.column_name = pk.column_name \
        WHERE c.table_schema !~ '^information_schema|catalog_history|pg_' AND c.table_name = ANY(ARRAY['blocks', 'x']) ORDER BY 3";
    assert_eq!(rows(metabase, &[]).await[1], json!(["hash", "text", "2"]));
    let grafana = "SELECT CASE WHEN quote_ident(table_schema) IN (SELECT CASE WHEN trim(s[i]) = '\"$user\"' THEN user ELSE \
        trim(s[i]) END FROM generate_series(array_lower(string_to_array(current_setting('search_path'),','),1), 5) as i, \
        string_to_array(current_setting('search_path'),',') s) THEN quote_ident(table_name) ELSE quote_ident(table_schema) || \
        '.' || quote_ident(table_name) END AS \"table\" FROM information_schema.tables";
    assert_eq!(rows(grafana, &[]).await, json!([["blocks"]]));
    let bound = "select relname from pg_catalog.pg_class where relkind = any (array[$1::varchar, $2]) and relname <> all (array['x'])";
    let values = ["r", "p"].map(|kind| json!({"type": "text", "value": kind}));
    assert_eq!(rows(bound, &values).await, json!([["blocks"]]));
    let session = "select version(), current_database(), current_schema(), current_user, session_user, current_setting('search_path')";
    let found = rows(session, &[]).await;
    assert_eq!(
        found[0].as_array().unwrap()[1..],
        [json!("quarry"), json!("ethereum"), json!("ada"), json!("ada"), json!("ethereum")]
    );
    // SQLAlchemy 1.4, which Superset has: a word of SQL as a name, and options of a sequence as JSON.
    let superset = "SELECT a.attname, (SELECT d.adbin FROM pg_catalog.pg_attrdef d WHERE d.adrelid = a.attrelid) AS DEFAULT, \
        (SELECT json_build_object('always', a.attidentity = 'a', 'start', s.seqstart) FROM pg_catalog.pg_sequence s) as options, \
        to_regtype('bigint') = a.atttypid as big, generate_subscripts(i.indkey, 1) FROM pg_catalog.pg_attribute a LEFT JOIN \
        pg_catalog.pg_index i ON i.indrelid = a.attrelid WHERE a.attname = 'number'";
    assert_eq!(rows(superset, &[]).await, json!([["number", null, null, "1", null]]));
    let number = rows("select 'blocks'::regclass::oid as oid, 'pg_class'::regclass::oid as oid", &[]).await;
    assert_eq!(number[0][1], "1259");
    assert_eq!(
        rows("select has_table_privilege('blocks', 'INSERT') as a, has_schema_privilege('x', 'usage') as b", &[]).await,
        json!([["0", "1"]])
    );
}

#[tokio::test]
async fn psql_lists_objects_that_quarry_does_not_have() {
    for text in [
        // \do
        "SELECT n.nspname as \"Schema\", o.oprname AS \"Name\", CASE WHEN o.oprkind='l' THEN NULL ELSE \
         pg_catalog.format_type(o.oprleft, NULL) END AS \"Left arg type\", pg_catalog.format_type(o.oprresult, NULL) AS \
         \"Result type\", coalesce(pg_catalog.obj_description(o.oid, 'pg_operator'), \
         pg_catalog.obj_description(o.oprcode, 'pg_proc')) AS \"Description\" FROM pg_catalog.pg_operator o LEFT JOIN \
         pg_catalog.pg_namespace n ON n.oid = o.oprnamespace WHERE pg_catalog.pg_operator_is_visible(o.oid) ORDER BY 1, 2",
        // \dL
        "SELECT l.lanname AS \"Name\", pg_catalog.pg_get_userbyid(l.lanowner) as \"Owner\", l.lanpltrusted AS \"Trusted\", \
         d.description AS \"Description\" FROM pg_catalog.pg_language l LEFT JOIN pg_catalog.pg_description d ON d.classoid = \
         l.tableoid AND d.objoid = l.oid AND d.objsubid = 0 WHERE l.lanplcallfoid != 0 ORDER BY 1",
        // \dAc
        "SELECT am.amname AS \"AM\", CASE WHEN pg_catalog.pg_opclass_is_visible(c.oid) THEN pg_catalog.format('%I', c.opcname) \
         ELSE pg_catalog.format('%I.%I', n.nspname, c.opcname) END AS \"Operator class\" FROM pg_catalog.pg_opclass c LEFT JOIN \
         pg_catalog.pg_am am on am.oid = c.opcmethod LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.opcnamespace ORDER BY 1",
        // \dX
        "SELECT es.stxnamespace::pg_catalog.regnamespace::pg_catalog.text AS \"Schema\", pg_catalog.format('%s FROM %s', \
         pg_catalog.pg_get_statisticsobjdef_columns(es.oid), es.stxrelid::pg_catalog.regclass) AS \"Definition\", CASE WHEN \
         'd' = any(es.stxkind) THEN 'defined' END AS \"Ndistinct\" FROM pg_catalog.pg_statistic_ext es WHERE \
         pg_catalog.pg_statistics_obj_is_visible(es.oid) ORDER BY 1",
    ] {
        assert_eq!(rows(text, &[]).await, json!([]), "{text}");
    }
    // \sv
    let view = "SELECT nspname, relname, relkind, pg_catalog.pg_get_viewdef(c.oid, true), \
        pg_catalog.array_remove(pg_catalog.array_remove(c.reloptions,'check_option=local'),'check_option=cascaded') AS \
        reloptions, CASE WHEN 'check_option=local' = ANY (c.reloptions) THEN 'LOCAL'::text ELSE NULL END AS checkoption FROM \
        pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON c.relnamespace = n.oid";
    assert_eq!(rows(view, &[]).await, json!([["ethereum", "blocks", "r", null, null, null]]));
    let formatted =
        "select format('%I.%s', nspname, 'x') as name from pg_catalog.pg_namespace where nspname = 'ethereum'";
    assert_eq!(rows(formatted, &[]).await, json!([["ethereum.x"]]));
}

#[tokio::test]
async fn array_literals_are_evaluated() {
    assert_eq!(rows("select * from unnest(current_schemas(true))", &[]).await, json!([["pg_catalog"], ["ethereum"]]));
    assert_eq!(
        rows("select s.x || '!' from unnest('{a,\"b,c\"}'::text[]) as s(x)", &[]).await,
        json!([["a!"], ["b,c!"]])
    );
    assert_eq!(rows("select 1 from unnest('{}'::text[]) t, pg_catalog.pg_class", &[]).await, json!([]));
    let parts = "select array_length(parse_ident('Ethereum.\"A.b\"'), 1) as n, (parse_ident('Ethereum.\"A.b\"'))[1], \
        (parse_ident('x'))[2], array_upper(string_to_array('a, b', ','), 1), array_lower('{}'::text[], 1) from pg_class";
    assert_eq!(rows(parts, &[]).await, json!([["2", "ethereum", null, "2", null]]));
    let commas = "select relname = any(array['a,b', 'blocks']), '' = any(array['', 'x']), relkind = any('{\"a,r\",p}'::text[]) \
        from pg_class";
    assert_eq!(rows(commas, &[]).await, json!([["1", "1", "0"]]));
    assert_eq!(rows("select (txid_current() % (2^32)::bigint)::text", &[]).await, json!([["0"]]));
    let asked =
        answer(&known(), "select pg_catalog.pg_is_in_recovery(), has_table_privilege('blocks', 'select')", &[]).await;
    let asked = asked.unwrap();
    assert_eq!((&asked.fields[0].name, json!(asked.rows)), (&"pg_is_in_recovery".to_string(), json!([[false, true]])));
    let quoted = "select replace(relname, 'b', 'bb'), pg_stat_get_numscans(oid) from pg_catalog.pg_class";
    assert_eq!(rows(quoted, &[]).await, json!([["bblocks", "0"]]));
}

#[tokio::test]
async fn set_returning_functions_are_read_like_tables() {
    for (text, expected) in [
        (
            "select s.r, (current_schemas(false))[s.r] as nspname from generate_series(1, array_upper(current_schemas(true), \
             1)) as s(r)",
            json!([["1", "ethereum"], ["2", null]]),
        ),
        (
            "select pos.n, x from pg_catalog.generate_series(5, 1, -2) pos(n), generate_series(1::int, 1) x",
            json!([["5", "1"], ["3", "1"], ["1", "1"]]),
        ),
        ("select count(*) from generate_series(1, 1000), pg_class", json!([["1000"]])),
        ("select relname from pg_class, generate_series(1, null::int)", json!([])),
        (
            "select u.item, u.place from unnest('{a,b}'::text[]) with ordinality as u(item, place), pg_class",
            json!([["a", "1"], ["b", "2"]]),
        ),
        (
            "select k.x, k.n from pg_class, lateral information_schema._pg_expandarray('{7,8}'::int2[]) k",
            json!([["7", "1"], ["8", "2"]]),
        ),
        ("select i from pg_class, generate_subscripts('{a,b}'::text[], 1) i", json!([["1"], ["2"]])),
        (
            "select relname, unnest(current_schemas(true)) from pg_class",
            json!([["blocks", "pg_catalog"], ["blocks", "ethereum"]]),
        ),
        ("select word from pg_get_keywords()", json!([["by"], ["group"], ["order"]])),
    ] {
        assert_eq!(rows(text, &[]).await, expected, "{text}");
    }
    let bound =
        "select typname from pg_type where typname in (select unnest($1::text[])) or oid in (select * from unnest($2))";
    let values = [json!({"type": "list", "value": ["int8", "json"]}), json!({"type": "text", "value": "{25}"})];
    assert_eq!(rows(bound, &values).await, json!([["int8"], ["text"], ["json"]]));
    let places = "select i from pg_class, generate_subscripts($1::text[], 1) i";
    assert_eq!(rows(places, &values[..1]).await, json!([["1"], ["2"]]));
    let many = vec!["select generate_series(1, 1000)"; 50].join(" union all ") + " union all select oid from pg_class";
    for text in [
        many.as_str(),
        "select 1 from generate_series(1, 1000000), pg_class",
        "select 1 from pg_class, generate_series(1, relnatts)",
        "select 1 from generate_series(1, 2, 0), pg_class",
        "select 1 from unnest('{a}', '{b}'), pg_class",
        "select 1 from unnest($1, $2), pg_class",
        "select 1 from generate_series($1, 2), pg_class",
        "select ($1::text[])[1] from pg_class",
    ] {
        assert_eq!(answer(&known(), text, &[]).await.unwrap_err().state, "0A000", "{text}");
    }
}

#[tokio::test]
async fn parts_of_arrays_and_texts_are_taken() {
    let parts = "select ('{a,b,c}'::text[])[2:3], ('{a,b,c}'::text[])[:1], ('{a,b}'::text[])[5:], \
        (string_to_array('a b', ' '))[relnatts - 1] from pg_class";
    assert_eq!(rows(parts, &[]).await, json!([["{b,c}", "{a}", "{}", "b"]]));
    let texts = "select trim(both 'b' from relname), trim(leading 'b' from relname), trim(trailing 'x' from 'yx'), \
        substring(relname from 0 for 4), substring(relname from 3), position('o' in relname) from pg_class";
    assert_eq!(rows(texts, &[]).await, json!([["locks", "locks", "y", "blo", "ocks", "3"]]));
    let keyword = "select lower(relname) || 'x' from pg_class where relname <> all ('{recursive,x}'::text[])";
    assert_eq!(rows(keyword, &[]).await, json!([["blocksx"]]));
    let arrays = "select typname from pg_type where typinput = 'pg_catalog.array_in'::regproc and typelem = 20";
    assert_eq!(rows(arrays, &[]).await, json!([["_int8"]]));
}

#[tokio::test]
async fn tables_may_only_be_read() {
    let rights = "select relacl, attacl from pg_class join pg_attribute on oid = attrelid where attname = 'hash'";
    assert_eq!(rows(rights, &[]).await, json!([["{ada=r/ada}", "{ada=r/ada}"]]));
}

#[tokio::test]
async fn numbers_of_types_and_tables_have_names() {
    let names = "select a.atttypid::regtype::text, a.attrelid::regclass::text, 'int4'::regtype::text, 1016::regtype::text \
        from pg_catalog.pg_attribute a where a.attname = 'number'";
    assert_eq!(rows(names, &[]).await, json!([["bigint", "blocks", "integer", "bigint[]"]]));
    let lists = "select t.typname, e.typname, e.typarray = t.oid as own, t.typreceive from pg_catalog.pg_type t join \
        pg_catalog.pg_type e on e.oid = t.typelem where e.typname in ('int8', 'numeric') order by 1";
    let found = rows(lists, &[]).await;
    assert_eq!(found, json!([["_int8", "int8", "1", "array_recv"], ["_numeric", "numeric", "1", "array_recv"]]));
}

#[tokio::test]
async fn asyncpg_learns_of_types_by_recursion() {
    let text = "with recursive tree(oid, name, elemtype, depth) as (select ti.oid, ti.name, ti.elemtype, 0 from (select t.oid as \
        oid, t.typname as name, (case when t.typtype = 'd' then (with recursive bases(oid, depth) as (select t2.typbasetype as \
        oid, 0 as depth from pg_type t2 where t2.oid = t.oid union all select t2.typbasetype, b.depth + 1 from pg_type t2, \
        bases b where b.oid = t2.oid and t2.typbasetype != 0) select oid from bases order by depth desc limit 1) else null \
        end) as basetype, t.typelem as elemtype, (case when t.typtype = 'c' then (select array_agg(ia.attname::text order by \
        ia.attnum) from pg_attribute ia) else null end) as names from pg_catalog.pg_type as t) as ti where ti.oid = \
        any($1::oid[]) union all select ti.oid, ti.typname, ti.typelem, tt.depth + 1 from pg_type ti, tree tt where \
        tt.elemtype is not null and ti.oid = tt.elemtype) select distinct *, elemtype::regtype::text as elemtype_name from \
        tree order by depth desc";
    let value = json!({"type": "list", "value": [{"number": "1016"}]});
    let found = answer(&known(), text, &[value]).await.unwrap();
    assert_eq!(json!(found.rows), json!([["20", "int8", "0", "1", null], ["1016", "_int8", "20", "0", "bigint"]]));
    let types: Vec<u32> = found.fields.iter().map(|field| field.oid).collect();
    assert_eq!(types, [types::OID, types::TEXT, types::OID, types::INT4, types::TEXT]);
    for growing in [
        "with recursive r(x) as (select 'x' union all select x || x from r) select x from r, pg_class",
        "with recursive r(x) as (select 'x' union all select concat(x, x) from r) select x from r, pg_class",
        "with recursive r(x) as (select 'x' union all select replace(x, 'x', 'xx') from r) select x from r, pg_class",
        "with recursive r(x) as (select '1' union all select json_build_array(x, x) from r) select x from r, pg_class",
        "with recursive r(x) as (select 'x' union all select (select string_agg(x, x) from pg_type) from r) select x from r",
    ] {
        let fault = answer(&known(), growing, &[]).await.expect_err(growing);
        assert!(fault.message.contains("recursive"), "{growing}: {fault:?}");
    }
}

#[tokio::test]
async fn nothing_but_the_catalogue_can_be_reached() {
    for text in [
        "select * from pg_catalog.pg_class, ethereum.blocks",
        "select * from sqlite_master, pg_class",
        "select * from pragma_database_list, pg_class",
        "select load_extension('x') from pg_class",
        "select randomblob(1000000000) from pg_class",
        "with recursive r(n) as (select 1 union all select n + 1 from r) select * from r, pg_class",
        "delete from pg_catalog.pg_class",
        "select 1 from pg_class; select 2 from pg_class",
        "create table pg_catalog.x (n int)",
        "select relname ~ '(a+)+$' from pg_class",
        "select replace(relname, 'b', 'bbb') from pg_class",
        "select replace(relname, 'bbbbbbbb', '' || relname) from pg_class",
        "select format('%1000000000s', relname) from pg_class",
        "select 2 ^ 64 from pg_class",
        "select relnatts ^ 2 from pg_class",
        "select 1 from unnest('{a}'::text[], '{b}'::text[]) t(a, b), pg_class",
    ] {
        let fault = answer(&known(), text, &[]).await.expect_err(text);
        assert!(!fault.fatal, "{text}");
    }
    let nested = format!("select {}1{} from pg_class", "(".repeat(5_000), ")".repeat(5_000));
    assert!(answer(&known(), &nested, &[]).await.is_err());
}
