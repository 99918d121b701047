import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryBudget, type Asker, type MemoryReservation } from '#core/ingest/memory-budget.ts';

/* Memory of bodies under way (docs/running.md, "Limits"). */

const by = (id: string, group = id): Asker => ({ id, group });

async function* pieces(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size);
}

async function drain(body: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const piece of body) size += piece.length;
  return size;
}

test('one sender may take its share, all together what there is', () => {
  const budget = createMemoryBudget({ most: 100, ofSender: 60 });
  const [a, b, c] = [budget.hold(), budget.hold(), budget.hold()];
  a.take(by('one'), 50);
  expect(() => b.take(by('one'), 11)).toThrow(expect.objectContaining({ status: 429 }));
  b.take(by('one'), 10);
  expect(() => c.take(by('two'), 41)).toThrow(expect.objectContaining({ status: 503 }));
  c.take(by('two'), 40);
  a.release();
  a.release();
  c.take(by('two'), 20);
  b.take(by('one'), 30);
  expect(() => budget.hold().take(by('three'), 1)).toThrow(expect.objectContaining({ status: 503 }));
});

test('a body is refused before it is read where it has no room, and on its way where others took it', async () => {
  const budget = createMemoryBudget({ most: 100, ofSender: 100 });
  const other = budget.hold();
  other.take(by('other'), 50);
  let isRead = false;
  async function* body() {
    isRead = true;
    yield* pieces(60);
  }
  const [early, late] = [budget.hold(), budget.hold()];
  await expect(drain(early.counted(by('a'), body(), 60))).rejects.toMatchObject({ status: 503 });
  expect(isRead).toBe(false);
  await expect(drain(late.counted(by('a'), pieces(30, 30), null))).rejects.toMatchObject({ status: 503 });
  late.release();
  expect(await drain(early.counted(by('a'), pieces(20, 30), 50))).toBe(50);
});

test('who waits is let in first, in order', async () => {
  const budget = createMemoryBudget({ most: 100, ofSender: 100 });
  const first = budget.hold();
  first.take(by('a'), 80);
  const order: number[] = [];
  const waiters = [30, 60, 10].map((bytes) => {
    const held = budget.hold();
    const done = held.wait(by(`sender of ${bytes}`), bytes).then(() => void order.push(bytes));
    return { held, done };
  });
  expect(() => budget.hold().take(by('b'), 1)).toThrow(expect.objectContaining({ status: 503 }));
  first.release();
  await Promise.all(waiters.map(({ done }) => done));
  expect(order).toEqual([30, 60, 10]);
  for (const { held } of waiters) held.release();
  budget.hold().take(by('b'), 100);
});

test('who holds little is let in before who holds much, and who waits for itself alone keeps nobody waiting', async () => {
  const budget = createMemoryBudget({ most: 100, ofSender: 60 });
  const [greedy, other] = [budget.hold(), budget.hold()];
  await greedy.wait(by('greedy'), 50);
  const order: string[] = [];
  const more = budget.hold();
  const waits = more.wait(by('greedy'), 20).then(() => void order.push('greedy'));
  await other.wait(by('other'), 40);
  budget.hold().take(by('third'), 10);
  const last = budget.hold().wait(by('other'), 15);
  void last.then(() => order.push('other'));
  greedy.release();
  await Promise.all([waits, last]);
  expect(order).toEqual(['greedy', 'other']);
});

test('holds no more than it may, and everything comes back', async () => {
  const step = fc.record({
    n: fc.nat(5),
    sender: fc.constantFrom('a', 'b'),
    bytes: fc.integer({ min: 1, max: 70 }),
    release: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const budget = createMemoryBudget({ most: 100, ofSender: 60 });
      const held: MemoryReservation[] = Array.from({ length: 6 }, () => budget.hold());
      const own = held.map(() => ({ a: 0, b: 0 }));
      for (const { n, sender, bytes, release } of steps) {
        if (release) {
          held[n]?.release();
          own[n] = { a: 0, b: 0 };
          continue;
        }
        const ofSender = own.reduce((sum, one) => sum + one[sender], 0);
        const all = own.reduce((sum, one) => sum + one.a + one.b, 0);
        const status = ofSender + bytes > 60 ? 429 : all + bytes > 100 ? 503 : null;
        if (status === null) {
          held[n]?.take(by(sender), bytes);
          own[n]![sender] += bytes;
        } else expect(() => held[n]?.take(by(sender), bytes)).toThrow(expect.objectContaining({ status }));
      }
      for (const one of held) one.release();
      const last = budget.hold();
      last.take(by('a'), 60);
      last.take(by('b'), 40);
    }),
  );
});

test('what one project sends, with however many tokens, leaves something to others', async () => {
  const budget = createMemoryBudget({ most: 100, ofSender: 60, ofGroup: 80 });
  const [key, device, more] = [budget.hold(), budget.hold(), budget.hold()];
  key.take(by('key', 'greedy'), 60);
  device.take(by('its device', 'greedy'), 20);
  expect(() => budget.hold().take(by('another of its devices', 'greedy'), 1)).toThrow(
    expect.objectContaining({ status: 429 }),
  );
  const waits = more.wait(by('a third one', 'greedy'), 10);
  // Who waits for its own project alone keeps nobody waiting.
  budget.hold().take(by('another device', 'other'), 10);
  await budget.hold().wait(by('another key', 'other'), 10);
  device.give(by('its device', 'elsewhere by now'), 10);
  await waits;
  key.release();
  device.release();
  more.release();
  budget.hold().take(by('its device', 'greedy'), 60);
});
