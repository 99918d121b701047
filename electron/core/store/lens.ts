import type { Correction } from '#shared/domain/corrections.ts';
import type { Micros } from '#shared/values/time.ts';

/** What the records of a device are read through, in their corrected view. */
export interface Lens {
  /** Those of the device itself, the oldest first; the newest counts where two say the same. */
  readonly corrections: readonly Correction[];
  /** Devices whose history goes before this one's, up to and with `until` of their corrected time. */
  readonly formers: readonly {
    readonly device: string;
    readonly until: Micros;
    readonly lens: Lens | null;
  }[];
}
