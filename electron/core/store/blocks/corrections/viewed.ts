import { formersOf, type Viewed } from '../../lens.ts';
import type { Readable } from '../readable.ts';
import { correctedDevice } from './corrected-device.ts';

/** What is read of a view, of its devices as they were stored, in the order of `devicesOf`. */
export function viewOf(viewed: Viewed, devices: readonly Readable[]): Readable {
  return taking(viewed, [...devices]);
}

function taking(viewed: Viewed, left: Readable[]): Readable {
  const own = left.shift()!;
  if (typeof viewed === 'string') return own;
  return correctedDevice(
    viewed.lens,
    own,
    formersOf(viewed).map((former) => taking(former, left)),
  );
}
