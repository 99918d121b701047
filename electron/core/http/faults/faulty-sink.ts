import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import { machineClock } from '../../base/machine-clock.ts';
import type { Ending } from '../../faults/ending.ts';

/** Pieces of a slow answer in a second, so that it comes evenly. */
const PIECES_PER_S = 20;
/** ms that a connection stays open behind the last byte: closed with bytes unread it is reset, and what was sent is lost. */
const LINGER_MS = 1000;

interface SinkOptions {
  /** Bytes that pass. */
  readonly most: number;
  readonly bytesPerS: number;
  /** Whether the connection stays open behind them. */
  readonly isSilent: boolean;
  /** From then on nothing is slow. */
  readonly ending: Ending;
}

/** What a response is written to in the place of its socket: passes on so many bytes, so fast, and ends the connection behind them. */
export class FaultySink extends Writable {
  readonly #socket: Socket;
  readonly #of: SinkOptions;
  #left: number;
  readonly #passOn = callbackify((bytes: Buffer) => this.#pass(bytes));

  constructor(socket: Socket, options: SinkOptions) {
    super();
    this.#socket = socket;
    this.#of = options;
    this.#left = options.most;
    const gone = () => void this.destroy();
    socket.once('close', gone);
    this.once('close', () => void socket.removeListener('close', gone));
    // Who writes hears of the end by it, as of a socket's.
    this.on('error', () => {});
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error) => void): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    this.#passOn(bytes, done);
  }

  /** Ends the connection once all of an answer is out. */
  endBehind(response: ServerResponse): void {
    if (response.writableFinished) this.#close();
    else response.once('finish', () => this.#close());
  }

  async #pass(bytes: Buffer): Promise<void> {
    const part = bytes.subarray(0, Math.min(bytes.length, this.#left));
    this.#left -= part.length;
    const { bytesPerS, ending } = this.#of;
    const piece = Math.max(1, Math.floor(bytesPerS / PIECES_PER_S));
    for (let at = 0; at < part.length; at += piece) {
      const next = part.subarray(at, ending.isOver ? part.length : at + piece);
      await this.#send(next);
      if (ending.isOver) break;
      if (bytesPerS < Infinity) await ending.within((next.length / bytesPerS) * 1000);
    }
    if (part.length < bytes.length && !this.#of.isSilent) {
      this.#close();
      this.destroy();
    }
  }

  /** Resolves when the socket has taken them. */
  #send(bytes: Buffer): Promise<void> {
    if (this.#socket.destroyed) return Promise.reject(new Error('The connection has ended.'));
    return new Promise((resolve, reject) =>
      this.#socket.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  }

  #close(): void {
    if (this.#of.isSilent || this.#socket.destroyed) return;
    this.#socket.end();
    this.#socket.resume();
    machineClock.after(LINGER_MS, () => this.#socket.destroy()).unref();
  }
}
