import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '#core/functions/sandbox/sandbox.ts';
import type { Outcome } from '#core/functions/sandbox/outcome.ts';
import { openSandbox, withBody } from '../../../helpers/functions/sandbox.ts';

/* Each attack runs beside a script of another group and another script of its own group, which have to answer rightly. */

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = openSandbox();
});
afterAll(() => sandbox.close());

const BYSTANDER = withBody('return { double: x * 2, sum: [1, 2, 3].reduce((a, b) => a + b, x) }');
const right = (x: number): Outcome => ({ ok: true, text: JSON.stringify({ double: x * 2, sum: 6 + x }) });

let groups = 0;

/** What an attack came to; two calls of it, with a bystander's call before, beside and behind. */
async function attack(script: string, group = 'attacker'): Promise<readonly Outcome[]> {
  const beside = [
    sandbox.run('bystander', BYSTANDER, 'f', ['1', '2']),
    sandbox.run(group, script, 'f', ['1', '2']),
    sandbox.run(group, BYSTANDER, 'f', ['3', '4']),
    sandbox.run('bystander', BYSTANDER, 'f', ['5']),
  ] as const;
  const [first, outcomes, own, last] = await Promise.all(beside);
  expect(first).toEqual([right(1), right(2)]);
  expect(own).toEqual([right(3), right(4)]);
  expect(last).toEqual([right(5)]);
  expect(outcomes).toHaveLength(2);
  return outcomes;
}

/** Kinds of what a body came to. */
const kinds = (outcomes: readonly Outcome[]) => outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.kind));

describe('a loop without end comes to late, where the engine looks', () => {
  test.each([
    ['a loop', 'for (;;);'],
    ['a loop that catches all', 'for (;;) try { for (;;); } catch {} finally { continue }'],
    ['a generator', 'function* g() { for (;;) yield 1 } for (const n of g());'],
    ['a getter of the result', 'return { get a() { for (;;); } }'],
    ['toJSON', 'return { toJSON() { for (;;); } }'],
    ['toString of what is thrown', 'throw { message: { toString() { for (;;); } }, name: 1 }'],
    ['a name of what is thrown', 'throw { get name() { for (;;); } }'],
    ['a Proxy as the result', 'return new Proxy({}, { ownKeys() { for (;;); } })'],
    ['a comparison in sort', '[3, 2, 1].sort(() => { for (;;); })'],
    ['a regular expression that tries all', 'return /^(a+)+$/.test("a".repeat(40) + "b")'],
    ['a replacement', 'return "a".replace(/a/, () => { for (;;); })'],
    ['eval', 'eval("for (;;);")'],
    ['a function from text', 'new Function("for (;;);")()'],
    ['a then of the result', 'return { get then() { for (;;); } }'],
    [
      'a map that grows',
      'const m = new Map([[0, 0]]); for (const [n] of m) { m.delete(n); m.set(n + 1, 0) }',
    ],
  ])('%s', async (_what, body) => {
    const [first] = await attack(withBody(body));
    expect(first).toMatchObject({ ok: false, kind: 'late' });
  });

  test('the top of a script', async () => {
    expect(kinds(await attack('for (;;);'))).toEqual(['late', 'late']);
  });

  test('a getter in the place of the function', async () => {
    const script = 'Object.defineProperty(globalThis, "f", { get() { for (;;); } })';
    expect(kinds(await attack(script))).toEqual(['late', 'late']);
  });
});

describe('a loop without end in the engine’s own functions is killed, and the call behind it is made', () => {
  test.each([
    ['indexOf of what is no array', '[].indexOf.call({ length: 2 ** 53 - 1 }, 9)'],
    ['includes of a Proxy without traps', '[].includes.call(new Proxy({ length: 2 ** 53 - 1 }, {}), 9)'],
    ['an array of holes as text', 'new Array(4e9).toString()'],
    ['join of nothing', '[].join.call({ length: 2 ** 53 - 1 }, "")'],
    ['lastIndexOf', '[].lastIndexOf.call({ length: 2 ** 53 - 1 }, 9)'],
    ['reverse of what is no array', '[].reverse.call({ length: 2 ** 53 - 1 })'],
    ['a power', 'let n = 3n; for (;;) n *= n'],
  ])('%s', async (_what, body) => {
    const group = `native ${++groups}`;
    const outcomes = await attack(withBody(`if (x === 1) { ${body} } return x`), group);
    expect(outcomes[1]).toEqual({ ok: true, text: '2' });
    expect(['late', 'memory', 'thrown']).toContain(kinds(outcomes)[0]);
  });

  test('is counted', async () => {
    const group = `native ${++groups}`;
    // Processes of others that have nothing to do would be used again.
    await sandbox.close();
    sandbox = openSandbox();
    const script = withBody('if (x === 1) [].indexOf.call({ length: 2 ** 53 - 1 }, 9); return x');
    expect(kinds(await attack(script, group))).toEqual(['late', 'ok']);
    expect(sandbox.counts(group)).toMatchObject({ killed: 1, started: 2, calls: 4, failed: 1 });
  });
});

describe('what grows comes to memory', () => {
  test.each([
    ['a text', 'let s = "a"; for (;;) s += s'],
    ['texts', 'const all = []; for (;;) all.push("a".repeat(1e6) + all.length)'],
    ['an array', 'const all = []; for (;;) all.push(all, all, all, all)'],
    ['arrays at once', 'const all = []; for (;;) all.push(new Array(1e5).fill(all))'],
    ['bytes', 'const all = []; for (;;) all.push(new Uint8Array(1e6))'],
    ['a buffer of all', 'new ArrayBuffer(2 ** 31 - 1)'],
    ['padding', '"".padEnd(2 ** 30 - 1, "ab")'],
    ['a map', 'const map = new Map(); for (let n = 0; ; n++) map.set("a".repeat(999) + n, new Array(99))'],
    ['what a regular expression finds', '"a".repeat(3e6).split("")'],
    [
      'texts in a circle of catching',
      'const all = []; for (;;) try { for (;;) all.push("a".repeat(1e6) + all.length) } catch (e) { if (all.length > 3) throw e }',
    ],
  ])('%s', async (_what, body) => {
    const outcomes = await attack(withBody(body));
    // A text beyond the longest is told by the engine's own words.
    for (const outcome of outcomes)
      expect(['memory', 'thrown', 'late']).toContain(outcome.ok || outcome.kind);
  });

  test('as it is loaded, too', async () => {
    expect(kinds(await attack('const all = []; for (;;) all.push("a".repeat(1e5) + all.length)'))).toEqual([
      'memory',
      'memory',
    ]);
  });

  test('or to size, where it would leave', async () => {
    expect(kinds(await attack(withBody('return "a".repeat(5e6)')))).toEqual(['size', 'size']);
    expect(kinds(await attack(withBody('return new Array(2e5).fill(1234)')))).toEqual(['size', 'size']);
  });
});

describe('nesting without end comes to an error of the script', () => {
  test.each([
    ['calls', 'return f(x) + 1'],
    ['calls by functions of the engine', 'return [1].map(f)'],
    ['reading', 'JSON.parse("[".repeat(1e6))'],
    ['writing', 'let a = []; for (let n = 0; n < 1e4; n++) a = [a]; return a'],
    ['source', 'eval("(".repeat(1e5))'],
    ['source of arrays', 'eval("[".repeat(1e5))'],
    ['source of functions', 'eval("()=>".repeat(1e5) + "1")'],
    ['a regular expression', 'new RegExp("(?:".repeat(1e5))'],
    ['proxies', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.a'],
    ['proxies around proxies', 'let p = {}; for (let n = 0; n < 1e5; n++) p = new Proxy(p, {}); return p.a'],
    [
      'prototypes',
      'let o = {}; for (let n = 0; n < 1e5; n++) o = Object.create(o); return { a: o.a ?? 1, o: f(x) }',
    ],
    ['text of text', 'const o = { toString: () => "" + o }; return "" + o'],
    ['bound functions', 'let g = f; for (let n = 0; n < 1e5; n++) g = g.bind(null); return g(x)'],
  ])('%s', async (_what, body) => {
    for (const kind of kinds(await attack(withBody(body))))
      expect(['thrown', 'late', 'memory']).toContain(kind);
  });
});

describe('games with what every script has', () => {
  test('change nothing of how a call is made and what becomes of it', async () => {
    const script = `
      for (const of of [JSON, Reflect, Math, String.prototype, RegExp.prototype, Array.prototype, Object, Function.prototype, Promise.prototype])
        for (const name of Object.getOwnPropertyNames(of))
          try { of[name] = () => 'mine' } catch {}
      Object.prototype.toJSON = undefined;
      globalThis.Date = globalThis.JSON = globalThis.Error = globalThis.InternalError = undefined;
      function f(x) { if (x === 1) throw { name: 'Mine', message: 'words' }; return { x } }`;
    expect(await attack(script)).toEqual([
      { ok: false, kind: 'thrown', message: 'Mine: words' },
      { ok: true, text: '{"x":2}' },
    ]);
  });

  test('cannot make the engine’s marks', async () => {
    expect(await attack(withBody('return { toJSON: () => "S1" }'))).toEqual(
      [1, 2].map(() => ({ ok: true, text: '"S1"' })),
    );
    expect(await attack(withBody('throw "out of memory"'))).toEqual(
      [1, 2].map(() => ({ ok: false, kind: 'thrown', message: 'out of memory' })),
    );
  });

  test('reach no function or object of the host', async () => {
    const script = withBody(`
      const seen = new Set();
      const found = [];
      const look = (value, path) => {
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
        seen.add(value);
        for (const key of Reflect.ownKeys(value)) {
          const { value: inner, get, set } = Reflect.getOwnPropertyDescriptor(value, key);
          if (/^(process|require|module|window|fs|os|std|Atomics|SharedArrayBuffer|WebAssembly|scriptArgs|print|load|setTimeout|postMessage)$/.test(String(key))) found.push(path + '.' + String(key));
          for (const next of [inner, get, set]) look(next, path + '.' + String(key));
        }
        look(Object.getPrototypeOf(value), path + '.[[Prototype]]');
      };
      look(globalThis, 'globalThis');
      look((function () { return this })(), 'this');
      look(f.constructor, 'constructor');
      return [found, seen.size > 500]`);
    expect(await attack(script)).toEqual([1, 2].map(() => ({ ok: true, text: '[[],true]' })));
  });

  test('with promises that never end are dropped', async () => {
    const script = withBody(
      'const again = () => Promise.resolve().then(again); again(); (async () => { for (;;) await 1 })(); return x',
    );
    expect(await attack(script)).toEqual([1, 2].map((x) => ({ ok: true, text: String(x) })));
  });
});

test('thousands of calls at once have one outcome each, in order', async () => {
  const scripts = [
    withBody('return x'),
    withBody('throw new Error(x)'),
    withBody('if (x % 500 === 7) for (;;); return -x'),
    withBody('return "a".repeat(x)'),
  ];
  const calls = Array.from({ length: 4000 }, (_, n) => n);
  const outcomes = await Promise.all(
    calls.map(async (n) => {
      const group = `crowd ${n % 3}`;
      const [outcome] = await sandbox.run(group, scripts[n % 4]!, 'f', [JSON.stringify(n)]);
      return outcome!;
    }),
  );
  for (const [n, outcome] of outcomes.entries()) {
    const expected = [
      { ok: true, text: String(n) },
      { ok: false, kind: 'thrown', message: `Error: ${n} (line 1)` },
      n % 500 === 7 ? expect.objectContaining({ ok: false, kind: 'late' }) : { ok: true, text: String(-n) },
      { ok: true, text: JSON.stringify('a'.repeat(n)) },
    ][n % 4];
    expect(outcome).toEqual(expected);
  }
});
