import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CorrectionVersion, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { planLines } from '#core/cli/ask/push-lines.ts';
import { noteOf } from '../../../renderer/views/push/plan-words.ts';
import { dataOf } from '../world.ts';
import {
  addDevice,
  device,
  fieldAndLab,
  here,
  lab,
  planned,
  project_id,
  reach,
  run,
  store,
} from './field-and-lab.ts';

/* Corrections go to a lab with all of their versions (docs/push.md). */

fieldAndLab();

const path = (of = device.id) => `/_local/v1/projects/${project_id}/devices/${of}/corrections`;
const SCALE = {
  kind: 'calibration',
  key: 'temperature',
  points: [[0, 0.4]],
  reason: 'yearly',
  by: 'K. Meyer',
};
const CLOCK = {
  kind: 'time',
  from: '2026-03-02T20:00:00Z',
  to: '2026-03-02T21:00:00Z',
  at: [
    ['2026-03-02T20:00:00Z', '2026-03-02T20:00:00Z'],
    ['2026-03-02T21:00:00Z', '2026-03-02T21:00:04Z'],
  ],
};

const create = async (body: object, of = here, id = device.id) =>
  (await dataOf(of, 'POST', path(id), body)).id;
const change = (id: string, reason: string, of = here) => dataOf(of, 'PATCH', `${path()}/${id}`, { reason });
const remove = (id: string, of = here) => dataOf(of, 'DELETE', `${path()}/${id}`);

/** What is said of a device, without by whom. */
async function saidIn(service: RunningService, id = device.id): Promise<unknown> {
  const list = (await dataOf(service, 'GET', path(id))) as unknown as readonly ShownCorrection[];
  const history = (await dataOf(
    service,
    'GET',
    `${path(id)}/history`,
  )) as unknown as readonly CorrectionVersion[];
  return { list: list.map(withoutBy), history: history.map(withoutBy) };
}
const withoutBy = <Row extends { readonly by: string }>(row: Row) => ({ ...row, by: null });

const pushed = async () => run(await planned());

describe('a push', () => {
  test('brings corrections with all of their versions, removals too, and sends them once', async () => {
    const [scale, , gone] = [await create(SCALE), await create(CLOCK), await create({ ...SCALE, key: 'b' })];
    await change(scale, 'by certificate');
    await remove(gone);
    const plan = await planned();
    expect(plan.devices).toMatchObject([{ state: 'new', corrections: 5, corrections_conflicting: 0 }]);
    expect(await run(plan)).toMatchObject({ devices: [{ corrections: 5, problem: null }] });
    expect(await saidIn(lab)).toEqual(await saidIn(here));
    const [first] = (await dataOf(lab, 'GET', path())) as unknown as readonly ShownCorrection[];
    expect(first?.by).toMatch(/^.+ \(.+\)$/);

    const again = await planned();
    expect(again.devices).toMatchObject([{ state: 'same', corrections: 0 }]);
    await change(scale, 'once more');
    await remove(scale);
    const further = await planned();
    expect(further.devices).toMatchObject([{ state: 'different', send: 0, corrections: 2 }]);
    expect(await run(further)).toMatchObject({ devices: [{ corrections: 2, problem: null }] });
    expect(await run(further)).toMatchObject({ devices: [{ corrections: 0, problem: null }] });
    expect(await saidIn(lab)).toEqual(await saidIn(here));
  });

  test('leaves what was corrected further in the lab, and what both sides changed', async () => {
    const [ahead, apart] = [await create(SCALE), await create(CLOCK)];
    await pushed();
    await change(ahead, 'in the lab', lab);
    expect((await planned()).devices).toMatchObject([{ state: 'same', corrections: 0 }]);
    await change(apart, 'in the lab', lab);
    await change(apart, 'in the field');
    const added = await create({ ...SCALE, key: 'c' });
    const plan = await planned();
    expect(plan.devices).toMatchObject([{ state: 'different', corrections: 1, corrections_conflicting: 1 }]);
    const before = (await dataOf(lab, 'GET', path())) as unknown as readonly ShownCorrection[];
    await run(plan);
    const after = (await dataOf(lab, 'GET', path())) as unknown as readonly ShownCorrection[];
    expect(after.slice(0, 2)).toEqual(before);
    expect(after[2]).toMatchObject({ id: added });
    expect((await planned()).devices).toMatchObject([{ corrections: 0, corrections_conflicting: 1 }]);
  });

  test('names a device that goes before by its id in the lab', async () => {
    const old = await addDevice('Old');
    await pushed();
    const other = await dataOf(lab, 'POST', `/v2/projects/${project_id}/devices`, {
      name: 'Old',
      source: 'http',
    });
    await create({ kind: 'replaced', device_id: old.id, until: '2026-03-02T20:00:00Z' });
    await run(await planned({ into: { [old.id]: other.id } }));
    expect(await dataOf(lab, 'GET', path())).toMatchObject([{ device_id: other.id }]);
  });

  test('leaves out what the lab cannot have beside its own, says why, and sends all else', async () => {
    await pushed();
    const dew = { kind: 'derived', key: 'dew', of: 'temperature - 2' };
    await create(dew, lab);
    await create({ ...dew, of: 'temperature - 3' });
    await store(here, device.token, [{ timestamp: '2026-03-02T22:00:00Z', temperature: 1 }]);
    const plan = await planned();
    const problem =
      'Its corrections stay as they are in the lab: key must be of no other derived key, and "dew" is one already';
    expect(plan.devices).toMatchObject([{ state: 'different', send: 1, corrections: 0, problem }]);
    expect(planLines(plan).join('\n')).toContain(problem);
    expect(noteOf(plan.devices[0]!, null)).toBe(problem);
    expect(await run(plan)).toMatchObject({ devices: [{ sent: 1, corrections: 0, problem }] });
    expect(await dataOf(lab, 'GET', path())).toMatchObject([{ of: 'temperature - 2' }]);
    // All of it goes once the lab has taken its own away.
    await remove(((await dataOf(lab, 'GET', path())) as unknown as readonly ShownCorrection[])[0]!.id, lab);
    expect(await pushed()).toMatchObject({ devices: [{ sent: 0, corrections: 1, problem: null }] });
  });

  test('sends first what is judged together, however much there is beside it', async () => {
    const points = Array.from({ length: 64 }, (_, n) => [n + 0.123456789, n + 0.123456789012]);
    const made = (correction_id: string, be: object) => ({
      device_id: device.id,
      correction_id,
      was: null,
      be,
    });
    const make = (all: readonly object[]) =>
      dataOf(here, 'POST', `/_local/v1/projects/${project_id}/edits`, { corrections: all });
    // The first and the last in any order of ids.
    const keys = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'] as const;
    const dew = { kind: 'derived', of: 'temperature * 2' };
    await make([made(keys[0], { ...dew, key: 'a' }), made(keys[1], { ...dew, key: 'b' })]);
    await pushed();
    for (const hundreds of ['k', 'l'])
      await make(
        Array.from({ length: 200 }, (_, n) =>
          made(randomUUID(), { ...SCALE, key: `${hundreds}${n}`, points }),
        ),
      );
    // The keys change their names with one another: neither order of two requests would do.
    const rename = (id: string, key: string) => dataOf(here, 'PATCH', `${path()}/${id}`, { key });
    await rename(keys[0], 'c');
    await rename(keys[1], 'a');
    await rename(keys[0], 'b');
    expect(await pushed()).toMatchObject({ devices: [{ corrections: 403, problem: null }] });
    const there = (await dataOf(lab, 'GET', path())) as unknown as readonly ShownCorrection[];
    expect(there.filter(({ kind }) => kind === 'derived')).toMatchObject([{ key: 'b' }, { key: 'a' }]);
    expect(there).toHaveLength(402);
  });

  test('keeps the order of those that were made at one time: the newest holds in the lab, too', async () => {
    const corrections = Array.from({ length: 12 }, (_, n) => ({
      device_id: device.id,
      correction_id: randomUUID(),
      was: null,
      be: { ...SCALE, points: [[0, n]] },
    }));
    await dataOf(here, 'POST', `/_local/v1/projects/${project_id}/edits`, { corrections });
    expect(await pushed()).toMatchObject({ devices: [{ corrections: 12, problem: null }] });
    const corrected = (of: RunningService) =>
      of.request('GET', `/_local/v1/projects/${project_id}/devices/${device.id}/records?view=corrected`);
    expect((await corrected(lab)).text).toBe((await corrected(here)).text);
    expect(await saidIn(lab)).toEqual(await saidIn(here));
  });

  test('takes a correction away only by a key that may', async () => {
    const id = await create(SCALE);
    await pushed();
    await remove(id);
    const { api_key: key } = await dataOf(lab, 'POST', '/_local/v1/keys', {
      name: 'no delete',
      permissions: ['read', 'write', 'admin'],
    });
    const plan = await planned();
    const answer = await here.bridge.call('push.run', { ...reach(), key: key as string, plan });
    expect(answer.data).toMatchObject({
      devices: [{ problem: expect.stringContaining('"delete"') as string }],
    });
    expect(await dataOf(lab, 'GET', path())).toHaveLength(1);
    await run(plan);
    expect(await dataOf(lab, 'GET', path())).toHaveLength(0);
  });
});
