/** Keeps the most recently used values up to a total cost; what falls out is handed to `drop`. */
export class Lru<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly cost: number }>();
  readonly #limit: number;
  readonly #drop: (value: V) => void;
  #cost = 0;
  /** The entry used last, which is asked for again most often: it need not be moved to the end. */
  #latest: { readonly key: K; readonly value: V } | null = null;

  constructor(limit: number, drop: (value: V) => void = () => undefined) {
    this.#limit = limit;
    this.#drop = drop;
  }

  get(key: K): V | undefined {
    if (this.#latest?.key === key) return this.#latest.value;
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#latest = { key, value: entry.value };
    return entry.value;
  }

  set(key: K, value: V, cost: number): void {
    this.delete(key);
    this.#entries.set(key, { value, cost });
    this.#latest = { key, value };
    this.#cost += cost;
    for (const [oldest, entry] of this.#entries) {
      if (this.#cost <= this.#limit || oldest === key) break;
      this.#remove(oldest, entry);
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#remove(key, entry);
  }

  clear(): void {
    for (const [key, entry] of this.#entries) this.#remove(key, entry);
  }

  #remove(key: K, { value, cost }: { readonly value: V; readonly cost: number }): void {
    this.#entries.delete(key);
    if (this.#latest?.key === key) this.#latest = null;
    this.#cost -= cost;
    this.#drop(value);
  }
}
