//! Writes the labels of a rule to the result of the job and to the set of the rule.

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

/// Labels of a batch.
pub(crate) struct LabelBatch {
    address: ArrayRef,
    label: ArrayRef,
    label_type: ArrayRef,
    entity: ArrayRef,
    value: ArrayRef,
    why: Vec<Map<String, Value>>,
}

/// Indices of the columns of a rule.
pub(crate) struct Facts {
    address: usize,
    label: usize,
    label_type: usize,
    value: usize,
    entity: Option<usize>,
    others: Vec<usize>,
}

impl Facts {
    pub fn new(schema: &SchemaRef) -> Result<Facts> {
        let find = |name: &str| schema.fields().iter().position(|field| field.name() == name);
        let required = |name: &str| find(name).ok_or_else(|| Error::internal(format!("a rule's rows have no {name}")));
        let (address, label) = (required("address")?, required("label")?);
        let (label_type, value, entity) = (required("label_type")?, required("value")?, find("entity"));
        let named = [Some(address), Some(label), Some(label_type), Some(value), entity];
        let others = (0..schema.fields().len()).filter(|index| !named.contains(&Some(*index))).collect();
        Ok(Facts { address, label, label_type, value, entity, others })
    }

    /// Converts a batch, without rows that have no address.
    pub fn rows(&self, batch: &RecordBatch) -> Result<LabelBatch> {
        let has_address = is_not_null(batch.column(self.address))?;
        let batch = filter_record_batch(batch, &has_address)?;
        let schema = batch.schema();
        let text = |index: usize| cast(batch.column(index), &DataType::Utf8View);
        let why = |row: usize| {
            let fact = |index: &usize| {
                let field = schema.field(*index);
                (field.name().clone(), cell::value(batch.column(*index), field, row))
            };
            self.others.iter().map(fact).filter(|(_, value)| !value.is_null()).collect()
        };
        Ok(LabelBatch {
            address: cast(batch.column(self.address), &DataType::FixedSizeBinary(20))?,
            label: text(self.label)?,
            label_type: text(self.label_type)?,
            entity: match self.entity {
                Some(index) => text(index)?,
                None => Arc::new(StringViewArray::new_null(batch.num_rows())),
            },
            value: cast(batch.column(self.value), &VALUE)?,
            why: (0..batch.num_rows()).map(why).collect(),
        })
    }

    /// The labels of the members of groups.
    pub fn of_groups(label: &str, label_type: &str, members: &[Member]) -> Result<LabelBatch> {
        let hex = |address: &[u8; 20]| format!("0x{}", hex::encode(address));
        let all = |text: &str| -> ArrayRef { Arc::new(StringViewArray::from(vec![text; members.len()])) };
        let addresses = members.iter().map(|member| Some(member.address));
        let sizes = Decimal128Array::from_iter_values(members.iter().map(|member| i128::from(member.size) * 1_000_000));
        let why = |member: &Member| Map::from_iter([("over".to_string(), json!(hex(&member.over)))]);
        Ok(LabelBatch {
            address: Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(addresses, 20)?),
            label: all(label),
            label_type: all(label_type),
            entity: Arc::new(members.iter().map(|member| Some(hex(&member.group))).collect::<StringViewArray>()),
            value: Arc::new(sizes.with_data_type(VALUE)),
            why: members.iter().map(why).collect(),
        })
    }
}

/// Writers of the result and the set. Nothing is written if it is dropped before `finish`.
pub(crate) struct Output {
    result: ResultWriter,
    set: TableWriter,
    /// Columns with one value: category, period, rule, job, author.
    constants: [String; 5],
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
        let constants = [rule.category.name(), &period.name, rule.id, &request.id, author].map(str::to_string);
        Ok(Output {
            result: core.results.writer(&request.id, &address_schema(), limits)?,
            set: core.labels.writer(&request.schemas, &spec.set(period))?,
            constants,
            version: rule.version,
            inputs: spec.described(),
            time: now(),
        })
    }

    /// Writes labels and returns how many there are so far.
    pub fn write(&mut self, labels: LabelBatch) -> Result<u64> {
        let rows = labels.why.len();
        let [category, period, rule, job, author] = self
            .constants
            .each_ref()
            .map(|text| -> ArrayRef { Arc::new(StringViewArray::from(vec![text.as_str(); rows])) });
        let why = labels.why.into_iter().map(|mut facts| {
            facts.insert("inputs".to_string(), self.inputs.clone());
            Some(Value::Object(facts).to_string())
        });
        let source: ArrayRef = Arc::new(StringViewArray::from(vec!["rule"; rows]));
        let times = TimestampMicrosecondArray::from_iter_values(std::iter::repeat_n(self.time, rows));
        let columns: Vec<ArrayRef> = vec![
            labels.address,
            labels.label,
            labels.label_type,
            category,
            labels.entity,
            labels.value,
            period,
            rule,
            Arc::new(Int32Array::from(vec![self.version; rows])),
            job,
            source,
            author,
            Arc::new(why.collect::<StringViewArray>()),
            Arc::new(times.with_timezone("UTC")),
        ];
        let batch = RecordBatch::try_new(address_schema(), columns)?;
        self.set.write(&batch)?;
        self.result.write(batch)?;
        Ok(self.result.rows())
    }

    /// Makes the result and the labels visible and returns how many there are.
    pub fn finish(self) -> Result<u64> {
        let rows = self.result.finish()?;
        self.set.finish()?;
        Ok(rows)
    }
}

/// Casts a column to the type of the table; numbers that do not fit become null.
fn cast(column: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let options = CastOptions { safe: true, ..CastOptions::default() };
    match column.data_type() {
        DataType::FixedSizeBinary(20) if *to == DataType::FixedSizeBinary(20) => Ok(Arc::clone(column)),
        DataType::Binary if *to == DataType::FixedSizeBinary(20) => {
            let values = column.as_binary::<i32>().iter();
            Ok(Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(values, 20)?))
        }
        _ => cast_with_options(column, to, &options).map_err(Error::internal),
    }
}
