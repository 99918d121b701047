import { isUplinkKey, UPLINK } from '#shared/domain/decoder-names.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import type { DataRecord } from '#shared/schema/schemas.ts';
import { countOf, formatCount } from '../../../format.ts';

export type Preview = OutputOf<'functions.preview'>;

/** What becomes of a key. */
export type Change = 'changed' | 'new' | 'gone' | 'same';

export interface KeyChange {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly change: Change;
}

/** Keys of two versions of a record, those that differ first; without those of how the payload came. */
export function keyChanges(before: DataRecord, after: DataRecord): readonly KeyChange[] {
  const said: readonly string[] = [UPLINK.error, UPLINK.warning];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => key !== 'timestamp' && (!isUplinkKey(key) || said.includes(key)),
  );
  const rows = keys.map((key): KeyChange => {
    const [was, is] = [textOf(before[key]), textOf(after[key])];
    return { key, before: was, after: is, change: changeOf(before[key], after[key]) };
  });
  return [
    ...rows.filter(({ change }) => change !== 'same'),
    ...rows.filter(({ change }) => change === 'same'),
  ];
}

function changeOf(before: unknown, after: unknown): Change {
  if (before === after) return 'same';
  if (before === undefined) return 'new';
  return after === undefined ? 'gone' : 'changed';
}

const textOf = (value: DataRecord[string] | undefined): string | null =>
  value === undefined ? null : String(value);

/** `00 d7 ff`: bytes as people read them. */
export const spacedHex = (hex: string): string => hex.replace(/(..)(?=.)/g, '$1 ');

/** `120 payloads: 12 would change; 3 new errors, 5 errors gone.` */
export function previewWords({ payloads, changed, failing, mended }: Omit<Preview, 'differences'>): string {
  if (payloads === 0) return 'No payloads are stored here yet.';
  const all = countOf(payloads, 'payload');
  if (changed === 0) return `${all}: nothing would change.`;
  const errors = [
    ...(failing > 0 ? [countOf(failing, 'new error')] : []),
    ...(mended > 0 ? [`${countOf(mended, 'error')} gone`] : []),
  ].join(', ');
  return `${all}: ${formatCount(changed)} would change${errors && `; ${errors}`}.`;
}

/** The first error that a decoder would have, of those that are shown. */
export function firstError({ differences }: Preview): string | null {
  for (const { after } of differences) {
    const error = after[UPLINK.error];
    if (typeof error === 'string') return error;
  }
  return null;
}
