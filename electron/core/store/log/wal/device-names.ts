import { ByteReader } from '../../blocks/codec/bytes.ts';

const INITIAL_SLOTS = 64;

/**
 * The devices that a file of the log names, each numbered when it is met first. A name that was met before is found by its
 * bytes: no text is made of it.
 */
export class DeviceNames {
  readonly names: string[] = [];
  /** The same, by name. */
  readonly numbers = new Map<string, number>();
  readonly #bytes: Buffer;
  /** Ways in which names are written: where each stands, its hash (FNV-1a) and the number of its device. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #hashes: number[] = [];
  readonly #numberOf: number[] = [];
  /** By hash, the next free place where that is taken: which way of writing it is, counted from 1; 0: free. */
  #slots = new Uint32Array(INITIAL_SLOTS);

  /** `bytes`: what the readers read. */
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
      const way = this.#slots[slot]! - 1;
      if (way < 0) return this.#add(slot, from, to, hash);
      if (this.#hashes[way] === hash && this.#isSame(way, from, to)) return this.#numberOf[way]!;
    }
  }

  #add(slot: number, from: number, to: number, hash: number): number {
    const name = new ByteReader(this.#bytes, from, to).text();
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.push(name) - 1;
      this.numbers.set(name, number);
    }
    this.#from.push(from);
    this.#to.push(to);
    this.#hashes.push(hash);
    this.#slots[slot] = this.#numberOf.push(number);
    if (this.#numberOf.length * 2 > this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let way = 0; way < this.#hashes.length; way++) {
      let slot = this.#hashes[way]! & mask;
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
    const known = this.#from[way]!;
    if (this.#to[way]! - known !== to - from) return false;
    for (let i = 0; i < to - from; i++) if (this.#bytes[known + i] !== this.#bytes[from + i]) return false;
    return true;
  }
}
