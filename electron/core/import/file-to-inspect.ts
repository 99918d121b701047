import type { TimeHints } from './time/guess-time.ts';
import type { FileSettings, Inspection } from '#shared/operations/records/records.ts';

export interface FileToInspect extends FileSettings, Pick<TimeHints, 'now'> {
  /** The beginning of the file. */
  readonly head: Uint8Array;
  /** Its last bytes, if any were sent. */
  readonly tail?: Uint8Array | undefined;
  /** Whether the beginning is the whole file; otherwise its last row is cut and not judged. */
  readonly complete: boolean;
}

/** What its text says of a file. */
export type FileFound = Omit<Inspection, 'encoding' | 'encoding_guessed' | 'state'>;
