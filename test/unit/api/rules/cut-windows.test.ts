import { afterEach, expect, test, vi } from 'vitest';
import type { CutWindow } from '#core/rules/firing.ts';
import { T0, watchedWorld } from './watched-world.ts';

/* A rule whose window had more readings than are compared says so (docs/functions.md, "Conditions"). */

const WAIT = { timeout: 20_000, interval: 10 };
let world: Awaited<ReturnType<typeof watchedWorld>>;
afterEach(() => world.close());

test('a change that may have been missed is said of the rule, and no longer once it cannot have been', async () => {
  world = await watchedWorld();
  let cut: CutWindow | null = { key: 't', width: 3_600_000_000, at: T0 };
  world.watchBy(() => ({ look: () => Promise.resolve({ firings: [], next: null, cut }) }));
  await world.addRule('r', { when: { key: 't', change: 5, within_s: 3600 } });
  world.open();
  const said = () => world.ruleProblems.of('r');
  await vi.waitFor(() => expect(said()).toContain('more than 100,000 readings of "t"'), WAIT);
  expect(said()).toContain('In the 3600 s up to 2027-01-15T08:00:00');
  expect(world.logged).toEqual([]);
  // Of a device that is not watched any more nothing is said.
  await world.metadata.change((tables) => tables.patch('functions', 'r', { enabled: false }));
  world.events.publish('functions.changed', { account_id: 'a', project_id: 'p', device_id: 'd' });
  await vi.waitFor(() => expect(said()).toBeNull(), WAIT);
  await world.metadata.change((tables) => tables.patch('functions', 'r', { enabled: true, since: T0 }));
  world.events.publish('functions.changed', { account_id: 'a', project_id: 'p', device_id: 'd' });
  await vi.waitFor(() => expect(said()).toContain('more than 100,000'), WAIT);
  cut = null;
  await world.store('d', { 1: 1 });
  await vi.waitFor(() => expect(said()).toBeNull(), WAIT);
});
