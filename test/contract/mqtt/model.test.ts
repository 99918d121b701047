import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Actor } from './actor.ts';
import { mqttWorld, type Device, type MqttWorld } from './world.ts';

/*
 * Clients of one device that do anything in any order, with restarts of the service between, against what each of them and
 * the store must have got in the end (4.3, 4.4, 4.6). `FIELDBENCH_MQTT_RUNS=500` runs more of them, each with another seed.
 */

const RUNS = Number(process.env['FIELDBENCH_MQTT_RUNS'] ?? 8);

let world: MqttWorld;
beforeAll(async () => void (world = await mqttWorld()));
afterAll(() => world.stop());

const who = fc.integer({ min: 0, max: 2 });
const qos = fc.constantFrom(0 as const, 1 as const, 2 as const);
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant('connect' as const),
      who,
      version: fc.constantFrom(4 as const, 5 as const),
      isLasting: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('subscribe' as const), who, qos }) },
  {
    weight: 8,
    arbitrary: fc.record({ is: fc.constant('publish' as const), who, qos, retain: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('publish-and-cut' as const),
      who,
      qos: fc.constantFrom(1 as const, 2 as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('goodbye' as const), who }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('go-deaf' as const), who }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('cut' as const), who }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('restart' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Someone has something to lose from the beginning on. */
const BEGIN: readonly Action[] = [
  { is: 'connect', who: 0, version: 4, isLasting: true },
  { is: 'subscribe', who: 0, qos: 2 },
  { is: 'connect', who: 1, version: 5, isLasting: true },
  { is: 'subscribe', who: 1, qos: 1 },
];

/** What is true of a client's session. */
interface Side {
  readonly actor: Actor;
  session: { readonly isLasting: boolean; subscribed: 0 | 1 | 2 | null } | null;
  /** Numbers of messages that it must get with QoS 1 or 2. */
  due: number[];
  /** The one that it was cut off at, to be sent again. */
  owed: { readonly n: number; readonly qos: 1 | 2 } | null;
}

class Model {
  readonly #device: Device;
  readonly #sides: Side[] = ['a', 'b', 'c'].map((id) => ({
    actor: new Actor(id),
    session: null,
    due: [],
    owed: null,
  }));
  /** How often each number must be stored at least, and at most. */
  readonly #stored = new Map<number, readonly [number, number]>();
  #n = 0;

  constructor(device: Device) {
    this.#device = device;
  }

  async run(step: Action): Promise<void> {
    if (step.is === 'restart') {
      for (const side of this.#sides) if (side.actor.isConnected) this.#left(side);
      world = await world.restarted();
      return;
    }
    const side = this.#sides[step.who]!;
    const { actor } = side;
    if (step.is === 'connect') {
      if (!actor.isConnected) await this.#connect(side, step.version, step.isLasting);
    } else if (!actor.isConnected) return;
    else if (step.is === 'subscribe') {
      await actor.subscribe(step.qos);
      if (side.session !== null) side.session.subscribed = step.qos;
    } else if (step.is === 'publish') await this.#publish(side, step.qos, step.retain);
    else if (step.is === 'publish-and-cut') {
      const n = ++this.#n;
      actor.publishAndCut(this.#device, { n, qos: step.qos, retain: false });
      side.owed = { n, qos: step.qos };
      this.#stored.set(n, [0, 1]);
      await this.#gone(side);
    } else if (step.is === 'go-deaf') actor.isDeaf = true;
    else {
      if (step.is === 'goodbye') await actor.goodbye();
      else actor.cut();
      await this.#gone(side);
    }
  }

  /** Everyone whose session lasts comes back, and gets what is due. */
  async finish(): Promise<void> {
    for (const side of this.#sides)
      if (side.actor.isConnected && side.actor.isDeaf) {
        side.actor.cut();
        await this.#gone(side);
      }
    for (const side of this.#sides)
      if (!side.actor.isConnected && side.session !== null) await this.#connect(side, 5, true);
    const last = new Actor('last');
    await last.connect(world.port, this.#device, 5, false);
    const n = ++this.#n;
    await last.publish(this.#device, { n, qos: 1, retain: false });
    this.#stored.set(n, [1, 1]);
    for (const { actor, session, due } of this.#sides) {
      if (session === null || session.subscribed === null) continue;
      await expect.poll(() => actor.got.some((one) => one.n === n)).toBe(true);
      const first = [...new Set(actor.got.map((one) => one.n))];
      // Each that is due, in the order in which they were published.
      expect(first.filter((one) => due.includes(one))).toEqual(due);
      const exact = actor.got.filter((one) => one.qos === 2).map((one) => one.n);
      expect(exact).toEqual([...new Set(exact)]);
    }
    const counts = new Map<number, number>();
    for (const value of await world.valuesOf(this.#device))
      counts.set(value as number, (counts.get(value as number) ?? 0) + 1);
    for (const [number, [least, most]] of this.#stored) {
      const count = counts.get(number) ?? 0;
      expect({ number, count, isRight: count >= least && count <= most }).toMatchObject({ isRight: true });
    }
    for (const { actor } of this.#sides) actor.cut();
    last.cut();
    await expect.poll(connections).toBe(0);
  }

  async #connect(side: Side, version: 4 | 5, isLasting: boolean): Promise<void> {
    const had = isLasting && side.session !== null;
    const isPresent = await side.actor.connect(world.port, this.#device, version, isLasting);
    expect(isPresent).toBe(had);
    if (had && side.owed !== null) {
      // It was sent again: QoS 2 counts once.
      const { n, qos: sent } = side.owed;
      this.#stored.set(n, sent === 2 ? [1, 1] : [1, 2]);
    }
    side.owed = null;
    if (had) side.session = { isLasting, subscribed: side.session!.subscribed };
    else {
      side.session = { isLasting, subscribed: null };
      side.due = [];
      side.actor.got.length = 0;
    }
  }

  async #publish({ actor }: Side, sent: 0 | 1 | 2, retain: boolean): Promise<void> {
    const n = ++this.#n;
    this.#stored.set(n, [sent === 0 ? 0 : 1, 1]);
    await actor.publish(this.#device, { n, qos: sent, retain });
    if (sent === 0) return;
    for (const { session, due } of this.#sides) if ((session?.subscribed ?? 0) > 0) due.push(n);
  }

  /** The service knows it, too. */
  async #gone(side: Side): Promise<void> {
    this.#left(side);
    const left = this.#sides.filter(({ actor }) => actor.isConnected).length;
    await expect.poll(connections, { interval: 5 }).toBe(left);
  }

  #left(side: Side): void {
    if (side.actor.isConnected) side.actor.cut();
    if (side.session?.isLasting === true) return;
    side.session = null;
    side.due = [];
  }
}

async function connections(): Promise<number> {
  const { envelope } = await world.request('GET', '/_local/v1/status');
  return (envelope.data as unknown as { mqtt_connections: number }).mqtt_connections;
}

test('nothing is lost, doubled or out of order that may not be', async () => {
  const run = fc.asyncProperty(
    fc.array(action, { minLength: 10, maxLength: 40, size: 'max' }),
    async (steps) => {
      const model = new Model(await world.makeDevice());
      for (const step of [...BEGIN, ...steps]) await model.run(step);
      await model.finish();
    },
  );
  await fc.assert(run, { numRuns: RUNS, ...(RUNS === 8 && { seed: 1883 }), endOnFailure: RUNS === 8 });
}, 600_000);
