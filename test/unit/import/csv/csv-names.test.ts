import { describe, expect, test } from 'vitest';
import { file, NO_TIME, read } from '../../../helpers/files/csv-files.ts';

describe('a first row without names loses nothing', () => {
  test.each(['NaN', '?', 'NA', 'ERR', '---'])('where a sensor had no value: %s', async (missing) => {
    const rows = [`2015-02-04 17:51:00,${missing},1`, '2015-02-04 17:52:00,5,1', '2015-02-04 17:53:00,6,1'];
    const { times, values } = await read(file(...rows));
    expect(times).toHaveLength(3);
    expect(values[1]).toEqual({ 'column 2': 5, 'column 3': 1 });
  });

  test.each(['?', 'nan', '-'])('where only numbers stand beside it: %s', async (missing) => {
    const { values } = await read(file(`2,${missing},38.5`, '1,4,39.2', '2,3,38.3'), NO_TIME);
    expect(values.map((value) => value['column 3'])).toEqual([38.5, 39.2, 38.3]);
  });

  test('nor its fields, where commas stand before decimals of seconds and of values', async () => {
    const rows = [1, 2, 3].map((n) => `2015-02-04 17:5${n}:00,123;21,5;30,${n}`);
    const { times, values } = await read(rows.join('\n'));
    expect(times[0]).toBe('2015-02-04T17:51:00.123Z');
    expect(values[0]).toEqual({ 'column 2': 21.5, 'column 3': 30.1 });
  });

  test('while names that look like numbers and dates still are names', async () => {
    const numbers = file('depth,10,20', '1,2,3', '4,5,6');
    expect((await read(numbers, NO_TIME)).values[0]).toEqual({ depth: 1, 10: 2, 20: 3 });
    const dates = file('time,2015-02-04', '2015-02-04 17:51:00,2015-02-03', '2015-02-04 17:52:00,2015-02-03');
    expect((await read(dates)).values).toEqual([
      { '2015-02-04': '2015-02-03' },
      { '2015-02-04': '2015-02-03' },
    ]);
  });
});

describe('names may be what they like', () => {
  const times = ['2015-02-04 17:51:00', '2015-02-04 17:52:00'];

  test('as a second column of times whose key another column has', async () => {
    const text = file('time,timestamp,timestamp column', ...times.map((time, n) => `${time},${n},${n + 5}`));
    const { values, notes } = await read(text);
    expect(values).toEqual([
      { 'timestamp column 2': 0, 'timestamp column': 5 },
      { 'timestamp column 2': 1, 'timestamp column': 6 },
    ]);
    expect(notes).toMatch(/column "timestamp" is called "timestamp column 2" here/);
  });

  test('and with blanks around them can be chosen', async () => {
    const text = file('time," a ",b', ...times.map((time, n) => `${time},0${n},${n + 5}`));
    expect((await read(text, { columns: ' a ' })).values).toEqual([{ ' a ': '00' }, { ' a ': '01' }]);
    expect((await read(text, { columns: 'a', number_columns: 'a' })).values).toEqual([
      { ' a ': 0 },
      { ' a ': 1 },
    ]);
  });
});
