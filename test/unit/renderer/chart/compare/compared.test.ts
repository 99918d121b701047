import { expect, test } from 'vitest';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { commonKeys } from '../../../../../renderer/chart/compare/compared.ts';

const compared = (...keys: readonly string[]) =>
  ({
    summary: { keys: keys.map((key) => ({ key, count: 3, numeric: 3 })) } as unknown as DeviceSummary,
  }) as Parameters<typeof commonKeys>[0][number];

test('keys of most devices come first, and how payloads came is last, however many have it', () => {
  const devices = [compared('a', 'uplink.port'), compared('b', 'uplink.port'), compared('b', 'uplink.port')];
  expect(commonKeys(devices)).toEqual(['b', 'a', 'uplink.port']);
});
