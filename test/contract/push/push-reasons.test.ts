import { expect, test } from 'vitest';
import { dataOf } from '../world.ts';
import { device, fieldAndLab, here, lab, planned, project_id, run } from './field-and-lab.ts';

/* Whether a project asks for a reason goes to a lab like its name, and a push needs none there (docs/push.md). */

fieldAndLab();

const project = () => `/_local/v1/projects/${project_id}`;
const ask = (reason_required: boolean, of = here) => dataOf(of, 'PATCH', project(), { reason_required });

async function asks(of = lab): Promise<boolean | undefined> {
  const all = (await dataOf(of, 'GET', '/_local/v1/projects')) as unknown as readonly {
    readonly id: string;
    readonly reason_required: boolean;
  }[];
  return all.find(({ id }) => id === project_id)?.reason_required;
}

test('it goes with a new project, and later by who changed it', async () => {
  await ask(true);
  await run(await planned());
  expect(await asks()).toBe(true);

  await ask(false);
  const plan = await planned();
  expect(plan.projects).toMatchObject([
    { fields: [{ field: 'reason_required', here: 'false', there: 'true', changed: 'here', stays: 'here' }] },
  ]);
  await run(plan);
  expect(await asks()).toBe(false);

  await ask(true, lab);
  const other = await planned();
  expect(other.projects).toMatchObject([{ fields: [{ changed: 'there', stays: 'there' }] }]);
  await run(other);
  expect([await asks(), await asks(here)]).toEqual([true, false]);
});

test('what was reasoned here goes to a lab that asks, and needs no other reason', async () => {
  await ask(true);
  await run(await planned());
  const path = `${project()}/devices/${device.id}/corrections`;
  const scale = { kind: 'calibration', key: 'temperature', points: [[0, 0.4]] };
  const { id } = await dataOf(here, 'POST', path, { ...scale, reason: 'yearly' });
  await dataOf(here, 'DELETE', `${path}/${id}?reason=wrong%20probe`);
  await dataOf(here, 'PATCH', `${project()}/devices/${device.id}`, { name: 'Pump 2' });
  expect(await run(await planned())).toMatchObject({
    projects: [{ problem: null }],
    devices: [{ corrections: 2, problem: null }],
  });
  expect(await dataOf(lab, 'GET', `${path}/history`)).toMatchObject([
    { act: 'removed', reason: 'wrong probe' },
    { act: 'created', reason: 'yearly' },
  ]);
});
