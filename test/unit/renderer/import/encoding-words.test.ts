import { expect, test } from 'vitest';
import { inspectFile } from '#core/import/inspect.ts';
import { encodingWords } from '../../../../renderer/import/encoding-words.ts';
import { PRESENT } from '../../../helpers/clock.ts';

const wordsOf = (head: Buffer) => encodingWords(inspectFile({ now: PRESENT, head, complete: true }));
const text = 'time;Temperatur (°C)\n2026-01-05T08:00:00Z;21,5\n2026-01-05T08:01:00Z;21,6\n';

test('a guessed encoding is said with what shows whether it is right', () => {
  expect(wordsOf(Buffer.from(text, 'latin1'))).toBe('Read as Windows-1252: “Temperatur (°C)”');
  expect(wordsOf(Buffer.from(`Prüfstand\n${text}`.replace(' (°C)', ''), 'latin1'))).toBe(
    'Read as Windows-1252: “Prüfstand”',
  );
  // Of a line that is no row one of its fields.
  expect(
    wordsOf(Buffer.from(`a;;\n${text.replace('(°C)', '(C)').replace('\n', '\n;"°C"\n')}`, 'latin1')),
  ).toBe('Read as Windows-1252: “°C”');
  expect(wordsOf(Buffer.from(text))).toBeNull();
});
