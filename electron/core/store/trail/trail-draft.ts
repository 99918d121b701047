import { formatMicros, type Micros } from '#shared/values/time.ts';
import { Pace } from '../../turns/pace.ts';
import { headAfter, lineAfter, type Head } from './chain.ts';
import { BY_ITSELF, type Change, type Entry, type Event, type Named, type Origin } from './entry.ts';
import { redact, redactText } from './redact.ts';
import { aboutOf, changeOf, type RowChange } from './row-changes.ts';

/** Rows of one entry: of more there are several, so that no line is as long as a whole project. */
const MOST_ROWS = 500;

/** Lines that changes add to a trail, one change after the other, each of which is kept or taken back whole. */
export class TrailDraft {
  readonly #now: () => Micros;
  readonly #kept: string[] = [];
  #keptHead: Head;
  #present: string[] = [];
  #head: Head;
  #origin: Origin = BY_ITSELF;

  constructor(head: Head, now: () => Micros) {
    this.#head = this.#keptHead = head;
    this.#now = now;
  }

  /** The lines of the changes that were kept. */
  get lines(): readonly string[] {
    return this.#kept;
  }

  /** The next change comes from there. */
  begin(origin: Origin = BY_ITSELF): void {
    this.#origin = {
      ...origin,
      by: { ...origin.by, name: redactText(origin.by.name) },
      ...(origin.projects && { projects: origin.projects.map(withoutSecret) }),
      ...(origin.devices && { devices: origin.devices.map(withoutSecret) }),
      ...(origin.reason !== undefined && { reason: redactText(origin.reason) }),
    };
  }

  /** Adds an entry that is of no row; returns its number. */
  tell({ outcome, of, facts, message }: Event): number {
    const { projects, devices } = this.#origin;
    this.#add({
      ...this.#common(),
      outcome,
      ...(of !== undefined && { of }),
      ...(projects && projects.length > 0 && { projects }),
      ...(devices && devices.length > 0 && { devices }),
      ...(facts !== undefined && { facts: redact(facts) }),
      ...(message !== undefined && { message: redactText(message) }),
    });
    return this.#head.n;
  }

  /** Adds what the present change did to rows and to the notes of deletes, in slices of time. */
  async tellRows(rows: readonly RowChange[], deletions: readonly unknown[]): Promise<void> {
    const pace = new Pace();
    const told: { readonly row: RowChange; readonly change: Change }[] = [];
    // Changes of alarms by the service itself have no entries: they would come as often as alarms do.
    const isTold =
      this.#origin.by.kind !== 'service' ? () => true : ({ table }: RowChange) => table !== 'alarms';
    for (const row of rows.filter(isTold)) {
      const change = changeOf(row);
      if (change) told.push({ row, change });
      if (pace.isOver) await pace.pause();
    }
    if (told.length === 0 && deletions.length === 0) return;
    const parts = Math.max(1, Math.ceil(told.length / MOST_ROWS));
    for (let part = 0; part < parts; part++) {
      const these = told.slice(part * MOST_ROWS, (part + 1) * MOST_ROWS);
      const about = aboutOf(
        these.map(({ row }) => row),
        this.#origin,
      );
      const isLast = part === parts - 1;
      this.#add({
        ...this.#common(),
        outcome: 'done',
        ...(parts > 1 && { part: { number: part + 1, of: parts } }),
        ...(about.projects.length > 0 && { projects: about.projects }),
        ...(about.devices.length > 0 && { devices: about.devices }),
        ...(about.keys.length > 0 && { keys: about.keys }),
        ...(these.length > 0 && { changes: these.map(({ change }) => change) }),
        ...(isLast && deletions.length > 0 && { deletions }),
      });
      await pace.pause();
    }
  }

  keep(): void {
    this.#kept.push(...this.#present);
    this.#keptHead = this.#head;
    this.#present = [];
  }

  takeBack(): void {
    this.#head = this.#keptHead;
    this.#present = [];
  }

  #common() {
    const { by, operation, account_id, reason } = this.#origin;
    return {
      at: formatMicros(this.#now()),
      by,
      operation,
      ...(account_id !== undefined && { account_id }),
      ...(reason !== undefined && { reason }),
    };
  }

  #add(entry: Omit<Entry, 'n' | 'prev'>): void {
    const line = lineAfter(this.#head, entry);
    this.#head = headAfter(this.#head, [line]);
    this.#present.push(line);
  }
}

const withoutSecret = ({ id, name }: Named): Named =>
  name === undefined ? { id } : { id, name: redactText(name) };
