import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createKeychainVault } from '#core/vault/keychain-vault.ts';
import { openKeychain } from '#core/vault/keychain.ts';
import { runService } from '../helpers/service/running-service.ts';
import { CLI_SCRIPT } from '../helpers/service/scripts.ts';

const clear = (directory: string, ...flags: string[]) =>
  promisify(execFile)(process.execPath, [CLI_SCRIPT, 'clear', '--data', directory, '--json', ...flags]);

test('fieldbench clear takes keys and tokens out of a real keyring', async () => {
  const home = await mkdtemp(join(tmpdir(), 'fieldbench-clear-'));
  try {
    const directory = join(home, 'data');
    const running = await runService({ directory, vault: 'keychain' }, { isAlone: true });
    const made = async (path: string, body: object) =>
      (await running.request('POST', path, { body })).envelope.data;
    const { id: project_id } = (await made('/_local/v1/projects', { name: 'Hall' })) as unknown as {
      id: string;
    };
    const device = await made(`/v2/projects/${project_id}/devices`, { name: 'Pump', source: 'http' });
    const { device_id, device_token } = (
      device as unknown as { metadata: { device_id: string; device_token: string } }
    ).metadata;
    await running.service.close();
    // Without a yes it says what would go, and ends with 1.
    const planned = await clear(directory).catch((error: unknown) => error as { stdout: string });
    const { keychain } = JSON.parse(planned.stdout) as { keychain: string };
    const open = async () => createKeychainVault(await openKeychain(), keychain.replace('Fieldbench ', ''));
    const token = { kind: 'device-token', project_id, device_id } as const;
    expect(await (await open()).get(token)).toBe(device_token);
    await clear(directory, '--yes');
    const after = await open();
    for (const ref of [token, { kind: 'tls-key', id: 'ca' }, { kind: 'tls-key', id: 'server' }] as const)
      expect(await after.get(ref)).toBeNull();
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
