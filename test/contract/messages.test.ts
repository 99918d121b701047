import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Backend } from '#core/backend/backend.ts';
import { diskError } from '#core/disk/errors.ts';
import { ThreadError, VaultError } from '#core/base/errors.ts';
import { openFolder } from '#core/folder/open-folder.ts';
import { openKeychain, type Keytar } from '#core/vault/keychain.ts';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { runService, type HttpAnswer, type RunningService } from '../helpers/service/running-service.ts';
import { createWorld } from './world.ts';

/* A 500 says what happened and where the log has more, and nothing of the machine (docs/api.md, "Statuses"). */

const PATH = '/home/somebody/data/x.seg';
const WORDS = `ENOENT: no such file or directory, open '${PATH}'`;
const systemError = () => Object.assign(new Error(WORDS), { code: 'ENOENT' });

/** A part of the backend whose calls of these names reject. */
function failing<T extends object>(part: T, names: readonly (keyof T)[], error: () => unknown): T {
  return new Proxy(part, {
    get(target, name) {
      if (names.includes(name as keyof T) && armed) return () => Promise.reject(error());
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The world is made before anything fails. */
let armed = false;

async function withFailing(
  breakIt: (backend: Backend) => Partial<Backend>,
  ask: (service: RunningService, device: string, token: string) => Promise<HttpAnswer>,
): Promise<{ readonly answer: HttpAnswer; readonly logged: string }> {
  armed = false;
  const service = await runService(
    {},
    {
      async open(options) {
        const backend = await openFolder(options);
        return { ...backend, ...breakIt(backend), notes: backend.notes };
      },
    },
  );
  try {
    const { project_id, device_id, device_token } = await createWorld(service);
    armed = true;
    const answer = await ask(service, `/v2/projects/${project_id}/devices/${device_id}`, device_token);
    return { answer, logged: service.logged.join('') };
  } finally {
    armed = false;
    await service.stop();
  }
}

function expectDiscreet({
  answer,
  logged,
}: {
  readonly answer: HttpAnswer;
  readonly logged: string;
}): string {
  const { message } = answer.envelope;
  expect(answer.status).toBe(500);
  const id = /\(error ([0-9a-f-]{36})\)$/.exec(message)?.[1] ?? '';
  expect(id).not.toBe('');
  expect(logged).toContain(id);
  // No path, no words of Node, no stack, on any line of the answer.
  expect(answer.text).not.toMatch(/\/[a-z]|no such file|Error:|at [\w.]+ \(/i);
  return message;
}

const store = (service: RunningService, token: string) =>
  service.request('POST', '/integrations/http', { key: token, body: { a: 1 } });

describe('a message of a 500 has no path and no words of a library', () => {
  test('where storing fails', async () => {
    const failed = await withFailing(
      ({ records }) => ({
        records: failing(records, ['append'], () => diskError(systemError(), 'storing records')),
      }),
      (service, _device, token) => store(service, token),
    );
    expect(expectDiscreet(failed)).toContain('The disk failed: storing records failed (ENOENT).');
    expect(failed.logged).toContain(WORDS);
  });

  test('where a thread ends', async () => {
    const failed = await withFailing(
      ({ records }) => ({
        records: failing(
          records,
          ['append'],
          () => new ThreadError('ended', 'It ended.', { cause: systemError() }),
        ),
      }),
      (service, _device, token) => store(service, token),
    );
    expect(expectDiscreet(failed)).toContain('It ended.');
  });

  test.each([
    ['refuses', WORDS, 'The OS keychain refused; the log has its reason.'],
    ['is not there', `D-Bus: ${WORDS}`, 'The OS keychain does not answer any more'],
    ['is locked', `locked: ${WORDS}`, 'The OS keychain is locked'],
  ])('where the keychain %s', async (_what, words, said) => {
    let broken = false;
    const reply = <T>(value: T) => (broken ? Promise.reject(new Error(words)) : Promise.resolve(value));
    const keytar: Keytar = {
      getPassword: () => reply('here'),
      setPassword: () => reply(undefined),
      deletePassword: () => reply(true),
    };
    const keychain = await openKeychain({ load: () => Promise.resolve(keytar) });
    broken = true;
    const error: unknown = await keychain.get('a', 'b').catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(VaultError);
    const failed = await withFailing(
      ({ vault }) => ({ vault: failing(vault, ['get'], () => error) }),
      (service, device) => service.request('GET', device),
    );
    expect(expectDiscreet(failed)).toContain(said);
  });

  test('where a bug is met', async () => {
    const failed = await withFailing(
      ({ vault }) => ({ vault: failing(vault, ['get'], systemError) }),
      (service, device) => service.request('GET', device),
    );
    expect(expectDiscreet(failed)).toContain('The service failed; its log has more');
  });

  // Of files.
  test.runIf(inFolder)('where files of a device are gone from under the service', async () => {
    const first = await runService();
    const { project_id, device_id, device_token } = await createWorld(first);
    const rows = Array.from({ length: 5000 }, (_, n) =>
      JSON.stringify({ timestamp: 1_700_000_000_000 + n, a: n }),
    );
    const imported = await first.request(
      'POST',
      `/_local/v1/projects/${project_id}/devices/${device_id}/records`,
      {
        raw: { type: 'application/x-ndjson', bytes: rows.join('\n') },
      },
    );
    expect(imported.status).toBe(200);
    await first.service.close();
    const second = await runService({ directory: first.directory });
    try {
      await rm(join(second.directory, 'data', device_id), { recursive: true });
      const device = `/v2/projects/${project_id}/devices/${device_id}`;
      const answer = await second.request('GET', `${device}/data?page=1&limit=10&range=all`);
      expect(expectDiscreet({ answer, logged: second.logged.join('') })).toMatch(/disk|damaged/i);
      expect((await store(second, device_token)).text).not.toContain(second.directory);
    } finally {
      await second.stop();
    }
  });
});
