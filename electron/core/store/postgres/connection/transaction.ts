import type { MonotonicMs } from '../../../base/machine-clock.ts';
import type { DatabaseRow, Link, Statement } from './link.ts';

export interface AskOptions {
  /** Until when somebody waits for it: by default for as long as the database's patience from now on. */
  readonly untilMs?: MonotonicMs | undefined;
}

/** A transaction or a pool that runs statements; one in a transaction has the deadline of that. */
export interface Asker {
  /** As of `Database`; absent for a transaction, all of which is of one history. */
  readonly history?: number;
  /** Resolves with the rows. Without `params` the text may hold several statements; those of the last one are given. Rejects with what the server says, as it says it. */
  ask<T extends DatabaseRow = DatabaseRow>(
    sql: string,
    params?: readonly unknown[],
    options?: AskOptions,
  ): Promise<readonly T[]>;
  /** The same for several, in one round trip and in this order. */
  askAll(statements: readonly Statement[]): Promise<readonly (readonly DatabaseRow[])[]>;
}

/** Hook of tests before a statement is sent. */
export type Before = (statement: Statement) => unknown;

/**
 * Sends statements one behind the other without waiting, and resolves with the answers of all. With `before` each waits for
 * the answer of the one before it: the server may do other things between two of them at any time.
 */
export async function sendAll(
  link: Link,
  statements: readonly Statement[],
  limit: number,
  before: Before | null,
): Promise<readonly (readonly DatabaseRow[])[]> {
  if (before === null) return Promise.all(statements.map((statement) => link.ask(statement, limit)));
  const answers: (readonly DatabaseRow[])[] = [];
  for (const statement of statements) {
    await before(statement);
    answers.push(await link.ask(statement, limit));
  }
  return answers;
}

/** Transaction: its BEGIN goes with the first statement. */
export class Transaction implements Asker {
  readonly #link: Link;
  readonly #begin: string;
  readonly #limit: number;
  readonly #before: Before | null;
  #isBegun = false;

  /** `limit`: ms in which each statement is to be answered. */
  constructor(link: Link, begin: string, limit: number, before: Before | null) {
    this.#link = link;
    this.#begin = begin;
    this.#limit = limit;
    this.#before = before;
  }

  /** Whether anything was asked. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  async ask<T extends DatabaseRow>(sql: string, params?: readonly unknown[]): Promise<readonly T[]> {
    const [rows = []] = await this.askAll([{ sql, ...(params && { params }) }]);
    return rows as readonly T[];
  }

  async askAll(statements: readonly Statement[]): Promise<readonly (readonly DatabaseRow[])[]> {
    const first = this.#isBegun ? [] : [{ sql: this.#begin }];
    this.#isBegun = true;
    const all = await sendAll(this.#link, [...first, ...statements], this.#limit, this.#before);
    return all.slice(first.length);
  }
}
