import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sender } from '#core/store/metadata/sender.ts';
import { PackedSenders } from '#core/store/postgres/metadata/packed-senders.ts';

/* Hashes that meet often: few segments, and few places in them. */
const hash = fc
  .tuple(fc.constantFrom('00', '7f', 'ff'), fc.constantFrom('00', '01', '80', 'ff'), fc.nat({ max: 6 }))
  .map(([segment, place, rest]) =>
    `${segment}000000${place.repeat(4)}${String(rest).padStart(2, '0')}`.padEnd(64, '5'),
  );
const uuid = (kind: string, n: number) => `${kind.repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const sender = fc
  .record({
    device: fc.nat({ max: 99 }),
    project: fc.nat({ max: 2 }),
    source: fc.constantFrom('http', 'mqtt'),
  })
  .map(({ device, project, source }): Sender => ({
    account_id: uuid('a', project),
    device: { id: uuid('d', device), project_id: uuid('e', project), source },
  }));
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('set'), hash, sender }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete'), hash }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('get'), hash }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('project'), project: fc.nat({ max: 2 }) }) },
);

function runOver(
  senders: PackedSenders,
  acts: readonly (typeof act extends fc.Arbitrary<infer T> ? T : never)[],
) {
  const model = new Map<string, Sender>();
  for (const each of acts) {
    if (each.kind === 'set') {
      senders.set(each.hash, each.sender);
      model.set(each.hash, each.sender);
    } else if (each.kind === 'delete') {
      senders.delete(each.hash);
      model.delete(each.hash);
    } else if (each.kind === 'get') senders.get(each.hash);
    else {
      senders.deleteProject(uuid('e', each.project));
      for (const [key, { device }] of model)
        if (device.project_id === uuid('e', each.project)) model.delete(key);
    }
  }
  return model;
}

test('packed senders are what a map has, wherever their hashes meet', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 120 }), fc.array(hash), (acts, others) => {
      const senders = new PackedSenders(1e6);
      const model = runOver(senders, acts);
      for (const key of [...model.keys(), ...others])
        expect(senders.get(key)).toEqual(model.get(key) ?? null);
    }),
  );
});

test('packed senders that are full forget some, and have nothing else of any', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 120 }), fc.integer({ min: 1, max: 12 }), (acts, slots) => {
      const limit = slots * 256 * 84;
      const senders = new PackedSenders(limit);
      const model = runOver(senders, acts);
      let known = 0;
      for (const [key, value] of model) {
        const found = senders.get(key);
        if (found !== null) expect(found).toEqual(value);
        known += Number(found !== null);
      }
      // What was set last is there, unless it was deleted.
      const last = acts.findLast((each) => each.kind !== 'get');
      if (last?.kind === 'set') expect(senders.get(last.hash)).toEqual(last.sender);
      expect(senders.bytes).toBeLessThanOrEqual(Math.max(2, slots) * 256 * 84);
      expect(known).toBeLessThanOrEqual(3 * Math.max(2, slots));
    }),
  );
});

test('of packed senders those stay that are used, while others come', () => {
  const senders = new PackedSenders(256 * 84 * 100);
  const of = (n: number): Sender => ({
    account_id: uuid('a', 1),
    device: { id: uuid('d', n), project_id: uuid('e', 1), source: 'http' },
  });
  const hashFor = (n: number) => `00${n.toString(16).padStart(14, '0')}`.padEnd(64, '7');
  for (let n = 0; n < 2_000; n++) {
    senders.set(hashFor(n), of(n));
    for (let used = 0; used < Math.min(n, 40); used++) senders.get(hashFor(used));
  }
  expect(Array.from({ length: 40 }, (_, n) => senders.get(hashFor(n))?.device.id)).toEqual(
    Array.from({ length: 40 }, (_, n) => of(n).device.id),
  );
});
