import { Lru } from '../../blocks/query/lru.ts';
import type { Database } from './connections.ts';

/**
 * LRU cache of what a database said: empty once that is of another history (`Database.history`), in which the same ids and
 * versions may stand for something else.
 */
export class HistoryLru<K, V> {
  readonly #database: Pick<Database, 'history'>;
  readonly #kept: Lru<K, V>;
  #history: number;

  /** `limit`: of the sum of all costs. */
  constructor(database: Pick<Database, 'history'>, limit: number) {
    this.#database = database;
    this.#kept = new Lru(limit);
    this.#history = database.history;
  }

  get(key: K): V | undefined {
    return this.#present().get(key);
  }

  set(key: K, value: V, cost: number): void {
    this.#present().set(key, value, cost);
  }

  delete(key: K): void {
    this.#present().delete(key);
  }

  #present(): Lru<K, V> {
    const { history } = this.#database;
    if (history !== this.#history) this.#kept.clear();
    this.#history = history;
    return this.#kept;
  }
}
