import { Serial } from './serial.ts';

/** Serial queues by name: work of one name runs in order, of different names at once. */
export class SerialByName {
  readonly #serials = new Map<string, { readonly serial: Serial; under: number }>();

  /** Resolves and rejects as the work. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const kept = this.#serials.get(name) ?? { serial: new Serial(), under: 0 };
    this.#serials.set(name, kept);
    kept.under++;
    try {
      return await kept.serial.run(work);
    } finally {
      kept.under--;
      if (kept.under === 0) this.#serials.delete(name);
    }
  }
}
