import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeAtomically } from '#core/disk/atomic-file.ts';
import { createSystemClock } from '#core/base/system-clock.ts';
import { nextGeneration } from '#core/store/metadata/file/generation.ts';
import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import { firstMetadata } from '#core/store/metadata/metadata-schema.ts';
import { metadataPieces } from '#core/store/metadata/metadata-text.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { aFunction } from '../suites/metadata/rows.ts';

/* Opens metadata that are far larger than the budget allows today, changes them, stops, and opens them again: npm run large-metadata. */

const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '600' } } });
/** As long as a script may be, each character six bytes of its line. */
const SCRIPT = '\u0001'.repeat(65_536);
const LINE = 6 * SCRIPT.length;
const MOST_STOP_MS = 5000;

const clock = createSystemClock();
const first = firstMetadata(clock.now(), systemRandom);
const functions = Array.from({ length: Math.ceil((Number(values.megabytes) * 1e6) / LINE) }, (_, n) => ({
  ...aFunction(randomUUID(), 'p', 'd'),
  script: SCRIPT,
  sequence: first.next_sequence + n,
}));
const state = {
  ...first,
  next_sequence: first.next_sequence + functions.length,
  rows: (table: Parameters<typeof first.rows>[0]) => (table === 'functions' ? functions : first.rows(table)),
};

const directory = await mkdtemp(join(tmpdir(), 'fieldbench-large-'));
try {
  const path = join(directory, 'metadata.json');
  await writeAtomically(path, metadataPieces(state, nextGeneration()));
  console.log(`metadata.json has ${(await stat(path)).size} bytes.`);
  for (const round of [1, 2]) {
    const began = performance.now();
    const metadata = await openFolderMetadata({ directory, clock, chance: systemRandom });
    const opened = performance.now();
    const found = await metadata.read((tables) => tables.count('functions'));
    if (found !== functions.length - (round - 1))
      throw new Error(`${found} of ${functions.length} are there.`);
    const [one] = functions.slice(round);
    await metadata.change((tables) => tables.remove('functions', one?.id ?? ''));
    const closing = performance.now();
    await metadata.close();
    const closed = performance.now();
    if (metadata.notes.length > 0) throw new Error(metadata.notes.join('\n'));
    const { rss } = process.memoryUsage();
    console.log(
      `Round ${round}: opened in ${Math.round(opened - began)} ms, stopped in ${Math.round(closed - closing)} ms, ${Math.round(rss / 1e6)} MB resident.`,
    );
    if (closed - closing > MOST_STOP_MS) throw new Error('The stop took longer than 5 s.');
  }
} finally {
  await rm(directory, { recursive: true });
}
