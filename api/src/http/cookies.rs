//! Cookies of a request.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;

/// The value of a cookie, where the browser sent one of this name.
pub fn named<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_first_of_a_name_counts() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("a=1; b=2"));
        headers.append(COOKIE, HeaderValue::from_static("b=3;c=x=y"));
        assert_eq!(named(&headers, "b"), Some("2"));
        assert_eq!(named(&headers, "c"), Some("x=y"));
        assert_eq!(named(&headers, "d"), None);
    }
}
