import { StoreError } from '../../../base/errors.ts';
import type { Lens } from '../../lens.ts';
import type { SortedRows } from '../query/sorted-rows.ts';
import { Timeline } from '../query/timeline.ts';
import type { Readable } from '../readable.ts';
import { correctedSources } from './corrected-sources.ts';

interface Made {
  readonly lens: Lens;
  readonly formers: readonly Timeline[];
  readonly sources: readonly SortedRows[];
  readonly timeline: Timeline;
}

/** What was made of a timeline last, which is most of the cost of a page. */
const made = new WeakMap<Timeline, Made>();

/**
 * A device through its lens, for every reader of this room.
 *
 * @param formers the devices before it as their own lenses show them, in the order of `lens.formers`
 */
export function correctedDevice(lens: Lens, device: Readable, formers: readonly Readable[]): Readable {
  const all = [device, ...formers];
  return {
    get lastSeen() {
      return device.lastSeen;
    },
    get purgedAt() {
      return device.purgedAt;
    },
    get bytes() {
      return device.bytes;
    },
    get isSettled() {
      return all.every((each) => each.isSettled);
    },
    timeline: () => madeOf(lens, device, formers).timeline,
    sources: () => madeOf(lens, device, formers).sources,
    snapshot() {
      const [own, ...others] = all.map((each) => each.snapshot());
      const sources = correctedSources(
        lens,
        own!.sources,
        others.map((other) => other.sources),
      );
      const release = async () => {
        for (const each of [own!, ...others]) await each.release();
      };
      return { sources, timeline: new Timeline(sources), release };
    },
    // A device sets aside what it finds damaged in its own files, and leaves every other error to the next.
    read: (read) => all.reduceRight<typeof read>((inner, each) => () => each.read(inner), read)(),
    retrying: (work) => all.reduceRight<typeof work>((inner, each) => () => each.retrying(inner), work)(),
    failure: (error) => {
      const failures = all.map((each) => each.failure(error));
      return failures.find((each) => each instanceof StoreError && each.code === 'damaged') ?? failures[0]!;
    },
  };
}

function madeOf(lens: Lens, device: Readable, formers: readonly Readable[]): Made {
  const stored = device.timeline();
  const before = formers.map((former) => former.timeline());
  const known = made.get(stored);
  if (known?.lens === lens && before.every((timeline, i) => timeline === known.formers[i])) return known;
  const sources = correctedSources(
    lens,
    device.sources(),
    formers.map((former) => former.sources()),
  );
  const now = { lens, formers: before, sources, timeline: new Timeline(sources) };
  // Over guesses nothing is kept (readable.ts).
  if (device.isSettled && formers.every((former) => former.isSettled)) made.set(stored, now);
  return now;
}
