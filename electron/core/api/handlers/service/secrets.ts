import type { HandlersOf } from '../../context.ts';
import { everySecret } from '../../every-secret.ts';

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
