import { statusOf, STATUSES } from '#shared/domain/device-status.ts';
import type { DeviceSummary, FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import type { FoundProject, ProjectKeys } from '#shared/operations/metadata/projects.ts';
import { byText, isFound } from '#shared/values/text.ts';
import { NEVER_SEEN, parseInstant, type Micros } from '#shared/values/time.ts';
import { numberIn } from './charts.ts';
import type { DistantItem, Place, Ten } from './ten.ts';

/* Devices as people look for them, of a service that lists them as the document does. */

/** Records of which a device's keys and last values are told. */
const NEWEST = 16;
const SAMPLE = 1_000;
/** Devices that are asked for all their keys. */
const MOST_ASKED = 40;
/** Devices asked for at once. */
const AT_ONCE = 6;
const MOST_OF_TEXT = 200;

type Data = Pick<FoundDevice, 'records' | 'newest' | 'values'>;
type Query = CheckedInput<'devices.find'>;

const ORDERS: Readonly<Record<Query['sort'], (a: FoundDevice, b: FoundDevice) => number>> = {
  seen: (a, b) => b.last_seen.localeCompare(a.last_seen),
  // As the document lists them: nothing says when one was made.
  created: () => 0,
  name: (a, b) => byText(a.name, b.name),
  status: (a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) || byText(a.name, b.name),
  records: (a, b) => b.records - a.records || byText(a.name, b.name),
};

/** Finds devices, and caches the contents of each until it stores something. */
export class DistantDevices {
  readonly #ten: Ten;
  readonly #now: () => Micros;
  readonly #known = new Map<string, { readonly seen: string; readonly keys: string; readonly data: Data }>();

  constructor(ten: Ten, now: () => Micros) {
    this.#ten = ten;
    this.#now = now;
  }

  async projects(signal?: AbortSignal): Promise<FoundProject[]> {
    const projects = await this.#ten.projects(signal);
    return inTurns(projects, AT_ONCE, async (project) => {
      const counts = { online: 0, late: 0, never: 0 };
      const devices = await this.#ten.devices(project.id, signal);
      for (const device of devices) counts[this.#statusOf(device)]++;
      return {
        ...project,
        // The document has nothing of the kind.
        reason_required: false,
        devices: devices.length,
        ...counts,
        recordings: 0,
        outside: 0,
        corrected: 0,
        records: 0,
      };
    });
  }

  /** The keys of its first devices: each costs a question. */
  async keys({ project_id }: CheckedInput<'projects.keys'>, signal?: AbortSignal): Promise<ProjectKeys> {
    const devices = await this.#ten.devices(project_id, signal);
    const lists = await inTurns(devices.slice(0, MOST_ASKED), AT_ONCE, ({ id }) =>
      this.#ten.keys({ project_id, device_id: id }, signal),
    );
    return { keys: [...new Set(lists.flat())].toSorted(), complete: devices.length <= MOST_ASKED };
  }

  async find(query: Query, signal?: AbortSignal): Promise<FoundDevice[]> {
    const { project_id, page, limit, sort } = query;
    const listed = await this.#ten.devices(project_id, signal);
    const wanted = listed.filter((device) => this.#isWanted(device, query));
    // An order by what a device has needs that of all of them.
    const isByData = sort === 'records';
    const read = (devices: readonly DistantItem[]) =>
      inTurns(devices, AT_ONCE, (device) => this.#found(project_id, device, query, signal));
    const from = (page - 1) * limit;
    if (isByData) return (await read(wanted)).toSorted(ORDERS[sort]).slice(from, from + limit);
    const bare = wanted.map((device) => this.#bare(device, NOTHING));
    const order = bare.toSorted(ORDERS[sort]).map(({ id }) => id);
    const byId = new Map(wanted.map((device) => [device.id, device]));
    return read(order.slice(from, from + limit).flatMap((id) => byId.get(id) ?? []));
  }

  /** Resolves with the summary of a device for a chart: its keys are those of its newest thousand records. */
  async summary(place: Place, signal?: AbortSignal): Promise<DeviceSummary> {
    const [device, keys, records, { records: newest }] = await Promise.all([
      this.#ten.device(place, signal),
      this.#ten.keys(place, signal),
      this.#ten.count(place, {}, signal),
      this.#ten.page(place, { page: 1, limit: SAMPLE }, signal),
    ]);
    const oldest = records > newest.length ? await this.#ten.at(place, records, {}, signal) : newest.at(-1);
    return {
      records,
      first: oldest?.timestamp ?? null,
      last: newest[0]?.timestamp ?? null,
      last_seen: device.last_seen,
      purged_at: null,
      source: 'http',
      interval_s: null,
      bytes: 0,
      keys: keys.map((key) => {
        const having = newest.filter((record) => Object.hasOwn(record, key));
        const numeric = having.filter((record) => !Number.isNaN(numberIn(record, key))).length;
        // One that none of them has may hold numbers farther back.
        return having.length > 0 ? { key, count: having.length, numeric } : { key, count: 1, numeric: 1 };
      }),
    };
  }

  #isWanted(device: DistantItem, { search, ids, status, source, tags, any_tags, outside }: Query): boolean {
    const { id } = device;
    // Neither is in the document's list.
    if (source !== undefined || outside === 'true' || tags !== '' || any_tags !== '') return false;
    if (ids !== undefined && !ids.split(',').includes(id)) return false;
    if (status !== undefined && this.#statusOf(device) !== status) return false;
    return isFound(search, this.#bare(device, NOTHING));
  }

  async #found(
    project_id: string,
    device: DistantItem,
    { keys, values }: Query,
    signal?: AbortSignal,
  ): Promise<FoundDevice> {
    const [seen, named] = [device.last_seen, keys?.join(',') ?? ''];
    const known = this.#known.get(device.id);
    const place = { project_id, device_id: device.id };
    const data =
      known?.seen === seen && known.keys === named ? known.data : await this.#read(place, keys, signal);
    this.#known.set(device.id, { seen, keys: named, data });
    return this.#bare(device, { ...data, values: data.values.slice(0, values) });
  }

  async #read(place: Place, keys: Query['keys'], signal?: AbortSignal): Promise<Data> {
    const { records, total } = await this.#ten.page(place, { page: 1, limit: NEWEST }, signal);
    const isAll = records.length < NEWEST;
    const count = isAll ? records.length : (total ?? (await this.#ten.count(place, {}, signal)));
    const named = keys ?? [...new Set(records.flatMap((record) => Object.keys(record)))].toSorted();
    const values = named.flatMap((key) => {
      const having = records.find((record) => Object.hasOwn(record, key));
      const value = having?.[key];
      if (key === 'timestamp' || having === undefined || value === undefined) return [];
      const shown = typeof value === 'string' ? value.slice(0, MOST_OF_TEXT) : value;
      return { key, value: shown, timestamp: having.timestamp, outside: false, corrected: false };
    });
    return { records: count, newest: records[0]?.timestamp ?? null, values };
  }

  #bare(device: DistantItem, data: Data): FoundDevice {
    return {
      ...device,
      tags: [],
      source: 'http',
      status: this.#statusOf(device),
      interval_s: null,
      outside: false,
      // The document knows no corrections.
      corrected: false,
      ...data,
    };
  }

  #statusOf({ last_seen }: DistantItem) {
    const seen = last_seen === NEVER_SEEN ? null : parseInstant(last_seen);
    return statusOf(seen, null, this.#now());
  }
}

const NOTHING: Data = { records: 0, newest: null, values: [] };

/** Maps in order, a few at once. */
async function inTurns<T, U>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<U>,
): Promise<U[]> {
  const done: U[] = [];
  const waiting = items.entries();
  const turn = async () => {
    for (const [at, item] of waiting) done[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, turn));
  return done;
}
