//! What a session says about itself.

use super::catalogue::VERSION;

/// Settings that a client is told when it has logged in.
pub const TOLD: [&str; 12] = [
    "server_version",
    "server_encoding",
    "client_encoding",
    "application_name",
    "is_superuser",
    "session_authorization",
    "DateStyle",
    "IntervalStyle",
    "TimeZone",
    "integer_datetimes",
    "standard_conforming_strings",
    "default_transaction_read_only",
];

/// All settings, by their names in small letters, for `SHOW` and `pg_settings`.
pub fn all(user: &str, application: &str) -> Vec<(&'static str, String)> {
    let fixed = [
        ("server_version", VERSION),
        ("server_version_num", "150000"),
        ("server_encoding", "UTF8"),
        ("client_encoding", "UTF8"),
        ("is_superuser", "off"),
        ("datestyle", "ISO, MDY"),
        ("intervalstyle", "postgres"),
        ("timezone", "UTC"),
        ("integer_datetimes", "on"),
        ("standard_conforming_strings", "on"),
        ("default_transaction_read_only", "on"),
        ("transaction_read_only", "on"),
        ("default_transaction_isolation", "read committed"),
        ("transaction_isolation", "read committed"),
        ("search_path", "ethereum"),
        ("max_identifier_length", "63"),
        ("max_index_keys", "32"),
        ("extra_float_digits", "3"),
        ("bytea_output", "hex"),
        ("lc_collate", "C.UTF-8"),
        ("lc_ctype", "C.UTF-8"),
        ("wal_level", "minimal"),
    ];
    let mut settings: Vec<_> = fixed.map(|(name, value)| (name, value.to_string())).into();
    settings.push(("application_name", application.to_string()));
    settings.push(("session_authorization", user.to_string()));
    settings
}
