import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '#core/functions/sandbox/sandbox.ts';
import { openSandbox, withBody } from '../../../helpers/functions/sandbox.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = openSandbox();
});
afterAll(() => sandbox.close());

/** What a function of this body comes to, of each input. */
const run = (body: string, ...inputs: readonly unknown[]) => runScript(withBody(body), ...inputs);
const runScript = (script: string, ...inputs: readonly unknown[]) =>
  sandbox.run(
    'group',
    script,
    'f',
    inputs.map((input) => JSON.stringify(input)),
  );
const one = async (body: string, input: unknown = null) => (await run(body, input))[0];
const value = async (body: string, input: unknown = null) => {
  const outcome = await one(body, input);
  return outcome?.ok ? (JSON.parse(outcome.text) as unknown) : outcome;
};
const fails = (kind: string, message: unknown = expect.any(String)) => ({ ok: false, kind, message });

describe('what a call returns', () => {
  test('is the JSON of each input, in order', async () => {
    const inputs = Array.from({ length: 3000 }, (_, n) => ({ n }));
    const outcomes = await run('return x.n * 2', ...inputs);
    expect(outcomes).toEqual(inputs.map(({ n }) => ({ ok: true, text: String(n * 2) })));
  });

  test('holds any character', async () => {
    const text = '\u0000 "\\ ü € 😀 \u2028 end';
    expect(await value('return [x, x.length]', text)).toEqual([text, text.length]);
    expect(await value('return "\\ud800".length + "\\ud800"')).toBe('1\ud800');
  });

  test.each([
    ['nothing', 'return', 'f returned undefined, which JSON cannot say: it must return a value.'],
    ['a function', 'return f', 'f returned function, which JSON cannot say: it must return a value.'],
    ['a promise', 'return Promise.resolve(1)', 'f returned a promise: it must return its result.'],
    ['a large integer', 'return 1n', expect.stringMatching(/^TypeError: /)],
    ['a circle', 'const a = []; a.push(a); return a', expect.stringMatching(/^TypeError: circular/)],
  ])('is told where it is %s', async (_what, body, message) => {
    expect(await one(body)).toEqual(fails('thrown', message));
  });

  test('is a promise of an async function, which is told', async () => {
    expect(await runScript('async function f() { return 1 }', 1)).toEqual([
      fails('thrown', 'f returned a promise: it must return its result.'),
    ]);
  });

  test('is told with what was thrown and its line', async () => {
    expect(await runScript('function f(x) {\n\n  throw new RangeError("port " + x)\n}', 7)).toEqual([
      fails('thrown', 'RangeError: port 7 (line 3)'),
    ]);
    expect(await one('throw "words"')).toEqual(fails('thrown', 'words'));
    expect(await one('throw Symbol("s")')).toEqual(fails('thrown', 'Symbol(s)'));
    expect(await one('throw { toString() { throw 1 } }')).toEqual(
      fails('thrown', 'It threw what cannot be shown as text.'),
    );
    const long = await one('throw new Error("a".repeat(1e5))');
    expect(long).toEqual(fails('thrown', expect.stringMatching(/^Error: a{400,}.*\(line 1\)$/)));
    expect(long?.ok === false && long.message.length).toBe(500);
  });

  test('may be found as any function that the script declares', async () => {
    for (const script of ['const f = (x) => x', 'var f = (x) => x', 'let f = (x) => x', 'this.f = (x) => x'])
      expect(await runScript(script, 5)).toEqual([{ ok: true, text: '5' }]);
  });
});

describe('a script', () => {
  test('that cannot be read is told with its line', async () => {
    expect(await runScript('function f(x) {\n return ]\n}', 1)).toEqual([
      fails('syntax', expect.stringMatching(/^SyntaxError: .*\(line 2\)$/)),
    ]);
  });

  test('that throws as it is loaded is told, for each call', async () => {
    expect(await runScript('\nnull.x', 1, 2)).toEqual([
      fails('thrown', expect.stringMatching(/^TypeError: .*\(line 2\)$/)),
      fails('thrown', expect.stringMatching(/^TypeError: .*\(line 2\)$/)),
    ]);
  });

  test.each(['g', 'if', 'a b', 'f;g', '', 'f()'])('that has no function %s is told', async (name) => {
    expect(await sandbox.run('group', withBody('return 1'), name, ['1'])).toEqual([fails('missing')]);
  });

  test('that is too long, or its input, is told with the most', async () => {
    const script = `${withBody('return 1')}${' '.repeat(256 * 1024)}`;
    expect(await runScript(script, 1)).toEqual([
      fails('size', expect.stringContaining('262144 is the most')),
    ]);
    expect(await run('return x', 'a'.repeat(1024 * 1024), 2)).toEqual([
      fails('size', expect.stringContaining('1048576 is the most')),
      { ok: true, text: '2' },
    ]);
    expect(await run('return "a".repeat(x)', 262_142, 262_143)).toEqual([
      { ok: true, text: JSON.stringify('a'.repeat(262_142)) },
      fails('size', expect.stringMatching(/^It returned 262145 characters of JSON; 262144 is the most/)),
    ]);
  });
});

describe('what a script can use', () => {
  test('is the language and nothing of the machine', async () => {
    const body = 'return Object.getOwnPropertyNames(globalThis).sort()';
    const names = (await value(body)) as string[];
    expect(names).toEqual(
      expect.arrayContaining(['Map', 'Uint8Array', 'BigInt', 'RegExp', 'Proxy', 'console', 'f']),
    );
    const foreign = [
      'SharedArrayBuffer',
      'Atomics',
      'WebAssembly',
      'process',
      'require',
      'setTimeout',
      'fetch',
    ];
    expect(names.filter((name) => foreign.includes(name))).toEqual([]);
    expect(await one('return import("node:fs")')).toEqual(fails('thrown'));
    expect(await one('return new Function("return typeof process + typeof require")()')).toEqual({
      ok: true,
      text: '"undefinedundefined"',
    });
  });

  test('has a console that says nothing', async () => {
    expect(await value('console.log(x); console.error(1); return typeof console.table', 1)).toBe('function');
  });

  test('has the time of the input, in UTC, and the same chance each time', async () => {
    const body =
      'return [Date.now(), new Date().toString(), new Date(0).getHours(), Math["random"](), Math["random"]()]';
    const [at, unknown, text] = await run(
      body,
      { recvTime: 1767225600000 },
      {},
      { recvTime: '2026-01-01T00:00:00Z' },
    );
    const said = (outcome: typeof at) => (outcome?.ok ? (JSON.parse(outcome.text) as unknown[]) : []);
    expect(said(at).slice(0, 3)).toEqual([1767225600000, 'Thu Jan 01 2026 00:00:00 GMT+0000', 0]);
    expect(said(text)).toEqual(said(at));
    expect(said(unknown).slice(0, 2)).toEqual([0, 'Thu Jan 01 1970 00:00:00 GMT+0000']);
    expect(said(unknown).slice(3)).toEqual(said(at).slice(3));
    expect(said(at)[3]).not.toBe(said(at)[4]);
  });

  test('is the same in every process', async () => {
    const body =
      'return [x, Math["random"](), Date.now(), [3, 1, 2].sort(() => Math["random"]() - 0.5), Object.keys(globalThis)]';
    const first = await run(body, 1, 2);
    const other = openSandbox();
    const second = await other.run('elsewhere', withBody(body), 'f', ['1', '2']);
    await other.close();
    expect(second).toEqual(first);
  });
});

describe('a call begins from the script as it was loaded', () => {
  test.each([
    ['variables', 'var n = 0; function f() { return ++n }', 1],
    ['objects', 'const seen = []; function f(x) { seen.push(x); return seen.length }', 1],
    ['globals', 'function f() { globalThis.n = (globalThis.n ?? 0) + 1; return n }', 1],
    ['prototypes', 'function f() { const was = [].last; Array.prototype.last = 1; return [was ?? 0] }', [0]],
    [
      'the prelude',
      'function f() { const was = JSON.stringify === Object; JSON.stringify = Object; JSON.parse = Object; return was }',
      false,
    ],
    ['regular expressions', 'const r = /a/g; function f() { r.test("aa"); return r.lastIndex }', 1],
    ['chance', 'function f() { return Math.floor(Math["random"]() * 1e9) }', 280835050],
    ['jobs of promises', 'let n = 0; function f() { Promise.resolve().then(() => n++); return n }', 0],
    [
      'memory',
      'let b; function f() { const was = b === undefined; b = new Uint8Array(1e6).fill(7); return was }',
      true,
    ],
  ])('without %s of the one before', async (_what, script, returned) => {
    const outcomes = await runScript(script, 1, 2, 3);
    expect(outcomes).toEqual([1, 2, 3].map(() => ({ ok: true, text: JSON.stringify(returned) })));
    expect(await runScript(script, 4)).toEqual([outcomes[0]]);
  });

  test('also behind one that failed in any way', async () => {
    const script = `let n = 0;
      function f(x) {
        n++;
        if (x === 'thrown') throw new Error(n);
        if (x === 'late') for (;;) n++;
        if (x === 'memory') for (const all = []; ; ) all.push('a'.repeat(1e5) + n++);
        if (x === 'stack') return f(x) + 1;
        return n;
      }`;
    const outcomes = await runScript(script, 'thrown', 1, 'late', 2, 'memory', 3, 'stack', 4);
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.text : outcome.kind))).toEqual([
      'thrown',
      '1',
      'late',
      '1',
      'memory',
      '1',
      'thrown',
      '1',
    ]);
  });

  test('of two scripts in turn, more than are kept', async () => {
    const scripts = Array.from({ length: 80 }, (_, n) => `let n = ${n}; function f(x) { return n += x }`);
    for (const x of [1, 2])
      for (const [n, script] of scripts.entries())
        expect(await runScript(script, x)).toEqual([{ ok: true, text: String(n + x) }]);
  });
});
