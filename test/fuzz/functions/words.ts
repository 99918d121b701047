const listed = (text: string): readonly string[] => text.split(/ ¦ |\n/);

/** Expressions, as they are written. */
export const VALUES =
  listed(`0 ¦ -0 ¦ 1 ¦ -1 ¦ NaN ¦ Infinity ¦ 2 ** 31 ¦ 2 ** 32 - 1 ¦ 2 ** 53 ¦ 1e308 ¦ 5e-324 ¦ 0n ¦ -1n
2n ** 70n ¦ "" ¦ "a" ¦ "\\ud800" ¦ "__proto__" ¦ "a".repeat(999) ¦ null ¦ undefined ¦ true ¦ []
[1, 2, 3] ¦ [, 1] ¦ {} ¦ x ¦ Symbol.iterator ¦ Symbol("s") ¦ f ¦ () => 1 ¦ class {}
function* () { yield 1 } ¦ async () => 1 ¦ /a(b)?/g ¦ new Date(0) ¦ new Map([[1, 2]])
new Set([1]) ¦ new WeakMap() ¦ new Uint8Array(9) ¦ new Float64Array(3) ¦ new ArrayBuffer(8)
new Error("e") ¦ new Proxy({}, {}) ¦ new Proxy([], { get: () => 1 }) ¦ Object.create(null)
Promise.resolve(1) ¦ globalThis ¦ Array.prototype ¦ { length: 5 } ¦ { length: 1e6 }
"ab".repeat(1e5) ¦ new Array(1e5) ¦ { valueOf: () => 7 } ¦ { toString() { throw 1 } }
{ get a() { return this } } ¦ Object.freeze([1]) ¦ arguments`);

/** Names of what every script has. */
export const OWNERS =
  listed(`Object ¦ Function ¦ Array ¦ String ¦ Number ¦ Boolean ¦ Symbol ¦ BigInt ¦ Math ¦ JSON ¦ Reflect
Date ¦ RegExp ¦ Proxy ¦ Map ¦ Set ¦ WeakMap ¦ WeakSet ¦ WeakRef ¦ ArrayBuffer ¦ DataView
Promise ¦ Error ¦ AggregateError ¦ FinalizationRegistry ¦ Uint8Array ¦ Uint8ClampedArray
Int16Array ¦ Float32Array ¦ Float64Array ¦ BigInt64Array ¦ globalThis ¦ Iterator ¦ console`);

/** Words that may stand in a script, mostly wrongly. */
export const WORDS = [
  ...VALUES,
  ...OWNERS,
  ...listed(`+ ¦ - ¦ * ¦ ** ¦ % ¦ >>> ¦ << ¦ & ¦ | ¦ ?? ¦ ?. ¦ ... ¦ => ¦ = ¦ == ¦ === ¦ , ¦ ; ¦ { ¦ } ¦ (
) ¦ [ ¦ ] ¦ return ¦ throw ¦ yield ¦ await ¦ new ¦ delete ¦ typeof ¦ void ¦ in ¦ of ¦ let
const ¦ var ¦ with ¦ super ¦ this ¦ break ¦ continue ¦ try ¦ catch ¦ finally ¦ switch ¦ static
get ¦ async ¦ import ¦ eval ¦ arguments ¦ new.target ¦ \` ¦ / ¦ #a`),
];

export const OPERATORS = listed(
  `+ ¦ - ¦ * ¦ / ¦ % ¦ & ¦ | ¦ ^ ¦ << ¦ >> ¦ >>> ¦ < ¦ >= ¦ == ¦ !== ¦ = ¦ += ¦ ?? ¦ && ¦ ||`,
);
