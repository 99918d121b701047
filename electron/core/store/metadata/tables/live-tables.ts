import { bySequence, hasAll, type AnyHaving, type AnyRow } from '../any-row.ts';
import type { TableName } from '../metadata-schema.ts';

/** By what rows of a table are found without looking at all of them, the narrowest first. */
const GROUPED: { readonly [Name in TableName]: readonly (keyof AnyHaving)[] } = {
  accounts: [],
  projects: ['account_id'],
  devices: ['project_id'],
  api_keys: ['account_id'],
  functions: ['device_id', 'project_id'],
  widgets: ['device_id', 'project_id'],
  key_settings: ['device_id', 'project_id'],
  notes: ['device_id', 'project_id'],
  alarms: ['function_id', 'device_id', 'project_id'],
  corrections: ['device_id', 'project_id'],
  correction_history: ['device_id', 'project_id'],
  views: ['account_id'],
  kept_deletes: ['device_id', 'project_id', 'account_id'],
  preferences: [],
};

/** Unique hashes of rows beside their id. */
export const HASHES: Partial<Record<TableName, (row: AnyRow) => string>> = {
  devices: ({ token_hash = '' }) => token_hash,
  api_keys: ({ hash = '' }) => hash,
};

type Rows = Map<string, AnyRow>;

/** Rows that are read when one of them is asked for, and their ids before. */
export interface UnreadRows {
  /** Found when they are asked for. */
  readonly ids: readonly string[];
  /** Returns the rows that are read with the one at `i`, in order, and the position of the first. */
  around(i: number): { readonly from: number; readonly rows: readonly AnyRow[] };
}

/** Index of rows beside their id. */
interface Index {
  readonly groups: ReadonlyMap<keyof AnyHaving, Map<string, Rows>>;
  readonly ids: Map<string, string>;
}

/**
 * A table in memory that changes in place: a change of a row costs the same, however many there are. Rows stand in the
 * order in which they were made, as a Map keeps what is set again in its place and adds what is new at its end.
 */
export class LiveTable {
  /** Version: another object after every change. */
  version: object = {};
  /** A number: where it stands among the rows that were not read yet. Null until somebody asks for one. */
  #known: Map<string, AnyRow | number> | null = null;
  /** Null once all are read. */
  #unread: UnreadRows | null = null;
  readonly #name: TableName;
  readonly #hashOf: ((row: AnyRow) => string) | undefined;
  /** Null until somebody looks for rows by it: a start does not, of ten thousand devices. */
  #index: Index | null = null;

  /** `rows`: each once, in the order in which they were made. */
  constructor(name: TableName, rows: readonly AnyRow[] | UnreadRows) {
    this.#name = name;
    this.#hashOf = HASHES[name];
    if ('ids' in rows) this.#unread = rows;
    else this.#known = new Map(rows.map((row) => [row.id, row]));
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): AnyRow | undefined {
    const row = this.#rows.get(id);
    return typeof row === 'number' ? this.#read(row) : row;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  byHash(hash: string): AnyRow | undefined {
    const id = this.#indexed().ids.get(hash);
    return id === undefined ? undefined : this.get(id);
  }

  /** The rows that have all of these, in the order in which they were made. */
  list(having: AnyHaving): AnyRow[] {
    const [field, ...others] = criteria(having);
    if (field === undefined) return inOrder([...this.#all().values()]);
    const { groups } = this.#indexed();
    const narrow = [...groups.keys()].find((grouped) => having[grouped] !== undefined);
    const rows = narrow === undefined ? this.#all() : groups.get(narrow)?.get(having[narrow] ?? '');
    const found = [...(rows?.values() ?? [])];
    return inOrder(
      narrow !== undefined && others.length === 0 ? found : found.filter((row) => hasAll(row, having)),
    );
  }

  /** How many `list` would return. */
  count(having: AnyHaving): number {
    const [field, ...others] = criteria(having);
    if (field === undefined) return this.size;
    const group = this.#indexed().groups.get(field);
    return group && others.length === 0
      ? (group.get(having[field] ?? '')?.size ?? 0)
      : this.list(having).length;
  }

  /** Puts a row in the place of the one with its id, or at the end. */
  put(row: AnyRow): void {
    const old = this.get(row.id);
    // Made again after it was removed: its place is at the end.
    if (old && old.sequence !== row.sequence) this.remove(row.id);
    else if (old) this.#leave(old, row);
    this.version = {};
    this.#rows.set(row.id, row);
    if (this.#index) this.#enter(row, this.#index);
  }

  remove(id: string): void {
    const old = this.get(id);
    if (!old) return;
    this.version = {};
    this.#rows.delete(id);
    this.#leave(old, null);
  }

  /**
   * Reads the row that stands at `i` of those that are not read yet, and the ones that are read with it: none of them is read
   * yet either, as that comes before a change of one.
   */
  #read(i: number): AnyRow | undefined {
    if (!this.#unread) return undefined;
    const { ids } = this.#unread;
    const { from, rows } = this.#unread.around(i);
    for (const [k, row] of rows.entries()) this.#rows.set(ids[from + k] ?? row.id, row);
    return rows[i - from];
  }

  get #rows(): Map<string, AnyRow | number> {
    return (this.#known ??= new Map(this.#unread?.ids.map((id, i) => [id, i])));
  }

  #all(): Rows {
    for (const row of this.#unread ? this.#rows.values() : []) if (typeof row === 'number') this.#read(row);
    this.#unread = null;
    return this.#rows as Rows;
  }

  #indexed(): Index {
    if (this.#index) return this.#index;
    const groups = new Map(GROUPED[this.#name].map((field) => [field, new Map<string, Rows>()]));
    this.#index = { groups, ids: new Map() };
    for (const row of this.#all().values()) this.#enter(row, this.#index);
    return this.#index;
  }

  /** Has a row found by what it is now. */
  #enter(row: AnyRow, { groups, ids }: Index): void {
    for (const [field, group] of groups)
      for (const value of valuesOf(row, field)) {
        const rows = group.get(value) ?? new Map<string, AnyRow>();
        group.set(value, rows.set(row.id, row));
      }
    if (this.#hashOf) ids.set(this.#hashOf(row), row.id);
  }

  /** Takes a row out of what it is found by, except where the row in its place is found by the same. */
  #leave(old: AnyRow, next: AnyRow | null): void {
    if (!this.#index) return;
    const { groups, ids } = this.#index;
    for (const [field, group] of groups) {
      const stays = next ? valuesOf(next, field) : [];
      for (const value of valuesOf(old, field)) {
        if (stays.includes(value)) continue;
        const rows = group.get(value);
        rows?.delete(old.id);
        if (rows?.size === 0) group.delete(value);
      }
    }
    const hash = this.#hashOf?.(old);
    if (hash !== undefined && ids.get(hash) === old.id && (!next || this.#hashOf?.(next) !== hash))
      ids.delete(hash);
  }
}

export type LiveTables = { readonly [Name in TableName]: LiveTable };

const FIELDS = ['function_id', 'device_id', 'project_id', 'account_id', 'role'] as const;
const criteria = (having: AnyHaving) => FIELDS.filter((field) => having[field] !== undefined);

function valuesOf(row: AnyRow, field: keyof AnyHaving): readonly string[] {
  if (field === 'device_id' && row.sources) return row.sources.map(({ device_id }) => device_id);
  const value = row[field];
  return typeof value === 'string' ? [value] : [];
}

/** Sorts rows, which are in order but for those with a changed index field. */
function inOrder(rows: AnyRow[]): AnyRow[] {
  for (let i = 1; i < rows.length; i++)
    if ((rows[i - 1]?.sequence ?? 0) > (rows[i]?.sequence ?? 0)) return rows.toSorted(bySequence);
  return rows;
}
