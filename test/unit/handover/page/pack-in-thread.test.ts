import { expect, test } from 'vitest';
import { PACKED_VIEW } from '#core/handover/page/pack-view.ts';
import { surveyDevice } from '#core/survey/survey-device.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { PART_ROWS } from '#shared/handover/packed-columns.ts';
import { record } from '../../../suites/record-store/harness.ts';
import { surveyOptions, surveyStores } from '../../survey/survey-stores.ts';

const stores = surveyStores();

const KINDS = ['on', 7, true, 'off', -0, false] as const;

/** More than a part, with keys that come and go. */
const records = Array.from({ length: PART_ROWS + 700 }, (_, at): StoredRecord => {
  const rare = at % 97 === 0 && { rare: `at ${at % 5}` };
  return record(at * 1000, { n: (at * 7919) % 1009, kind: KINDS[at % KINDS.length]!, ...rare });
});

test('records are packed in a thread as in this one, all of them or those with some keys', async () => {
  for (const store of stores.all) await store.append('d', records);
  for (const [keys, bare, count] of [
    [['kind', 'n', 'rare'], true, records.length],
    [['rare'], true, records.length],
    [['rare'], false, Math.ceil(records.length / 97)],
    [['unknown'], false, 0],
  ] as const) {
    const range = { start: 0, end: records.length * 1000 };
    const packed = [];
    for (const store of stores.all)
      packed.push(await surveyDevice(PACKED_VIEW, { range, keys, bare }, surveyOptions(store)));
    const [inThread, here, naive] = packed;
    expect(inThread).toMatchObject({ records: count });
    expect(here).toStrictEqual(inThread);
    expect(naive).toStrictEqual(inThread);
  }
});
