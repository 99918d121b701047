import { keptIndex, perObject, rowsHaving, type MetadataIndex } from './metadata-index.ts';
import type {
  AllTables,
  MetadataState,
  PendingDeletion,
  Row,
  Settings,
  StoredDevice,
  StoredKey,
  Table,
  TableName,
} from './metadata-schema.ts';
import type { Having, Tables } from './metadata.ts';

/** The tables of a state in memory: what is asked is there at once. */
export class StateTables implements Tables {
  protected readonly base: MetadataState;

  constructor(state: MetadataState) {
    this.base = state;
  }

  get<Name extends TableName>(table: Name, id: string): Row<Name> | null {
    return this.rows(table)[id] ?? null;
  }

  list<Name extends TableName>(table: Name, having: Having[Name] = {}): readonly Row<Name>[] {
    const found: readonly unknown[] = rowsHaving(this.rows(table), having, this.indexOf(table));
    return found as readonly Row<Name>[];
  }

  count<Name extends TableName>(table: Name, having?: Having[Name]): number {
    return this.list(table, having).length;
  }

  keyByHash(hash: string): StoredKey | null {
    return this.indexOf('api_keys').keysByHash(this.rows('api_keys')).get(hash) ?? null;
  }

  deviceByTokenHash(hash: string): StoredDevice | null {
    return this.indexOf('devices').devicesByTokenHash(this.rows('devices')).get(hash) ?? null;
  }

  settings(): Settings {
    return this.base.settings;
  }

  deletions(): readonly PendingDeletion[] {
    return this.base.deletions;
  }

  versionOf(table: TableName): object | null {
    return this.rows(table);
  }

  protected rows<Name extends TableName>(table: Name): Table<Name> {
    const tables: AllTables = this.base;
    return tables[table];
  }

  protected indexOf(_table: TableName): MetadataIndex {
    return keptIndex;
  }
}

/** The tables of a committed state. */
export const tablesOf = perObject((state: MetadataState): Tables => new StateTables(state));
