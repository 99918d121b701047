import type { KeptLines } from '../backend/kept-lines.ts';
import type { Asker, Database } from '../store/postgres/connection/connections.ts';
import { newerFormat } from '../store/store-errors.ts';

type Line = { readonly version: number; readonly body: string };

/** Lines that all services over one database keep together, under a name. */
export function createDatabaseLines(database: Database, name: string, version: number): KeptLines {
  async function write(asker: Asker, lines: readonly string[]): Promise<void> {
    await asker.ask('DELETE FROM remembered WHERE name = $1', [name]);
    await asker.ask(PUT, [name, version, [...lines.keys()], lines]);
  }
  return {
    async read() {
      const found = await database.ask<Line>(
        'SELECT version, body FROM remembered WHERE name = $1 ORDER BY line',
        [name],
      );
      const newest = Math.max(0, ...found.map((line) => line.version));
      if (newest > version) throw newerFormat(`"${name}" in the database ${database.name}`, newest, version);
      return { lines: found.map(({ body }) => body) };
    },
    replace: (lines) => database.change((asker) => write(asker, [...lines])),
    close: () => Promise.resolve(),
  };
}

const PUT = `INSERT INTO remembered (name, version, line, body)
  SELECT $1, $2, line, body FROM unnest($3::int[], $4::text[]) AS put (line, body)
  ON CONFLICT (name, line) DO UPDATE SET version = excluded.version, body = excluded.body`;
