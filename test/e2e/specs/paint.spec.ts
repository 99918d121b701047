import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '../app.ts';

/* Records of every shape, drawn by the app and looked at pixel by pixel (test/e2e/paint says how, and for how long one likes). */

const run = promisify(execFile);

/** The rounds that are drawn each time, and what the longest recording of one has. */
const ROUNDS = [
  { seed: 1, records: 10_000_000 },
  { seed: 4, records: 700_000 },
];

for (const { seed, records } of ROUNDS)
  test(`no shape of up to ${records} records paints nothing, loses an extreme or crosses a silence (seed ${seed})`, async ({
    host,
  }) => {
    test.skip(host !== 'console', 'it starts an app of its own; the picture is the same in every host');
    test.setTimeout(400_000);
    const args = ['test/e2e/paint/paint.ts', '--seed', String(seed), '--records', String(records)];
    const { stdout } = await run(process.execPath, args).catch(
      (error: { stdout: string; stderr: string }) => {
        throw new Error(`${error.stdout}\n${error.stderr}`);
      },
    );
    expect(stdout).toContain(`seed ${seed}: painted as it should be`);
  });
