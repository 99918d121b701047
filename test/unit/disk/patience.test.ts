import { expect, test } from 'vitest';
import { patiently } from '#core/disk/patience.ts';

/** An attempt that is refused so many times, and what was waited in between. */
function refused(times: number, code: string, platform: NodeJS.Platform) {
  const waits: number[] = [];
  let left = times;
  const result = patiently(
    async () => {
      if (left-- > 0) throw Object.assign(new Error(code), { code });
      return 'done';
    },
    { platform, wait: async (ms) => void waits.push(ms) },
  );
  return { result, waits };
}

test.each(['EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY'])(
  'on Windows a file that somebody has open is tried again, ever less often: %s',
  async (code) => {
    const { result, waits } = refused(12, code, 'win32');
    expect(await result).toBe('done');
    expect(waits).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 100, 100]);
  },
);

test('on Windows it is given up after half a minute', async () => {
  const { result, waits } = refused(Infinity, 'EBUSY', 'win32');
  await expect(result).rejects.toMatchObject({ code: 'EBUSY' });
  const waited = waits.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBeGreaterThanOrEqual(30_000);
  expect(waited).toBeLessThan(30_200);
});

test.each([
  ['win32', 'ENOSPC'],
  ['linux', 'EBUSY'],
  ['darwin', 'EPERM'],
] as const)('on %s, %s fails at once', async (platform, code) => {
  const { result, waits } = refused(1, code, platform);
  await expect(result).rejects.toMatchObject({ code });
  expect(waits).toEqual([]);
});
