//! A batch as the mapper gets it: `length`, the columns as arrays, and sums that are computed outside of JavaScript.
//!
//! A column becomes an array when a script first reads it, so that columns which are only summed cost nothing there. The batch
//! is there for one call: a script that kept all batches would hold memory outside of its limit.

use std::cell::RefCell;
use std::rc::Rc;

use rquickjs::function::{Opt, This};
use rquickjs::object::{Accessor, Property};
use rquickjs::{Array, Ctx, Function, Object, Value};

use super::batch_sums::{Groups, Sums};
use super::codec::Codec;
use super::columns::{Columns, cell};

const NAMES: &str = "counts(by) and sums(by, of) expect column names";

/// The columns that an object of JavaScript reads, until its call is over.
pub(super) struct BatchObject(RefCell<Option<Rc<Columns>>>);

impl BatchObject {
    /// The object for the mapper, and the columns that it reads.
    pub fn new<'js>(ctx: &Ctx<'js>, columns: Columns) -> rquickjs::Result<(Object<'js>, Rc<BatchObject>)> {
        let names: Vec<String> = columns.fields.iter().map(|field| field.name().clone()).collect();
        let object = Object::new_proto(ctx.clone(), None)?;
        object.set("length", columns.rows as f64)?;
        let batch = Rc::new(BatchObject(RefCell::new(Some(Rc::new(columns)))));
        let of = Rc::clone(&batch);
        let counts = move |ctx: Ctx<'js>, by: Opt<Value<'js>>| counts(&ctx, &of, by.0.as_ref());
        object.prop("counts", Property::from(Function::new(ctx.clone(), counts)?).configurable())?;
        let of = Rc::clone(&batch);
        let sums = move |ctx: Ctx<'js>, by: Opt<Value<'js>>, column: Opt<Value<'js>>| {
            sums(&ctx, &of, by.0.as_ref(), column.0.as_ref())
        };
        object.prop("sums", Property::from(Function::new(ctx.clone(), sums)?).configurable())?;
        // After the methods: a column may have any name.
        for (at, name) in names.into_iter().enumerate() {
            let (of, in_get, in_set) = (Rc::clone(&batch), name.clone(), name.clone());
            let get = move |ctx: Ctx<'js>, this: This<Object<'js>>| -> rquickjs::Result<Value<'js>> {
                let codec = Codec::new(&ctx);
                let column = of.columns(&codec)?.column(&codec, at)?;
                set_member(&this.0, &in_get, column.clone())?;
                Ok(column)
            };
            let set = move |this: This<Object<'js>>, value: Value<'js>| set_member(&this.0, &in_set, value);
            object.prop(name.as_str(), Accessor::new(get, set).enumerable().configurable())?;
        }
        Ok((object, batch))
    }

    /// The call is over: the columns are gone.
    pub fn close(&self) {
        self.0.replace(None);
    }

    fn columns(&self, codec: &Codec<'_>) -> rquickjs::Result<Rc<Columns>> {
        let gone = || codec.refuse("a batch is valid only during one call of the mapper; copy what you need from it");
        self.0.borrow().clone().ok_or_else(gone)
    }
}

/// Makes the column an ordinary member.
fn set_member<'js>(object: &Object<'js>, name: &str, value: Value<'js>) -> rquickjs::Result<()> {
    object.prop(name, Property::from(value).writable().enumerable().configurable())
}

fn counts<'js>(ctx: &Ctx<'js>, batch: &BatchObject, by: Option<&Value<'js>>) -> rquickjs::Result<Array<'js>> {
    let codec = Codec::new(ctx);
    let by = required(&codec, by)?;
    let columns = batch.columns(&codec)?;
    let (keys, groups) = group_rows(&codec, &columns, by)?;
    let counts = groups.counts();
    pairs(&codec, &columns, &keys, &groups, by.is_array(), |group| Value::new_big_int(ctx.clone(), counts[group]))
}

fn sums<'js>(
    ctx: &Ctx<'js>,
    batch: &BatchObject,
    by: Option<&Value<'js>>,
    of: Option<&Value<'js>>,
) -> rquickjs::Result<Array<'js>> {
    let codec = Codec::new(ctx);
    let columns = batch.columns(&codec)?;
    let (by, of) = (required(&codec, by)?, column_index(&codec, &columns, required(&codec, of)?)?);
    let (keys, groups) = group_rows(&codec, &columns, by)?;
    let sums = Sums::new(&groups, &columns.arrays[of], &columns.fields[of]);
    let sums = sums.map_err(|error| codec.refuse(&error.message))?;
    pairs(&codec, &columns, &keys, &groups, by.is_array(), |group| match &sums {
        Sums::Whole(sums) => codec.big_int(sums[group].is_negative(), sums[group].unsigned_abs()),
        Sums::Double(sums) => Ok(Value::new_number(ctx.clone(), sums[group])),
    })
}

fn group_rows<'js>(codec: &Codec<'js>, columns: &Columns, by: &Value<'js>) -> rquickjs::Result<(Vec<usize>, Groups)> {
    let keys = match by.as_array() {
        Some(names) => {
            let names = names.iter::<Value>().map(|name| column_index(codec, columns, &name?));
            names.collect::<rquickjs::Result<Vec<_>>>()?
        }
        None => vec![column_index(codec, columns, by)?],
    };
    let arrays: Vec<_> = keys.iter().map(|at| columns.arrays[*at].clone()).collect();
    let groups = Groups::new(&arrays, columns.rows).map_err(|error| codec.refuse(&error.message))?;
    Ok((keys, groups))
}

fn required<'a, 'js>(codec: &Codec<'js>, name: Option<&'a Value<'js>>) -> rquickjs::Result<&'a Value<'js>> {
    name.ok_or_else(|| codec.refuse(NAMES))
}

fn column_index<'js>(codec: &Codec<'js>, columns: &Columns, name: &Value<'js>) -> rquickjs::Result<usize> {
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
    is_list: bool,
    value: impl Fn(usize) -> rquickjs::Result<Value<'js>>,
) -> rquickjs::Result<Array<'js>> {
    let key_cell = |at: usize, row: usize| cell(codec, &columns.arrays[at], &columns.fields[at], row);
    let all = Array::new(codec.ctx().clone())?;
    for (group, row) in groups.first.iter().enumerate() {
        let key = match keys {
            [only] if !is_list => key_cell(*only, *row)?,
            several => {
                let parts = Array::new(codec.ctx().clone())?;
                for (index, at) in several.iter().enumerate() {
                    parts.set(index, key_cell(*at, *row)?)?;
                }
                parts.into_value()
            }
        };
        let pair = Array::new(codec.ctx().clone())?;
        pair.set(0, key)?;
        pair.set(1, value(group)?)?;
        all.set(group, pair)?;
    }
    Ok(all)
}
