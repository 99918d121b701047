import type { Backend } from '../backend/backend.ts';
import type { Config } from '../base/config.ts';
import { openFolder, type FolderOptions } from '../folder/open-folder.ts';

/** Options of a backend: in the data directory, or in a database beside it. */
export type BackendOptions = FolderOptions & Pick<Config, 'store'>;

/** Opens the backend of a service. Throws StartError, VaultError or StoreError, for the person who started it. */
export async function openBackend(options: BackendOptions): Promise<Backend> {
  if (options.store === null) return openFolder(options);
  // What speaks to a database takes time to load that most starts need not.
  const { openLab } = await import('../lab/open-lab.ts');
  return openLab(options, options.store);
}
