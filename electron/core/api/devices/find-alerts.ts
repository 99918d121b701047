import type { View } from '#shared/domain/corrections.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import { MOST_ALERTED } from '#shared/domain/alerts.ts';
import { silenceOf, statusOf } from '#shared/domain/device-status.ts';
import type { AlertedDevice, Alerts, RangedValue } from '#shared/operations/metadata/alerts.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { byText } from '#shared/values/text.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';
import { viewedOf } from '../corrections/viewed.ts';
import { instantText } from '../resources.ts';
import { withLastSeen, type Contact } from './find-devices.ts';
import { cutValue, readRanged, type JudgedValue } from './last-values.ts';
import { normalRangesOf } from './normal-ranges.ts';

/** A device that is late or has a value outside, or was asked for. */
interface Judged extends Contact {
  readonly project: StoredProject;
  readonly lateSince: Micros | null;
  readonly corrected: boolean;
  readonly values: readonly JudgedValue[];
  /** The last moment at which something became wrong; −∞ where nothing is. */
  readonly newest: Micros;
}

/** What is wrong with the devices of these projects now, and how those that are asked for are (docs/local-api.md, "Alerts"). */
export async function findAlerts(
  projects: readonly StoredProject[],
  { ids, view }: CheckedInput<'alerts.list'>,
  context: Pick<Context, 'metadata' | 'records' | 'clock'>,
): Promise<Alerts> {
  const asked = new Set(ids);
  const now = context.clock.now();
  const wrong: Judged[] = [];
  const well: Judged[] = [];
  let late = 0;
  let outside = 0;
  for (const project of projects)
    for (const judged of await judge(project, { asked, now, view }, context)) {
      if (judged.lateSince !== null) late++;
      outside += judged.values.filter((value) => value.outside).length;
      (judged.newest > -Infinity ? wrong : well).push(judged);
    }
  wrong.sort((a, b) => b.newest - a.newest || byText(a.device.name, b.device.name));
  const isListed = ({ device }: Judged, place: number) => place < MOST_ALERTED || asked.has(device.id);
  return {
    as_of: formatMicros(now),
    late,
    outside,
    complete: wrong.length <= MOST_ALERTED,
    devices: [...wrong.filter(isListed), ...well].map((judged) => viewOf(judged, now)),
  };
}

/** Resolves with the devices of a project where something is wrong, and those asked for. */
async function judge(
  project: StoredProject,
  { asked, now, view }: { readonly asked: ReadonlySet<string>; readonly now: Micros; readonly view: View },
  { metadata, records }: Pick<Context, 'metadata' | 'records'>,
): Promise<readonly Judged[]> {
  const { devices, ranges } = await metadata.read(async (tables) => ({
    devices: await tables.list('devices', { project_id: project.id }),
    ranges: await normalRangesOf(tables, { project_id: project.id }),
  }));
  const contacts = await withLastSeen(devices, { records });
  const isWhole = (device: string) => asked.has(device);
  const ids = devices.map(({ id }) => id);
  const views = await viewedOf(project.id, ids, view, { metadata });
  const ofDevices = await readRanged(views, { isWhole }, ranges, records);
  const corrected = new Set(views.flatMap((each) => (typeof each === 'string' ? [] : each.device)));
  return contacts.flatMap((contact): Judged[] => {
    const { device, seen } = contact;
    const isLate = seen !== null && statusOf(seen, device.interval_s, now) === 'late';
    const lateSince = isLate ? seen + silenceOf(device.interval_s) : null;
    const values = ofDevices.get(device.id) ?? [];
    const newest = values.reduce(
      (last, { outside, timestamp }) => (outside ? Math.max(last, timestamp) : last),
      lateSince ?? -Infinity,
    );
    if (newest === -Infinity && !asked.has(device.id)) return [];
    return [{ ...contact, project, lateSince, corrected: corrected.has(device.id), values, newest }];
  });
}

function viewOf({ device, seen, project, lateSince, corrected, values }: Judged, now: Micros): AlertedDevice {
  return {
    id: device.id,
    name: device.name,
    project_id: project.id,
    project: project.name,
    status: statusOf(seen, device.interval_s, now),
    interval_s: device.interval_s,
    last_seen: instantText(seen),
    late_since: instantText(lateSince),
    corrected,
    values: values.map(valueView),
  };
}

const valueView = ({ key, value, timestamp, outside, corrected, range }: JudgedValue): RangedValue => ({
  key,
  value: cutValue(value),
  timestamp: formatMicros(timestamp),
  outside,
  corrected,
  shown_as: range.shown_as,
  unit: range.unit,
  decimals: range.decimals,
  low: range.low,
  high: range.high,
});
