import { hostname } from 'node:os';
import type { Backend } from '../backend/backend.ts';
import type { StoreConfig } from '../base/config.ts';
import { StartError } from '../base/errors.ts';
import { diskSpace } from '../disk/free-space.ts';
import { systemRandom } from '../base/system-random.ts';
import { holdFolder } from '../folder/hold-folder.ts';
import { journalsOf } from '../backend/journals.ts';
import { unseeded as chance } from '../backend/own-chance.ts';
import type { FolderOptions } from '../folder/open-folder.ts';
import { openDatabase } from '../store/postgres/connection/connections.ts';
import { openDatabaseMetadata } from '../store/postgres/metadata/database-metadata.ts';
import { migrate } from '../store/postgres/schema/migrate.ts';
import { openPostgresRecords } from '../store/postgres/records.ts';
import { DatabaseKeyUse } from './database-key-use.ts';
import { createDatabaseLines } from './database-lines.ts';
import { createDatabaseMessages } from './database-messages.ts';
import { createDatabaseTickets } from './database-tickets.ts';
import { createDatabaseVault } from './database-vault.ts';
import { createDatabaseWork } from './database-work.ts';
import { createLabSecrets } from './lab-secrets.ts';
import { ownTlsKeys } from './own-tls-keys.ts';
import { Heartbeat } from './heartbeat.ts';
import { requireDurable } from './server-settings.ts';
import { openSharedEvents } from './shared-events.ts';
import { createSharedJobs } from './shared-jobs.ts';
import { openVaultKey, type KeySource } from './vault-key.ts';
import { Watch } from './watch.ts';

/**
 * Opens a database that other services may have open, too, and this service's own folder beside it, which is made where
 * there is none. What was opened is closed in reverse order, also when a later part cannot be opened. Throws StartError,
 * VaultError or StoreError, whose messages are for the person who started it.
 */
export async function openLab(
  options: FolderOptions,
  { url, password, keyFile }: StoreConfig,
): Promise<Backend> {
  const { directory, clock, passphrase, say = () => {}, signal } = options;
  const log = { warn: say };
  const stack = new AsyncDisposableStack();
  try {
    const { lock, files } = await holdFolder(options);
    stack.defer(() => lock.release());
    const database = await openDatabase({ url, password });
    stack.defer(() => database.close());
    await requireDurable(database);
    const layout = await migrate(database);
    signal?.throwIfAborted();
    const source = keySource(keyFile, passphrase);
    const key = await openVaultKey(database, source);
    const vault = createDatabaseVault(database, key);
    stack.defer(() => vault.close());
    const metadata = await openDatabaseMetadata({ database, clock, chance });
    stack.defer(() => metadata.close());
    signal?.throwIfAborted();
    const records = openPostgresRecords(database, layout);
    stack.defer(() => records.close());
    const service_id = systemRandom.uuid();
    const events = await openSharedEvents({ database, service_id, log, isSpread: layout.isSpread });
    stack.defer(() => events.close());
    const self = { id: service_id, name: `${hostname()}:${directory}` };
    const heartbeat = await Heartbeat.open(database, self, log);
    stack.defer(() => heartbeat.close());
    const keyUse = new DatabaseKeyUse(database, log);
    stack.defer(() => keyUse.close());
    const watch = new Watch({ database, key, service_id, log });
    await watch.start();
    stack.defer(() => watch.close());
    return {
      records,
      backup: null,
      formerTrails: null,
      worlds: null,
      metadata,
      vault,
      secrets: createLabSecrets(vault, source),
      tlsKeys: ownTlsKeys(vault, directory),
      events,
      chance,
      jobs: createSharedJobs({ database, events, heartbeat, chance }),
      work: createDatabaseWork(database, service_id),
      keyUse,
      messages: createDatabaseMessages(database, 'alarm-messages'),
      tickets: createDatabaseTickets(database),
      // Sessions of MQTT are those of the service that has the connection.
      journal: journalsOf(directory, files),
      lines: (name, version) => createDatabaseLines(database, name, version),
      ownFiles: files,
      space: () => diskSpace(directory),
      freeShare: () => Promise.resolve(1),
      get notes() {
        const lost = lock.lost();
        return [
          ...(lost ? [lost.message] : []),
          ...(lock.note === null ? [] : [lock.note]),
          ...watch.notes,
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

function keySource(keyFile: string | null, passphrase: string | null): KeySource {
  if (keyFile !== null) return { file: keyFile };
  if (passphrase !== null) return { passphrase };
  throw new StartError(
    'bad-flag',
    'Nothing opens the secrets in the database: name a key file with --key-file, or set FIELDBENCH_PASSPHRASE.',
  );
}
