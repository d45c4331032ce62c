/** Hive's functions as the editor offers and explains them: what people reach for, each with an example that runs. */
import type { CatalogueFunction } from '../catalogue';
import { MORE } from './more-functions';

/** Signature, what it gives, example. The name is what stands before the parenthesis. */
export type Entry = readonly [signature: string, doc: string, example: string];

const TEXT: readonly Entry[] = [
  ['concat(a, b, …)', 'Texts put together; null when one is null.', "concat('0x', 'ab')"],
  ['concat_ws(separator, a, …)', 'Texts or arrays of texts with a separator between them; nulls are left out.', "concat_ws('-', 'a', 'b')"],
  ['length(text)', 'Number of characters.', "length('quarry')"],
  ['octet_length(text)', 'Number of bytes in UTF-8.', "octet_length('é')"],
  ['lower(text)', 'In lower case.', "lower('ABC')"],
  ['upper(text)', 'In upper case.', "upper('abc')"],
  ['initcap(text)', 'Every word with a capital.', "initcap('plain words')"],
  ['trim(text)', 'Without blanks at both ends.', "trim('  x ')"],
  ['ltrim(text)', 'Without blanks at the start.', "ltrim('  x')"],
  ['rtrim(text)', 'Without blanks at the end.', "rtrim('x  ')"],
  ['lpad(text, length, pad)', 'Filled up at the start, or cut, to a length.', "lpad('7', 3, '0')"],
  ['rpad(text, length, pad)', 'Filled up at the end, or cut, to a length.', "rpad('7', 3, '0')"],
  ['repeat(text, times)', 'The text so many times.', "repeat('ab', 3)"],
  ['reverse(text)', 'Back to front.', "reverse('abc')"],
  ['replace(text, old, new)', 'Every old part replaced.', "replace('a.b', '.', '-')"],
  ['translate(text, from, to)', 'Each character of `from` becomes the one at its place in `to`.', "translate('abc', 'ab', '12')"],
  ['substr(text, start [, length])', 'A part; counted from 1, from the end when negative.', "substr('quarry', 2, 3)"],
  ['substring(text, start [, length])', 'A part; counted from 1, from the end when negative.', "substring('quarry', -3)"],
  ['substring_index(text, delimiter, count)', 'What stands before the count-th delimiter; after it when negative.', "substring_index('a.b.c', '.', 2)"],
  ['instr(text, part)', 'Where the part begins, from 1; 0 when it is not there.', "instr('quarry', 'r')"],
  ['locate(part, text [, start])', 'Where the part begins, from 1; 0 when it is not there.', "locate('r', 'quarry', 5)"],
  ['split(text, pattern)', 'An array of what stands between the matches of a regular expression.', "split('a,b,c', ',')"],
  ['regexp_extract(text, pattern, group)', 'The part that a group of the regular expression matches.', "regexp_extract('block 123', '([0-9]+)', 1)"],
  ['regexp_replace(text, pattern, new)', 'Every match replaced.', "regexp_replace('a1b2', '[0-9]', '')"],
  ['find_in_set(text, list)', 'Place of a text in a list with commas; 0 when it is not there.', "find_in_set('b', 'a,b,c')"],
  ['ascii(text)', 'Number of the first character.', "ascii('A')"],
  ['chr(number)', 'The character with this number.', 'chr(65)'],
  ['levenshtein(a, b)', 'Changes of single characters that make one text of the other.', "levenshtein('uniswap', 'unisvap')"],
  ['soundex(text)', 'How an English word sounds, as a code.', "soundex('Robert')"],
  ['base64(bytes)', 'Bytes as Base64 text.', "base64(cast('abc' as binary))"],
  ['unbase64(text)', 'The bytes of a Base64 text.', "unbase64('YWJj')"],
  ['hex(value)', 'A number or the bytes of a text in hexadecimal.', 'hex(255)'],
  ['unhex(text)', 'The bytes of a hexadecimal text.', "unhex('4142')"],
  ['mask(text)', 'Capitals become X, small letters x, digits n.', "mask('Ab12')"],
  ['mask_show_last_n(text, n)', 'Masked, apart from the last n characters.', "mask_show_last_n('1234-5678', 4)"],
  ['get_json_object(json, path)', 'What stands at a path of a JSON text, as text; null when there is none.', `get_json_object('{"a":{"b":1}}', '$.a.b')`],
  ['parse_url(url, part [, key])', 'A part of an address: HOST, PATH, QUERY, PROTOCOL, REF …', "parse_url('https://a.io/x?k=1', 'QUERY', 'k')"],
  ['md5(text)', 'MD5 in hexadecimal.', "md5('a')"],
  ['sha1(text)', 'SHA-1 in hexadecimal.', "sha1('a')"],
  ['sha2(text, bits)', 'SHA-2 of 224, 256, 384 or 512 bits in hexadecimal.', "sha2('a', 256)"],
  ['crc32(text)', 'CRC-32 of the bytes.', "crc32('a')"],
  ['hash(a, …)', 'A hash of the values, as Hive buckets by.', "hash('a', 1)"],
];

const TIME: readonly Entry[] = [
  ['current_date()', 'The present day, UTC.', 'current_date()'],
  ['current_timestamp()', 'The present time, UTC.', 'current_timestamp()'],
  ['unix_timestamp([time [, pattern]])', 'Seconds since 1970.', "unix_timestamp('2026-01-01 00:00:00')"],
  ['from_unixtime(seconds [, pattern])', 'Seconds since 1970 as text.', "from_unixtime(1700000000, 'yyyy-MM-dd')"],
  ['to_date(time)', 'The day of a time.', "to_date('2026-03-01 10:00:00')"],
  ['date_format(time, pattern)', 'A time as text, by a pattern of Java.', "date_format('2026-03-01', 'yyyy-MM')"],
  ['date_add(day, days)', 'So many days later.', "date_add('2026-02-27', 2)"],
  ['date_sub(day, days)', 'So many days earlier.', "date_sub('2026-03-01', 1)"],
  ['datediff(end, start)', 'Days from start to end.', "datediff('2026-03-01', '2026-02-01')"],
  ['add_months(day, months)', 'The same day of another month, or its last day.', "add_months('2026-01-31', 1)"],
  ['months_between(a, b)', 'Months from b to a, with a fraction of 31 days.', "months_between('2026-03-15', '2026-01-01')"],
  ['last_day(day)', 'The last day of the month.', "last_day('2026-02-10')"],
  ['next_day(day, weekday)', 'The next such weekday.', "next_day('2026-03-01', 'MO')"],
  ['year(time)', 'The year.', "year('2026-03-01')"],
  ['quarter(time)', 'The quarter, 1 to 4.', "quarter('2026-05-01')"],
  ['month(time)', 'The month, 1 to 12.', "month('2026-03-01')"],
  ['weekofyear(time)', 'The week by ISO 8601.', "weekofyear('2026-03-01')"],
  ['day(time)', 'The day of the month.', "day('2026-03-01')"],
  ['dayofmonth(time)', 'The day of the month.', "dayofmonth('2026-03-01')"],
  ['dayofweek(time)', 'The weekday: 1 is Sunday.', "dayofweek('2026-03-01')"],
  ['hour(time)', 'The hour, 0 to 23.', "hour('2026-03-01 10:30:00')"],
  ['minute(time)', 'The minute.', "minute('2026-03-01 10:30:00')"],
  ['second(time)', 'The second.', "second('2026-03-01 10:30:09')"],
  ['from_utc_timestamp(time, zone)', 'A time of UTC in a time zone.', "from_utc_timestamp('2026-03-01 00:00:00', 'Asia/Shanghai')"],
  ['to_utc_timestamp(time, zone)', 'A time of a time zone in UTC.', "to_utc_timestamp('2026-03-01 08:00:00', 'Asia/Shanghai')"],
];

const name = (signature: string): string => signature.slice(0, signature.indexOf('('));

const entries = (kind: string, list: readonly Entry[]): CatalogueFunction[] =>
  list.map(([signature, doc, example]) => ({ name: name(signature), kind, signature, doc, example: `select ${example}` }));

export const FUNCTIONS: readonly CatalogueFunction[] = [
  ...entries('scalar', TEXT),
  ...entries('scalar', TIME),
  ...entries('scalar', MORE.scalar),
  ...entries('aggregate', MORE.aggregate),
  ...entries('window', MORE.window),
  ...entries('table', MORE.table),
];
