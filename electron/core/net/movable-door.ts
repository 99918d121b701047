import { StartError } from '../base/errors.ts';
import { machineClock } from '../base/machine-clock.ts';

/** Address of a listener. */
export interface Place {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** Open listener. */
export interface OpenDoor {
  readonly port: number;
  /** Takes no more connections from now on; resolves when those it has are done with, if it waits for them. */
  close(): void | Promise<void>;
}

/** How often, and after how many ms each, a port is tried that the door itself has held until now. */
const TRIES = 20;
const BETWEEN_MS = 50;

/**
 * Listener that can be opened, moved and shut while the service runs. Where it cannot be had at its new place, it stays at
 * its old one.
 */
export class MovableDoor<Door extends OpenDoor> {
  readonly #open: (place: Place) => Promise<Door>;
  readonly #leaving = new Set<Promise<unknown>>();
  #at: (Place & { readonly door: Door }) | null = null;

  /** `open` rejects with StartError, `port-busy` where another has the port. */
  constructor(open: (place: Place) => Promise<Door>) {
    this.#open = open;
  }

  /** Null while it is shut. */
  get door(): Door | null {
    return this.#at?.door ?? null;
  }

  /** Opens, moves or, with null, shuts it. Rejects with what `open` does. */
  async move(to: Place | null): Promise<void> {
    const from = this.#at;
    if (to === null) return this.#leave(from);
    if (from === null) {
      this.#at = { ...to, door: await this.#open(to) };
      return;
    }
    if (to.host === from.host && (to.port === from.door.port || to.port === from.port)) return;
    const { port } = from.door;
    // A port stays the same where only the host changes, also one that was any free one.
    const isSamePort = to.port === port || (to.port === 0 && from.port === 0);
    if (!isSamePort) {
      this.#at = { ...to, door: await this.#open(to) };
      return this.#part(from.door);
    }
    this.#leave(from);
    try {
      this.#at = { ...to, door: await this.#openAgain({ host: to.host, port }) };
    } catch (error) {
      this.#at = { ...from, door: await this.#openAgain({ host: from.host, port }) };
      throw error;
    }
  }

  /** Shuts it, and waits for those that it was moved away from, too. */
  async close(): Promise<void> {
    this.#leave(this.#at);
    await Promise.all(this.#leaving);
  }

  #leave(at: { readonly door: Door } | null): void {
    this.#at = null;
    if (at !== null) this.#part(at.door);
  }

  #part(door: Door): void {
    const left = Promise.resolve(door.close());
    this.#leaving.add(left);
    void left.finally(() => this.#leaving.delete(left));
  }

  /** The system may still hold the port for the door that has just been shut. */
  async #openAgain(place: Place): Promise<Door> {
    for (let left = TRIES; ; left--)
      try {
        return await this.#open(place);
      } catch (error) {
        if (left === 0 || !(error instanceof StartError) || error.code !== 'port-busy') throw error;
        await machineClock.delay(BETWEEN_MS);
      }
  }
}
