import type { RecordFile, StoredRecord } from '../store/store.ts';

export interface ExportOptions extends RecordFile {
  readonly scan: AsyncIterable<readonly StoredRecord[]>;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of an export, and how many records were read for them. */
export interface ExportPiece {
  readonly bytes: Uint8Array;
  readonly length: number;
}
