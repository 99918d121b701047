import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { killedWhilePublishing } from './kills.ts';

test('nothing acknowledged over MQTT is lost, and QoS 2 is stored once, however often the service is killed', async () => {
  expect(await withSeed((seed) => killedWhilePublishing(seed, 3))).toContain('3 kills');
}, 180_000);
