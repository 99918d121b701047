import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Column } from '#shared/operations/records/records.ts';
import {
  isIn,
  keysOf,
  renameColumn,
  sayLine,
  setType,
  tickColumns,
  tickFirst,
  typeOf,
  valueColumns,
} from '../../../../renderer/import/columns.ts';
import type { ImportChoices } from '../../../../renderer/import/import-choices.ts';

const column = (name: string, short_name?: string): Column => ({
  name,
  role: 'value',
  kind: 'number',
  ...(short_name !== undefined && { short_name }),
});
const time: Column = { name: 'time', role: 'time', kind: 'time' };
const file = (...names: string[]) => ({ columns: [time, ...names.map((name) => column(name))] });
const importedOf = (choices: ImportChoices, { columns }: { readonly columns: Column[] }) =>
  valueColumns({ columns }).flatMap(({ name }) => (isIn(choices)(name) ? [name] : []));

describe('columns', () => {
  test('are ticked and left out one by one and many at once', () => {
    const found = file('a', 'b', 'c');
    const without = tickColumns({}, found, new Set(['b']), false);
    expect(without.columns).toBe('a,c');
    expect(tickColumns(without, found, new Set(['b']), true).columns).toBeUndefined();
    const none = tickColumns({}, found, new Set(['a', 'b', 'c']), false);
    expect(importedOf(none, found)).toEqual([]);
    expect(importedOf(tickColumns(none, found, new Set(['c']), true), found)).toEqual(['c']);
  });

  test('that are too many for a record are cut to the first ones', () => {
    const found = file(...Array.from({ length: 300 }, (_, n) => `k${n}`));
    const chosen = importedOf(tickFirst({}, found), found);
    expect([chosen.length, chosen.at(-1)]).toEqual([256, 'k255']);
  });

  test('that only count the rows come in when they are ticked', () => {
    const columns: Column[] = [{ name: 'n', role: 'row-number', kind: 'number' }, time, column('a')];
    expect(tickColumns({}, { columns }, new Set(['n']), true)).toEqual({
      columns: undefined,
      row_numbers: 'keep',
    });
    expect(tickColumns({ columns: '' }, { columns }, new Set(['n']), true).columns).toBe('n');
  });

  test('are ticked as a set would be, whatever the order of the clicks', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const found = file(...names);
    const clicks = fc.array(fc.tuple(fc.subarray(names), fc.boolean()), { maxLength: 12 });
    fc.assert(
      fc.property(clicks, (all) => {
        let choices: ImportChoices = {};
        const model = new Set(names);
        for (const [some, ticked] of all) {
          choices = tickColumns(choices, found, new Set(some), ticked);
          for (const name of some)
            if (ticked) model.add(name);
            else model.delete(name);
        }
        expect(importedOf(choices, found)).toEqual(names.filter((name) => model.has(name)));
      }),
    );
  });
});

describe('keys', () => {
  const temperature = column('Temperatur (°C)', 'Temperatur');

  test('are names without their units, until a name is given', () => {
    expect(keysOf({}, [time, temperature, column('Flow')], [])).toEqual({ 'Temperatur (°C)': 'Temperatur' });
    const named = renameColumn({}, keysOf({}, [temperature], []), 'Temperatur (°C)', 'supply');
    expect(keysOf(named, [temperature], [])).toEqual({ 'Temperatur (°C)': 'supply' });
    // The name as the file has it is a choice, too.
    const whole = renameColumn({}, keysOf({}, [temperature], []), 'Temperatur (°C)', '');
    expect(keysOf(whole, [temperature], [])).toEqual({});
  });

  test('stay whole where two would be the same, where another column is called so, and where the device has them', () => {
    const twins = [column('T (°C)', 'T'), column('T (°F)', 'T')];
    expect(keysOf({}, twins, [])).toEqual({});
    expect(keysOf({}, [column('T (°C)', 'T'), column('T')], [])).toEqual({});
    expect(keysOf({}, [temperature], ['Temperatur (°C)'])).toEqual({});
    expect(keysOf({}, [temperature], ['Temperatur'])).toEqual({ 'Temperatur (°C)': 'Temperatur' });
    expect(keysOf({}, [column('timestamp (s)', 'timestamp'), column('a,b (K)', 'a,b')], [])).toEqual({});
  });

  test('never come twice', () => {
    const short = fc.constantFrom('T', 'p', 'T (°C)', 'q');
    const columns = fc.uniqueArray(
      fc.tuple(fc.constantFrom('T', 'p', 'T (°C)', 'p (bar)', 'T (K)', 'q'), short),
      {
        selector: ([name]) => name,
      },
    );
    fc.assert(
      fc.property(columns, (pairs) => {
        const all = pairs.map(([name, to]) => column(name, to));
        const keys = keysOf({}, all, []);
        const used = all.map(({ name }) => keys[name] ?? name);
        expect(new Set(used).size).toBe(used.length);
      }),
    );
  });
});

test('a type is chosen for a column and taken back', () => {
  const text = setType({}, 'zip', 'text');
  expect([typeOf(text, 'zip'), typeOf(text, 'other'), text.text_columns]).toEqual(['text', 'auto', 'zip']);
  const number = setType(text, 'zip', 'number');
  expect([typeOf(number, 'zip'), number.text_columns]).toEqual(['number', undefined]);
  expect(typeOf(setType(number, 'zip', 'auto'), 'zip')).toBe('auto');
});

test('a line is said to hold names, units or data, and what was chosen for columns of other names goes', () => {
  const choices: ImportChoices = {
    columns: 'a',
    names: '{}',
    units_row: 'yes',
    zone: 'UTC',
    time_column: 'a',
  };
  expect(sayLine(choices, 3, 'names')).toEqual({ zone: 'UTC', first_line: 3, header: 'yes' });
  expect(sayLine({ ...choices, time_column: '' }, 3, 'data')).toEqual({
    zone: 'UTC',
    time_column: '',
    first_line: 3,
    header: 'no',
  });
  expect(sayLine(choices, 2, 'units')).toEqual({
    columns: 'a',
    names: '{}',
    zone: 'UTC',
    time_column: 'a',
    units_line: 2,
  });
  expect(sayLine({ units_line: 4 }, 4, 'no-units')).toEqual({ units_row: 'no' });
});
