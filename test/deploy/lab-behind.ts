import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { signalIfThere } from '../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../helpers/postgres/shared-postgres.ts';
import { startServiceProcess, type ServiceProcess } from '../helpers/service/service-process.ts';
import { freePorts, LAB, startBalancer, type Balancer, type Kind, type Place } from './balancers.ts';
import { commandsUnder, PROJECT } from './lab-page.ts';

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ms of silence after which it gives up; absent: never. */
  readonly patience?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Three services over one database behind a balancer, each in a process of its own. */
export interface LabBehind {
  readonly services: readonly ServiceProcess[];
  readonly balancer: Balancer;
  /** Who signed the certificates, PEM. */
  readonly ca: string;
  /** Asks at the balancer, over a connection that is kept for others of `agent`. */
  ask(path: string, asked?: Asked, agent?: Agent): Promise<Answer>;
  /** Opens connections to the balancer as a browser does, which checks its certificate. */
  agent(): Agent;
  stop(): Promise<void>;
}

/** `drain`: seconds, of each service. */
export async function startLabBehind(kind: Kind, drain: number): Promise<LabBehind> {
  const postgres = await sharedPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-balancer-'));
  // A balancer that root starts goes on as another user.
  await chmod(folder, 0o711);
  for (const block of commandsUnder('Certificates and key'))
    execFileSync('sh', ['-e', '-c', block], { cwd: folder, stdio: 'pipe' });
  const url = await postgres.database();
  const ports = await freePorts(6);
  const places = [0, 2, 4].map((at) => ({ https: ports[at] ?? 0, mqtts: ports[at + 1] ?? 0 }));
  const start = ({ https, mqtts }: Place) =>
    startServiceProcess({
      // What is built has the console.
      cli: [process.execPath, join(PROJECT, 'out/main/cli.js')],
      args: Object.entries({
        port: https,
        'mqtts-port': mqtts,
        store: url,
        'key-file': join(folder, 'lab.key'),
        'tls-cert': join(folder, `${LAB}.pem`),
        'tls-key': join(folder, `${LAB}.key`),
        'public-url': `https://${LAB}`,
        drain,
      }).flatMap(([flag, value]) => [`--${flag}`, String(value)]),
    });
  const services = await Promise.all(places.map(start));
  const end = async () => {
    await Promise.all(services.map((service) => service.kill()));
    await rm(folder, { recursive: true });
  };
  const balancer = await startBalancer(kind, folder, places).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const ca = await readFile(join(folder, 'ca.pem'), 'utf8');
  const agent = () => new Agent({ ca, servername: LAB, keepAlive: true });
  const common = agent();
  return {
    services,
    balancer,
    ca,
    agent,
    async ask(path, { method = 'GET', headers = {}, body, patience } = {}, given = common) {
      const asking = request({
        host: '127.0.0.1',
        port: balancer.https,
        path,
        method,
        agent: given,
        headers: { host: LAB, ...headers },
      });
      if (patience !== undefined)
        asking.setTimeout(patience, () => asking.destroy(new Error(`nothing for ${patience} ms`)));
      asking.end(body);
      const [answer] = (await once(asking, 'response')) as [IncomingMessage];
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
    },
    async stop() {
      common.destroy();
      await balancer.stop();
      for (const { pid } of services) signalIfThere(pid, 'SIGCONT');
      await end();
    },
  };
}
