import type { SharedMessages } from '../backend/shared-messages.ts';
import type { Database } from '../store/postgres/connection/connections.ts';

/** Messages that are kept for services that are away. */
const MOST_KEPT = 10_000;
/** Messages between two removals of older ones. */
const REMOVE_EVERY = 100;
const VERSION = 1;

/**
 * Messages that all services over one database read, under a name. A number is given by whoever commits first, and is the next of the
 * greatest one that is committed: a reader that has seen a number has seen all before it.
 */
export function createDatabaseMessages(
  database: Pick<Database, 'ask'>,
  name: string,
  mostKept = MOST_KEPT,
): SharedMessages {
  async function newest(): Promise<number> {
    const [row] = await database.ask<{ line: number | null }>(
      'SELECT max(line) AS line FROM remembered WHERE name = $1',
      [name],
    );
    return row?.line ?? 0;
  }

  return {
    newest,
    async add(body) {
      for (;;) {
        const number = (await newest()) + 1;
        const added = await database.ask(ADD, [name, number, VERSION, body]);
        if (added.length === 0) continue;
        // The newest ones stay, so that numbers go on.
        if (number % REMOVE_EVERY === 0)
          await database.ask('DELETE FROM remembered WHERE name = $1 AND line <= $2', [
            name,
            number - mostKept,
          ]);
        return;
      }
    },
    async after(number, most) {
      const found = await database.ask<{ line: number; body: string }>(
        'SELECT line, body FROM remembered WHERE name = $1 AND line > $2 ORDER BY line LIMIT $3',
        [name, number, most],
      );
      return found.map(({ line, body }) => ({ number: line, body }));
    },
  };
}

/** Waits for another service that adds the same number, and adds nothing where that was first. */
const ADD = `INSERT INTO remembered (name, line, version, body) VALUES ($1, $2, $3, $4)
  ON CONFLICT (name, line) DO NOTHING RETURNING line`;
