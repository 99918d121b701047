import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Test files that take longest, although many of them are short: one that began as the last would run for a minute beside idle
 * workers. Vitest begins with the largest files where it has not measured them, as in a fresh clone.
 */
const LONGEST = [
  'test/contract/windows/bridge-equals-http.test.ts',
  'test/unit/store/postgres/records.test.ts',
  'test/contract/nouns-cli.test.ts',
  'test/contract/lab/lab-faults.test.ts',
  'test/contract/backup/secrets-in-backups.test.ts',
  'test/unit/store/log/log.test.ts',
  'test/contract/openapi.test.ts',
  'test/contract/metadata/metadata-budget.test.ts',
  'test/unit/store/log-proof/faults.test.ts',
  'test/contract/chance/repeats.test.ts',
  'test/unit/store/log-proof/power-cuts.test.ts',
  'test/unit/store/log/rewriting.test.ts',
  'test/contract/access/access-matrix.test.ts',
];

/** Order of test files: as Vitest's own, with the longest of each project in front. Throws where one of them is gone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest = new Set(LONGEST.map((file) => join(this.ctx.config.root, file)));
    for (const file of longest)
      if (!existsSync(file)) throw new Error(`test/helpers/longest-first.ts names ${file}, which is gone.`);
    const sorted = await super.sort.call(this, files);
    // Files of one project stay together, since they share workers.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const isLongest = ({ moduleId }: TestSpecification) => longest.has(moduleId);
      return [...own.filter(isLongest), ...own.filter((file) => !isLongest(file))];
    });
  }
}
