import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import { ROW_KINDS } from '#shared/operations/records/sync-rows.ts';
import { mergeRows } from '#core/api/sync/merge-rows.ts';
import { ownerOf } from '#core/api/principal.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { createSystemClock } from '#core/base/system-clock.ts';
import { LabLost, type Lab } from '#core/push/lab.ts';
import { planPush } from '#core/push/plan.ts';
import { runPush } from '#core/push/run.ts';
import { SyncBaseline } from '#core/push/sync-baseline.ts';
import type { Metadata, WritableTables } from '#core/store/metadata/metadata.ts';
import { FairSemaphore } from '#core/turns/semaphore.ts';
import { aDevice, aFunction, aProject, aWidget } from '../../suites/metadata/rows.ts';
import { storeLab } from '../lab/store-lab.ts';
import { createMemoryMetadata } from '../store/memory-metadata.ts';
import { createMemoryRecordStore } from '../store/memory-record-store.ts';
import { LATEST, linesInMemory } from './push-model.ts';

/* Rows on two sides, pushes between them that are cut anywhere, and a naive three-way merge of what they say. */

const PROJECT = 'p';
const DEVICE = 'd';

/** Kinds of rows, each with a field that changes. */
const KINDS = { notes: 'text', widgets: 'title', functions: 'name', key_settings: 'unit' } as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

const idOf = (kind: Kind, name: string) =>
  kind === 'key_settings' ? `${DEVICE}/${name}` : `${kind}-${name}`;

/** Has a row say something; null: it is gone. */
async function put(tables: WritableTables, kind: Kind, name: string, says: string | null): Promise<void> {
  const id = idOf(kind, name);
  if (says === null) {
    await tables.remove(kind, id);
    return;
  }
  if (await tables.get(kind, id)) {
    await tables.patch(kind, id, { [KINDS[kind]]: says });
    return;
  }
  const of = { id, project_id: PROJECT, device_id: DEVICE, created: 1 };
  if (kind === 'notes')
    await tables.insert('notes', { ...of, start: 1, end: null, text: says, author: 'somebody' });
  else if (kind === 'widgets')
    await tables.insert('widgets', { ...aWidget(id, PROJECT, [DEVICE]), title: says });
  else if (kind === 'functions')
    await tables.insert('functions', { ...aFunction(id, PROJECT, DEVICE), name: says });
  else await tables.insert('key_settings', { ...of, ...NO_SETTINGS, key: name, unit: says });
}

/** What rows say, by kind and id. */
type Said = ReadonlyMap<string, string>;

const saidIn = (metadata: Metadata): Promise<Said> =>
  Promise.resolve(
    metadata.read(async (tables) => {
      const said = new Map<string, string>();
      for (const kind of KIND_NAMES)
        for (const row of await tables.list(kind))
          said.set(`${kind} ${row.id}`, String((row as unknown as Record<string, unknown>)[KINDS[kind]]));
      return said;
    }),
  );

/** A lab whose rows are those of metadata, which is lost after some requests of rows. */
function labOver(metadata: Metadata) {
  const records = createMemoryRecordStore();
  const lab = storeLab(records, { project_id: PROJECT, device_id: DEVICE, hasDevice: true });
  const context = { metadata, clock: createSystemClock(), events: createEventBus() };
  let left = Infinity;
  let isAnswerLost = false;
  const over: Lab = {
    ...lab,
    look: async (asked) => ({ ...(await lab.look(asked)), merges: [...ROW_KINDS] }),
    async mergeRows(project_id, rows, isDryRun) {
      if (left-- <= 0 && !isAnswerLost) throw new LabLost('The wire was cut.');
      const project = await metadata.read((tables) => tables.get('projects', project_id));
      assert(project);
      const sent = rows.map((row) => ({ ...row, says: row.says }));
      const outcomes = await mergeRows(project, { rows: sent, dry_run: isDryRun }, ownerOf('a'), context);
      if (left < 0) throw new LabLost('The wire was cut.');
      return outcomes;
    },
  };
  return {
    lab: over,
    cutAfter(requests: number, answerIsLost: boolean) {
      left = requests;
      isAnswerLost = answerIsLost;
    },
  };
}

async function sides() {
  const [here, there] = [createMemoryMetadata(), createMemoryMetadata()];
  for (const metadata of [here, there])
    await metadata.change(async (tables) => {
      await tables.insert('projects', aProject(PROJECT, 'a'));
      await tables.insert('devices', aDevice(DEVICE, PROJECT));
    });
  const { lab, ...wire } = labOver(there);
  const baseline = await SyncBaseline.open(linesInMemory());
  const common = async () => ({
    records: createMemoryRecordStore(),
    semaphore: new FairSemaphore(2).of(null),
    signal: new AbortController().signal,
    lab,
    baseline,
    own: await here.read(async (tables) => {
      const [project] = await tables.list('projects');
      assert(project);
      const rows = {
        functions: await tables.list('functions'),
        key_settings: await tables.list('key_settings'),
        notes: await tables.list('notes'),
        widgets: await tables.list('widgets'),
        alarms: [],
      };
      return [{ project, devices: await tables.list('devices'), corrections: new Map(), rows }];
    }),
  });
  const plan = async () =>
    planPush({
      ...(await common()),
      to: 'https://lab',
      installation_id: 'laptop',
      at: LATEST,
      removed: 'leave-out',
      conflicts: 'lab',
      into: {},
      progress: () => undefined,
    });
  const run = async (made: Awaited<ReturnType<typeof plan>>) =>
    runPush({ ...(await common()), plan: made, now: LATEST, progress: () => undefined });
  return { here, there, ...wire, plan, run };
}

/** The naive merge: what the lab says then, what both then agree on, and how many rows came to what. */
function mergedSaid(here: Said, there: Said, agreed: Said) {
  const after = new Map(there);
  const now = new Map(agreed);
  const counts = { send: 0, conflicting: 0, removed: 0 };
  for (const [key, says] of here) {
    const [other, base] = [there.get(key), agreed.get(key)];
    if (other === says) now.set(key, says);
    else if (other === undefined ? base === undefined : other === base) {
      counts.send++;
      after.set(key, says);
      now.set(key, says);
    } else if (other === undefined) counts.removed++;
    else counts.conflicting++;
  }
  return { after, now, counts };
}

const change = fc.record({
  kind: fc.constantFrom('here', 'there', 'both'),
  table: fc.constantFrom(...KIND_NAMES),
  name: fc.constantFrom('a', 'b b', 'ä'),
  says: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: null }),
});
const push = fc.record({
  kind: fc.constant('push'),
  cuts: fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.boolean()), { maxLength: 2 }),
});
const step = fc.oneof({ weight: 3, arbitrary: change }, { weight: 1, arbitrary: push });
export const rowHistories = fc.array(step, { minLength: 1, maxLength: 24 });
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Whatever both sides did, and wherever pushes were cut, the lab says what the naive merge says. Resolves with how many pushes there were. */
export async function rowsHold(steps: readonly Step[]): Promise<number> {
  const { here, there, plan, run, ...wire } = await sides();
  let agreed: Said = new Map();
  let pushes = 0;
  for (const each of steps) {
    if (each.kind !== 'push') {
      for (const side of each.kind === 'both' ? [here, there] : [each.kind === 'here' ? here : there])
        await side.change((tables) => put(tables, each.table, each.name, each.says));
      continue;
    }
    const { after, now, counts } = mergedSaid(await saidIn(here), await saidIn(there), agreed);
    const planned = await plan();
    const rows = [...planned.projects, ...planned.devices].flatMap((of) => of.rows);
    const sum = (count: keyof typeof counts) => rows.reduce((all, row) => all + row[count], 0);
    const found = { send: sum('send'), conflicting: sum('conflicting'), removed: sum('removed') };
    assert.deepEqual(found, counts);
    assert.deepEqual(
      rows.map(({ reason }) => reason),
      rows.map(() => null),
    );
    for (const [requests, answerIsLost] of each.cuts) {
      wire.cutAfter(requests, answerIsLost);
      await run(planned).catch((error: unknown) => assert(error instanceof LabLost));
    }
    wire.cutAfter(Infinity, false);
    await run(planned);
    assert.deepEqual(byId(await saidIn(there)), byId(after));
    agreed = now;
    pushes++;
  }
  return pushes;
}

const byId = <T>(said: ReadonlyMap<string, T>) =>
  [...said].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
