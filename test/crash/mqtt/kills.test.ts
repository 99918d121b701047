import { expect, test } from 'vitest';
import { withSeed } from '../../helpers/chance.ts';
import { killedWhilePublishing } from './kills.ts';
import { someRuns } from '../../helpers/some-runs.ts';

const KILLS = someRuns(32);

test('nothing acknowledged over MQTT is lost, and QoS 2 is stored once, however often the service is killed', async () => {
  expect(await withSeed((seed) => killedWhilePublishing(seed, KILLS))).toContain(`${KILLS} kills`);
}, 180_000);
