import type { SecretRef } from '../../vault/vault.ts';
import type { Context, HandlersOf } from '../context.ts';
import { idsOf } from '../removal/taking.ts';

const tokenOf = (project_id: string, device_id: string): SecretRef => ({
  kind: 'device-token',
  project_id,
  device_id,
});

/** All that the vault may have a secret of, also of devices that were deleted and can be had back. */
async function everySecret({
  metadata,
  otherServices,
}: Pick<Context, 'metadata' | 'otherServices'>): Promise<readonly SecretRef[]> {
  return metadata.read(async (tables) => {
    const keys = await tables.list('api_keys');
    const devices = await tables.list('devices');
    const kept = await tables.list('kept_deletes');
    return [
      ...['ca', 'server'].map((id) => ({ kind: 'tls-key', id }) as const),
      ...otherServices.refs,
      ...keys.map(({ id }) => ({ kind: 'api-key', id }) as const),
      ...devices.map(({ project_id, id }) => tokenOf(project_id, id)),
      ...kept.flatMap(({ project_id, rows }) => idsOf(rows, 'devices').map((id) => tokenOf(project_id, id))),
    ];
  });
}

export const secretsHandlers: HandlersOf<'secrets'> = {
  'secrets.get': (_call, { secrets }) => ({ data: secrets.now() }),

  'secrets.test': async (_call, { secrets }) => ({ data: await secrets.test() }),

  async 'secrets.move'({ input: { to }, signal }, context) {
    const { secrets, jobs, default_account_id } = context;
    const start = {
      kind: 'move-secrets',
      account_id: default_account_id,
      project_id: '',
      device_id: null,
      name: to === 'file' ? 'to encrypted files' : 'to the system’s keychain',
      unit: 'secrets',
      total: null,
      stop: new AbortController(),
    } as const;
    const moved = await jobs.run(
      start,
      (progress, stopped) =>
        secrets.move(to, { refs: () => everySecret(context), progress, signal: stopped }),
      signal,
    );
    return { data: moved };
  },

  async 'secrets.rotate'(_call, { secrets }) {
    await secrets.rotate();
    return { data: { rotated: true } };
  },
};
