import type { DatabaseRow, Link, Statement } from './link.ts';

/** Whoever can be asked. */
export interface Asker {
  /** Resolves with the rows. Without `params` the text may hold several statements; those of the last one are given. Rejects with what the server says, as it says it. */
  ask<T extends DatabaseRow = DatabaseRow>(sql: string, params?: readonly unknown[]): Promise<readonly T[]>;
  /** The same for several, in one round trip and in this order. */
  askAll(statements: readonly Statement[]): Promise<readonly (readonly DatabaseRow[])[]>;
}

/** What is asked between a BEGIN, which goes with the first statement, and its end. */
export class Transaction implements Asker {
  readonly #link: Link;
  readonly #begin: string;
  readonly #limit: number;
  readonly #before: (statement: Statement) => unknown;
  #isBegun = false;

  /** `limit`: ms in which each statement is to be answered. */
  constructor(link: Link, begin: string, limit: number, before: (statement: Statement) => unknown) {
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
    for (const statement of statements) await this.#before(statement);
    const first = this.#isBegun ? [] : [{ sql: this.#begin }];
    this.#isBegun = true;
    const all = await Promise.all(
      [...first, ...statements].map((statement) => this.#link.ask(statement, this.#limit)),
    );
    return all.slice(first.length);
  }
}
