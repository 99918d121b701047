import type { TimeKind } from '#shared/operations/records/records.ts';
import type { OtherEpochs } from './other-epochs.ts';
import type { TimeFormat } from './time-format.ts';

/** How texts are read as times, and what else they may be. */
export type FormatGuess = {
  readonly format: TimeFormat;
  readonly ambiguous?: boolean;
  readonly otherKinds?: readonly TimeKind[];
  readonly kindNeeded?: boolean;
  readonly epochs?: OtherEpochs | null;
};
