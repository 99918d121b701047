import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../base/errors.ts';
import { machineClock } from '../../base/machine-clock.ts';
import { removeClaim, rewrite, type Claim, type ClaimState, type Listening } from './claim.ts';
import { watchMs } from './watch.ts';

/**
 * Heartbeat of a claim: written again every few seconds. A process that stood still for longer (a laptop that slept, a
 * virtual machine that was paused) may find that another took it for dead and removed its claim; from then on the folder is
 * the other's.
 */
export class Heartbeat {
  readonly claim: Claim;
  readonly #folder: string;
  readonly #ended: () => void;
  readonly #beatMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners: ((why: StoreError) => void)[] = [];
  #state: ClaimState = 'waiting';
  #socket: Listening = 'nowhere';
  #count = 0;
  /** When the claim was certainly there, by the wall clock: the other one does not stand still while this machine sleeps. */
  #sure = machineClock.wallMs();
  #lost: StoreError | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isOver = false;

  /** `claim` lies in the folder already; `ended` is called when it no longer does. */
  constructor(folder: string, claim: Claim, ended: () => void, beatMs: number) {
    this.#beatMs = beatMs;
    this.#folder = folder;
    this.claim = claim;
    this.#ended = ended;
    this.#timer = machineClock.every(beatMs, this.#say).unref();
  }

  /** Says that the folder is held. Throws what `lost` returns, and Node's errors. */
  async hold(socket: Listening): Promise<void> {
    this.#state = 'holding';
    this.#socket = socket;
    await this.#writing;
    if (!(await rewrite(this.#folder, this.claim, this.#state, socket, ++this.#count))) this.#lose();
    if (this.#lost) throw this.#lost;
  }

  /** Why the folder is another's; null while it is ours. Looks only where the last beat is so old that it may be. */
  lost(): StoreError | null {
    if (
      this.#lost ||
      this.#isOver ||
      Math.abs(machineClock.wallMs() - this.#sure) < watchMs(this.#beatMs) - this.#beatMs
    )
      return this.#lost;
    const asked = machineClock.wallMs();
    if (this.#isThere()) this.#sure = asked;
    else this.#lose();
    return this.#lost;
  }

  /** A folder that cannot be read for the moment has not been taken: only a claim that is certainly gone says so. */
  #isThere(): boolean {
    try {
      return statSync(join(this.#folder, this.claim.name), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return true;
    }
  }

  onLost(listener: (why: StoreError) => void): void {
    if (this.#lost) listener(this.#lost);
    else this.#listeners.push(listener);
  }

  /** Takes the claim away. */
  async end(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#writing;
    await removeClaim(this.#folder, this.claim);
    this.#ended();
  }

  /** One at a time: a disk that hangs must not collect them. */
  readonly #say = (): void => {
    this.#writing = this.#saidAfter(this.#writing);
  };

  async #saidAfter(before: Promise<void>): Promise<void> {
    await before;
    if (this.#lost || this.#isOver) return;
    const asked = machineClock.wallMs();
    try {
      if (await rewrite(this.#folder, this.claim, this.#state, this.#socket, ++this.#count))
        this.#sure = asked;
      else this.#lose();
    } catch {
      // A full or failing disk, which storing meets and says. Whether the claim is still there is looked up before each
      // write that comes later than this beat's hold.
    }
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = new StoreError(
      'poisoned',
      "The data directory is no longer this one's: while it stood still another Fieldbench has taken it, or the folder " +
        'was moved. Nothing more is stored here; what was acknowledged before is safe. Stop this one.',
    );
    for (const listener of this.#listeners) listener(this.#lost);
  }
}
