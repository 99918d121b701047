const INITIAL_DEVICES = 64;

/** The last entry of each device in a file of the log that says something of its records. */
export class LastEntries {
  /** How many devices it has an entry of. */
  size = 0;
  /** Devices by name, numbered from 0. */
  readonly #numbers: Map<string, number>;
  /** Sequence numbers of their entries; 0 where there is none. */
  #last: Float64Array;

  /** Goes on from `last`, numbered by `numbers`; both are its own from now on. */
  constructor(numbers = new Map<string, number>(), last = new Float64Array(INITIAL_DEVICES)) {
    this.#numbers = numbers;
    this.#last = last;
    for (let i = 0; i < numbers.size; i++) if (last[i]! > 0) this.size++;
  }

  get(device: string): number | undefined {
    const number = this.#numbers.get(device);
    return number === undefined ? undefined : this.#last[number]! || undefined;
  }

  set(device: string, sequence: number): void {
    let number = this.#numbers.get(device);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(device, number);
      if (number >= this.#last.length) this.#grow(number);
    }
    if (this.#last[number] === 0) this.size++;
    this.#last[number] = sequence;
  }

  *entries(): Generator<[device: string, sequence: number]> {
    for (const [device, number] of this.#numbers) {
      const sequence = this.#last[number]!;
      if (sequence > 0) yield [device, sequence];
    }
  }

  #grow(used: number): void {
    const last = new Float64Array(Math.max(INITIAL_DEVICES, used * 2));
    last.set(this.#last.subarray(0, used));
    this.#last = last;
  }
}
