import { join } from 'node:path';
import type { Backend } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { Files } from '../disk/files.ts';
import { freeShare } from '../disk/free-space.ts';
import { createEventBus } from '../base/event-bus.ts';
import { backUpBeforeMigration } from './before-migration.ts';
import { takePlace, type PlaceOptions } from './take-place.ts';
import { journalsOf } from '../backend/journals.ts';
import { OwnKeyUse } from '../backend/key-use.ts';
import { OwnChance } from '../backend/own-chance.ts';
import { openFolderMetadata } from '../store/metadata/file/folder-metadata.ts';
import { openLog } from '../store/log/log.ts';
import { checkRecords, RECORDS_FOLDER } from '../store/records-folder.ts';
import { OwnTickets } from '../backend/own-tickets.ts';
import { FormerTrails } from '../store/trail/former-trails.ts';
import { TRAIL_FOLDER } from '../store/trail/trail-names.ts';
import { Serial } from '../turns/serial.ts';
import { createThreads } from '../threads/threads.ts';
import { checkVault, openVault, type VaultOptions } from '../vault/open-vault.ts';
import { SecretsKeeper } from '../vault/secrets-keeper.ts';
import { createJobs } from '../work/jobs.ts';
import { createOwnWork } from '../work/shared-work.ts';

export interface FolderOptions
  extends
    PlaceOptions,
    Pick<
      Config,
      'directory' | 'vault' | 'keychainPatienceMs' | 'passphrase' | 'isPortable' | 'seed' | 'workerScript'
    > {
  readonly clock: Clock;
  /** Opens the keychain of the user's session. */
  readonly keychain?: VaultOptions['keychain'];
  /** Wraps the files of all that is kept, so that they can be made to fail. */
  readonly filesOver?: (files: Files) => Files;
}

/**
 * Opens a data folder, which is made where there is none, for this process alone, or one that is in memory. What was opened
 * is closed in reverse order, also when a later part cannot be opened. Throws StartError, VaultError or StoreError, whose
 * messages are for the person who started it.
 */
export async function openFolder(options: FolderOptions): Promise<Backend> {
  const { directory, clock, seed, workerScript, say = () => {}, signal } = options;
  const stack = new AsyncDisposableStack();
  try {
    const place = await takePlace(options);
    const files = options.filesOver?.(place.files) ?? place.files;
    stack.defer(() => place.release());
    const isNew = await isUnused(directory, files);
    signal?.throwIfAborted();
    // Formats that nothing reads are refused before metadata of an earlier version are written anew.
    await checkRecords(directory, files);
    await checkVault({ kind: options.vault, directory, files });
    const journal = journalsOf(directory, files);
    const chance = await OwnChance.open(journal('chance', 1), seed);
    stack.defer(() => chance.close());
    const isGuessable = chance.warning !== null;
    const backedUp = await backUpBeforeMigration({ directory, clock, isGuessable, files, signal });
    const { memoryBytes } = options;
    const metadata = await openFolderMetadata({
      directory,
      clock,
      chance,
      files,
      ...(memoryBytes !== null && { trail: inMemory(memoryBytes) }),
    });
    stack.defer(() => metadata.close());
    // Behind the metadata, so that a folder which is refused stays as it was; of what they drew, the next start draws the same.
    await chance.begin();
    const { installation_id: installationId } = await metadata.read((tables) => tables.settings());
    const vaultOptions = {
      ...options,
      kind: options.vault,
      saidBy: options.memoryBytes === null ? `--vault ${options.vault}` : '--in-memory',
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
    const records = await openLog({ directory: join(directory, RECORDS_FOLDER), files, threads, say });
    stack.defer(() => records.close());
    const formerTrails = await FormerTrails.open(join(directory, TRAIL_FOLDER), files);
    const events = createEventBus();
    const work = createOwnWork();
    const keyUse = await OwnKeyUse.open(journal('api-key-use', 1), { warn: say });
    stack.defer(() => keyUse.close());
    const tickets = await OwnTickets.open({ lines: journal('console-sessions', 1), log: { warn: say } });
    stack.defer(() => tickets.close());
    return {
      records,
      backup: records,
      formerTrails,
      worlds: { snapshots: records.worlds, alone: (restore) => work.alone(restore), serial: new Serial() },
      metadata,
      vault,
      secrets,
      tlsKeys: vault,
      events,
      chance,
      jobs: createJobs(events, chance),
      work,
      keyUse,
      messages: null,
      tickets,
      journal,
      lines: journal,
      ownFiles: files,
      space: () => place.space(),
      freeShare: async () => freeShare(await place.space()),
      get notes() {
        return [
          ...place.notes,
          ...chance.notes,
          ...metadata.notes,
          ...backedUp,
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

/** Of memory in place of a folder, what the audit trail may take. */
const TRAIL_SHARE = 1 / 32;
/** In files of which the first can go without much of the rest. */
const TRAIL_FILES = 8;

const inMemory = (bytes: number) => ({
  mostBytes: bytes * TRAIL_SHARE,
  fullBytes: Math.min(1 << 20, (bytes * TRAIL_SHARE) / TRAIL_FILES),
});

/** Whether no service has kept anything in a data folder yet. */
async function isUnused(directory: string, files: Files): Promise<boolean> {
  const entries = await files.list(directory);
  return !entries.some(({ name }) => name.startsWith('metadata.'));
}
