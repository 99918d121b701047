import type { View } from '#shared/domain/corrections.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { ExportPiece } from '../../export/export-options.ts';
import type { HandedDevice, HandedView } from '../../handover/content.ts';
import { handoverPage } from '../../handover/page/handover-page.ts';
import { packView } from '../../handover/page/pack-view.ts';
import { readViewer } from '../../handover/page/viewer.ts';
import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { StoredRecord } from '../../store/store.ts';
import type { Admitted, Context, Handled } from '../context.ts';
import {
  bothOf,
  nameOfMany,
  planExport,
  requireStyles,
  stateOf,
  type ExportInput,
} from '../exports/plan-export.ts';
import { devicesIn } from '../exports/plan-workbook.ts';
import { bytesOf, contentTypeOf } from '../exports/write-export.ts';
import { rangeOf } from '../range.ts';
import { gather } from './gather.ts';

/*
 * An export as a page. It is no stream of one view's records, as other formats are: it has both views and all that is known of a
 * device, and is made as a hand-over is. What was cut off begins anew: its state names the records alone.
 */

interface PagePlan {
  readonly devices: readonly StoredDevice[];
  readonly plans: readonly Awaited<ReturnType<typeof planExport>>[];
  readonly extent: Parameters<typeof bothOf>[0];
  /** Without its extension. */
  readonly name: string;
  readonly state: string;
}

/** Throws a 400 Refusal on settings that do not go together. */
async function planPage(
  input: ExportInput,
  device: StoredDevice,
  context: Context,
  signal?: AbortSignal,
): Promise<PagePlan> {
  requireStyles(input);
  const devices = [device, ...(await devicesIn(device, input.also ?? [], context.metadata))];
  const settings = { ...input, format: 'ndjson', also: undefined } as const;
  const plans = [];
  for (const each of devices) plans.push(await planExport(settings, each, context, signal));
  const extent = plans.map((plan) => plan.extent).reduce(bothOf);
  const [first] = plans;
  const name = plans.length === 1 ? first?.name : await nameOfMany(device, extent, input, context.metadata);
  return {
    devices,
    plans,
    extent,
    name: name ?? '',
    state: stateOf(['html', plans.map((plan) => plan.state)]),
  };
}

/** Makes a page while it is read. Rejects with a 400 Refusal on settings that do not go together. */
export async function exportPage(
  { input, project, device, principal, signal }: Admitted<'records.export'>,
  context: Context,
): Promise<Handled<OutputOf<'records.export'>>> {
  const { devices, extent, name, state } = await planPage(input, device, context, signal);
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const asked = { devices: devices.map(({ id }) => id), range: rangeOf(input), key_id: principal.key_id };

  /** Holds nothing until it is read, since who asks may want no more than the head of an answer. */
  async function* written(): AsyncGenerator<ExportPiece, void, undefined> {
    const gathered = await gather(asked, context, either);
    const handed = gathered.map((one) => withKeys(one.device, input.keys));
    let length = 0;
    const read = (records: number) => void (length += records);
    for await (const bytes of handoverPage({ devices: handed }, { view: input.view, read, signal: either })) {
      yield { bytes, length };
      length = 0;
    }
  }

  const of = {
    account_id: project.account_id,
    project_id: project.id,
    device_id: device.id,
    name: device.name,
  };
  const job = { kind: 'export', ...of, unit: 'records', total: extent.records, stop } as const;
  const { parts, givenUp } = context.exports.take(written(), principal.key_id, either);
  return {
    data: { records: extent.records, name, from: 0 },
    download: {
      type: contentTypeOf('html'),
      name,
      extension: 'html',
      bytes: bytesOf(context.jobs.follow(job, parts, signal), 0),
      // The reading may wait for a consumer that takes nothing.
      givenUp: AbortSignal.any([givenUp, stop.signal]),
      state,
    },
  };
}

/** What an export would be; about how many bytes by the first records of each device, and twice those of one that was corrected. */
export async function estimatePage(
  input: ExportInput,
  device: StoredDevice,
  context: Context,
  signal?: AbortSignal,
): Promise<OutputOf<'records.estimate'>> {
  const { plans, extent, name, state } = await planPage(input, device, context, signal);
  const { script, style, licences } = readViewer();
  let bytes = script.length + style.length + licences.length;
  for (const { of, range, file, extent: own } of plans) {
    for await (const sample of context.records.scan(of, range)) {
      const packed = await packView(onceOf(sample), file.keys, signal);
      const length = packed.columns.reduce((sum, [, column]) => sum + column.length, packed.times.length);
      bytes += (length / sample.length) * own.records * (typeof of === 'string' ? 1 : 2);
      break;
    }
  }
  return {
    records: extent.records,
    first: time(extent.first),
    last: time(extent.last),
    bytes: Math.round(bytes),
    name,
    state,
  };
}

const time = (at: number | null) => (at === null ? null : formatMicros(at));

async function* onceOf(records: readonly StoredRecord[]) {
  yield records;
}

/** A device as if it had no other keys; null: all of them. A record without any of them is left out. */
function withKeys(device: HandedDevice, asked: readonly string[] | undefined): HandedDevice {
  if (asked === undefined) return device;
  const wanted = new Set(asked);
  const has = ({ key }: { readonly key: string }) => wanted.has(key);
  const viewOf = (view: HandedView): HandedView => ({
    ...view,
    keys: view.keys.filter((key) => wanted.has(key)),
    statistics: view.statistics.filter(has),
    excursions: view.excursions.filter(has),
    pack: ({ keys }, signal) => view.pack({ keys, bare: false }, signal),
  });
  const views: Readonly<Record<View, HandedView>> = {
    raw: viewOf(device.views.raw),
    corrected: viewOf(device.views.corrected),
  };
  return { ...device, keys: device.keys.filter(has), views };
}
