import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config, StoreConfig } from '../../base/config.ts';
import { UsageError } from '../../base/errors.ts';
import type { ServeFlags } from '../flags.ts';
import { MEMORY_DIRECTORY, spareMemory } from '../../disk/memory/memory-disk.ts';
import { storePassword } from '../store-password.ts';
import { perUserFolder } from '../folders/per-user-folder.ts';
import { portableFolder } from '../folders/portable.ts';

/** ms for a keychain without a window, where nothing asks to unlock it: long enough for a slow one. */
const KEYCHAIN_PATIENCE_MS = 10_000;

/** Node runs it as it is. */
const ISOLATE_SOURCE = resolve(import.meta.dirname, '../../functions/sandbox/isolate.ts');

/**
 * Returns the configuration by flags, environment and installation. `here` is the folder of the script that runs: `out/main`
 * when built, with the renderer beside it in `out/renderer`; or this source tree, whose build lies in its `out`.
 */
export function configOf(flags: ServeFlags, here: string): Config {
  const {
    directory,
    inMemory,
    readyFile: _,
    drainMs: __,
    greeting: ___,
    store,
    storePasswordFile,
    keyFile,
    ...rest
  } = flags;
  const passphrase = process.env['FIELDBENCH_PASSPHRASE'] ?? null;
  return {
    ...rest,
    store: store === null ? null : storeConfig(store, { keyFile, storePasswordFile, passphrase }),
    directory: inMemory ? MEMORY_DIRECTORY : dataDirectory(directory),
    memoryBytes: inMemory ? spareMemory() : null,
    keychainPatienceMs: KEYCHAIN_PATIENCE_MS,
    passphrase,
    backupCost: null,
    isPortable: portableFolder() !== null,
    rendererDirectory: firstWith('index.html', [join(here, '../renderer'), join(here, '../../out/renderer')]),
    workerScript: existsSync(join(here, 'worker.js')) ? join(here, 'worker.js') : null,
    isolateScript: existsSync(join(here, 'isolate.js')) ? join(here, 'isolate.js') : ISOLATE_SOURCE,
  };
}

/** Throws UsageError where nothing opens the secrets. */
function storeConfig(
  url: string,
  {
    keyFile,
    storePasswordFile,
    passphrase,
  }: Pick<ServeFlags, 'keyFile' | 'storePasswordFile'> & Pick<Config, 'passphrase'>,
): StoreConfig {
  if (keyFile === null && passphrase === null)
    throw new UsageError(
      '--store needs what opens the secrets in the database, the same for all its services: name a file of 32 random bytes with --key-file, or set FIELDBENCH_PASSPHRASE.',
    );
  return { url, keyFile, password: storePassword(storePasswordFile) };
}

/**
 * Where the data is: as named, beside a portable program, or in the per-user folder; absolute. Throws UsageError where this
 * user has none.
 */
export function dataDirectory(named: string | null, portable: string | null = portableFolder()): string {
  if (named !== null) return resolve(named);
  return portable === null ? perUserFolder() : join(portable, 'Data');
}

const firstWith = (file: string, folders: readonly string[]) =>
  folders.find((folder) => existsSync(join(folder, file))) ?? null;
