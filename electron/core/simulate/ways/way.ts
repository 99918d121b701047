import type { Reading } from '../readings.ts';

/** What became of readings that were sent. */
export interface Outcome {
  readonly stored: number;
  /** What the service said no to, or gave no answer of. */
  readonly refused: number;
  /** Why it was refused last; null where nothing was. */
  readonly problem: string | null;
}

/** How readings get into the service. */
export interface Way {
  /** How many it takes at once. */
  readonly most: number;
  /** Rejects with DeviceGone. */
  send(readings: readonly Reading[]): Promise<Outcome>;
  /** Ends what is under way, too. */
  close(): void;
}

/** The device is not there any more. */
export class DeviceGone extends Error {
  override readonly name = 'DeviceGone';
}
