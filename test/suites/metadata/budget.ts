import { assert, asyncProperty, constantFrom, integer, record, array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Budget } from '#core/store/metadata/budget.ts';
import type { Metadata, WritableTables } from '#core/store/metadata/metadata.ts';
import { aDevice, aFunction, aKey, aProject } from './rows.ts';

/** Opens the same place with a budget, as often as it is asked to. */
export type OpenWithin = (budget: Budget) => Promise<Metadata>;

const ROOMY: Budget = { installation: 1 << 20, project: 1 << 20 };
const AMPLE = 4096;

const scripted = (id: string, project: string, characters: number) => ({
  ...aFunction(id, project, 'd'),
  script: 'x'.repeat(characters),
});

/** What a project holds, or all (null), as a change that is far too large is told: with that. */
async function sumOf(metadata: Metadata, project: string | null): Promise<number> {
  const refused: unknown = await metadata
    .change<unknown>((tables) =>
      project === null
        ? tables.insert('accounts', tooLarge)
        : tables.insert('functions', scripted('too large', project, ROOMY.project)),
    )
    .catch((error: unknown) => error);
  return Number(/got (\d+)/.exec(String(refused))?.[1]);
}

const tooLarge = { id: 'too large', name: 'x'.repeat(ROOMY.installation), created: 1 };

/** Puts a device away as a delete that can be undone does; answers the row that keeps it. */
async function putAway(tables: WritableTables, id: string) {
  const device = await tables.get('devices', id);
  if (!device) throw new TypeError(`no ${id}`);
  await tables.remove('devices', id);
  return tables.insert('kept_deletes', {
    id: `kept ${id}`,
    account_id: 'a',
    project_id: device.project_id,
    device_id: id,
    kind: 'device',
    state: 'kept',
    name: id,
    project_name: 'p',
    author: 'app',
    until: 1,
    start: null,
    end: null,
    records: null,
    bytes: null,
    rows: { devices: [{ ...device }] },
    trimmed: [],
    created: 1,
  });
}

/** The budget of metadata (docs/running.md, "Limits"). `home`: a place of its own for each test. */
export function budgetTests(
  name: string,
  home: () => Promise<{ open: OpenWithin; remove(): Promise<void> }>,
): void {
  async function within<T>(work: (open: OpenWithin) => Promise<T>): Promise<T> {
    const place = await home();
    const opened: Metadata[] = [];
    try {
      return await work(async (budget) => {
        const metadata = await place.open(budget);
        opened.push(metadata);
        return metadata;
      });
    } finally {
      for (const metadata of opened) await metadata.close();
      await place.remove();
    }
  }

  describe(`${name}: the budget of metadata`, () => {
    test('a change that would pass that of a project is refused and names it; other projects go on', () =>
      within(async (open) => {
        const metadata = await open({ installation: 1 << 20, project: AMPLE });
        const add = (id: string, project: string) =>
          metadata.change((tables) => tables.insert('functions', scripted(id, project, 1000)));
        for (const project of ['p', 'q'])
          await metadata.change((tables) => tables.insert('projects', aProject(project)));
        for (const id of ['1', '2', '3']) await add(id, 'p');
        await expect(add('4', 'p')).rejects.toMatchObject({
          status: 400,
          message: expect.stringMatching(/project p must be at most 4096 bytes .*got 4\d\d\d with/) as string,
        });
        await add('5', 'q');
        await metadata.change((tables) => tables.patch('functions', '1', { script: null }));
        await add('4', 'p');
      }));

    test('one that would pass that of the installation is refused, with those beside it kept', () =>
      within(async (open) => {
        const metadata = await open({ installation: AMPLE, project: AMPLE });
        const results = await Promise.allSettled(
          ['p', 'q', 'r', 's'].map((project) =>
            metadata.change((tables) => tables.insert('functions', scripted(project, project, 1000))),
          ),
        );
        expect(results.map(({ status }) => status)).toEqual([
          ...Array<string>(3).fill('fulfilled'),
          'rejected',
        ]);
        expect(String((results[3] as PromiseRejectedResult).reason)).toMatch(
          /whole installation .*at most 4096/,
        );
        await metadata.change((tables) => tables.insert('projects', aProject('small')));
      }));

    test('what is larger already is read, may shrink, be put away and come back, and no more', () =>
      within(async (open) => {
        const first = await open(ROOMY);
        await first.change(async (tables) => {
          await tables.insert('devices', { ...aDevice('d', 'p'), metadata: { wave: 'x'.repeat(2 * AMPLE) } });
          await tables.insert('api_keys', aKey('service', 'a', 0));
        });
        await first.close();
        const metadata = await open({ installation: AMPLE, project: AMPLE });
        const rename = (device: string) =>
          metadata.change((tables) => tables.patch('devices', 'd', { name: device }));
        await expect(rename('longer')).rejects.toThrow(/must be at most 4096 bytes/);
        await rename('e');
        const kept = await metadata.change((tables) => putAway(tables, 'd'));
        await metadata.change((tables) =>
          tables.patch('kept_deletes', kept.id, { records: 1_000_000, bytes: 1 }),
        );
        await metadata.change(async (tables) => {
          for (const row of kept.rows['devices'] ?? []) await tables.putBack('devices', row);
          await tables.remove('kept_deletes', kept.id);
        });
        expect(await metadata.read((tables) => tables.get('devices', 'd'))).toMatchObject({ name: 'e' });
        // Without a key of its own a service does not start.
        await metadata.change((tables) => tables.insert('api_keys', aKey('service 2', 'a', 0)));
        await metadata.change((tables) => tables.remove('devices', 'd'));
        await metadata.change((tables) => tables.insert('projects', aProject('room again')));
      }));

    test('what is kept of deletes counts, and a kept delete of records alone needs room like any row', () =>
      within(async (open) => {
        const metadata = await open({ installation: 1 << 20, project: AMPLE });
        await metadata.change((tables) =>
          tables.insert('devices', { ...aDevice('d', 'p'), metadata: { wave: 'x'.repeat(3500) } }),
        );
        await metadata.change((tables) => putAway(tables, 'd'));
        const more = metadata.change((tables) => tables.insert('functions', scripted('f', 'p', 500)));
        await expect(more).rejects.toThrow(/project p/);
      }));

    test('is measured as things are, whatever was done before, and again after a start', async () => {
      const act = record({
        what: constantFrom('device', 'function', 'rename', 'move', 'remove', 'put away', 'refused'),
        n: integer({ min: 0, max: 3 }),
        length: integer({ min: 0, max: 300 }),
      });
      const property = asyncProperty(array(act, { maxLength: 12 }), (acts) =>
        within(async (open) => {
          const metadata = await open(ROOMY);
          for (const { what, n, length } of acts)
            await metadata
              .change((tables) => perform(tables, { what, id: `d${n}`, length }))
              .catch((error: unknown) => expect(String(error)).toContain('changed its mind'));
          const sums = async (from: Metadata) =>
            Promise.all(['p', 'q', null].map((project) => sumOf(from, project)));
          const before = await sums(metadata);
          const rows = await metadata.read(async (tables) =>
            Promise.all(
              (['accounts', 'devices', 'functions', 'kept_deletes'] as const).map(async (table) =>
                tables.list(table),
              ),
            ),
          );
          const all = [...rows.flat(), { ...tooLarge, sequence: 1 }];
          const written = all.reduce((sum, row) => sum + lineOf(row), 0);
          // But for one more digit of the sequence of the row that is too large.
          expect([0, 1]).toContain((before[2] ?? NaN) - written);
          await metadata.close();
          expect(await sums(await open(ROOMY))).toEqual(before);
        }),
      );
      await assert(property, { numRuns: 15 });
    });
  });
}

/** The bytes of a row's line in metadata.json. */
const lineOf = (row: { readonly id: string }) =>
  Buffer.byteLength(`${JSON.stringify(row.id)}:${JSON.stringify(row)},\n`);

async function perform(
  tables: WritableTables,
  { what, id, length }: { readonly what: string; readonly id: string; readonly length: number },
): Promise<void> {
  const there = await tables.get('devices', id);
  if (what === 'function' && !(await tables.get('functions', id)))
    await tables.insert('functions', scripted(id, 'q', length));
  else if (what === 'device' && !there) await tables.insert('devices', aDevice(id, 'p'));
  else if (what === 'rename') await tables.patch('devices', id, { name: 'ü'.repeat(length) });
  else if (what === 'move')
    await tables.patch('devices', id, { project_id: there?.project_id === 'p' ? 'q' : 'p' });
  else if (what === 'remove') await tables.remove('devices', id);
  else if (what === 'put away' && there && !(await tables.get('kept_deletes', `kept ${id}`)))
    await putAway(tables, id);
  else if (what === 'refused') {
    await tables.patch('devices', id, { name: 'spoiled' });
    throw new Error('changed its mind');
  }
}
