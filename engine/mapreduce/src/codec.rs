//! Values of JavaScript as bytes and back, exactly. The bytes of two keys compare as the keys do: null, false, true, numbers,
//! BigInts, texts (by their UTF-8), lists.

use alloy_primitives::aliases::U512;
use rquickjs::convert::Coerced;
use rquickjs::{Array, BigInt, Ctx, Exception, Function, Object, String as Text, Value};

const END: u8 = 1;
const NULL: u8 = 2;
const FALSE: u8 = 3;
const TRUE: u8 = 4;
const NUMBER: u8 = 5;
const BIG: u8 = 6;
const TEXT: u8 = 7;
const LIST: u8 = 8;
const OBJECT: u8 = 9;

/// Lists inside lists.
const DEEPEST: usize = 32;
/// Bytes of one value.
const LONGEST: usize = 1 << 20;
/// Bytes of the largest BigInt.
const WIDEST: usize = 64;

/// Reads and makes the values of one scope. It holds nothing but the scope: a function of the engine that kept a value would
/// keep it for ever, since the collector does not see into it.
pub(super) struct Codec<'js> {
    ctx: Ctx<'js>,
}

/// What may be encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// A key or what values are sorted by: no objects.
    Key,
    Value,
}

impl<'js> Codec<'js> {
    pub fn new(ctx: &Ctx<'js>) -> Codec<'js> {
        Codec { ctx: ctx.clone() }
    }

    pub fn ctx(&self) -> &Ctx<'js> {
        &self.ctx
    }

    pub fn refuse(&self, message: &str) -> rquickjs::Error {
        Exception::throw_type(&self.ctx, message)
    }

    /// Appends the bytes of a value.
    pub fn encode(&self, value: &Value<'js>, what: Use, out: &mut Vec<u8>) -> rquickjs::Result<()> {
        let start = out.len();
        self.put(value, what, out, 0)?;
        if out.len() - start > LONGEST {
            return Err(self.refuse("an emitted value is larger than 1 MB"));
        }
        Ok(())
    }

    fn put(&self, value: &Value<'js>, what: Use, out: &mut Vec<u8>, depth: usize) -> rquickjs::Result<()> {
        if out.len() > 2 * LONGEST || depth > DEEPEST {
            return Err(self.refuse("an emitted value is too large or nested too deeply"));
        }
        if value.is_undefined() && what == Use::Key {
            // Most often the name of a column that is not there.
            let message = if depth == 0 { "a key is undefined" } else { "a part of a key is undefined" };
            return Err(self.refuse(message));
        }
        if value.is_null() || value.is_undefined() {
            out.push(NULL);
        } else if let Some(truth) = value.as_bool() {
            out.push(if truth { TRUE } else { FALSE });
        } else if let Some(number) = value.as_number() {
            out.push(NUMBER);
            out.extend_from_slice(&number_bits(number).to_be_bytes());
        } else if let Some(text) = value.as_string() {
            out.push(TEXT);
            put_text(&text.to_string().map_err(|_| self.refuse("a string contains an unpaired surrogate"))?, out);
        } else if let Some(big) = value.as_big_int() {
            out.push(BIG);
            let (negative, magnitude) = self.whole(big)?;
            put_big(negative, &magnitude.to_be_bytes::<WIDEST>(), out);
        } else if let Some(list) = value.as_array() {
            out.push(LIST);
            for item in list.iter::<Value>() {
                self.put(&item?, what, out, depth + 1)?;
            }
            out.push(END);
        } else if let Some(object) = value.as_object()
            && self.is_plain(object)?
        {
            if what == Use::Key {
                return Err(
                    self.refuse("a key must be a string, a number, a BigInt, true, false, null, or a list of these")
                );
            }
            out.push(OBJECT);
            for member in object.props::<String, Value>() {
                let (name, member) = member?;
                out.push(TEXT);
                put_text(&name, out);
                self.put(&member, what, out, depth + 1)?;
            }
            out.push(END);
        } else {
            let message = "only strings, numbers, BigInts, true, false, null, and lists and plain objects of these \
                           can be emitted";
            return Err(self.refuse(message));
        }
        Ok(())
    }

    /// Whether it is `{…}`, or a row; a Map or a Date would lose what it holds.
    fn is_plain(&self, object: &Object<'js>) -> rquickjs::Result<bool> {
        let Some(prototype) = object.get_prototype() else { return Ok(true) };
        let plain = Object::new(self.ctx.clone())?.get_prototype();
        Ok(!object.is_function() && plain.is_some_and(|plain| plain == prototype))
    }

    /// The sign and magnitude of a BigInt of at most 512 bits.
    pub fn whole(&self, big: &BigInt<'js>) -> rquickjs::Result<(bool, U512)> {
        if let Some(small) = self.small(big)? {
            return Ok((small < 0, U512::from(small.unsigned_abs())));
        }
        let text = big.clone().into_value().get::<Coerced<String>>()?.0;
        let (negative, digits) = text.strip_prefix('-').map_or((false, text.as_str()), |digits| (true, digits));
        let magnitude = U512::from_str_radix(digits, 10);
        magnitude.map(|magnitude| (negative, magnitude)).map_err(|_| self.refuse("a BigInt has more than 512 bits"))
    }

    /// The BigInt when it fits 64 bits. The engine's own conversion wraps larger ones; only small ones are equal to what it
    /// makes of them again.
    fn small(&self, big: &BigInt<'js>) -> rquickjs::Result<Option<i64>> {
        let wrapped = big.clone().to_i64()?;
        let again = Value::new_big_int(self.ctx.clone(), wrapped)?;
        Ok((again == *big.as_value()).then_some(wrapped))
    }

    /// A BigInt of any size.
    pub fn big_int(&self, negative: bool, magnitude: U512) -> rquickjs::Result<Value<'js>> {
        match i64::try_from(magnitude) {
            Ok(small) => Value::new_big_int(self.ctx.clone(), if negative { -small } else { small }),
            Err(_) => {
                let make: Function = self.ctx.globals().get("BigInt")?;
                make.call((format!("{}{magnitude}", if negative { "-" } else { "" }),))
            }
        }
    }

    pub fn text(&self, text: &str) -> rquickjs::Result<Value<'js>> {
        Ok(Text::from_str(self.ctx.clone(), text)?.into_value())
    }

    /// The value of bytes that [`Codec::encode`] made.
    pub fn decode(&self, mut bytes: &[u8]) -> rquickjs::Result<Value<'js>> {
        self.take(&mut bytes)
    }

    fn take(&self, bytes: &mut &[u8]) -> rquickjs::Result<Value<'js>> {
        match next(bytes) {
            FALSE => Ok(Value::new_bool(self.ctx.clone(), false)),
            TRUE => Ok(Value::new_bool(self.ctx.clone(), true)),
            NUMBER => Ok(Value::new_number(self.ctx.clone(), number_of(take_u64(bytes)))),
            BIG => {
                let (negative, magnitude) = take_big(bytes);
                self.big_int(negative, magnitude)
            }
            TEXT => self.text(&take_text(bytes)),
            LIST => {
                let list = Array::new(self.ctx.clone())?;
                let mut at = 0;
                while bytes.first().is_some_and(|tag| *tag != END) {
                    list.set(at, self.take(bytes)?)?;
                    at += 1;
                }
                next(bytes);
                Ok(list.into_value())
            }
            OBJECT => {
                let object = Object::new_proto(self.ctx.clone(), None)?;
                while bytes.first().is_some_and(|tag| *tag != END) {
                    next(bytes);
                    let name = take_text(bytes);
                    object.set(name, self.take(bytes)?)?;
                }
                next(bytes);
                Ok(object.into_value())
            }
            _ => Ok(Value::new_null(self.ctx.clone())),
        }
    }
}

/// Bits whose order as a whole number is that of the numbers; −0 is 0, and NaN comes last.
fn number_bits(number: f64) -> u64 {
    let number = if number.is_nan() { f64::NAN.copysign(1.0) } else { number + 0.0 };
    let bits = number.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn number_of(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 { bits & !(1 << 63) } else { !bits })
}

/// The length first, so that longer is larger; below zero everything is turned round.
fn put_big(negative: bool, magnitude: &[u8], out: &mut Vec<u8>) {
    let zeros = magnitude.iter().take_while(|byte| **byte == 0).count();
    let digits = &magnitude[zeros..];
    let length = digits.len() as u8;
    if negative {
        out.push(0x7f - length);
        out.extend(digits.iter().map(|byte| !byte));
    } else {
        out.push(0x80 + length);
        out.extend_from_slice(digits);
    }
}

fn take_big(bytes: &mut &[u8]) -> (bool, U512) {
    let head = next(bytes);
    let negative = head < 0x80;
    let length = usize::from(if negative { 0x7f - head } else { head - 0x80 });
    let (digits, rest) = bytes.split_at(length.min(bytes.len()).min(WIDEST));
    *bytes = rest;
    let mut magnitude = [0; WIDEST];
    for (to, from) in magnitude[WIDEST - digits.len()..].iter_mut().zip(digits) {
        *to = if negative { !from } else { *from };
    }
    (negative, U512::from_be_bytes(magnitude))
}

/// A zero byte is followed by 255, the end is two zeros: a text sorts before longer ones that begin with it.
fn put_text(text: &str, out: &mut Vec<u8>) {
    for (index, run) in text.as_bytes().split(|byte| *byte == 0).enumerate() {
        if index > 0 {
            out.extend_from_slice(&[0, 0xff]);
        }
        out.extend_from_slice(run);
    }
    out.extend_from_slice(&[0, 0]);
}

fn take_text(bytes: &mut &[u8]) -> String {
    let mut text = Vec::new();
    while let Some(zero) = bytes.iter().position(|byte| *byte == 0) {
        text.extend_from_slice(&bytes[..zero]);
        let goes_on = bytes.get(zero + 1) == Some(&0xff);
        *bytes = bytes.get(zero + 2..).unwrap_or_default();
        if !goes_on {
            break;
        }
        text.push(0);
    }
    String::from_utf8(text).unwrap_or_default()
}

fn take_u64(bytes: &mut &[u8]) -> u64 {
    let (head, rest) = bytes.split_at(bytes.len().min(8));
    *bytes = rest;
    head.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn next(bytes: &mut &[u8]) -> u8 {
    let Some((first, rest)) = bytes.split_first() else { return NULL };
    *bytes = rest;
    *first
}

/// A key as text, for errors.
pub(super) fn show(key: &[u8]) -> String {
    const LONGEST: usize = 200;
    let mut bytes = key;
    let mut shown = String::new();
    let mut open = 0;
    while !bytes.is_empty() && shown.len() < LONGEST {
        let tag = next(&mut bytes);
        if tag == END {
            open -= 1;
        } else if !shown.is_empty() && !shown.ends_with('[') {
            shown.push_str(", ");
        }
        match tag {
            END => shown.push(']'),
            LIST => shown.push('['),
            FALSE => shown.push_str("false"),
            TRUE => shown.push_str("true"),
            NUMBER => shown.push_str(&number_of(take_u64(&mut bytes)).to_string()),
            BIG => {
                let (negative, magnitude) = take_big(&mut bytes);
                shown.push_str(&format!("{}{magnitude}n", if negative { "-" } else { "" }));
            }
            TEXT => shown.push_str(&format!("{:?}", take_text(&mut bytes))),
            _ => shown.push_str("null"),
        }
        open += i32::from(tag == LIST);
    }
    shown.extend(std::iter::repeat_n(']', open.max(0) as usize));
    shown.chars().take(LONGEST).collect()
}
