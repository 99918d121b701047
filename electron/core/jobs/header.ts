import { MAX_KEY_LENGTH } from '#core/ingest/record.ts';
import { quote } from '#shared/validate.ts';
import { readNumber } from './cell.ts';
import type { Cell, CsvRow } from './csv.ts';
import { dateParts, isTimeOfDay } from './time-format.ts';

export interface ColumnNames {
  readonly names: readonly string[];
  /** Which of them the file does not name. */
  readonly unnamed: readonly boolean[];
  readonly notes: readonly string[];
}

/**
 * Whether the first row names the columns. It does where it has a word above a number or a time; it does not where it
 * has a number or time of its own and no such word.
 */
export function hasHeader(rows: readonly CsvRow[], width: number): boolean {
  const [first, second] = rows;
  if (!first) return false;
  const offset = second ? namesOffset(first.cells, width) : 0;
  const namesMeasurements = first.cells.some((cell, index) => {
    const below = second?.cells[index + offset];
    return cell.text !== '' && !isMeasurement(cell) && below !== undefined && isMeasurement(below);
  });
  return namesMeasurements || !first.cells.some(isMeasurement);
}

function isMeasurement({ text }: Cell): boolean {
  return readNumber(text, true) !== null || dateParts(text) !== null || isTimeOfDay(text);
}

/** R and others write row numbers without naming their column: names then begin at the second field. */
export function namesOffset(header: readonly Cell[], width: number): 0 | 1 {
  return header.length === width - 1 && header.at(-1)?.text !== '' ? 1 : 0;
}

/** Names for `width` columns that can be data keys: not empty, no ",", at most 128 characters, each once. */
export function nameColumns(header: readonly Cell[] | null, offset: 0 | 1, width: number): ColumnNames {
  const notes: string[] = [];
  if (!header)
    notes.push('The first row is data already, so the columns are named "column 1", "column 2" and so on.');
  const unnamed: boolean[] = [];
  const taken = new Set<string>();
  const names = Array.from({ length: width }, (_, index) => {
    const written = header?.[index - offset]?.text ?? '';
    unnamed.push(written === '');
    const allowed = (written.includes(',') ? written.replaceAll(',', ' ').trim() : written).slice(
      0,
      MAX_KEY_LENGTH,
    );
    let name = allowed || `column ${index + 1}`;
    for (let copy = 2; taken.has(name); copy++) {
      const suffix = ` ${copy}`;
      name = allowed.slice(0, MAX_KEY_LENGTH - suffix.length) + suffix;
    }
    taken.add(name);
    if (written !== '' && name !== written)
      notes.push(`The column ${quote(written)} is called ${quote(name)} here: ${whyRenamed(written)}.`);
    return name;
  });
  return { names, unnamed, notes };
}

function whyRenamed(written: string): string {
  if (written.includes(',')) return 'a key must not contain ","';
  if (written.length > MAX_KEY_LENGTH) return `a key has at most ${MAX_KEY_LENGTH} characters`;
  return 'names must differ';
}
