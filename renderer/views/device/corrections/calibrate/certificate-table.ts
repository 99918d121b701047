import type { CalibrationPoint } from '#shared/domain/corrections.ts';

/** Which column a table begins with. */
export type FirstColumn = 'reading' | 'true';

/** Points that a service takes. */
const MOST_POINTS = 64;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

type TableRead = { readonly points: readonly CalibrationPoint[] } | { readonly problem: string };

/**
 * Reads the table of a certificate: two numbers a line, tabs, semicolons or blanks between them, a comma as a decimal mark. Lines
 * of words before the numbers are heads; further columns do not count. In the order of the readings.
 */
export function readCertificate(text: string, first: FirstColumn): TableRead {
  const points: CalibrationPoint[] = [];
  for (const [place, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [a, b] = cellsOf(line).map(numberOf);
    const isHead = points.length === 0 && !/\d/.test(line.split(/[\t;]/)[0] ?? '');
    if (isHead) continue;
    if (a === undefined || b === undefined || a === null || b === null)
      return { problem: `Line ${place + 1}, “${line.trim().slice(0, 40)}”, has no two numbers.` };
    points.push(first === 'reading' ? [a, b] : [b, a]);
  }
  if (points.length === 0)
    return { problem: 'Two columns of numbers, reading and true value, a pair a line: “20,1; 20,5”.' };
  if (points.length > MOST_POINTS) return { problem: `At most ${MOST_POINTS} points, got ${points.length}.` };
  return { points: points.toSorted(([x], [y]) => x - y) };
}

function cellsOf(line: string): readonly string[] {
  const by = line.includes('\t') ? '\t' : line.includes(';') ? ';' : /\s+/;
  return line
    .trim()
    .split(by)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
}

/** Null for what is no number. A unit behind it does not matter: `20,1 °C`. */
function numberOf(cell: string): number | null {
  const bare = cell.replace('−', '-').replace(/\s*[°%A-Za-zµ/]+$/, '');
  const plain = bare.includes('.') ? bare.replaceAll(',', '') : bare.replace(',', '.');
  return NUMBER.test(plain) ? Number(plain) : null;
}

/** The table of points that are there, as it is read again. */
export const certificateText = (points: readonly CalibrationPoint[]): string =>
  points.map(([raw, value]) => `${raw}\t${value}`).join('\n');
