import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
  string,
  type Arbitrary,
} from 'fast-check';
import { expect, test } from 'vitest';
import type { PendingDeletion } from '#core/store/metadata/metadata-schema.ts';
import type { Metadata, WritableTables } from '#core/store/metadata/metadata.ts';
import { expectTold } from './replay.ts';
import { aDevice, aFunction, type MetadataHome } from './rows.ts';

/** One act of a change, on one of a few rows of its own project. */
type Act =
  | { readonly type: 'insert'; readonly table: 'devices' | 'functions'; readonly n: number }
  | {
      readonly type: 'rename';
      readonly table: 'devices' | 'functions';
      readonly n: number;
      readonly name: string;
    }
  | { readonly type: 'remove'; readonly table: 'devices' | 'functions'; readonly n: number }
  | { readonly type: 'note'; readonly n: number }
  | { readonly type: 'cross out'; readonly n: number };
interface Change {
  readonly acts: readonly Act[];
  /** It changes its mind at the end. */
  readonly fails: boolean;
}

/** What a project should hold, in the order in which it was made. */
interface Project {
  readonly devices: { id: string; name: string }[];
  readonly functions: { id: string; name: string }[];
  deletions: PendingDeletion[];
}

const table = constantFrom('devices' as const, 'functions' as const);
const n = nat({ max: 3 });
const act: Arbitrary<Act> = oneof(
  record({ type: constant('insert' as const), table, n }),
  record({ type: constant('rename' as const), table, n, name: string({ maxLength: 4 }) }),
  record({ type: constant('remove' as const), table, n }),
  record({ type: constant('note' as const), n }),
  record({ type: constant('cross out' as const), n }),
);
const change: Arbitrary<Change> = record({
  acts: array(act, { maxLength: 6 }),
  fails: boolean(),
});
/** Rounds of changes that are under way together, each in a project of its own, so that their order does not matter. */
const PROJECTS = 4;
const rounds = array(record({ changes: array(change, { maxLength: PROJECTS }), reopens: boolean() }), {
  maxLength: 8,
});

const changedItsMind = new Error('changed its mind');
const deletionOf = (project_id: string, place: number): PendingDeletion => ({
  kind: 'device',
  project_id,
  device_ids: [`${project_id}-${place}`],
});

/** Whatever is changed, refused and opened again, the tables hold what a plain model does, and the audit trail tells of it all. */
export function metadataModel(name: string, home: () => Promise<MetadataHome>, numRuns: number): void {
  test(`${name}: random changes end as they would in a list`, async () => {
    await assert(
      asyncProperty(rounds, async (given) => {
        const place = await home();
        let metadata = await place.open();
        const model = Array.from({ length: PROJECTS }, (): Project => ({
          devices: [],
          functions: [],
          deletions: [],
        }));
        try {
          for (const { changes, reopens } of given) {
            const results = await Promise.allSettled(
              changes.map((each, project) => metadata.change((tables) => run(tables, `p${project}`, each))),
            );
            for (const [project, each] of changes.entries()) {
              const after = modelled(model[project]!, `p${project}`, each);
              const result = results[project];
              expect(result?.status).toBe(after ? 'fulfilled' : 'rejected');
              if (after && result?.status === 'fulfilled')
                expect(result.value).toEqual({
                  devices: after.devices.length,
                  functions: after.functions.length,
                  held: after.devices.map(({ id }) => id).toSorted(),
                });
              if (after) model[project] = after;
            }
            if (reopens && place.lasting) {
              await metadata.close();
              metadata = await place.open();
            }
            await expectTold(metadata);
            for (const [project, expected] of model.entries())
              expect(await held(metadata, `p${project}`)).toEqual(expected);
          }
        } finally {
          await metadata.close();
          await place.remove();
        }
      }),
      { numRuns },
    );
  });
}

/** Resolves with how many rows, and which devices, the change itself finds at its end. */
async function run(
  tables: WritableTables,
  project_id: string,
  { acts, fails }: Change,
): Promise<{ readonly devices: number; readonly functions: number; readonly held: readonly string[] }> {
  for (const each of acts) {
    const id = `${project_id}-${each.n}`;
    switch (each.type) {
      case 'insert':
        if (each.table === 'devices') await tables.insert('devices', aDevice(id, project_id));
        else await tables.insert('functions', aFunction(id, project_id, id));
        break;
      case 'rename':
        await tables.patch(each.table, id, { name: each.name });
        break;
      case 'remove':
        await tables.remove(each.table, id);
        break;
      case 'note':
        await tables.noteDeletion(deletionOf(project_id, each.n));
        break;
      case 'cross out':
        await tables.crossOutDeletion(deletionOf(project_id, each.n));
    }
  }
  if (fails) throw changedItsMind;
  const all = [0, 1, 2, 3].map((place) => `${project_id}-${place}`);
  return {
    devices: await tables.count('devices', { project_id }),
    functions: await tables.count('functions', { project_id }),
    held: [...(await tables.held('devices', all))].toSorted(),
  };
}

/** The project after the change; null where that is refused. */
function modelled(before: Project, project_id: string, { acts, fails }: Change): Project | null {
  const after = structuredClone(before);
  for (const each of acts) {
    const id = `${project_id}-${each.n}`;
    if (each.type === 'note') after.deletions.push(deletionOf(project_id, each.n));
    else if (each.type === 'cross out')
      after.deletions = after.deletions.filter(({ device_ids }) => device_ids[0] !== id);
    else {
      const rows = after[each.table];
      const place = rows.findIndex((row) => row.id === id);
      const row = rows[place];
      if (each.type === 'insert') {
        if (row) return null;
        rows.push({ id, name: id });
      } else if (row && each.type === 'rename') row.name = each.name;
      else if (row) rows.splice(place, 1);
    }
  }
  return fails ? null : after;
}

async function held(metadata: Metadata, project_id: string): Promise<Project> {
  return metadata.read(async (tables) => {
    const named = (rows: readonly { readonly id: string; readonly name: string }[]) =>
      rows.map(({ id, name }) => ({ id, name }));
    const deletions = await tables.deletions();
    return {
      devices: named(await tables.list('devices', { project_id })),
      functions: named(await tables.list('functions', { project_id })),
      deletions: deletions.filter((each) => each.project_id === project_id),
    };
  });
}
