import { statusOf, STATUSES, type DeviceStatus } from '#shared/domain/device-status.ts';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import { byText, isFound, splitList } from '#shared/values/text.ts';
import type { Micros } from '#shared/values/time.ts';
import type { StoredDevice } from '../../store/metadata/metadata-schema.ts';
import type { Extent } from '../../store/store.ts';
import type { Context, Handled } from '../context.ts';
import { deviceItemView, instantText } from '../resources.ts';
import { readLastValues, readOutside } from './last-values.ts';
import { viewedOf } from '../corrections/viewed.ts';
import { normalRangesOf } from './normal-ranges.ts';

/** A device, and when it was last heard of. */
export interface Contact {
  readonly device: StoredDevice;
  readonly seen: Micros | null;
}

interface Found extends Contact {
  readonly status: DeviceStatus;
  readonly extent: Extent | undefined;
}

type Order<Of> = (a: Of, b: Of) => number;

const byCreation: Order<Contact> = (a, b) =>
  b.device.created - a.device.created || b.device.sequence - a.device.sequence;
const byName: Order<Contact> = (a, b) => byText(a.device.name, b.device.name) || byCreation(a, b);
const records = ({ extent }: Found) => extent?.records ?? 0;

/** Latest seen first, then newest created (docs/api.md, "Fields"). */
export const bySeen: Order<Contact> = (a, b) =>
  (b.seen ?? -Infinity) - (a.seen ?? -Infinity) || byCreation(a, b);

const ORDERS: Readonly<Record<CheckedInput<'devices.find'>['sort'], Order<Found>>> = {
  seen: bySeen,
  created: byCreation,
  name: byName,
  status: (a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) || byName(a, b),
  records: (a, b) => records(b) - records(a) || byName(a, b),
};

export async function withLastSeen(
  devices: readonly StoredDevice[],
  context: Pick<Context, 'records'>,
): Promise<Contact[]> {
  const lastSeen = await context.records.lastSeen(devices.map((device) => device.id));
  return devices.map((device, i) => ({ device, seen: lastSeen[i] ?? null }));
}

/** A page of the devices of a project that are searched for (docs/local-api.md, "Finding devices"). */
export async function findDevices(
  input: CheckedInput<'devices.find'>,
  context: Pick<Context, 'metadata' | 'records' | 'clock' | 'urls'>,
): Promise<Handled<FoundDevice[]>> {
  const { project_id, sort, page, limit, keys } = input;
  const { metadata, clock } = context;
  const viewsOf = (contacts: readonly Contact[]) =>
    viewedOf(project_id, idsOf(contacts), input.view, context);
  const { devices, ranges } = await metadata.read(async (tables) => ({
    devices: await tables.list('devices', { project_id }),
    ranges: await normalRangesOf(tables, { project_id }),
  }));
  const contacts = await withLastSeen(devices.filter(isWanted(input)), context);
  const now = clock.now();
  let found = contacts
    .map((contact) => ({ ...contact, status: statusOf(contact.seen, contact.device.interval_s, now) }))
    .filter(({ status }) => input.status === undefined || status === input.status);
  if (input.outside !== undefined) {
    const outside = await readOutside(await viewsOf(found), ranges, context.records);
    found = found.filter(({ device }) => outside.has(device.id) === (input.outside === 'true'));
  }
  const extents = sort === 'records' ? await context.records.extents(await viewsOf(found)) : [];
  const sorted = found.map((each, i) => ({ ...each, extent: extents[i] })).toSorted(ORDERS[sort]);
  const shown = sorted.slice((page - 1) * limit, page * limit);
  const views = await viewsOf(shown);
  const [extentsShown, values, outside] = await Promise.all([
    context.records.extents(views),
    readLastValues(views, { keys, most: input.values }, ranges, context.records),
    readOutside(views, ranges, context.records),
  ]);
  const urls = context.urls();
  return {
    data: shown.map(({ device, seen, status }, i) => ({
      ...deviceItemView(device, seen, urls),
      tags: [...device.tags],
      source: device.source,
      records: extentsShown[i]?.records ?? 0,
      newest: instantText(extentsShown[i]?.last ?? null),
      status,
      interval_s: device.interval_s,
      values: values[i] ?? [],
      outside: outside.has(device.id),
      corrected: typeof views[i] === 'object',
    })),
    page: { page, limit, total: sorted.length },
  };
}

const idsOf = (contacts: readonly Contact[]) => contacts.map(({ device }) => device.id);

/** Whether a device is one of those searched for, as far as it says so itself. */
function isWanted(input: CheckedInput<'devices.find'>): (device: StoredDevice) => boolean {
  const { search, source } = input;
  const [all, any, not] = [splitList(input.tags), splitList(input.any_tags), splitList(input.not_tags)];
  const ids = input.ids === undefined ? null : new Set(splitList(input.ids));
  return (device) =>
    (ids?.has(device.id) ?? true) &&
    (source === undefined || device.source === source) &&
    all.every((tag) => device.tags.includes(tag)) &&
    (any.length === 0 || any.some((tag) => device.tags.includes(tag))) &&
    !not.some((tag) => device.tags.includes(tag)) &&
    isFound(search, device);
}
