import { hash } from 'node:crypto';
import type { Chance, Chances } from './chance.ts';
import { uuidOf } from './uuid.ts';

/** Of a number: all of them are whole numbers in a double. */
const NUMBER_BYTES = 6;

interface Stream {
  /** How many blocks of it were made. */
  blocks: number;
  /** What nobody has drawn of the last one. */
  left: Buffer;
}

/**
 * Chance that follows from a key: of each name it is a stream of its own, whose blocks are the SHA-256 of key, number and name. Whoever
 * knows the key knows all that is drawn.
 */
export class SeededChance implements Chances {
  #key: string;
  /** By name. */
  readonly #streams = new Map<string, Stream>();

  constructor(key: string) {
    this.#key = key;
  }

  /** Draws by another key from now on, also for who has the chance of a name already. */
  turnTo(key: string): void {
    this.#key = key;
    this.#streams.clear();
  }

  of(name: string): Chance {
    return {
      uuid: () => uuidOf(this.#draw(name, 16), 4),
      bytes: (count) => this.#draw(name, count),
      number: () => this.#draw(name, NUMBER_BYTES).readUIntBE(0, NUMBER_BYTES) / 2 ** (8 * NUMBER_BYTES),
    };
  }

  uuid(): string {
    return this.of('').uuid();
  }

  bytes(count: number): Buffer {
    return this.of('').bytes(count);
  }

  number(): number {
    return this.of('').number();
  }

  #draw(name: string, count: number): Buffer {
    const stream = this.#streams.get(name) ?? { blocks: 0, left: Buffer.alloc(0) };
    this.#streams.set(name, stream);
    const drawn = Buffer.alloc(count);
    for (let at = 0; at < count;) {
      // The name last, as it may hold anything.
      if (stream.left.length === 0)
        stream.left = hash('sha256', `${this.#key} ${stream.blocks++} ${name}`, 'buffer');
      const taken = stream.left.copy(drawn, at);
      stream.left = stream.left.subarray(taken);
      at += taken;
    }
    return drawn;
  }
}
