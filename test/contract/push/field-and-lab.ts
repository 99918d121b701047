import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { PushPlan } from '#shared/operations/records/push.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf, RECORDS } from '../world.ts';

/* A service in the field and a lab, and HTTPS between them; each test finds a project with a device that has stored something. */

export let here: RunningService;
export let lab: RunningService;
export let ca: string;
export let project_id: string;
export let device: { readonly id: string; readonly token: string };

/** For all tests of the file that calls it. */
export function fieldAndLab(): void {
  beforeAll(async () => {
    here = await runService();
    lab = await runService({ tls: true });
    ca = await readFile(lab.service.ca_file ?? '', 'utf8');
  });
  afterAll(async () => {
    await here.stop();
    await lab.stop();
  });

  beforeEach(async () => {
    project_id = (await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Field' })).id;
    device = await addDevice('Pump');
    await store(here, device.token, RECORDS);
  });
}

/** Another device of the project. */
export async function addDevice(name: string) {
  const made = await dataOf(here, 'POST', `/v2/projects/${project_id}/devices`, { name, source: 'http' });
  return { id: made.id, token: (made['metadata'] as { device_token: string }).device_token };
}

/** Stores as a device or a key does. */
export async function store(service: RunningService, key: string, body: unknown): Promise<void> {
  const { status, text } = await service.request('POST', '/integrations/http', { key, body });
  if (status !== 200) throw new Error(text);
}

/** How the lab is reached. */
export const reach = () => ({ to: lab.service.base_url, key: lab.service.api_key, ca });

export async function planned(choices: Record<string, unknown> = {}): Promise<PushPlan> {
  const answer: Envelope = await here.bridge.call('push.plan', {
    ...reach(),
    project_ids: [project_id],
    ...choices,
  });
  expect(answer.message).toBe('Push planned successfully.');
  return answer.data as PushPlan;
}

export async function run(plan: PushPlan) {
  const answer = await here.bridge.call('push.run', { ...reach(), plan });
  expect(answer.message).toBe('Pushed.');
  return answer.data as NonNullable<typeof answer.data>;
}

/** The device's address in either of them. */
export const labDevice = (rest = '') => `/v2/projects/${project_id}/devices/${device.id}${rest}`;
export const recordsIn = async (service: RunningService) =>
  (await service.request('GET', labDevice('/data?page=1&limit=1000&range=all'))).envelope.data;
