import type { EventBus } from '../base/event-bus.ts';
import { Refusal } from '../base/errors.ts';
import { machineClock } from '../base/machine-clock.ts';
import { recordsIn } from '../store/blocks/block/records-in.ts';
import { recordJson } from '../store/record-json.ts';
import type { PackedUpload, StoredRecord } from '../store/store.ts';
import type { Payload } from './upload.ts';

/** Devices that are followed at once. */
const MOST_FOLLOWED = 64;
/** Records of a device that are kept for those who follow it, and UTF-16 code units of their JSON. */
const MOST_RECORDS = 10_000;
const MOST_UNITS = 1024 * 1024;
/** ms for which they are kept where nobody asks. */
const KEPT_MS = 120_000;

/** What came to a device since somebody asked last. */
export interface Arrived {
  /** Names this place: what comes next is asked for behind it. */
  readonly after: string;
  /** Records before these that are not kept any more; null: how many is unknown. */
  readonly missed: number | null;
  /** JSON of each, as /v2 shows it, in the order of arrival. */
  readonly records: readonly string[];
}

interface Followed {
  /** Unlike that of any other run of the service, or of this device before. */
  readonly id: string;
  readonly waiting: Set<() => void>;
  /** Place of the first one in `lines`: how many came before. */
  first: number;
  lines: string[];
  units: number;
  timer: NodeJS.Timeout;
}

/**
 * Arrivals: the last records that devices stored by a door, in the order in which they came, for who follows them. Kept in bounded
 * memory, only of devices that somebody follows, and never longer than the records themselves.
 */
export class Arrivals {
  readonly #followed = new Map<string, Followed>();

  constructor(events: EventBus) {
    const heard = events.subscriber(
      ({ topic, payload }) => {
        if (topic === 'records.removed' && payload.restored !== true) this.#forget(payload.device_id);
      },
      () => {
        for (const device of this.#followed.keys()) this.#forget(device);
      },
    );
    heard.subscribe('records.removed');
  }

  /**
   * Resolves with what came to a device behind a place, as soon as there is anything, or nothing came within `withinMs`; without a
   * place, at once with the one that is now. `newId` makes an id. Rejects with a 429 Refusal where too many devices are followed, and
   * as the signal's reason.
   */
  async since(
    device: string,
    after: string | undefined,
    {
      withinMs,
      signal,
      newId,
    }: { readonly withinMs: number; readonly signal: AbortSignal | undefined; readonly newId: () => string },
  ): Promise<Arrived> {
    const followed = this.#followed.get(device) ?? this.#follow(device, newId());
    const [, id, place] = /^(.+)\.(\d{1,15})$/s.exec(after ?? '') ?? [];
    const isKnown = id === followed.id && Number(place) <= nextOf(followed);
    const from = isKnown ? Number(place) : nextOf(followed);
    if (isKnown && from === nextOf(followed) && withinMs > 0) await comes(followed, withinMs, signal);
    this.#keepOn(device, followed);
    return {
      after: `${followed.id}.${nextOf(followed)}`,
      missed: isKnown || after === undefined ? Math.max(0, followed.first - from) : null,
      records: followed.lines.slice(Math.max(0, from - followed.first)),
    };
  }

  /** Returns what is kept of a packed payload, which is the store's from then on: called before that. Null where nobody follows. */
  unpacked(device: string, payload: Payload): readonly string[] | null {
    return 'upload' in payload && this.#followed.has(device) ? lastOf(payload.upload) : null;
  }

  /** Adds what was stored. */
  add(device: string, payload: Payload, unpacked: readonly string[] | null): void {
    const followed = this.#followed.get(device);
    if (followed === undefined) return;
    const lines = 'records' in payload ? payload.records.slice(-MOST_RECORDS).map(json) : (unpacked ?? []);
    // The first ones are not kept, and neither is what came before them.
    if (lines.length < payload.count) drop(followed, payload.count - lines.length);
    for (const line of lines) followed.units += line.length;
    followed.lines.push(...lines);
    let gone = 0;
    while (followed.lines.length - gone > MOST_RECORDS || followed.units > MOST_UNITS)
      followed.units -= followed.lines[gone++]?.length ?? 0;
    followed.lines.splice(0, gone);
    followed.first += gone;
    for (const wake of followed.waiting) wake();
  }

  #follow(device: string, id: string): Followed {
    if (this.#followed.size >= MOST_FOLLOWED)
      throw new Refusal(
        429,
        `The records of ${MOST_FOLLOWED} devices are followed already: try again in a while.`,
      );
    const followed: Followed = {
      id,
      waiting: new Set(),
      first: 0,
      lines: [],
      units: 0,
      timer: this.#timer(device),
    };
    this.#followed.set(device, followed);
    return followed;
  }

  #keepOn(device: string, followed: Followed): void {
    clearTimeout(followed.timer);
    followed.timer = this.#timer(device);
  }

  #timer(device: string): NodeJS.Timeout {
    return machineClock
      .after(KEPT_MS, () => {
        const followed = this.#followed.get(device);
        if (followed === undefined) return;
        if (followed.waiting.size > 0) this.#keepOn(device, followed);
        else this.#followed.delete(device);
      })
      .unref();
  }

  /** Records of a device were deleted: what is kept here must not show them any more. */
  #forget(device: string): void {
    const followed = this.#followed.get(device);
    if (followed !== undefined) drop(followed, 0);
  }
}

const json = (record: StoredRecord) => recordJson(record);

const nextOf = ({ first, lines }: Followed) => first + lines.length;

/** Keeps nothing of what came so far, nor of so many that come. */
function drop(followed: Followed, more: number): void {
  followed.first = nextOf(followed) + more;
  followed.lines = [];
  followed.units = 0;
}

/** Resolves once something comes, or the time is over. Rejects as the signal's reason. */
async function comes(
  { waiting }: Followed,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = machineClock.after(withinMs, resolve);
  const onAbort = () => reject(signal?.reason);
  waiting.add(resolve);
  signal?.addEventListener('abort', onAbort);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    waiting.delete(resolve);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The last records of an upload, as many as are kept. */
function lastOf({ packed }: PackedUpload): readonly string[] {
  const blocks: string[][] = [];
  let count = 0;
  for (const { buffer } of packed.toReversed()) {
    if (count >= MOST_RECORDS) break;
    const lines = (recordsIn(Buffer.from(buffer)) ?? []).map(json);
    count += lines.length;
    blocks.unshift(lines);
  }
  return blocks.flat();
}
