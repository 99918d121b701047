import type { RequestDoor } from '#shared/domain/sources.ts';
import type { Micros } from '#shared/values/time.ts';
import { cut, SHORT } from './excerpt.ts';

/** A request that is kept. `more` and `stored` grow where others like it follow. */
export interface Kept {
  readonly id: number;
  readonly time: Micros;
  readonly door: RequestDoor;
  readonly operation: string | null;
  /** The beginning of its answer. */
  readonly response_head: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly isRefused: boolean;
  /** Whether the device is only what a stranger said to be. */
  readonly isClaim: boolean;
  readonly group: Group;
  /** Project in the path of an accepted request. */
  readonly project_id: string | null;
  readonly key_id: string | null;
  readonly token: string | null;
  readonly message: string | null;
  readonly from: string;
  /** Name of the fault that it met. */
  readonly fault: string | null;
  readonly duration_us: number;
  body: string | null;
  stored: number;
  more: number;
  /** Counted up with each request that is kept, and with each that is counted to it. */
  change: number;
}

/** Owner of requests. */
export interface Owner {
  readonly account_id: string;
  /** '' for those of an account, and of unknown senders. */
  readonly project_id: string;
  readonly device_id: string | null;
}

/** The last requests of one device, of the programs of an account, or of unknown senders. */
export class Group {
  owner: Owner;
  /** Oldest first. */
  readonly kept: Kept[] = [];
  /** When its last second began, and how many were kept in it. */
  second: Micros = -Infinity;
  inSecond = 0;
  /** Since they were announced last. */
  unannounced = 0;
  refused = 0;

  constructor(owner: Owner) {
    this.owner = owner;
  }
}

/** Requests kept of one device, and of unknown senders or an account's programs. */
const MOST_OF_DEVICE = 50;
const MOST_OF_OTHERS = 500;
/** Of a device that come from strangers who claim to be it: they must not push out what it sent. */
const MOST_CLAIMS = 10;
/** Requests of all groups. */
const MOST = 20_000;

/** Groups of requests with a common limit: the more devices, the fewer of each. */
export class Groups {
  readonly #groups = new Map<string, Group>();
  #count = 0;

  get(name: string): Group | undefined {
    return this.#groups.get(name);
  }

  make(name: string, owner: Owner): Group {
    const group = new Group(owner);
    this.#groups.set(name, group);
    return group;
  }

  add(group: Group, request: Kept): void {
    const { kept } = group;
    kept.push(request);
    this.#count++;
    if (request.isClaim) this.#dropClaims(kept);
    this.#cutTo(group, this.#mostOf(group));
    while (this.#count > MOST) this.#makeRoom();
  }

  all(): IterableIterator<Group> {
    return this.#groups.values();
  }

  forget(isGone: (group: Group) => boolean): void {
    for (const [name, group] of this.#groups) {
      if (!isGone(group)) continue;
      this.#count -= group.kept.length;
      group.kept.length = 0;
      this.#groups.delete(name);
    }
  }

  #dropClaims(kept: Kept[]): void {
    if (kept.filter(({ isClaim }) => isClaim).length <= MOST_CLAIMS) return;
    kept.splice(
      kept.findIndex(({ isClaim }) => isClaim),
      1,
    );
    this.#count--;
  }

  #mostOf({ owner }: Group): number {
    if (owner.device_id === null) return MOST_OF_OTHERS;
    return Math.max(1, Math.min(MOST_OF_DEVICE, Math.floor((MOST - 2 * MOST_OF_OTHERS) / this.#groups.size)));
  }

  /** Takes from the group whose turn it is what is above its part; one with nothing to give loses its oldest. */
  #makeRoom(): void {
    const [first] = this.#groups;
    if (first === undefined) return;
    const [name, group] = first;
    this.#groups.delete(name);
    this.#cutTo(group, Math.min(this.#mostOf(group), Math.max(0, group.kept.length - 1)));
    if (group.kept.length > 0) this.#groups.set(name, group);
  }

  #cutTo({ kept }: Group, most: number): void {
    const above = kept.length - most;
    if (above <= 0) return;
    if (above === 1) kept.shift();
    else kept.splice(0, above);
    this.#count -= above;
  }
}

/** Ring of the newest requests of all senders. Evicted ones stay with their group, with less of the body. */
export class Ring {
  readonly #places: Kept[] = [];
  readonly #size: number;
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  add(request: Kept): void {
    const old = this.#places[this.#next];
    if (old?.body) old.body = cut(old.body, SHORT);
    this.#places[this.#next] = request;
    this.#next = (this.#next + 1) % this.#size;
  }

  all(): readonly Kept[] {
    return this.#places;
  }

  drop(isGone: (request: Kept) => boolean): void {
    const inOrder = [...this.#places.slice(this.#next), ...this.#places.slice(0, this.#next)];
    const left = this.#places.length < this.#size ? this.#places : inOrder;
    const kept = left.filter((request) => !isGone(request));
    if (kept.length === this.#places.length) return;
    this.#places.splice(0, this.#places.length, ...kept);
    this.#next = kept.length % this.#size;
  }
}
