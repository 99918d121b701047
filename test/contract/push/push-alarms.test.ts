import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { formatMicros } from '#shared/values/time.ts';
import { PRESENT } from '../../helpers/clock.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { openHookServer, type HookServer } from '../rules/hook-server.ts';
import { dataOf } from '../world.ts';
import { device, fieldAndLab, here, lab, planned, project_id, run, store } from './field-and-lab.ts';

/* Alarms go to a lab that has their rule, and judges what is pushed by it (docs/push.md, "Who decides"). */

fieldAndLab();

const WAIT = { timeout: 20_000, interval: 20 };
let hooks: HookServer;
beforeEach(async () => {
  hooks = await openHookServer();
  for (const of of [here, lab])
    await dataOf(of, 'PATCH', '/_local/v1/settings', { webhook_hosts: ['127.0.0.0/8'] });
});
afterEach(() => hooks.close());

const project = () => `/_local/v1/projects/${project_id}`;
/** A minute of the test's hour, which lies ahead: what ended before a rule was made raises nothing. */
const HOUR = Math.ceil(PRESENT / 3_600_000_000) * 3_600_000_000 + 3_600_000_000;
const at = (minute: number) => formatMicros(HOUR + minute * 60_000_000);
const record = (minute: number, t: number) => ({ timestamp: at(minute), t });

async function addRule(acts: readonly object[] = [{ do: 'webhook', url: hooks.url }, { do: 'note' }]) {
  const condition = { when: { key: 't', above: 30 }, acts };
  const rule = { device_id: device.id, name: 'Hot', type: 'rule', enabled: true, condition };
  return (await dataOf(here, 'POST', `${project()}/functions`, rule)).id;
}
const alarmsIn = async (of: RunningService) =>
  (await dataOf(of, 'GET', `${project()}/alarms`)) as unknown as readonly Alarm[];
const notesIn = async (of: RunningService) =>
  (await dataOf(of, 'GET', `${project()}/devices/${device.id}/notes`)) as unknown as readonly object[];
const pushed = async () => run(await planned());
const acknowledge = (of: RunningService, id: string, text: string) =>
  dataOf(of, 'POST', `${project()}/alarms/${id}/acknowledge`, { text });

const orderOf = ({ start, state }: Alarm) => `${start} ${state}`;

/** Resolves once these alarms stand here, oldest first, and their acts are done. */
const raisedHere = (states: readonly string[]) =>
  vi.waitFor(async () => {
    const alarms = (await alarmsIn(here)).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    expect(alarms.map(({ state }) => state)).toEqual(states);
    expect(alarms.flatMap(({ acts }) => acts).every(({ state }) => state === 'done')).toBe(true);
    return alarms;
  }, WAIT);

/** What both sides say of an alarm alike. */
const saidOf = ({ id, function_id, rule, state, start, fired, end }: Alarm) => {
  return { id, function_id, rule, state, start, fired, end };
};
const sameThere = async () =>
  vi.waitFor(async () => {
    const [own, there] = [await alarmsIn(here), await alarmsIn(lab)];
    const byStart = (alarms: readonly Alarm[]) =>
      alarms.map(saidOf).toSorted((a, b) => (a.start < b.start ? -1 : 1));
    expect(byStart(there)).toEqual(byStart(own));
    return there;
  }, WAIT);

test('a push brings alarms and who acknowledged them, and the lab does no act again that was done here', async () => {
  await addRule();
  await store(here, device.token, [record(0, 31), record(5, 20), record(10, 31)]);
  const [first] = await raisedHere(['ended', 'open']);
  await acknowledge(here, first?.id ?? '', 'a valve stuck');
  const told = hooks.said.length;
  expect(await pushed()).toMatchObject({ devices: [{ problem: null }] });
  const there = await sameThere();
  expect(there.find(({ id }) => id === first?.id)?.acknowledged).toMatchObject({
    by: 'Fieldbench (Fieldbench)',
    text: 'a valve stuck',
  });
  expect(await notesIn(lab)).toHaveLength((await notesIn(here)).length);

  // The lab goes on: what ends there, it tells, and that is all that it has told.
  await store(lab, device.token, [record(15, 20)]);
  await vi.waitFor(() => expect(hooks.said.slice(told).map(({ event }) => event)).toEqual(['ended']), WAIT);
  expect(hooks.said.at(-1)?.alarm).toMatchObject({ start: at(10), end: at(15) });
});

test('a later push brings what was raised and ended since, once, whatever the lab raised of the pushed records by itself', async () => {
  const id = await addRule();
  await store(here, device.token, [record(0, 31)]);
  await raisedHere(['open']);
  await pushed();
  await sameThere();
  await store(here, device.token, [record(5, 20), record(10, 31), record(20, 20), record(30, 31)]);
  await raisedHere(['ended', 'ended', 'open']);
  const told = hooks.said.length;
  const plan = await planned();
  expect(plan.devices[0]?.rows).toMatchObject([{ kind: 'notes' }, { kind: 'alarms', send: 3 }]);
  await run(plan);
  await sameThere();
  expect(await notesIn(lab)).toHaveLength((await notesIn(here)).length);
  const again = await planned();
  expect(again.devices).toMatchObject([{ state: 'same', rows: [] }]);

  // Both have another one by themselves, of which the lab tells, as nobody has done so there.
  await store(lab, device.token, [record(40, 20)]);
  await vi.waitFor(() => expect(hooks.said.slice(told).map(({ event }) => event)).toEqual(['ended']), WAIT);
  expect((await alarmsIn(lab)).filter(({ function_id }) => function_id === id)).toHaveLength(3);
});

test('the earliest acknowledgement stays, on whichever side it was', async () => {
  await addRule([]);
  await store(here, device.token, [record(0, 31), record(5, 20), record(10, 31), record(15, 20)]);
  const [one, two] = await raisedHere(['ended', 'ended']);
  await pushed();
  await acknowledge(lab, one?.id ?? '', 'in the lab');
  await acknowledge(here, one?.id ?? '', 'later, in the field');
  await acknowledge(here, two?.id ?? '', 'in the field');
  await acknowledge(lab, two?.id ?? '', 'later, in the lab');
  await pushed();
  const texts = async (of: RunningService) => {
    const alarms = await alarmsIn(of);
    return [one, two].map((each) => alarms.find(({ id }) => id === each?.id)?.acknowledged?.text);
  };
  expect(await texts(lab)).toEqual(['in the lab', 'in the field']);
  expect((await planned()).devices).toMatchObject([{ state: 'same' }]);
});

test('an alarm of a rule that is another one in the lab goes once it is over, and stays as it is', async () => {
  const id = await addRule([]);
  await store(here, device.token, [record(0, 31)]);
  await raisedHere(['open']);
  await pushed();
  const condition = { when: { key: 't', above: 50 } };
  for (const of of [lab, here])
    await dataOf(of, 'PATCH', `${project()}/functions/${id}`, {
      condition: of === lab ? condition : { when: { key: 't', above: 25 } },
    });
  await raisedHere(['ended', 'open']);
  await pushed();
  expect((await alarmsIn(lab)).map(({ state, start }) => [state, start])).toEqual([['ended', at(0)]]);
});
