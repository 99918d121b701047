import { z } from 'zod';
import type { Envelope } from '#shared/schema/envelope.ts';
import { operationOf, type OperationId } from '#shared/operations/index.ts';
import { fillPath, parametersOf } from '#shared/schema/path-parameters.ts';
import { dataRecord, device, deviceItem, project, type DataRecord } from '#shared/schema/schemas.ts';
import { formatMicros, NEVER_SEEN, parseInstant, type Micros, type TimeRange } from '#shared/values/time.ts';
import { Refusal } from '../../../base/errors.ts';
import type { Answered, Target } from '../../../remote/target.ts';

/* The document's operations, asked of a service elsewhere over HTTP. */

/** A device of a project elsewhere. */
export interface Place {
  readonly project_id: string;
  readonly device_id: string;
}

/** A page of a device's records, newest first. */
export interface RecordPage {
  readonly records: readonly DataRecord[];
  /** Of all pages; null where the service does not say. */
  readonly total: number | null;
}

const { description, brand, model, avatar, last_seen } = deviceItem.shape;
const ITEM = {
  id: z.string(),
  name: z.string(),
  description: description.default(''),
  brand: brand.default(''),
  model: model.default(''),
  avatar: avatar.default(''),
  last_seen: last_seen.default(NEVER_SEEN),
};

/**
 * Lenient schemas for other implementations: unused fields may be missing, which are empty then, and unknown ones present.
 */
const LOOSE = {
  projects: z.array(project.extend({ id: z.string(), description: project.shape.description.default('') })),
  devices: z.array(z.object(ITEM)),
  device: device.partial().extend(ITEM),
  records: z.array(dataRecord),
  keys: z.array(z.string()),
};
export type DistantProject = z.infer<typeof LOOSE.projects>[number];
export type DistantItem = z.infer<typeof LOOSE.devices>[number];

/** Ends of a span that lets nothing out. */
const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59Z';

/** Asks one service elsewhere. All reject with a Refusal in that service's words, or with RemoteError. */
export class Ten {
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Sends an operation as its row in the table says; a refusal is an envelope. */
  send(id: OperationId, input: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Answered> {
    const { method, path, body } = operationOf(id);
    const filled = fillPath(path, (name) => encodeURIComponent(String(input[name])));
    const inPath = new Set(parametersOf(path));
    const rest = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
    if (body === 'json') return this.#target.ask(method, filled, { body: Object.fromEntries(rest), signal });
    const query = new URLSearchParams(
      Object.fromEntries(rest.map(([name, value]) => [name, String(value)])),
    ).toString();
    return this.#target.ask(method, query === '' ? filled : `${filled}?${query}`, { signal });
  }

  async projects(signal?: AbortSignal): Promise<DistantProject[]> {
    return this.#read('projects.list', {}, LOOSE.projects, signal);
  }

  async devices(project_id: string, signal?: AbortSignal): Promise<DistantItem[]> {
    return this.#read('devices.list', { project_id }, LOOSE.devices, signal);
  }

  async device(place: Place, signal?: AbortSignal): Promise<z.infer<typeof LOOSE.device>> {
    return this.#read('devices.get', place, LOOSE.device, signal);
  }

  async keys(place: Place, signal?: AbortSignal): Promise<string[]> {
    return this.#read('data.keys', place, LOOSE.keys, signal);
  }

  async page(
    place: Place,
    { page, limit, range = {}, keys }: PageQuery,
    signal?: AbortSignal,
  ): Promise<RecordPage> {
    const isAll = range.start === undefined && range.end === undefined;
    const span = isAll
      ? { range: 'all' }
      : { range: 'time', start: instantText(range.start, FIRST), end: instantText(range.end, LAST) };
    // A key with "," in it cannot be asked for: then all are.
    const asked =
      keys && keys.length > 0 && !keys.some((key) => key.includes(',')) ? keys.join(',') : undefined;
    const input = { ...place, page, limit, ...span, keys: asked };
    const { envelope, total } = await this.send('data.list', input, signal);
    return { records: dataOf(envelope, LOOSE.records), total };
  }

  /** How many records there are: as the service says or, where it does not, by asking for ever farther pages. */
  async count(place: Place, range: TimeRange = {}, signal?: AbortSignal): Promise<number> {
    const first = await this.page(place, { page: 1, limit: 1, range, keys: [] }, signal);
    if (first.total !== null) return first.total;
    const has = async (page: number) =>
      (await this.page(place, { page, limit: 1, range, keys: [] }, signal)).records.length > 0;
    if (first.records.length === 0) return 0;
    let [least, beyond] = [1, 2];
    while (await has(beyond)) [least, beyond] = [beyond, beyond * 2];
    while (beyond - least > 1) {
      const middle = Math.floor((least + beyond) / 2);
      if (await has(middle)) least = middle;
      else beyond = middle;
    }
    return least;
  }

  /** The record of a rank, counted from 1 at the newest; null where there is none. */
  async at(
    place: Place,
    rank: number,
    range: TimeRange = {},
    signal?: AbortSignal,
  ): Promise<DataRecord | null> {
    const { records } = await this.page(place, { page: rank, limit: 1, range }, signal);
    return records[0] ?? null;
  }

  async #read<S extends z.ZodType>(
    id: OperationId,
    input: Readonly<Record<string, unknown>> | Place,
    schema: S,
    signal?: AbortSignal,
  ): Promise<z.output<S>> {
    const { envelope } = await this.send(id, { ...input }, signal);
    return dataOf(envelope, schema);
  }
}

interface PageQuery {
  readonly page: number;
  readonly limit: number;
  readonly range?: TimeRange;
  /** Absent, or none: all of them. */
  readonly keys?: readonly string[];
}

const instantText = (instant: Micros | undefined, open: string) =>
  instant === undefined ? open : formatMicros(instant);

/** The time of a record, µs since 1970. Throws where it has none: then it is none of the document. */
export function timeOf({ timestamp }: DataRecord): Micros {
  const instant = parseInstant(timestamp);
  if (instant === null)
    throw new Refusal(500, `The service answered with a record of no time: "${timestamp}".`);
  return instant;
}

function dataOf<S extends z.ZodType>(envelope: Envelope, schema: S): z.output<S> {
  const { success, status, message, action } = envelope;
  if (!success) throw new Refusal(refusalStatus(status), message || `The service answered with ${status}.`);
  const read = schema.safeParse(envelope.data);
  if (read.success) return read.data;
  throw new Refusal(500, `The service answered "${action}" with data that the document does not have.`);
}

const REFUSALS: readonly Refusal['status'][] = [400, 401, 403, 404, 413, 416, 429, 500, 503];
const refusalStatus = (status: number) => REFUSALS.find((one) => one === status) ?? 500;
