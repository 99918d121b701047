import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpOperationIds, operationOf, type CallId, type HttpId } from '#shared/operations/index.ts';
import { reads } from '#shared/operations/reads.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { isRefused } from '../../helpers/postgres/database-of-tests.ts';
import { memoryKeychain, openWith } from '../../helpers/store/vaults.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { SETTABLE, createWorld, inputOf, send, uploadOf, type World } from '../world.ts';

/* What the technician sees is exactly what the rig gets: the same call through both doors gives the same envelope. */

/** What differs between two calls of the same operation by its nature: fresh ids, secrets and times. */
const FRESH =
  /"(id|installation_id|project_id|device_id|account_id|device_token|api_key|created_at|created|changed|by|at|correction_id|last_seen|disk_free|free|started_at|last_used|time|path|duration_us|took_ms|https_port|http_port|mqtt_port|state|author|deleted_at|until|response_head|after|as_of|device_ids|function_id|since)":("(?:[^"\\]|\\.)*"|\d+|null|\[[^\]]*\])/g;

function settled(envelope: Envelope): unknown {
  return JSON.parse(JSON.stringify(envelope).replaceAll(FRESH, '"$1":"fresh"'));
}

async function overBridge(service: RunningService, id: HttpId, input: object): Promise<Envelope> {
  const { body, reply } = operationOf(id);
  if (body === 'stream')
    return service.bridge.upload(id as 'records.import', input as never, new Blob([uploadOf(id)]));
  if (reply === 'stream')
    return service.bridge.download(id as 'records.export', input as never, () => undefined);
  return service.bridge.call(id as CallId, input);
}

async function overHttp(service: RunningService, id: HttpId, input: Record<string, unknown>) {
  const { envelope, text, status } = await send(service, id, input);
  return { envelope, text, status };
}

/**
 * A vault can be moved where the start does not say which it is, and rotated where it is a file. Requests are known to the
 * service that they were sent to.
 */
function serviceFor(id: HttpId): Promise<RunningService> {
  if (!id.startsWith('secrets.'))
    return runService({ clock: SETTABLE }, { isAlone: /^(requests|clock|simulators|uploads)\./.test(id) });
  return runService({ vault: 'auto' }, { open: openWith(id === 'secrets.move' ? memoryKeychain() : null) });
}

/** A service whose window is asked, one that is asked over HTTP, and a world in each. */
interface Pair {
  readonly first: RunningService;
  readonly second: RunningService;
  readonly here: World;
  readonly there: World;
}

async function pairOf(start: () => Promise<RunningService>): Promise<Pair> {
  const [first, second] = [await start(), await start()];
  return { first, second, here: await createWorld(first), there: await createWorld(second) };
}

const stopped = ({ first, second }: Pair) => Promise.all([first.stop(), second.stop()]);

/** Whether an operation changes nothing, and tells nothing of what was asked before: one pair is enough for these. */
const isLook = (id: HttpId) => reads(id) && !/^(requests|clock|simulators|uploads|secrets|jobs)\./.test(id);

let looked: Pair;
beforeAll(async () => void (looked = await pairOf(runService)));
afterAll(() => stopped(looked));

test.each(httpOperationIds)('%s answers the same over the bridge and over HTTP', async (id) => {
  const pair = isLook(id) ? looked : await pairOf(() => serviceFor(id));
  const { first, second, here, there } = pair;
  try {
    const bridge = await overBridge(first, id, inputOf(id, here));
    const http = await overHttp(second, id, inputOf(id, there));
    expect(bridge.success).toBe(!isRefused(id));
    expect(http.status).toBe(bridge.status);
    if (isRefused(id)) {
      expect(bridge).toMatchObject({ status: 400, message: expect.stringContaining('in a database') });
      expect(http.envelope).toEqual(bridge);
    } else if (id === 'backup.get' || id === 'backup.with-secrets') {
      // It names what it holds by ids, which each service draws for itself.
      expect(http.text).toContain('"format": "fieldbench-backup"');
    } else if (id === 'handover.get') {
      // Each installation signs with its own key, and names what it holds by ids.
      expect(http.text).toMatch(/^PK/);
    } else if (id === 'audit.export') {
      // Each entry names ids, and the hash of the one before.
      const operations = (text: string) =>
        text
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { operation: string }).operation);
      let text = '';
      await first.bridge.download(id, inputOf(id, here), (bytes) => {
        text += new TextDecoder().decode(bytes);
      });
      expect(operations(http.text)).toEqual(operations(text));
    } else if (id === 'functions.try') {
      // Each record has the time of its call.
      const timeless = (envelope: Envelope) =>
        JSON.stringify(envelope).replace(/"timestamp":"[^"]*Z"/, '"timestamp":"of the call"');
      expect(timeless(http.envelope)).toContain('"timestamp":"of the call"');
      expect(timeless(bridge)).toBe(timeless(http.envelope));
    } else if (operationOf(id).reply === 'stream') {
      let text = '';
      await first.bridge.download(id as 'records.export', inputOf(id, here) as never, (bytes) => {
        text += new TextDecoder().decode(bytes);
      });
      expect(http.text).toBe(text);
    } else if (operationOf(id).reply === 'bare') {
      expect(JSON.parse(http.text)).toEqual(bridge.data);
    } else if (/^(status\.get|times\.get|audit\.verify|handover\.key|clock\..*)$/.test(id)) {
      // They speak of when the service runs, of when it got the records, and of hashes of ids and keys.
      expect(Object.keys(bridge.data as object)).toEqual(
        Object.keys(http.envelope.data as unknown as object),
      );
    } else {
      const addressless = (value: unknown, port: string) =>
        JSON.parse(JSON.stringify(value).replaceAll(port, 'http://service'));
      expect(addressless(settled(bridge), first.service.base_url)).toEqual(
        addressless(settled(http.envelope), second.service.base_url),
      );
    }
  } finally {
    if (pair !== looked) await stopped(pair);
  }
});

const namingSomething = httpOperationIds.filter((id) => operationOf(id).path.includes('_id'));

describe('what is not there', () => {
  let service: RunningService;
  let world: World;
  beforeAll(async () => {
    service = await runService();
    world = await createWorld(service);
  });
  afterAll(() => service.stop());

  // What finds nothing changes nothing, so that one world is enough for all.
  test.each(namingSomething)('%s says the same of it over both', async (id) => {
    const wrong = Object.fromEntries(
      Object.entries(inputOf(id, world)).map(([name, value]) => [
        name,
        name.endsWith('_id') ? 'no such id' : value,
      ]),
    );
    const bridge = await overBridge(service, id, wrong);
    expect((await send(service, id, wrong)).envelope).toEqual(bridge);
    expect(bridge).toMatchObject({ success: false, status: 404, data: null });
  });
});
