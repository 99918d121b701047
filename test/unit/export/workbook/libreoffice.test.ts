import { expect, test } from 'vitest';
import { openedByLibreOffice } from '../../../helpers/files/workbooks.ts';
import { isLeftOut } from '../../../helpers/left-out.ts';
import { bytesOf, record, sheetsOf, TIME } from './made-workbook.ts';

const noOffice = isLeftOut('workbooks as LibreOffice opens them', ['soffice']);

test.skipIf(noOffice)(
  'LibreOffice opens it: times, numbers and texts are what they were, and no text is a formula',
  async () => {
    const records = [
      record(TIME, { n: 20.5, on: true, text: '=1+1' }),
      record(TIME + 1_000_000, { n: -3, text: 'a "b", _x000D_ ☃\n2nd\u0001' }),
      record(TIME + 2_000_000, { n: 2 ** 60, on: false, text: '007' }),
    ];
    const bytes = await bytesOf({
      devices: [
        { name: 'Kühlraum/1', pieces: sheetsOf(records, ['n', 'on', 'text']) },
        { name: 'leer', pieces: sheetsOf([], ['n']) },
      ],
      tables: [{ name: 'Notes', columns: [{ title: 'note', width: 9 }], rows: [['+note']] }],
    });
    expect((await openedByLibreOffice(bytes, 1)).split('\n')).toEqual([
      'timestamp (UTC),n,on,text,exact timestamp',
      '2026-03-02 20:30:21.203,20.5,TRUE,=1+1,2026-03-02T20:30:21.202946Z',
      '2026-03-02 20:30:22.203,-3,,"a ""b"", _x000D_ ☃',
      '2nd\u0001",2026-03-02T20:30:22.202946Z',
      '2026-03-02 20:30:23.203,1152921504606847000,FALSE,007,2026-03-02T20:30:23.202946Z',
      '',
    ]);
    expect(await openedByLibreOffice(bytes, 3)).toBe('note\n+note\n');
  },
);
