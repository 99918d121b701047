import { hash } from 'node:crypto';
import type { Chance, Chances } from './chance.ts';

/** Of a SHA-256. */
const BLOCK_BYTES = 32;
/** Of a number: all of them are whole numbers in a double. */
const NUMBER_BYTES = 6;

/**
 * Chance that follows from a key: each name has a counter of its own, and a draw is the SHA-256 of key, counter and name. Whoever knows
 * the key knows all that is drawn.
 */
export class SeededChance implements Chances {
  #key: string;
  /** How many draws there were, by name. */
  #drawn = new Map<string, number>();

  constructor(key: string) {
    this.#key = key;
  }

  /** Draws by another key from now on, also for who has the chance of a name already. */
  turnTo(key: string): void {
    this.#key = key;
    this.#drawn.clear();
  }

  of(name: string): Chance {
    return {
      uuid: () => uuidOf(this.#draw(name, 16)),
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
    const number = this.#drawn.get(name) ?? 0;
    this.#drawn.set(name, number + 1);
    const blocks = Array.from({ length: Math.ceil(count / BLOCK_BYTES) }, (_, block) =>
      // The name last, as it may hold anything.
      hash('sha256', `${this.#key} ${number} ${block} ${name}`, 'buffer'),
    );
    return Buffer.concat(blocks).subarray(0, count);
  }
}

/** RFC 9562, 5.4: version and variant in their places, chance in all others. */
function uuidOf(bytes: Buffer): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
