import { countOf, formatCount } from '#shared/values/counts.ts';
import type { RunUnit } from '../runs.ts';

/** Kinds of harm to a package, or to a file of it. */
export type PackageHarm =
  | 'changed'
  | 'dropped'
  | 'doubled'
  | 'reordered'
  | 'added'
  | 'unreadable'
  | 'not-signed'
  | 'other-key';

export interface PackageFinding {
  /** Path in the package; null for the package as a whole. */
  readonly file: string | null;
  readonly harm: PackageHarm;
  /** Lines, or bytes, of the file, from 1, both included: what was added or doubled as it stands now, else as it was signed. */
  readonly range: Range | null;
  /** A sentence that names both. */
  readonly message: string;
}

export interface Range {
  readonly unit: RunUnit;
  readonly from: number;
  readonly to: number;
  /** Times at its beginning, and behind its end, where lines begin with times. */
  readonly since: string;
  readonly before: string;
}

/** `lines 257 to 512 (from 2026-03-02T20:30:21Z on, before 2026-03-02T20:34:21Z)` */
export function rangeText({ unit, from, to, since, before }: Range): string {
  const what =
    from === to
      ? `${unit === 'lines' ? 'line' : 'byte'} ${formatCount(from)}`
      : `${unit} ${formatCount(from)} to ${formatCount(to)}`;
  const when = [
    ...(since === '' ? [] : [`from ${since} on`]),
    ...(before === '' ? [] : [`before ${before}`]),
  ].join(', ');
  return when === '' ? what : `${what} (${when})`;
}

/** What became of a range, as a sentence goes on behind it; `lines`: how many are gone or too many, 0 where that is all of it. */
export function harmText(harm: PackageHarm, { unit }: Pick<Range, 'unit'>, lines: number): string {
  const some = lines === 0 ? '' : ` ${countOf(lines, unit === 'lines' ? 'line' : 'byte')}`;
  switch (harm) {
    case 'dropped':
      return lines === 0 ? 'dropped' : `${some.trim()} of it dropped`;
    case 'doubled':
      return lines === 0 ? 'there twice' : `${some.trim()} of it there twice`;
    case 'added':
      return lines === 0 ? 'added' : `${some.trim()} added to it`;
    case 'reordered':
      return 'in another order';
    default:
      return 'changed';
  }
}
