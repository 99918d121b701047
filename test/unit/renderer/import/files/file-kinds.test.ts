import * as fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Inspection } from '#shared/operations/records/records.ts';
import { changeItem, itemsOf, type FileItem } from '../../../../../renderer/import/files/file-items.ts';
import { inspectSample } from '../../../../../renderer/import/files/import-sample.ts';
import {
  addFiles,
  choose,
  enter,
  joinKind,
  moveFiles,
  partFile,
  placeTogether,
  removeItem,
} from '../../../../../renderer/import/files/look-at-files.ts';

vi.mock(import('../../../../../renderer/import/files/import-sample.ts'), { spy: true });
vi.mock(import('../../../../../renderer/bridge/bridge.ts'), () => ({}));
vi.mock(import('../../../../../renderer/bridge/ask.ts'), async (load) => ({
  ...(await load()),
  ask: vi.fn(() => Promise.resolve([])) as never,
}));

/* Files of one kind share what is chosen, but for those that were parted. */

/** Answers that looks at a file wait for, oldest first. */
let waiting: (() => void)[] = [];
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

async function answer(at = 0): Promise<void> {
  waiting.splice(at, 1)[0]?.();
  await turn();
}

async function answerAll(): Promise<void> {
  while (waiting.length > 0) await answer();
}

beforeEach(() => {
  waiting = [];
  // The first letter of a file says its kind, and whether its times carry a zone.
  vi.mocked(inspectSample).mockImplementation((file, choices) => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof inspectSample>>>();
    const [kind = ''] = file.name;
    const inspection = {
      columns: [{ name: kind.toLowerCase() }],
      problem: 'Choose the column of time.',
      doubts: [],
    } as unknown as Inspection;
    const needsZone = kind !== kind.toUpperCase();
    waiting.push(() => resolve({ inspection, choices: needsZone ? { zone: 'UTC', ...choices } : choices }));
    return promise;
  });
  for (const project_id of ['', 'p']) for (const { id } of itemsOf(project_id)) removeItem(project_id, id);
});

const add = (...names: string[]) =>
  addFiles(
    'p',
    names.map((name) => new File([''], name)),
    null,
  );
const at = (place: number): FileItem => itemsOf('p')[place]!;
const choicesOf = (place: number) => at(place).inspected?.choices;

describe('what is chosen for a file', () => {
  test('is for the others of its kind, and for none of another', async () => {
    add('a1', 'a2', 'b1', 'a3');
    await answerAll();
    void choose('p', at(1).id, { zone: 'UTC+02:00', date_order: 'day-first' });
    enter('p', at(1).id, { units: { a: '°C' }, existing: 'add' });
    // At once: an import that is begun now counts with it.
    for (const one of [0, 1, 3]) {
      expect(choicesOf(one)).toEqual({ zone: 'UTC+02:00', date_order: 'day-first' });
      expect([at(one).units, at(one).existing]).toEqual([{ a: '°C' }, 'add']);
    }
    expect([choicesOf(2), at(2).units, at(2).existing]).toEqual([{ zone: 'UTC' }, {}, 'skip']);
  });

  test('is for those that come later, but for that of files that are in: nothing would say so', async () => {
    add('a1');
    await answerAll();
    void choose('p', at(0).id, { zone: 'UTC+02:00' });
    add('a2', 'b1');
    await answerAll();
    expect([choicesOf(1)?.zone, choicesOf(2)?.zone]).toEqual(['UTC+02:00', 'UTC']);
    for (const { id } of itemsOf('p'))
      changeItem('p', id, { state: { name: 'done', result: {} as never, device_id: 'd' } });
    add('a3');
    await answerAll();
    expect(choicesOf(3)?.zone).toBe('UTC');
  });

  test('names a key for all, but what is called after a file is called after each file', async () => {
    add('a1.csv', 'a2.csv');
    await answerAll();
    void choose('p', at(0).id, { names: '{"value":"a1","t":"room"}' });
    expect(choicesOf(1)?.names).toBe('{"value":"a2","t":"room"}');
    // In one device it is one key.
    placeTogether('p', at(1).id, true);
    for (const one of [0, 1]) expect(choicesOf(one)?.names).toBe('{"value":"a","t":"room"}');
    placeTogether('p', at(1).id, false);
    expect([0, 1].map((one) => choicesOf(one)?.names)).toEqual([
      '{"value":"a1","t":"room"}',
      '{"value":"a2","t":"room"}',
    ]);
  });

  test('leaves the start to each, and the zone to those whose times carry one', async () => {
    add('a1', 'a2', 'A3');
    await answerAll();
    void choose('p', at(0).id, { zone: 'UTC', started: '2026-10-01' });
    void choose('p', at(1).id, { zone: 'UTC', started: '2026-10-02' });
    expect(choicesOf(0)?.started).toBe('2026-10-01');
    expect(choicesOf(2)).toEqual({});
    void choose('p', at(0).id, { zone: 'UTC+02:00', started: '2026-10-01', decimal_mark: ',' });
    expect(choicesOf(1)).toEqual({ zone: 'UTC+02:00', started: '2026-10-02', decimal_mark: ',' });
    expect(choicesOf(2)).toEqual({ decimal_mark: ',' });
    void choose('p', at(2).id, { decimal_mark: '.' });
    expect(choicesOf(0)).toEqual({ zone: 'UTC+02:00', started: '2026-10-01', decimal_mark: '.' });
  });

  test('is for one alone that was parted, until it is read as the others again', async () => {
    add('a1', 'a2', 'a3');
    await answerAll();
    partFile('p', at(0).id);
    void choose('p', at(0).id, { zone: 'UTC+01:00' });
    void choose('p', at(1).id, { zone: 'UTC+02:00' });
    expect([0, 1, 2].map((one) => choicesOf(one)?.zone)).toEqual(['UTC+01:00', 'UTC+02:00', 'UTC+02:00']);
    joinKind('p', at(0).id);
    expect(choicesOf(0)?.zone).toBe('UTC+02:00');
    void choose('p', at(0).id, { zone: 'UTC+03:00' });
    expect([0, 1, 2].map((one) => choicesOf(one)?.zone)).toEqual(['UTC+03:00', 'UTC+03:00', 'UTC+03:00']);
  });

  test('changes nothing of a file that is being imported', async () => {
    add('a1', 'a2');
    await answerAll();
    changeItem('p', at(1).id, { state: { name: 'importing', taken: null, cancel: () => {} } });
    void choose('p', at(0).id, { zone: 'UTC+02:00' });
    expect(choicesOf(1)?.zone).toBe('UTC');
  });

  test('stays with what was looked at before, where files are moved to others of their kind', async () => {
    add('a1', 'a2');
    addFiles('', [new File([''], 'a3'), new File([''], 'a4')], null);
    await answerAll();
    void choose('p', at(0).id, { zone: 'UTC+01:00' });
    void choose('', itemsOf('')[0]!.id, { zone: 'UTC+02:00' });
    moveFiles('p');
    const zones = () => itemsOf('p').map(({ inspected }) => inspected?.choices.zone);
    expect(zones()).toEqual(['UTC+01:00', 'UTC+01:00', 'UTC+02:00', 'UTC+02:00']);
    void choose('p', at(2).id, { zone: 'UTC+03:00' });
    expect(zones()).toEqual(['UTC+01:00', 'UTC+01:00', 'UTC+03:00', 'UTC+03:00']);
  });
});

describe('the order of dates', () => {
  const inspected = (choices: object, order: string, isUnsure: boolean) =>
    ({ inspection: { columns: [], date_order: order, date_order_unsure: isUnsure }, choices }) as never;

  /** Files by what is found of their dates: those whose name ends in "?" can be read either way. */
  function found(...names: string[]): void {
    vi.mocked(inspectSample).mockImplementation((file, choices) => {
      const order = choices.date_order ?? (file.name.startsWith('m') ? 'month-first' : 'day-first');
      const isUnsure = file.name.endsWith('?') && choices.date_order === undefined;
      return Promise.resolve(inspected(choices, order, isUnsure));
    });
    add(...names);
  }
  const orders = () => itemsOf('p').map(({ inspected: one }) => one?.choices.date_order);

  test('is told by a file whose dates are of one order, wherever it stands', async () => {
    found('d1?', 'm13', 'd2?');
    await turn();
    expect(orders()).toEqual(['month-first', undefined, 'month-first']);
    expect(itemsOf('p').map(({ told }) => told)).toEqual([
      { order: 'month-first', by: 'm13' },
      null,
      { order: 'month-first', by: 'm13' },
    ]);
    found('d3?');
    await turn();
    expect(orders().at(-1)).toBe('month-first');
  });

  test('is asked where files disagree, where none tells it, and of one that was parted', async () => {
    found('d1?', 'd2?');
    await turn();
    expect(orders()).toEqual([undefined, undefined]);
    partFile('p', at(0).id);
    found('m13');
    await turn();
    expect(orders()).toEqual([undefined, 'month-first', undefined]);
    for (const { id } of itemsOf('p')) removeItem('p', id);
    found('m13', 'd13', 'd1?');
    await turn();
    expect(orders()).toEqual([undefined, undefined, undefined]);
  });
});

interface Model {
  readonly kind: string;
  isLookedAt: boolean;
  isParted: boolean;
  zone: string;
  unit: string;
}

const acts = fc.array(
  fc.record({
    act: fc.constantFrom('add', 'zone', 'unit', 'part', 'join', 'answer', 'answer'),
    on: fc.nat(50),
    kind: fc.constantFrom('a', 'b'),
    value: fc.constantFrom('UTC+01:00', 'UTC+02:00', 'UTC+03:00'),
  }),
  { maxLength: 40 },
);

test('whatever is added, chosen, parted and joined, files of a kind are read alike', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (steps) => {
      waiting = [];
      for (const { id } of itemsOf('p')) removeItem('p', id);
      const files: Model[] = [];
      const readAs = (file: Model, other: Model | undefined) =>
        other && Object.assign(file, { zone: other.zone, unit: other.unit });
      const alike = (file: Model) =>
        files.filter((one) => one !== file && one.kind === file.kind && one.isLookedAt && !one.isParted);
      /** Those that were looked at meanwhile are read as the others of their kind. */
      const settle = () => {
        for (const [place, { inspected }] of itemsOf('p').entries()) {
          const file = files[place]!;
          if (inspected === null || file.isLookedAt) continue;
          readAs(file, alike(file).at(-1));
          file.isLookedAt = true;
        }
      };
      for (const { act, on, kind, value } of steps) {
        if (act === 'add') {
          add(`${kind}${files.length}`);
          files.push({ kind, isLookedAt: false, isParted: false, zone: 'UTC', unit: '' });
        } else if (act === 'answer') await answer(waiting.length === 0 ? 0 : on % waiting.length);
        settle();
        const seen = files.filter(({ isLookedAt }) => isLookedAt);
        const file = seen[on % Math.max(1, seen.length)];
        if (file === undefined) continue;
        const { id, inspected } = at(files.indexOf(file));
        const others = file.isParted ? [] : alike(file);
        if (act === 'zone') {
          void choose('p', id, { ...inspected?.choices, zone: value });
          for (const one of [file, ...others]) one.zone = value;
        } else if (act === 'unit') {
          enter('p', id, { units: { q: value } });
          for (const one of [file, ...others]) one.unit = value;
        } else if (act === 'part') {
          partFile('p', id);
          file.isParted = true;
        } else if (act === 'join') {
          joinKind('p', id);
          file.isParted = false;
          readAs(file, alike(file).at(-1));
        }
        const shown = itemsOf('p').map((item) => [item.inspected?.choices.zone, item.units['q'] ?? '']);
        expect(shown).toEqual(files.map((one) => (one.isLookedAt ? [one.zone, one.unit] : [undefined, ''])));
      }
    }),
  );
});
