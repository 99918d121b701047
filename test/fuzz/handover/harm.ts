import type { KeyObject } from 'node:crypto';
import type { PackageHarm } from '#core/handover/verify/findings.ts';
import type { VerifiedPackage } from '#core/handover/verify/verify-package.ts';
import type { Random } from '../files/random.ts';
import type { Packed } from './package.ts';

export interface Harm {
  /** What was done, to what, without where. */
  readonly kind: string;
  readonly what: string;
  readonly zip: Buffer;
  /** Throws where what was found does not name it. */
  readonly judge: (found: VerifiedPackage) => void;
}

export interface Intact {
  readonly zip: Buffer;
  readonly files: readonly Packed[];
  readonly key: KeyObject;
  readonly otherKey: KeyObject;
}

export const isIn = (files: readonly string[]) => (found: VerifiedPackage) => {
  const named = found.findings.filter(({ file }) => file !== null && files.includes(file));
  if (named.length === 0) throw new Error(`None of ${files.join(', ')} is named.`);
};

export const says =
  (file: string, ...harms: readonly PackageHarm[]) =>
  (found: VerifiedPackage) => {
    if (!found.findings.some((one) => one.file === file && harms.includes(one.harm)))
      throw new Error(`Nobody says that ${file} is ${harms.join(' or ')}.`);
  };

export function changedBytes(random: Random, bytes: Buffer): Buffer {
  const other = bytes.length === 0 ? Buffer.from('x') : Buffer.from(bytes);
  const at = random.int(0, other.length - 1);
  other[at] = other[at]! ^ (1 << random.int(0, 7));
  return other;
}
