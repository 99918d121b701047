import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { openWindow } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS } from '../world.ts';
import {
  ask,
  names,
  restart,
  restore,
  save,
  service,
  SNAPSHOTS,
  world,
  worldOfSnapshots,
} from './world-of-snapshots.ts';
import { worldText } from './world-text.ts';

/* docs/rigs.md, "Snapshots". */

worldOfSnapshots();

const local = () => `/_local/v1/projects/${world.project_id}`;
const store = (token: string, body: unknown = RECORDS) => ask('POST', '/integrations/http', body, token);

test.skipIf(!inDatabase)('a lab refuses snapshots, and says so', async () => {
  for (const { status, envelope } of [await save('a'), await ask('GET', SNAPSHOTS), await restore('a')])
    expect([status, envelope.message]).toEqual([400, expect.stringContaining('database')]);
});

test.skipIf(inDatabase)(
  'a restore after a delete makes two changes, and tells of its begin and its end',
  async () => {
    await save('before');
    await dataOf(service, 'DELETE', local());
    const changes = async () => {
      const journal = await readFile(join(service.directory, 'metadata.journal'), 'utf8');
      return journal.split('\n').length;
    };
    const before = await changes();
    expect((await restore('before')).status).toBe(200);
    expect(await changes()).toBe(before + 4);
    expect((await store(world.device_token)).status).toBe(200);
  },
);

test.skipIf(inDatabase)('a world is as it was, whatever became of it', async () => {
  const key = await dataOf(service, 'POST', '/_local/v1/keys', { name: 'kept', permissions: ['read'] });
  const before = await worldText(service);
  const saved = await save('before');
  expect(saved.envelope.data).toEqual({
    name: 'before',
    created_at: expect.stringMatching(/Z$/) as string,
    projects: 2,
    devices: 1,
    records: 3,
  });

  expect((await store(world.device_token, { temperature: 99 })).status).toBe(200);
  await dataOf(service, 'DELETE', `${local()}/devices/${world.device_id}/records`);
  const renewed = await dataOf(service, 'POST', `${local()}/devices/${world.device_id}/token`);
  await dataOf(service, 'PUT', `/v2/projects/${world.project_id}/devices/${world.device_id}`, {
    name: 'Renamed',
  }).catch(() => null);
  await dataOf(service, 'DELETE', `/_local/v1/undo/${world.undo_id}`);
  await dataOf(service, 'DELETE', `/_local/v1/keys/${key['id']}`);
  const added = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
    name: 'Added',
    source: 'http',
  });
  const { device_token: newcomer } = added['metadata'] as { device_token: string };
  expect((await store(newcomer)).status).toBe(200);
  await createWorld(service);

  const answer = await restore('before');
  expect([answer.status, answer.envelope.data]).toEqual([200, saved.envelope.data]);
  expect(await worldText(service)).toBe(before);
  expect((await store(newcomer)).status).toBe(401);
  expect((await store((renewed['device_token'] ?? '') as string)).status).toBe(401);
  expect((await ask('GET', '/v2/projects', undefined, key['api_key'] as string)).status).toBe(200);
  await restart();
  expect(await worldText(service)).toBe(before);
  expect((await store(world.device_token)).status).toBe(200);
});

test.skipIf(inDatabase)(
  'a project that was deleted for good comes back with its tokens and records',
  async () => {
    const before = await worldText(service);
    await save('before');
    await dataOf(service, 'PUT', '/_local/v1/settings', { keep_days: 1 }).catch(() => null);
    await dataOf(service, 'POST', '/_local/v1/reset', { to: 'empty' });
    await restart();
    expect((await restore('before')).status).toBe(200);
    expect(await worldText(service)).toBe(before);
    expect((await store(world.device_token, { temperature: 1 })).status).toBe(200);
    await restart();
    const records = `/v2/projects/${world.project_id}/devices/${world.device_id}/data?page=1&limit=10&range=all`;
    expect((await ask('GET', records)).headers.get('x-total-count')).toBe('4');
  },
);

test.skipIf(inDatabase)(
  'a snapshot is restored again and again, also when what was restored has gone on',
  async () => {
    await save('one');
    const before = await worldText(service);
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 3; n++) expect((await store(world.device_token, { n, round })).status).toBe(200);
      if (round === 1) await save('two');
      expect((await restore('one')).status).toBe(200);
      expect(await worldText(service)).toBe(before);
    }
    expect(await names()).toEqual(['baseline', 'one', 'two']);
    expect((await restore('two')).status).toBe(200);
    expect(await worldText(service)).not.toBe(before);
    expect((await ask('DELETE', `${SNAPSHOTS}/one`)).status).toBe(200);
    expect(await names()).toEqual(['baseline', 'two']);
    await restart();
    expect(await names()).toEqual(['baseline', 'two']);
  },
);

test.skipIf(inDatabase)('windows hear of notes and corrections that come back, or go', async () => {
  await save('before');
  const device = `${local()}/devices/${world.device_id}`;
  await dataOf(service, 'DELETE', `${device}/notes/${world.note_id}`);
  await dataOf(service, 'DELETE', `${device}/corrections/${world.correction_id}`);
  const window = openWindow(service.service);
  const heard = new Set<string>();
  for (const topic of ['notes.changed', 'corrections.changed'] as const)
    window.bridge.subscribe(topic, ({ device_id }) => heard.add(`${topic} ${device_id}`));
  await restore('before');
  const { device_id } = world;
  await expect
    .poll(() => heard)
    .toEqual(new Set([`notes.changed ${device_id}`, `corrections.changed ${device_id}`]));
  window.close();
});

test.skipIf(inDatabase)('what was restored stays when its snapshot goes', async () => {
  await save('before');
  const before = await worldText(service);
  await store(world.device_token, { temperature: 99 });
  await restore('before');
  expect((await ask('DELETE', `${SNAPSHOTS}/before`)).status).toBe(200);
  expect(await worldText(service)).toBe(before);
  await restart();
  expect(await worldText(service)).toBe(before);
});

test.skipIf(inDatabase)('the key that asks outlives a restore, and others made since do not', async () => {
  await save('before');
  const [asking, other] = [
    await dataOf(service, 'POST', '/_local/v1/keys', { name: 'asks', permissions: ['admin', 'read'] }),
    await dataOf(service, 'POST', '/_local/v1/keys', { name: 'other', permissions: ['read'] }),
  ];
  expect((await restore('before', asking['api_key'] as string)).status).toBe(200);
  const status = async (key: unknown) => (await ask('GET', '/v2/projects', undefined, key as string)).status;
  expect([await status(asking['api_key']), await status(other['api_key'])]).toEqual([200, 401]);
});

test.skipIf(inDatabase)(
  'an undo comes back with the time that it has by the clock of the service',
  async () => {
    await save('before');
    const before = await worldText(service);
    await dataOf(service, 'POST', `/_local/v1/undo/${world.undo_id}`);
    expect((await restore('before')).status).toBe(200);
    expect(await worldText(service)).toBe(before);
    await dataOf(service, 'POST', `/_local/v1/undo/${world.undo_id}`);
    await restore('before');
    await dataOf(service, 'POST', '/_local/v1/clock/advance', { ms: 40 * 86_400_000 });
    await expect.poll(async () => (await ask('GET', '/_local/v1/undo')).envelope.data).toEqual([]);
  },
);

test.skipIf(inDatabase)('a new world begins as a snapshot is, with ids and tokens of its own', async () => {
  const before = await worldText(service);
  const makeFrom = (from: unknown, key?: string) =>
    ask('POST', '/_local/v1/accounts', { name: 'Copy', from }, key);
  const { api_key } = (await makeFrom('baseline')).envelope.data as unknown as { readonly api_key: string };
  const copy = await worldText(service, api_key);
  const named = (text: string) => text.match(/"(?:name|text|title|temperature|address)": .*/g)?.toSorted();
  const ofWorld = (text: string) => named(text.replace(/"\/_local\/v1\/keys",[^]*?"functions"/, ''));
  const withoutUndo = (text: string) => text.replace(/"\/_local\/v1\/undo",[^]*?"\/_local\/v1\/views"/, '');
  expect(ofWorld(withoutUndo(copy))).toEqual(ofWorld(withoutUndo(before)));
  for (const id of [
    world.project_id,
    world.device_id,
    world.device_token,
    world.note_id,
    world.correction_id,
  ])
    expect(copy).not.toContain(id);
  const [, token = ''] = /"device_token": "(\w+)"/.exec(copy) ?? [];
  expect((await store(token, { temperature: 5 })).status).toBe(200);
  expect(await worldText(service)).toBe(before);
  const grown = await worldText(service, api_key);
  expect(grown).toContain('"temperature": 5');

  expect((await ask('DELETE', `${SNAPSHOTS}/baseline`)).status).toBe(200);
  await restart();
  expect(await worldText(service, api_key)).toBe(grown);
  expect(await worldText(service)).toBe(before);

  const accounts = (await ask('GET', '/_local/v1/accounts')).text;
  for (const [from, key, status, message] of [
    ['none', undefined, 400, 'from must be the name of a snapshot'],
    [7, undefined, 400, 'from must be the name of a snapshot'],
    ['baseline', api_key, 403, 'default account'],
  ] as const) {
    const refused = await makeFrom(from, key);
    expect([refused.status, refused.envelope.message]).toEqual([status, expect.stringContaining(message)]);
  }
  expect((await ask('GET', '/_local/v1/accounts')).text).toBe(accounts);
});

test.skipIf(inDatabase).each([
  [{}, 'name is required'],
  [{ name: '' }, 'name must be text of 1 to 100 characters'],
  [{ name: 'x'.repeat(101) }, 'name must be text of 1 to 100 characters'],
  [{ name: 7 }, 'name must be text of 1 to 100 characters'],
  [{ name: 'a/b' }, 'name must have no "/"'],
  [{ name: '..' }, 'name must have no "/"'],
  [{ name: 'baseline' }, 'name must be a new one'],
])('the name of a snapshot: %j', async (body, message) => {
  const { status, envelope } = await ask('POST', SNAPSHOTS, body);
  expect(status).toBe(400);
  expect(envelope.message).toContain(message);
  expect(await names()).toEqual(['baseline']);
});

test.skipIf(inDatabase)(
  'a snapshot under writers has of each device what was acknowledged by then, in order',
  async () => {
    const over = new AbortController();
    const acknowledged: number[] = [];
    const write = async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        expect((await store(world.device_token, { n })).status).toBe(200);
        acknowledged.push(n);
      }
    };
    const writing = write();
    const counts: (readonly [least: number, name: string, most: number])[] = [];
    for (let i = 0; i < 5; i++) {
      await expect.poll(() => acknowledged.length).toBeGreaterThan(i * 5);
      const least = acknowledged.length;
      expect((await save(`s${i}`)).status).toBe(200);
      counts.push([least, `s${i}`, acknowledged.length + 1]);
    }
    over.abort();
    await writing;
    const data = `/v2/projects/${world.project_id}/devices/${world.device_id}/data?page=1&limit=10000&range=all`;
    for (const [least, name, most] of counts.toReversed()) {
      await restore(name);
      const rows = (await ask('GET', data)).envelope.data as unknown as { readonly n?: number }[];
      const found = rows.flatMap(({ n }) => n ?? []).toSorted((a, b) => a - b);
      expect(found).toEqual(Array.from({ length: found.length }, (_, n) => n));
      expect(found.length).toBeGreaterThanOrEqual(least);
      expect(found.length).toBeLessThanOrEqual(most);
    }
  },
);

test.skipIf(inDatabase)(
  'an export that is under way ends with what it began with, and an import with an error',
  async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `${JSON.stringify({ timestamp: i * 1000, i })}\n`);
    const path = `${local()}/devices/${world.device_id}/records?format=ndjson`;
    const raw = { type: 'application/x-ndjson', bytes: lines.join('') };
    expect((await service.request('POST', path, { raw })).status).toBe(200);
    const exporting = service.request('GET', path);
    await restore('baseline');
    const { status, text } = await exporting;
    expect(status).toBe(200);
    expect([3, 20_003]).toContain(text.trim().split('\n').length);
    const importing = service.request('POST', path, { raw });
    await restore('baseline');
    expect([200, 500, 503]).toContain((await importing).status);
    const data = `/v2/projects/${world.project_id}/devices/${world.device_id}/data?page=1&limit=10&range=all`;
    expect(['3', '20003']).toContain((await ask('GET', data)).headers.get('x-total-count'));
  },
);
