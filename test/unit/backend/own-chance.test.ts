import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { journalsOf } from '#core/backend/journals.ts';
import { OwnChance } from '#core/backend/own-chance.ts';
import { diskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';

const FILE = '/chance.journal';

const journalOn = (disk: Disk) => journalsOf('/', diskFiles(disk))('chance', 1);
const open = (disk: Disk, seed: number | null) => OwnChance.open(journalOn(disk), seed);
async function begun(disk: Disk, seed: number | null): Promise<OwnChance> {
  const chance = await open(disk, seed);
  await chance.begin();
  return chance;
}
const fileOf = (disk: Disk) => {
  const node = new Map(disk.paths()).get(FILE);
  return node === undefined ? null : disk.file(node);
};

const backup = fc.record({ digest: fc.constantFrom('a', 'b'), isGuessable: fc.boolean() });
const life = fc.record({
  seed: fc.option(fc.constantFrom(0, 1, 42), { nil: null }),
  /** Whether it ends before it has begun. */
  isCutOff: fc.boolean(),
  steps: fc.array(fc.oneof(fc.constantFrom('', 'an account'), backup), { maxLength: 5 }),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** What each life has drawn by a seed, on a disk of its own. */
async function live(lives: readonly Life[]): Promise<string[][]> {
  const disk = new Disk();
  const all: string[][] = [];
  for (const { seed, isCutOff, steps } of lives) {
    const chance = await open(disk, seed);
    // As the metadata of a new directory do.
    const first = chance.of('account Default').uuid();
    const drawn: string[] = [];
    if (!isCutOff) {
      await chance.begin();
      drawn.push(first);
      for (const step of steps)
        if (typeof step === 'string') drawn.push(chance.of(step).uuid());
        else await chance.meet(step);
    }
    all.push(seed === null ? [] : drawn);
    await chance.close();
  }
  return all;
}

describe('what lives of a data directory draw by a seed', () => {
  test('is never the same twice, and the same where the lives are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { maxLength: 6 }), async (lives) => {
        const drawn = await live(lives);
        expect(new Set(drawn.flat()).size).toBe(drawn.flat().length);
        expect(await live(lives)).toEqual(drawn);
      }),
    );
  });
});

describe('without a seed', () => {
  test('nothing is written and nothing said, before and after a backup of the like', async () => {
    const disk = new Disk();
    const chance = await begun(disk, null);
    await chance.meet({ digest: 'a', isGuessable: false });
    expect([chance.isSeeded, chance.warning, chance.notes, fileOf(disk)]).toEqual([false, null, [], null]);
    const other = await begun(new Disk(), null);
    expect(other.of('a').uuid()).not.toBe(chance.of('a').uuid());
  });

  test('a backup that can be guessed leaves a warning', async () => {
    const disk = new Disk();
    const chance = await begun(disk, null);
    await chance.meet({ digest: 'a', isGuessable: true });
    for (const each of [chance, await begun(disk, null)]) {
      expect(each.warning).toContain('where a restored backup comes from');
      expect(each.notes).toEqual([each.warning]);
    }
  });
});

describe('a damaged chance.journal', () => {
  async function damaged(): Promise<Disk> {
    const disk = new Disk();
    await begun(disk, 1);
    fileOf(disk)!.write(Buffer.from('?'), 60);
    return disk;
  }

  test('is said, and nothing that was drawn before is drawn again', async () => {
    const before = await begun(new Disk(), 1);
    const disk = await damaged();
    const chance = await begun(disk, 1);
    expect(chance.notes.join('\n')).toMatch(/The seed is 1\.\nchance\.journal is damaged/);
    const linked = await begun(await damaged(), 1);
    const all = [before, chance, linked].map((each) => each.of('a').uuid());
    expect(new Set(all).size).toBe(3);
    expect((await begun(disk, 1)).notes.join()).not.toContain('damaged');
  });

  test('warns without a seed, too', async () => {
    expect((await begun(await damaged(), null)).warning).toContain('can be guessed');
  });
});
