import { devicesOf, idOf, type Lens, type RecordStore, type Viewed } from '../store/store.ts';
import type { Behind } from './course.ts';

/** How much further from the newest record each state lies than the one behind it. */
const FURTHER = 4;
/** Checkpoints from which a change goes on without its window being read again. */
const WITH_WINDOWS = 4;

/** Dependencies of a view's records beside appends. */
export interface ViewNow {
  readonly device: string;
  readonly lens: Lens | null;
  /** Revisions of the devices that are read. */
  readonly revisions: readonly number[];
}

export async function viewNow(records: Pick<RecordStore, 'revision'>, device: Viewed): Promise<ViewNow> {
  const revisions = await Promise.all(devicesOf(device).map((each) => records.revision(each)));
  return { device: idOf(device), lens: typeof device === 'string' ? null : device.lens, revisions };
}

export const isSameView = (a: ViewNow, b: ViewNow): boolean =>
  a.device === b.device &&
  a.lens === b.lens &&
  a.revisions.every((revision, place) => revision === b.revisions[place]);

/**
 * Checkpoints of a rule on a device: what it had come to at some times, the further back the fewer. One holds as long as the view
 * is the same, and as many records are stored up to its time as there were.
 */
export class Ladder {
  #view: ViewNow | null = null;
  /** Oldest first. */
  #rungs: readonly Behind[] = [];

  /** Drops all that is of another view. */
  see(view: ViewNow): void {
    if (this.#view === null || !isSameView(this.#view, view)) this.#rungs = [];
    this.#view = view;
  }

  get newest(): Behind | undefined {
    return this.#rungs.at(-1);
  }

  drop(): void {
    this.#rungs = this.#rungs.slice(0, -1);
  }

  clear(): void {
    this.#rungs = [];
  }

  /** Adds what lies behind all that it has; few of each distance from the newest stay. */
  add(marked: readonly Behind[]): void {
    const all = [...this.#rungs, ...marked];
    const newest = all.pop();
    if (newest === undefined) return;
    const kept = [newest];
    const distanceOf = ({ records }: Behind) => newest.records - records;
    for (let rung = all.pop(); rung !== undefined; rung = all.pop()) {
      const enough = FURTHER * Math.max(1, distanceOf(kept.at(-1)!));
      const older = all.at(-1);
      if ((older === undefined ? newest.records : distanceOf(older)) > enough) kept.push(rung);
    }
    this.#rungs = kept
      .map((rung, place) => (place < WITH_WINDOWS ? rung : withoutWindows(rung)))
      .toReversed();
  }
}

const withoutWindows = (behind: Behind): Behind =>
  behind.states.every(({ window }) => window === null)
    ? behind
    : { ...behind, states: behind.states.map((state) => ({ ...state, window: null })) };
