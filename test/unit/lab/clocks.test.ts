import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { labCheck } from '#core/cli/lab.ts';
import { Heartbeat } from '#core/lab/heartbeat.ts';
import { openVaultKey } from '#core/lab/vault-key.ts';
import { Watch } from '#core/lab/watch.ts';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { PATIENTLY } from '../../helpers/patiently.ts';
import { hasPostgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';

const HOUR_MS = 3_600_000;

describe.skipIf(!hasPostgres)('a service whose clock is an hour ahead', () => {
  let lab: Lab;
  let database: Database;
  beforeAll(async () => {
    lab = await startLab(await sharedPostgres(), 1);
    database = await openDatabase({ url: lab.url });
  });
  afterAll(async () => {
    await database.close();
    await lab.stop();
  });

  const notesOf = async () => {
    const { envelope } = await lab.services[0]!.request('GET', '/_local/v1/status');
    return (envelope.data as unknown as { notes: string[] }).notes.join('\n');
  };
  async function check(): Promise<string> {
    const lines: string[] = [];
    await labCheck(['--store', lab.url], { print: (line) => void lines.push(line), remark: () => {} });
    return lines.join('\n');
  }

  test('is named by the others and by lab check, until it is right again', async () => {
    const log = { warn: () => undefined };
    const heartbeat = await Heartbeat.open(database, { id: 'ahead', name: 'bench-3:/var/lib/lab' }, log);
    const key = await openVaultKey(database, { file: lab.keyFile });
    let stepMs = HOUR_MS;
    const now = () => Date.now() + stepMs;
    const watch = new Watch({ database, key, service_id: 'ahead', log, now });
    await watch.start();
    const words =
      /The clock of the service bench-3:\/var\/lib\/lab is 3[56]\d\d\.\d s ahead of the database's/;
    expect(await check()).toMatch(words);
    await expect.poll(notesOf, PATIENTLY).toMatch(words);
    expect(watch.notes.join('\n')).toContain('The clock of this machine is 3');
    expect(watch.notes.join('\n')).not.toContain('bench-3');
    stepMs = 0;
    await expect.poll(check, PATIENTLY).not.toContain('The clock of the service');
    await expect.poll(notesOf, PATIENTLY).not.toContain('The clock of the service');
    await watch.close();
    await heartbeat.close();
  });
});
