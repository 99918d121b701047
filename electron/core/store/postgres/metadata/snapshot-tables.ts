import { parseJson } from '#shared/values/json.ts';
import type { AnyRow } from '../../metadata/any-row.ts';
import { freeze } from '../../metadata/freeze.ts';
import type {
  PendingDeletion,
  Row,
  Settings,
  StoredDevice,
  StoredKey,
  TableName,
} from '../../metadata/metadata-schema.ts';
import type { Having, Tables } from '../../metadata/metadata.ts';
import type { Sender } from '../../metadata/sender.ts';
import { findSender } from '../../metadata/tables/find-sender.ts';
import type { Asker } from '../connection/connections.ts';
import { condition, idColumn } from './columns.ts';

/** A type alias, as the rows of a database have any columns. */
type Body = { readonly body: string };

/** The tables of metadata as a transaction of the database sees them, each question a round trip. */
export class SnapshotTables implements Tables {
  readonly #asker: Asker;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  async get<Name extends TableName>(table: Name, id: string): Promise<Row<Name> | null> {
    const sql = 'SELECT body FROM metadata_row WHERE kind = $1 AND id = $2';
    return this.#one<Row<Name>>(sql, [table, idColumn(id)]);
  }

  async list<Name extends TableName>(table: Name, having: Having[Name] = {}): Promise<readonly Row<Name>[]> {
    const { sql, values } = condition(having, 2);
    const found = await this.#asker.ask<Body>(
      `SELECT body FROM metadata_row WHERE kind = $1${sql} ORDER BY sequence`,
      [table, ...values],
    );
    return found.map(({ body }) => readBody(body) as Row<Name>);
  }

  async count<Name extends TableName>(table: Name, having: Having[Name] = {}): Promise<number> {
    const { sql, values } = condition(having, 2);
    const [found] = await this.#asker.ask<{ readonly rows: number }>(
      `SELECT count(*) AS rows FROM metadata_row WHERE kind = $1${sql}`,
      [table, ...values],
    );
    return found?.rows ?? 0;
  }

  async held(table: TableName, ids: readonly string[]): Promise<readonly string[]> {
    const columns = new Map(ids.map((id) => [idColumn(id), id]));
    const found = await this.#asker.ask<{ readonly id: string }>(
      'SELECT id FROM metadata_row WHERE kind = $1 AND id = ANY($2::text[])',
      [table, [...columns.keys()]],
    );
    return found.map(({ id }) => columns.get(id) ?? id);
  }

  keyByHash(hash: string): Promise<StoredKey | null> {
    return this.#byHash('api_keys', hash);
  }

  deviceByTokenHash(hash: string): Promise<StoredDevice | null> {
    return this.#byHash('devices', hash);
  }

  async senderByTokenHash(hash: string): Promise<Sender | null> {
    return findSender(this, hash);
  }

  async settings(): Promise<Settings> {
    const [found] = await this.#asker.ask<Settings>(
      'SELECT installation_id, default_account_id FROM metadata_state',
      [],
    );
    if (!found) throw new TypeError('metadata_state has no row');
    const { installation_id, default_account_id } = found;
    return { installation_id, default_account_id };
  }

  async deletions(): Promise<readonly PendingDeletion[]> {
    const found = await this.#asker.ask<Body>('SELECT body FROM metadata_deletion ORDER BY place');
    return found.map(({ body }) => readBody(body) as PendingDeletion);
  }

  /** Null: another service may have changed any table. */
  versionOf(): null {
    return null;
  }

  #byHash<Found extends AnyRow>(table: TableName, hash: string): Promise<Found | null> {
    // A hash is of 238 bits of chance: two rows have the same one only where the same secret was put into both.
    const sql = 'SELECT body FROM metadata_row WHERE kind = $1 AND hash = $2 ORDER BY sequence LIMIT 1';
    return this.#one<Found>(sql, [table, idColumn(hash)]);
  }

  async #one<Found extends AnyRow>(sql: string, values: readonly string[]): Promise<Found | null> {
    const [found] = await this.#asker.ask<Body>(sql, values);
    return found ? (readBody(found.body) as Found) : null;
  }
}

/** Parses a stored row, which was checked before it was written. */
const readBody = (body: string): unknown => freeze(parseJson(body));
