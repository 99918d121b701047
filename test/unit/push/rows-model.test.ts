import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planRows } from '#core/push/plan-rows.ts';
import { rowsOfDevice } from '#core/push/rows.ts';
import { SyncBaseline } from '#core/push/sync-baseline.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { linesInMemory, sidesOf } from '../../helpers/push/push-model.ts';
import { rowHistories, rowsHold } from '../../helpers/push/rows-model.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { aProject, aWidget } from '../../suites/metadata/rows.ts';

test('whatever both sides did with rows, and wherever pushes were cut, the lab has what a naive three-way merge has', async () => {
  let pushes = 0;
  await fc.assert(
    fc.asyncProperty(rowHistories, async (history) => void (pushes += await rowsHold(history))),
    { numRuns: someRuns(400) },
  );
  expect(pushes).toBeGreaterThan(0);
});

test('a lab of an earlier Fieldbench is asked for no rows, and the plan says which it does not take', async () => {
  const widget = { ...aWidget('w', 'p', []), sequence: 1 };
  const sides = await sidesOf(createMemoryRecordStore(), createMemoryRecordStore(), true, {
    widgets: [widget],
  });
  const plan = await sides.plan();
  expect(plan).toMatchObject({ not_taken: ['widgets'], projects: [{ state: 'same', rows: [] }] });
  const asked = sides.lab.requests;
  expect(await sides.run(plan)).toMatchObject({ projects: [{ rows: [], problem: null }] });
  // It is asked who it is, and nothing else.
  expect(sides.lab.requests - asked).toBe(1);
});

test('of a device that the lab lost and gets anew all rows go, also those that both sides once had', async () => {
  const note = { id: 'n', project_id: 'p', device_id: 'd', start: 1, end: null, text: 'x', author: 'a' };
  const project = { ...aProject('p'), sequence: 1 };
  const notes = [{ ...note, created: 1, sequence: 1 }];
  const rows = { functions: [], key_settings: [], notes, widgets: [], alarms: [] };
  const own = rowsOfDevice({ project, devices: [], corrections: new Map(), rows }, 'd', (id) => id);
  const baseline = await SyncBaseline.open(linesInMemory());
  await baseline.note('lab', 'd/notes', { n: own[0]?.mark ?? '' });
  const asked: unknown[] = [];
  const lab = {
    mergeRows: async (_: string, sent: readonly unknown[]) => {
      asked.push(...sent);
      return sent.map(() => ({ outcome: 'removed', reason: null }) as const);
    },
  };
  const options = { lab, lab_id: 'lab', baseline, isMade: () => false };
  const plan = (isNew: boolean) => planRows(own, { of: 'd', project_id: 'p', isNew }, options);
  expect(await plan(true)).toMatchObject({ rows: [{ kind: 'notes', send: 1, removed: 0 }] });
  expect(asked).toEqual([]);
  expect(await plan(false)).toMatchObject({ rows: [{ kind: 'notes', send: 0, removed: 1 }] });
  expect(asked).toMatchObject([{ id: 'n', base: own[0]?.mark }]);
});
