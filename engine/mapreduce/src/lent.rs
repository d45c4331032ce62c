//! A batch as the mapper gets it: `length`, the columns as arrays, and sums that are made outside of JavaScript.
//!
//! A column becomes an array when the code first asks for it, so that what is only summed up costs nothing there. The batch is
//! lent for one call: code that kept all batches would hold memory that nobody counts.

use std::cell::RefCell;
use std::rc::Rc;

use rquickjs::function::{Opt, This};
use rquickjs::object::{Accessor, Property};
use rquickjs::{Array, Ctx, Function, Object, Value};

use super::codec::Codec;
use super::columns::{Columns, cell};
use super::sums::{Groups, Sums};

const NAMES: &str = "counts(by) and sums(by, of) take names of columns";

/// What an object of JavaScript reads from until it is taken back.
pub(super) struct Lent(RefCell<Option<Rc<Columns>>>);

impl Lent {
    /// The call is over.
    pub fn take_back(&self) {
        self.0.replace(None);
    }

    fn columns(&self, codec: &Codec<'_>) -> rquickjs::Result<Rc<Columns>> {
        let gone = || codec.refuse("a batch is there for one call of the mapper; keep what you need of it");
        self.0.borrow().clone().ok_or_else(gone)
    }
}

/// The object for the mapper, and what takes it back.
pub(super) fn lend<'js>(ctx: &Ctx<'js>, columns: Columns) -> rquickjs::Result<(Object<'js>, Rc<Lent>)> {
    let names: Vec<String> = columns.fields.iter().map(|field| field.name().clone()).collect();
    let object = Object::new_proto(ctx.clone(), None)?;
    object.set("length", columns.rows as f64)?;
    let lent = Rc::new(Lent(RefCell::new(Some(Rc::new(columns)))));
    let held = Rc::clone(&lent);
    let counts = move |ctx: Ctx<'js>, by: Opt<Value<'js>>| counted(&ctx, &held, by.0.as_ref());
    object.prop("counts", Property::from(Function::new(ctx.clone(), counts)?).configurable())?;
    let held = Rc::clone(&lent);
    let sums = move |ctx: Ctx<'js>, by: Opt<Value<'js>>, of: Opt<Value<'js>>| {
        summed(&ctx, &held, by.0.as_ref(), of.0.as_ref())
    };
    object.prop("sums", Property::from(Function::new(ctx.clone(), sums)?).configurable())?;
    // After what the batch can do: a column may have any name.
    for (at, name) in names.into_iter().enumerate() {
        let (held, own, given) = (Rc::clone(&lent), name.clone(), name.clone());
        let get = move |ctx: Ctx<'js>, this: This<Object<'js>>| -> rquickjs::Result<Value<'js>> {
            let codec = Codec::new(&ctx);
            let column = held.columns(&codec)?.column(&codec, at)?;
            keep(&this.0, &own, column.clone())?;
            Ok(column)
        };
        let set = move |this: This<Object<'js>>, value: Value<'js>| keep(&this.0, &given, value);
        object.prop(name.as_str(), Accessor::new(get, set).enumerable().configurable())?;
    }
    Ok((object, lent))
}

/// The column is an ordinary member from now on.
fn keep<'js>(object: &Object<'js>, name: &str, value: Value<'js>) -> rquickjs::Result<()> {
    object.prop(name, Property::from(value).writable().enumerable().configurable())
}

fn counted<'js>(ctx: &Ctx<'js>, lent: &Lent, by: Option<&Value<'js>>) -> rquickjs::Result<Array<'js>> {
    let codec = Codec::new(ctx);
    let by = given(&codec, by)?;
    let columns = lent.columns(&codec)?;
    let (keys, groups) = grouped(&codec, &columns, by)?;
    let counts = groups.counts();
    pairs(&codec, &columns, &keys, &groups, by.is_array(), |group| Value::new_big_int(ctx.clone(), counts[group]))
}

fn summed<'js>(
    ctx: &Ctx<'js>,
    lent: &Lent,
    by: Option<&Value<'js>>,
    of: Option<&Value<'js>>,
) -> rquickjs::Result<Array<'js>> {
    let codec = Codec::new(ctx);
    let columns = lent.columns(&codec)?;
    let (by, of) = (given(&codec, by)?, place(&codec, &columns, given(&codec, of)?)?);
    let (keys, groups) = grouped(&codec, &columns, by)?;
    let sums = Sums::of(&groups, &columns.arrays[of], &columns.fields[of]);
    let sums = sums.map_err(|error| codec.refuse(&error.message))?;
    pairs(&codec, &columns, &keys, &groups, by.is_array(), |group| match &sums {
        Sums::Whole(sums) => codec.big_int(sums[group].is_negative(), sums[group].unsigned_abs()),
        Sums::Double(sums) => Ok(Value::new_number(ctx.clone(), sums[group])),
    })
}

fn grouped<'js>(codec: &Codec<'js>, columns: &Columns, by: &Value<'js>) -> rquickjs::Result<(Vec<usize>, Groups)> {
    let keys = match by.as_array() {
        Some(names) => {
            let names = names.iter::<Value>().map(|name| place(codec, columns, &name?));
            names.collect::<rquickjs::Result<Vec<_>>>()?
        }
        None => vec![place(codec, columns, by)?],
    };
    let arrays: Vec<_> = keys.iter().map(|at| columns.arrays[*at].clone()).collect();
    let groups = Groups::of(&arrays, columns.rows).map_err(|error| codec.refuse(&error.message))?;
    Ok((keys, groups))
}

fn given<'a, 'js>(codec: &Codec<'js>, name: Option<&'a Value<'js>>) -> rquickjs::Result<&'a Value<'js>> {
    name.ok_or_else(|| codec.refuse(NAMES))
}

fn place<'js>(codec: &Codec<'js>, columns: &Columns, name: &Value<'js>) -> rquickjs::Result<usize> {
    let text = name.as_string().and_then(|name| name.to_string().ok());
    let text = text.ok_or_else(|| codec.refuse(NAMES))?;
    let found = columns.fields.iter().position(|field| *field.name() == text);
    found.ok_or_else(|| {
        let shown: String = text.chars().take(60).collect();
        codec.refuse(&format!("the batch has no column {shown}"))
    })
}

/// `[key, value]` of each group, in the order in which their first rows come.
fn pairs<'js>(
    codec: &Codec<'js>,
    columns: &Columns,
    keys: &[usize],
    groups: &Groups,
    list: bool,
    value: impl Fn(usize) -> rquickjs::Result<Value<'js>>,
) -> rquickjs::Result<Array<'js>> {
    let key = |at: usize, row: usize| cell(codec, &columns.arrays[at], &columns.fields[at], row);
    let all = Array::new(codec.ctx().clone())?;
    for (group, row) in groups.first.iter().enumerate() {
        let of_group = match keys {
            [only] if !list => key(*only, *row)?,
            several => {
                let parts = Array::new(codec.ctx().clone())?;
                for (index, at) in several.iter().enumerate() {
                    parts.set(index, key(*at, *row)?)?;
                }
                parts.into_value()
            }
        };
        let pair = Array::new(codec.ctx().clone())?;
        pair.set(0, of_group)?;
        pair.set(1, value(group)?)?;
        all.set(group, pair)?;
    }
    Ok(all)
}
