import type { Duplex } from 'node:stream';
import { machineClock } from '../../base/machine-clock.ts';
import { MOST_UNREAD, UNTAKEN_MS } from '../limits.ts';

/** Bytes that are handed to the stream at once, and of each piece: TLS copies what it is given. */
const HANDED_OUT = 64 * 1024;
const PIECE = 32 * 1024;

interface Unsent {
  bytes: Buffer;
  /** Whether it is an answer, and no message. */
  readonly isAnswer: boolean;
  /** Called when the last of it was taken, or never will be. */
  readonly left: (() => void) | null;
}

/** Send queue of one client, handed to its stream as fast as that takes it. */
export class Sending {
  readonly #stream: Duplex;
  readonly #taken: () => void;
  #unsent: Unsent[] = [];
  #unsentBytes = 0;
  /** Handed to the stream and not taken; in its order. */
  readonly #handed: { readonly bytes: number; readonly done: readonly Unsent[] }[] = [];
  #handedBytes = 0;
  #unreadOfAnswers = 0;
  #isEnding = false;
  /** Ends a connection whose client takes nothing. */
  #stuck: NodeJS.Timeout | null = null;

  /** `taken` is called each time that the client has taken some bytes. */
  constructor(stream: Duplex, taken: () => void) {
    this.#stream = stream;
    this.#taken = taken;
  }

  /** Bytes that the other side has not taken yet. */
  get unread(): number {
    return this.#unsentBytes + this.#handedBytes;
  }

  /** Whether there is nothing that `flush` would hand out. */
  get isEmpty(): boolean {
    return this.#unsent.length === 0;
  }

  /**
   * Sends an answer. Backpressure: a client with too many unread answers is cut off; messages wait in their queue instead.
   */
  answer(bytes: Buffer): void {
    this.#add({ bytes, isAnswer: true, left: null });
    this.#unreadOfAnswers += bytes.length;
    if (this.#unreadOfAnswers > MOST_UNREAD) this.#stream.destroy();
  }

  /** `left` is called when all of it was taken, or never will be. */
  message(pieces: readonly Buffer[], left: () => void): void {
    for (const [i, bytes] of pieces.entries())
      this.#add({ bytes, isAnswer: false, left: i === pieces.length - 1 ? left : null });
  }

  /** Hands out what there is room for. */
  flush(): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    while (this.#unsent.length > 0 && this.#handedBytes < HANDED_OUT) this.#handOut();
    if (this.#isEnding && this.isEmpty) this.#stream.end();
  }

  /** Ends the stream once all of it was handed out. */
  end(): void {
    this.#isEnding = true;
    this.flush();
  }

  /** The connection is over: nothing more is taken. */
  close(): void {
    if (this.#stuck !== null) clearTimeout(this.#stuck);
    const rest = [...this.#handed.flatMap(({ done }) => done), ...this.#unsent];
    this.#unsent = [];
    this.#handed.length = 0;
    this.#unsentBytes = this.#handedBytes = 0;
    for (const { left } of rest) left?.();
  }

  #add(unsent: Unsent): void {
    this.#unsent.push(unsent);
    this.#unsentBytes += unsent.bytes.length;
  }

  /** Hands small packets out together, large ones in pieces. */
  #handOut(): void {
    const pieces: Buffer[] = [];
    const done: Unsent[] = [];
    let [bytes, answers, taken] = [0, 0, 0];
    for (const unsent of this.#unsent) {
      const piece = unsent.bytes.subarray(0, PIECE - bytes);
      pieces.push(piece);
      bytes += piece.length;
      if (unsent.isAnswer) answers += piece.length;
      if (piece.length < unsent.bytes.length) {
        unsent.bytes = unsent.bytes.subarray(piece.length);
        break;
      }
      done.push(unsent);
      taken++;
      if (bytes >= PIECE) break;
    }
    this.#unsent = taken === this.#unsent.length ? [] : this.#unsent.slice(taken);
    this.#unsentBytes -= bytes;
    this.#handedBytes += bytes;
    this.#handed.push({ bytes, done });
    if (this.#handed.length === 1) this.#expect();
    this.#stream.write(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces), () => this.#gone(answers));
  }

  /** The first of what was handed out was taken. */
  #gone(answers: number): void {
    const first = this.#handed.shift();
    // It is over.
    if (first === undefined) return;
    this.#handedBytes -= first.bytes;
    this.#unreadOfAnswers -= answers;
    for (const { left } of first.done) left?.();
    this.#expect();
    this.flush();
    this.#taken();
  }

  /** Destroys the stream unless handed bytes are taken in time. */
  #expect(): void {
    if (this.#stuck !== null) return void this.#stuck.refresh();
    const look = () => {
      if (this.#handedBytes > 0) this.#stream.destroy();
    };
    this.#stuck = machineClock.after(UNTAKEN_MS, look).unref();
  }
}
