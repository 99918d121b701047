import { expect, test } from 'vitest';
import type { HandedDevice } from '#core/handover/content.ts';
import { handoverPage } from '#core/handover/page/handover-page.ts';
import type { PackAsked } from '#core/handover/page/pack-view.ts';
import { PackedDevices } from '#core/handover/page/packed-devices.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { contentOf, type DeviceDraft, type Row } from '../../../helpers/handed-content.ts';

/* What is packed for a page, and when. */

const VIEWER = { script: '', style: '', licences: '' };

const CALIBRATION = {
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'calibration',
} as unknown as ShownCorrection;

const rows = Array.from({ length: 500 }, (_, at): Row => [
  at * 1e6,
  { a: at, b: at / 10, c: `text ${at % 3}` },
]);
const calibrated = rows.map(([time, values]): Row => [time, { ...values, a: Number(values['a']) + 0.5 }]);

interface Call extends PackAsked {
  readonly view: string;
  readonly signal: AbortSignal | undefined;
}

/** A device whose packing is noted. */
function watched(draft: DeviceDraft): { readonly device: HandedDevice; readonly calls: Call[] } {
  const [device] = contentOf([draft]).devices;
  if (!device) throw new Error('There is one device of one draft.');
  const calls: Call[] = [];
  const { raw, corrected } = device.views;
  const noted = (view: typeof raw): typeof raw => ({
    ...view,
    pack: (asked, signal) => {
      calls.push({ view: view.view, signal, ...asked });
      return view.pack(asked, signal);
    },
  });
  return { device: { ...device, views: { raw: noted(raw), corrected: noted(corrected) } }, calls };
}

async function pageOf(device: HandedDevice): Promise<string> {
  let page = '';
  const decoder = new TextDecoder();
  for await (const piece of handoverPage({ devices: [device] }, { viewer: VIEWER }))
    page += decoder.decode(piece, { stream: true });
  return page;
}

test('a key that no correction touches is packed once for both views, and the page has the same bytes', async () => {
  const draft = { rows, corrected: calibrated, corrections: [CALIBRATION] };
  const all = watched({ ...draft, touched: null });
  const some = watched({ ...draft, touched: new Set(['a']) });
  const none = watched({ ...draft, corrected: rows, touched: new Set<string>() });
  expect(await pageOf(some.device)).toBe(await pageOf(all.device));
  const keysOf = ({ calls }: { readonly calls: readonly Call[] }) =>
    calls.map(({ view, keys }) => [view, keys]);
  expect(keysOf(all)).toEqual([
    ['raw', ['a', 'b', 'c']],
    ['corrected', ['a', 'b', 'c']],
  ]);
  expect(keysOf(some)).toEqual([
    ['raw', ['a', 'b', 'c']],
    ['corrected', ['a']],
  ]);
  expect(await pageOf(none.device)).toBe(await pageOf(watched({ ...draft, corrected: rows }).device));
  expect(keysOf(none)).toEqual([['raw', ['a', 'b', 'c']]]);
});

test('records that came between the packing of one view and the other stand beside values of their own', async () => {
  const late: Row = [1_500_000, { a: 7, b: 7 }];
  const corrected = [...calibrated.slice(0, 2), late, ...calibrated.slice(2)];
  const draft = { rows, corrected, corrections: [CALIBRATION] };
  const { device } = watched({ ...draft, touched: new Set(['a']) });
  expect(await pageOf(device)).toBe(await pageOf(watched({ ...draft, touched: null }).device));
});

test('devices are packed one ahead of who takes them, and no more once nobody does', async () => {
  const all = Array.from({ length: 3 }, () => watched({ rows }));
  const begun = () => all.map(({ calls }) => calls.length);
  const packed = new PackedDevices(all.map(({ device }) => device));
  expect(begun()).toEqual([1, 0, 0]);
  expect(await packed.take(0)).toMatchObject({ raw: { records: 500 }, corrected: null });
  expect(begun()).toEqual([1, 1, 0]);
  packed.stop();
  expect(all[1]?.calls[0]?.signal?.aborted).toBe(true);
});

test('who takes a device hears why it could not be packed, and nobody else does', async () => {
  const { device } = watched({ rows });
  const reason = new Error('The disk is gone.');
  const broken = { ...device.views.raw, pack: () => Promise.reject(reason) };
  const packed = new PackedDevices([{ ...device, views: { ...device.views, raw: broken } }]);
  await new Promise((resolve) => setImmediate(resolve));
  await expect(packed.take(0)).rejects.toBe(reason);
});
