import { expect, test, vi } from 'vitest';
import { stepBack, turnWheel, type Views } from '../../../../../renderer/chart/controls/use-views.ts';

const window = { from: 100, to: 300 };

function viewsOf(back: (() => void) | null = null) {
  const views = { show: vi.fn(), look: vi.fn(), zoomBy: vi.fn(), panBy: vi.fn() };
  const all: Views = { ...views, shift: null, back, forward: null };
  return { ...views, all };
}

test('a wheel zooms about where it stands, and lets the page scroll beyond all there is', () => {
  const { all, zoomBy } = viewsOf();
  const closer = { kind: 'zoom', factor: 0.8, place: 0.25 } as const;
  expect(turnWheel(closer, { views: all, window, isChosen: false })).toBe(true);
  expect(zoomBy).toHaveBeenLastCalledWith(0.8, 150, 'wheel');
  const farther = { ...closer, factor: 1.25 };
  expect(turnWheel(farther, { views: all, window, isChosen: true })).toBe(true);
  expect(turnWheel(farther, { views: all, window, isChosen: false })).toBe(false);
});

test('a wheel pans a window that was chosen', () => {
  const { all, panBy } = viewsOf();
  const along = { kind: 'pan', share: -0.1 } as const;
  expect(turnWheel(along, { views: all, window, isChosen: true })).toBe(true);
  expect(turnWheel(along, { views: all, window, isChosen: false })).toBe(false);
  expect(panBy).toHaveBeenCalledWith(-0.1, 'wheel');
});

test('a step back leads to the view before, or to all there is', () => {
  const back = vi.fn();
  const had = viewsOf(back);
  stepBack(had.all);
  expect(back).toHaveBeenCalledOnce();
  expect(had.look).not.toHaveBeenCalled();
  const none = viewsOf();
  stepBack(none.all);
  expect(none.look).toHaveBeenCalledWith(null);
});
