import type { Backend } from './backend.ts';
import type { Config } from './config.ts';
import { openLab } from './lab/open-lab.ts';
import { openFolder, type FolderOptions } from './open-folder.ts';

/** What is opened: all of it in the data directory, or in a database beside it. */
export type BackendOptions = FolderOptions & Pick<Config, 'store'>;

/** Opens what a service builds on. Throws StartError, VaultError or StoreError, for the person who started it. */
export function openBackend(options: BackendOptions): Promise<Backend> {
  return options.store === null ? openFolder(options) : openLab(options, options.store);
}
