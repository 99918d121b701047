import { beforeAll, expect, test, vi } from 'vitest';
import { wheelStep } from '../../../../../renderer/chart/plot/wheel.ts';

beforeAll(() => void vi.stubGlobal('WheelEvent', { DOM_DELTA_PIXEL: 0 }));

const plot = { left: 100, right: 1100, width: 1000, top: 0, bottom: 400, height: 400 } as DOMRect;
const turn = (event: Partial<WheelEvent>) =>
  wheelStep(
    {
      deltaX: 0,
      deltaY: 0,
      deltaMode: 0,
      shiftKey: false,
      ctrlKey: false,
      clientX: 600,
      clientY: 100,
      ...event,
    } as WheelEvent,
    plot,
    ['left'],
  );

test('a notch zooms at its place, closer when it is turned away', () => {
  expect(turn({ deltaY: -100, clientX: 350 })).toEqual({ kind: 'zoom', factor: 0.8, place: 0.25 });
  expect(turn({ deltaY: 100 })).toEqual({ kind: 'zoom', factor: 1.25, place: 0.5 });
  expect(turn({})).toBeNull();
  // Three lines, as some browsers say a notch.
  expect(turn({ deltaY: 3, deltaMode: 1 })).toMatchObject({ kind: 'zoom' });
});

test('a pinch is a wheel with Ctrl in small steps', () => {
  const pinch = turn({ deltaY: -5, ctrlKey: true });
  const wheel = turn({ deltaY: -5 });
  expect(pinch).toMatchObject({ kind: 'zoom' });
  expect((pinch as { factor: number }).factor).toBeLessThan((wheel as { factor: number }).factor);
});

test('with Shift, or sideways, it pans', () => {
  expect(turn({ deltaY: 100, shiftKey: true })).toEqual({ kind: 'pan', share: 0.1 });
  expect(turn({ deltaX: -100, deltaY: 10 })).toEqual({ kind: 'pan', share: -0.1 });
});

test('over an axis it zooms that axis, and where there is none nothing', () => {
  expect(turn({ deltaY: -100, clientX: 50, clientY: 300 })).toEqual({
    kind: 'axis',
    side: 'left',
    factor: 0.8,
    place: 0.25,
  });
  expect(turn({ deltaY: -100, clientX: 1150 })).toBeNull();
});
