import { expect, test } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { firstMetadata } from '#core/store/metadata/metadata-schema.ts';
import { changeQueue, makeChanges } from '#core/store/metadata/tables/change-queue.ts';
import { DraftTables } from '#core/store/metadata/tables/draft-tables.ts';
import { MetadataSnapshots } from '#core/store/metadata/tables/metadata-snapshots.ts';
import { weigh } from '#core/store/metadata/weights.ts';
import type { WritableTables } from '#core/store/metadata/metadata.ts';

const TIME = 1_700_000_000_000_000;

/** A queue of changes whose tables are never written; `fail`: what becomes of that. */
function queued(fail?: Error) {
  const first = firstMetadata(TIME, systemRandom);
  const state = new MetadataSnapshots(first, weigh(first));
  return changeQueue(async (changes) => {
    const draft = new DraftTables(state, { installation: 1 << 20, project: 1 << 20 }, () => TIME);
    await makeChanges(changes, draft);
    if (fail) throw fail;
    const net = draft.net();
    if (net) state.apply(net);
  });
}

const make = (tables: WritableTables) =>
  tables.insert('projects', { id: 'p', account_id: 'a', name: 'P', description: '', created: TIME });

test('a change that is refused is refused alone', async () => {
  const { change } = queued();
  const [made, again] = [change(make), change(make)];
  await expect(again).rejects.toThrow('projects holds p already');
  await expect(made).resolves.toMatchObject({ id: 'p' });
});

test('where writing fails nobody is refused for what was not kept', async () => {
  const { change } = queued(new StoreError('disk-full', 'The disk is full.'));
  const both = [change(make), change(make)].map((one) => expect(one).rejects.toThrow('The disk is full.'));
  await Promise.all(both);
});
