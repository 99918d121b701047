import type { StoredDevice, StoredKey, Table } from './metadata-schema.ts';

/** What every row has, and what rows of some tables have. */
export interface AnyRow {
  readonly id: string;
  readonly sequence: number;
  readonly account_id?: string;
  readonly project_id?: string;
  readonly device_id?: string;
  readonly role?: string;
  readonly sources?: readonly { readonly device_id: string }[];
}
type AnyTable = Readonly<Record<string, AnyRow>>;

/** How rows are found by something other than their id. */
export interface MetadataIndex {
  /** In the order in which they were made. */
  readonly inOrder: (table: AnyTable) => readonly AnyRow[];
  readonly byProject: (table: AnyTable) => ReadonlyMap<string | undefined, readonly AnyRow[]>;
  readonly keysByHash: (keys: Table<'api_keys'>) => ReadonlyMap<string, StoredKey>;
  readonly devicesByTokenHash: (devices: Table<'devices'>) => ReadonlyMap<string, StoredDevice>;
}

/** For tables that are being changed: looks at all rows each time. */
export const freshIndex: MetadataIndex = {
  inOrder: (table) => Object.values(table).toSorted((a, b) => a.sequence - b.sequence),
  byProject: (table) => Map.groupBy(freshIndex.inOrder(table), (row) => row.project_id),
  keysByHash: (keys) => new Map(Object.values(keys).map((key) => [key.hash, key])),
  devicesByTokenHash: (devices) =>
    new Map(Object.values(devices).map((device) => [device.token_hash, device])),
};

/** For committed tables, which never change: each part is made on first use and kept as long as its table. */
export const keptIndex: MetadataIndex = {
  inOrder: perObject(freshIndex.inOrder),
  byProject: perObject(freshIndex.byProject),
  keysByHash: perObject(freshIndex.keysByHash),
  devicesByTokenHash: perObject(freshIndex.devicesByTokenHash),
};

/** What is derived from something immutable holds for as long as that is the same object. */
export function perObject<Source extends object, Derived>(
  derive: (source: Source) => Derived,
): (source: Source) => Derived {
  const known = new WeakMap<Source, Derived>();
  return (source) => {
    let derived = known.get(source);
    if (derived === undefined) known.set(source, (derived = derive(source)));
    return derived;
  };
}

/** The criteria of `Having`, whichever table they are for. */
export interface AnyHaving {
  readonly account_id?: string;
  readonly project_id?: string;
  readonly device_id?: string;
  readonly role?: string;
}

/** The rows of a table that have all of these, in the order in which they were made. */
export function rowsHaving(table: AnyTable, having: AnyHaving, index: MetadataIndex): readonly AnyRow[] {
  const { project_id, account_id, device_id, role } = having;
  const rows = project_id === undefined ? index.inOrder(table) : index.byProject(table).get(project_id);
  if (account_id === undefined && device_id === undefined && role === undefined) return rows ?? [];
  return (rows ?? []).filter(
    (row) =>
      (account_id === undefined || row.account_id === account_id) &&
      (device_id === undefined || isOf(row, device_id)) &&
      (role === undefined || row.role === role),
  );
}

const isOf = (row: AnyRow, device_id: string) =>
  row.device_id === device_id || (row.sources?.some((source) => source.device_id === device_id) ?? false);
