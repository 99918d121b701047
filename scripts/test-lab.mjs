// npm run test:lab: all of test/contract/ over a database, by one service and by three. The last line counts its tests.
import './lib/require-node.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runMain } from './lib/project.mjs';
import { contract } from './lib/suites/suites.mjs';
import { sum, tallyLine } from './lib/suites/tally.mjs';

await runMain(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldbench-test-'));
  try {
    const results = [];
    for (const services of [1, 3]) {
      const what = `Contract over ${services} ${services === 1 ? 'service' : 'services'} and a database (Vitest)`;
      console.log(`\n── ${what}`);
      const { tally, remarks } = await contract(services, ['test/contract/'])(folder);
      results.push({ tally, remarks, line: `${what}: ${tallyLine(tally)}` });
    }
    const total = sum(results.map(({ tally }) => tally));
    const remarks = results.flatMap((result) => result.remarks);
    console.log(['', ...remarks, '', ...results.map(({ line }) => line), tallyLine(total)].join('\n'));
    return total.failed > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
