import type { Envelope } from '#shared/schema/envelope.ts';
import type { RequestDoor } from '#shared/domain/sources.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Clock } from '../base/clock.ts';
import type { EventBus } from '../base/event-bus.ts';
import { machineClock, type MonotonicMs } from '../base/machine-clock.ts';
import { excerptOf, headOf } from './excerpt.ts';
import { Groups, Ring, type Group, type Kept, type Owner } from './groups.ts';
import { beginningOf, hideSecrets } from './hide-secrets.ts';

/** Answered request, as the trace of its door has it. */
export interface Seen {
  readonly door: RequestDoor;
  /** Id of the operation, or INGEST; absent for what led nowhere. */
  readonly operation?: string | null | undefined;
  /** Over HTTP. */
  readonly answer?: Envelope | undefined;
  readonly method: string;
  readonly path: string;
  /** Of HTTP, or a reason code of MQTT 5. */
  readonly status: number;
  readonly isRefused: boolean;
  /** The device, where that is known. */
  readonly device?: SenderOf | undefined;
  /** Whether the device is only what a stranger said to be. */
  readonly isClaim?: boolean;
  readonly key?: { readonly account_id: string; readonly key_id: string | null } | undefined;
  /** The project that the path of an accepted request names. */
  readonly project_id?: string | undefined;
  /** The token or key, where it is unknown: only its beginning is kept. */
  readonly token?: string | undefined;
  readonly stored?: number;
  /** Why it was refused. */
  readonly message?: string | undefined;
  /** The body or its beginning; not kept itself. */
  readonly body?: Uint8Array | null;
  readonly from: string;
  /** Name of the fault that it met. */
  readonly fault?: string | undefined;
  /** When it came. */
  readonly beganMs: MonotonicMs;
}

/** A device as `Sender` of the ingest knows it. */
interface SenderOf {
  readonly account_id: string;
  readonly device: { readonly id: string; readonly project_id: string };
}

/** The newest of all that are kept. */
const MOST_IN_ALL = 4000;
/** UTF-16 code units of a path or message that are kept. */
const MOST_TEXT = 1000;
/** Requests like the one before that are kept within a second; more of them are counted. */
const MOST_ALIKE = { device: 10, others: 100 };
const SECOND: Micros = 1_000_000;
/** Windows hear of new requests at most this often. */
const ANNOUNCE_MS = 100;

/**
 * Audit record: the last requests of devices and programs, accepted or refused, in bounded memory. No token, key or password
 * is kept. Requests that come thousands of times a second cost a look-up and a count.
 */
export class RequestsSeen {
  readonly #clock: Clock;
  readonly #events: EventBus;
  readonly #nobody: Owner;
  readonly #ring = new Ring(MOST_IN_ALL);
  readonly #groups = new Groups();
  readonly #listeners = new Set<() => void>();
  #announcing: Group[] = [];
  #timer: NodeJS.Timeout | null = null;
  #count = 0;
  #changes = 0;

  /** `default_account_id`: its unlimited keys see requests of unknown senders. */
  constructor(parts: {
    readonly clock: Clock;
    readonly events: EventBus;
    readonly default_account_id: string;
  }) {
    this.#clock = parts.clock;
    this.#events = parts.events;
    this.#nobody = { account_id: parts.default_account_id, project_id: '', device_id: null };
  }

  add(seen: Seen): void {
    const time = this.#clock.now();
    const group = this.#groupOf(seen);
    this.#announceLater(group, seen.isRefused);
    const last = group.kept.at(-1);
    if (time - group.second >= SECOND) {
      group.second = time;
      group.inSecond = 0;
    }
    if (last !== undefined && group.inSecond >= this.#mostAlike(group) && isLike(last, seen)) {
      last.more++;
      last.change = ++this.#changes;
      last.stored += seen.stored ?? 0;
      for (const heard of this.#listeners) heard();
      return;
    }
    group.inSecond++;
    const kept = this.#keptOf(seen, group, time);
    this.#groups.add(group, kept);
    this.#ring.add(kept);
    for (const heard of this.#listeners) heard();
  }

  /** Calls `heard` with each request that comes, until it is told to stop. */
  listen(heard: () => void): () => void {
    this.#listeners.add(heard);
    return () => void this.#listeners.delete(heard);
  }

  /** Newest first: all, or those of a device; of these what came or was counted behind a `change`. */
  list(device_id?: string, after = 0): Kept[] {
    const found = new Map<number, Kept>();
    const groups = device_id === undefined ? this.#groups.all() : [this.#groups.get(device_id)];
    for (const group of groups)
      for (const kept of group?.kept ?? []) if (kept.change > after) found.set(kept.id, kept);
    for (const kept of this.#ring.all())
      if (kept.change > after && (device_id === undefined || kept.group.owner.device_id === device_id))
        found.set(kept.id, kept);
    return [...found.values()].toSorted((a, b) => b.id - a.id);
  }

  /** The devices that have sent something, and where they are as far as is known here. */
  devices(): Owner[] {
    return [...this.#groups.all()].flatMap(({ owner }) => (owner.device_id === null ? [] : owner));
  }

  /** How many devices have stored since then. */
  sending(since: Micros): number {
    let count = 0;
    for (const { owner, kept } of this.#groups.all())
      if (owner.device_id !== null && kept.some(({ time, isRefused }) => time >= since && !isRefused))
        count++;
    return count;
  }

  /** A device is in another project now. */
  moved(device_id: string, project_id: string): void {
    const group = this.#groups.get(device_id);
    if (!group || group.owner.project_id === project_id) return;
    group.owner = { ...group.owner, project_id };
    this.#announceOther(group.owner);
  }

  /** A device is gone, and so is what it sent. */
  forget(device_id: string): void {
    const group = this.#groups.get(device_id);
    if (group) this.#groups.forget((one) => one === group);
    this.#ring.drop((kept) => kept.group.owner.device_id === device_id);
    if (group) this.#announceOther(group.owner);
  }

  /** Forgets what an account's devices and programs sent; of the default account also what came from unknown senders. Returns how many. */
  forgetAccount(account_id: string): number {
    const isOfIt = (group: Group) => group.owner.account_id === account_id;
    const count = this.list().filter(({ group }) => isOfIt(group)).length;
    this.#groups.forget(isOfIt);
    this.#ring.drop(({ group }) => isOfIt(group));
    this.#announceOther({ ...this.#nobody, account_id });
    return count;
  }

  /** Records of a device were deleted: what is kept here must not show them any more. */
  forgetBodies(device_id: string): void {
    const group = this.#groups.get(device_id);
    for (const kept of group?.kept ?? []) kept.body = null;
    for (const kept of this.#ring.all()) if (kept.group.owner.device_id === device_id) kept.body = null;
    if (group) this.#announceOther(group.owner);
  }

  /** The same of every device: nobody knows which. */
  forgetAllBodies(): void {
    const devices = [...this.#groups.all()].filter(({ owner }) => owner.device_id !== null);
    for (const { kept } of devices) for (const each of kept) each.body = null;
    for (const kept of this.#ring.all()) if (kept.group.owner.device_id !== null) kept.body = null;
    for (const { owner } of devices) this.#announceOther(owner);
  }

  /** Announces what is still waiting to be announced. */
  close(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#announce();
  }

  #groupOf({ device, key }: Seen): Group {
    if (device !== undefined) {
      const { id, project_id } = device.device;
      return (
        this.#groups.get(id) ??
        this.#groups.make(id, { account_id: device.account_id, project_id, device_id: id })
      );
    }
    const name = key === undefined ? 'nobody' : `account ${key.account_id}`;
    return (
      this.#groups.get(name) ??
      this.#groups.make(
        name,
        key === undefined ? this.#nobody : { ...this.#nobody, account_id: key.account_id },
      )
    );
  }

  #mostAlike({ owner }: Group): number {
    return owner.device_id === null ? MOST_ALIKE.others : MOST_ALIKE.device;
  }

  #keptOf(seen: Seen, group: Group, time: Micros): Kept {
    return {
      id: ++this.#count,
      time,
      door: seen.door,
      operation: seen.operation ?? null,
      response_head: seen.answer === undefined ? null : headOf(seen.answer),
      method: seen.method,
      path: tidy(seen.path),
      status: seen.status,
      isRefused: seen.isRefused,
      isClaim: seen.isClaim === true,
      group,
      project_id: seen.project_id ?? null,
      key_id: seen.key?.key_id ?? null,
      token: seen.token === undefined ? null : beginningOf(seen.token),
      message: seen.message === undefined ? null : tidy(seen.message),
      from: seen.from,
      fault: seen.fault ?? null,
      duration_us: Math.max(0, Math.round((machineClock.monotonicMs() - seen.beganMs) * 1000)),
      body: excerptOf(seen.body ?? null),
      stored: seen.stored ?? 0,
      more: 0,
      change: ++this.#changes,
    };
  }

  #announceLater(group: Group, isRefused: boolean): void {
    if (isRefused) group.refused++;
    if (group.unannounced++ > 0) return;
    this.#announcing.push(group);
    this.#timer ??= machineClock.after(ANNOUNCE_MS, () => this.#announce()).unref();
  }

  /** What is kept of the owner went or is otherwise: windows read it anew. */
  #announceOther(owner: Owner): void {
    this.#events.publish('requests.seen', { ...owner, count: 0, refused: 0 });
  }

  #announce(): void {
    this.#timer = null;
    const groups = this.#announcing;
    this.#announcing = [];
    for (const group of groups) {
      const { unannounced: count, refused, owner } = group;
      group.unannounced = 0;
      group.refused = 0;
      this.#events.publish('requests.seen', { ...owner, count, refused });
    }
  }
}

/** Of the same kind, so that it need not be kept beside the other. */
function isLike(last: Kept, { door, method, status, isRefused, path, message, from, fault }: Seen): boolean {
  return (
    last.status === status &&
    last.isRefused === isRefused &&
    last.door === door &&
    last.method === method &&
    last.from === from &&
    last.fault === (fault ?? null) &&
    (last.path === path || last.path === tidy(path)) &&
    last.message === (message === undefined ? null : tidy(message))
  );
}

/** A path or message of any length, without what could be a secret. */
function tidy(text: string): string {
  const shown = hideSecrets(text.length > MOST_TEXT * 2 ? text.slice(0, MOST_TEXT * 2) : text);
  return shown.length > MOST_TEXT ? `${shown.slice(0, MOST_TEXT)}…` : shown;
}
