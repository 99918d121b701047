import { doorNames } from './doors/run.ts';

/** How many inputs came by each door and to each operation without a fault, and how long that took. */
export class Tally {
  readonly #parts = new Map<string, { readonly inputs: number; readonly ms: number }>();

  get inputs(): number {
    return [...this.#parts.values()].reduce((sum, { inputs }) => sum + inputs, 0);
  }

  /** Waits for what hands inputs in, and counts them once they have all been. */
  async add(name: string, handing: Promise<number>): Promise<void> {
    const began = performance.now();
    const inputs = await handing;
    const before = this.#parts.get(name) ?? { inputs: 0, ms: 0 };
    this.#parts.set(name, { inputs: before.inputs + inputs, ms: before.ms + performance.now() - began });
  }

  /** Doors one by one with inputs and inputs a second; operations in one sum. */
  described(): string {
    const doors = doorNames.flatMap((name) => {
      const part = this.#parts.get(name);
      return part ? [`${name} ${part.inputs} at ${((part.inputs / part.ms) * 1000).toPrecision(2)}/s`] : [];
    });
    const ofDoors = doors.length > 0 ? ` (${doors.join(', ')})` : '';
    return `${this.inputs} inputs so far, all as they should be${ofDoors}`;
  }
}
