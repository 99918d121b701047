import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { create } from 'zustand';
import type { ChartData } from '../../../../../renderer/chart/load/loader.ts';
import { listenTogether } from '../../../../../renderer/chart/compare/listen-together.ts';

type State = ChartData['state'];

const EMPTY = { error: null, picture: null, whole: null, window: null, far: null, points: 0, total: null };

function source(state: State) {
  const useData = create<ChartData>(() => ({ ...EMPTY, state, bounds: [], newest: [] }));
  return { useData, put: (next: Partial<ChartData>) => useData.setState(next) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('devices that come one after the other are told as one, at the moment when the last is there', () => {
  const [a, b, c] = [source('loading'), source('loading'), source('loading')];
  const tell = vi.fn();
  const stop = listenTogether([a, b, c], tell);
  a.put({ state: 'ready' });
  b.put({ state: 'error' });
  expect(tell).not.toHaveBeenCalled();
  c.put({ state: 'ready' });
  expect(tell).toHaveBeenCalledTimes(1);
  vi.runAllTimers();
  expect(tell).toHaveBeenCalledTimes(1);
  stop();
});

test('parts are told, too, while one device keeps all others waiting', () => {
  const [a, b] = [source('loading'), source('loading')];
  const tell = vi.fn();
  const stop = listenTogether([a, b], tell);
  a.put({ points: 1 });
  a.put({ state: 'ready' });
  expect(tell).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(tell).toHaveBeenCalledTimes(1);
  stop();
});

test('that something is asked for is told when it is not answered at once', () => {
  const [a, b] = [source('ready'), source('ready')];
  const tell = vi.fn();
  const stop = listenTogether([a, b], tell);
  for (const one of [a, b]) one.put({ state: 'loading' });
  for (const one of [a, b]) one.put({ state: 'ready' });
  expect(tell).toHaveBeenCalledTimes(1);
  b.put({ state: 'loading' });
  vi.advanceTimersByTime(0);
  expect(tell).toHaveBeenCalledTimes(2);
  stop();
  a.put({ points: 3 });
  vi.runAllTimers();
  expect(tell).toHaveBeenCalledTimes(2);
});
