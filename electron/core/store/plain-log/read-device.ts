import { join } from 'node:path';
import type { Files } from '../../disk/files.ts';
import type { RecoveryNote, StoredRecord } from '../store.ts';
import { NEW_DEVICE, readNames, type DeviceState } from './device-state.ts';
import { readSegment } from './read-segment.ts';

type Note = (kind: RecoveryNote['kind'], message: string) => void;

/** A device's folder in the plain format; null when it is not one. Throws `newer-format` and `damaged`. */
export interface PlainDevice {
  readonly state: DeviceState;
  /** Every record in order of arrival, in batches. What is not as it should be is noted. */
  readonly records: (note: Note) => AsyncGenerator<readonly StoredRecord[]>;
}

export async function readPlainDevice(files: Files, folder: string): Promise<PlainDevice | null> {
  const names = (await files.list(folder)).map(({ name }) => name);
  const { state: stated, segments } = readNames(names);
  if (!stated && segments.length === 0) return null;
  const state = stated ?? { ...NEW_DEVICE, generation: segments.at(-1)?.generation ?? NEW_DEVICE.generation };
  const current = segments.filter(({ generation }) => generation === state.generation);
  return {
    state,
    async *records(note) {
      if (!stated) note('damaged', 'The file that says when the device was last seen and purged is missing.');
      let bytes = 0;
      for (const [position, { name, number }] of current.entries()) {
        if (number !== (current[position - 1]?.number ?? 0) + 1)
          note('damaged', `The file before "${name}" is missing with all its records.`);
        const { fileBytes, end, damaged } = yield* readSegment(files, join(folder, name));
        for (const piece of damaged)
          note('damaged', `${piece.bytes} damaged bytes at ${piece.offset} of "${name}" could not be read.`);
        // Only the end of the last file may be torn, and only behind what was there when it was last closed.
        const torn = position === current.length - 1 && bytes + end >= state.bytes;
        if (end < fileBytes && torn)
          note('torn-tail', `The last ${fileBytes - end} bytes of "${name}" were not written to the end.`);
        else if (end < fileBytes)
          note(
            'damaged',
            `The last ${fileBytes - end} bytes of "${name}" are damaged and could not be read.`,
          );
        bytes += fileBytes;
      }
      if (bytes < state.bytes) note('damaged', `${state.bytes - bytes} bytes of stored records are missing.`);
    },
  };
}
