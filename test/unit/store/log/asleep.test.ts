import { expect, test } from 'vitest';
import { createCommon, DEFAULT_LIMITS } from '#core/store/log/device/common.ts';
import { Asleep } from '#core/store/log/device/asleep.ts';
import { Devices } from '#core/store/log/device/devices.ts';
import { nodeFiles } from '#core/disk/files.ts';
import { Background } from '#core/turns/background.ts';

/* Devices that sleep in the log, where memory runs out: through the door of the store nothing makes it run out just then. */

test('a device that could not be woken is not taken for one that holds nothing, and wakes when it is asked for again', async () => {
  const common = createCommon({
    directory: 'nowhere',
    files: nodeFiles,
    limits: DEFAULT_LIMITS,
    background: new Background(),
    threads: null,
    note: () => undefined,
  });
  const devices = new Devices(common);
  devices.haveFolders([]);
  let wakes = 0;
  const takeUp = () => {
    if (++wakes === 1) throw new RangeError('Array buffer allocation failed');
  };
  devices.haveAsleep(new Asleep(new Set(['d']), [], takeUp));
  expect(() => devices.atHand('d')).toThrow('allocation');
  expect(devices.holdsNothing('d')).toBe(false);
  expect((await devices.get('d')).id).toBe('d');
  expect(wakes).toBe(2);
  expect(devices.sleeping).toBe(0);
});
