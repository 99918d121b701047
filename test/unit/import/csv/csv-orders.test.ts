import { expect, test } from 'vitest';
import { file, read } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

/* The order of day and month, where the name of a column says it. */

test.each([
  ['Date (MM/DD/YYYY)', '02/04/2015', '2015-02-04'],
  ['Date (DD/MM/YYYY)', '02/04/2015', '2015-04-02'],
  ['Datum TT.MM.JJJJ', '02.04.2015', '2015-04-02'],
  ['date [jj/mm/aaaa]', '02/04/2015', '2015-04-02'],
  ['date mm-dd-yyyy hh:mm', '02-04-2015', '2015-02-04'],
  ['Date (MM/DD/YY)', '02/04/15', '2015-02-04'],
  ['Date (yy-mm-dd)', '02-04-15', '2002-04-15'],
])('%s settles %s', async (name, text, day) => {
  const whole = file(`${name},v`, `${text},1`);
  expect((await read(whole)).times).toEqual([`${day}T00:00:00Z`]);
  expect(inspectText(whole)).toMatchObject({ doubts: [], date_order_unsure: false });
});

test('but not against what the dates say themselves, nor against what was chosen', async () => {
  const proved = file('Date (MM/DD/YYYY),v', '13/02/2015,1', '14/02/2015,2');
  expect((await read(proved)).times[0]).toBe('2015-02-13T00:00:00Z');
  const chosen = await read(file('Date (MM/DD/YYYY),v', '02/04/2015,1'), { date_order: 'day-first' });
  expect(chosen.times).toEqual(['2015-04-02T00:00:00Z']);
});

test.each(['date', 'Date (d/m)', 'Temp mm.dd'])('%s says none', (name) => {
  expect(inspectText(file(`${name},v`, '02/04/2015,1')).date_order_unsure).toBe(true);
});
