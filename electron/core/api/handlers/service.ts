import { formatMicros } from '#shared/time.ts';
import type { HandlersOf } from '../context.ts';
import { freeSpace } from '../../disk/free-space.ts';
import { openApiDocument } from '../openapi.ts';
import { VERSION } from '../../version.ts';

/** Made when it is asked for first: many never ask. */
let document: ReturnType<typeof openApiDocument> | undefined;

export const serviceHandlers: HandlersOf<'status' | 'openapi'> = {
  async 'status.get'({ principal }, context) {
    const { config, metadata, urls, startedAt } = context;
    const counts = await metadata.read(async (tables) => ({
      accounts: await tables.count('accounts'),
      projects: await tables.count('projects'),
      devices: await tables.count('devices'),
    }));
    return {
      data: {
        version: VERSION,
        pid: process.pid,
        started_at: formatMicros(startedAt),
        data_directory: config.directory,
        vault: config.vault,
        ...urls(),
        strict: config.strict,
        account_id: principal.account_id,
        counts,
        disk_free: await freeSpace(config.directory),
        notes: [...context.notes()],
      },
    };
  },

  'openapi.get': () => ({ data: (document ??= openApiDocument()) }),
};
