/*
 * What the bench uses of its own packages. Declared here and not taken from the packages, so that types are checked the
 * same where bench/node_modules is not installed.
 */

declare module 'aedes' {
  import type { Duplex } from 'node:stream';
  export class Aedes {
    static createBroker(): Promise<Aedes>;
    handle(stream: Duplex): unknown;
  }
}

declare module 'autocannon' {
  export interface Request {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** s. */
    readonly duration: number;
    readonly overallRate?: number;
    readonly requests: Request[];
    /** Called with each connection before it asks. */
    readonly setupClient?: (client: Client) => void;
  }
  export interface Client {
    setRequests(requests: Request[]): void;
  }
  interface Result {
    readonly errors: number;
    readonly non2xx: number;
    readonly requests: { readonly average: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}

declare module 'better-sqlite3' {
  import type { StatementSync } from 'node:sqlite';
  export default class Database {
    constructor(file: string);
    exec(sql: string): this;
    prepare(sql: string): Pick<StatementSync, 'run' | 'all'>;
    close(): void;
  }
}

declare module 'lmdb' {
  interface RootDatabase<V, K> {
    put(key: K, value: V): Promise<boolean>;
    transaction(action: () => void): Promise<void>;
    /** Resolves once every commit so far is on disk. */
    readonly flushed: Promise<unknown>;
    getRange(options: {
      readonly reverse: boolean;
      readonly offset: number;
      readonly limit: number;
    }): Iterable<{ readonly key: K; readonly value: V }>;
    close(): Promise<void>;
  }
  export function open<V, K>(options: {
    readonly path: string;
    readonly noMemInit: boolean;
  }): RootDatabase<V, K>;
}

declare module '@duckdb/node-api' {
  interface Appender {
    appendBigInt(value: bigint): void;
    appendDouble(value: number): void;
    endRow(): void;
    closeSync(): void;
  }
  interface Reader {
    getRows(): unknown[];
    getRowObjects(): Record<string, unknown>[];
  }
  interface Connection {
    run(sql: string): Promise<unknown>;
    runAndReadAll(sql: string): Promise<Reader>;
    createAppender(table: string): Promise<Appender>;
    closeSync(): void;
  }
  export class DuckDBInstance {
    static create(path: string): Promise<DuckDBInstance>;
    connect(): Promise<Connection>;
    closeSync(): void;
  }
}
