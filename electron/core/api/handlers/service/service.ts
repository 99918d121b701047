import { formatMicros } from '#shared/values/time.ts';
import type { Tables } from '../../../store/metadata/metadata.ts';
import { administers } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';
import { openApiDocument } from '../../openapi.ts';
import { networkHosts } from '../../../tls/names.ts';
import { VERSION } from '../../../base/version.ts';

/** Made when it is asked for first: many never ask. */
let document: ReturnType<typeof openApiDocument> | undefined;

export const serviceHandlers: HandlersOf<'status' | 'openapi'> = {
  async 'status.get'({ principal }, context) {
    const { config, metadata, urls, startedAt } = context;
    const { account_id } = principal;
    const seesAll = administers(principal, context);
    const counts = await metadata.read((tables) =>
      seesAll ? countAll(tables) : countOf(account_id, tables),
    );
    const { ca_file, ...doors } = urls();
    const mqtt = seesAll ? context.mqtt() : null;
    return {
      data: {
        version: VERSION,
        pid: process.pid,
        started_at: formatMicros(startedAt),
        data_directory: seesAll && config.memoryBytes === null ? config.directory : null,
        in_memory: config.memoryBytes !== null,
        vault: context.vault.kind,
        vault_reason: seesAll ? context.secrets.about.reason : null,
        vault_warning: context.secrets.about.warning,
        ...doors,
        mqtt_websocket_urls: [...doors.mqtt_websocket_urls],
        network_hosts: networkHosts(context.doors().host),
        mqtt_connections: mqtt?.connections ?? null,
        mqtt_refused: mqtt?.refused ?? null,
        ca_file: seesAll ? ca_file : null,
        ca_certificate: context.caCertificate(),
        strict: config.strict,
        account_id,
        counts,
        disk_free: (await context.space()).free,
        // They name devices and files of whichever account.
        notes: seesAll ? [...context.notes()] : [],
      },
    };
  },

  'openapi.get': () => ({ data: (document ??= openApiDocument()) }),
};

const countAll = async (tables: Tables) => ({
  accounts: await tables.count('accounts'),
  projects: await tables.count('projects'),
  devices: await tables.count('devices'),
});

async function countOf(account_id: string, tables: Tables) {
  const projects = await tables.list('projects', { account_id });
  let devices = 0;
  for (const { id } of projects) devices += await tables.count('devices', { project_id: id });
  return { accounts: 1, projects: projects.length, devices };
}
