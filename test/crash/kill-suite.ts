import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withSeed } from '../helpers/chance.ts';
import { generator } from '../faults/random-crashes.ts';
import { killRound, nothingYet, someMoment, type Victim } from './kill-round.ts';
import { someRuns } from '../helpers/some-runs.ts';

/** Kills a process that stores records, again and again in one folder, and expects all that was ever acknowledged, once. */
export function killSuite(
  title: string,
  { rounds = someRuns(128), ...victim }: Omit<Victim, 'directory'> & { rounds?: number },
): void {
  describe(title, () => {
    let directory: string;
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'fieldbench-crash-'));
    });
    afterAll(() => rm(directory, { recursive: true }));

    const ever = nothingYet();

    test.for(Array.from({ length: rounds }, (_, round) => round))(
      'round %i: nothing acknowledged is lost, nothing doubled, nothing half there',
      (round) =>
        withSeed((seed) =>
          killRound({ ...victim, directory }, round, someMoment(round, generator(seed)), ever),
        ),
    );

    test('had something to lose', () => {
      expect(ever.stored.size).toBeGreaterThan(rounds);
      expect(ever.batches.size).toBeGreaterThan(rounds / 4);
    });
  });
}
