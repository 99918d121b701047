import { sensorSource } from '../../lib/data.ts';
import type { LabFixture } from '../../lib/lab.ts';
import { percentile, sampleOf, timed } from '../../lib/measure.ts';
import { atLeast, atMost, short, timesMore, type Bench, type Figure } from '../../lib/row.ts';
import { openRowARecord } from '../../peers/row-a-record.ts';

/* What devices send to a store over PostgreSQL. */

const ROUNDS = 5;
const UPLOAD = 1000;
const UPLOADERS = 8;
const deviceOf = (n: number) =>
  `${((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-6c5b-4c7e-9f0e-5e1c2d3b4a59`;

export async function writes(bench: Bench, fixture: LabFixture): Promise<Figure[]> {
  return [...(await uploads(bench, fixture)), ...(await writers(bench, fixture))];
}

/** Each upload is durable before its sender sends the next. */
async function uploads(bench: Bench, fixture: LabFixture): Promise<Figure[]> {
  const each = bench.isSmall ? 5 : 60;
  const peer = await openRowARecord(fixture.url);
  const rates: number[] = [];
  const peerRates: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const { store, close } = await fixture.open();
    await fixture.warm(store);
    const bodies = Array.from({ length: UPLOADERS }, (_, n) => {
      const next = sensorSource(n);
      return Array.from({ length: each }, () => next(UPLOAD));
    });
    const together = (insert: (device: string, records: (typeof bodies)[0][0]) => Promise<unknown>) =>
      timed(() =>
        Promise.all(
          bodies.map(async (all, n) => {
            for (const records of all) await insert(deviceOf(1000 * (round + 1) + n), records);
          }),
        ),
      );
    const ms = await together((device, records) => store.append(device, records));
    await close();
    const peerMs = await together((device, records) => peer.insert(device, records));
    if (round < 0) continue;
    rates.push((UPLOADERS * each * UPLOAD * 1000) / ms);
    peerRates.push((UPLOADERS * each * UPLOAD * 1000) / peerMs);
  }
  await peer.close();
  const measured = sampleOf(rates);
  const ofPeer = sampleOf(peerRates);
  return [
    {
      figure: `PostgreSQL, uploads of ${UPLOAD}, ${UPLOADERS} at once`,
      measured,
      unit: 'records/s',
      must: atLeast(measured.median, 500_000, '≥ 500 k/s'),
      peer: { name: 'a row a record', measured: ofPeer },
      ratio: timesMore(measured, ofPeer),
    },
  ];
}

async function writers(bench: Bench, fixture: LabFixture): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [count, limit] of [
    [256, 12_000],
    [1024, 20_000],
  ] as const) {
    const rates: number[] = [];
    const slow: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const { store, close } = await fixture.open();
      const each = bench.isSmall ? 3 : 40;
      const sources = Array.from({ length: count }, (_, n) => sensorSource(n)(each + 1));
      // The first record makes the device.
      await Promise.all(sources.map((all, n) => store.append(deviceOf(100_000 + n), all.slice(0, 1))));
      const waited: number[] = [];
      const ms = await timed(() =>
        Promise.all(
          sources.map(async (records, n) => {
            for (const record of records.slice(1))
              waited.push(await timed(() => store.append(deviceOf(100_000 + n), [record])));
          }),
        ),
      );
      await close();
      if (round < 0) continue;
      rates.push((count * each * 1000) / ms);
      slow.push(
        percentile(
          waited.toSorted((a, b) => a - b),
          0.99,
        ),
      );
    }
    figures.push(
      {
        figure: `PostgreSQL, ${short(count)} writers, one record each`,
        measured: sampleOf(rates),
        unit: 'records/s',
        must: atLeast(sampleOf(rates).median, limit, `≥ ${limit / 1000} k/s`),
      },
      {
        figure: `PostgreSQL, ${short(count)} writers, p99 until stored`,
        measured: sampleOf(slow),
        unit: 'ms',
        ...(count === 1024 && { must: atMost(sampleOf(slow).median, 150, '≤ 150 ms') }),
      },
    );
  }
  return figures;
}
