import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { forkIsolates, permissions } from '#core/functions/sandbox/fork-isolate.ts';
import type { Outcome } from '#core/functions/sandbox/outcome.ts';
import type { Sandbox, SandboxOptions } from '#core/functions/sandbox/sandbox.ts';
import { openSandbox, startIsolate, withBody } from '../../../helpers/functions/sandbox.ts';

const open: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});
function start(options?: Partial<SandboxOptions>): Sandbox {
  const sandbox = openSandbox(options);
  open.push(sandbox);
  return sandbox;
}

const HANG = '[].indexOf.call({ length: 2 ** 53 - 1 }, 9)';
const ECHO = withBody('return x');
const echoed = (x: unknown): Outcome => ({ ok: true, text: JSON.stringify(x) });
const kinds = (outcomes: readonly Outcome[]) => outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.kind));

describe('a call that does not end', () => {
  test('is the only one of its batch that is late; the others are made', async () => {
    const sandbox = start();
    const inputs = Array.from({ length: 1000 }, (_, n) => String(n));
    const script = withBody(`if (x === 600) ${HANG}; return x`);
    const outcomes = await sandbox.run('group', script, 'f', inputs);
    expect(outcomes.filter((outcome) => !outcome.ok)).toEqual([
      { ok: false, kind: 'late', message: 'It did not end, and its process was killed.' },
    ]);
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.text : '600'))).toEqual(inputs);
    expect(sandbox.counts('group')).toEqual({
      calls: 1000,
      failed: 1,
      waiting: 0,
      killed: 1,
      crashed: 0,
      started: 2,
    });
  });

  test('again has its script wait, and no other one of its group', async () => {
    const sandbox = start({ firstWaitMs: 60_000 });
    const script = withBody(`if (x === 1) ${HANG}; return x`);
    expect(kinds(await sandbox.run('group', script, 'f', ['1', '2']))).toEqual(['late', 'ok']);
    expect(kinds(await sandbox.run('group', script, 'f', ['0', '1', '2']))).toEqual([
      'ok',
      'late',
      'waiting',
    ]);
    const [refused] = await sandbox.run('group', script, 'f', ['2']);
    expect(refused).toMatchObject({
      ok: false,
      kind: 'waiting',
      message: expect.stringMatching(/again in \d+ s\.$/),
    });
    expect(await sandbox.run('group', ECHO, 'f', ['3'])).toEqual([echoed(3)]);
    expect(await sandbox.run('other', script, 'f', ['4'])).toEqual([echoed(4)]);
  });

  test('has its script called again once it has waited', async () => {
    const sandbox = start({ firstWaitMs: 50 });
    const script = withBody(`if (x === 1) ${HANG}; return x`);
    for (let n = 0; n < 2; n++) await sandbox.run('group', script, 'f', ['1']);
    await expect.poll(() => sandbox.run('group', script, 'f', ['5'])).toEqual([echoed(5)]);
  });
});

describe('a process that ends by itself', () => {
  test('says why where it could not be started, and whoever calls next is told so', async () => {
    const logged: string[] = [];
    const sandbox = start({
      startIsolate: forkIsolates({ script: join(import.meta.dirname, 'none.ts') }),
      log: (line) => void logged.push(line),
    });
    const first = await sandbox.run('group', ECHO, 'f', ['1', '2']);
    expect(kinds(first)).toEqual(['crashed', 'crashed']);
    expect(first[0]).toMatchObject({
      message: 'The process for functions could not be started: the log says why.',
    });
    expect(logged).toEqual([
      expect.stringMatching(/^A process for functions could not be started\. .*none\.ts/s),
    ]);
    expect(kinds(await sandbox.run('group', ECHO, 'f', ['1']))).toEqual(['crashed']);
    const [third] = await sandbox.run('group', ECHO, 'f', ['1']);
    expect(third).toMatchObject({
      kind: 'waiting',
      message: 'No process for functions can be started: the log says why.',
    });
  });

  test('says so where nothing can be started at all, and where the engine is missing', async () => {
    const refuse = () => {
      throw new Error('spawn EAGAIN');
    };
    for (const options of [{ startIsolate: refuse }, { readWasm: refuse }]) {
      const logged: string[] = [];
      const sandbox = start({ ...options, log: (line) => void logged.push(line) });
      const [outcome] = await sandbox.run('group', ECHO, 'f', ['1']);
      expect(logged).toEqual(['A process for functions could not be started. spawn EAGAIN']);
      expect(outcome).toEqual({
        ok: false,
        kind: 'crashed',
        message: 'The process for functions could not be started: the log says why.',
      });
    }
  });

  test('gets an engine that is none', async () => {
    const logged: string[] = [];
    const sandbox = start({
      readWasm: () => new Uint8Array([0, 0x61, 0x73, 0x6d, 9]),
      log: (line) => void logged.push(line),
    });
    const [outcome] = await sandbox.run('group', ECHO, 'f', ['1']);
    expect(outcome).toMatchObject({ kind: 'crashed' });
    expect(logged.join('')).toContain('CompileError');
  });
});

describe('processes', () => {
  test('are at most so many, and groups share them', async () => {
    let running = 0;
    let most = 0;
    const sandbox = start({
      most: 2,
      startIsolate: counted((change) => (most = Math.max(most, (running += change)))),
    });
    const groups = Array.from({ length: 10 }, (_, n) => n);
    const outcomes = await Promise.all(
      groups.map((n) => sandbox.run(`group ${n}`, ECHO, 'f', [String(n), String(-n)])),
    );
    expect(outcomes).toEqual(groups.map((n) => [echoed(n), echoed(-n || 0)]));
    expect(most).toBe(2);
  });

  test('of a group that has much to do make room for others', async () => {
    const sandbox = start({ most: 1 });
    const order: string[] = [];
    const inputs = Array.from({ length: 5000 }, (_, n) => String(n));
    const run = async (group: string, given: readonly string[]) => {
      const outcomes = await sandbox.run(group, ECHO, 'f', given);
      order.push(group);
      return outcomes;
    };
    const [long, short] = await Promise.all([run('long', inputs), run('short', ['1'])]);
    expect(short).toEqual([echoed(1)]);
    expect(long.map((outcome) => outcome.ok && outcome.text)).toEqual(inputs);
    expect(order).toEqual(['short', 'long']);
  });

  test('that groups share keep nothing of one for another, and what one of them does costs the others nothing', async () => {
    let started = 0;
    const sandbox = start({ most: 1, startIsolate: counted((change) => (started += Math.max(0, change))) });
    const leaves =
      'globalThis.left = 7; Array.prototype.left = 7; var left2 = 7; function f(x) { globalThis.left3 = x; JSON.parse = null; return x }';
    const finds = withBody('return [typeof left, typeof [].left, typeof left2, typeof left3, x]');
    for (const n of [1, 2, 3]) {
      expect(await sandbox.run('one', leaves, 'f', [String(n)])).toEqual([echoed(n)]);
      expect(await sandbox.run('other', finds, 'f', [String(n)])).toEqual([
        echoed(['undefined', 'undefined', 'undefined', 'undefined', n]),
      ]);
    }
    expect(started).toBe(1);
    const [late, ...others] = await Promise.all([
      sandbox.run('one', withBody(HANG), 'f', ['1']),
      sandbox.run('other', finds, 'f', ['4']),
      sandbox.run('third', ECHO, 'f', ['5', '6']),
    ]);
    expect(kinds(late)).toEqual(['late']);
    expect(others.flatMap(kinds)).toEqual(['ok', 'ok', 'ok']);
    expect(started).toBe(2);
  });

  test('end when they have had nothing to do', async () => {
    let running = 0;
    const sandbox = start({ idleMs: 1, startIsolate: counted((change) => (running += change)) });
    expect(await sandbox.run('group', ECHO, 'f', ['1'])).toEqual([echoed(1)]);
    await expect.poll(() => running).toBe(0);
    expect(await sandbox.run('group', ECHO, 'f', ['2'])).toEqual([echoed(2)]);
    expect(sandbox.counts('group').started).toBe(2);
  });

  test('end with the sandbox, and calls under way are told', async () => {
    let running = 0;
    const sandbox = start({ startIsolate: counted((change) => (running += change)) });
    await sandbox.run('idle', ECHO, 'f', ['1']);
    const hanging = sandbox.run('group', withBody(HANG), 'f', ['1', '2']);
    const crowd = Array.from({ length: 20 }, (_, n) => sandbox.run(`group ${n}`, ECHO, 'f', ['1']));
    await sandbox.close();
    expect(running).toBe(0);
    expect(await hanging).toEqual([1, 2].map(() => ({ ok: false, kind: 'waiting', message: STOPPED })));
    for (const [outcome] of await Promise.all(crowd))
      expect([echoed(1).ok, 'waiting']).toContain(outcome!.ok || outcome!.kind);
    expect(await sandbox.run('late', ECHO, 'f', ['1'])).toEqual([
      { ok: false, kind: 'waiting', message: STOPPED },
    ]);
  });

  test('may read their own code, and nothing else of the machine', async () => {
    const script = join(import.meta.dirname, 'fixture/reader.ts');
    const port = forkIsolates({ script, folders: [dirname(script)] })();
    const told = await new Promise((resolve, reject) => {
      port.onMessage(resolve);
      port.onExit((why) => reject(new Error(why)));
    });
    port.kill();
    expect(told).toEqual({
      type: 'told',
      environment: [],
      folder: '/',
      own: 'done',
      others: 'ERR_ACCESS_DENIED',
      folders: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      start: 'ERR_ACCESS_DENIED',
    });
  });

  test('are started with the permission model as the version of Node has it', () => {
    const rest = [
      '--disable-warning=SecurityWarning',
      '--allow-worker',
      '--allow-fs-read=/a',
      '--allow-fs-read=/b',
    ];
    const older = ['--experimental-permission', '--disable-warning=ExperimentalWarning', ...rest];
    for (const version of ['20.15.0', '22.19.0', '23.4.0'])
      expect(permissions(version, ['/a', '/b'])).toEqual(older);
    for (const version of ['23.5.0', '24.21.0', '25.0.0'])
      expect(permissions(version, ['/a', '/b'])).toEqual(['--permission', ...rest]);
  });

  test.skipIf(process.platform !== 'linux')(
    'end when their service was killed, whatever they do',
    async () => {
      const parent = spawn(process.execPath, [join(import.meta.dirname, 'fixture/lonely-parent.ts')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await createInterface(parent.stdout)[Symbol.asyncIterator]().next()).value!.split('\n');
      const child = Number(line);
      expect(isRunning(child)).toBe(true);
      parent.kill('SIGKILL');
      await expect.poll(() => isRunning(child)).toBe(false);
    },
  );
});

const STOPPED = 'The service stops: this call was not made.';

/** Starts processes as the service does, and tells when one starts and when it has ended. */
function counted(change: (by: number) => void): SandboxOptions['startIsolate'] {
  return () => {
    const port = startIsolate();
    change(1);
    port.onExit(() => change(-1));
    return port;
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
