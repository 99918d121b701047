/*
 * Flow control by credit: a side sends at most CREDIT messages that the other has not finished with, so that neither ever
 * holds more of the other's. Between windows and the service, and between the service and its threads.
 */

/** Messages that a side may send before the other has finished with one. */
export const CREDIT = 8;

/** Condition variable: who waits goes on with the next change, or as the signal fires. */
class Condition {
  #next: PromiseWithResolvers<void> | null = null;

  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener('abort', () => this.changed());
  }

  wait(): Promise<void> {
    return (this.#next ??= Promise.withResolvers<void>()).promise;
  }

  changed(): void {
    this.#next?.resolve();
    this.#next = null;
  }
}

/** Counting semaphore for backpressure: the right to send, for one sender at a time. */
export class Credit {
  readonly #signal: AbortSignal | undefined;
  readonly #change: Condition;
  #left = CREDIT;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
    this.#change = new Condition(signal);
  }

  /** Waits until another message may be sent. Rejects with the signal's reason. */
  async room(): Promise<void> {
    for (;;) {
      this.#signal?.throwIfAborted();
      if (this.#left > 0) return;
      await this.#change.wait();
    }
  }

  /** Counts a message that is sent, even where there was no room. */
  spend(): void {
    this.#left--;
  }

  /** The other side has finished with one. */
  grant(): void {
    this.#left++;
    this.#change.changed();
  }
}

/** Queue of arrived messages. */
export class Arrivals<Message> {
  readonly #taken: () => void;
  readonly #signal: AbortSignal;
  readonly #change: Condition;
  readonly #waiting: Message[] = [];
  #ended = false;
  #failure: Error | null = null;

  /** `taken` runs for each message that the reader has finished with, so that the other side may send another. */
  constructor(taken: () => void, signal: AbortSignal) {
    this.#taken = taken;
    this.#signal = signal;
    this.#change = new Condition(signal);
  }

  /** Unread messages. */
  get size(): number {
    return this.#waiting.length;
  }

  push(message: Message): void {
    this.#waiting.push(message);
    this.#change.changed();
  }

  /** No message follows. */
  end(): void {
    this.#ended = true;
    this.#change.changed();
  }

  /** The reader rejects with it next, whatever came before. */
  fail(failure: Error): void {
    this.#failure = failure;
    this.#change.changed();
  }

  /** The messages in order, to be read once. Rejects with the signal's reason. */
  async *read(): AsyncGenerator<Message, void, undefined> {
    for (;;) {
      this.#signal.throwIfAborted();
      if (this.#failure !== null) throw this.#failure;
      if (this.#waiting.length > 0) {
        yield this.#waiting.shift() as Message;
        this.#taken();
      } else if (this.#ended) return;
      else await this.#change.wait();
    }
  }
}
