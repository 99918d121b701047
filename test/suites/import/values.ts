import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../helpers/files/imports.ts';
import { file, type Imports } from './harness.ts';

/** Which values cells of CSV are. */
export function valueTests({ importFile, values }: Imports): void {
  describe('values of CSV', () => {
    test('are numbers, truths and texts; what says "no value" is absent', async () => {
      const text = file(
        'time,a,b,c',
        '2015-02-04 17:51:00,-1.5e3,true,open',
        '2015-02-04 17:52:00,+.5,FALSE,',
        '2015-02-04 17:53:00,NaN,null,NA',
        '2015-02-04 17:54:00,-0,,n/a',
      );
      expect(await values(text)).toEqual([{ a: -1500, b: true, c: 'open' }, { a: 0.5, b: false }, { a: -0 }]);
      const { result } = await importFile(text);
      expect(result).toMatchObject({ stored: 3, skipped: 1 });
      expect(result.notes).toContain('1 row without a value was left out.');
    });

    test('with decimal commas are numbers where commas are not delimiters', async () => {
      expect(await values(file('Zeit;T', '04.02.2015 17:51;21,5', '04.02.2015 17:52;-0,25'))).toEqual([
        { T: 21.5 },
        { T: -0.25 },
      ]);
      expect(await values(file('time,T', '2015-02-04 17:51,"21,5"', '2015-02-04 17:52,3'))).toEqual([
        { T: 21.5 },
        { T: 3 },
      ]);
    });

    test('in quotes are texts where other numbers stand bare, and numbers where everything is quoted', async () => {
      expect(
        await values(file('time,serial,t', '2015-02-04 17:51:00,"007",21.5', '2015-02-04 17:52:00,"",22')),
      ).toEqual([
        { serial: '007', t: 21.5 },
        { serial: '', t: 22 },
      ]);
      expect(
        await values(
          file('"time","serial","t"', '"2015-02-04 17:51:00","007","21.5"', '"2015-02-04 17:52:00","","22"'),
        ),
      ).toEqual([{ serial: '007', t: 21.5 }, { t: 22 }]);
    });

    test('of a column called timestamp that is not the time get another key', async () => {
      const text = file('timestamp,logged', '5,2015-02-04 17:51:00');
      expect(await values(text)).toEqual([{ 'timestamp column': 5 }]);
    });

    test('are those of the chosen columns', async () => {
      const text = file('index,time,a,b', '1,2015-02-04 17:51:00,3,4', '2,2015-02-04 17:52:00,5,');
      expect(await values(text)).toEqual([{ a: 3, b: 4 }, { a: 5 }]);
      expect(await values(text, { columns: 'b, index' })).toEqual([{ index: 1, b: 4 }, { index: 2 }]);
      expect(await refusalOf(importFile(text, { settings: { columns: 'a,c' } }))).toBe(
        'columns must be some of "index", "time", "a", "b", got "c"',
      );
    });
  });
}
