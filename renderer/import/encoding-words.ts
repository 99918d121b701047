import type { Inspection } from '#shared/operations/records/records.ts';
import { shortened } from '../format.ts';
import { ENCODING_LABELS } from './import-options.ts';

const BEYOND_ASCII = /[^\0-\x7F]/;
const MOST_LETTERS = 60;

/** The fields of a line that is no row, without what stands around them. */
const cellsOf = (line: string, delimiter: Inspection['delimiter']) =>
  line.split(delimiter ?? '\n').map((cell) => cell.trim().replaceAll(/^"|"$/g, ''));

/** That an encoding was guessed, with a text of the file that shows whether it is the right one; null where it was not. */
export function encodingWords(inspection: Inspection): string | null {
  const {
    encoding,
    encoding_guessed: isGuessed,
    columns,
    rows,
    lines_before: before,
    head_lines: head,
    delimiter,
  } = inspection;
  if (!isGuessed) return null;
  const texts = [
    ...columns.map(({ name }) => name),
    ...rows.flat(),
    ...[...head.map(({ text }) => text), ...before].flatMap((line) => cellsOf(line, delimiter)),
  ];
  const shown = texts.find((text) => BEYOND_ASCII.test(text));
  const words = `Read as ${ENCODING_LABELS[encoding]}`;
  return shown === undefined ? `${words}.` : `${words}: “${shortened(shown, MOST_LETTERS)}”`;
}
