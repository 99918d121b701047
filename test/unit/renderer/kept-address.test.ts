import { beforeEach, expect, test, vi } from 'vitest';

/* The address that follows what a screen shows, a little later. */

type Router = typeof import('../../../renderer/router.ts');
let router: Router;
let hear: () => void;
let click: () => void;
const location = { hash: '' };

/** A window that says of another address a turn after it was changed, as browsers do. */
beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers();
  location.hash = '#/compare?d=a,b';
  vi.stubGlobal('window', {
    location,
    history: {
      state: null,
      replaceState: (_state: unknown, _title: string, href: string) => (location.hash = href),
    },
    addEventListener: (name: string, listener: () => void) =>
      name === 'click' ? (click = listener) : (hear = listener),
    removeEventListener: () => undefined,
  });
  router = await import('../../../renderer/router.ts');
});

const compared = () => router.parseRoute('#/compare?d=a,b&k=t');

test('what a screen shows is in the address after a while', () => {
  router.keepAddress(compared());
  expect(location.hash).toBe('#/compare?d=a,b');
  vi.runAllTimers();
  expect(location.hash).toContain('k=t');
  router.keepAddress(router.parseRoute('#/compare?d=a,b'));
  vi.runAllTimers();
  expect(location.hash).not.toContain('k=t');
});

test('who goes elsewhere meanwhile gets there, whether or not the screen has heard of it', () => {
  const changed = vi.fn();
  router.hearAddress(changed);
  router.keepAddress(compared());
  location.hash = '#/views';
  vi.runAllTimers();
  expect(location.hash).toBe('#/views');
  // The screen that is left may still be drawn anew.
  router.keepAddress(compared());
  vi.runAllTimers();
  expect(location.hash).toBe('#/views');
  hear();
  expect(changed).toHaveBeenCalledWith(router.parseRoute('#/views'));
  router.keepAddress(router.parseRoute('#/views?find=boiler'));
  vi.runAllTimers();
  expect(location.hash).toBe('#/views?find=boiler');
});

test('a link that is followed at once leaves behind the address of what was shown', () => {
  const written = vi.spyOn(window.history, 'replaceState');
  router.keepAddress(compared());
  // Browsers tell of a click before they follow the link.
  click();
  expect(location.hash).toContain('k=t');
  location.hash = '#/views';
  hear();
  vi.runAllTimers();
  expect(location.hash).toBe('#/views');
  expect(written).toHaveBeenCalledOnce();
});
