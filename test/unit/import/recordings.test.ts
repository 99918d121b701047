import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectFile } from '#core/import/inspect.ts';
import type { StoredRecord } from '#core/store/store.ts';
import { PRESENT } from '../../helpers/clock.ts';
import { importFile, plain } from '../../helpers/files/imports.ts';
import { lookAlike, recordings, RECORDINGS, type Recording } from '../../helpers/files/recordings.ts';

/** Reads such a file without any of the importer's code: no text of theirs holds a comma or a quote. */
function readNaively(text: string, { rowNumbers, keys }: Recording) {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const fields = line
        .replaceAll('"', '')
        .split(',')
        .slice(rowNumbers ? 1 : 0);
      return {
        timestamp: Date.parse(`${fields[0]?.replace(' ', 'T')}Z`) * 1000,
        data: Object.fromEntries(keys.map((key, index) => [key, Number(fields[index + 1])])),
      };
    });
}

const asPlain = (record: StoredRecord) => ({ timestamp: record.timestamp, data: plain(record) });

function itIsImportedRight(recording: Recording, text: () => string, rows: number) {
  test('is understood before it is imported', () => {
    const beginning = text().slice(0, 65_536);
    const inspection = inspectFile({
      now: PRESENT,
      head: Buffer.from(beginning),
      complete: beginning.length === text().length,
    });
    expect(inspection).toMatchObject({
      format: 'csv',
      delimiter: ',',
      time_column: recording.time,
      zone_needed: true,
    });
    expect(inspection.time_format).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d, no zone$/);
    expect(inspection.columns.map(({ role }) => role)).toEqual([
      ...(recording.rowNumbers ? ['row-number'] : []),
      'time',
      ...recording.keys.map(() => 'value'),
    ]);
    expect(inspection.columns.slice(-recording.keys.length)).toEqual(
      recording.keys.map((name) => ({ name, role: 'value', kind: 'number' })),
    );
    expect(inspection.rows).toHaveLength(10);
    expect(inspection.notes.some((note) => note.includes('row number'))).toBe(recording.rowNumbers);
  });

  test('comes in row for row, in the order of the file', async () => {
    const expected = readNaively(text(), recording);
    expect(expected).toHaveLength(rows);
    const { result, records } = await importFile(text(), { chunk: 10_007 });
    expect(result).toMatchObject({ stored: rows, skipped: 0, errors: [] });
    expect(result.notes).toContain('The times say no zone and none was chosen, so they are taken as UTC.');
    expect(records.map(asPlain)).toEqual(expected);
  });

  test('comes in at the times of its zone', async () => {
    const expected = readNaively(text(), recording);
    const { records } = await importFile(text(), { settings: { zone: 'America/Phoenix' } });
    // Arizona keeps seven hours from UTC all year.
    const zoned = expected.map(({ timestamp }) => timestamp + 7 * 3_600_000_000);
    expect(records.map(({ timestamp }) => timestamp)).toEqual(zoned);
  });
}

describe.each(RECORDINGS)('a recording that looks like $file', (recording) => {
  itIsImportedRight(recording, () => lookAlike(recording), 500);
});

describe.skipIf(recordings === null).each(RECORDINGS)('the recording $file', (recording) => {
  itIsImportedRight(
    recording,
    () => readFileSync(join(recordings ?? '', recording.file), 'utf8'),
    recording.rows,
  );
});
