import { describe, expect, test } from 'vitest';
import { file, read, refusal } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

/* A date, its time of day and AM or PM may each stand in a column of their own. */

describe('AM and PM in a column of their own', () => {
  test.each([
    ['beside date and time', 'Date,Time,AM/PM,v', ['2023-01-13,1:30,PM,1', '2023-01-14,12:10,AM,2']],
    ['beside both in one', 'Timestamp,Period,v', ['1/13/2023 1:30,PM,1', '1/14/2023 12:10,AM,2']],
    ['with points', 'Date;Time;Half;v', ['13.01.2023;1:30;p.m.;1', '14.01.2023;12:10;a.m.;2']],
    ['before the time', 'half,time,v', ['PM,2023-01-13 1:30,1', 'AM,2023-01-14 12:10,2']],
  ])('are read with the times: %s', async (_, names, rows) => {
    const text = file(names, ...rows);
    const { times, values, notes } = await read(text);
    expect(times).toEqual(['2023-01-13T13:30:00Z', '2023-01-14T00:10:00Z']);
    expect(values).toEqual([{ v: 1 }, { v: 2 }]);
    expect(notes).toMatch(/AM and PM of the times stand in a column of their own, "[^"]+"; they are read/);
    expect(inspectText(text).row_times).toEqual([
      '2023-01-13T13:30:00.000000Z',
      '2023-01-14T00:10:00.000000Z',
    ]);
  });

  test('may say the zone of the times in the name of their column', async () => {
    const text = file('Date;Time;AM/PM (MEZ);v', '2023-01-13;1:30;PM;1', '2023-01-14;12:10;AM;2');
    expect((await read(text)).times).toEqual(['2023-01-13T12:30:00Z', '2023-01-13T23:10:00Z']);
  });

  test('are texts beside a clock of 24 hours', async () => {
    const { times, values } = await read(
      file('time,half,v', '2023-01-13 13:30,PM,1', '2023-01-14 00:10,AM,2'),
    );
    expect(times).toEqual(['2023-01-13T13:30:00Z', '2023-01-14T00:10:00Z']);
    expect(values).toEqual([
      { half: 'PM', v: 1 },
      { half: 'AM', v: 2 },
    ]);
  });

  test('must stand in each row', async () => {
    expect(await refusal(file('time,half,v', '2023-01-13 1:30,PM,1', '2023-01-14 2:30,,2'))).toMatch(
      /^line 3: time must be a time like "2023-01-13 1:30 PM", got "2023-01-14 2:30/,
    );
  });
});

describe('times of day beside dates that are written as nothing reads them', () => {
  test.each([
    ['hhmm', '0730'],
    ['Heure', '07h30'],
    ['Stunde', '7'],
  ])('are told, in one row a day too: %s as %s', async (name, written) => {
    const text = file(`Date;${name};T`, `2023-01-13;${written};1.5`, `2023-01-14;${written};2`);
    const said = `"${name}" may hold the times of day of "Date", such as "${written}", which are read without them`;
    expect((await read(text)).notes).toContain(said);
    expect(
      inspectText(text)
        .doubts.map(({ message }) => message)
        .join(),
    ).toContain(said);
  });

  test.each([
    ['v', '1528'],
    ['Zeit (UTC-03:30)', '16h43'],
    ['x', '0137'],
    ['x', '1h30'],
  ])('are told by how they are written: %s as %s', (name, written) => {
    const text = (other: string) =>
      file(`Date;${name};T`, `2023-01-13;${written};1`, `2023-01-14;${other};2`);
    const columns = (other: string) => inspectText(text(other)).doubts.map((doubt) => doubt.columns);
    expect(columns(written)).toEqual([['Date', name]]);
    expect(columns('1013.5')).toEqual([]);
  });

  test('and so are rows of one date, already where the file is looked at', () => {
    const text = file('day,run,T', '2023-01-13,a,1', '2023-01-13,b,2', '2023-01-14,a,3');
    expect(inspectText(text).doubts).toMatchObject([
      { columns: ['day'], message: expect.stringMatching(/1 row has that of the row before/) as string },
    ]);
  });
});
