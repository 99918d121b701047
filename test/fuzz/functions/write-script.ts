import { Random } from '../files/random.ts';
import { DECODERS } from './decoders.ts';
import { OPERATORS, OWNERS, VALUES, WORDS } from './words.ts';

/** How a script came to be. */
export type Way = 'mutated' | 'spliced' | 'called' | 'grown' | 'odd';

export interface Written {
  readonly way: Way;
  readonly script: string;
  /** JSON of its calls. */
  readonly inputs: readonly string[];
}

const TOKEN =
  /\s+|[A-Za-z_$][\w$]*|\d[\w.]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|=>|[-+*/%&|^<>=!?]+|[^]/g;

/** Returns a script and what it is called with; always the same of a seed. */
export function writeScript(seed: number): Written {
  const random = new Random(seed);
  // Seeds that follow one another begin alike.
  for (let n = 0; n < 3; n++) random.next();
  const way = random.of<Way>([
    'mutated',
    'mutated',
    'spliced',
    'called',
    'called',
    'called',
    'grown',
    'grown',
    'odd',
  ]);
  const script = { mutated, spliced, called, grown, odd }[way](random);
  return { way, script, inputs: Array.from({ length: random.int(1, 3) }, () => inputOf(random)) };
}

function inputOf(random: Random): string {
  if (random.chance(0.1))
    return random.of(['null', '0', '""', '[]', '{}', '{"__proto__":1}', '"a"', 'tru', '{"bytes":1}', '']);
  const bytes = Array.from({ length: random.int(0, 51) }, () => random.int(0, 255));
  return JSON.stringify({
    bytes,
    fPort: random.int(1, 3),
    recvTime: random.chance(0.5) ? 1.7e12 : '2026-01-01T00:00:00Z',
  });
}

function mutated(random: Random, source = random.of(DECODERS)): string {
  const tokens = source.match(TOKEN) ?? [];
  for (let n = random.chance(0.7) ? 1 : random.int(2, 6); n > 0; n--) {
    const at = random.int(0, tokens.length - 1);
    const alike = likeness(random, tokens, tokens[at] ?? '');
    if (alike !== null && random.chance(0.8)) {
      tokens[at] = alike;
      continue;
    }
    const length = random.int(1, 5);
    const kind = random.int(0, 4);
    if (kind === 0) tokens.splice(at, length);
    else if (kind === 1) tokens.splice(at, 0, ...tokens.slice(at, at + length));
    else if (kind === 2) tokens.splice(at, 1, random.of(WORDS));
    else if (kind === 3) tokens.splice(at, 0, ` ${random.of(WORDS)} `);
    else tokens.splice(at, length, ...tokens.slice(random.int(0, tokens.length - 1)).slice(0, length));
  }
  return tokens.join('');
}

/** Returns what may stand in the place of a token, mostly; null where that is the same alone. */
function likeness(random: Random, tokens: readonly string[], token: string): string | null {
  const among = (pattern: RegExp) => random.of(tokens.filter((one) => pattern.test(one)));
  if (/^\d/.test(token)) return random.of(VALUES);
  if (KEYWORD.test(token)) return null;
  if (/^[\w$]/.test(token))
    return random.chance(0.7) ? among(/^[A-Za-z_$](?!.*\breturn)/) : random.of(OWNERS);
  return /^[-+*/%&|^<>=!?]+$/.test(token) && token !== '=>' ? random.of(OPERATORS) : null;
}

const KEYWORD =
  /^(?:break|case|class|const|default|for|function|get|if|let|new|of|return|static|switch|throw|typeof|var|while)$/;

function spliced(random: Random): string {
  const [one, other] = [random.of(DECODERS), random.of(DECODERS)];
  const cut = one.slice(0, random.int(0, one.length)) + other.slice(random.int(0, other.length));
  return random.chance(0.5) ? cut : mutated(random, cut || one);
}

/** Calls functions of the language by any values. */
function called(random: Random): string {
  const lines = Array.from({ length: random.int(1, 8) }, () => {
    const [name, values] = [
      random.of(OWNERS),
      Array.from({ length: random.int(0, 4) }, () => random.of(VALUES)),
    ];
    if (random.chance(0.001)) values[0] = '{ length: 2 ** 53 - 1 }';
    return `at(${name}, ${random.int(0, 99)}, ${random.chance(0.3)}, [${values.join(', ')}]);`;
  });
  return `const out = [];
function at(owner, number, isMade, values) {
  const of = number % 2 === 0 || !owner.prototype ? owner : owner.prototype;
  const names = Reflect.ownKeys(of);
  try {
    const value = of === owner || isMade ? of[names[number % names.length]] : of[names[(number >> 1) % names.length]];
    const made = typeof value !== 'function' ? value : isMade ? Reflect.construct(value, values) : Reflect.apply(value, values[0], values.slice(1));
    out.push(typeof made, String(made).slice(0, 50));
    if (made !== null && typeof made === 'object' && out.length < 40) for (const one of Object.values(made).slice(0, 3)) out.push(typeof one);
  } catch (error) { out.push(String(error).slice(0, 50)); }
}
function f(x) {
  ${lines.join('\n  ')}
  return out;
}`;
}

/** Expressions and statements of any depth. */
function grown(random: Random): string {
  return `var a = 1, b = [1, 2], c = { d: 3 };\nfunction f(x) {\n${block(random, 3)}\nreturn ${expression(random, 3)};\n}`;
}

function block(random: Random, depth: number): string {
  return Array.from({ length: random.int(1, 4) }, () => statement(random, depth)).join('\n');
}

function statement(random: Random, depth: number): string {
  const value = () => expression(random, depth);
  const inner = () => (depth > 0 ? block(random, depth - 1) : ';');
  const name = random.of(['a', 'b', 'c', 'x', 'n']);
  switch (random.int(0, 11)) {
    case 0:
      return `if (${value()}) { ${inner()} } else { ${inner()} }`;
    case 1:
      return `for (let n = 0; n < ${random.int(0, 30)}; n++) { ${inner()} }`;
    case 2:
      return `try { ${inner()} } catch (n) { ${inner()} } finally { ${inner()} }`;
    case 3:
      return `for (const n of ${value()}) { ${inner()} break; }`;
    case 4:
      return `for (const n in ${value()}) { ${inner()} }`;
    case 5:
      return `switch (${value()}) { case ${value()}: ${inner()} default: ${inner()} }`;
    case 6:
      return random.chance(0.02) ? `while (${value()}) { ${inner()} }` : `throw ${value()};`;
    case 7:
      return `{ let { d: n, ...rest } = ${value()}; c = rest; }`;
    case 8:
      return `${random.of(OWNERS)}.${random.of(['prototype', 'a', 'name', 'length'])} = ${value()};`;
    case 9:
      return `Object.defineProperty(${random.of(['a', 'b', 'c', 'globalThis'])}, ${value()}, { get: () => ${value()}, configurable: true });`;
    default:
      return `${name} ${random.of(['=', '+=', '??=', '**='])} ${value()};`;
  }
}

function expression(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.2)) return random.of(['a', 'b', 'c', 'x', 'x.bytes', 'this', ...VALUES]);
  const value = () => expression(random, depth - 1);
  switch (random.int(0, 11)) {
    case 0:
      return `(${value()} ${random.of(['+', '-', '*', '/', '%', '&', '>>>', '<', '==', '===', 'in', 'instanceof', '??', '&&', ','])} ${value()})`;
    case 1:
      return `(${random.of(['!', '-', '~', 'typeof ', 'void ', '+'])}${value()})`;
    case 2:
      return `[${value()}, ...[${value()}]]`;
    case 3:
      return `({ a: ${value()}, [${value()}]: ${value()}, get b() { return ${value()} } })`;
    case 4:
      return `(${value()})?.[${value()}]`;
    case 5:
      return `((n, ...m) => ${value()})(${value()})`;
    case 6:
      return `\`\${${value()}}\``;
    case 7:
      return `new (class { a = ${value()}; static b = ${value()}; #c = 1; has(n) { return #c in n } })()`;
    case 8:
      return `[...(function* () { yield ${value()}; yield* [${value()}]; })()]`;
    case 9:
      return `Reflect.ownKeys(Object(${value()})).slice(0, 5).map(String)`;
    case 10:
      return `String(${value()}).${random.of(['replace(/./g, "$&$`")', 'split("")', 'normalize("NFD")', 'padEnd(99)', 'at(-1)', 'match(/(.)+?/u)'])}`;
    default:
      return `(${value()} ? ${value()} : ${value()})`;
  }
}

/** Characters that no script has, in one that is right. */
function odd(random: Random): string {
  const source = Array.from(random.of(DECODERS));
  for (let n = random.int(1, 20); n > 0; n--) {
    const at = random.int(0, source.length - 1);
    const character = random.chance(0.5)
      ? String.fromCharCode(random.int(0, 0xffff))
      : random.of(['\0', '\ud800', '\u2028', '\\', '(', '`', '"', '/*', '<!--', '\u{10ffff}']);
    source.splice(at, random.int(0, 1), character.repeat(random.chance(0.02) ? 5000 : 1));
  }
  return source.join('');
}
