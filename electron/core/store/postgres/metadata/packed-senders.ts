import { SOURCES } from '#shared/domain/sources.ts';
import type { Sender } from '../../metadata/sender.ts';

/*
 * An entry, in words of four bytes: SHA-256 of the token (8 words); device, project and account as the bytes of a UUID (4 each);
 * the source and 1, where 0 is an empty slot, and above it whether the entry was used and whether the device has a decoder.
 */
const DEVICE = 8;
const PROJECT = 12;
const STATE = 20;
const ENTRY = 21;
const USED = 1 << 8;
const DECODES = 1 << 9;
const SOURCE = USED - 1;
const WORD_BYTES = 4;
const ENTRY_BYTES = WORD_BYTES * ENTRY;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Each grows by itself, so that no growth takes long: beyond a million entries it moves some 4,000. */
const SEGMENTS = 256;
const FIRST_SLOTS = 16;
const GROWTH = 1.25;
/** Entries per slot at most: with linear probing a miss looks at some 13 then. */
const MOST_LOAD = 0.8;

/**
 * Senders by the hash of their token, packed: hash tables of bytes outside of V8's heap, 105 to 140 bytes a device, which as objects
 * would be 400 to 500. Where they are full the CLOCK algorithm (second chance) drops one that was not used lately.
 */
export class PackedSenders {
  readonly #segments: readonly Segment[];
  /** An entry, or the key of one, on its way. */
  readonly #entry = new Uint32Array(ENTRY);
  readonly #bytes = Buffer.from(this.#entry.buffer);

  /** `limit`: in bytes, of all of it. */
  constructor(limit: number) {
    const slots = Math.max(2, Math.floor(limit / SEGMENTS / ENTRY_BYTES));
    this.#segments = Array.from({ length: SEGMENTS }, () => new Segment(slots));
  }

  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** `hash`: SHA-256, in hex. */
  get(hash: string): Sender | null {
    return this.#segmentOf(hash).get(this.#entry);
  }

  /** Takes only what has UUIDs for ids, as all that services make or are given. */
  set(hash: string, { account_id, device: { id, project_id, source, decodes } }: Sender): void {
    const ids = [id, project_id, account_id];
    if (!ids.every((each) => UUID.test(each))) return;
    const segment = this.#segmentOf(hash);
    this.#bytes.write(ids.join('').replaceAll('-', ''), WORD_BYTES * DEVICE, 'hex');
    this.#entry[STATE] = (SOURCES.indexOf(source) + 1) | (decodes === true ? DECODES : 0);
    segment.put(this.#entry);
  }

  delete(hash: string): void {
    this.#segmentOf(hash).delete(this.#entry);
  }

  /** Deletes all of a project. Looks at all entries: tens of ms for a million. */
  deleteProject(project_id: string): void {
    if (!UUID.test(project_id)) return;
    this.#bytes.write(project_id.replaceAll('-', ''), WORD_BYTES * PROJECT, 'hex');
    for (const segment of this.#segments) segment.deleteProject(this.#entry);
  }

  clear(): void {
    for (const segment of this.#segments) segment.clear();
  }

  /** Returns the segment of a hash, which is the key of `#entry` from now on. Throws TypeError where it is none. */
  #segmentOf(hash: string): Segment {
    const written = this.#bytes.write(hash, 0, 'hex');
    const segment = this.#segments[this.#bytes[0] ?? 0];
    if (written !== WORD_BYTES * DEVICE || !segment) throw new TypeError('a hash is 32 bytes in hex');
    return segment;
  }
}

/** Hash table with linear probing. */
class Segment {
  readonly #mostSlots: number;
  #words = new Uint32Array(0);
  #slots = 0;
  #entries = 0;
  /** Of the clock: the slot that is looked at next. */
  #hand = 0;

  constructor(mostSlots: number) {
    this.#mostSlots = mostSlots;
  }

  get bytes(): number {
    return this.#words.byteLength;
  }

  get(key: Uint32Array): Sender | null {
    const at = this.#find(key);
    if (at === null) return null;
    const state = (this.#words[at + STATE] ?? 0) | USED;
    this.#words[at + STATE] = state;
    const bytes = Buffer.from(this.#words.buffer, WORD_BYTES * (at + DEVICE), WORD_BYTES * (STATE - DEVICE));
    const hex = bytes.toString('hex');
    const source = SOURCES[(state & SOURCE) - 1];
    if (source === undefined) throw new TypeError('an entry has no source');
    const [id, project_id, account_id] = [uuidAt(hex, 0), uuidAt(hex, 32), uuidAt(hex, 64)];
    const decodes = (state & DECODES) === 0 ? undefined : true;
    return { account_id, device: { id, project_id, source, decodes } };
  }

  /** Replaces an entry of the same key. */
  put(entry: Uint32Array): void {
    const at = this.#find(entry);
    if (at !== null) return this.#words.set(entry, at);
    if (this.#entries + 1 > MOST_LOAD * this.#slots) {
      if (this.#slots < this.#mostSlots) this.#grow();
      else this.#dropOne();
    }
    this.#add(entry);
  }

  delete(key: Uint32Array): void {
    const at = this.#find(key);
    if (at !== null) this.#remove(at / ENTRY);
  }

  /** Deletes what has the project of this entry. */
  deleteProject(entry: Uint32Array): void {
    const words = this.#words;
    const first = entry[PROJECT];
    for (let slot = 0; slot < this.#slots;) {
      const at = slot * ENTRY;
      // Another entry may lie in its place then.
      if (words[at + PROJECT] === first && !this.#isEmpty(slot) && isSame(words, at, entry, PROJECT, 4))
        this.#remove(slot);
      else slot++;
    }
  }

  clear(): void {
    this.#words = new Uint32Array(0);
    this.#slots = this.#entries = this.#hand = 0;
  }

  /** Returns where the entry of a key begins; null where there is none. */
  #find(key: Uint32Array): number | null {
    if (this.#slots === 0) return null;
    for (let slot = this.#homeOf(key, 0); !this.#isEmpty(slot); slot = this.#after(slot))
      if (isSame(this.#words, slot * ENTRY, key, 0, DEVICE)) return slot * ENTRY;
    return null;
  }

  #add(entry: Uint32Array): void {
    let slot = this.#homeOf(entry, 0);
    while (!this.#isEmpty(slot)) slot = this.#after(slot);
    this.#words.set(entry, slot * ENTRY);
    this.#entries++;
  }

  /** Removes an entry, and moves those behind it that it kept from their place: no slot is empty between an entry and its home. */
  #remove(slot: number): void {
    const slots = this.#slots;
    let hole = slot;
    for (let next = this.#after(slot); !this.#isEmpty(next); next = this.#after(next)) {
      const home = this.#homeOf(this.#words, next * ENTRY);
      if ((next - home + slots) % slots < (next - hole + slots) % slots) continue;
      this.#words.copyWithin(hole * ENTRY, next * ENTRY, (next + 1) * ENTRY);
      hole = next;
    }
    this.#words.fill(0, hole * ENTRY, (hole + 1) * ENTRY);
    this.#entries--;
  }

  #grow(): void {
    const before = this.#words;
    this.#slots = Math.min(this.#mostSlots, FIRST_SLOTS + Math.ceil(GROWTH * this.#slots));
    this.#words = new Uint32Array(ENTRY * this.#slots);
    this.#entries = this.#hand = 0;
    for (let at = 0; at < before.length; at += ENTRY)
      if (before[at + STATE] !== 0) this.#add(before.subarray(at, at + ENTRY));
  }

  #dropOne(): void {
    for (;;) {
      const slot = this.#hand;
      const state = this.#words[slot * ENTRY + STATE] ?? 0;
      if (state !== 0 && (state & USED) === 0) return this.#remove(slot);
      this.#words[slot * ENTRY + STATE] = state & ~USED;
      this.#hand = this.#after(slot);
    }
  }

  #isEmpty(slot: number): boolean {
    return this.#words[slot * ENTRY + STATE] === 0;
  }

  #after(slot: number): number {
    return slot + 1 === this.#slots ? 0 : slot + 1;
  }

  /** The slot of a key by its second word; the first byte names the segment. */
  #homeOf(words: Uint32Array, at: number): number {
    return Math.floor(((words[at + 1] ?? 0) / 2 ** 32) * this.#slots);
  }
}

/** Whether the entry that begins `at` has the same words as another one, from `first` on. */
function isSame(words: Uint32Array, at: number, entry: Uint32Array, first: number, count: number): boolean {
  for (let n = first; n < first + count; n++) if (words[at + n] !== entry[n]) return false;
  return true;
}

const uuidAt = (hex: string, at: number) =>
  [
    hex.slice(at, at + 8),
    hex.slice(at + 8, at + 12),
    hex.slice(at + 12, at + 16),
    hex.slice(at + 16, at + 20),
    hex.slice(at + 20, at + 32),
  ].join('-');
