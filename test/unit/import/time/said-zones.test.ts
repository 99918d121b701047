import { describe, expect, test } from 'vitest';
import { file, read, refusal } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

/* A zone that is said beside the times: in the names of their columns, in a column of its own, in units, in a title. */

const row = '2015-02-04 17:51:00';
const timesOf = async (text: string) => (await read(text)).times;

describe('a zone that is said beside the times counts, and is not asked for', () => {
  test.each([
    ['in the name of their column', file('Time (UTC+2),v', `${row},1`), '15:51'],
    ['in the name of their column', file('Time [+02:00],v', `${row},1`), '15:51'],
    ['in the name of their column', file('Zeit (Europe/Berlin),v', `${row},1`), '16:51'],
    ['behind the form of a date', file('Date (YYYY-MM-DD) (+02:00),v', `${row},1`), '15:51'],
    ['in that of the time of day', file('Date,Time (UTC+2),v', '2015-02-04,17:51:00,1'), '15:51'],
    ['in units', file('time,v', 'UTC+1,V', `${row},1`, `${row},2`), '16:51'],
    ['in a title', file('Logger 7', 'Time zone: Europe/Berlin', 'time,v', `${row},1`, `${row},2`), '16:51'],
    ['in a title', file('# all times are UTC-03:00', 'time,v', `${row},1`, `${row},2`), '20:51'],
    [
      'in a title above two columns with units',
      file('Time zone: +05:45', 'time;v', ';%', `${row};21`, `${row};22`),
      '12:06',
    ],
    [
      'in a title of two lines',
      file('elevation,timezone', '38.0,Europe/Berlin', '', 'time,v,w', `${row},1,2`, `${row},2,3`),
      '16:51',
    ],
    ['in a column', file('time,UTC offset,v', `${row},+01:00,1`), '16:51'],
    ['in a column', file('time,utc_offset,v', `${row},-5,1`), '22:51'],
    ['in a column', file('time,utc_offset_seconds,v', `${row},3600,1`), '16:51'],
    ['in a column', file('time,tz_cd,v', `${row},UTC+1,1`), '16:51'],
    ['in a column', file('time,v,timezone', `${row},1,America/New_York`), '22:51'],
  ])('%s', async (_, text, clock) => {
    expect((await timesOf(text))[0]).toBe(`2015-02-04T${clock}:00Z`);
    const { zone_needed, first, doubts, notes } = inspectText(text);
    expect(first).toBe(`2015-02-04T${clock}:00.000000Z`);
    expect(zone_needed).toBe(false);
    expect(doubts.filter(({ setting }) => setting === 'zone')).toEqual([]);
    expect(notes.join()).toMatch(/The times are of .* says/);
    expect((await read(text)).notes).not.toMatch(/say no zone/);
    expect((await read(text, { zone: 'UTC' })).times[0]).toBe('2015-02-04T17:51:00Z');
  });
});

test('a column says it for each row, and a row without one is refused', async () => {
  const rows = ['2015-03-29 01:30:00,CET,1', '2015-03-29 03:30:00,CEST,2'];
  const text = file('time,TZ,v', ...rows);
  expect(await timesOf(text)).toEqual(['2015-03-29T00:30:00Z', '2015-03-29T01:30:00Z']);
  expect(inspectText(text).doubts).toEqual([]);
  const many = Array.from({ length: 4000 }, () => rows.at(0) ?? '');
  expect(await refusal(file('time,TZ,v', ...many, '2015-03-29 05:30:00,,3'))).toMatch(
    /^line 4002: TZ must be the zone of the row's time, .* got ""; say the time zone where one holds for all rows \[zone=…\]/,
  );
});

describe('a zone by a name that has several meanings is doubted', () => {
  test.each([
    ['Time (PST),v', 'UTC-08:00', 'America/Los_Angeles', '2015-02-05T01:51:00Z'],
    ['Zeit [MEZ],v', 'UTC+01:00', 'Europe/Berlin', '2015-02-04T16:51:00Z'],
    ['Date Time EST,v', 'UTC-05:00', 'America/New_York', '2015-02-04T22:51:00Z'],
  ])('%s', async (head, zone, other, time) => {
    const text = file(head, `${row},1`, `${row},2`);
    expect(inspectText(text)).toMatchObject({
      zone_needed: false,
      doubts: [{ setting: 'zone', options: [zone, other] }],
    });
    const { times, notes } = await read(text);
    expect(times[0]).toBe(time);
    expect(notes).toContain(`is read as ${zone}, all year; it may mean ${other} as well`);
    expect(inspectText(text, { zone: other }).doubts).toEqual([]);
  });

  test('as are two that differ, of which the nearer one counts', () => {
    const text = file('Time zone: Europe/Berlin', 'Time (UTC+2),v', `${row},1`, `${row},2`);
    expect(inspectText(text).doubts).toMatchObject([
      { setting: 'first_line' },
      { setting: 'zone', options: ['UTC+2', 'Europe/Berlin'] },
    ]);
  });

  test('and a place in a title that does not say what of', () => {
    const text = file('Station America/New_York', 'time,v', `${row},1`, `${row},2`);
    expect(inspectText(text)).toMatchObject({
      zone_needed: true,
      doubts: [{ setting: 'first_line' }, { setting: 'zone', options: ['UTC', 'America/New_York'] }],
    });
    const zones = (zone: string) =>
      inspectText(text, { zone }).doubts.flatMap(({ setting, options }) =>
        setting === 'zone' ? options : [],
      );
    expect(zones('America/Chicago')).toEqual(['America/Chicago', 'America/New_York']);
    expect(zones('America/New_York')).toEqual([]);
  });
});

test('minutes of an offset may be counted either way, and are doubted', () => {
  expect(inspectText(file('time,timezoneOffset,v', `${row},300,1`)).doubts).toMatchObject([
    { setting: 'zone', options: ['UTC+05:00', 'UTC-05:00'], columns: ['time', 'timezoneOffset'] },
  ]);
});

test.each([
  ['an offset that was measured', 'time,offset,v', `${row},2,1`],
  ['a zone of a house', 'time,zone,v', `${row},3,1`],
  ['a place that is none', 'time,zone,v', `${row},Hall/North,1`],
  ['a unit', 'Time (LGR),v', `${row},1`],
])('%s is no zone', async (_, ...lines) => {
  const { times, notes } = await read(file(...lines));
  expect(times).toEqual(['2015-02-04T17:51:00Z']);
  expect(notes).toMatch(/say no zone/);
});

test.each([
  ['local_time,utc_time,v', '2015-02-04 18:51:00,2015-02-04 17:51:00,1'],
  ['Date Local,Time Local,Date GMT,Time GMT,v', '2015-02-04,18:51,2015-02-04,17:51,1'],
  ['local_time,epoch,v', '2015-02-04 18:51:00,1423072260,1'],
  ['LocalTime,UTCTime,v', '2015-02-04 18:51:00,2015-02-04 17:51:00,1'],
  ['Local Time,time_utc,v', '2015-02-04T18:51:00,2015-02-04T17:51:00Z,1'],
])('of a local time and one of UTC, that of UTC counts: %s', async (head, line) => {
  expect(await timesOf(file(head, line))).toEqual(['2015-02-04T17:51:00Z']);
  expect(inspectText(file(head, line))).toMatchObject({
    zone_needed: false,
    doubts: [{ setting: 'time_column' }],
  });
});
