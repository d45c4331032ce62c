"""The queries that common products send when they connect, browse and run: a name (`product:query`) and the SQL."""

from jdbc_questions import JDBC

QUESTIONS: list[tuple[str, str]] = [
    *JDBC,
    (
        "dbeaver:databases",
        "SELECT db.oid,db.* FROM pg_catalog.pg_database db WHERE 1=1 AND datallowconn AND NOT datistemplate OR db.datname = 'quarry' ORDER "
        'BY db.datname',
    ),
    ("dbeaver:settings", "select * from pg_catalog.pg_settings where name='standard_conforming_strings'"),
    ("dbeaver:keywords", "select string_agg(word, ',') from pg_catalog.pg_get_keywords() where word <> ALL ( '{a,abs,absolute,action}'::text[])"),
    ("dbeaver:version", 'SELECT version()'),
    ("dbeaver:search_path", 'SHOW search_path'),
    ("dbeaver:schemauser", 'SELECT current_schema(),session_user'),
    (
        "dbeaver:namespaces",
        'SELECT n.oid,n.*,d.description FROM pg_catalog.pg_namespace n LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=n.oid AND '
        "d.objsubid=0 AND d.classoid='pg_namespace'::regclass ORDER BY nspname",
    ),
    (
        "dbeaver:types",
        'SELECT t.oid,t.*,c.relkind,format_type(nullif(t.typbasetype, 0), t.typtypmod) as base_type_name, d.description FROM '
        'pg_catalog.pg_type t LEFT OUTER JOIN pg_catalog.pg_type et ON et.oid=t.typelem LEFT OUTER JOIN pg_catalog.pg_class c ON '
        'c.oid=t.typrelid LEFT OUTER JOIN pg_catalog.pg_description d ON t.oid=d.objoid WHERE t.typname IS NOT NULL AND (c.relkind IS NULL '
        "OR c.relkind = 'c') AND (et.typcategory IS NULL OR et.typcategory <> 'C')",
    ),
    (
        "dbeaver:tables",
        'SELECT c.oid,c.*,d.description,pg_catalog.pg_get_expr(c.relpartbound, c.oid) as partition_expr, '
        'pg_catalog.pg_get_partkeydef(c.oid) as partition_key FROM pg_catalog.pg_class c LEFT OUTER JOIN pg_catalog.pg_description d ON '
        "d.objoid=c.oid AND d.objsubid=0 AND d.classoid='pg_class'::regclass WHERE c.relnamespace=(select oid from pg_catalog.pg_namespace "
        "where nspname='ethereum') AND c.relkind not in ('i','I','c')",
    ),
    (
        "dbeaver:columns",
        'SELECT c.relname,a.*,pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) as def_value,dsc.description,dep.objid FROM '
        'pg_catalog.pg_attribute a INNER JOIN pg_catalog.pg_class c ON (a.attrelid=c.oid) LEFT OUTER JOIN pg_catalog.pg_attrdef ad ON '
        '(a.attrelid=ad.adrelid AND a.attnum = ad.adnum) LEFT OUTER JOIN pg_catalog.pg_description dsc ON (c.oid=dsc.objoid AND a.attnum = '
        "dsc.objsubid) LEFT OUTER JOIN pg_depend dep on dep.refobjid = a.attrelid AND dep.deptype = 'i' and dep.refobjsubid = a.attnum and "
        "dep.classid = dep.refclassid WHERE NOT a.attisdropped AND c.relkind not in ('i','I','c') AND c.oid=(select oid from "
        "pg_catalog.pg_class where relname='blocks' limit 1) ORDER BY a.attnum",
    ),
    (
        "dbeaver:constraints",
        'SELECT c.oid,c.*,t.relname as tabrelname,rt.relnamespace as refnamespace,d.description, null as consrc_copy FROM '
        'pg_catalog.pg_constraint c INNER JOIN pg_catalog.pg_class t ON t.oid=c.conrelid LEFT OUTER JOIN pg_catalog.pg_class rt ON '
        'rt.oid=c.confrelid LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=c.oid AND d.objsubid=0 AND '
        "d.classoid='pg_constraint'::regclass WHERE c.conrelid=1 ORDER BY c.oid",
    ),
    (
        "dbeaver:indexes",
        'SELECT i.*,i.indkey as keys,c.relname,c.relnamespace,c.relam,c.reltablespace,tc.relname as '
        'tabrelname,dsc.description,pg_catalog.pg_get_expr(i.indpred, i.indrelid) as pred_expr,pg_catalog.pg_get_expr(i.indexprs, '
        'i.indrelid, true) as expr,pg_catalog.pg_relation_size(i.indexrelid) as '
        'index_rel_size,pg_catalog.pg_stat_get_numscans(i.indexrelid) as index_num_scans FROM pg_catalog.pg_index i INNER JOIN '
        'pg_catalog.pg_class c ON c.oid=i.indexrelid INNER JOIN pg_catalog.pg_class tc ON tc.oid=i.indrelid LEFT OUTER JOIN '
        'pg_catalog.pg_description dsc ON i.indexrelid=dsc.objoid WHERE i.indrelid=1 ORDER BY c.relname',
    ),
    (
        "dbeaver:extensions",
        'SELECT e.oid,cfg.tbls,n.nspname as schema_name,e.* FROM pg_catalog.pg_extension e join pg_namespace n on n.oid =e.extnamespace '
        "left join (select array_agg(ns.nspname || '.' || cls.relname) tbls, oid_ext from (select unnest(e1.extconfig) oid , e1.oid oid_ext "
        'from pg_catalog.pg_extension e1 ) c join pg_catalog.pg_class cls on cls.oid = c.oid join pg_catalog.pg_namespace ns on ns.oid = '
        'cls.relnamespace group by oid_ext ) cfg on cfg.oid_ext = e.oid ORDER BY e.oid',
    ),
    (
        "dbeaver:procs",
        'SELECT p.oid,p.*,pg_catalog.pg_get_expr(p.proargdefaults, 0) as arg_defaults, d.description FROM pg_catalog.pg_proc p LEFT OUTER '
        'JOIN pg_catalog.pg_description d ON d.objoid=p.oid WHERE p.pronamespace=1 ORDER BY p.proname',
    ),
    (
        "dbeaver:triggers",
        'SELECT x.oid,x.*,p.pronamespace as func_schema_id,d.description FROM pg_catalog.pg_trigger x LEFT OUTER JOIN pg_catalog.pg_proc p '
        'ON p.oid=x.tgfoid LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=x.oid AND d.objsubid=0 WHERE x.tgrelid=1 AND NOT '
        'x.tgisinternal',
    ),
    ("dbeaver:rules", 'SELECT r.oid,r.*,pg_get_ruledef(r.oid) FROM pg_catalog.pg_rewrite r WHERE r.ev_class=1'),
    ("dbeaver:viewdef", "SELECT pg_catalog.pg_get_viewdef((select oid from pg_catalog.pg_class where relname='erc20' limit 1), true)"),
    (
        "dbeaver:roles",
        'SELECT a.oid,a.*,pd.description FROM pg_catalog.pg_roles a left join pg_catalog.pg_shdescription pd on a.oid = pd.objoid ORDER BY '
        'a.rolname',
    ),
    ("dbeaver:tablespace", 'SELECT t.oid,t.*,pg_tablespace_location(t.oid) loc FROM pg_catalog.pg_tablespace t ORDER BY t.oid'),
    ("dbeaver:sessions", 'SELECT sa.* FROM pg_catalog.pg_stat_activity sa'),
    ("dbeaver:locks", 'select * from pg_catalog.pg_locks'),
    ("dbeaver:conversion", 'select * from pg_catalog.pg_conversion'),
    ("dbeaver:opclass", 'select * from pg_catalog.pg_opclass'),
    ("dbeaver:collation", 'select * from pg_catalog.pg_collation'),
    ("dbeaver:matviews", 'select * from pg_catalog.pg_matviews'),
    (
        "dbeaver:statistics",
        'SELECT c.oid,pg_catalog.pg_total_relation_size(c.oid) as total_rel_size,pg_catalog.pg_relation_size(c.oid) as rel_size FROM '
        'pg_class c WHERE c.relnamespace=1',
    ),
    ("dbeaver:rowcount", 'select count(*) from ethereum.blocks'),
    ("dbeaver:preview", 'SELECT * FROM ethereum.transactions LIMIT 200'),
    ("dbeaver:preview2", 'SELECT t.* FROM "ethereum"."transactions" t LIMIT 501'),
    ("dbeaver:readonly", 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY'),
    ("dbeaver:txid", 'SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN NULL ELSE (pg_catalog.txid_current() % (2^32)::bigint)::text END'),
    (
        "metabase:privileges",
        'select NULL as role, t.schemaname as schema, t.objectname as "table", pg_catalog.has_any_column_privilege(current_user, \'"\' || '
        'replace(t.schemaname, \'"\', \'""\') || \'"\' || \'.\' || \'"\' || replace(t.objectname, \'"\', \'""\') || \'"\', \'update\') as update, '
        'pg_catalog.has_any_column_privilege(current_user, \'"\' || replace(t.schemaname, \'"\', \'""\') || \'"\' || \'.\' || \'"\' || '
        'replace(t.objectname, \'"\', \'""\') || \'"\', \'select\') as select from (select schemaname, tablename as objectname from '
        'pg_catalog.pg_tables union select schemaname, viewname as objectname from pg_catalog.pg_views union select schemaname, matviewname '
        "as objectname from pg_catalog.pg_matviews) as t where t.schemaname !~ '^pg_' and t.schemaname <> 'information_schema'",
    ),
    (
        "metabase:enum",
        'SELECT nspname, typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.oid IN (SELECT DISTINCT enumtypid '
        'FROM pg_enum e)',
    ),
    ("metabase:isolation", 'SHOW TRANSACTION ISOLATION LEVEL'),
    ("metabase:setfloat", 'SET extra_float_digits = 3'),
    ("metabase:appname", "SET application_name = 'Metabase v0.43.1 [01782033-fc52-4fda-9fa3-84a0b617bc88]'"),
    ("metabase:begin", 'BEGIN READ ONLY'),
    ("metabase:rollback", 'ROLLBACK'),
    ("metabase:fingerprint", 'SELECT SUBSTRING("source"."to_address"::text, 1, 1234) AS "s" FROM "ethereum"."transactions" AS "source" LIMIT 5'),
    (
        "metabase:bucket",
        'SELECT CAST(DATE_TRUNC(\'month\', "ethereum"."blocks"."timestamp") AS DATE) AS "timestamp", COUNT(*) AS "count" FROM '
        '"ethereum"."blocks" GROUP BY CAST(DATE_TRUNC(\'month\', "ethereum"."blocks"."timestamp") AS DATE) ORDER BY 1',
    ),
    (
        "metabase:relative",
        'SELECT COUNT(*) AS "count" FROM "ethereum"."blocks" WHERE "ethereum"."blocks"."timestamp" >= DATE_TRUNC(\'day\', (NOW() + (INTERVAL '
        '\'-30 day\'))) AND "ethereum"."blocks"."timestamp" < DATE_TRUNC(\'day\', NOW())',
    ),
    (
        "metabase:bin",
        'SELECT FLOOR(("ethereum"."blocks"."gas_used" / 5000000.0)) * 5000000.0 AS "gas_used", COUNT(*) FROM "ethereum"."blocks" GROUP BY '
        'FLOOR(("ethereum"."blocks"."gas_used" / 5000000.0)) * 5000000.0 ORDER BY 1 LIMIT 5',
    ),
    ("superset:version", 'select pg_catalog.version()'),
    ("superset:schemas", "SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname NOT LIKE 'pg_%' ORDER BY nspname"),
    (
        "superset:grain",
        'SELECT DATE_TRUNC(\'week\', timestamp) AS __timestamp, sum(gas_used) AS "SUM(gas_used)" FROM ethereum.blocks WHERE timestamp >= '
        "TO_TIMESTAMP('2020-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY DATE_TRUNC('week', timestamp) ORDER BY "
        '"SUM(gas_used)" DESC LIMIT 1000',
    ),
    (
        "superset:virtual",
        'SELECT miner AS miner, count(*) AS count FROM (select * from ethereum.blocks) AS virtual_table GROUP BY miner ORDER BY count DESC '
        'LIMIT 10',
    ),
    ("superset:epoch", "SELECT DATE_TRUNC('day', TO_TIMESTAMP(1683029999)::timestamp) AS d"),
    (
        "grafana:timegroup",
        'SELECT floor(extract(epoch from "timestamp")/86400)*86400 AS "time", avg(gas_used) AS "value" FROM ethereum.blocks WHERE '
        '"timestamp" BETWEEN \'2015-06-07T12:35:33Z\' AND \'2030-06-07T13:35:33Z\' GROUP BY 1 ORDER BY 1',
    ),
    (
        "grafana:bigint",
        'SELECT (extract(epoch from "timestamp")/86400)::bigint*86400 AS time, count(*) as value FROM ethereum.blocks WHERE extract(epoch '
        'from timestamp) >= 1 AND extract(epoch from timestamp) <= 9999999999 GROUP BY time ORDER BY time',
    ),
    (
        "grafana:tables",
        'SELECT CASE WHEN quote_ident(table_schema) IN ( SELECT CASE WHEN trim(s[i]) = \'"$user"\' THEN user ELSE trim(s[i]) END FROM '
        "generate_series( array_lower(string_to_array(current_setting('search_path'),','),1), "
        "array_upper(string_to_array(current_setting('search_path'),','),1) ) as i, string_to_array(current_setting('search_path'),',') s ) "
        'THEN quote_ident(table_name) ELSE quote_ident(table_schema) || \'.\' || quote_ident(table_name) END AS "table" FROM '
        "information_schema.tables WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog', '_timescaledb_cache', "
        "'_timescaledb_catalog', '_timescaledb_internal', '_timescaledb_config', 'timescaledb_information', 'timescaledb_experimental') "
        'ORDER BY CASE WHEN quote_ident(table_schema) IN ( SELECT CASE WHEN trim(s[i]) = \'"$user"\' THEN user ELSE trim(s[i]) END FROM '
        "generate_series( array_lower(string_to_array(current_setting('search_path'),','),1), "
        "array_upper(string_to_array(current_setting('search_path'),','),1) ) as i, string_to_array(current_setting('search_path'),',') s ) "
        'THEN 0 ELSE 1 END, 1',
    ),
    ("grafana:version", "SELECT current_setting('server_version_num')::int/100 as version"),
    (
        "grafana:cols",
        'SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns WHERE CASE WHEN '
        "array_length(parse_ident('ethereum.blocks'),1) = 2 THEN quote_ident(table_schema) = (parse_ident('ethereum.blocks'))[1] AND "
        "quote_ident(table_name) = (parse_ident('ethereum.blocks'))[2] ELSE quote_ident(table_name) = 'blocks' END",
    ),
    (
        "redash:schema",
        'SELECT s.nspname as table_schema, c.relname as table_name, a.attname as column_name, null as data_type FROM pg_class c JOIN '
        "pg_namespace s ON c.relnamespace = s.oid AND s.nspname NOT IN ('pg_catalog', 'information_schema') JOIN pg_attribute a ON "
        "a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE c.relkind = 'm' UNION SELECT table_schema, table_name, "
        "column_name, data_type FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
    ),
    ("redash:types", "select typname, oid from pg_type where typname in ('int4','numeric')"),
    ("pgcli:timezone", 'show time zone'),
    ("pgcli:settz", 'set time zone "Asia/Shanghai"'),
    ("pgcli:schemas", 'SELECT * FROM unnest(current_schemas(true))'),
    (
        "pgcli:rels",
        'SELECT n.nspname schema_name, c.relname table_name FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid = '
        "c.relnamespace WHERE c.relkind = ANY('{r,p,f}') ORDER BY 1,2",
    ),
    (
        "pgcli:columns",
        'SELECT nsp.nspname schema_name, cls.relname table_name, att.attname column_name, att.atttypid::regtype::text type_name, '
        'att.atthasdef AS has_default, pg_catalog.pg_get_expr(def.adbin, def.adrelid, true) as default FROM pg_catalog.pg_attribute att '
        'INNER JOIN pg_catalog.pg_class cls ON att.attrelid = cls.oid INNER JOIN pg_catalog.pg_namespace nsp ON cls.relnamespace = nsp.oid '
        "LEFT OUTER JOIN pg_attrdef def ON def.adrelid = att.attrelid AND def.adnum = att.attnum WHERE cls.relkind = ANY('{r,p,f}') AND NOT "
        'att.attisdropped AND att.attnum > 0 ORDER BY 1, 2, att.attnum',
    ),
    (
        "pgcli:fk",
        'SELECT s_p.nspname AS parentschema, t_p.relname AS parenttable, unnest((select array_agg(attname ORDER BY i) from (select '
        'unnest(confkey) as attnum, generate_subscripts(confkey, 1) as i) x JOIN pg_catalog.pg_attribute c USING(attnum) WHERE c.attrelid = '
        'fk.confrelid)) AS parentcolumn FROM pg_catalog.pg_constraint fk JOIN pg_catalog.pg_class t_p ON t_p.oid = fk.confrelid JOIN '
        "pg_catalog.pg_namespace s_p ON s_p.oid = t_p.relnamespace WHERE fk.contype = 'f'",
    ),
    (
        "pgcli:functions",
        'SELECT n.nspname schema_name, p.proname func_name, p.proargnames, COALESCE(proallargtypes::regtype[], '
        "proargtypes::regtype[])::text[], p.proargmodes, prorettype::regtype::text return_type, p.prokind = 'a' is_aggregate, p.prokind = "
        "'w' is_window, p.proretset is_set_returning FROM pg_catalog.pg_proc p INNER JOIN pg_catalog.pg_namespace n ON n.oid = "
        "p.pronamespace WHERE p.prorettype::regtype != 'trigger'::regtype ORDER BY 1, 2",
    ),
    (
        "pgcli:datatypes",
        'SELECT n.nspname schema_name, t.typname type_name FROM pg_catalog.pg_type t INNER JOIN pg_catalog.pg_namespace n ON n.oid = '
        "t.typnamespace WHERE ( t.typrelid = 0 OR ( SELECT c.relkind = 'c' FROM pg_catalog.pg_class c WHERE c.oid = t.typrelid ) ) AND NOT "
        "EXISTS( SELECT 1 FROM pg_catalog.pg_type el WHERE el.oid = t.typelem AND el.typarray = t.oid ) AND n.nspname <> 'pg_catalog' AND "
        "n.nspname <> 'information_schema' ORDER BY 1, 2",
    ),
    (
        "navicat:db",
        'SELECT d.oid, d.datname AS databasename, d.datacl, d.datistemplate, d.datallowconn, pg_get_userbyid(d.datdba) AS databaseowner, '
        "d.datcollate, d.datctype, shobj_description(d.oid, 'pg_database') AS description, d.datconnlimit, t.spcname, d.encoding, "
        'pg_encoding_to_char(d.encoding) AS encodingname FROM pg_database d LEFT JOIN pg_tablespace t ON d.dattablespace=t.oid',
    ),
    (
        "powerbi:tables",
        "select TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE from INFORMATION_SCHEMA.tables where TABLE_SCHEMA not in ('information_schema', "
        "'pg_catalog') order by TABLE_SCHEMA, TABLE_NAME",
    ),
    (
        "powerbi:cols",
        "select COLUMN_NAME, ORDINAL_POSITION, IS_NULLABLE, case when (data_type like '%unsigned%') then DATA_TYPE || ' unsigned' else "
        "DATA_TYPE end as DATA_TYPE from INFORMATION_SCHEMA.columns where TABLE_SCHEMA = 'ethereum' and TABLE_NAME = 'blocks' order by "
        'TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION',
    ),
    ("powerbi:charset", 'select character_set_name from INFORMATION_SCHEMA.character_sets'),
    (
        "powerbi:npgsql",
        'SELECT ns.nspname, t.oid, t.typname, t.typtype, t.typnotnull, t.elemtypoid FROM ( SELECT typ.oid, typ.typnamespace, typ.typname, '
        'typ.typtype, typ.typrelid, typ.typnotnull, typ.relkind, elemtyp.oid AS elemtypoid, elemtyp.typname AS elemtypname, elemcls.relkind '
        "AS elemrelkind, CASE WHEN elemproc.proname='array_recv' THEN 'a' ELSE elemtyp.typtype END AS elemtyptype FROM ( SELECT typ.oid, "
        "typnamespace, typname, typrelid, typnotnull, relkind, typelem AS elemoid, CASE WHEN proc.proname='array_recv' THEN 'a' ELSE "
        "typ.typtype END AS typtype, CASE WHEN proc.proname='array_recv' THEN typ.typelem WHEN typ.typtype='r' THEN rngsubtype WHEN "
        "typ.typtype='m' THEN (SELECT rngtypid FROM pg_range WHERE rngmultitypid = typ.oid) WHEN typ.typtype='d' THEN typ.typbasetype END "
        'AS elemtypoid FROM pg_type AS typ LEFT JOIN pg_class AS cls ON (cls.oid = typ.typrelid) LEFT JOIN pg_proc AS proc ON proc.oid = '
        'typ.typreceive LEFT JOIN pg_range ON (pg_range.rngtypid = typ.oid) ) AS typ LEFT JOIN pg_type AS elemtyp ON elemtyp.oid = '
        'elemtypoid LEFT JOIN pg_class AS elemcls ON (elemcls.oid = elemtyp.typrelid) LEFT JOIN pg_proc AS elemproc ON elemproc.oid = '
        "elemtyp.typreceive ) AS t JOIN pg_namespace AS ns ON (ns.oid = typnamespace) WHERE typtype IN ('b', 'r', 'm', 'e', 'd') OR "
        "(typtype = 'c' AND relkind='c') OR (typtype = 'p' AND typname IN ('record', 'void')) LIMIT 50",
    ),
    ("tableau:temp", 'CREATE LOCAL TEMPORARY TABLE "#Tableau_1_Connect" ( "COL" INTEGER ) ON COMMIT PRESERVE ROWS'),
    ("tableau:cursor", 'BEGIN; declare "SQL_CUR0x1" cursor with hold for SELECT 1 AS "COL"; fetch 2048 in "SQL_CUR0x1"'),
    ("visivo:priv", "select has_table_privilege('ethereum.blocks','SELECT')"),
    ("sqlalchemy:hasschema", "SELECT pg_catalog.pg_namespace.nspname FROM pg_catalog.pg_namespace WHERE nspname = 'ethereum'"),
    ("odbc:types", "select oid, typbasetype from pg_type where typname = 'lo'"),
]
