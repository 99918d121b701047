import { afterEach, beforeEach, describe } from 'vitest';
import type { Metadata } from '#core/store/metadata/metadata.ts';
import { metadataModel } from './metadata/model.ts';
import { type MetadataHome } from './metadata/rows.ts';
import { changingTests } from './metadata/changing.ts';
import { buildIn, type MetadataHarness } from './metadata/harness.ts';
import { readingTests } from './metadata/reading.ts';
import { someRuns } from '../helpers/some-runs.ts';

/** What every Metadata must do; `home` makes a place of its own for each test, and for each of the random runs. */
export function metadataSuite(
  name: string,
  home: () => Promise<MetadataHome>,
  numRuns = someRuns(480),
): void {
  describe(`${name}: the rules of metadata`, () => {
    let place: MetadataHome;
    let metadata: Metadata;

    beforeEach(async () => {
      place = await home();
      metadata = await place.open();
    });

    afterEach(async () => {
      await metadata.close();
      await place.remove();
    });

    const harness: MetadataHarness = {
      get metadata() {
        return metadata;
      },
      async reopen() {
        if (!place.lasting) return;
        await metadata.close();
        metadata = await place.open();
      },
      build: () => buildIn(metadata),
    };
    readingTests(harness);
    changingTests(harness);
  });

  metadataModel(name, home, numRuns);
}
