import { formatMicros, type Micros, type TimeRange } from '#shared/values/time.ts';
import type { StoredRecord, Value } from '#core/store/store.ts';
import { csvText, ndjsonText, pageText, type Row } from '../differential/model.ts';
import { NOTHING, applied, type Act, type Content } from '../faults/history.ts';
import { correctedRecords } from '../helpers/store/memory-corrections.ts';
import type { Entered } from './corrections.ts';
import type { Publication } from './mqtt-wire.ts';

/* What the service holds after all that it has answered, as naively as can be; and what may have been done besides. */

export interface Device {
  readonly id: string;
  readonly name: string;
  readonly source: 'http' | 'mqtt';
  token: string;
  content: Content;
  /** In their places. */
  corrections: readonly Entered[];
  /** The delete by which it went and may come back. */
  deletedBy: string | null;
  /** What nobody knows whether it was done; nothing else is done to it until that is known. */
  doubt: Doubt | null;
  /** What it has published and is not over. */
  owed: Owed | null;
  /** Messages that it has published. */
  messages: number;
}

export interface Owed {
  readonly publication: Publication;
  readonly drafts: readonly Draft[];
  /** Whether its records were stored. */
  stored: boolean;
}

/** An API key that reads until some time. */
export interface ExpiringKey {
  readonly key: string;
  readonly until: Micros;
}

/** Something that can be had back. */
export interface Entry {
  readonly id: string;
  readonly device: Device;
  readonly kind: 'device' | 'records';
  readonly until: Micros;
}

export type Doubt =
  /** Any of these is what it holds now. */
  | {
      readonly kind: 'content';
      readonly possible: readonly Content[];
      /** Whether the first of them is without what it owes, and the others with it. */
      readonly isOfOwed?: boolean;
    }
  | { readonly kind: 'keep'; readonly removal: { readonly range: TimeRange } | { readonly at: Micros } }
  | { readonly kind: 'restore' | 'discard'; readonly entry: Entry }
  | { readonly kind: 'corrections'; readonly possible: readonly (readonly Entered[])[] }
  | { readonly kind: 'delete' | 'drop' | 'token' };

export class Model {
  readonly devices: Device[] = [];
  readonly entries = new Map<string, Entry>();
  /** Devices that may have been made, by their names. */
  readonly maybeMade = new Map<string, Device['source']>();
  readonly keys: ExpiringKey[] = [];
  readonly project: string;
  #made = 0;

  constructor(project: string) {
    this.project = project;
  }

  newName(): string {
    return `Device ${++this.#made}`;
  }

  add(id: string, name: string, source: Device['source'], token: string): void {
    const nothing = {
      content: NOTHING,
      corrections: [],
      deletedBy: null,
      doubt: null,
      owed: null,
      messages: 0,
    };
    this.devices.push({ id, name, source, token, ...nothing });
  }

  /** Those that are there for certain. */
  get present(): readonly Device[] {
    return this.devices.filter(({ deletedBy, doubt }) => deletedBy === null && doubt === null);
  }

  get isInDoubt(): boolean {
    return this.maybeMade.size > 0 || this.devices.some(({ doubt }) => doubt !== null);
  }

  apply(device: Device, act: Act): void {
    device.content = applied(device.content, act);
  }

  /** Deletes that can be undone at once: what they are about is there for certain. */
  get undoable(): readonly Entry[] {
    return [...this.entries.values()].filter(
      ({ kind, device }) => device.doubt === null && (kind === 'device' || device.deletedBy === null),
    );
  }

  keep(device: Device, id: string, until: Micros, removal: { range: TimeRange } | { at: Micros }): void {
    this.apply(device, { kind: 'keep', device: device.id, name: id, removal });
    this.entries.set(id, { id, device, kind: 'records', until });
  }

  remove(device: Device, id: string, until: Micros): void {
    device.deletedBy = id;
    this.entries.set(id, { id, device, kind: 'device', until });
  }

  restored({ id, device, kind }: Entry): void {
    this.entries.delete(id);
    if (kind === 'device') device.deletedBy = null;
    else this.apply(device, { kind: 'restore', device: device.id, name: id });
  }

  discarded({ id, device, kind }: Entry): void {
    this.entries.delete(id);
    if (kind === 'device') this.gone(device);
    else this.apply(device, { kind: 'discard', device: device.id, name: id });
  }

  /** How many records of it can be had back. */
  recordsOf({ id, device: { content }, kind }: Entry): number {
    if (kind === 'device') return content.records.length;
    return content.kept.find(({ name }) => name === id)?.records.length ?? 0;
  }

  /** All records, those that can be had back included. */
  get records(): number {
    return this.devices.reduce(
      (sum, { content: { records, kept } }) =>
        kept.reduce((all, each) => all + each.records.length, sum + records.length),
      0,
    );
  }

  /** A device went for good, with all that was kept of it. */
  gone(device: Device): void {
    this.devices.splice(this.devices.indexOf(device), 1);
    for (const entry of this.entries.values()) if (entry.device === device) this.entries.delete(entry.id);
  }
}

/** Oldest first, of equal times the earliest arrival first. */
const rowsOf = ({ records }: Content): readonly Row[] =>
  asRows(records.toSorted((a, b) => a.timestamp - b.timestamp));

const asRows = (records: readonly StoredRecord[]): readonly Row[] =>
  records.map(({ timestamp, keys, values }) => ({
    time: timestamp,
    fields: keys.map((key, i) => [key, values[i]!] as const),
  }));

export const exportOf = (content: Content): string => ndjsonText(rowsOf(content), null);

/** The same through the corrections of the device. */
export function correctedExportOf({ content, corrections }: Device): string {
  const inOrder = content.records.toSorted((a, b) => a.timestamp - b.timestamp);
  const lens = { corrections: corrections.map(({ reads }) => reads), formers: [] };
  // A file leaves out records of which flags leave nothing.
  const left = correctedRecords(lens, inOrder, []).filter(({ keys }) => keys.length > 0);
  return ndjsonText(asRows(left), null);
}

export function csvOf(content: Content): string {
  const rows = rowsOf(content);
  const keys = [...new Set(rows.flatMap(({ fields }) => fields.map(([key]) => key)))].toSorted();
  return csvText(rows, keys);
}

/** A page as /v2 shows it, newest first. */
export const pageOf = (content: Content, page: number, limit: number): string =>
  pageText(
    rowsOf(content)
      .toReversed()
      .slice((page - 1) * limit, page * limit),
    null,
  );

/** What a summary says of a device beside its keys. */
export const summaryOf = ({ records, lastSeen, purgedAt }: Content) => ({
  records: records.length,
  last_seen: lastSeen === null ? '0001-01-01T00:00:00Z' : formatMicros(lastSeen),
  purged_at: purgedAt === null ? null : formatMicros(purgedAt),
});

/** A record before it is sent; without a time the service says when it was. */
export interface Draft {
  readonly time: Micros | null;
  /** In the order of the keys. */
  readonly fields: readonly (readonly [key: string, value: Value])[];
}

export const sentAs = ({ time, fields }: Draft) => ({
  ...(time !== null && { timestamp: formatMicros(time) }),
  ...Object.fromEntries(fields),
});

export const storedAt = ({ time, fields }: Draft, now: Micros): StoredRecord => ({
  timestamp: time ?? now,
  received: now,
  keys: fields.map(([key]) => key),
  values: fields.map(([, value]) => value),
});

export const documentPath = ({ project }: Model, { id }: { readonly id: string }) =>
  `/v2/projects/${project}/devices/${id}`;
export const localPath = ({ project }: Model, { id }: { readonly id: string }) =>
  `/_local/v1/projects/${project}/devices/${id}`;
