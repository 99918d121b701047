import assert from 'node:assert/strict';
import type { PushPlan, Pushed } from '#shared/operations/records/push.ts';
import { dataOf } from '../../contract/world.ts';
import { CuttingProxy, type Fate } from '../service/cutting-proxy.ts';
import type { RunningService } from '../service/running-service.ts';

/* Pushes between two services over a wire that is cut, or whose bytes are counted. */

const FATES: readonly Fate[] = ['lost', 'unheard', 'unanswered'];
/** Records of one upload. */
const AT_ONCE = 50_000;
const EVER = { start: '1970-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z', parts: 1 };

/** A device here, and the way to a lab, over a wire that does with each piece what `fate` says. */
async function wireTo(lab: RunningService, here: RunningService, fate: () => Fate) {
  const project_id = (await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Field' })).id;
  const path = `/v2/projects/${project_id}/devices`;
  const device = await dataOf(here, 'POST', path, { name: 'Pump', source: 'http' });
  const { device_token: key } = device['metadata'] as { device_token: string };
  const url = new URL(lab.service.http_url ?? lab.service.base_url);
  const proxy = new CuttingProxy(Number(url.port), fate);
  const reach = { to: `http://127.0.0.1:${await proxy.listen()}`, key: lab.service.api_key };
  let stored = 0;
  return {
    proxy,
    /** What is on both sides: how many records, and their digest. */
    async digests() {
      const at = `/_local/v1/projects/${project_id}/devices/${device.id}/digest`;
      const both = [here, lab].map((side) => dataOf(side, 'POST', at, EVER));
      return (await Promise.all(both)).map(
        ({ parts }) => (parts as { records: number; digest: string }[])[0],
      );
    },
    /** Stores some more here. */
    async store(records: number) {
      for (let left = records; left > 0; left -= AT_ONCE) {
        const some = Math.min(AT_ONCE, left);
        const bytes = Array.from({ length: some }, () => lineOf(stored++)).join('');
        const raw = { type: 'application/x-ndjson', bytes };
        const { status, text } = await here.request('POST', '/integrations/http', { key, raw });
        if (status !== 200) throw new Error(text);
      }
    },
    /** A plan and what came of it; null where the lab was lost. Rejects with any other refusal. */
    async push(): Promise<{ readonly plan: PushPlan; readonly pushed: Pushed } | null> {
      const planned = await here.bridge.call('push.plan', { ...reach, project_ids: [project_id] });
      if (!planned.data) return lost(planned);
      const plan = planned.data as PushPlan;
      const ran = await here.bridge.call('push.run', { ...reach, plan });
      return ran.data ? { plan, pushed: ran.data } : lost(ran);
    },
  };
}

function lost({ status, message }: { readonly status: number; readonly message: string }): null {
  assert.equal(status, 503, message);
  return null;
}

const lineOf = (n: number) =>
  `{"timestamp":${1_770_000_000_000 + n * 1000 - (n % 7) * 400},"temperature":${20 + (n % 50) / 10},"humidity":${40 + (n % 31)},"state":"${n % 3 === 0 ? 'idle' : 'on'}"}\n`;

/**
 * Pushes again and again, each time cut off at a random piece of what goes to the lab, before or after it arrived or was
 * answered, with more records each time; then once to the end. Rejects where the lab then has not the very records that are here.
 */
export async function cutWire({
  here,
  lab,
  cuts,
  records,
  random,
}: {
  readonly here: RunningService;
  readonly lab: RunningService;
  readonly cuts: number;
  readonly records: number;
  readonly random: () => number;
}): Promise<{ readonly records: number; readonly pushes: number }> {
  /** Pieces until the cut, and those of a push that was not cut: a cut is somewhere among them. */
  let left = Infinity;
  let usual = 4;
  let seen = 0;
  const wire = await wireTo(lab, here, () => {
    seen++;
    return left-- > 0 ? 'pass' : (FATES[Math.floor(random() * FATES.length)] ?? 'lost');
  });
  const { proxy } = wire;
  let pushes = 0;
  const each = Math.ceil(records / cuts);
  for (let stored = 0; proxy.cuts < cuts; pushes++) {
    const some = Math.min(each, records - stored);
    if (some > 0) await wire.store(some);
    stored += some;
    seen = 0;
    left = Math.floor(random() * usual);
    const before = proxy.cuts;
    const done = await wire.push();
    left = Infinity;
    assert.equal(done === null, proxy.cuts > before, 'only a cut ends a push');
    // One that got through says how many pieces there are; one that was cut, that there may be more.
    usual = done === null ? usual + 1 : Math.max(seen, 2);
  }
  const last = await wire.push();
  assert.ok(last);
  for (const { problem } of last.pushed.devices) assert.equal(problem, null);
  const [own, theirs] = await wire.digests();
  assert.deepEqual(theirs, own);
  assert.equal((await wire.push())?.plan.send, 0);
  await proxy.close();
  return { records: own?.records ?? 0, pushes: pushes + 2 };
}

/** Bytes of a push, both ways, heads included. */
export interface WireBytes {
  readonly there: number;
  readonly back: number;
}

/** Pushes all there is, then again: what the second one costs of the first. */
export async function pushTwice(
  here: RunningService,
  lab: RunningService,
  records: number,
): Promise<{ readonly first: WireBytes; readonly second: WireBytes }> {
  const wire = await wireTo(lab, here, () => 'pass');
  await wire.store(records);
  const measured = async (sends: number) => {
    wire.proxy.bytes = { there: 0, back: 0 };
    const done = await wire.push();
    assert.equal(done?.pushed.sent, sends);
    return wire.proxy.bytes;
  };
  const first = await measured(records);
  const second = await measured(0);
  await wire.proxy.close();
  return { first, second };
}
