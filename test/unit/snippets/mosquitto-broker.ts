import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createAuthority, issueServer } from '#core/tls/certificates.ts';
import type { MqttPlace } from './mqtt-place.ts';
import { run } from './programs.ts';

/** The broker mosquitto with certificates as the service has them, in a folder that it makes. */
export async function startBroker(folder: string): Promise<MqttPlace> {
  await mkdir(folder, { recursive: true });
  const file = (name: string) => join(folder, name);
  const login = { device_id: randomUUID(), device_token: randomUUID().replaceAll('-', '') };
  const names = { dns: ['localhost'], ips: ['127.0.0.1'] };
  const authority = await createAuthority(names, Date.now());
  const server = await issueServer(authority, names, Date.now());
  const [plain, secure] = [await freePort(), await freePort()];
  const files = {
    'ca.pem': authority.cert,
    'server.pem': server.cert,
    'server.key': server.key,
    passwords: '',
    // A device publishes to its own topic alone.
    rights: 'pattern readwrite %u\n',
    'broker.conf': `
user ${userInfo().username}
allow_anonymous false
queue_qos0_messages true
password_file ${file('passwords')}
acl_file ${file('rights')}
log_dest stderr
listener ${plain} 127.0.0.1
listener ${secure} 127.0.0.1
certfile ${file('server.pem')}
keyfile ${file('server.key')}
`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), text, { mode: 0o600 });
  await run('mosquitto_passwd', ['-b', file('passwords'), login.device_id, login.device_token]);

  const broker = spawn('mosquitto', ['-c', file('broker.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(broker, 'exit');
  const said: string[] = [];
  for await (const line of createInterface(broker.stderr)) {
    said.push(line);
    if (line.endsWith(' running')) break;
  }
  if (broker.exitCode !== null) throw new Error(`mosquitto does not start:\n${said.join('\n')}`);
  broker.stderr.resume();

  /** A subscriber whose session outlives it, so that nothing is lost between two of its visits. */
  const read = async (...more: string[]) => {
    const who = ['-u', login.device_id, '-P', login.device_token, '-c', '-i', 'reader', '-q', '1'];
    const where = ['-h', '127.0.0.1', '-p', String(plain), '-t', login.device_id];
    return await run('mosquitto_sub', [...where, ...who, ...more]);
  };
  await read('-E');
  return {
    addresses: {
      mqtt_url: `mqtt://127.0.0.1:${plain}`,
      mqtts_url: `mqtts://127.0.0.1:${secure}`,
      ca_file: file('ca.pem'),
      ca_certificate: authority.cert,
    },
    login,
    arrived: async () => JSON.parse((await read('-C', '1', '-W', '20')).stdout),
    async stop() {
      broker.kill();
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A socket without a port');
  return address.port;
}
