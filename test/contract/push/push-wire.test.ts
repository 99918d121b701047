import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generator } from '../../faults/random-crashes.ts';
import { withSeed } from '../../helpers/chance.ts';
import { ownLab } from '../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../helpers/postgres/postgres.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { cutWire, pushTwice } from '../../helpers/push/wire-pushes.ts';

/* docs/push.md: a push that is cut off is planned again; `npm run torture -- --only push` cuts a hundred. */

const SOME = { cuts: 8, records: 4000 };

let here: RunningService;
beforeAll(async () => {
  here = await runService();
});
afterAll(() => here.stop());

const cut = (lab: RunningService) =>
  withSeed((seed) => cutWire({ here, lab, ...SOME, random: generator(seed) }));

describe('to a lab in a folder', () => {
  let lab: RunningService;
  beforeAll(async () => {
    lab = await runService();
  });
  afterAll(() => lab.stop());

  test('a push that is cut anywhere on the wire is resumed, and leaves the very same records', async () => {
    expect(await cut(lab)).toMatchObject({ records: SOME.records });
  });

  test('a second push of the same sends next to nothing, either way', async () => {
    const { first, second } = await pushTwice(here, lab, 30_000);
    expect((second.there + second.back) / (first.there + first.back)).toBeLessThan(0.02);
  });
});

describe.skipIf(!hasPostgres)('to a lab over a database', () => {
  const lab = ownLab(1);

  test('a push that is cut anywhere on the wire is resumed, and leaves the very same records', async () => {
    const [service] = lab.services as [RunningService];
    expect(await cut(service)).toMatchObject({ records: SOME.records });
  });
});
