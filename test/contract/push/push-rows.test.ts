import { describe, expect, test } from 'vitest';
import type { PushPlan } from '#shared/operations/records/push.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { planLines } from '#core/cli/ask/push-lines.ts';
import { noteOf, projectWords } from '../../../renderer/views/push/plan-words.ts';
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
} from './field-and-lab.ts';

/* Functions, settings of keys, notes and widgets go to a lab, each as one (docs/push.md, "Who decides"). */

fieldAndLab();

type Rows = readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];

const project = (id = project_id) => `/_local/v1/projects/${id}`;
const notes = (of = device.id) => `${project()}/devices/${of}/notes`;
const make = (path: string, body: object, of = here) => dataOf(of, 'POST', path, body);
const list = async (path: string, of: RunningService) => (await dataOf(of, 'GET', path)) as unknown as Rows;

const DECODER = {
  name: 'By the maker',
  type: 'decoder',
  enabled: true,
  script: 'function decodeUplink(input) { return { data: { n: input.bytes.length } }; }',
  condition: { payload: 'bytes' },
};
const rule = (fields: object = {}) => ({
  name: 'Too hot',
  type: 'rule',
  enabled: true,
  condition: { when: { key: 'temperature', above: 900 }, acts: [{ do: 'notify' }] },
  ...fields,
});
const chart = (device_id = device.id) => ({
  title: 'Supply',
  type: 'chart',
  sources: [{ device_id, key: 'temperature' }],
  layout: { x: 0, y: 0, w: 6, h: 4 },
});
const NOTE = { start: '2026-03-02T20:00:00Z', end: '2026-03-02T21:00:00Z', text: 'filter changed' };
const setKey = (settings: object, of = here) =>
  dataOf(of, 'PATCH', `${project()}/devices/${device.id}/key-settings`, { key: 'temperature', ...settings });

const pushed = async (choices: Record<string, unknown> = {}) => run(await planned(choices));
const countsOf = ({ projects, devices }: PushPlan) =>
  [...projects, ...devices].flatMap(({ rows }) =>
    rows.map(({ kind, send, conflicting, removed, refused }) => [kind, send, conflicting, removed, refused]),
  );

/** What a project says of itself, but for who wrote it and since when a rule is as it is. */
async function saidIn(of: RunningService) {
  const functions = await list(`${project()}/functions`, of);
  return {
    functions: functions.map((row) => ({ ...row, since: null })),
    keys: await list(`${project()}/key-settings`, of),
    notes: (await list(notes(), of)).map((row) => ({ ...row, author: null })),
    widgets: await list(`${project()}/widgets`, of),
  };
}

describe('a push', () => {
  test('brings functions, settings of keys, notes and widgets under their ids, and sends them once', async () => {
    await make(`${project()}/functions`, { ...DECODER, device_id: device.id });
    await make(`${project()}/functions`, rule({ device_id: device.id }));
    await make(`${project()}/functions`, rule({ condition: { ...rule().condition, devices: { tag: 'x' } } }));
    await setKey({ shown_as: 'Supply', unit: '°C', low: 5 });
    await make(notes(), NOTE);
    await make(notes(), { start: NOTE.start, text: 'seen' });
    await make(`${project()}/widgets`, chart());

    const plan = await planned();
    expect(countsOf(plan)).toEqual([
      ['functions', 1, 0, 0, 0],
      ['widgets', 1, 0, 0, 0],
      ['functions', 2, 0, 0, 0],
      ['key_settings', 1, 0, 0, 0],
      ['notes', 2, 0, 0, 0],
    ]);
    expect(planLines(plan).join('\n')).toContain(
      '2 functions to send, 1 setting of a key to send, 2 notes to send',
    );
    expect(noteOf(plan.devices[0]!, null)).toContain('2 notes to send');
    expect(projectWords(plan)).toContain('1 function to send; 1 widget to send');
    expect((await list('/_local/v1/projects', lab)).map(({ id }) => id)).not.toContain(project_id);

    expect(await run(plan)).toMatchObject({
      projects: [
        {
          rows: [
            { kind: 'functions', sent: 1 },
            { kind: 'widgets', sent: 1 },
          ],
          problem: null,
        },
      ],
      devices: [
        {
          rows: [
            { kind: 'functions', sent: 2 },
            { kind: 'key_settings', sent: 1 },
            { kind: 'notes', sent: 2 },
          ],
          problem: null,
        },
      ],
    });
    expect(await saidIn(lab)).toEqual(await saidIn(here));
    expect((await list(notes(), lab))[0]).toMatchObject({ author: 'Fieldbench (Fieldbench)' });

    const again = await planned();
    expect([again.projects[0]?.state, again.devices[0]?.state, countsOf(again)]).toEqual([
      'same',
      'same',
      [],
    ]);
    expect(await run(again)).toMatchObject({ projects: [{ rows: [] }], devices: [{ rows: [] }] });
    expect(await saidIn(lab)).toEqual(await saidIn(here));
  });

  test('sends what changed here alone, and leaves in the lab what was changed there', async () => {
    const [alone, apart, theirs] = [
      await make(notes(), NOTE),
      await make(notes(), { ...NOTE, text: 'apart' }),
      await make(notes(), { ...NOTE, text: 'theirs' }),
    ];
    const widget = await make(`${project()}/widgets`, chart());
    await setKey({ unit: 'K' });
    await pushed();
    const change = (id: string, text: string, of = here) => dataOf(of, 'PATCH', `${notes()}/${id}`, { text });
    await change(alone.id, 'changed here');
    await change(apart.id, 'changed here');
    await change(apart.id, 'changed there', lab);
    await change(theirs.id, 'changed there', lab);
    await dataOf(here, 'PATCH', `${project()}/widgets/${widget.id}`, { title: 'Return' });
    await setKey({ unit: '°C' });

    const plan = await planned();
    expect(countsOf(plan)).toEqual([
      ['widgets', 1, 0, 0, 0],
      ['key_settings', 1, 0, 0, 0],
      ['notes', 1, 2, 0, 0],
    ]);
    expect(plan.projects[0]?.state).toBe('different');
    expect(noteOf(plan.devices[0]!, null)).toContain('2 notes changed in the lab, as the lab has it');
    await run(plan);
    expect((await list(notes(), lab)).map(({ text }) => text)).toEqual([
      'changed here',
      'changed there',
      'changed there',
    ]);
    expect(await list(`${project()}/widgets`, lab)).toMatchObject([{ title: 'Return' }]);
    expect(await list(`${project()}/key-settings`, lab)).toMatchObject([{ unit: '°C' }]);
    expect(countsOf(await planned())).toEqual([['notes', 0, 2, 0, 0]]);
  });

  test('leaves in the lab what was never the same on both sides', async () => {
    await pushed();
    const { id } = await make(notes(), NOTE);
    const says = { device_id: device.id, ...NOTE, text: 'another', author: 'app', created: NOTE.start };
    const sent = { kind: 'notes', id, mark: '0'.repeat(16), base: null, says };
    expect(await make(`${project()}/sync/rows`, { rows: [sent] }, lab)).toEqual({
      outcomes: [{ outcome: 'added', reason: null }],
    });
    expect(countsOf(await planned())).toEqual([['notes', 0, 1, 0, 0]]);
    await pushed();
    expect(await list(notes(), lab)).toMatchObject([{ id, text: 'another' }]);
  });

  test('keeps out what was removed in the lab, and removes nothing there', async () => {
    const [gone, stays] = [await make(notes(), NOTE), await make(notes(), { ...NOTE, text: 'stays' })];
    await pushed();
    await dataOf(lab, 'DELETE', `${notes()}/${gone.id}`);
    await dataOf(here, 'DELETE', `${notes()}/${stays.id}`);
    const plan = await planned();
    expect(countsOf(plan)).toEqual([['notes', 0, 0, 1, 0]]);
    expect(planLines(plan).join('\n')).toContain('1 note removed in the lab, left out');
    await run(plan);
    expect(await list(notes(), lab)).toMatchObject([{ id: stays.id }]);
  });

  test('says why the lab refuses one, and sends all else', async () => {
    const other = await addDevice('Other');
    await pushed();
    const elsewhere = (await make('/_local/v1/projects', { name: 'Elsewhere' }, lab)).id;
    await make(`/_local/v1/projects/${project_id}/devices/${other.id}/move`, { to: elsewhere }, lab);
    await make(`${project()}/widgets`, chart(other.id));
    const { id } = await make(`${project()}/widgets`, chart());
    const plan = await planned();
    const reason = `the widget "Supply": sources.0.device_id must be the id of a device of this project, got "${other.id}"`;
    expect(plan.projects).toMatchObject([{ state: 'different', rows: [{ send: 1, refused: 1, reason }] }]);
    expect(planLines(plan).join('\n')).toContain(`1 widget refused by the lab: ${reason}`);
    expect(await run(plan)).toMatchObject({
      projects: [{ rows: [{ kind: 'widgets', sent: 1 }], problem: `The lab refuses ${reason}` }],
    });
    expect((await list(`${project()}/widgets`, lab)).map((row) => row.id)).toEqual([id]);
  });

  test('names devices by their ids in the lab', async () => {
    await pushed();
    const added = await addDevice('Spare');
    const target = await make(`/v2/projects/${project_id}/devices`, { name: 'Spare', source: 'http' }, lab);
    const of = `${project()}/devices/${added.id}`;
    await make(`${project()}/functions`, { ...DECODER, device_id: added.id });
    await make(`${of}/notes`, NOTE);
    await dataOf(here, 'PATCH', `${of}/key-settings`, { key: 'a b', unit: 'bar' });
    await make(`${project()}/widgets`, chart(added.id));
    const into = { [added.id]: target.id };
    expect(await pushed({ into })).toMatchObject({ projects: [{ problem: null }] });
    const device_id = target.id;
    expect(await list(`${project()}/functions`, lab)).toMatchObject([{ device_id }]);
    expect(await list(notes(device_id), lab)).toMatchObject([{ device_id, text: NOTE.text }]);
    expect(await list(`${project()}/key-settings`, lab)).toMatchObject([{ device_id, unit: 'bar' }]);
    expect(await list(`${project()}/widgets`, lab)).toMatchObject([
      { sources: [{ device_id, key: 'temperature' }] },
    ]);
    expect(countsOf(await planned({ into }))).toEqual([]);
  });

  test('makes a widget of a device that comes with the same push', async () => {
    await pushed();
    const added = await addDevice('Later');
    await make(`${project()}/widgets`, chart(added.id));
    const plan = await planned();
    expect(countsOf(plan)).toEqual([['widgets', 1, 0, 0, 0]]);
    expect(await run(plan)).toMatchObject({ projects: [{ rows: [{ sent: 1 }], problem: null }] });
    expect(await list(`${project()}/widgets`, lab)).toMatchObject([{ sources: [{ device_id: added.id }] }]);
  });

  test('sends nothing that came after the plan where the plan sends none of its kind', async () => {
    await pushed();
    const plan = await planned();
    await make(notes(), NOTE);
    await run(plan);
    expect(await list(notes(), lab)).toEqual([]);
  });

  test('needs a key that may change what the lab has, and sends all else without one', async () => {
    await make(notes(), NOTE);
    await pushed();
    await make(notes(), { ...NOTE, text: 'more' });
    const { api_key: key } = await make(
      '/_local/v1/keys',
      { name: 'stores', permissions: ['read', 'write'] },
      lab,
    );
    const plan = await planned({ key });
    expect(plan.devices).toMatchObject([
      { state: 'different', problem: expect.stringMatching(/^Its notes stay as they are in the lab: /) },
    ]);
    const answer = await here.bridge.call('push.run', { ...reach(), key: key as string, plan });
    expect(answer.data).toMatchObject({ devices: [{ rows: [] }] });
    expect(await list(notes(), lab)).toHaveLength(1);
  });
});
