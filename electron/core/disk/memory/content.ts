import { MemoryFull } from '../errors.ts';

/** Bytes that all files of a disk in memory may take together. */
export class Room {
  readonly total: number;
  #taken = 0;

  constructor(total: number) {
    this.total = total;
  }

  get free(): number {
    return this.total - this.#taken;
  }

  /** Throws MemoryFull where there are not so many left. */
  take(bytes: number): void {
    if (bytes > this.free) throw new MemoryFull();
    this.#taken += bytes;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** A file lies in chunks, so that it grows without being copied; a chunk grows up to this, since most files are small. */
const CHUNK_BYTES = 1 << 16;
const LEAST_BYTES = 1 << 8;
const NONE = Buffer.alloc(0);
const zeros = Buffer.alloc(CHUNK_BYTES);

interface Chunk {
  /** As far as they were written; behind them are zeros. */
  bytes: Buffer;
  /** Bytes of the room: as many as were written, zeros included, which need no bytes and are allocated as on a disk. */
  taken: number;
}

/** Content of a file, outside V8's heap. Parts that nobody wrote to are zeros, and take nothing. */
export class Content {
  readonly #room: Room;
  readonly #chunks: (Chunk | undefined)[] = [];
  #size = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  get size(): number {
    return this.#size;
  }

  /** Fills `into`; returns how many bytes there were. */
  read(into: Uint8Array, position: number): number {
    const length = Math.max(0, Math.min(into.length, this.#size - position));
    for (let done = 0; done < length;) {
      const { index, from } = placeOf(position + done);
      const end = Math.min(done + CHUNK_BYTES - from, length);
      const found = this.#chunks[index]?.bytes.subarray(from, from + end - done) ?? NONE;
      into.set(found, done);
      into.fill(0, done + found.length, end);
      done = end;
    }
    return length;
  }

  /** Throws MemoryFull, and has written a part then, as a disk has. */
  write(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length;) {
      const { index, from } = placeOf(position + done);
      const piece = bytes.subarray(done, done + CHUNK_BYTES - from);
      this.#put(index, from, piece);
      done += piece.length;
      this.#size = Math.max(this.#size, position + done);
    }
  }

  /** What is cut off is overwritten, and its room is free again. */
  resize(size: number): void {
    const { index, from: end } = placeOf(size);
    for (const chunk of this.#chunks.splice(end === 0 ? index : index + 1)) if (chunk) this.#shrink(chunk, 0);
    const last = this.#chunks[index];
    if (last && size < this.#size) this.#shrink(last, end);
    this.#size = size;
  }

  #put(index: number, from: number, piece: Uint8Array): void {
    const chunk = (this.#chunks[index] ??= { bytes: NONE, taken: 0 });
    const end = from + piece.length;
    const needed = roomFor(end);
    if (needed > chunk.taken) {
      this.#room.take(needed - chunk.taken);
      chunk.taken = needed;
    }
    if (zeros.subarray(0, piece.length).equals(piece)) {
      chunk.bytes.subarray(from, end).fill(0);
      if (from === 0 && end >= chunk.bytes.length) chunk.bytes = NONE;
      return;
    }
    if (end > chunk.bytes.length) chunk.bytes = resized(chunk.bytes, chunk.taken);
    chunk.bytes.set(piece, from);
  }

  #shrink(chunk: Chunk, end: number): void {
    chunk.bytes.subarray(end).fill(0);
    const needed = roomFor(end);
    if (needed >= chunk.taken) return;
    this.#room.give(chunk.taken - needed);
    chunk.taken = needed;
    if (chunk.bytes.length > needed) chunk.bytes = resized(chunk.bytes, needed);
  }
}

const placeOf = (position: number) => ({
  index: Math.floor(position / CHUNK_BYTES),
  from: position % CHUNK_BYTES,
});

/** Room of a chunk whose bytes end there: twice as much each time. */
function roomFor(end: number): number {
  if (end === 0) return 0;
  let bytes = LEAST_BYTES;
  while (bytes < end) bytes *= 2;
  return bytes;
}

function resized(bytes: Buffer, length: number): Buffer {
  const made = Buffer.alloc(length);
  made.set(bytes.subarray(0, length));
  return made;
}
