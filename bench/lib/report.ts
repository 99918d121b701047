import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type as system } from 'node:os';
import type { Sample } from './measure.ts';
import type { Figure } from './row.ts';

/** A number of three digits, or whole where it has more. */
export function digits(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

const sample = ({ median, min, max }: Sample) =>
  min === max ? digits(median) : `${digits(median)} (${digits(min)} to ${digits(max)})`;

/** The table as Markdown: medians, with the range of the rounds in brackets. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ figure, measured, unit, must, peer, ratio }) => [
    figure,
    `${sample(measured)} ${unit}`,
    peer ? `${peer.name}: ${sample(peer.measured)}` : '',
    ratio === undefined ? '' : `${digits(ratio)}×`,
    must?.text ?? '',
    must ? (must.holds ? 'yes' : '**no**') : '',
  ]);
  const head = ['figure', 'measured', 'peer in the same run', 'times better', 'must hold', 'holds'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function machine(): string {
  const [first] = cpus();
  const gib = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${gib} GiB, ${system()} ${release()}, Node ${process.version}`;
}

const BEGIN = '<!-- results -->';
const END = '<!-- end of results -->';

/** Puts results in the place of those that stand in a Markdown file. */
export function writeResults(file: string, results: string): void {
  const text = readFileSync(file, 'utf8');
  const [before] = text.split(BEGIN);
  const [, after] = text.split(END);
  if (before === undefined || after === undefined) throw new Error(`${file} has no place for results.`);
  writeFileSync(file, `${before}${BEGIN}\n\n${results}\n\n${END}${after}`);
}
