import { Client, types, type QueryResult } from 'pg';
import { machineClock } from '../../../base/machine-clock.ts';
import type { Address, Host } from './address.ts';
import { Lost, noPassword, sqlState, untrusted } from './database-errors.ts';
import { readPassword, type Password } from './password.ts';

/** A statement of the wire family of PostgreSQL and its parameters: text, numbers, null, Buffers and arrays of them. */
export interface Statement {
  readonly sql: string;
  readonly params?: readonly unknown[];
}

/** A row as the database gives it: bigint as number (all of ours are exact), bytea as Buffer. */
export type DatabaseRow = Record<string, unknown>;

/** Options of one connection. */
export interface LinkOptions {
  readonly address: Address;
  readonly password: Password;
  /** Milliseconds after which the server ends a statement by itself. */
  readonly statementMs: number;
  /** Milliseconds after which a server that does not let anyone in is given up. */
  readonly connectMs: number;
}

const INT8 = 20;
const INT8_ARRAY = 1016;
const parsers = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))],
]);

/** One connection: what it is asked is sent at once, one behind the other, and answered in that order. */
export class Link {
  readonly #client: Client;
  readonly #ended = Promise.withResolvers<void>();
  /** Names of statements that are prepared once a connection. */
  static readonly #names = new Map<string, string>();
  #waiting = 0;
  #isLost = false;

  private constructor(client: Client) {
    this.#client = client;
    client.on('error', () => this.#lose());
    client.on('end', () => {
      this.#isLost = true;
      this.#ended.resolve();
    });
  }

  /** Connects. Rejects with Lost without an answer, with StartError as `readPassword` does, or with the server's error. */
  static async open(
    { address, password, statementMs, connectMs }: LinkOptions,
    { host, port }: Host,
  ): Promise<Link> {
    const asked = { given: null as string | null, failure: null as unknown };
    const client = new Client({
      host,
      port,
      user: address.user,
      database: address.database,
      // A function, so that no library looks for one elsewhere; called where the server asks for one.
      password: async () => {
        try {
          return (asked.given = await readPassword(password));
        } catch (error) {
          asked.failure = error;
          throw error;
        }
      },
      ssl: tlsOptions(address),
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: statementMs,
      application_name: 'fieldbench',
      keepAlive: true,
      pipeline: true,
      types: { getTypeParser: (oid: number) => parsers.get(oid) ?? types.getTypeParser(oid) },
    });
    const link = new Link(client);
    try {
      await client.connect();
    } catch (error) {
      if (asked.failure !== null) throw asked.failure;
      // What is said of an empty one depends on how the server asks for it.
      if (asked.given === '') throw noPassword(address.name, error);
      if (sqlState(error) !== null) throw error;
      const why = address.tls === 'off' ? null : whyNoTls(error);
      if (why !== null) throw untrusted(address.name, why, error);
      throw new Lost(`${host}:${port} does not let anyone in`, { cause: error });
    }
    return link;
  }

  /** How many statements are on their way. */
  get waiting(): number {
    return this.#waiting;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves when the connection is no more. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /**
   * Resolves with the rows, of several statements in one text with those of the last. Where nothing is said for `limit` ms
   * the connection is cut. Rejects with Lost, or with what the server says.
   */
  async ask(statement: Statement, limit: number): Promise<readonly DatabaseRow[]> {
    if (this.#isLost) throw new Lost('the connection is gone');
    this.#waiting++;
    const late = machineClock.after(limit, () => this.#lose());
    try {
      const answer = await this.#client.query({
        text: statement.sql,
        name: nameOf(Link.#names, statement),
        ...(statement.params && { values: [...statement.params] }),
      });
      return rowsOf(answer);
    } catch (error) {
      if (this.#isLost) throw new Lost('the connection was lost', { cause: error });
      throw error;
    } finally {
      clearTimeout(late);
      this.#waiting--;
    }
  }

  /** Listens to a channel from now on: `listener` gets its notifications. */
  async listen(channel: string, listener: (payload: string) => void, limit: number): Promise<void> {
    this.#client.on('notification', (message) => {
      if (message.channel === channel) listener(message.payload ?? '');
    });
    await this.ask({ sql: `LISTEN ${channel}` }, limit);
  }

  /** Lets go of it once what is under way is answered, or after `limit` ms. */
  async close(limit: number): Promise<void> {
    if (this.#isLost) return;
    const late = machineClock.after(limit, () => this.#lose());
    try {
      await this.#client.end();
    } finally {
      clearTimeout(late);
    }
  }

  /** Cuts it: what is under way rejects with Lost. */
  cut(): void {
    this.#lose();
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#client.connection.stream.destroy();
  }
}

const tlsOptions = ({ tls, authority }: Address) =>
  tls === 'off'
    ? false
    : { rejectUnauthorized: tls === 'checked', ...(authority !== null && { ca: authority }) };

/** Returns why both sides cannot agree on TLS, in words; null for another failure. */
function whyNoTls(error: unknown): string | null {
  const { message, code = '' } = error as Error & { readonly code?: string };
  if (message.includes('does not support SSL')) return 'it speaks no TLS';
  return /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|EPROTO|ERR_SSL/.test(code) ? message : null;
}

/** Statements without parameters are not prepared: BEGIN, COMMIT, and those of the schema, many in one text. */
function nameOf(names: Map<string, string>, { sql, params }: Statement): string | undefined {
  if (!params) return undefined;
  const name = names.get(sql) ?? `s${names.size + 1}`;
  names.set(sql, name);
  return name;
}

/** The library gives an array for several statements in one text, although its types do not say so. */
function rowsOf(
  answer: QueryResult<DatabaseRow> | readonly QueryResult<DatabaseRow>[],
): readonly DatabaseRow[] {
  return 'rows' in answer ? answer.rows : (answer.at(-1)?.rows ?? []);
}
