import {
  array,
  assert,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  record,
  type Arbitrary,
} from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyRow } from '#core/store/metadata/any-row.ts';
import { LiveTable, type UnreadRows } from '#core/store/metadata/tables/live-tables.ts';
import { aDevice, hashOf } from '../../../suites/metadata/rows.ts';
import { metadataFolder } from './metadata-folder.ts';

/* Rows that are read when one of them is asked for: nobody can tell, but by the time that it takes. */

const row = (n: number, project: number, sequence = n): AnyRow => ({
  id: `d${n}`,
  sequence,
  project_id: `p${project}`,
  token_hash: hashOf(n),
});

/** Rows of which so many are read together, and how often that was done for each of them. */
function unread(rows: readonly AnyRow[], together: number): UnreadRows & { readonly reads: number[] } {
  const reads: number[] = [];
  return {
    reads,
    ids: rows.map(({ id }) => id),
    around(i) {
      const from = i - (i % together);
      reads.push(from);
      return { from, rows: rows.slice(from, from + together) };
    },
  };
}

type Act =
  | { readonly type: 'get' | 'has' | 'remove' | 'hash'; readonly n: number }
  | { readonly type: 'put'; readonly n: number; readonly project: number; readonly isMadeAgain: boolean }
  | { readonly type: 'list' | 'count'; readonly project: number | null }
  | { readonly type: 'size' };

const [n, project] = [nat({ max: 14 }), nat({ max: 2 })];
const acts: Arbitrary<readonly Act[]> = array(
  oneof(
    { weight: 6, arbitrary: record({ type: constantFrom('get', 'has', 'remove', 'hash'), n }) },
    {
      weight: 3,
      arbitrary: record({
        type: constant('put' as const),
        n,
        project,
        isMadeAgain: constantFrom(true, false),
      }),
    },
    {
      weight: 1,
      arbitrary: record({
        type: constantFrom('list', 'count'),
        project: oneof(project, constant(null)),
      }),
    },
    { weight: 1, arbitrary: record({ type: constant('size' as const) }) },
  ) as Arbitrary<Act>,
  { maxLength: 30 },
);

function run(table: LiveTable, given: readonly Act[]): unknown[] {
  let next = 100;
  return given.map((act) => {
    switch (act.type) {
      case 'get':
        return table.get(`d${act.n}`);
      case 'has':
        return table.has(`d${act.n}`);
      case 'hash':
        return table.byHash(hashOf(act.n));
      case 'remove':
        return table.remove(`d${act.n}`);
      case 'put': {
        const sequence = act.isMadeAgain ? next++ : (table.get(`d${act.n}`)?.sequence ?? next++);
        return table.put(row(act.n, act.project, sequence));
      }
      case 'list':
        return table.list(act.project === null ? {} : { project_id: `p${act.project}` });
      case 'count':
        return table.count(act.project === null ? {} : { project_id: `p${act.project}` });
      case 'size':
        return table.size;
    }
  });
}

test('random acts find what they find where all rows were read at once', () => {
  assert(
    property(array(project, { maxLength: 12 }), integer({ min: 1, max: 5 }), acts, (of, together, given) => {
      const rows = of.map((each, i) => row(i, each));
      const source = unread(rows, together);
      expect(run(new LiveTable('devices', source), given)).toEqual(
        run(new LiveTable('devices', rows), given),
      );
      expect(source.reads).toEqual([...new Set(source.reads)]);
    }),
    { numRuns: 2000 },
  );
});

test('what needs no row reads none, and a row only those beside it', () => {
  const source = unread(
    Array.from({ length: 10 }, (_, i) => row(i, 0)),
    3,
  );
  const table = new LiveTable('devices', source);
  expect([table.size, table.count({}), table.has('d9'), table.has('none')]).toEqual([10, 10, true, false]);
  expect(source.reads).toEqual([]);
  expect([table.get('d4'), table.get('d5'), table.get('none')]).toEqual([row(4, 0), row(5, 0), undefined]);
  expect(source.reads).toEqual([3]);
});

const { openStore } = metadataFolder();

test('thousands of rows with ids of every kind are as they were after another start', async () => {
  const kinds = ['plain', 'with "quotes"', 'back\\slash', 'ü€😀', 'line\nfeed', '}', '":{', ''];
  const ids = Array.from({ length: 3000 }, (_, i) => `${kinds[i % kinds.length]}${i}`);
  const first = await openStore();
  const made = await first.change((tables) =>
    ids.map((id, i) => tables.insert('devices', aDevice(id, 'p', i))),
  );
  await first.close();
  const again = await openStore();
  expect(await again.read((tables) => tables.get('devices', ids[1]!))).toEqual(made[1]);
  await again.change((tables) => tables.remove('devices', ids[1500]!));
  expect(await again.read((tables) => tables.get('devices', ids[2999]!))).toEqual(made[2999]);
  await again.close();
  const last = await openStore();
  expect(await last.read((tables) => tables.list('devices'))).toEqual(made.filter((_, i) => i !== 1500));
});
