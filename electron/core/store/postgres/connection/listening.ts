import { machineClock } from '../../../base/machine-clock.ts';
import type { Link } from './link.ts';

const CHANNEL = /^[a-z][a-z_]{0,30}$/;

export interface ListeningOptions {
  readonly channel: string;
  readonly listener: (payload: string) => void;
  /** Called after a lost connection: notifications meanwhile are lost. */
  readonly resync: () => void;
  readonly open: () => Promise<Link>;
  /** Milliseconds between two tries to be heard again. */
  readonly everyMs: number;
  readonly limit: number;
}

/** Listener of a channel on a connection of its own, which is made again whenever it is lost. */
export class Listening {
  readonly #options: ListeningOptions;
  readonly #stop = new AbortController();
  #link: Link | null = null;
  #run: Promise<void> = Promise.resolve();

  /** Throws where a channel is no such name. */
  constructor(options: ListeningOptions) {
    if (!CHANNEL.test(options.channel)) throw new TypeError(`no channel: ${options.channel}`);
    this.#options = options;
  }

  /** Resolves once it listens; rejects where the database does not answer the first time. */
  async start(): Promise<void> {
    await this.#connect();
    this.#run = this.#keep();
  }

  /** Cuts its connection: it listens again, and says that it may have missed something. */
  cut(): void {
    this.#link?.cut();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#link?.cut();
    await this.#run;
  }

  async #connect(): Promise<void> {
    const { open, channel, listener, limit } = this.#options;
    const link = await open();
    this.#link = link;
    if (this.#stop.signal.aborted) link.cut();
    else await link.listen(channel, listener, limit);
  }

  async #keep(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#link?.ended;
      if (await this.#isBack()) this.#options.resync();
    }
  }

  /** Resolves with true once it listens again, with false when it is to stop. */
  async #isBack(): Promise<boolean> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const failed = await this.#connect().then(
        () => false,
        () => true,
      );
      if (!failed) return !signal.aborted;
      this.#link?.cut();
      await machineClock.delay(this.#options.everyMs, { signal }).catch(() => undefined);
    }
    return false;
  }
}
