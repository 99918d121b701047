import { describe, expect, test } from 'vitest';
import { inspectFile } from '#core/import/inspect.ts';
import { PRESENT } from '../../../helpers/clock.ts';
import { importFile, refusalOf } from '../../../helpers/files/imports.ts';

/* docs/local-api.md, "Import and export": columns get other keys, and a row of units is no record. */

const WITH_UNITS =
  'time,temperature,humidity,state\n,°C,%,\n' +
  ['00', '01', '02'].map((s) => `2026-01-01T00:00:${s}Z,20.5,41,on\n`).join('');

describe('a row of units', () => {
  test('is recognised, told, and no record', async () => {
    const found = inspectFile({ now: PRESENT, head: Buffer.from(WITH_UNITS), complete: true });
    expect(found.units_row).toBe(true);
    expect(found.columns.map(({ name, unit }) => [name, unit])).toEqual([
      ['time', undefined],
      ['temperature', '°C'],
      ['humidity', '%'],
      ['state', undefined],
    ]);
    const { records, result } = await importFile(WITH_UNITS);
    expect([records.length, result.skipped, records[0]?.values]).toEqual([3, 0, [20.5, 41, 'on']]);
  });

  test('is what it is said to be', async () => {
    expect(await refusalOf(importFile(WITH_UNITS, { settings: { units_row: 'no', zone: 'UTC' } }))).toContain(
      'line 2',
    );
    const plain = 'time,a\n2026-01-01T00:00:00Z,1\n2026-01-01T00:00:01Z,2\n';
    expect((await importFile(plain)).records.length).toBe(2);
    expect((await importFile(plain, { settings: { units_row: 'yes' } })).records.length).toBe(1);
  });

  test('is not a first row without values or with words, beside times', async () => {
    for (const first of [
      '2026-01-01T00:00:00Z,,',
      '2026-01-01T00:00:00Z,NA,idle',
      '2026-01-01T00:00:00Z,°C,%',
    ]) {
      const file = `time,a,b\n${first}\n2026-01-01T00:00:01Z,1,2\n2026-01-01T00:00:02Z,1,2\n`;
      expect(inspectFile({ now: PRESENT, head: Buffer.from(file), complete: true }).units_row).toBe(false);
    }
  });
});

describe('a line that is said to hold units', () => {
  const inspected = (text: string, settings: { readonly units_line: number; readonly first_line?: number }) =>
    inspectFile({ now: PRESENT, head: Buffer.from(text), complete: true, ...settings });

  test('counts below the names, with what stands between left out', async () => {
    const text = 'time,a\nfirst,Inlet\n,°C\n2026-01-01T00:00:00Z,1\n2026-01-01T00:00:01Z,2\n';
    const found = inspected(text, { units_line: 3 });
    expect(found.columns[1]?.unit).toBe('°C');
    expect(found.head_lines).toEqual([
      { line: 1, text: 'time,a', holds: 'names' },
      { line: 2, text: 'first,Inlet', holds: 'other' },
      { line: 3, text: ',°C', holds: 'units' },
    ]);
    const { records } = await importFile(text, { settings: { units_line: 3 } });
    expect(records.map(({ values }) => values)).toEqual([[1], [2]]);
  });

  test('counts above the names, and takes no row below them', async () => {
    const text = 'Logger 7\n;°C\ntime;a\n2026-01-01T00:00:00Z;1,5\n2026-01-01T00:00:01Z;2,5\n';
    const found = inspected(text, { units_line: 2, first_line: 3 });
    expect([found.first_line, found.units_line, found.columns[1]?.unit]).toEqual([3, 2, '°C']);
    const { records } = await importFile(text, { settings: { units_line: 2, first_line: 3 } });
    expect(records.map(({ values }) => values)).toEqual([[1.5], [2.5]]);
  });

  test('is refused among the data, which loses nothing', async () => {
    expect(await refusalOf(importFile(WITH_UNITS, { settings: { units_line: 5 } }))).toContain(
      'units_line must be a line above the names, or one of the 3 rows below them, got 5',
    );
  });
});

describe('names', () => {
  const file = 'time,value,other\n2026-01-01T00:00:00Z,1,2\n2026-01-01T00:00:01Z,3,4\n';

  test('are the keys of the columns they are for', async () => {
    const { records } = await importFile(file, { settings: { names: { value: 'temperature' } } });
    expect(records.map(({ keys }) => [...keys].toSorted())).toEqual([
      ['other', 'temperature'],
      ['other', 'temperature'],
    ]);
  });

  test('differ, and are for columns of the file', async () => {
    expect(await refusalOf(importFile(file, { settings: { names: { value: 'other' } } }))).toContain(
      'names must give each column a key of its own, got "other" for two of them',
    );
    expect(await refusalOf(importFile(file, { settings: { names: { valeu: 'a' } } }))).toContain(
      'names must be for some of "time", "value", "other", got "valeu"',
    );
    expect(await refusalOf(importFile('{"a":1}\n', { settings: { names: { a: 'b' } } }))).toContain(
      'names is for CSV',
    );
    const { records } = await importFile(file, { settings: { names: { value: 'other', other: 'value' } } });
    expect(records[0]).toMatchObject({ keys: ['other', 'value'], values: [1, 2] });
  });
});
