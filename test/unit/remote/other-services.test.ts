import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles } from '#core/disk/files.ts';
import { remoteError } from '#core/remote/failure.ts';
import { OtherServices } from '#core/remote/other-services.ts';
import { trustOf } from '#core/remote/trust.ts';
import { createMemoryVault } from '#core/vault/memory.ts';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { failed, succeeded, type Envelope } from '#shared/schema/envelope.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** A service that others wrote. */
async function strangeService(answer: (path: string) => Envelope | string) {
  const server = createServer(({ url = '' }, response) => {
    const said = answer(url);
    if (typeof said === 'string') return response.end(said);
    response.statusCode = said.status;
    return response.end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => server.close().closeAllConnections(),
  };
}

const GIVEN = { name: 'Strange', certificate: null, api_key: 'k', colour: 'blue', read_only: false } as const;

describe('what cannot be signed in at is said in words', () => {
  test.each([
    ['not an envelope', () => '<html>', 'answers, but not as a /v2 service does (status 200, no envelope)'],
    [
      'a failing one',
      () => failed('get projects', 500, 'Broken.'),
      'answers GET /v2/projects with 500: Broken.',
    ],
    ['no key of it', () => failed('get projects', 401, 'No such key.'), 'No such key.'],
  ])('%s', async (_name, answer, words) => {
    using service = await strangeService(answer);
    const services = await OtherServices.open(
      { directory, files: nodeFiles },
      {
        vault: createMemoryVault(),
        chance: systemRandom,
      },
    );
    await expect(services.create({ ...GIVEN, address: service.address })).rejects.toThrow(words);
    expect(services.list()).toEqual([]);
  });
});

test('a service that knows nothing but the document is one of /v2 alone', async () => {
  using service = await strangeService((path) =>
    path === '/v2/projects' ? succeeded('get projects', 200, '', []) : failed('unknown', 404, 'Not found.'),
  );
  const services = await OtherServices.open(
    { directory, files: nodeFiles },
    { vault: createMemoryVault(), chance: systemRandom },
  );
  const { rights } = await services.create({ ...GIVEN, address: service.address });
  expect(rights).toEqual({ kind: 'document', permissions: null, project_ids: null });
});

test('profiles outlive a start; what is damaged is set aside and said', async () => {
  using service = await strangeService(() => succeeded('get projects', 200, '', []));
  const vault = createMemoryVault();
  const services = await OtherServices.open({ directory, files: nodeFiles }, { vault, chance: systemRandom });
  await services.create({ ...GIVEN, address: service.address });
  const again = await OtherServices.open({ directory, files: nodeFiles }, { vault, chance: systemRandom });
  expect(again.list()).toEqual(services.list());
  expect(again.notes).toEqual([]);

  await writeFile(join(directory, 'other-services.json'), '{"version":1,"serv');
  const damaged = await OtherServices.open({ directory, files: nodeFiles }, { vault, chance: systemRandom });
  expect(damaged.list()).toEqual([]);
  expect(damaged.notes).toEqual([expect.stringContaining('it was set aside as')]);
  expect(await readdir(directory)).toEqual(['other-services.json.damaged']);
});

test('a key that the vault has lost is asked for again', async () => {
  using service = await strangeService(() => succeeded('get projects', 200, '', []));
  const services = await OtherServices.open(
    { directory, files: nodeFiles },
    { vault: createMemoryVault(), chance: systemRandom },
  );
  const { service: made } = await services.create({ ...GIVEN, address: service.address });
  const forgetful = await OtherServices.open(
    { directory, files: nodeFiles },
    { vault: createMemoryVault(), chance: systemRandom },
  );
  const profile = forgetful.find(made.id);
  expect(profile).not.toBeNull();
  if (profile)
    await expect(forgetful.targetOf(profile)).rejects.toThrow(
      'The vault has no API key of "Strange" any more',
    );
});

test('trust is never switched off, whatever it is of', async () => {
  const names = { dns: ['localhost'], ips: ['127.0.0.1'] };
  const authority = createAuthority(names, Date.now());
  const server = issueServer(authority, names, Date.now());
  const address = { url: 'https://localhost:1', host: 'localhost', port: 1, isPlain: false };
  for (const certificate of [null, authority.cert, server.cert])
    expect(trustOf(address, certificate)).toMatchObject({ rejectUnauthorized: true });
});

test.each([
  ['ECONNREFUSED', 'Nothing answers there'],
  ['ENOTFOUND', 'No machine of that name is known here.'],
  ['CERT_HAS_EXPIRED', 'Its certificate has expired.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Its certificate is for another name than this address.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'nothing was sent'],
  ['EWHATEVER', '(EWHATEVER)'],
])('%s is said in words', (code, words) => {
  const error = Object.assign(new Error('x'), { code });
  expect(remoteError('https://lab.example', error).message).toMatch(
    /^https:\/\/lab\.example cannot be reached\. /,
  );
  expect(remoteError('https://lab.example', error).message).toContain(words);
});
