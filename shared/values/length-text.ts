import type { Micros } from './time.ts';

const UNITS: readonly (readonly [name: string, size: Micros])[] = [
  ['d', 86_400e6],
  ['h', 3_600e6],
  ['min', 60e6],
];

/** A length of time to its last µs: `1 h`, `2 h 5 min`, `12.25 s`; never cut, as a correction has to say all of it. */
export function lengthText(length_us: Micros): string {
  const parts: string[] = [];
  let rest = length_us;
  for (const [name, size] of UNITS) {
    const whole = Math.floor(rest / size);
    if (whole > 0) parts.push(`${whole} ${name}`);
    rest -= whole * size;
  }
  if (rest > 0 || parts.length === 0) parts.push(`${Number((rest / 1e6).toFixed(6))} s`);
  return parts.join(' ');
}
