import type { Config } from '../base/config.ts';
import { UsageError } from '../base/errors.ts';
import { clockSetting } from './clock-setting.ts';
import { absolutePath } from './parse.ts';

/* Flags of `serve` for rigs (docs/rigs.md). */

interface RigValues {
  readonly clock?: string;
  readonly seed?: string;
  readonly 'seed-file'?: string;
  readonly strict?: boolean;
  readonly store?: string;
}

/** What rigs set; null: the machine's clock, no seed, no seed file. Throws UsageError. */
export function rigFlags(values: RigValues): Pick<Config, 'clock' | 'seed' | 'seedFile'> {
  const clock = values.clock === undefined ? null : clockSetting('--clock', values.clock);
  const seed = values.seed === undefined ? null : seedNumber(values.seed);
  const seedFile = absolutePath('seed-file', values['seed-file']);
  if (clock !== null) requireRig('--clock', 'have one time, the machines’', values);
  if (seed !== null) requireRig('--seed', 'would draw the same ids at the same time', values);
  if (seedFile !== null) requireRig('--seed-file', 'share what they have', values);
  return { clock, seed, seedFile };
}

function seedNumber(value: string): number {
  const seed = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(seed)) return seed;
  throw new UsageError(
    `--seed takes a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, such as 42, got "${value}".`,
  );
}

/** Throws UsageError where a flag for rigs is given beside what knows no rigs; `shared` is why the services of a lab do not. */
function requireRig(flag: string, shared: string, { strict = false, store }: RigValues): void {
  if (strict)
    throw new UsageError(
      `${flag} is beyond the /v2 document, which --strict keeps to: leave one of them away.`,
    );
  if (store !== undefined)
    throw new UsageError(`${flag} is for a data directory: the services of a --store ${shared}.`);
}

/** Whether nothing is kept. Throws UsageError where another flag says that something is. */
export function inMemory(values: {
  readonly 'in-memory'?: boolean;
  readonly data?: string;
  readonly store?: string;
  readonly vault?: string;
}): boolean {
  if (values['in-memory'] !== true) return false;
  const { data, store, vault } = values;
  const others = [
    { given: data, keeps: `--data ${data} names a directory to keep all in` },
    { given: store, keeps: '--store names a database to keep all in' },
    {
      given: vault === 'memory' ? undefined : vault,
      keeps: `--vault ${vault} keeps secrets for the next start`,
    },
  ];
  const other = others.find(({ given }) => given !== undefined);
  if (other)
    throw new UsageError(
      `--in-memory keeps nothing beyond the end of the service, and ${other.keeps}: leave one of them away.`,
    );
  return true;
}
