import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reads } from '#shared/operations/reads.ts';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { addService, lookThrough, profileFor } from '../../helpers/service/distant.ts';
import {
  openWindow,
  runService,
  type RunningService,
  type Window,
} from '../../helpers/service/running-service.ts';
import { openRemoteWindow } from '../../helpers/service/remote-window.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* docs/remote.md: a window of one service that looks at others. */

let here: RunningService;
let lab: RunningService;
let world: World;
let window: Window;
beforeAll(async () => {
  [here, lab] = await Promise.all([runService(), runService({ tls: true })]);
  world = await createWorld(lab);
  window = openWindow(here.service);
});
afterAll(() => Promise.all([here.stop(), lab.stop()]));

describe('a service elsewhere', () => {
  test('shows who it is before anything secret is sent, and is trusted by what was shown', async () => {
    const { base_url, ca_file } = lab.service;
    const { data: seen } = await window.bridge.call('other-services.look', { address: `${base_url}/v2/` });
    expect(seen).toMatchObject({ address: base_url, is_plain: false, trusted: false });
    const authority = seen?.chain.find(({ is_authority }) => is_authority);
    expect(authority?.certificate).toBe(await readFile(ca_file ?? '', 'utf8'));
    expect(authority?.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    for (const { certificate } of seen?.chain ?? []) {
      const id = await addService(window, await profileFor(lab, { address: base_url, certificate }));
      const view = lookThrough(window, id);
      await view.until('connected');
      expect((await view.bridge.call('projects.list', {})).data).toHaveLength(2);
    }
  });

  test('is not believed where it is another one, and gets no key then', async () => {
    const impostor = await runService({ tls: true });
    try {
      const certificate = await readFile(impostor.service.ca_file ?? '', 'utf8');
      for (const trusted of [certificate, null])
        await expect(
          addService(window, await profileFor(lab, { secure: true, certificate: trusted })),
        ).rejects.toThrow('Its certificate is not one that is trusted here, so nothing was sent.');
      // The server's own certificate of another service, too.
      const { data } = await window.bridge.call('other-services.look', {
        address: impostor.service.base_url,
      });
      const own = data?.chain.find(({ is_authority }) => !is_authority)?.certificate ?? '';
      await expect(
        addService(window, await profileFor(lab, { secure: true, certificate: own })),
      ).rejects.toThrow('Its certificate is not one that is trusted here');
    } finally {
      await impostor.stop();
    }
  });

  test('is refused with a reason where it cannot be signed in at', async () => {
    const unknown = { api_key: `fb_${'0'.repeat(40)}` };
    await expect(addService(window, await profileFor(lab, unknown))).rejects.toThrow(
      'The API key is unknown or was revoked.',
    );
    await expect(
      addService(window, await profileFor(lab, { address: 'http://127.0.0.1:9' })),
    ).rejects.toThrow('http://127.0.0.1:9 cannot be reached. Nothing answers there');
    await expect(
      addService(window, await profileFor(lab, { address: 'http://lab.example' })),
    ).rejects.toThrow('address must begin with https:// for another machine than this one');
  });

  test('keeps its key in the vault, and nowhere on the disk', async () => {
    await addService(window, await profileFor(lab, { name: 'Kept' }));
    const text = await readFile(join(here.directory, 'other-services.json'), 'utf8');
    expect(text).toContain('"Kept"');
    expect(text).not.toContain(lab.service.api_key);
    const listed = await window.bridge.call('other-services.list', {});
    expect(JSON.stringify(listed)).not.toContain(lab.service.api_key);
  });

  test('can be changed and removed, of which its windows hear', async () => {
    const id = await addService(window, await profileFor(lab, { name: 'First' }));
    const view = lookThrough(window, id);
    await view.until('connected');
    await window.bridge.call('other-services.update', { service_id: id, name: 'Second', colour: 'red' });
    await expect
      .poll(() => view.told.at(-1))
      .toMatchObject({
        state: 'connected',
        service: { name: 'Second', colour: 'red' },
      });
    await window.bridge.call('other-services.remove', { service_id: id });
    expect((await view.until('unknown')).service).toBe(null);
    const again = await window.bridge.call('other-services.remove', { service_id: id });
    expect(again).toMatchObject({ status: 404, message: 'Service not found.' });
  });

  test('is not the business of who comes by a key', async () => {
    const remote = await openRemoteWindow(here.service, here.service.api_key);
    const refused = { success: false, status: 403 };
    expect(await remote.bridge.call('other-services.list', {})).toMatchObject(refused);
    expect(await remote.bridge.call('other-services.look', { address: lab.service.base_url })).toMatchObject(
      refused,
    );
    const to = { to: lab.service.base_url, key: lab.service.api_key };
    expect(await remote.bridge.call('push.plan', to)).toMatchObject(refused);
    await remote.close();
    expect((await here.request('GET', '/_local/v1/other-services')).status).toBe(404);
  });
});

describe('a window on it', () => {
  test('does and hears what its key may, as its own windows do', async () => {
    const view = lookThrough(window, await addService(window, await profileFor(lab, { secure: true })));
    const { offered, rights } = await view.until('connected');
    expect(rights).toMatchObject({ kind: 'fieldbench', permissions: [...PERMISSIONS] });
    expect(offered).toContain('devices.update');
    expect(offered.filter((id) => id.startsWith('other-services.'))).toEqual([]);
    const heard: string[] = [];
    view.bridge.subscribe('devices.changed', ({ device_id }) => heard.push(device_id));
    const { project_id } = world;
    const made = await view.bridge.call('devices.create', {
      project_id,
      name: 'Made from afar',
      source: 'http',
    });
    expect(made.status).toBe(201);
    await expect.poll(() => heard).toContain(made.data?.id);
    let text = '';
    const device = { project_id, device_id: world.device_id };
    await view.bridge.download('records.export', { ...device, format: 'ndjson' }, (bytes) => {
      text += new TextDecoder().decode(bytes);
    });
    expect(text.trim().split('\n')).toHaveLength(RECORDS.length);
    const own = await lab.request('GET', `/v2/projects/${project_id}/devices/${made.data?.id}`);
    expect(own.status).toBe(200);
  });

  test('its files are saved by the window’s own service, and pass the page by', async () => {
    const view = lookThrough(window, await addService(window, await profileFor(lab)));
    await view.until('connected');
    const input = { project_id: world.project_id, device_id: world.device_id, format: 'csv' } as const;
    const pieces: Buffer[] = [];
    await view.bridge.download('records.export', input, (bytes) => void pieces.push(Buffer.from(bytes)));
    const page = () => expect.unreachable('The page got a piece.');
    const { data } = await view.bridge.download('records.export', input, page, { into: 1 });
    const told = window.posted.find(({ type }) => type === 'file');
    const file = told?.type === 'file' ? here.service.takeFile(told.path) : null;
    window.port.post({ type: 'end-file', file: 1 });
    expect(file && (await buffer(file)).equals(Buffer.concat(pieces))).toBe(true);
    expect(data).toMatchObject({ records: RECORDS.length, from: 0 });
    await expect
      .poll(() => window.posted.findLast(({ type }) => type === 'file-over'))
      .toMatchObject({ how: 'whole' });
  });

  test('several are looked at at once, each for itself', async () => {
    const other = await runService();
    await dataOf(other, 'POST', '/_local/v1/projects', { name: 'Elsewhere' });
    const ids = await Promise.all([
      addService(window, await profileFor(lab)),
      addService(window, await profileFor(other)),
    ]);
    const views = ids.map((id) => lookThrough(window, id));
    await Promise.all(views.map((view) => view.until('connected')));
    const names = await Promise.all(
      views.map(async ({ bridge }) => (await bridge.call('projects.list', {})).data?.map(({ name }) => name)),
    );
    expect(names).toEqual([expect.arrayContaining(['Boiler room']), ['Elsewhere']]);
    expect((await window.bridge.call('projects.list', {})).data).toEqual([]);
    await other.stop();
  });

  test('read-only, nothing that changes is offered or gets through', async () => {
    const view = lookThrough(window, await addService(window, await profileFor(lab, { read_only: true })));
    const { offered } = await view.until('connected');
    expect(offered.filter((id) => !reads(id))).toEqual([]);
    expect(offered).toContain('devices.find');
    const { project_id, device_id } = world;
    const refused = {
      status: 403,
      message: '"Lab" is read-only from here: nothing is changed there.',
    };
    expect(await view.bridge.call('devices.delete', { project_id, device_id })).toMatchObject(refused);
    expect(
      await view.bridge.upload(
        'records.import',
        { project_id, device_id, format: 'ndjson' },
        new Blob(['{}']),
      ),
    ).toMatchObject(refused);
    const sample = { sample: 'timestamp,value\n2013-12-02 21:15:00,73.96\n', complete: true };
    expect((await view.bridge.call('records.inspect', sample)).status).toBe(200);
  });

  test('by a key that only reads, is answered by the document what the service keeps for others', async () => {
    const api_key = await world.issueKey(['read'], [world.project_id]);
    const view = lookThrough(window, await addService(window, await profileFor(lab, { api_key })));
    const { offered, rights } = await view.until('connected');
    expect(rights).toEqual({ kind: 'fieldbench', permissions: ['read'], project_ids: [world.project_id] });
    expect(offered).toEqual(expect.arrayContaining(['projects.find', 'devices.find', 'chart.series']));
    expect(offered.filter((id) => !reads(id))).toEqual([]);
    expect((await view.bridge.call('projects.find', {})).data).toMatchObject([{ name: 'Boiler room' }]);
    expect(await view.bridge.call('status.get', {})).toMatchObject({
      status: 403,
      message: 'The API key of "Lab" lacks the permission "admin", which "get status" needs.',
    });
  });

  test('whose key is revoked, is kept out and says why', async () => {
    const { id, api_key } = await dataOf(lab, 'POST', '/_local/v1/keys', {
      name: 'passing',
      permissions: PERMISSIONS,
    });
    const view = lookThrough(
      window,
      await addService(window, await profileFor(lab, { api_key: String(api_key) })),
    );
    await view.until('connected');
    await lab.request('DELETE', `/_local/v1/keys/${id}`);
    expect((await view.until('kept-out')).problem).toBe('The API key is unknown or was revoked.');
    expect((await view.bridge.call('projects.list', {})).status).toBe(503);
  });

  test('that is lost says so, and comes back by itself', async () => {
    const first = await runService({}, { isAlone: true }); // Its address stays the same.
    const port = Number(new URL(first.service.base_url).port);
    const api_key = first.service.api_key;
    const view = lookThrough(window, await addService(window, await profileFor(first)));
    await view.until('connected');
    await first.service.close();
    expect((await view.until('lost')).problem).toMatch(/cannot be reached|was lost/);
    const refused = await view.bridge.call('projects.list', {});
    expect(refused.status).toBe(503);
    const second = await runService({ port, directory: first.directory, vault: 'memory' }, { isAlone: true });
    // A memory vault makes another key at each start: the profile gets the new one.
    if (second.service.api_key !== api_key)
      await window.bridge.call('other-services.update', {
        service_id: view.told.at(-1)?.service?.id ?? '',
        api_key: second.service.api_key,
      });
    await view.until('connected');
    expect((await view.bridge.call('projects.list', {})).status).toBe(200);
    await second.stop();
  });

  test('of no profile is unknown', async () => {
    const { problem } = await lookThrough(window, 'nowhere').until('unknown');
    expect(problem).toContain('no other service of that address');
  });
});
