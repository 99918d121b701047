import { describe } from 'vitest';
import type { Threads } from '#core/threads/threads.ts';
import { importsBy } from './import/harness.ts';
import { anyFileTests } from './import/any-file.ts';
import { badRowTests } from './import/bad-rows.ts';
import { ndjsonTests } from './import/ndjson.ts';
import { timeTests } from './import/times.ts';
import { valueTests } from './import/values.ts';

/** What an import promises, wherever the file is read: null is this thread. */
export function importSuite(name: string, threads: Threads | null): void {
  const imports = importsBy(threads);
  describe(name, () => {
    valueTests(imports);
    timeTests(imports);
    badRowTests(imports);
    ndjsonTests(imports);
    anyFileTests(imports);
  });
}
