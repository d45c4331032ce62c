//! A reader in front of a reader of JSON: an object is an object. What `derive` makes also takes the list of a struct's
//! fields in their order, so that `["ann","secret"]` would be a login, and a field more would be another call.

use std::fmt;

use serde::Deserialize;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

/// How the enums begin to describe themselves whose fields stand beside their name, and that read whatever comes.
const TAGGED: &str = "internally tagged enum";

/// Reads a value of which every struct is an object.
///
/// # Errors
/// What is no JSON, or of another shape, with the place.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_path_to_error::Error<serde_json::Error>> {
    let mut track = serde_path_to_error::Track::new();
    let mut reader = serde_json::Deserializer::from_slice(text);
    let tracked = Objects(serde_path_to_error::Deserializer::new(&mut reader, &mut track));
    let value: Result<T, serde_json::Error> = Deserialize::deserialize(tracked);
    let whole = value.and_then(|value| reader.end().map(|()| value));
    whole.map_err(|error| serde_path_to_error::Error::new(track.path(), error))
}

/// For `deserialize_with`: reads so what stands in an enum that is told by a field, or beside flattened fields. What `derive`
/// makes keeps all that until it knows what it is for, and then reads it by itself.
///
/// # Errors
/// What is of another shape.
pub fn within<'de, D: Deserializer<'de>, T: Deserialize<'de>>(reader: D) -> Result<T, D::Error> {
    T::deserialize(Objects(reader))
}

/// For `deserialize_with`: null is as good as nothing, for what is empty or 0 when it is left out.
///
/// # Errors
/// What is neither null nor of the shape.
pub fn or_empty<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(reader: D) -> Result<T, D::Error> {
    Option::deserialize(reader).map(Option::unwrap_or_default)
}

/// Wraps readers, and what they hand on.
struct Objects<T>(T);

macro_rules! handed_on {
    ($($method:ident($($word:ident: $kind:ty),*)),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, $($word: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($word,)* Objects(visitor))
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Objects<D> {
    type Error = D::Error;

    handed_on! {
        deserialize_any(), deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(), deserialize_i64(),
        deserialize_i128(), deserialize_u8(), deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_u128(),
        deserialize_f32(), deserialize_f64(), deserialize_char(), deserialize_str(), deserialize_string(),
        deserialize_bytes(), deserialize_byte_buf(), deserialize_option(), deserialize_unit(),
        deserialize_unit_struct(name: &'static str), deserialize_newtype_struct(name: &'static str), deserialize_seq(),
        deserialize_tuple(len: usize), deserialize_tuple_struct(name: &'static str, len: usize), deserialize_map(),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]), deserialize_identifier(),
        deserialize_ignored_any(),
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Objects(visitor))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! plain {
    ($($method:ident($kind:ty)),* $(,)?) => {
        $(fn $method<E: Error>(self, value: $kind) -> Result<V::Value, E> { self.0.$method(value) })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Objects<V> {
    type Value = V::Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(out)
    }

    plain! {
        visit_bool(bool), visit_i64(i64), visit_i128(i128), visit_u64(u64), visit_u128(u128), visit_f64(f64),
        visit_char(char), visit_str(&str), visit_borrowed_str(&'de str), visit_string(String), visit_bytes(&[u8]),
        visit_borrowed_bytes(&'de [u8]), visit_byte_buf(Vec<u8>),
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Objects(inner))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Objects(inner))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        let wanted: &dyn Expected = &self;
        if wanted.to_string().starts_with(TAGGED) {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        self.0.visit_seq(Objects(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Objects(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, one: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Objects(one))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Objects<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Objects(reader))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Objects<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Objects(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Objects<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(Objects(seed))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Objects(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Objects<A> {
    type Error = A::Error;
    type Variant = Objects<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        self.0.variant_seed(Objects(seed)).map(|(value, variant)| (value, Objects(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Objects<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Objects(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(len, Objects(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.struct_variant(fields, Objects(visitor))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Sent {
        name: String,
        #[serde(default)]
        inner: Option<Box<Sent>>,
        #[serde(default)]
        many: Vec<Sent>,
        #[serde(default)]
        named: BTreeMap<String, Sent>,
        #[serde(default)]
        kind: Option<Kind>,
        #[serde(default)]
        any: Value,
        #[serde(default)]
        pair: Option<(i64, f64)>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "type", rename_all = "camelCase")]
    enum Kind {
        Plain {
            text: String,
        },
        Holding {
            #[serde(deserialize_with = "within")]
            held: Vec<Option<Sent>>,
        },
    }

    #[test]
    fn a_list_of_its_fields_is_no_object() {
        for (text, place) in [
            (r#"["ann"]"#, "."),
            (r#"{"name": "a", "inner": ["ann"]}"#, "inner"),
            (r#"{"name": "a", "many": [["ann"]]}"#, "many[0]"),
            (r#"{"name": "a", "named": {"x": ["ann"]}}"#, "named.x"),
            (r#"{"name": "a", "kind": ["plain", {"text": "x"}]}"#, "kind"),
            (r#"{"name": "a", "kind": {"type": "holding", "held": [["ann"]]}}"#, "kind"),
            (r#"{"name": "a", "kind": {"held": [{"name": "b", "many": [["ann"]]}], "type": "holding"}}"#, "kind"),
        ] {
            let error = read::<Sent>(text.as_bytes()).unwrap_err();
            assert_eq!(error.path().to_string(), place, "{text}");
            assert!(error.inner().is_data(), "{text}: {error}");
        }
    }

    #[test]
    fn everything_else_is_read_as_before() {
        let text = r#"{"name": "a\u00e9", "inner": {"name": "b"}, "many": [{"name": "c"}], "named": {"d": {"name": "e"}},
            "kind": {"text": "x", "type": "plain"}, "any": [1, {"y": null}, "z", true, 1.5], "pair": [-3, 2]}"#;
        let plain: Sent = serde_json::from_str(text).unwrap();
        assert_eq!(read::<Sent>(text.as_bytes()).unwrap(), plain);
        assert_eq!(read::<Option<Sent>>(b"null").unwrap(), None);
        assert!(read::<Sent>(b"{\"name\": \"a\"} and more").unwrap_err().inner().is_syntax());
        let deep = format!("{{\"name\": \"a\", \"any\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(read::<Sent>(deep.as_bytes()).unwrap_err().inner().is_syntax());
        assert!(read::<Sent>(br#"{"name": "a", "any": 1e400}"#).is_err());
    }
}
