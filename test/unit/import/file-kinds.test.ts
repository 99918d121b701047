import { describe, expect, test } from 'vitest';
import type { ImportSettings } from '#shared/operations/records/records.ts';
import { read, refusal } from '../../helpers/files/csv-files.ts';
import { importFile } from '../../helpers/files/imports.ts';

describe('a file is text in its encoding', () => {
  const text = 'time;°C\n2015-02-04 17:51:00;21,5\n2015-02-04 17:52:00;ü€';
  const expected = [{ '°C': 21.5 }, { '°C': 'ü€' }];
  const utf16 = (mark: string) => Buffer.from(mark + text, 'utf16le');
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

  test('that its first bytes say, or that was chosen', async () => {
    expect((await read(utf16('\uFEFF'))).values).toEqual(expected);
    expect((await read(swapped(utf16('\uFEFF')))).values).toEqual(expected);
    expect((await read(utf16(''))).values).toEqual(expected);
    const latin = Buffer.from(text.replace('€', '\u0080'), 'latin1');
    expect((await read(latin, { encoding: 'windows-1252' })).values).toEqual(expected);
    expect(await refusal(Buffer.from(text.replace('ü', '\u0081'), 'latin1'))).toMatch(
      /^line 1: the file must be UTF-8 text.*or choose its encoding, such as "windows-1252"/,
    );
    expect((await read(utf16('').subarray(0), { encoding: 'utf-16le' })).values).toEqual(expected);
  });

  test('as NDJSON may be too', async () => {
    const lines = '{"timestamp":0,"a":"ü"}\r{"timestamp":1,"a":2}\r';
    expect((await read(Buffer.from(`\uFEFF${lines}`, 'utf16le'))).values).toEqual([{ a: 'ü' }, { a: 2 }]);
  });

  test.each<[string, Uint8Array, RegExp]>([
    [
      'xlsx',
      Buffer.from('PK\u0003\u0004\u0014\u0000\u0006\u0000[Content_Types].xml xl/workbook.xml'),
      /it is an Excel workbook. Save it as CSV UTF-8/,
    ],
    ['xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /it is an old Excel workbook/],
    [
      'ods',
      Buffer.from('PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      /it is an OpenDocument file/,
    ],
    ['zip', Buffer.from('PK\u0003\u0004\u0014recording.csv'), /it is a zip archive. Unpack it/],
    ['pdf', Buffer.from('%PDF-1.7\n1,2\n'), /it is a PDF document/],
    ['gzip', Buffer.from('1f8b0800', 'hex'), /it is packed with gzip/],
    ['parquet', Buffer.from('PAR1'), /it is a Parquet file/],
    ['html', Buffer.from('<!DOCTYPE html><html>'), /it is a web page/],
  ])('and no %s', async (_, bytes, message) => {
    expect(await refusal(bytes)).toMatch(message);
    expect(await refusal(bytes, { encoding: 'windows-1252', on_error: 'keep' })).toMatch(message);
  });
});

describe('settings are judged whatever the format', () => {
  const ndjson = '{"timestamp":0,"a":1}\n';

  test.each<[ImportSettings, RegExp]>([
    [{ zone: 'Mars/X' }, /^zone must be an IANA time zone.*got "Mars\/X"/],
    [{ zone: '' }, /^zone must be/],
    [{ columns: 'b' }, /^columns is for CSV, and this file is NDJSON.*got "b"/],
    [{ time_column: 'when' }, /^time_column is for CSV/],
  ])('%j', async (settings, message) => {
    expect(await refusal(ndjson, settings)).toMatch(message);
  });
});

test('a file whose span holds records already says so', async () => {
  const { result } = await importFile('time,a\n2015-02-04 17:51:00,1\n2015-02-04 17:52:00,1', { present: 2 });
  expect(result.notes[0]).toMatch(
    /^2 records of this device already lay between 2015-02-04T17:51:00.000000Z and 2015-02-04T17:52:00.000000Z/,
  );
});
