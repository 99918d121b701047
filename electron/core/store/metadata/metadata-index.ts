import type { Metadata, StoredDevice, StoredFunction, StoredKey, StoredWidget } from './metadata-schema.ts';

/** What is looked up by something other than its id. */
export interface MetadataIndex {
  readonly keyByHash: ReadonlyMap<string, StoredKey>;
  readonly deviceByTokenHash: ReadonlyMap<string, StoredDevice>;
  readonly devicesOf: (project_id: string) => readonly StoredDevice[];
  readonly functionsOf: (project_id: string) => readonly StoredFunction[];
  readonly widgetsOf: (project_id: string) => readonly StoredWidget[];
}

/** The index of a committed state. Each part is made on first use and kept until its table changes. */
export const indexOf = perTable((state: Metadata): MetadataIndex => ({
  get keyByHash() {
    return keysByHash(state.api_keys);
  },
  get deviceByTokenHash() {
    return devicesByTokenHash(state.devices);
  },
  devicesOf: (project_id) => devicesByProject(state.devices).get(project_id) ?? [],
  functionsOf: (project_id) => functionsByProject(state.functions).get(project_id) ?? [],
  widgetsOf: (project_id) => widgetsByProject(state.widgets).get(project_id) ?? [],
}));

const keysByHash = perTable(
  (keys: Metadata['api_keys']) => new Map(Object.values(keys).map((key) => [key.hash, key])),
);
const devicesByTokenHash = perTable(
  (devices: Metadata['devices']) =>
    new Map(Object.values(devices).map((device) => [device.token_hash, device])),
);
const byProject = <Row extends { readonly project_id: string }>(table: Readonly<Record<string, Row>>) =>
  Map.groupBy(Object.values(table), (row) => row.project_id);
const devicesByProject = perTable(byProject<StoredDevice>);
const functionsByProject = perTable(byProject<StoredFunction>);
const widgetsByProject = perTable(byProject<StoredWidget>);

/** Tables, and the state they make up, are immutable, so what is derived from one holds for as long as it is the same object. */
export function perTable<Table extends object, Derived>(
  derive: (table: Table) => Derived,
): (table: Table) => Derived {
  const known = new WeakMap<Table, Derived>();
  return (table) => {
    let derived = known.get(table);
    if (derived === undefined) known.set(table, (derived = derive(table)));
    return derived;
  };
}
