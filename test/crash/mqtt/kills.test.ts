import { expect, test } from 'vitest';
import { killedWhilePublishing } from './kills.ts';

test('nothing acknowledged over MQTT is lost, and QoS 2 is stored once, however often the service is killed', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  expect(await killedWhilePublishing(seed, 3), `seed ${seed}`).toContain('3 kills');
}, 180_000);
