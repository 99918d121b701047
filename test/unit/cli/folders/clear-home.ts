import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { appFolders, keyOfFolder } from '#core/cli/folders/app-folders.ts';
import { runService, type RunningService } from '../../../helpers/service/running-service.ts';
import { CLI_SCRIPT } from '../../../helpers/service/scripts.ts';

/* A home in which Fieldbench was used, and `fieldbench clear` in it. */

interface Answer {
  readonly code: number;
  readonly stdout: string;
  /** With what goes to stderr. */
  readonly output: string;
}

export let home: string;

/** Makes a home for each test of the file that calls it. */
export function inHome(): void {
  beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'fieldbench-clear-'))));
  afterEach(() => rm(home, { recursive: true, force: true }));
}

export function clear(directory: string, ...flags: string[]): Promise<Answer> {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), APPDATA: home };
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [CLI_SCRIPT, 'clear', '--data', directory, ...flags],
      { env },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number') resolve({ code, stdout, output: stdout + stderr });
        else reject(error ?? new Error('It did not end by itself.'));
      },
    );
  });
}

/** A data directory that was used, in the home. */
export async function used(): Promise<{ service: RunningService; directory: string }> {
  const directory = join(home, 'data of Fieldbench');
  const service = await runService({ directory, vault: 'file' }, { isAlone: true });
  const project = await service.request('POST', '/_local/v1/projects', { body: { name: 'Hall' } });
  const { id } = project.envelope.data as unknown as { id: string };
  const made = await service.request('POST', `/v2/projects/${id}/devices`, {
    body: { name: 'Pump', source: 'http' },
  });
  const { metadata } = made.envelope.data as unknown as { metadata: { device_token: string } };
  await service.request('POST', '/integrations/http', { key: metadata.device_token, body: { a: 1 } });
  return { service, directory };
}

/** A data directory that was used, and that no service has any more. */
export async function usedBefore(): Promise<string> {
  const { service, directory } = await used();
  await service.service.close();
  return directory;
}

/** Leaves a profile as the desktop app's window does. */
export async function profileOf(directory: string): Promise<string> {
  const { platform, env } = process;
  const system = { platform, env: { ...env, XDG_CONFIG_HOME: join(home, '.config'), APPDATA: home } };
  const [profile = ''] = appFolders(keyOfFolder(directory), { ...system, home: () => home });
  await mkdir(join(profile, 'Cache'), { recursive: true });
  await writeFile(join(profile, 'Cache/one'), 'x'.repeat(1000));
  // As Chromium's own lock is: a link that leads nowhere.
  await symlink('host-1234', join(profile, 'SingletonLock'));
  return profile;
}
