import { expect, test } from 'vitest';
import { failure, type Outcome } from '#core/functions/sandbox/outcome.ts';
import { createSandbox } from '#core/functions/sandbox/sandbox.ts';
import { fakePorts } from './fixture/fake-ports.ts';

/* How calls are shared out among processes; those here are none, and do what the test says. */

const echo = (input: string): Outcome => ({ ok: true, text: input });
const readWasm = () => new Uint8Array(1);
const log = () => undefined;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));
const kinds = (outcomes: readonly Outcome[]) => outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.kind));

test('hundreds of groups have their answers from four processes at once', async () => {
  const { start, ports } = fakePorts(echo);
  let most = 0;
  const startIsolate = () => {
    const port = start();
    most = Math.max(most, ports.filter(({ isKilled }) => !isKilled).length);
    return port;
  };
  const sandbox = createSandbox({ startIsolate, readWasm, log });
  const groups = numbers(500);
  const outcomes = await Promise.all(groups.map((group) => sandbox.run(group, 'script', 'f', numbers(1000))));
  for (const told of outcomes) expect(told).toEqual(numbers(1000).map(echo));
  expect(most).toBe(4);
  await sandbox.close();
});

test('groups of which there are more than processes take turns in these, and none is started anew', async () => {
  const { start, ports } = fakePorts(echo);
  const sandbox = createSandbox({ startIsolate: start, readWasm, log });
  for (let round = 0; round < 50; round++)
    for (const group of numbers(16))
      expect(await sandbox.run(group, `script ${group}`, 'f', ['1'])).toEqual([echo('1')]);
  expect(ports).toHaveLength(4);
  expect(ports.map(({ isKilled }) => isKilled)).toEqual([false, false, false, false]);
  await sandbox.close();
});

test('a group has a process of its own while there are enough, and again once there are', async () => {
  const { start, ports } = fakePorts(echo);
  const sandbox = createSandbox({ startIsolate: start, readWasm, log, most: 2 });
  const run = (group: string) => sandbox.run(group, `script ${group}`, 'f', ['1']);
  for (let round = 0; round < 3; round++) for (const group of ['a', 'b']) await run(group);
  expect(ports.map(({ scripts }) => [...scripts])).toEqual([['script a'], ['script b']]);
  await run('c');
  expect(ports.map(({ scripts }) => [...scripts])).toEqual([['script a', 'script c'], ['script b']]);
  // Its own is of c by now, and there is room where that of b has ended.
  ports[1]!.end('Killed by a test.');
  await new Promise((resolve) => setImmediate(resolve));
  await run('a');
  await run('a');
  expect(ports.slice(2).map(({ scripts }) => [...scripts])).toEqual([['script a']]);
  await sandbox.close();
});

test('the call at which a process ends by itself is found, and the others are made', async () => {
  const { start } = fakePorts((input) => (input === '700' ? 'crash' : echo(input)));
  const sandbox = createSandbox({ startIsolate: start, readWasm, log });
  const outcomes = await sandbox.run('group', 'script', 'f', numbers(1000));
  expect(outcomes[700]).toEqual(failure('crashed', 'Its process ended: the log says why.'));
  expect(outcomes.toSpliced(700, 1)).toEqual(numbers(1000).toSpliced(700, 1).map(echo));
  expect(sandbox.counts('group')).toMatchObject({ crashed: 2, failed: 1, calls: 1000 });
  await sandbox.close();
});

test('a process that somebody else ends costs no call', async () => {
  let isFirst = true;
  const { start } = fakePorts((input) => {
    if (input !== '3' || !isFirst) return echo(input);
    isFirst = false;
    return 'crash';
  });
  const sandbox = createSandbox({ startIsolate: start, readWasm, log });
  expect(await sandbox.run('group', 'script', 'f', numbers(10))).toEqual(numbers(10).map(echo));
  await sandbox.close();
});

test('scripts that are changed each time have a group wait, but for those of it that have answered', async () => {
  const { start } = fakePorts((input) => (input === '"hang"' ? 'hang' : echo(input)));
  const sandbox = createSandbox({ startIsolate: start, readWasm, log });
  expect(await sandbox.run('group', 'good', 'f', ['1'])).toEqual([echo('1')]);
  for (const n of numbers(8))
    expect(kinds(await sandbox.run('group', `bad ${n}`, 'f', ['"hang"']))).toEqual(['late']);
  expect(await sandbox.run('group', 'new', 'f', ['1'])).toEqual([
    failure(
      'waiting',
      'Scripts beside this one have kept a process busy without end: it is called again in 1 s.',
    ),
  ]);
  expect(await sandbox.run('group', 'good', 'f', ['2'])).toEqual([echo('2')]);
  expect(await sandbox.run('other', 'new', 'f', ['3'])).toEqual([echo('3')]);
  await sandbox.close();
});

test('what a process says that no process says ends it, and is no outcome', async () => {
  const wrong = [
    { ok: true, text: 7 },
    { ok: true, text: 'a'.repeat(300_000) },
    { ok: false, kind: 'other', message: '' },
    { ok: false, kind: 'late', message: 'a'.repeat(501) },
  ] as unknown as Outcome[];
  for (const outcome of wrong) {
    const { start } = fakePorts(() => outcome);
    const sandbox = createSandbox({ startIsolate: start, readWasm, log });
    expect(await sandbox.run('group', 'script', 'f', ['1'])).toEqual([
      failure('crashed', 'Its process ended: the log says why.'),
    ]);
    await sandbox.close();
  }
  const { start, ports } = fakePorts(echo);
  const sandbox = createSandbox({ startIsolate: start, readWasm, log });
  const running = sandbox.run('group', 'script', 'f', ['1']);
  ports[0]!.say({ type: 'outcomes', number: 1, outcomes: [echo('1'), echo('2')] });
  ports[0]!.say({ type: 'outcomes', number: 9, outcomes: [echo('9')] });
  ports[0]!.say({ type: 'hung', number: 9, index: 0 });
  expect(await running).toEqual([echo('1')]);
  await sandbox.close();
});

test('more calls than may wait are told so at once', async () => {
  const { start } = fakePorts(echo);
  const sandbox = createSandbox({ startIsolate: start, readWasm, log });
  const many = sandbox.run('group', 'script', 'f', numbers(110_000));
  expect(kinds(await sandbox.run('group', 'script', 'f', ['1']))).toEqual(['waiting']);
  expect(kinds(await many).filter((kind) => kind !== 'ok')).toEqual([]);
  expect(kinds(await sandbox.run('group', 'script', 'f', ['1']))).toEqual(['ok']);
  await sandbox.close();
});
