import { join } from 'node:path';
import { createSystemClock } from '#core/base/system-clock.ts';
import type { Files } from '#core/disk/files.ts';
import { StoreError } from '#core/base/errors.ts';
import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import { TABLE_NAMES } from '#core/store/metadata/metadata-schema.ts';
import { openLog } from '#core/store/log/log.ts';
import { recordJson } from '#core/store/record-json.ts';
import type { RecordStore } from '#core/store/store.ts';
import { openEncryptedFile } from '#core/vault/encrypted-file.ts';
import type { Vault } from '#core/vault/vault.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { scanned } from '../../suites/record-store/harness.ts';

/** What a start opens of a folder, in its order, over any files. */
export interface Parts {
  readonly vault: Vault;
  readonly records: RecordStore;
  readonly metadataNotes: readonly string[];
  /** Rows of the metadata, as text. */
  rows(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openParts(files: Files, folder: string): Promise<Parts> {
  const stack = new AsyncDisposableStack();
  try {
    const metadata = await openFolderMetadata({
      directory: folder,
      clock: createSystemClock(),
      chance: systemRandom,
      files,
    });
    stack.defer(() => metadata.close());
    const vault = await openEncryptedFile({
      directory: folder,
      passphrase: null,
      log: { warn: () => {} },
      files,
    });
    stack.defer(() => vault.close());
    const records = await openLog({ directory: join(folder, 'data'), files });
    stack.defer(() => records.close());
    return {
      vault,
      records,
      metadataNotes: metadata.notes,
      rows: async () =>
        metadata.read(async (tables) => {
          const rows: string[] = [];
          for (const name of TABLE_NAMES)
            for (const row of await tables.list(name)) rows.push(`${name} ${JSON.stringify(row)}`);
          return rows;
        }),
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Blocks that are found damaged one after the other, at most. */
const MOST_DAMAGED = 20;

/** Records of a device, oldest first, as text. A reader that meets damage is told so once, and reads again. */
export async function textsOf(records: RecordStore, device: string): Promise<string[]> {
  for (let time = 1; ; time++) {
    try {
      return (await scanned(records, device)).map((record) => recordJson(record));
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'damaged') || time > MOST_DAMAGED) throw error;
    }
  }
}
