import { describe, expect, test } from 'vitest';
import { file, read, refusal } from '../../../helpers/files/csv-files.ts';

/* Times that loggers write as few others do. */

test.each([
  ['4. Mär 2015 17:51', '2015-03-04T17:51:00Z'],
  ['04-Mrz-2015', '2015-03-04T00:00:00Z'],
  ['04-Mai-2015 17:51', '2015-05-04T17:51:00Z'],
  ['4 févr. 2015 17:51:02', '2015-02-04T17:51:02Z'],
  ['4 août 2015', '2015-08-04T00:00:00Z'],
  ['4 juin 2015', '2015-06-04T00:00:00Z'],
  ['4 juil. 2015', '2015-07-04T00:00:00Z'],
  ['04-dic-2015', '2015-12-04T00:00:00Z'],
  ['4 Dez 2015', '2015-12-04T00:00:00Z'],
  ['4 Mar 2015', '2015-03-04T00:00:00Z'],
])('%s, a month by its name in some language', async (text, time) => {
  expect((await read(file('Datum;v', `${text};1`))).times).toEqual([time]);
});

describe('24:00', () => {
  test.each([
    ['time;v', '04.02.2015 23:00;1', '04.02.2015 24:00;2', '05.02.2015 01:00;3'],
    ['Datum;Zeit;v', '2015-02-04;23:00:00;1', '2015-02-04;24:00:00;2', '2015-02-05;01:00:00;3'],
  ])('is the end of its day: %s', async (...lines) => {
    expect((await read(file(...lines))).times).toEqual([
      '2015-02-04T23:00:00Z',
      '2015-02-05T00:00:00Z',
      '2015-02-05T01:00:00Z',
    ]);
  });

  test('and nothing is behind it', async () => {
    const { result } = await read(file('time,v', '2015-02-04 23:00,1', '2015-02-04 24:01,2'), {
      on_error: 'keep',
    });
    expect(result).toMatchObject({ stored: 1, errors: [{ line: 3 }] });
  });
});

test('an annotated CSV of InfluxDB, by the time of its records', async () => {
  const day = '2015-02-04T00:00:00Z,2015-02-05T00:00:00Z';
  const { times, values } = await read(
    file(
      '#group,false,false,true,true,false,false,true',
      '#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string',
      '#default,_result,,,,,,',
      ',result,table,_start,_stop,_time,_value,_field',
      `,,0,${day},2015-02-04T17:51:00Z,21.5,temp`,
      `,,0,${day},2015-02-04T17:52:00Z,21.6,temp`,
    ),
  );
  expect(times).toEqual(['2015-02-04T17:51:00Z', '2015-02-04T17:52:00Z']);
  expect(values[0]).toMatchObject({ _value: 21.5, _field: 'temp' });
});

test('a date with two digits behind, which may be an hour or an offset, is refused', async () => {
  expect(await refusal(file('time,v', '2015-02-04-17,1', '2015-02-04-18,2'))).toMatch(
    /^time_column is required/,
  );
  expect((await read(file('time,v', '2015-02-04-05:00,1'))).times).toEqual(['2015-02-04T05:00:00Z']);
});

describe('a date of eight digits', () => {
  test('is read with the time of day beside it', async () => {
    const text = file('date,time,v', '20150204,17:51:00,1', '20150204,17:52:00,2');
    expect((await read(text)).times).toEqual(['2015-02-04T17:51:00Z', '2015-02-04T17:52:00Z']);
  });

  test('says that its rows share a time, where the time of day is not read', async () => {
    const text = file('UTC_DATE,UTC_TIME,v', '20150204,1700,1', '20150204,1800,2');
    expect((await read(text)).notes).toMatch(/"UTC_DATE" holds dates without a time of day.* 1 row has that/);
  });
});
