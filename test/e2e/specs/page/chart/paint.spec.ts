import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runsAll } from '../../../../helpers/some-runs.ts';
import { expect, test } from '../../../app.ts';

/* Records of every shape, drawn by the app and looked at pixel by pixel (test/e2e/paint says how, and for how long one likes). */

const run = promisify(execFile);

const SEED = '1';
/** Both are more than a chart loads whole. */
const RECORDS = runsAll ? '3000000' : '1000000';
const LONGEST_MS = 900_000;

test('no shape of records paints nothing, loses an extreme or crosses a silence', async ({ host }) => {
  test.skip(host !== 'console', 'it starts an app of its own; the picture is the same in every host');
  test.setTimeout(LONGEST_MS);
  const args = ['test/e2e/paint/paint.ts', '--seed', SEED, '--records', RECORDS];
  const { stdout } = await run(process.execPath, args).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}\n${error.stderr}`);
  });
  expect(stdout).toContain(`seed ${SEED}: painted as it should be`);
});
