import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Backend } from './backend.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { nodeFiles } from './disk/files.ts';
import { heldFiles } from './disk/held-files.ts';
import { LineJournal } from './disk/line-journal.ts';
import { acquireLock } from './disk/lock/lock.ts';
import { makeLasting } from './disk/make-lasting.ts';
import { StartError } from './errors.ts';
import { createEventBus } from './event-bus.ts';
import { openFolderMetadata } from './store/metadata/folder-metadata.ts';
import { openRecordsOn } from './store/open-records.ts';
import { createThreads } from './threads/threads.ts';
import { openVault, type VaultOptions } from './vault/open-vault.ts';
import { SecretsKeeper } from './vault/secrets-keeper.ts';
import { createJobs } from './work/jobs.ts';

export interface FolderOptions extends Pick<
  Config,
  'directory' | 'vault' | 'keychainPatienceMs' | 'passphrase' | 'workerScript'
> {
  readonly clock: Clock;
  /** Gets lines for the person who started it, as they come up. */
  readonly say?: (line: string) => void;
  /** Gets who connects to the folder's socket, from the moment that the folder is held; only its owner can. */
  readonly connected?: (socket: Socket) => void;
  /** Opens the keychain of the user's session. */
  readonly keychain?: VaultOptions['keychain'];
  /** Ends the opening where it waits for others; its reason, a StartError, is thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a data folder, which is made where there is none, for this process alone. What was opened is closed in reverse
 * order, also when a later part cannot be opened. Throws StartError, VaultError or StoreError, whose messages are for the
 * person who started it.
 */
export async function openFolder(options: FolderOptions): Promise<Backend> {
  const { directory, clock, workerScript, say = () => {}, connected, signal } = options;
  const stack = new AsyncDisposableStack();
  try {
    await makeDirectory(directory);
    const lock = await acquireLock(directory, { say, ...(signal && { signal }) });
    stack.defer(() => lock.release());
    if (connected) lock.serve(connected);
    lock.onLost((why) => say(why.message));
    const files = heldFiles(nodeFiles, () => lock.lost());
    const isNew = await isUnused(directory);
    signal?.throwIfAborted();
    const metadata = await openFolderMetadata({ directory, clock, files });
    stack.defer(() => metadata.close());
    const { installation_id: installationId } = await metadata.read((tables) => tables.settings());
    const vaultOptions = {
      ...options,
      kind: options.vault,
      patienceMs: options.keychainPatienceMs,
      log: { warn: say },
      isNew,
      installationId,
      files,
    };
    const opened = await openVault(vaultOptions);
    const secrets = new SecretsKeeper(opened, vaultOptions);
    const { vault } = secrets;
    stack.defer(() => vault.close());
    signal?.throwIfAborted();
    const threads = workerScript === null ? null : createThreads({ script: workerScript });
    stack.defer(() => threads?.close());
    const records = await openRecordsOn(files, { directory: join(directory, 'data'), threads, say });
    stack.defer(() => records.close());
    const events = createEventBus();
    return {
      records,
      metadata,
      vault,
      secrets,
      events,
      jobs: createJobs(events),
      journal: (name, version) =>
        new LineJournal({
          path: join(directory, `${name}.journal`),
          files,
          word: `fieldbench-${name}`,
          version,
        }),
      get notes() {
        const lost = lock.lost();
        return [
          ...(lost ? [lost.message] : []),
          ...(lock.note === null ? [] : [lock.note]),
          ...metadata.notes,
          ...opened.notes,
          ...records.recovery.map(({ message }) => message),
        ];
      },
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Whether no service has kept anything in a data folder yet. */
async function isUnused(directory: string): Promise<boolean> {
  const entries = await nodeFiles.list(directory);
  return !entries.some(({ name }) => name.startsWith('metadata.'));
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await makeLasting(nodeFiles, directory, 0o700);
  } catch (error) {
    throw new StartError(
      'read-only',
      `The data directory ${directory} cannot be made: ${(error as Error).message}. Choose another with --data DIR.`,
      { cause: error },
    );
  }
}
