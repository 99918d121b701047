import { expect, test } from 'vitest';
import { nodeFiles } from '#core/disk/files.ts';
import { KeyTable } from '#core/store/blocks/block/key-table.ts';
import { createPool, SegmentCache } from '#core/store/log/segment/segment-pool.ts';

const KEYS = ['t', 'rh', 'p'];

function cached(pool: ReturnType<typeof createPool>): SegmentCache {
  const cache = new SegmentCache(pool);
  for (const key of KEYS) cache.keepKeyTable(key, new KeyTable());
  return cache;
}

const heldBy = (cache: SegmentCache) => KEYS.filter((key) => cache.keyTable(key) !== undefined);

test('summaries of a segment that is gone leave their room to those of others', () => {
  // Six tables of about 1,400 bytes.
  const pool = createPool(nodeFiles, { handles: 8, blockBytes: 0, summaryBytes: 6 * 1500 });
  const gone = cached(pool);
  const stays = cached(pool);
  gone.forgetKeyTables();
  expect(heldBy(gone)).toEqual([]);
  const next = cached(pool);
  expect([heldBy(stays), heldBy(next)]).toEqual([KEYS, KEYS]);
  const third = cached(pool);
  expect([heldBy(stays), heldBy(next), heldBy(third)]).toEqual([[], KEYS, KEYS]);
});
