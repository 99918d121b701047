import { expect, test } from 'vitest';
import { openSandbox } from '#core/service/open-sandbox.ts';
import { ISOLATE_SCRIPT } from '../../../helpers/service/scripts.ts';
import { startIsolate } from '../../../helpers/functions/sandbox.ts';

const log = { warn: () => undefined };
const SCRIPT = 'function f(x) { return x + 1 }';

test('a service runs functions in processes of Node, or in those that it is handed', async () => {
  let started = 0;
  const parts = { startIsolate: () => (started++, startIsolate()) };
  for (const sandbox of [
    openSandbox({ isolateScript: ISOLATE_SCRIPT }, {}, log),
    openSandbox({ isolateScript: 'none' }, parts, log),
  ]) {
    expect(await sandbox.run('group', SCRIPT, 'f', ['1'])).toEqual([{ ok: true, text: '2' }]);
    await sandbox.close();
  }
  expect(started).toBe(1);
});
