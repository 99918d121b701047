import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { expect, test } from 'vitest';
import { Growth } from '#core/store/metadata/budget.ts';
import type { StoredDevice } from '#core/store/metadata/metadata-schema.ts';
import { ChangeLayers } from '#core/store/metadata/tables/change-layers.ts';
import { LayeredTables } from '#core/store/metadata/tables/layered-tables.ts';
import { LiveTable, type LiveTables } from '#core/store/metadata/tables/live-tables.ts';
import { NO_LINES } from '#core/store/trail/chain.ts';
import { aDevice, hashOf } from '../../../suites/metadata/rows.ts';

/* Devices are found by the hashes of their tokens in the midst of changes, whichever layer has them. */

const [DEVICES, TOKENS] = [6, 9];

const acts = array(
  record({
    type: constantFrom('put', 'put', 'put', 'remove', 'keep', 'take back'),
    n: nat({ max: DEVICES - 1 }),
    token: nat({ max: TOKENS - 1 }),
  }),
  { maxLength: 40 },
);

const device = (n: number, token: number): StoredDevice => {
  return { ...aDevice(`d${n}`, 'p', token), sequence: n, token_hash: hashOf(token) };
};

test('a device is found by its token alone, whatever was changed, kept and taken back', async () => {
  await assert(
    asyncProperty(
      array(nat({ max: 1 }), { minLength: DEVICES, maxLength: DEVICES }),
      acts,
      async (isThere, given) => {
        const rows = isThere.flatMap((there, n) => (there === 1 ? [device(n, n)] : []));
        const live = {
          devices: new LiveTable('devices', rows),
        } as unknown as LiveTables;
        const changes = new ChangeLayers({ next_sequence: 100, trail: NO_LINES }, () => 0);
        const settings = { installation_id: 'i', default_account_id: 'a' };
        const tables = new LayeredTables(live, changes.layers, { settings, deletions: [] });
        /** Tokens by device: as kept, and as they are. */
        let kept = new Map(rows.map(({ id, token_hash }) => [id, token_hash]));
        let now = new Map(kept);
        for (const { type, n, token } of given) {
          const id = `d${n}`;
          const holder = [...now].find(([, hash]) => hash === hashOf(token))?.[0];
          // A token names one device.
          if (type === 'put' && (holder === undefined || holder === id)) {
            changes.putBack('devices', device(n, token));
            now.set(id, hashOf(token));
          } else if (type === 'remove') {
            changes.remove('devices', id);
            now.delete(id);
          } else if (type === 'keep') {
            await changes.keep({ growth: new Growth(), rows: [] });
            kept = new Map(now);
          } else if (type === 'take back') {
            changes.takeBack();
            now = new Map(kept);
          }
          for (let each = 0; each < TOKENS; each++) {
            const found = [...now].find(([, hash]) => hash === hashOf(each))?.[0];
            expect(tables.deviceByTokenHash(hashOf(each))?.id).toBe(found);
          }
        }
      },
    ),
    { numRuns: 1000 },
  );
});
