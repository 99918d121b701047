import { expect, test } from 'vitest';
import { LEFT_OUT, WORLD_TABLES } from '#core/api/snapshots/world-rows.ts';
import { TABLE_NAMES } from '#core/store/metadata/metadata-schema.ts';

test('every table is in snapshots of worlds, or it is said why not', () => {
  expect([...WORLD_TABLES, ...Object.keys(LEFT_OUT)].toSorted()).toEqual(TABLE_NAMES.toSorted());
  for (const reason of Object.values(LEFT_OUT)) expect(reason.length).toBeGreaterThan(10);
});
