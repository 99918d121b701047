import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultMatch } from '#shared/operations/service/faults.ts';
import { freshSeed, withSeed } from '../../helpers/chance.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { SeededChance } from '#core/base/seeded-chance.ts';
import { dataOf, type Asking } from '../world.ts';
import { clearFaults, countsOf, faultsNow, outcomeOf, setFaults, type Given } from './faulty.ts';

/*
 * Random rules of two accounts against random requests of both: what a model says of which rule acts is what the service says and
 * does, nothing crosses, and behind it everything is there that was acknowledged, and once.
 */

const REQUESTS = 60;
let service: RunningService;

beforeAll(async () => {
  service = await runService({}, { isAlone: true });
});
afterAll(() => service.stop());

/** Numbers of a seed. */
class Draw {
  readonly #chance: SeededChance;

  constructor(seed: number) {
    this.#chance = new SeededChance(`model ${seed}`);
  }

  whole(below: number): number {
    return Math.floor(this.#chance.number() * below);
  }

  one<T>(of: readonly T[]): T {
    return of[this.whole(of.length)]!;
  }

  may<T>(value: () => T): T | undefined {
    return this.whole(3) === 0 ? value() : undefined;
  }
}

/** An account with two devices and two keys. */
interface Account {
  readonly asking: Asking;
  readonly project: string;
  readonly keys: readonly { readonly id: string; readonly key: string }[];
  readonly devices: readonly { readonly id: string; readonly token: string }[];
}

async function account(name: string): Promise<Account> {
  const made = await dataOf(service, 'POST', '/_local/v1/accounts', { name });
  const first = made['api_key'] as string;
  const asking: Asking = {
    request: (method, path, more = {}) => service.request(method, path, { key: first, ...more }),
  };
  const project = await dataOf(asking, 'POST', '/_local/v1/projects', { name });
  const devices: { id: string; token: string }[] = [];
  const keys: { id: string; key: string }[] = [];
  for (const each of ['one', 'two']) {
    const device = await dataOf(asking, 'POST', `/v2/projects/${project.id}/devices`, {
      name: each,
      source: 'http',
    });
    devices.push({ id: device.id, token: (device['metadata'] as { device_token: string }).device_token });
    const key = await dataOf(asking, 'POST', '/_local/v1/keys', { name: each, permissions: ['read'] });
    keys.push({ id: key.id, key: key['api_key'] as string });
  }
  return { asking, project: project.id, keys, devices };
}

const DOES = [
  { status: 503 },
  { status: 500, delay_ms: [0, 3] },
  { delay_ms: 2 },
  { refuse: true },
  { cut_after_bytes: 0 },
  { cut_after_bytes: 0, after_store: true },
  { bytes_per_s: 1_000_000 },
  { mqtt: 'no-ack' },
] as const;

/** What the client of a request has of each: a status, no answer, or that of the service. */
const outcomeBy = (does: Given['do'], usual: number): number | 'lost' => {
  if (does['refuse'] === true || does['cut_after_bytes'] !== undefined) return 'lost';
  return (does['status'] as number | undefined) ?? usual;
};

function ruleOf(draw: Draw, { devices, keys, project }: Account): Given {
  const match = {
    door: draw.may(() => draw.one(['http', 'https', 'mqtt'])),
    operation: draw.may(() => draw.one(['ingest', 'projects.list', 'data.list'])),
    method: draw.may(() => draw.one(['GET', 'POST'])),
    path: draw.may(() => draw.one(['/', '/v2', '/integrations', `/v2/projects/${project}`])),
    key_id: draw.may(() => draw.one(keys).id),
    device_id: draw.may(() => draw.one(devices).id),
    after: draw.may(() => draw.whole(4)),
    first: draw.may(() => draw.whole(6)),
    every: draw.may(() => 1 + draw.whole(3)),
    share: draw.may(() => draw.one([0, 0.3, 1])),
  };
  const given = Object.fromEntries(Object.entries(match).filter(([, value]) => value !== undefined));
  const does = draw.one(DOES);
  // What nothing can be done at is no rule.
  if ('door' in given) given['door'] = 'mqtt' in does ? 'mqtt' : 'http';
  return { match: given, do: does };
}

interface Request {
  readonly operation: 'ingest' | 'projects.list' | 'data.list';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly key_id: string | null;
  readonly device_id: string | null;
  readonly secret: string;
}

function requestOf(draw: Draw, { devices, keys, project }: Account): Request {
  const device = draw.one(devices);
  const operation = draw.one(['ingest', 'ingest', 'projects.list', 'data.list'] as const);
  if (operation === 'ingest')
    return {
      operation,
      method: 'POST',
      path: '/integrations/http',
      key_id: null,
      device_id: device.id,
      secret: device.token,
    };
  const { id: key_id, key: secret } = draw.one(keys);
  const page = `/v2/projects/${project}/devices/${device.id}/data?page=1&limit=1000&range=all`;
  const path = operation === 'data.list' ? page : '/v2/projects';
  return { operation, method: 'GET', path, key_id, device_id: null, secret };
}

/** What the rules of an account come to, written down once more. */
class Model {
  readonly counts: [number, number][];
  readonly #rules: readonly Given[];
  readonly #chance: SeededChance;

  constructor(rules: readonly Given[], seed: number) {
    this.#rules = rules;
    this.counts = rules.map(() => [0, 0]);
    this.#chance = new SeededChance(`faults ${seed}`);
  }

  /** The rule that acts. */
  meet(request: Request): Given | null {
    for (const [at, rule] of this.#rules.entries()) {
      const {
        door,
        operation,
        method,
        path = '',
        key_id,
        device_id,
        ...counted
      } = (rule.match ?? {}) as FaultMatch;
      if (door === 'mqtt' || 'mqtt' in rule.do) continue;
      if (operation !== undefined && operation !== request.operation) continue;
      if (method !== undefined && method !== request.method) continue;
      if (!request.path.startsWith(path)) continue;
      if (key_id !== undefined && key_id !== request.key_id) continue;
      if (device_id !== undefined && device_id !== request.device_id) continue;
      const count = this.counts[at]!;
      const n = ++count[0] - (counted.after ?? 0);
      if (n < 1 || n > (counted.first ?? Infinity) || n % (counted.every ?? 1) !== 0) continue;
      if (counted.share !== undefined && this.#chance.number() >= counted.share) continue;
      count[1]++;
      const delay = rule.do['delay_ms'];
      if (Array.isArray(delay)) this.#chance.number();
      return rule;
    }
    return null;
  }
}

async function live(seed: number): Promise<void> {
  const draw = new Draw(seed);
  const accounts = [await account(`A ${seed}`), await account(`B ${seed}`)];
  const models: Model[] = [];
  for (const each of accounts) {
    const rules = Array.from({ length: 1 + draw.whole(4) }, () => ruleOf(draw, each));
    const own = draw.whole(1000);
    models.push(new Model(rules, own));
    await setFaults(each.asking, rules, { seed: own });
  }
  /** Of each device: acknowledged, and those of which nobody knows. */
  const acknowledged = new Map<string, number[]>();
  const unanswered = new Map<string, number[]>();
  const note = (where: Map<string, number[]>, device: string, n: number) =>
    where.set(device, [...(where.get(device) ?? []), n]);

  for (let n = 0; n < REQUESTS; n++) {
    const at = draw.whole(2);
    const request = requestOf(draw, accounts[at]!);
    const act = models[at]!.meet(request);
    const wanted = act === null ? 200 : outcomeBy(act.do, 200);
    const { method, path, secret, device_id } = request;
    const got = await outcomeOf(
      service.request(method, path, {
        key: secret,
        ...(device_id !== null && { body: { n }, headers: { 'Idempotency-Key': `"${n}"` } }),
      }),
    );
    expect([n, got]).toEqual([n, wanted]);
    if (device_id !== null) note(got === 200 ? acknowledged : unanswered, device_id, n);
  }
  for (const [at, { asking, devices, project }] of accounts.entries()) {
    expect(countsOf(await faultsNow(asking))).toEqual(models[at]!.counts);
    await clearFaults(asking);
    for (const { id, token } of devices) {
      const there = async () =>
        (
          (await dataOf(
            asking,
            'GET',
            `/v2/projects/${project}/devices/${id}/data?page=1&limit=1000&range=all`,
          )) as unknown as { n: number }[]
        )
          .map(({ n }) => n)
          .toSorted((a, b) => a - b);
      const sure = acknowledged.get(id) ?? [];
      const unsure = unanswered.get(id) ?? [];
      const before = await there();
      expect(before.filter((n) => !unsure.includes(n))).toEqual(sure);
      for (const n of unsure) {
        const retried = await service.request('POST', '/integrations/http', {
          key: token,
          body: { n },
          headers: { 'Idempotency-Key': `"${n}"` },
        });
        expect(retried.status).toBe(200);
      }
      expect(await there()).toEqual([...sure, ...unsure].toSorted((a, b) => a - b));
    }
  }
}

test('rules act on what a model says, in two accounts at once, and lose nothing that was acknowledged', async () => {
  for (let run = 0; run < someRuns(24); run++) await withSeed(live);
}, 120_000);

test('the same rules, seed and requests come to the same', async () => {
  const each = await account(`Same ${freshSeed()}`);
  const rules = [{ match: { share: 0.4 }, do: { status: 503 } }];
  const lives = async (seed: number) => {
    await setFaults(each.asking, rules, { seed });
    const statuses: (number | 'lost')[] = [];
    for (let n = 0; n < 30; n++)
      statuses.push(await outcomeOf(service.request('GET', '/v2/projects', { key: each.keys[0]!.key })));
    return statuses;
  };
  expect(await lives(1)).toEqual(await lives(1));
  expect(await lives(2)).not.toEqual(await lives(1));
});
