import { machineClock } from '../base/machine-clock.ts';
import { lineOf, type SentRecord } from '../sync/lines.ts';
import { TOO_LARGE } from './answer.ts';
import { LabRefusal, type Lab } from './lab.ts';

/** Records of a sample, and its characters: enough for a round trip not to count for much. */
const MOST_RECORDS = 2000;
const MOST_CHARACTERS = 256 * 1024;
/** How much longer it takes to find a record's place and to store it than to bring it there and to read it. */
const STORING = 2;

/** The first records that are to be sent, by which it is guessed how long all of them take. */
export class Sample {
  readonly #lines: string[] = [];
  #characters = 0;

  get isFull(): boolean {
    return this.#lines.length >= MOST_RECORDS || this.#characters >= MOST_CHARACTERS;
  }

  add(some: readonly SentRecord[]): void {
    for (const one of some) {
      if (this.isFull) return;
      const line = lineOf(one);
      this.#lines.push(line);
      this.#characters += line.length;
    }
  }

  /** Null where there is nothing to send, or so much at once is not taken: it goes in smaller pieces then. Rejects as the lab does. */
  async secondsFor(bytes: number, lab: Pick<Lab, 'rehearse'>): Promise<number | null> {
    if (this.#lines.length === 0) return null;
    const sample = Buffer.from(this.#lines.join(''));
    const began = machineClock.monotonicMs();
    try {
      await lab.rehearse(sample);
    } catch (error) {
      if (error instanceof LabRefusal && error.status === TOO_LARGE) return null;
      throw error;
    }
    const each = (machineClock.monotonicMs() - began) / 1000 / sample.length;
    return Math.round(bytes * each * STORING * 10) / 10;
  }
}
