// Removes what reaches outside a job, or makes its answer depend on when and where it runs. It runs before a script; `random`
// returns numbers that follow from a seed, `globals` are there besides the language. It returns the function that makes lists
// of values.
(random, globals) => {
  const define = (object, name, value) => Object.defineProperty(object, name, { value, writable: true, configurable: true });

  // What stays; everything else is removed: what waits (Promise, Atomics), what observes (Proxy), what reads the clock or
  // memory.
  const kept = new Set([
    'Object', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Math', 'JSON', 'Map', 'Set', 'WeakMap', 'WeakSet',
    'Date', 'RegExp', 'Reflect', 'Iterator', 'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError',
    'SyntaxError', 'TypeError', 'URIError', 'InternalError', 'ArrayBuffer', 'DataView', 'Int8Array', 'Uint8Array',
    'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array',
    'Float16Array', 'Float32Array', 'Float64Array', 'isNaN', 'isFinite', 'parseInt', 'parseFloat', 'NaN', 'Infinity',
    'undefined', 'globalThis', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent',
  ]);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!kept.has(name)) delete globalThis[name];
  }

  const noCode = function () {
    throw new TypeError("code can't be generated from strings here");
  };
  const functions = [function () {}, function* () {}, async function () {}, async function* () {}];
  for (const one of functions) define(Object.getPrototypeOf(one), 'constructor', noCode);

  define(Math, 'random', random);

  // A time is always given, and always UTC.
  const Time = Date;
  const read = (text) => {
    const iso = text.trim().replace(' ', 'T');
    const zoned = !iso.includes('T') || /(Z|[+-]\d\d:?\d\d)$/i.test(iso);
    return Time.parse(zoned ? iso : iso + 'Z');
  };
  const SafeDate = function Date(...parts) {
    if (!new.target || parts.length === 0) throw new TypeError('there is no clock here: pass a time to new Date(...)');
    if (parts.length > 1) return Reflect.construct(Time, [Time.UTC(...parts)], new.target);
    const [time] = parts;
    return Reflect.construct(Time, [typeof time === 'string' ? read(time) : time], new.target);
  };
  define(SafeDate, 'UTC', Time.UTC);
  define(SafeDate, 'parse', (text) => read(String(text)));
  SafeDate.prototype = Time.prototype;
  define(Time.prototype, 'constructor', SafeDate);
  for (const part of ['Date', 'Day', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds']) {
    for (const verb of ['get', 'set']) {
      const utc = Time.prototype[`${verb}UTC${part}`];
      if (utc) define(Time.prototype, verb + part, utc);
    }
  }
  define(Time.prototype, 'getTimezoneOffset', () => 0);
  for (const name of ['toString', 'toDateString', 'toTimeString', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    define(Time.prototype, name, Time.prototype.toISOString);
  }
  globalThis.Date = SafeDate;

  // The engine does not check the time in these, however long a list is.
  const longest = 10_000_000;
  const walking = [
    'concat', 'copyWithin', 'fill', 'flat', 'flatMap', 'join', 'reverse', 'shift', 'slice', 'sort', 'splice', 'toReversed',
    'toSorted', 'toSpliced', 'toString', 'toLocaleString', 'unshift', 'with',
  ];
  for (const name of walking) {
    const original = Array.prototype[name];
    const fits = (list) => Array.isArray(list) && list.length <= longest;
    const spread = (item) => Array.isArray(item) || (typeof item === 'object' && item !== null && Symbol.isConcatSpreadable in item);
    const bounded = function (...given) {
      const lists = name === 'concat' ? given.filter(spread) : [];
      if (!fits(this) || !lists.every(fits)) {
        throw new TypeError(`${name} supports lists of at most ${longest} items`);
      }
      return Reflect.apply(original, this, given);
    };
    define(Array.prototype, name, bounded);
  }

  // Its list may be endless, and the time is not checked in it.
  delete String.raw;

  // Nor in a search for one long text in another.
  const compared = 1e9;
  for (const name of ['includes', 'indexOf', 'lastIndexOf', 'replace', 'replaceAll', 'split']) {
    const original = String.prototype[name];
    const bounded = function (...given) {
      const [sought] = given;
      if (typeof sought === 'string' && sought.length * String(this).length > compared) {
        throw new RangeError(`${name} can compare strings of at most ${compared} pairs of characters`);
      }
      return Reflect.apply(original, this, given);
    };
    define(String.prototype, name, bounded);
  }

  // The values of one key, pulled from the operator a few hundred at a time.
  const values = function* (pull, group) {
    for (let some = pull(group); some !== undefined; some = pull(group)) {
      for (let at = 0; at < some.length; at++) yield some[at];
    }
  };

  // Nothing of the language can be changed: one call leaves nothing for the next one. Errors keep names of their own.
  const seen = new Set([globalThis]);
  const freeze = (value) => {
    const held = value !== null && (typeof value === 'object' || typeof value === 'function');
    if (!held || seen.has(value)) return;
    seen.add(value);
    const isError = value === Error.prototype || value instanceof Error;
    if (isError) Object.seal(value);
    else Object.freeze(value);
    for (const key of Reflect.ownKeys(value)) {
      const property = Reflect.getOwnPropertyDescriptor(value, key);
      freeze(property.value);
      freeze(property.get);
      freeze(property.set);
    }
    freeze(Reflect.getPrototypeOf(value));
  };
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    freeze(globalThis[name]);
    const property = Reflect.getOwnPropertyDescriptor(globalThis, name);
    if (property.configurable) Object.defineProperty(globalThis, name, { writable: false });
  }
  functions.forEach(freeze);
  freeze([][Symbol.iterator]());
  freeze(''[Symbol.iterator]());
  freeze(new Map().entries());
  freeze(new Set().values());
  freeze(''.matchAll(/x/g));
  freeze(values);

  for (const name of Object.keys(globals)) {
    freeze(globals[name]);
    globalThis[name] = globals[name];
  }
  return values;
}
