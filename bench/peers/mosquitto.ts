import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Usage } from '../lib/usage.ts';

/** Debian puts it where not everyone's PATH leads. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`;

/** Its version; null where it is not installed. */
export function mosquittoVersion(): string | null {
  const { stdout } = spawnSync('mosquitto', ['-h'], { env: { PATH }, encoding: 'utf8' });
  return /mosquitto version (\S+)/.exec(stdout ?? '')?.[1] ?? null;
}

export interface Mosquitto {
  readonly mqttPort: number;
  /** Its memory alone. */
  readonly usage: () => Promise<Usage>;
  stop(): Promise<void>;
}

/**
 * As durable as it gets: persistence, its file written anew and synced after each turn in which anything of it changed.
 * That holds sessions, what waits for those away, and what is retained; PUBACK goes out before it is written.
 */
export async function startMosquitto(folder: string): Promise<Mosquitto> {
  const mqttPort = await freePort();
  const file = join(folder, 'mosquitto.conf');
  const lines = [
    `listener ${mqttPort} 127.0.0.1`,
    'allow_anonymous true',
    'set_tcp_nodelay true',
    'persistence true',
    `persistence_location ${folder}/`,
    'autosave_on_changes true',
    'autosave_interval 1',
    'log_dest none',
    // Started by root it would become another one, who cannot reach the folder.
    `user ${userInfo().username}`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const broker = spawn('mosquitto', ['-c', file], { env: { PATH }, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(broker, 'exit');
  // It does not notice that whoever started it is gone.
  const kill = () => void broker.kill();
  process.once('exit', kill);
  await listening(mqttPort);
  return {
    mqttPort,
    async usage() {
      const status = await readFile(`/proc/${broker.pid}/status`, 'utf8');
      const rss = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) * 1024;
      return { rss, heap: NaN, cpuSeconds: NaN, delayP99: NaN };
    },
    async stop() {
      kill();
      process.off('exit', kill);
      await exited;
    },
  };
}

/** It tells nobody of a port that it chooses itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await delay(25);
  }
  throw new Error('mosquitto does not listen.');
}
