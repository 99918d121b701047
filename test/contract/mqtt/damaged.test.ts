import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mqttWorld, signedIn, subscribeOf, type Device, type MqttWorld } from './world.ts';

/* What was kept of sessions, where the disk has spoilt it (docs/storage-format.md, "MQTT sessions"). */

/** Each service has the sessions of those that came to it, and says what became of them. */
const ALONE = { isAlone: true };
const lasting = (clientId: string) => ({ clientId, clean: false, properties: { sessionExpiryInterval: 60 } });

async function leaveSession(world: MqttWorld, device: Device, clientId: string): Promise<void> {
  const client = await signedIn(world, device, 5, lasting(clientId));
  client.send(subscribeOf('#', 1));
  await client.nextOf('suback');
  client.end();
}

async function notesOf(world: MqttWorld): Promise<string> {
  const { envelope } = await world.request('GET', '/_local/v1/status');
  return (envelope as unknown as { data: { notes: string[] } }).data.notes.join();
}

test('a service starts with what can be read, says so once, and keeps a copy of the rest', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  const journal = join(directory, 'mqtt-sessions.journal');
  const first = await mqttWorld({ directory }, ALONE);
  const device = await first.makeDevice();
  for (const clientId of ['a', 'b', 'c']) await leaveSession(first, device, clientId);
  await first.service.close();

  const bytes = await readFile(journal);
  // In the line of "c", behind which others stand.
  const at = bytes.indexOf('"clientId":"c"');
  bytes[at + 12] = 0x64;
  await writeFile(journal, bytes);
  const second = await mqttWorld({ directory }, ALONE);
  expect(await notesOf(second)).toContain(`a copy of the file lies in ${journal}.damaged`);
  expect(await readFile(`${journal}.damaged`)).toEqual(bytes);
  const back = await signedIn(second, device, 5, lasting('a'));
  expect(back.connack).toMatchObject({ sessionPresent: true });
  back.end();
  await second.service.close();

  const third = await mqttWorld({ directory }, ALONE);
  expect(await notesOf(third)).not.toContain('MQTT sessions');
  await third.stop();
  await rm(directory, { recursive: true, force: true });
});
