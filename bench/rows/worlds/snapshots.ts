import { openService, type Ask } from '../../lib/device-service.ts';
import { sampleOf, timed } from '../../lib/measure.ts';
import { atMost, short, type Figure, type Row } from '../../lib/row.ts';

const DEVICES = 1000;
/** What rigs keep: the demand is for so many. */
const MOST_RECORDS = 1_000_000;
const ROUNDS = 5;
const PATH = '/_local/v1/snapshots';

interface Device {
  readonly id: string;
  readonly token: string;
}

/** Snapshots of a world and their restores, over HTTP, with the tokens in the file vault. */
export const snapshots: Row = {
  name: 'snapshots',
  title: 'Snapshots of a world',
  async run(bench): Promise<Figure[]> {
    const records = Math.min(bench.records, MOST_RECORDS);
    const each = records / DEVICES;
    const { child, ask } = await openService({ directory: await bench.madeFolder(), vault: 'file' });
    const { project, devices } = await fill(ask, each);
    const [first, taking, unchanged, restoring, afterDelete]: number[][] = [[], [], [], [], []];
    const name = () => ask('POST', PATH, { name: 'of the bench' });
    const restore = () => ask('POST', `${PATH}/of%20the%20bench/restore`);
    const touch = async () => {
      for (const { token } of devices) await ask('POST', '/integrations/http', { value: 1 }, token);
    };
    first!.push(await timed(name));
    for (let round = 0; round < ROUNDS; round++) {
      await ask('DELETE', `${PATH}/of%20the%20bench`);
      await touch();
      taking!.push(await timed(name));
      unchanged!.push(await timed(restore));
      await touch();
      restoring!.push(await timed(restore));
      await ask('DELETE', `/_local/v1/projects/${project}`);
      afterDelete!.push(await timed(restore));
    }
    await child.stop();
    const of = `${short(records)} on ${short(DEVICES)} devices`;
    const figure = (what: string, found: readonly number[], most: number): Figure => {
      const measured = sampleOf(found);
      return { figure: what, measured, unit: 'ms', must: atMost(measured.median, most, `≤ ${most} ms`) };
    };
    return [
      figure(`First snapshot of ${of}`, first!, 100),
      figure(`Snapshot of ${of}, each with a record since the last`, taking!, 100),
      figure(`Restore of ${of}, nothing new`, unchanged!, 100),
      figure(`Restore of ${of}, each with a record since`, restoring!, 100),
      figure(`Restore of ${of}, the project deleted`, afterDelete!, 100),
    ];
  },
};

async function fill(ask: Ask, each: number): Promise<{ project: string; devices: readonly Device[] }> {
  const { id: project } = await ask('POST', '/_local/v1/projects', { name: 'Many' });
  const devices: Device[] = [];
  for (let n = 0; n < DEVICES; n++) {
    const { id, metadata } = await ask('POST', `/v2/projects/${project}/devices`, {
      name: `Device ${n}`,
      source: 'http',
    });
    devices.push({ id, token: metadata.device_token });
  }
  const at = Date.UTC(2026, 0);
  for (const [n, { token }] of devices.entries()) {
    const records = Array.from({ length: each }, (_, i) => ({
      timestamp: new Date(at + i * 60_000).toISOString(),
      temperature: 20 + ((i * 7 + n) % 50) / 10,
      humidity: 40 + ((i * 3 + n) % 200) / 10,
    }));
    await ask('POST', '/integrations/http', records, token);
  }
  return { project, devices };
}
