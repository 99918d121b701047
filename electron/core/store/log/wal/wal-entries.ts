import { grown } from '../../blocks/block/buffer-column.ts';
import { ByteReader } from '../../blocks/codec/bytes.ts';
import { DeviceNames } from './device-names.ts';
import { LastEntries } from './last-entries.ts';
import { ERASE, isDeletion, WalEntry, type Payload } from './wal-entry.ts';

/*
 * The entries of a file of the log. After a crash there may be a million of them to read again, which as objects would
 * cost more time to keep than to read: they are columns, and an entry is made of them when it is asked for.
 */

const INITIAL_ENTRIES = 256;

/** Places of entries by their device: those of the one with number i are at [starts[i], starts[i + 1]) of the order. */
interface ByOwner {
  readonly starts: Uint32Array;
  readonly order: Uint32Array;
}

/** Some entries, in their order. */
export interface Entries {
  readonly length: number;
  at(i: number): WalEntry;
}

export class WalEntries implements Entries, Iterable<WalEntry> {
  length = 0;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #devices: DeviceNames;
  #sequences = new Float64Array(INITIAL_ENTRIES);
  #kinds = new Uint8Array(INITIAL_ENTRIES);
  /** Numbers of devices in `#devices`. */
  #owners = new Uint32Array(INITIAL_ENTRIES);
  /** Where the payloads begin and end. */
  #from = new Uint32Array(INITIAL_ENTRIES);
  #to = new Uint32Array(INITIAL_ENTRIES);
  #byOwner: ByOwner | null = null;

  /** `bytes`: the file, of less than 4 GiB. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#devices = new DeviceNames(bytes);
  }

  /** Reads the next entry, whose number is above those before. Throws `damaged`. */
  read(reader: ByteReader, sequence: number): void {
    const kind = reader.u8();
    const owner = this.#devices.read(reader);
    const size = reader.u32();
    const from = reader.at;
    reader.skip(size);
    const i = this.length;
    if (i === this.#kinds.length) this.#grow();
    this.#sequences[i] = sequence;
    this.#kinds[i] = kind;
    this.#owners[i] = owner;
    this.#from[i] = from;
    this.#to[i] = reader.at;
    this.length = i + 1;
  }

  /** Drops the entries from one on. */
  truncate(length: number): void {
    this.length = length;
  }

  at(i: number): WalEntry {
    const device = this.#devices.names[this.#owners[i]!]!;
    const place = { bytes: this.#bytes, view: this.#view, from: this.#from[i]!, to: this.#to[i]! };
    return new WalEntry(this.#sequences[i]!, device, this.#kinds[i]!, place);
  }

  /** The devices that have such an entry; of ten thousand entries no objects are made. */
  devicesWith(isSuch: (payload: Payload) => boolean): ReadonlySet<string> {
    const found = new Set<string>();
    const reader = new ByteReader(this.#bytes, 0, 0, this.#view);
    const payload = { kind: 0, reader: () => reader };
    for (let i = 0; i < this.length; i++) {
      payload.kind = this.#kinds[i]!;
      reader.moveTo(this.#from[i]!, this.#to[i]!);
      if (isSuch(payload)) found.add(this.#devices.names[this.#owners[i]!]!);
    }
    return found;
  }

  *[Symbol.iterator](): Generator<WalEntry> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  /** The highest sequence number, which is that of the last entry; 0 where there is none. */
  get lastSequence(): number {
    return this.length === 0 ? 0 : this.#sequences[this.length - 1]!;
  }

  /** Whether one tells that something was deleted. */
  get holdsDeletion(): boolean {
    for (let i = 0; i < this.length; i++) if (isDeletion(this.#kinds[i]!)) return true;
    return false;
  }

  /** The last entry of each device that says something of its records. Asked for once, when all is read. */
  lastOf(): LastEntries {
    const { names, numbers } = this.#devices;
    const last = new Float64Array(names.length);
    for (let i = 0; i < this.length; i++)
      if (this.#kinds[i] !== ERASE) last[this.#owners[i]!] = this.#sequences[i]!;
    return new LastEntries(numbers, last);
  }

  /** The devices that have an entry. */
  devices(): string[] {
    const { starts } = this.#grouped();
    return this.#devices.names.filter((_, owner) => starts[owner]! < starts[owner + 1]!);
  }

  /** The entries of a device, in their order; null where it has none. */
  of(device: string): Entries | null {
    const { starts, order } = this.#grouped();
    const owner = this.#devices.numbers.get(device);
    // Numbers of devices go on when their file is written on.
    if (owner === undefined || owner + 1 >= starts.length) return null;
    const start = starts[owner]!;
    const length = starts[owner + 1]! - start;
    return length === 0 ? null : { length, at: (n) => this.at(order[start + n]!) };
  }

  /** Asked for when all is read. */
  #grouped(): ByOwner {
    if (this.#byOwner?.order.length === this.length) return this.#byOwner;
    const starts = new Uint32Array(this.#devices.names.length + 1);
    for (let i = 0; i < this.length; i++) starts[this.#owners[i]! + 1]!++;
    for (let owner = 1; owner < starts.length; owner++) starts[owner]! += starts[owner - 1]!;
    const next = starts.slice();
    const order = new Uint32Array(this.length);
    for (let i = 0; i < this.length; i++) order[next[this.#owners[i]!]!++] = i;
    return (this.#byOwner = { starts, order });
  }

  #grow(): void {
    const capacity = this.#kinds.length * 2;
    this.#sequences = grown(this.#sequences, new Float64Array(capacity));
    this.#kinds = grown(this.#kinds, new Uint8Array(capacity));
    this.#owners = grown(this.#owners, new Uint32Array(capacity));
    this.#from = grown(this.#from, new Uint32Array(capacity));
    this.#to = grown(this.#to, new Uint32Array(capacity));
  }
}
