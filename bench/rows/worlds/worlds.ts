import { openService, type Ask } from '../../lib/device-service.ts';
import { inTurn, rounds, sampleOf, timed } from '../../lib/measure.ts';
import { atMost, type Figure, type Row } from '../../lib/row.ts';
import type { Usage } from '../../lib/usage.ts';

const ROUNDS = 15;
/** Of a world that is emptied. */
const DEVICES = 10;
const RECORDS_OF_DEVICE = 1000;
/** Empty worlds whose memory is measured. */
const MANY = 2000;
/** Devices, and requests of each, that fill the list of requests. */
const SENDERS = 500;
const REQUESTS_OF_SENDER = 8;

/** What suites of a rig wait for between two tests: a world of their own, an empty one again, whether a request came. */
export const worlds: Row = {
  name: 'worlds',
  title: 'Worlds of rigs: made, emptied, asked what came',
  async run(bench): Promise<Figure[]> {
    const { child, started, ask } = await openService({ directory: await bench.madeFolder() });
    try {
      const upload = async (token: string, records: readonly object[]) => {
        const response = await fetch(`${started.url}/integrations/http`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify(records),
        });
        if (!response.ok) throw new Error(await response.text());
      };
      const records = Array.from({ length: RECORDS_OF_DEVICE }, (_, n) => ({
        temperature: 20 + (n % 50) / 10,
      }));
      const reset = await rounds(ROUNDS, async () => {
        for (const token of await makeDevices(ask, DEVICES)) await upload(token, records);
        return timed(() => ask('POST', '/_local/v1/reset', { to: 'empty' }));
      });
      let name = 0;
      const makeWorld = () => ask('POST', '/_local/v1/accounts', { name: `Suite ${name++}` });
      const making = await rounds(ROUNDS, () => timed(makeWorld));
      const heap = async () => (await child.ask<Usage>({ usage: true })).heap;
      const before = await heap();
      for (let n = 0; n < MANY; n++) await makeWorld();
      const memory = ((await heap()) - before) / MANY / 1024;

      const senders = await makeDevices(ask, SENDERS);
      for (const token of senders)
        for (let n = 0; n < REQUESTS_OF_SENDER; n++) await upload(token, [{ temperature: n }]);
      const match = { operation: 'ingest' };
      const verify = (than: number) =>
        ask('POST', '/_local/v1/requests/verify', {
          match,
          count: SENDERS,
          body: { temperature: { gt: than } },
        });
      const [found, missed] = await inTurn(ROUNDS, [
        () => timed(() => verify(REQUESTS_OF_SENDER - 2)),
        () => timed(() => verify(REQUESTS_OF_SENDER)),
      ]);
      return [
        {
          figure: `reset of a world with ${DEVICES} devices and 10,000 records`,
          measured: reset,
          unit: 'ms',
          must: atMost(reset.median, 20, '≤ 20 ms'),
        },
        { figure: 'a new world', measured: making, unit: 'ms', must: atMost(making.median, 10, '≤ 10 ms') },
        {
          figure: `memory of an empty world, ${MANY.toLocaleString('en')} of them`,
          measured: sampleOf([memory]),
          unit: 'KiB',
          must: atMost(memory, 64, '≤ 64 KiB'),
        },
        {
          figure: 'verification over 4,000 requests that finds what it asks for',
          measured: found!,
          unit: 'ms',
          must: atMost(found!.median, 5, '≤ 5 ms'),
        },
        {
          figure: 'the same that finds nothing, and says what came nearest',
          measured: missed!,
          unit: 'ms',
          must: atMost(missed!.median, 5, '≤ 5 ms'),
        },
      ];
    } finally {
      await child.stop();
    }
  },
};

/** Resolves with their tokens. */
async function makeDevices(ask: Ask, count: number): Promise<string[]> {
  const { id } = await ask('POST', '/_local/v1/projects', { name: 'Bench' });
  const tokens: string[] = [];
  for (let n = 0; n < count; n++) {
    const { metadata } = await ask('POST', `/v2/projects/${id}/devices`, {
      name: `Device ${n}`,
      source: 'http',
    });
    tokens.push(metadata.device_token);
  }
  return tokens;
}
