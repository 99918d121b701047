import type { Background } from '../../turns/background.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Common } from './device/common.ts';
import type { Devices } from './device/devices.ts';
import type { Erasure } from './erasure.ts';
import type { Wal } from './wal/wal.ts';

/** Parts of a store after recovery. */
export interface StoreParts {
  readonly common: Common;
  readonly devices: Devices;
  readonly wal: Wal;
  readonly checkpoint: Checkpoint;
  readonly erasure: Erasure;
  readonly background: Background;
}
