import { describe, expect, test } from 'vitest';
import { addService, profileFor } from '../../helpers/service/distant.ts';
import { openWindow } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';
import { here, lab, ca, project_id, fieldAndLab, recordsIn } from './field-and-lab.ts';

/* A push to one of Other services, which is known by its name, certificate and key (docs/push.md). */

fieldAndLab();

describe('a lab that is one of Other services', () => {
  /** Services elsewhere are known to one service. */
  const planBy = async (given: object) => {
    const window = openWindow(here.service);
    try {
      return await window.bridge.call('push.plan', { project_ids: [project_id], ...given });
    } finally {
      window.close();
    }
  };
  const add = async (changes: object = {}) => {
    const window = openWindow(here.service);
    const profile = await profileFor(lab, { secure: true, certificate: ca, ...changes });
    const id = await addService(window, profile);
    return {
      id,
      async [Symbol.asyncDispose]() {
        await window.bridge.call('other-services.remove', { service_id: id });
        window.close();
      },
    };
  };

  test('is reached by its id or name alone, with the certificate and key that are kept', async () => {
    await using known = await add({ name: 'The lab' });
    for (const service of [known.id, 'The lab']) {
      const { data, message } = await planBy({ service });
      expect([message, data?.to, data?.send]).toEqual([
        'Push planned successfully.',
        lab.service.base_url,
        3,
      ]);
    }
    const plan = (await planBy({ service: known.id })).data;
    const window = openWindow(here.service);
    const { data } = await window.bridge.call('push.run', { service: known.id, plan: plan! });
    window.close();
    expect(data).toMatchObject({ sent: 3 });
    expect(await recordsIn(lab)).toEqual(await recordsIn(here));
  });

  test('has to be one and a known one, and is not said in two ways', async () => {
    await using one = await add({ name: 'Twin' });
    await using other = await add({ name: 'Twin' });
    const refused = async (given: object) => {
      const { status, message } = await planBy(given);
      return [status, message];
    };
    expect(await refused({ service: 'Twin' })).toEqual([
      400,
      `service must name one of Other services: 2 are called "Twin"; give its id, one of ${one.id}, ${other.id}`,
    ]);
    expect(await refused({ service: 'Nobody' })).toEqual([
      400,
      'service must be the name or id of one of Other services, got "Nobody"',
    ]);
    expect(await refused({ service: one.id, key: 'fb_some' })).toEqual([
      400,
      'key must be absent where service names the lab: that has its own.',
    ]);
    expect(await refused({})).toEqual([
      400,
      'to must be the address of a Fieldbench, or service name a known one',
    ]);
    expect(await refused({ to: lab.service.base_url })).toEqual([400, 'key must be an API key of the lab']);
  });

  test('gets nothing where it is read-only from here, or its key may only read', async () => {
    await using closed = await add({ name: 'Archive', read_only: true });
    expect(await planBy({ service: closed.id })).toMatchObject({
      status: 403,
      message:
        '"Archive" is read-only: nothing is changed there from here. Edit it under Other services to push.',
    });
    const { api_key } = await dataOf(lab, 'POST', '/_local/v1/keys', { name: 'r', permissions: ['read'] });
    await using reader = await add({ api_key: String(api_key) });
    const { status, message } = await planBy({ service: reader.id });
    expect([status, message]).toEqual([403, expect.stringContaining('refuses the push')]);
  });
});
