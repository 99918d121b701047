import { machineClock } from '../../../base/machine-clock.ts';
import { within } from '../../../turns/within.ts';
import { Lost } from './database-errors.ts';
import type { Link } from './link.ts';

/** Connections of one kind. They are opened when they are needed, and replaced when they are lost. */
export class Pool {
  readonly #open: () => Promise<Link>;
  readonly #most: number;
  readonly #links = new Set<Link>();
  readonly #free: Link[] = [];
  readonly #queue: ((link: Link | null) => void)[] = [];
  #opening = 0;
  #isClosed = false;

  constructor(open: () => Promise<Link>, most: number) {
    this.#open = open;
    this.#most = most;
  }

  /** Resolves with a connection for the caller alone, who gives it back; rejects with Lost where none is free for `limit` ms. */
  async borrow(limit: number): Promise<Link> {
    const untilMs = machineClock.monotonicMs() + limit;
    for (;;) {
      if (this.#isClosed) throw new Lost('the connections were closed');
      const link = this.#free.pop();
      if (link && !link.isLost) return link;
      if (link) {
        this.#links.delete(link);
        continue;
      }
      const left = Math.max(0, untilMs - machineClock.monotonicMs());
      if (this.#links.size + this.#opening < this.#most)
        return this.#anotherWithin(left, (late) => this.giveBack(late));
      const next = await this.#turn(left);
      if (next && !next.isLost) return next;
    }
  }

  giveBack(link: Link): void {
    if (link.isLost) {
      this.#gone(link);
      return;
    }
    const next = this.#queue.shift();
    if (next) next(link);
    else this.#free.push(link);
  }

  /** Resolves with the connection that has least to do; others use it at the same time. Rejects with Lost where there is none for `limit` ms. */
  async shared(limit: number): Promise<Link> {
    if (this.#isClosed) throw new Lost('the connections were closed');
    let best: Link | null = null;
    for (const link of this.#links)
      if (!link.isLost && (best === null || link.waiting < best.waiting)) best = link;
    if (best !== null && (best.waiting === 0 || this.#links.size + this.#opening >= this.#most)) return best;
    return this.#anotherWithin(limit);
  }

  /** Cuts all connections: what is under way on them rejects with Lost. */
  cut(): void {
    for (const link of this.#links) link.cut();
  }

  /** Resolves when what is under way is answered and all connections are gone. */
  async close(limit: number): Promise<void> {
    this.#isClosed = true;
    for (const next of this.#queue.splice(0)) next(null);
    await Promise.all([...this.#links].map((link) => link.close(limit)));
  }

  /** `late` gets the connection that comes after so many ms, when its caller has gone. */
  #anotherWithin(ms: number, late?: (link: Link) => void): Promise<Link> {
    let isLate = false;
    const opening = this.#another().then((link) => {
      if (isLate) late?.(link);
      return link;
    });
    return within(opening, ms, () => {
      isLate = true;
      throw new Lost('no connection was made in time');
    });
  }

  async #another(): Promise<Link> {
    this.#opening++;
    try {
      const link = await this.#open();
      this.#links.add(link);
      void link.ended.then(() => this.#gone(link));
      if (this.#isClosed) link.cut();
      return link;
    } catch (error) {
      this.#queue.shift()?.(null);
      throw error;
    } finally {
      this.#opening--;
    }
  }

  /** Removes a link: a waiting caller may open another in its place. */
  #gone(link: Link): void {
    this.#links.delete(link);
    this.#queue.shift()?.(null);
  }

  #turn(limit: number): Promise<Link | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Link | null>();
    const late = machineClock.after(limit, () => {
      this.#queue.splice(this.#queue.indexOf(take), 1);
      reject(new Lost('no connection became free'));
    });
    const take = (link: Link | null) => {
      clearTimeout(late);
      resolve(link);
    };
    this.#queue.push(take);
    return promise;
  }
}
