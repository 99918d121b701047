import { beforeEach, expect, test, vi } from 'vitest';
import type { Inspection } from '#shared/operations/records/records.ts';
import { changeItem, itemsOf, type ItemState } from '../../../../../renderer/import/files/file-items.ts';
import { inspectSample } from '../../../../../renderer/import/files/import-sample.ts';
import { addFiles, choose, removeItem } from '../../../../../renderer/import/files/look-at-files.ts';
import type { ImportChoices } from '../../../../../renderer/import/import-choices.ts';
import { PATIENTLY } from '../../../../helpers/patiently.ts';

vi.mock(import('../../../../../renderer/import/files/import-sample.ts'), { spy: true });
vi.mock(import('../../../../../renderer/bridge/bridge.ts'), () => ({}));
vi.mock(import('../../../../../renderer/bridge/ask.ts'), async (load) => ({
  ...(await load()),
  ask: vi.fn(() => Promise.resolve([])) as never,
}));

const inspection = { columns: [], problem: 'Choose the column of time.' } as unknown as Inspection;

/** Looks at the sample that wait for an answer. */
let looks: { readonly choices: ImportChoices; readonly answer: () => void; readonly fail: () => void }[] = [];

beforeEach(() => {
  looks = [];
  vi.mocked(inspectSample).mockImplementation((_file, choices) => {
    const { promise, resolve, reject } = Promise.withResolvers<{
      inspection: Inspection;
      choices: ImportChoices;
    }>();
    looks.push({
      choices,
      answer: () => resolve({ inspection, choices }),
      fail: () => reject(new Error('No such zone.')),
    });
    return promise;
  });
  for (const { id } of itemsOf('p')) removeItem('p', id);
});

const state = () => itemsOf('p')[0]?.state;

/** A file that has been looked at, and is looked at again by another choice. */
async function lookedAtAgain(): Promise<{ readonly id: number; readonly chosen: Promise<void> }> {
  addFiles('p', [new File(['t,bar\n1,2\n'], 'run.csv')], 'd');
  looks[0]?.answer();
  await vi.waitFor(() => expect(state()).toEqual({ name: 'choosing', problem: null }), PATIENTLY);
  const id = itemsOf('p')[0]?.id ?? 0;
  return { id, chosen: choose('p', id, { zone: 'Europe/Berlin' }) };
}

const UNDER_WAY: ItemState = { name: 'importing', taken: 5, cancel: () => {} };
const DONE = { name: 'done', result: { stored: 1 }, device_id: 'd' } as unknown as ItemState;

test.each([
  ['an import under way', UNDER_WAY],
  ['what was imported', DONE],
])('a look at the file that comes late takes nothing from %s', async (_, later) => {
  const { id, chosen } = await lookedAtAgain();
  changeItem('p', id, { state: later });
  looks[1]?.answer();
  await chosen;
  expect(state()).toBe(later);
  expect(itemsOf('p')[0]?.report).toEqual({ state: 'waiting' });
});

test('nor does one that fails', async () => {
  const { id, chosen } = await lookedAtAgain();
  changeItem('p', id, { state: UNDER_WAY });
  looks[1]?.fail();
  await chosen;
  expect(state()).toBe(UNDER_WAY);
});

test('one that comes in time says how the file is read', async () => {
  const { chosen } = await lookedAtAgain();
  looks[1]?.fail();
  await chosen;
  expect(state()).toEqual({ name: 'choosing', problem: 'No such zone.', isMisfit: true });
});
