//! Rows of a rule as rows of the table of labels, into the result of the job and into the set of the rule.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Decimal128Array, FixedSizeBinaryArray, Int32Array, RecordBatch, StringViewArray,
    TimestampMicrosecondArray,
};
use arrow::compute::{CastOptions, cast_with_options, filter_record_batch, is_not_null};
use arrow::datatypes::{DataType, SchemaRef};
use serde_json::{Map, Value, json};

use crate::groups::Member;
use crate::spec::{Period, Spec};
use quarry_labels::{VALUE, address_schema, now};
use quarry_runtime::job::JobRequest;
use quarry_runtime::results::{ResultLimits, ResultWriter};
use quarry_runtime::user_tables::TableWriter;
use quarry_sql::context::QueryContext;
use quarry_types::{Error, Result, cell};

/// What a rule says of each address.
pub(crate) struct Found {
    address: ArrayRef,
    label: ArrayRef,
    label_type: ArrayRef,
    entity: ArrayRef,
    value: ArrayRef,
    why: Vec<Map<String, Value>>,
}

/// Where the columns of a rule's rows stand.
pub(crate) struct Facts {
    address: usize,
    label: usize,
    label_type: usize,
    value: usize,
    entity: Option<usize>,
    others: Vec<usize>,
}

impl Facts {
    pub fn of(schema: &SchemaRef) -> Result<Facts> {
        let find = |name: &str| schema.fields().iter().position(|field| field.name() == name);
        let needed = |name: &str| find(name).ok_or_else(|| Error::internal(format!("a rule's rows have no {name}")));
        let (address, label) = (needed("address")?, needed("label")?);
        let (label_type, value, entity) = (needed("label_type")?, needed("value")?, find("entity"));
        let named = [Some(address), Some(label), Some(label_type), Some(value), entity];
        let others = (0..schema.fields().len()).filter(|place| !named.contains(&Some(*place))).collect();
        Ok(Facts { address, label, label_type, value, entity, others })
    }

    /// Rows without an address say nothing of one.
    pub fn rows(&self, batch: &RecordBatch) -> Result<Found> {
        let there = is_not_null(batch.column(self.address)).map_err(Error::internal)?;
        let batch = filter_record_batch(batch, &there).map_err(Error::internal)?;
        let schema = batch.schema();
        let text = |place: usize| cast(batch.column(place), &DataType::Utf8View);
        let why = |row: usize| {
            let fact = |place: &usize| {
                let field = schema.field(*place);
                (field.name().clone(), cell::value(batch.column(*place), field, row))
            };
            self.others.iter().map(fact).filter(|(_, value)| !value.is_null()).collect()
        };
        Ok(Found {
            address: cast(batch.column(self.address), &DataType::FixedSizeBinary(20))?,
            label: text(self.label)?,
            label_type: text(self.label_type)?,
            entity: match self.entity {
                Some(place) => text(place)?,
                None => Arc::new(StringViewArray::new_null(batch.num_rows())),
            },
            value: cast(batch.column(self.value), &VALUE)?,
            why: (0..batch.num_rows()).map(why).collect(),
        })
    }

    pub fn of_groups(label: &str, label_type: &str, members: &[Member]) -> Result<Found> {
        let hex = |address: &[u8; 20]| format!("0x{}", hex::encode(address));
        let all = |text: &str| -> ArrayRef { Arc::new(StringViewArray::from(vec![text; members.len()])) };
        let addresses = members.iter().map(|member| Some(member.address));
        let sizes = Decimal128Array::from_iter_values(members.iter().map(|member| i128::from(member.size) * 1_000_000));
        let why = |member: &Member| Map::from_iter([("over".to_string(), json!(hex(&member.over)))]);
        Ok(Found {
            address: Arc::new(
                FixedSizeBinaryArray::try_from_sparse_iter_with_size(addresses, 20).map_err(Error::internal)?,
            ),
            label: all(label),
            label_type: all(label_type),
            entity: Arc::new(members.iter().map(|member| Some(hex(&member.group))).collect::<StringViewArray>()),
            value: Arc::new(sizes.with_data_type(VALUE)),
            why: members.iter().map(why).collect(),
        })
    }
}

/// Both places that labels go to. Dropped before its end, it leaves nothing.
pub(crate) struct Output {
    result: ResultWriter,
    set: TableWriter,
    /// Texts that every row has: category, period, rule, job, author.
    same: [String; 5],
    version: i32,
    inputs: Value,
    time: i64,
}

impl Output {
    pub fn new(core: &QueryContext, request: &JobRequest, spec: &Spec, period: &Period) -> Result<Output> {
        let limits = ResultLimits { rows: core.config.result_rows_limit, bytes: core.config.result_bytes_limit };
        let rule = spec.rule;
        let own = request.schemas.own.as_deref().unwrap_or_default();
        let author = own.strip_prefix("user_").unwrap_or(own);
        let same = [rule.category.name(), &period.name, rule.id, &request.id, author].map(str::to_string);
        Ok(Output {
            result: core.results.writer(&request.id, &address_schema(), limits)?,
            set: core.labels.writer(&request.schemas, &spec.set(period))?,
            same,
            version: rule.version,
            inputs: spec.described(),
            time: now(),
        })
    }

    /// Writes labels; answers how many there are so far.
    pub fn write(&mut self, found: Found) -> Result<u64> {
        let rows = found.why.len();
        let [category, period, rule, job, author] =
            self.same.each_ref().map(|text| -> ArrayRef { Arc::new(StringViewArray::from(vec![text.as_str(); rows])) });
        let why = found.why.into_iter().map(|mut facts| {
            facts.insert("inputs".to_string(), self.inputs.clone());
            Some(Value::Object(facts).to_string())
        });
        let source: ArrayRef = Arc::new(StringViewArray::from(vec!["rule"; rows]));
        let times = TimestampMicrosecondArray::from_iter_values(std::iter::repeat_n(self.time, rows));
        let columns: Vec<ArrayRef> = vec![
            found.address,
            found.label,
            found.label_type,
            category,
            found.entity,
            found.value,
            period,
            rule,
            Arc::new(Int32Array::from(vec![self.version; rows])),
            job,
            source,
            author,
            Arc::new(why.collect::<StringViewArray>()),
            Arc::new(times.with_timezone("UTC")),
        ];
        let batch = RecordBatch::try_new(address_schema(), columns).map_err(Error::internal)?;
        self.set.write(&batch)?;
        self.result.write(batch)?;
        Ok(self.result.rows())
    }

    /// Makes the result and then the labels visible; answers how many there are.
    pub fn finish(self) -> Result<u64> {
        let rows = self.result.finish()?;
        self.set.finish()?;
        Ok(rows)
    }
}

/// A column in the type of the table; a number that it can't hold becomes null.
fn cast(column: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let options = CastOptions { safe: true, ..CastOptions::default() };
    match column.data_type() {
        DataType::FixedSizeBinary(20) if *to == DataType::FixedSizeBinary(20) => Ok(Arc::clone(column)),
        DataType::Binary if *to == DataType::FixedSizeBinary(20) => {
            let values = column.as_binary::<i32>().iter();
            Ok(Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(values, 20).map_err(Error::internal)?))
        }
        _ => cast_with_options(column, to, &options).map_err(Error::internal),
    }
}
