import { describe, expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { ownDatabase } from '../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../helpers/postgres/postgres.ts';
import { openRecords } from '../../unit/store/postgres/open-records.ts';
import { huntRules } from './hunt-rules.ts';
import { overLog, stageOf } from './stages.ts';
import { someRuns } from '../../helpers/some-runs.ts';

/*
 * Rules on streams that are late, doubled, out of order, removed, restored, replaced and corrected, judged step by step, are what the
 * naive model makes of all that is stored. More of them: npm run rules -- --streams N
 */

const STREAMS = someRuns(1600);
const OVER_DATABASE = 10;

test('random rules on random streams fire as the naive model says, over the model of a store', () =>
  withSeed(async (seed) => {
    const { looks, disturbed, firings } = await huntRules(seed, STREAMS, null);
    expect(looks).toBeGreaterThan(STREAMS);
    expect(disturbed).toBeGreaterThan(STREAMS / 10);
    expect(firings).toBeGreaterThan(STREAMS);
  }));

test('and over the append log', () =>
  withSeed(async (seed) => {
    const [found] = await overLog(STREAMS, (stage, some) => huntRules(seed, some, stage));
    expect(found?.streams).toBe(STREAMS);
    expect(found?.firings).toBeGreaterThan(STREAMS);
  }));

describe.skipIf(!hasPostgres)('in a database', () => {
  const own = ownDatabase();

  test('they fire as the naive model says', () =>
    withSeed(async (seed) => {
      const { store, close } = await openRecords(own.url, { tailRows: 8, segmentRows: 256 });
      try {
        const { streams } = await huntRules(seed, OVER_DATABASE, stageOf(store));
        expect(streams).toBe(OVER_DATABASE);
      } finally {
        await close();
      }
    }));
});
