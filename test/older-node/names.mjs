// What a Node offers to programs: every name of its globals, of what they hold and of its modules, a line for each holder.
// `/path/to/node-20 test/older-node/names.mjs > test/older-node/node-20.txt` writes the list that the tests compare with.
import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { builtinModules, createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} Holder
 * @property {string} name such as "Promise", "Promise.prototype" or "node:zlib"
 * @property {object} value
 */

const prototypeOf = Object.getPrototypeOf;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** The globals themselves, and prototypes that neither they nor a module name. */
const HIDDEN = {
  globalThis,
  '%PrivateKeyObject.prototype%': prototypeOf(privateKey),
  '%PublicKeyObject.prototype%': prototypeOf(publicKey),
  '%AsymmetricKeyObject.prototype%': prototypeOf(prototypeOf(privateKey)),
  '%SecretKeyObject.prototype%': prototypeOf(createSecretKey('key', 'utf8')),
  '%IteratorPrototype%': prototypeOf(prototypeOf([][Symbol.iterator]())),
  '%TypedArray%': prototypeOf(Int8Array),
  '%TypedArray.prototype%': prototypeOf(Int8Array.prototype),
};

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {Holder[]} the value where it can hold names, and its prototype where it is a class
 */
function holdersOf(name, value) {
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return [];
  const prototype = /** @type {{ prototype?: unknown }} */ (value).prototype;
  const isClass = typeof value === 'function' && typeof prototype === 'object' && prototype !== null;
  return [{ name, value }, ...(isClass ? [{ name: `${name}.prototype`, value: prototype }] : [])];
}

/** @returns {Holder[]} the globals, and what they are made of */
export function globalHolders() {
  const globals = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (globalThis));
  const found = Object.entries(HIDDEN).map(([name, value]) => ({
    name,
    value: /** @type {object} */ (value),
  }));
  for (const name of Object.getOwnPropertyNames(globalThis))
    // `process` differs from run to run.
    if (!['global', 'globalThis', 'process'].includes(name)) found.push(...holdersOf(name, globals[name]));
  return found;
}

/** @returns {Holder[]} Node's own modules and their classes */
export function moduleHolders() {
  const require = createRequire(import.meta.url);
  // Those left out are deprecated or experimental, and say so when they are loaded.
  const names = builtinModules.filter((name) => !/^(_|node:|punycode|sys|wasi)/.test(name));
  return names.flatMap((name) => {
    const exported = /** @type {Record<string, unknown>} */ (require(`node:${name}`));
    const classes = Object.keys(exported).filter(
      (part) => /^[A-Z]/.test(part) && typeof exported[part] === 'function',
    );
    return [
      { name: `node:${name}`, value: exported },
      ...classes.flatMap((part) => holdersOf(`node:${name}#${part}`, exported[part])),
    ];
  });
}

/**
 * @param {string} text the list, as this script writes it
 * @returns {Map<string, Set<string>>} names by their holder
 */
export function readList(text) {
  return new Map(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const [holder = '', ...names] = line.split(' ');
        return [holder, new Set(names)];
      }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lines = [...globalHolders(), ...moduleHolders()].map(({ name, value }) =>
    [name, ...Object.getOwnPropertyNames(value).toSorted()].join(' '),
  );
  console.log([...new Set(lines)].toSorted().join('\n'));
}
