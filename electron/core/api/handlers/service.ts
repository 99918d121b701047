import { formatMicros } from '#shared/time.ts';
import type { Handlers } from '../context.ts';
import { freeSpace } from '../../disk/free-space.ts';
import { openApiDocument } from '../openapi.ts';
import { VERSION } from '../../version.ts';

/** Made when it is asked for first: many never ask. */
let document: ReturnType<typeof openApiDocument> | undefined;

export const serviceHandlers: Handlers<'status' | 'openapi'> = {
  async 'status.get'({ principal }, context) {
    const { config, metadata, urls, startedAt } = context;
    const { accounts, projects, devices } = metadata.state;
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
        counts: {
          accounts: Object.keys(accounts).length,
          projects: Object.keys(projects).length,
          devices: Object.keys(devices).length,
        },
        disk_free: await freeSpace(config.directory),
        notes: [
          ...context.notes,
          ...metadata.notes,
          ...context.records.recovery.map(({ message }) => message),
        ],
      },
    };
  },

  'openapi.get': () => ({ data: (document ??= openApiDocument()) }),
};
