import { grown } from '../../blocks/block/buffer-column.ts';
import { ByteReader } from '../../blocks/codec/bytes.ts';

const INITIAL_SLOTS = 64;
/** Numbers of a way in which a name is written: where it begins and ends, its hash, the number of its device. */
const [FROM, TO, HASH, NUMBER] = [0, 1, 2, 3];
const NUMBERS_OF_WAY = 4;

/**
 * The devices that a file of the log names, each numbered when it is met first. A name that was met before is found by its
 * bytes: no text is made of it.
 */
export class DeviceNames {
  readonly names: string[] = [];
  /** The same, by name. */
  readonly numbers = new Map<string, number>();
  readonly #bytes: Buffer;
  /** Ways in which names are written, one after the other; hashes are FNV-1a. As objects they would cost more than to read them. */
  #ways = new Uint32Array((INITIAL_SLOTS / 2) * NUMBERS_OF_WAY);
  #count = 0;
  /** By hash, the next free place where that is taken: which way of writing it is, counted from 1; 0: free. */
  #slots = new Uint32Array(INITIAL_SLOTS);

  /** `bytes`: what the readers read, less than 4 GiB. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads a name and returns its number. Throws `damaged`. */
  read(reader: ByteReader): number {
    const from = reader.at;
    reader.skipText();
    const to = reader.at;
    const hash = this.#hash(from, to);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const way = (this.#slots[slot]! - 1) * NUMBERS_OF_WAY;
      if (way < 0) return this.#add(slot, from, to, hash);
      if ((this.#ways[way + HASH]! | 0) === hash && this.#isSame(way, from, to))
        return this.#ways[way + NUMBER]!;
    }
  }

  #add(slot: number, from: number, to: number, hash: number): number {
    const name = new ByteReader(this.#bytes, from, to).text();
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.push(name) - 1;
      this.numbers.set(name, number);
    }
    const way = this.#count * NUMBERS_OF_WAY;
    this.#ways[way + FROM] = from;
    this.#ways[way + TO] = to;
    this.#ways[way + HASH] = hash;
    this.#ways[way + NUMBER] = number;
    this.#slots[slot] = ++this.#count;
    if (this.#count * 2 >= this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    this.#ways = grown(this.#ways, new Uint32Array(this.#ways.length * 2));
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let way = 0; way < this.#count; way++) {
      let slot = this.#ways[way * NUMBERS_OF_WAY + HASH]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = way + 1;
    }
  }

  #hash(from: number, to: number): number {
    let hash = 0x811c9dc5 | 0;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ this.#bytes[at]!, 0x01000193);
    return hash;
  }

  #isSame(way: number, from: number, to: number): boolean {
    const known = this.#ways[way + FROM]!;
    if (this.#ways[way + TO]! - known !== to - from) return false;
    for (let i = 0; i < to - from; i++) if (this.#bytes[known + i] !== this.#bytes[from + i]) return false;
    return true;
  }
}
