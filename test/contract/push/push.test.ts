import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataOf, RECORDS } from '../world.ts';
import {
  here,
  lab,
  project_id,
  device,
  fieldAndLab,
  addDevice,
  store,
  planned,
  reach,
  run,
  labDevice,
  recordsIn,
} from './field-and-lab.ts';

/* What this service has goes to a lab (docs/push.md): two services, and HTTPS between them. */

fieldAndLab();

describe('a push', () => {
  test('plans first, which changes nothing, and then sends exactly that', async () => {
    const plan = await planned();
    expect(plan).toMatchObject({
      send: 3,
      projects: [{ id: project_id, state: 'new' }],
      devices: [{ id: device.id, state: 'new', send: 3, present: 0 }],
    });
    expect((await lab.request('GET', labDevice())).status).toBe(404);
    expect(await run(plan)).toMatchObject({ sent: 3, devices: [{ sent: 3, problem: null }] });
    expect(await recordsIn(lab)).toEqual(await recordsIn(here));
    expect(await planned()).toMatchObject({
      send: 0,
      projects: [{ state: 'same' }],
      devices: [{ state: 'same', present: 3 }],
    });
  });

  test('brings the token along, so that the hardware stores there untouched, and is no sign of life', async () => {
    await run(await planned());
    expect((await dataOf(lab, 'GET', labDevice()))['last_seen']).toBe('0001-01-01T00:00:00Z');
    await store(lab, device.token, { temperature: 5 });
    expect(
      (await lab.request('GET', labDevice('/data?page=1&limit=1&range=all'))).headers.get('x-total-count'),
    ).toBe('4');
  });

  test('joins what both have, and doubles nothing', async () => {
    await run(await planned());
    const [first] = RECORDS;
    await store(lab, device.token, [{ timestamp: first?.timestamp, temperature: 99 }, { temperature: 1 }]);
    await store(here, device.token, [{ timestamp: '2026-03-02T20:40:00Z', temperature: 7 }]);
    const plan = await planned();
    expect(plan.devices[0]).toMatchObject({ send: 1, present: 3, conflicting: 0 });
    await run(plan);
    expect(await run(plan)).toMatchObject({ sent: 0 });
    expect(await recordsIn(lab)).toHaveLength(6);
  });

  test('names the records at whose time the lab has others, and keeps both', async () => {
    await run(await planned());
    const timestamp = '2026-03-02T21:00:00.000000Z';
    await store(lab, device.token, { timestamp, temperature: 1 });
    await store(here, device.token, { timestamp, temperature: 2 });
    const plan = await planned();
    expect(plan.devices[0]).toMatchObject({ send: 1, conflicting: 1, first_conflict: timestamp });
    await run(plan);
    const [newest, next] = (await recordsIn(lab)) as unknown as object[];
    expect([newest, next]).toEqual([
      { timestamp, temperature: 2 },
      { timestamp, temperature: 1 },
    ]);
  });

  test('leaves out what was removed in the lab, unless it is asked to send that', async () => {
    await run(await planned());
    await dataOf(
      lab,
      'DELETE',
      `/_local/v1/projects/${project_id}/devices/${device.id}/records?start=2026-03-02T20:30:00Z&end=2026-03-02T20:30:59Z`,
    );
    expect((await planned()).devices[0]).toMatchObject({ send: 0, removed: 1, removals: [{}] });
    await dataOf(lab, 'DELETE', labDevice('/data'));
    const without = await planned();
    expect(without.devices[0]).toMatchObject({ send: 0, removed: 3 });
    expect(await run(without)).toMatchObject({ sent: 0 });
    const withThem = await planned({ removed: 'send' });
    expect(withThem.devices[0]).toMatchObject({ send: 3, removed: 0 });
    expect(await run(withThem)).toMatchObject({ sent: 3 });
  });

  test('removes nothing in the lab, whatever is removed here', async () => {
    await run(await planned());
    await dataOf(here, 'DELETE', labDevice('/data'));
    await run(await planned());
    expect(await recordsIn(lab)).toHaveLength(3);
  });

  test('decides by who changed a field since both agreed, and says so where both did', async () => {
    await run(await planned());
    const at = `/_local/v1/projects/${project_id}/devices/${device.id}`;
    await dataOf(here, 'PATCH', at, { name: 'Pump 2', tags: ['here'] });
    await dataOf(lab, 'PATCH', at, { tags: ['lab'], brand: 'Acme' });
    const plan = await planned();
    expect(plan.devices[0]?.fields).toEqual([
      { field: 'name', here: '"Pump 2"', there: '"Pump"', changed: 'here', stays: 'here' },
      { field: 'tags', here: '["here"]', there: '["lab"]', changed: 'both', stays: 'there' },
      { field: 'brand', here: '"Custom"', there: '"Acme"', changed: 'there', stays: 'there' },
    ]);
    await run(plan);
    expect(await dataOf(lab, 'GET', labDevice())).toMatchObject({
      name: 'Pump 2',
      tags: ['lab'],
      brand: 'Acme',
    });
    const mine = await planned({ conflicts: 'here' });
    await run(mine);
    expect(await dataOf(lab, 'GET', labDevice())).toMatchObject({
      name: 'Pump 2',
      tags: ['here'],
      brand: 'Acme',
    });
  });

  test('offers a device of the same name, and sends into it where it is told to', async () => {
    await run(await planned());
    const theirs = await dataOf(lab, 'POST', `/v2/projects/${project_id}/devices`, {
      name: 'Valve',
      source: 'http',
    });
    const valve = await addDevice('Valve');
    await store(here, valve.token, { temperature: 1 });
    const plan = await planned();
    expect(plan.devices[1]).toMatchObject({ state: 'new', namesakes: [{ id: theirs.id, name: 'Valve' }] });
    const into = await planned({ into: { [valve.id]: theirs.id } });
    expect(into.devices[1]).toMatchObject({ state: 'different', into: theirs.id, send: 1 });
    await run(into);
    const { headers } = await lab.request(
      'GET',
      `/v2/projects/${project_id}/devices/${theirs.id}/data?page=1&limit=1&range=all`,
    );
    expect(headers.get('x-total-count')).toBe('1');
    expect((await lab.request('GET', `/v2/projects/${project_id}/devices/${valve.id}`)).status).toBe(404);
  });

  test('stops at a device that was deleted in the lab, with the reason, and goes on with others', async () => {
    await run(await planned());
    const other = await addDevice('Valve');
    await store(here, other.token, { temperature: 1 });
    await dataOf(lab, 'DELETE', `/_local/v1/projects/${project_id}/devices/${device.id}`);
    const plan = await planned();
    expect(plan.devices[0]).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('deleted in the lab on'),
    });
    expect(await run(plan)).toMatchObject({ sent: 1, devices: [{ sent: 0 }, { sent: 1, problem: null }] });
  });

  test('a key that may only read and write in one project pushes into that alone', async () => {
    await run(await planned());
    const { api_key } = await dataOf(lab, 'POST', '/_local/v1/keys', {
      name: 'push',
      permissions: ['read', 'write'],
      project_ids: [project_id],
    });
    await store(here, device.token, { temperature: 8 });
    const second = await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Roof' });
    const limited = { key: String(api_key), project_ids: [project_id, second.id] };
    const plan = await planned(limited);
    const answer = await here.bridge.call('push.run', { ...reach(), key: String(api_key), plan });
    expect(answer.data).toMatchObject({
      sent: 1,
      projects: [{ problem: null }, { problem: expect.stringContaining('API key') }],
    });
  });
});

describe('trust', () => {
  const refused = async (given: Record<string, unknown>) =>
    here.bridge.call('push.plan', { ...reach(), project_ids: [project_id], ...given });

  test('a certificate that nobody named is not trusted', async () => {
    const { message, status } = await refused({ ca: undefined });
    expect([status, message]).toEqual([
      503,
      expect.stringContaining('certificate is not one that is trusted here'),
    ]);
  });

  test('a fingerprint of a certificate in the chain is as good as the file, and any other is refused', async () => {
    const own = await readFile(join(lab.directory, 'tls', 'cert.pem'), 'utf8');
    const shown = new X509Certificate(own).fingerprint256;
    expect((await refused({ ca: undefined, fingerprint: shown })).message).toBe('Push planned successfully.');
    const other = createHash('sha256').update('other').digest('hex');
    const { status, message } = await refused({ ca: undefined, fingerprint: other });
    expect([status, message]).toEqual([400, expect.stringContaining('fingerprint must be of a certificate')]);
  });

  test('a key that the lab does not know, an address that is none, plain HTTP elsewhere and itself', async () => {
    expect((await refused({ key: 'fb_wrong' })).message).toContain('does not take this API key');
    expect((await refused({ to: 'ftp://lab' })).message).toContain('to must be the address of a service');
    expect((await refused({ to: 'http://lab.example' })).message).toContain('to must begin with https://');
    const own = { to: here.service.base_url, key: here.service.api_key };
    expect((await refused(own)).message).toContain('another Fieldbench');
    expect((await refused({ to: 'http://127.0.0.1:1' })).status).toBe(503);
  });
});
