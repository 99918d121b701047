import { expect, test } from 'vitest';
import { readEngine } from '#core/functions/sandbox/engine-file.ts';
import { createSandbox } from '#core/functions/sandbox/sandbox.ts';
import { tellOfChildren } from '../../../electron/shell/page/children.ts';
import { ISOLATE_NAME, utilityIsolates } from '../../../electron/shell/isolates.ts';
import { createUtilityProcess } from '../../electron-stand-in/utility-process.ts';
import { ISOLATE_SCRIPT } from '../../helpers/service/scripts.ts';

const utilities = createUtilityProcess(() => true);
const HANG = 'function f(x) { if (x === 2) [].indexOf.call({ length: 2 ** 53 - 1 }, 9); return x }';

test('functions run in processes of Electron, and one that hangs is killed', async () => {
  const sandbox = createSandbox({
    startIsolate: utilityIsolates(utilities, ISOLATE_SCRIPT),
    readWasm: readEngine,
    log: () => undefined,
  });
  const outcomes = await sandbox.run('group', HANG, 'f', ['1', '2', '3']);
  expect(outcomes.map((outcome) => (outcome.ok ? outcome.text : outcome.kind))).toEqual(['1', 'late', '3']);
  expect(sandbox.counts('group')).toMatchObject({ killed: 1, started: 2 });
  await sandbox.close();
});

test('one that is killed before it has started ends, too', async () => {
  const port = utilityIsolates(utilities, ISOLATE_SCRIPT)();
  port.kill();
  expect(await new Promise((heard) => port.onExit(heard))).toMatch(/^It ended with \d+\.$/);
});

test('that the service killed one is not told as a failure of Chromium', () => {
  const told: string[] = [];
  const listeners: ((event: unknown, details: never) => void)[] = [];
  tellOfChildren(
    { on: (_name, listener) => listeners.push(listener) },
    { warn: (line: string) => told.push(line) },
  );
  for (const name of [ISOLATE_NAME, 'Network Service'])
    for (const heard of listeners)
      heard(null, { type: 'Utility', name, reason: 'killed', exitCode: 9 } as never);
  expect(told).toEqual([expect.stringContaining('"Network Service"')]);
});
