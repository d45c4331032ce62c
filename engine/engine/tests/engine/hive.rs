//! Scripts of HiveQL: their tables, access to these, and cancellation.

use quarry_runtime::job::JobState;

use crate::fixture::Home;

/// The rows of a script that must succeed.
async fn rows(home: &Home, user: &str, text: &str) -> Vec<String> {
    let job = home.hive(user, text).await;
    assert_eq!(job.error, None, "{text}");
    let page = home.engine.result(&job.id).unwrap().page(0, u64::MAX).unwrap();
    page.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("|")).collect()
}

fn cell(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

#[tokio::test]
async fn tables_are_stored_and_private() {
    let home = Home::empty();
    let make = "create table t (id int, name string); insert into t values (1, 'a'), (2, null)";
    assert_eq!(rows(&home, "ada", make).await, ["create table t|0", "insert into t|2"]);
    assert_eq!(rows(&home, "ada", "select count(*), max(name) from t").await, ["2|a"]);
    for text in [
        "select * from t",
        "select * from user_ada.t",
        "insert into user_ada.t values (3, 'x')",
        "drop table user_ada.t",
        "update user_ada.t set id = 7",
        "delete from user_ada.t where id = 1",
        "update t set id = 7",
        "delete from t",
    ] {
        let error = home.hive("eve", text).await.error.unwrap();
        assert!(["unknown_table", "not_allowed"].contains(&error.code.as_str()), "{text}: {}", error.message);
    }
    assert_eq!(rows(&home, "ada", "select count(*), min(id), max(id) from user_ada.t").await, ["2|1|2"]);
    let error = home.hive("ada", "create table a_name_that_is_too_long (id int)").await.error.unwrap();
    assert_eq!(error.message, "TableName can only contain a-z/A-Z, numbers, _ , must start with character!");
}

#[tokio::test]
async fn inserts_add_and_overwrite_rows_and_partitions() {
    let home = Home::empty();
    let script = "create table p (id int) partitioned by (ds string);
        insert into p partition (ds = 'a') values (1), (2);
        insert overwrite table p partition (ds = 'b') select 3;
        insert overwrite table p partition (ds) select 4, 'a';
        select id, ds from p order by id";
    assert_eq!(rows(&home, "ada", script).await, ["3|b", "4|a"]);
    let multi = "create table q (id int); create table r (id int);
        from p insert overwrite table q select id where ds = 'a' insert into r select id + 1 where ds = 'b';
        select q.id, r.id from q join r";
    assert_eq!(rows(&home, "ada", multi).await, ["4|4"]);
}

#[tokio::test]
async fn insert_overwrite_creates_a_missing_table() {
    let home = Home::empty();
    let both =
        "create table a (x int); from (select 7 as x) t insert overwrite table a select x insert overwrite table b
        select x + 1 as y; insert overwrite table b select 9; select a.x, b.y from a join b";
    assert_eq!(rows(&home, "ada", both).await, ["7|9"]);
    for text in ["insert into c select 1", "insert overwrite table c partition (p = 1) select 1"] {
        let error = home.hive("ada", text).await.error.unwrap();
        assert_eq!(
            (error.code.as_str(), error.message.as_str()),
            ("unknown_table", "There is no table c in your schema.")
        );
    }
}

#[tokio::test]
async fn columns_can_be_altered() {
    let home = Home::empty();
    let make = "create table t (a string, b int); insert into t values ('1', 2), ('x', 3);";
    let change = |words: &str| format!("drop table t; {make} alter table t {words}; select * from t order by b");
    assert_eq!(rows(&home, "ada", &change("change a n bigint comment 'n'")).await, ["1|2", "null|3"]);
    assert_eq!(rows(&home, "ada", &change("change column a z string after b")).await, ["2|1", "3|x"]);
    assert_eq!(rows(&home, "ada", &change("change b b bigint first")).await, ["2|1", "3|x"]);
    assert_eq!(rows(&home, "ada", &change("add columns (c int)")).await, ["1|2|null", "x|3|null"]);
    assert_eq!(
        rows(&home, "ada", &change("replace columns (s string, b string, c int)")).await,
        ["1|2|null", "x|3|null"]
    );
    assert_eq!(rows(&home, "ada", &change("set fileformat orc")).await, ["1|2", "x|3"]);
    for (words, code) in [
        ("change c d int", "unknown_column"),
        ("change a b int", "invalid_query"),
        ("change a a blob", "invalid_query"),
        ("change a a int after q", "unknown_column"),
    ] {
        let error = home.hive("ada", &change(words)).await.error.unwrap();
        assert_eq!(error.code, code, "{words}: {}", error.message);
    }
    assert_eq!(rows(&home, "ada", "select * from t order by b").await, ["1|2", "x|3"]);
}

#[tokio::test]
async fn a_syntax_error_prevents_all_statements() {
    let home = Home::empty();
    let error = home.hive("ada", "create table t (id int);\nselect from where").await.error.unwrap();
    assert_eq!((error.code.as_str(), error.position.map(|at| at.line)), ("syntax_error", Some(2)));
    assert!(home.engine.user_tables().list("user_ada").unwrap().is_empty());
}

#[tokio::test]
async fn failed_and_killed_scripts_do_not_change_tables() {
    let home = Home::empty();
    rows(&home, "ada", "create table t (id bigint); insert into t values (1)").await;
    let endless = "insert overwrite table t select a.value from generate_series(1, 1000000) a";
    assert!(home.hive("ada", endless).await.error.is_some(), "only tables stand in FROM");
    let nines = "select 1 as x union all select 2 union all select 3 union all select 4 union all select 5 union all \
                 select 6 union all select 7 union all select 8 union all select 9";
    let product = (0..16).map(|at| format!("v v{at}")).collect::<Vec<_>>().join(" join ");
    let endless = format!("insert overwrite table t with v as ({nines}) select sum(v0.x) from {product}");
    let job = home.submit_hive("ada", &endless);
    let mut watch = job.watch();
    watch.wait_for(|job| job.state == JobState::Running).await.unwrap();
    job.kill();
    assert_eq!(job.wait().await.state, JobState::Killed);
    assert_eq!(rows(&home, "ada", "select id from t").await, ["1"]);
    // The same for UPDATE and DELETE, which rewrite the table.
    let nine = "(select explode(array(1, 2, 3, 4, 5, 6, 7, 8, 9)) as x)";
    let product = (0..14).map(|at| format!("{nine} v{at}")).collect::<Vec<_>>().join(" join ");
    let number = format!("(select sum(v0.x) from {product})");
    for change in [format!("update t set id = 2 + {number}"), format!("delete from t where id < {number}")] {
        let job = home.submit_hive("ada", &change);
        job.watch().wait_for(|job| job.state == JobState::Running).await.unwrap();
        job.kill();
        assert_eq!(job.wait().await.state, JobState::Killed, "{change}");
        assert_eq!(rows(&home, "ada", "select id from t").await, ["1"]);
    }
    assert!(home.hive("ada", "update t set id = nosuch(1)").await.error.is_some());
    assert_eq!(rows(&home, "ada", "select id from t").await, ["1"]);
}

#[tokio::test]
async fn batch_jobs_have_a_queue_of_their_own() {
    let home = Home::with(|config| config.concurrency = 1);
    let nine = "(select explode(array(1, 2, 3, 4, 5, 6, 7, 8, 9)) as x)";
    let product = (0..14).map(|at| format!("{nine} v{at}")).collect::<Vec<_>>().join(" join ");
    let heavy = home.submit_hive("ada", &format!("select sum(v0.x) from {product}"));
    heavy.watch().wait_for(|job| job.state == JobState::Running).await.unwrap();
    assert_eq!(home.run("select 1").await.state, JobState::Succeeded);
    assert_eq!(heavy.snapshot().state, JobState::Running);
    heavy.kill();
    heavy.wait().await;
}

#[tokio::test]
async fn settings_and_macros_apply_to_the_rest_of_a_script() {
    let home = Home::empty();
    let variables = "set day=5; set hivevar:word = it; select ${hiveconf:day} + 1, '${word}', '${hivevar:none}'";
    assert_eq!(rows(&home, "ada", variables).await, ["6|it|${hivevar:none}"]);
    let macros = "create temporary macro plus(x int, y int) x + y;
        create temporary macro twice(x int) plus(x, x);
        create temporary macro answer() 42;
        select twice(plus(1, 2)), TWICE('4'), answer()";
    assert_eq!(rows(&home, "ada", macros).await, ["6|8|42"]);
    let error = home.hive("ada", "create temporary macro m(x int) x; select m()").await.error.unwrap();
    assert_eq!(error.message, "The macro m expects 1 arguments.");
    let forgotten = "create temporary macro m() 1; drop temporary macro m; select m()";
    assert_eq!(home.hive("ada", forgotten).await.error.unwrap().code, "unknown_function");
    let twice = "create temporary macro d0(x int) x + x;".to_string()
        + &(1..40)
            .map(|at| format!("create temporary macro d{at}(x int) d{}(d{}(x));", at - 1, at - 1))
            .collect::<String>();
    let error = home.hive("ada", &format!("{twice} select d39(1)")).await.error.unwrap();
    assert_eq!(error.code, "too_complex");
    let patterns =
        "set hive.support.quoted.identifiers=none; create table t (ds int, hr int, key string, value string);
        insert into t values (1, 2, 'k', 'v'); select `k.*|value`, t.`d.*`, upper(`key`) from t";
    assert_eq!(rows(&home, "ada", patterns).await, ["k|v|1|K"]);
    let error = home.hive("ada", "set hive.support.quoted.identifiers=none; select `x.*` from t").await.error.unwrap();
    assert_eq!(error.message, "No column name matches 'x.*'.");
}

#[tokio::test]
async fn show_and_describe_list_objects() {
    let home = Home::empty();
    let make = "create table p (id int, name varchar(9)) partitioned by (ds string, hr int);
        insert into p partition (ds = 'a', hr = 1) values (1, 'x'), (2, 'y'); insert into p partition (ds = 'b', hr) values (3, 'z', 7);";
    let show = |words: &str| format!("drop table p; {make} {words}");
    assert_eq!(rows(&home, "ada", &show("show partitions p")).await, ["ds=a/hr=1", "ds=b/hr=7"]);
    assert_eq!(rows(&home, "ada", &show("show partitions p partition (ds = 'b')")).await, ["ds=b/hr=7"]);
    assert_eq!(rows(&home, "ada", &show("show columns in p")).await, ["id", "name", "ds", "hr"]);
    assert_eq!(rows(&home, "ada", &show("show tables like 'p|q*'")).await, ["p"]);
    assert_eq!(rows(&home, "ada", &show("show databases")).await, ["default"]);
    assert_eq!(rows(&home, "ada", "show functions like 'xpath_*t'").await, ["xpath_float", "xpath_int", "xpath_short"]);
    assert_eq!(
        rows(&home, "ada", &show("describe p")).await,
        [
            "id|int",
            "name|varchar(9)",
            "ds|string",
            "hr|int",
            "|",
            "# Partition Information|",
            "# col_name|data_type",
            "ds|string",
            "hr|int"
        ]
    );
    assert_eq!(
        rows(&home, "ada", &show("show create table p")).await.join("\n"),
        "CREATE TABLE `p`(\n  `id` int,\n  `name` varchar(9))\nPARTITIONED BY (\n  `ds` string,\n  `hr` int)\nSTORED AS PARQUET"
    );
    let left = "select id, ds, hr from p order by id";
    let after = |words: &str| show(&format!("{words}; {left}"));
    assert_eq!(rows(&home, "ada", &after("truncate table p partition (ds = 'a')")).await, ["3|b|7"]);
    assert_eq!(
        rows(&home, "ada", &after("alter table p partition (ds = 'b', hr = 7) rename to partition (ds = 'c', hr = 8)"))
            .await,
        ["1|a|1", "2|a|1", "3|c|8"]
    );
    assert_eq!(rows(&home, "ada", &show("create table q as select * from p; describe q")).await.len(), 4);
    assert_eq!(
        rows(&home, "ada", "create view v as select 1 as x; alter view v as select 2 as x; select x from v").await,
        ["2"]
    );
}

/// A home that may read files, as for the command line, and a folder with files.
fn with_files(files: &[(&str, &[u8])]) -> (Home, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    (Home::with(|config| config.read_files = true), folder)
}

#[tokio::test]
async fn load_data_reads_text_files() {
    let (home, folder) = with_files(&[
        ("plain", b"1\x01one\n2\x01\\N\r\n\n9999999999\x01too large\x01more\n1.5\x01no int"),
        ("part/b.txt", b"3|c\n"),
        ("part/a.txt", b"1|a\n2|b\n"),
        ("part/.hidden", b"4|d\n"),
    ]);
    let at = folder.path().display();
    let script = format!(
        "create table t (id int, name string);
         load data local inpath '{at}/plain' into table t;
         select id, name, count(*) over () from t order by id nulls last, name"
    );
    assert_eq!(
        rows(&home, "ada", &script).await,
        ["1|one|5", "2|null|5", "null|null|5", "null|no int|5", "null|too large|5"]
    );
    let script = format!(
        "create table p (id int, name string) partitioned by (ds string) row format delimited fields terminated by '|';
         load data inpath 'file://{at}/part' overwrite into table p partition (ds = 'x');
         load data inpath '{at}/part/a.txt' overwrite into table p partition (ds = 'y');
         load data inpath '{at}/part/b.txt' into table p partition (ds = 'y');
         load data inpath '{at}/part/b.txt' overwrite into table p partition (ds = 'x');
         select concat_ws(' ', ds, id, name) from p order by ds, id"
    );
    assert_eq!(rows(&home, "ada", &script).await, ["x 3 c", "y 1 a", "y 2 b", "y 3 c"]);
}

#[tokio::test]
async fn loaded_values_have_nested_types() {
    let (home, folder) = with_files(&[
        ("nested", b"id,items,pairs,row\n1,a;b,k:1;l:2,7;x\n2,,k:x;:3,-\n3,-,-,8\n"),
        ("typed", b"12.345\t2024-02-29\t2024-02-29 12:00:00.5\tTRUE\ta\\tb\t1e3\nx\tx\tx\tyes\tNULL\t\n"),
    ]);
    let at = folder.path().display();
    let script = format!(
        "create table n (id bigint, items array<string>, pairs map<string,int>, row_ struct<a:int,b:string>)
           row format delimited fields terminated by ',' collection items terminated by ';' map keys terminated by ':'
           null defined as '-' stored as textfile tblproperties ('skip.header.line.count' = '1');
         load data local inpath '{at}/nested' into table n;
         select id, size(items), items[1], pairs['k'], pairs['l'], size(pairs), row_.a, row_.b, row_ is null from n order by id"
    );
    assert_eq!(
        rows(&home, "ada", &script).await,
        ["1|2|b|1|2|2|7|x|false", "2|0|null|null|null|2|null|null|true", "3|-1|null|null|null|-1|8|null|false"]
    );
    let script = format!(
        r"create table v (d decimal(6,2), day date, at timestamp, yes boolean, s string, x double)
           row format delimited fields terminated by '\t' escaped by '\\' null defined as 'NULL';
         load data local inpath '{at}/typed' into table v;
         select * from v order by d nulls last"
    );
    assert_eq!(
        rows(&home, "ada", &script).await,
        ["12.35|2024-02-29|2024-02-29 12:00:00.5|true|atb|1000.0", "null|null|null|null|null|null"]
    );
}

#[tokio::test]
async fn load_data_errors_are_clear() {
    let (home, folder) = with_files(&[("lines", b"1\n")]);
    let at = folder.path().display();
    for (text, message) in [
        (format!("create table t (a int); load data inpath '{at}/none' into table t"), "There is no file"),
        (format!("create table o (a int) stored as orc; load data inpath '{at}/lines' into table o"), "uses orc"),
        (format!("load data inpath '{at}/lines' into table unknown"), "There is no table unknown"),
        (format!("load data '{at}/lines' into table t"), "Write LOAD DATA"),
        (
            format!("create table q (a int); load data inpath '{at}/lines' into table q partition (b = 1)"),
            "has no column b",
        ),
    ] {
        let error = home.hive("ada", &text).await.error.unwrap();
        assert!(error.message.contains(message), "{text}: {}", error.message);
    }
    // Users of a server can't read its files.
    let error = Home::empty().hive("ada", &format!("load data inpath '{at}/lines' into table t")).await.error.unwrap();
    assert_eq!(
        (error.code.as_str(), error.message.as_str()),
        ("not_allowed", "Queries can't access files; upload the file as a table and query that.")
    );
}
