-- The parts of PostgreSQL's catalog that clients query. Numbers and booleans are `int`, everything else is text.
attach ':memory:' as pg_catalog;
attach ':memory:' as information_schema;
pragma case_sensitive_like = on;

create table pg_catalog.pg_namespace (oid int, nspname, nspowner int, nspacl);
create table pg_catalog.pg_class (oid int, relname, relnamespace int, reltype int, reloftype int, relowner int, relam int,
    relfilenode int, reltablespace int, relpages int, reltuples real, relallvisible int, reltoastrelid int, relhasindex int,
    relisshared int, relpersistence, relkind, relnatts int, relchecks int, relhasrules int, relhastriggers int,
    relhassubclass int, relrowsecurity int, relforcerowsecurity int, relispopulated int, relreplident, relispartition int,
    relrewrite int, relfrozenxid int, relminmxid int, relacl, reloptions, relpartbound, relhasoids int);
create table pg_catalog.pg_attribute (attrelid int, attname, atttypid int, attstattarget int, attlen int, attnum int,
    attndims int, attcacheoff int, atttypmod int, attbyval int, attstorage, attalign, attcompression, attnotnull int,
    atthasdef int, atthasmissing int, attidentity, attgenerated, attisdropped int, attislocal int, attinhcount int,
    attcollation int, attacl, attoptions, attfdwoptions, attmissingval);
create table pg_catalog.pg_type (oid int, typname, typnamespace int, typowner int, typlen int, typbyval int, typtype,
    typcategory, typispreferred int, typisdefined int, typdelim, typrelid int, typsubscript, typelem int, typarray int,
    typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze, typalign, typstorage, typnotnull int,
    typbasetype int, typtypmod int, typndims int, typcollation int, typdefaultbin, typdefault, typacl, formatted);
create table pg_catalog.pg_description (objoid int, classoid int, objsubid int, description);
create table pg_catalog.pg_database (oid int, datname, datdba int, encoding int, datlocprovider, datistemplate int,
    datallowconn int, datconnlimit int, datfrozenxid int, datminmxid int, dattablespace int, datcollate, datctype,
    daticulocale, datcollversion, datacl);
create table pg_catalog.pg_roles (oid int, rolname, rolsuper int, rolinherit int, rolcreaterole int, rolcreatedb int,
    rolcanlogin int, rolreplication int, rolconnlimit int, rolpassword, rolvaliduntil, rolbypassrls int, rolconfig);
create table pg_catalog.pg_user (usename, usesysid int, usecreatedb int, usesuper int, userepl int, usebypassrls int,
    passwd, valuntil, useconfig);
create table pg_catalog.pg_settings (name, setting, unit, category, short_desc, extra_desc, context, vartype, source,
    min_val, max_val, enumvals, boot_val, reset_val, sourcefile, sourceline int, pending_restart int);
create table pg_catalog.pg_tables (schemaname, tablename, tableowner, tablespace, hasindexes int, hasrules int,
    hastriggers int, rowsecurity int);
create table pg_catalog.pg_views (schemaname, viewname, viewowner, definition);
create table pg_catalog.pg_am (oid int, amname, amhandler, amtype);
create table pg_catalog.pg_tablespace (oid int, spcname, spcowner int, spcacl, spcoptions);
create table pg_catalog.pg_collation (oid int, collname, collnamespace int, collowner int, collprovider, collencoding int);
create table pg_catalog.pg_language (oid int, lanname, lanowner int, lanispl int, lanpltrusted int, lanplcallfoid int,
    laninline int, lanvalidator int, lanacl, tableoid int);
create table pg_catalog.pg_stat_user_tables (relid int, schemaname, relname, seq_scan int, n_live_tup int, n_dead_tup int,
    last_vacuum, last_analyze);

-- Objects that Quarry does not have.
create table pg_catalog.pg_index (indexrelid int, indrelid int, indnatts int, indnkeyatts int, indisunique int,
    indnullsnotdistinct int, indisprimary int, indisexclusion int, indimmediate int, indisclustered int, indisvalid int,
    indcheckxmin int, indisready int, indislive int, indisreplident int, indkey, indcollation, indclass, indoption,
    indexprs, indpred);
create table pg_catalog.pg_indexes (schemaname, tablename, indexname, tablespace, indexdef);
create table pg_catalog.pg_constraint (oid int, conname, connamespace int, contype, condeferrable int, condeferred int,
    convalidated int, conrelid int, contypid int, conindid int, conparentid int, confrelid int, confupdtype, confdeltype,
    confmatchtype, conislocal int, coninhcount int, connoinherit int, conkey, confkey, conpfeqop, conppeqop, conffeqop,
    confdelsetcols, conexclop, conbin);
create table pg_catalog.pg_opclass (oid int, opcmethod int, opcname, opcnamespace int, opcowner int, opcfamily int,
    opcintype int, opcdefault int, opckeytype int);
create table pg_catalog.pg_attrdef (oid int, adrelid int, adnum int, adbin);
create table pg_catalog.pg_proc (oid int, proname, pronamespace int, proowner int, prolang int, procost, prorows,
    provariadic int, prosupport, prokind, prosecdef int, proleakproof int, proisstrict int, proretset int, provolatile,
    proparallel, pronargs int, pronargdefaults int, prorettype int, proargtypes, proallargtypes, proargmodes, proargnames,
    proargdefaults, protrftypes, prosrc, probin, prosqlbody, proconfig, proacl);
create table pg_catalog.pg_enum (oid int, enumtypid int, enumsortorder, enumlabel);
create table pg_catalog.pg_inherits (inhrelid int, inhparent int, inhseqno int, inhdetachpending int);
create table pg_catalog.pg_trigger (oid int, tgrelid int, tgparentid int, tgname, tgfoid int, tgtype int, tgenabled,
    tgisinternal int, tgconstrrelid int, tgconstrindid int, tgconstraint int, tgdeferrable int, tginitdeferred int,
    tgnargs int, tgattr, tgargs, tgqual, tgoldtable, tgnewtable);
create table pg_catalog.pg_rewrite (oid int, rulename, ev_class int, ev_type, ev_enabled, is_instead int, ev_qual, ev_action);
create table pg_catalog.pg_rules (schemaname, tablename, rulename, definition);
create table pg_catalog.pg_policy (oid int, polname, polrelid int, polcmd, polpermissive int, polroles, polqual, polwithcheck);
create table pg_catalog.pg_policies (schemaname, tablename, policyname, permissive, roles, cmd, qual, with_check);
create table pg_catalog.pg_statistic_ext (oid int, stxrelid int, stxname, stxnamespace int, stxowner int,
    stxstattarget int, stxkeys, stxkind, stxexprs);
create table pg_catalog.pg_publication (oid int, pubname, pubowner int, puballtables int, pubinsert int, pubupdate int,
    pubdelete int, pubtruncate int, pubviaroot int);
create table pg_catalog.pg_publication_rel (oid int, prpubid int, prrelid int, prqual, prattrs);
create table pg_catalog.pg_publication_namespace (oid int, pnpubid int, pnnspid int);
create table pg_catalog.pg_foreign_table (ftrelid int, ftserver int, ftoptions);
create table pg_catalog.pg_foreign_server (oid int, srvname, srvowner int, srvfdw int, srvtype, srvversion, srvacl, srvoptions);
create table pg_catalog.pg_foreign_data_wrapper (oid int, fdwname, fdwowner int, fdwhandler int, fdwvalidator int, fdwacl, fdwoptions);
create table pg_catalog.pg_extension (oid int, extname, extowner int, extnamespace int, extrelocatable int, extversion,
    extconfig, extcondition);
create table pg_catalog.pg_depend (classid int, objid int, objsubid int, refclassid int, refobjid int, refobjsubid int, deptype);
create table pg_catalog.pg_shdescription (objoid int, classoid int, description);
create table pg_catalog.pg_matviews (schemaname, matviewname, matviewowner, tablespace, hasindexes int, ispopulated int, definition);
create table pg_catalog.pg_sequence (seqrelid int, seqtypid int, seqstart int, seqincrement int, seqmax int, seqmin int,
    seqcache int, seqcycle int);
create table pg_catalog.pg_sequences (schemaname, sequencename, sequenceowner, data_type, start_value int, min_value int,
    max_value int, increment_by int, cycle int, cache_size int, last_value int);
create table pg_catalog.pg_range (rngtypid int, rngsubtype int, rngmultitypid int, rngcollation int, rngsubopc int);
create table pg_catalog.pg_operator (oid int, oprname, oprnamespace int, oprowner int, oprkind, oprleft int, oprright int,
    oprresult int, oprcanmerge int, oprcanhash int, oprcom int, oprnegate int, oprcode int, oprrest int, oprjoin int);
create table pg_catalog.pg_aggregate (aggfnoid int, aggkind, aggnumdirectargs int);
create table pg_catalog.pg_event_trigger (oid int, evtname, evtevent, evtowner int, evtfoid int, evtenabled, evttags);
create table pg_catalog.pg_cast (oid int, castsource int, casttarget int, castfunc int, castcontext, castmethod);
create table pg_catalog.pg_partitioned_table (partrelid int, partstrat, partnatts int, partdefid int, partattrs);
create table pg_catalog.pg_auth_members (roleid int, member int, grantor int, admin_option int);
create table pg_catalog.pg_stat_activity (datid int, datname, pid int, usename, application_name, client_addr, state, query);
create table pg_catalog.pg_locks (locktype, database int, relation int, pid int, mode, granted int);
create table pg_catalog.pg_prepared_xacts (gid, owner, database);
create table pg_catalog.pg_timezone_names (name, abbrev, utc_offset, is_dst int);
create table pg_catalog.pg_conversion (oid int, conname, connamespace int, conowner int, conforencoding int, contoencoding int,
    conproc, condefault int);
create table pg_catalog.pg_amop (oid int, amopfamily int, amoplefttype int, amoprighttype int, amopstrategy int, amoppurpose,
    amopopr int, amopmethod int, amopsortfamily int);
create table pg_catalog.pg_amproc (oid int, amprocfamily int, amproclefttype int, amprocrighttype int, amprocnum int, amproc);
create table pg_catalog.pg_opfamily (oid int, opfmethod int, opfname, opfnamespace int, opfowner int);
create table pg_catalog.pg_transform (oid int, trftype int, trflang int, trffromsql, trftosql);
create table pg_catalog.pg_default_acl (oid int, defaclrole int, defaclnamespace int, defaclobjtype, defaclacl);
create table pg_catalog.pg_init_privs (objoid int, classoid int, objsubid int, privtype, initprivs);
create table pg_catalog.pg_seclabel (objoid int, classoid int, objsubid int, provider, label);
create table pg_catalog.pg_seclabels (objoid int, classoid int, objsubid int, objtype, objnamespace int, objname, provider, label);
create table pg_catalog.pg_shdepend (dbid int, classid int, objid int, objsubid int, refclassid int, refobjid int, deptype);
create table pg_catalog.pg_db_role_setting (setdatabase int, setrole int, setconfig);
create table pg_catalog.pg_user_mappings (umid int, srvid int, srvname, umuser int, usename, umoptions);
create table pg_catalog.pg_subscription (oid int, subdbid int, subskiplsn, subname, subowner int, subenabled int, subslotname,
    subpublications);
create table pg_catalog.pg_replication_slots (slot_name, plugin, slot_type, datoid int, database, temporary int, active int,
    active_pid int);
create table pg_catalog.pg_publication_tables (pubname, schemaname, tablename, attnames, rowfilter);
create table pg_catalog.pg_statistic_ext_data (stxoid int, stxdinherit int, stxdndistinct, stxddependencies, stxdmcv, stxdexpr);
create table pg_catalog.pg_stats (schemaname, tablename, attname, inherited int, null_frac real, avg_width int, n_distinct real,
    most_common_vals, most_common_freqs, histogram_bounds, correlation real, most_common_elems, most_common_elem_freqs,
    elem_count_histogram);
create table pg_catalog.pg_ts_config (oid int, cfgname, cfgnamespace int, cfgowner int, cfgparser int);
create table pg_catalog.pg_ts_config_map (mapcfg int, maptokentype int, mapseqno int, mapdict int);
create table pg_catalog.pg_ts_dict (oid int, dictname, dictnamespace int, dictowner int, dicttemplate int, dictinitoption);
create table pg_catalog.pg_ts_parser (oid int, prsname, prsnamespace int, prsstart, prstoken, prsend, prsheadline, prslextype);
create table pg_catalog.pg_ts_template (oid int, tmplname, tmplnamespace int, tmplinit, tmpllexize);
create table pg_catalog.pg_largeobject_metadata (oid int, lomowner int, lomacl);
create table pg_catalog.pg_available_extensions (name, default_version, installed_version, comment);
create table pg_catalog.pg_available_extension_versions (name, version, installed int, superuser int, trusted int,
    relocatable int, schema, requires, comment);
create table pg_catalog.pg_timezone_abbrevs (abbrev, utc_offset, is_dst int);
create table pg_catalog.pg_group (groname, grosysid int, grolist);
create table pg_catalog.pg_stat_user_indexes (relid int, indexrelid int, schemaname, relname, indexrelname, idx_scan int,
    idx_tup_read int, idx_tup_fetch int);
create table pg_catalog.pg_stat_all_indexes (relid int, indexrelid int, schemaname, relname, indexrelname, idx_scan int,
    idx_tup_read int, idx_tup_fetch int);
create table pg_catalog.pg_stat_replication (pid int, usesysid int, usename, application_name, client_addr, state, sync_state);
-- Set-returning functions that are read like tables, and are empty but for the keywords.
create table pg_catalog.aclexplode (grantor int, grantee int, privilege_type, is_grantable int);
create table pg_catalog.pg_options_to_table (option_name, option_value);
create table pg_catalog.pg_get_keywords (word, catcode, barelabel int, catdesc, baredesc);

create table information_schema.schemata (catalog_name, schema_name, schema_owner, default_character_set_catalog,
    default_character_set_schema, default_character_set_name, sql_path);
create table information_schema.tables (table_catalog, table_schema, table_name, table_type, self_referencing_column_name,
    reference_generation, user_defined_type_catalog, user_defined_type_schema, user_defined_type_name, is_insertable_into,
    is_typed, commit_action);
create table information_schema.columns (table_catalog, table_schema, table_name, column_name, ordinal_position int,
    column_default, is_nullable, data_type, character_maximum_length int, character_octet_length int,
    numeric_precision int, numeric_precision_radix int, numeric_scale int, datetime_precision int, interval_type,
    udt_catalog, udt_schema, udt_name, is_identity, identity_generation, is_generated, generation_expression, is_updatable);
create table information_schema.views (table_catalog, table_schema, table_name, view_definition, check_option, is_updatable);
create table information_schema.table_constraints (constraint_catalog, constraint_schema, constraint_name, table_catalog,
    table_schema, table_name, constraint_type, is_deferrable, initially_deferred, enforced);
create table information_schema.key_column_usage (constraint_catalog, constraint_schema, constraint_name, table_catalog,
    table_schema, table_name, column_name, ordinal_position int, position_in_unique_constraint int);
create table information_schema.referential_constraints (constraint_catalog, constraint_schema, constraint_name,
    unique_constraint_catalog, unique_constraint_schema, unique_constraint_name, match_option, update_rule, delete_rule);
create table information_schema.constraint_column_usage (table_catalog, table_schema, table_name, column_name,
    constraint_catalog, constraint_schema, constraint_name);
create table information_schema.table_privileges (grantor, grantee, table_catalog, table_schema, table_name,
    privilege_type, is_grantable, with_hierarchy);
create table information_schema.role_table_grants (grantor, grantee, table_catalog, table_schema, table_name,
    privilege_type, is_grantable, with_hierarchy);
create table information_schema.routines (routine_catalog, routine_schema, routine_name, routine_type, data_type);
create table information_schema.sequences (sequence_catalog, sequence_schema, sequence_name, data_type);

create table information_schema.character_sets (character_set_catalog, character_set_schema, character_set_name,
    character_repertoire, form_of_use, default_collate_catalog, default_collate_schema, default_collate_name);
create table information_schema.collations (collation_catalog, collation_schema, collation_name, pad_attribute);
create table information_schema.information_schema_catalog_name (catalog_name);
create table information_schema.enabled_roles (role_name);
create table information_schema.applicable_roles (grantee, role_name, is_grantable);
create table information_schema.column_privileges (grantor, grantee, table_catalog, table_schema, table_name, column_name,
    privilege_type, is_grantable);
create table information_schema.usage_privileges (grantor, grantee, object_catalog, object_schema, object_name, object_type,
    privilege_type, is_grantable);
create table information_schema.routine_privileges (grantor, grantee, specific_catalog, specific_schema, specific_name,
    routine_catalog, routine_schema, routine_name, privilege_type, is_grantable);
create table information_schema.parameters (specific_catalog, specific_schema, specific_name, ordinal_position int,
    parameter_mode, is_result, as_locator, parameter_name, data_type, udt_catalog, udt_schema, udt_name, parameter_default);
create table information_schema.triggers (trigger_catalog, trigger_schema, trigger_name, event_manipulation,
    event_object_catalog, event_object_schema, event_object_table, action_order int, action_condition, action_statement,
    action_orientation, action_timing);
create table information_schema.check_constraints (constraint_catalog, constraint_schema, constraint_name, check_clause);
create table information_schema.constraint_table_usage (table_catalog, table_schema, table_name, constraint_catalog,
    constraint_schema, constraint_name);
create table information_schema.domains (domain_catalog, domain_schema, domain_name, data_type, domain_default, udt_catalog,
    udt_schema, udt_name);
create table information_schema.element_types (object_catalog, object_schema, object_name, object_type,
    collection_type_identifier, data_type, udt_catalog, udt_schema, udt_name, dtd_identifier);
create table information_schema.view_table_usage (view_catalog, view_schema, view_name, table_catalog, table_schema, table_name);
create table information_schema.view_column_usage (view_catalog, view_schema, view_name, table_catalog, table_schema,
    table_name, column_name);
create table information_schema.foreign_tables (foreign_table_catalog, foreign_table_schema, foreign_table_name,
    foreign_server_catalog, foreign_server_name);
create table information_schema.user_defined_types (user_defined_type_catalog, user_defined_type_schema,
    user_defined_type_name, user_defined_type_category);

insert into information_schema.character_sets values (null, null, 'UTF8', 'UCS', 'UTF8', 'quarry', 'pg_catalog', 'C.UTF-8');
insert into information_schema.collations values ('quarry', 'pg_catalog', 'default', 'NO PAD'),
    ('quarry', 'pg_catalog', 'C', 'NO PAD');
insert into information_schema.information_schema_catalog_name values ('quarry');
insert into pg_catalog.pg_am values (2, 'heap', 'heap_tableam_handler', 't');
insert into pg_catalog.pg_tablespace values (1663, 'pg_default', 10, null, null);
insert into pg_catalog.pg_collation values (100, 'default', 11, 10, 'd', -1), (950, 'C', 11, 10, 'c', -1);
insert into pg_catalog.pg_language values (14, 'sql', 10, 0, 1, 0, 0, 2248, null, 2612);
insert into pg_catalog.pg_timezone_names values ('UTC', 'UTC', '00:00:00', 0);
