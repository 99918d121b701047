import { SerialByName } from '../turns/by-name.ts';
import { FairSemaphore } from '../turns/semaphore.ts';

/** At once, and of one API key: what one holds is some ten times its body (`MOST_MERGE_BYTES`). */
const MOST = 2;
const MOST_OF_ONE = 1;

/** Serial queue of merges, from where their lines are read: a waiting one holds bytes alone. */
export class Merges {
  readonly #semaphore = new FairSemaphore(MOST, MOST_OF_ONE);
  readonly #devices = new SerialByName();

  /**
   * Reads or merges for an API key, null for the owner; into a device one after the other, so that few have to be compared
   * anew. Resolves and rejects as the work, or with the signal's reason where that fires before its turn.
   */
  run<T>(
    { key_id, device }: { readonly key_id: string | null; readonly device: string | null },
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const inTurn = device === null ? work : () => this.#devices.run(device, work);
    return this.#semaphore.of(key_id).run(inTurn, signal);
  }
}
