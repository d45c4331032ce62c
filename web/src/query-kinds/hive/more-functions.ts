/** Hive's functions of numbers, arrays and maps, aggregates, windows, and those that make rows. */
import type { Entry } from './functions';

const NUMBER: readonly Entry[] = [
  ['abs(x)', 'Without its sign.', 'abs(-3)'],
  ['round(x [, places])', 'Rounded, halves away from zero.', 'round(2.345, 2)'],
  ['bround(x [, places])', 'Rounded, halves to the even number.', 'bround(2.5)'],
  ['floor(x)', 'The next whole number below.', 'floor(2.7)'],
  ['ceil(x)', 'The next whole number above.', 'ceil(2.1)'],
  ['sqrt(x)', 'Square root.', 'sqrt(2)'],
  ['cbrt(x)', 'Cube root.', 'cbrt(27)'],
  ['exp(x)', 'e to the power of x.', 'exp(1)'],
  ['ln(x)', 'Natural logarithm.', 'ln(10)'],
  ['log(base, x)', 'Logarithm to a base.', 'log(2, 8)'],
  ['log2(x)', 'Logarithm to base 2.', 'log2(8)'],
  ['log10(x)', 'Logarithm to base 10.', 'log10(1000)'],
  ['pow(x, y)', 'x to the power of y, as a double.', 'pow(2, 10)'],
  ['factorial(n)', 'n!, for 0 to 20.', 'factorial(5)'],
  ['sign(x)', '-1, 0 or 1.', 'sign(-2)'],
  ['pmod(a, b)', 'The rest of a division, never negative for a positive b.', 'pmod(-7, 3)'],
  ['greatest(a, b, …)', 'The largest; null when one is null.', 'greatest(1, 3, 2)'],
  ['least(a, b, …)', 'The smallest; null when one is null.', 'least(1, 3, 2)'],
  ['conv(number, from, to)', 'A number written in another base.', "conv('ff', 16, 10)"],
  ['bin(n)', 'A number in binary.', 'bin(10)'],
  ['rand()', 'A random number from 0 to 1.', 'rand()'],
  ['pi()', 'π.', 'pi()'],
  ['degrees(x)', 'Radians in degrees.', 'degrees(pi())'],
  ['radians(x)', 'Degrees in radians.', 'radians(180)'],
  ['sin(x)', 'Sine.', 'sin(1)'],
  ['cos(x)', 'Cosine.', 'cos(1)'],
  ['tan(x)', 'Tangent.', 'tan(1)'],
  ['width_bucket(x, low, high, buckets)', 'Which of equally wide buckets x falls into.', 'width_bucket(5, 0, 10, 4)'],
];

const CHOICE: readonly Entry[] = [
  ['if(condition, a, b)', 'a when the condition holds, else b.', "if(1 < 2, 'yes', 'no')"],
  ['coalesce(a, b, …)', 'The first that is not null.', 'coalesce(null, 2)'],
  ['nvl(value, other)', 'The other when the value is null.', 'nvl(null, 0)'],
  ['nullif(a, b)', 'Null when both are equal, else a.', 'nullif(1, 1)'],
  ['isnull(value)', 'Whether it is null.', 'isnull(null)'],
  ['isnotnull(value)', 'Whether it is not null.', 'isnotnull(1)'],
  ['cast(value as type)', 'As another type; null when that can not be done.', "cast('12' as int)"],
];

const NESTED: readonly Entry[] = [
  ['array(a, b, …)', 'An array.', 'array(1, 2, 3)'],
  ['map(key, value, …)', 'A map.', "map('a', 1)"],
  ['struct(a, b, …)', 'A struct of fields without names of their own.', 'struct(1, 2)'],
  ['named_struct(name, value, …)', 'A struct with named fields.', "named_struct('a', 1)"],
  ['size(array or map)', 'Number of elements; -1 for null.', 'size(array(1, 2))'],
  ['array_contains(array, value)', 'Whether the array holds the value.', 'array_contains(array(1, 2), 2)'],
  ['sort_array(array [, ascending])', 'In ascending order, nulls first; in descending order with false.', 'sort_array(array(3, 1), false)'],
  ['array_sort(array [, (a, b) -> number])', 'In ascending order, nulls last, or in the order that a lambda tells.', 'array_sort(array(3, 1, 2), (a, b) -> b - a)'],
  ['array_insert(array, place, item)', 'With one item more at a place, counted from 1, or from -1 at the end.', 'array_insert(array(1, 3), 2, 2)'],
  ['transform(array, (item [, place]) -> value)', 'What a lambda makes of each item; it may name the place too, from 0.', 'transform(array(10, 20), (x, i) -> x + i)'],
  ['filter(array, (item [, place]) -> condition)', 'The items for which a condition holds.', 'filter(array(1, 2, 3), x -> x > 1)'],
  ['aggregate(array, first, (state, item) -> state)', 'One value of all items, one after another.', 'aggregate(array(1, 2, 3), 0, (s, x) -> s + x)'],
  ['all_match(array, item -> condition)', 'Whether a condition holds for all items; forall is the same.', 'all_match(array(1, 2), x -> x > 0)'],
  ['any_match(array, item -> condition)', 'Whether a condition holds for one of the items; exists is the same.', 'any_match(array(1, 2), x -> x > 1)'],
  ['none_match(array, item -> condition)', 'Whether a condition holds for none of the items.', 'none_match(array(1, 2), x -> x > 2)'],
  ['try_element_at(array or map, place or key)', 'The item at a place, counted from 1, or the value of a key; null where there is none.', 'try_element_at(array(1, 2), 5)'],
  ['map_keys(map)', 'The keys as an array.', "map_keys(map('a', 1))"],
  ['map_values(map)', 'The values as an array.', "map_values(map('a', 1))"],
  ['str_to_map(text, between, inside)', 'A map of a text such as a:1,b:2.', "str_to_map('a:1,b:2', ',', ':')"],
  ['from_json(text, type)', 'A JSON text as values of a type.', `from_json('{"a": 1}', 'a INT, b STRING').a`],
];

const AGGREGATE: readonly Entry[] = [
  ['count(x)', 'Rows with a value; count(*) counts all.', 'count(*)'],
  ['sum(x)', 'The sum.', 'sum(1)'],
  ['avg(x)', 'The mean.', 'avg(1)'],
  ['min(x)', 'The smallest.', 'min(1)'],
  ['max(x)', 'The largest.', 'max(1)'],
  ['collect_list(x)', 'All values as an array.', 'collect_list(1)'],
  ['collect_set(x)', 'The different values as an array.', 'collect_set(1)'],
  ['mode(x)', 'The value that there is most often.', 'mode(1)'],
  ['percentile(x, share)', 'The exact percentile of whole numbers.', 'percentile(1, 0.5)'],
  ['percentile_approx(x, share)', 'Here the exact percentile.', 'percentile_approx(1.5, 0.5)'],
  ['stddev_pop(x)', 'Standard deviation of a whole population.', 'stddev_pop(1)'],
  ['stddev_samp(x)', 'Standard deviation of a sample.', 'stddev_samp(1)'],
  ['var_pop(x)', 'Variance of a whole population.', 'var_pop(1)'],
  ['var_samp(x)', 'Variance of a sample.', 'var_samp(1)'],
  ['covar_pop(x, y)', 'Covariance.', 'covar_pop(1, 2)'],
  ['corr(x, y)', 'Correlation of two columns.', 'corr(1, 2)'],
];

const WINDOW: readonly Entry[] = [
  ['row_number()', 'Number of the row in its window.', 'row_number() over (order by 1)'],
  ['rank()', 'Rank with gaps after equal rows.', 'rank() over (order by 1)'],
  ['dense_rank()', 'Rank without gaps.', 'dense_rank() over (order by 1)'],
  ['percent_rank()', 'Rank as a share, 0 to 1.', 'percent_rank() over (order by 1)'],
  ['cume_dist()', 'Share of rows up to this one.', 'cume_dist() over (order by 1)'],
  ['ntile(buckets)', 'Which of equally large parts the row falls into.', 'ntile(4) over (order by 1)'],
  ['lag(x [, rows [, default]])', 'The value so many rows before.', 'lag(1, 1, 0) over (order by 1)'],
  ['lead(x [, rows [, default]])', 'The value so many rows after.', 'lead(1, 1, 0) over (order by 1)'],
  ['first_value(x)', 'The first value of the window.', 'first_value(1) over (order by 1)'],
  ['last_value(x)', 'The last value of the window.', 'last_value(1) over (order by 1)'],
];

const TABLE: readonly Entry[] = [
  ['explode(array or map)', 'One row for each element; with LATERAL VIEW beside the other columns.', 'explode(array(1, 2))'],
  ['explode_outer(array or map)', 'As explode, with a row of nulls for an empty or missing array; posexplode_outer and inline_outer do the same.', 'explode_outer(array(1, 2))'],
  ['posexplode(array)', 'One row for each element, with its place from 0.', 'posexplode(array(5, 6))'],
  ['inline(array of structs)', 'One row for each struct, its fields as columns.', 'inline(array(struct(1, 2)))'],
  ['stack(rows, a, b, …)', 'The values spread over so many rows.', 'stack(2, 1, 2, 3, 4)'],
  ['json_tuple(json, name, …)', 'Several members of a JSON object as columns.', `json_tuple('{"a":1,"b":2}', 'a', 'b')`],
  ['parse_url_tuple(url, part, …)', 'Several parts of an address as columns.', "parse_url_tuple('https://a.io/x', 'HOST', 'PATH')"],
];

export const MORE = { scalar: [...NUMBER, ...CHOICE, ...NESTED], aggregate: AGGREGATE, window: WINDOW, table: TABLE } as const;
