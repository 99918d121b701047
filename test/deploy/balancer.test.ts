import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { hasPostgres, signalIfThere } from '../helpers/postgres/postgres.ts';
import type { ServiceProcess } from '../helpers/service/service-process.ts';
import { LAB, KINDS } from './balancers.ts';
import { startLabBehind, type LabBehind } from './lab-behind.ts';

/* What docs/lab.md, "Balancer" and "Drain, remove, add a service", promises of the files in deploy/. Each test leaves the lab to the next one. */

const DRAIN_S = 3;
const WRITERS = 6;
/** Ms after which a writer gives up: less than a balancer waits for an answer. */
const PATIENCE = 8000;
/** So many stores of each writer, none of which failed. */
const IN_A_ROW = 8;

describe.skipIf(!hasPostgres).each(KINDS)('$name, by its file in deploy/', (kind) => {
  describe.skipIf(kind.lacks !== null)(kind.lacks ?? 'in front of three services', () => {
    let lab: LabBehind;
    let device: { readonly id: string; readonly token: string; readonly project: string };
    const clients: MqttClient[] = [];
    beforeAll(async () => {
      lab = await startLabBehind(kind, DRAIN_S);
      device = await makeDevice('http');
    });
    afterAll(async () => {
      for (const client of clients) client.end(true);
      await lab.stop();
    });

    /** Asks one of them beside the balancer. */
    const at = <T>(service: ServiceProcess, path: string) =>
      service.call<T>('GET', `${service.info.http_url}${path}`);
    const own = () => ({ authorization: `Bearer ${lab.services[0]!.info.api_key}` });
    async function made<T>(path: string, body: unknown): Promise<T> {
      const answer = await lab.ask(path, { method: 'POST', headers: own(), body: JSON.stringify(body) });
      expect(answer.status, answer.body).toBeOneOf([200, 201]);
      return (JSON.parse(answer.body) as { data: T }).data;
    }
    async function makeDevice(source: 'http' | 'mqtt') {
      const project = await made<{ id: string }>('/_local/v1/projects', { name: `Of ${source}` });
      const { id, metadata } = await made<{ id: string; metadata: { device_token: string } }>(
        `/v2/projects/${project.id}/devices`,
        { name: `By ${source}`, source },
      );
      return { id, token: metadata.device_token, project: project.id };
    }

    /** Writers that store number after number, and what became of each; `stop` resolves when all have ended. */
    function write() {
      const stopping = new AbortController();
      const stored: number[] = [];
      const failed: { readonly n: number; readonly why: string }[] = [];
      const rows = Array.from({ length: WRITERS }, () => 0);
      let next = Math.floor(performance.now()) * 1000;
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        const agent = lab.agent();
        while (!stopping.signal.aborted) {
          const n = next++;
          const outcome = await lab
            .ask(
              '/integrations/http',
              {
                method: 'POST',
                headers: { authorization: `Bearer ${device.token}`, 'content-type': 'application/json' },
                body: JSON.stringify({ n }),
                patience: PATIENCE,
              },
              agent,
            )
            .then(({ status, body }) => (status === 200 ? null : `${status} ${body}`), String);
          if (outcome === null) {
            stored.push(n);
            rows[writer]!++;
          } else {
            failed.push({ n, why: outcome });
            rows[writer] = 0;
          }
        }
        agent.destroy();
      });
      return {
        stored,
        failed,
        /** Resolves once each writer has stored so many, from now on, with none between them that failed. */
        async goesOn() {
          rows.fill(0);
          await expect.poll(() => Math.min(...rows), { timeout: 40_000 }).toBeGreaterThan(IN_A_ROW);
        },
        async stop() {
          stopping.abort();
          await Promise.all(writers);
        },
      };
    }

    /** All that the device has; a number that was stored twice is there twice. */
    async function numbers(): Promise<number[]> {
      const path = `/_local/v1/projects/${device.project}/devices/${device.id}/records?format=ndjson`;
      const { status, body } = await lab.ask(path, { headers: own() });
      expect(status, body).toBe(200);
      return body
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { n: number }).n);
    }
    async function expectEachOnce({ stored }: { readonly stored: readonly number[] }): Promise<void> {
      const found = await numbers();
      expect(new Set(found).size).toBe(found.length);
      expect(stored.filter((n) => !found.includes(n))).toEqual([]);
    }

    test('passes requests on to each service', async () => {
      const writing = write();
      await writing.goesOn();
      await writing.stop();
      expect(writing.failed).toEqual([]);
      for (const service of lab.services) {
        const { data } = await at<{ path: string }[]>(service, '/_local/v1/requests');
        expect(data?.map(({ path }) => path)).toContain('/integrations/http');
      }
    });

    test('lets a browser in, whose window stays open', async () => {
      const { pathname, search } = new URL(lab.services[1]!.info.console_url ?? '');
      const { headers } = await lab.ask(pathname + search);
      const secret = /#let-in=([\w-]{43})$/.exec(headers.location ?? '')?.[1];
      const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      const page = await lab.ask('/console/', { headers: { cookie } });
      expect([page.status, page.body]).toEqual([200, expect.stringContaining('<title>')]);
      const window = new WebSocket(
        `wss://127.0.0.1:${lab.balancer.https}/console/socket`,
        ['fieldbench', `let-in.${secret}`],
        { agent: lab.agent(), headers: { host: LAB, origin: `https://${LAB}`, cookie } },
      );
      const [, refused] = (await Promise.race([
        once(window, 'open'),
        once(window, 'unexpected-response'),
      ])) as [unknown, IncomingMessage | undefined];
      expect(refused?.statusCode).toBeUndefined();
      window.terminate();
    });

    test('keeps the devices of one address at one service over MQTT, whose loss they outlive', async () => {
      const sender = await makeDevice('mqtt');
      const common = {
        username: sender.id,
        password: sender.token,
        ca: lab.ca,
        servername: LAB,
        reconnectPeriod: 200,
      };
      const { mqtt, mqtts } = lab.balancer;
      for (const [number, url] of [
        `mqtts://127.0.0.1:${mqtts}`,
        `mqtt://127.0.0.1:${mqtt}`,
        `mqtts://127.0.0.1:${mqtts}`,
      ].entries())
        clients.push(await connectAsync(url, { ...common, clientId: `client-${number}` }));
      const counts = await Promise.all(
        lab.services.map(async (service) => {
          const { data } = await at<{ mqtt_connections: number }>(service, '/_local/v1/status');
          return data?.mqtt_connections;
        }),
      );
      expect(counts.toSorted((a = 0, b = 0) => a - b)).toEqual([0, 0, 3]);
      for (const client of clients) await client.publishAsync(sender.id, '{"t":1}', { qos: 1 });
    });

    test('fails not one store while a service stops in its own time', async () => {
      const writing = write();
      await writing.goesOn();
      const stopped = lab.services[0]!.stop();
      await writing.goesOn();
      expect(await stopped).toBe(0);
      await writing.goesOn();
      await writing.stop();
      expect(writing.failed).toEqual([]);
      await expectEachOnce(writing);
    });

    test('leaves a service that hangs, and takes it back', async () => {
      const writing = write();
      await writing.goesOn();
      const { pid } = lab.services[1]!;
      signalIfThere(pid, 'SIGSTOP');
      await writing.goesOn();
      const failed = writing.failed.length;
      await writing.goesOn();
      expect(writing.failed.slice(failed)).toEqual([]);
      signalIfThere(pid, 'SIGCONT');
      await writing.goesOn();
      await writing.stop();
      await expectEachOnce(writing);
    });

    test('leaves a service that is killed: what comes then is stored, and nothing twice', async () => {
      const writing = write();
      await writing.goesOn();
      await lab.services[1]!.kill();
      await writing.goesOn();
      const failed = writing.failed.length;
      await writing.goesOn();
      await writing.stop();
      expect(writing.failed.slice(failed)).toEqual([]);
      await expectEachOnce(writing);
      await expect
        .poll(async () => {
          const { data } = await at<{ mqtt_connections: number }>(lab.services[2]!, '/_local/v1/status');
          return data?.mqtt_connections;
        })
        .toBe(clients.length);
    });
  });
});
