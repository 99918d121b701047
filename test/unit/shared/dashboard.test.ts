import { describe, expect, test } from 'vitest';
import { bottomOf, placeOfLayout, problemOfWidget, rangeOf, WIDGET_TYPES } from '#shared/domain/dashboard.ts';

/* Shapes of widgets (docs/dashboards.md). */

const judged = (type: string, layout: object, range: object = {}) =>
  problemOfWidget({ type, layout: { ...layout }, range: { ...range } });

describe('a layout', () => {
  test.each(WIDGET_TYPES)('of a %s may be empty, or a place on the grid with members of others', (type) => {
    expect(judged(type, {})).toBeNull();
    expect(judged(type, { x: 0, y: 0, w: 12, h: 1, note: 'kept' })).toBeNull();
    expect(judged(type, { x: 11, y: 9_999, w: 1, h: 100 })).toBeNull();
  });

  test.each([
    [{ x: 1, y: 0, w: 12, h: 1 }, 'layout.x and layout.w must be at most 12 together, got 13'],
    [{ x: 0, y: 0, w: 4 }, 'layout.h must be a whole number from 1 to 100'],
    [{ x: -1, y: 0, w: 4, h: 2 }, 'layout.x must be a whole number from 0 to 11'],
    [{ x: 0.5, y: 0, w: 4, h: 2 }, 'got 0.5'],
    [{ x: 0, y: '0', w: 4, h: 2 }, 'layout.y must be a whole number from 0 to 9999'],
    [{ x: 0, y: 0, w: 4, h: 101 }, 'got 101'],
  ])('with the place %j is refused with words', (layout, words) => {
    expect(judged('chart', layout)).toContain(words);
    expect(placeOfLayout({ ...layout })).toBeNull();
  });

  test('of a note has a text, of a table what it shows', () => {
    expect(judged('text', { text: 'Door B\nopens at 8' })).toBeNull();
    expect(judged('text', { text: 5 })).toBe('layout.text must be text of at most 20000 characters');
    expect(judged('text', { text: 'x'.repeat(20_001) })).toContain('at most 20000');
    expect(judged('chart', { text: 5 })).toBeNull();
    expect(judged('table', { shows: 'records' })).toBeNull();
    expect(judged('table', { shows: 'all' })).toBe('layout.shows must be "values" or "records", got "all"');
  });
});

describe('a range', () => {
  test('is that of the dashboard, the last so many seconds, or a span that stays', () => {
    expect(rangeOf({})).toBeNull();
    expect(rangeOf({ last_s: 90 })).toEqual({ last_s: 90 });
    expect(rangeOf({ start: '2026-01-05T08:00:00Z', end: '2026-01-05T10:00:00+01:00' })).toEqual({
      start: Date.UTC(2026, 0, 5, 8) * 1000,
      end: Date.UTC(2026, 0, 5, 9) * 1000,
    });
  });

  test.each([
    [{ last_s: 0 }, 'range.last_s must be whole seconds from 1 to 315360000, got 0'],
    [{ last_s: '60' }, 'range.last_s must be whole seconds'],
    [{ last_s: 60, end: '2026-01-05T08:00:00Z' }, 'got both'],
    [{ start: '2026-01-05T08:00:00Z' }, 'range.end must be an ISO 8601 time with a zone'],
    [{ start: 'yesterday', end: '2026-01-05T08:00:00Z' }, 'got "yesterday"'],
    [{ start: '2026-01-05T08:00:00Z', end: '2026-01-05T08:00:00Z' }, 'range.start must be before range.end'],
  ])('as %j is refused with words', (range, words) => {
    expect(judged('value', {}, range)).toContain(words);
    expect(() => rangeOf({ ...range })).toThrow(words);
  });
});

test('a type that is not known may have any layout and range', () => {
  expect(judged('line', { x: 'left', text: 5 }, { last_s: -1 })).toBeNull();
});

test('the row below all places is found, also where some have none', () => {
  expect(bottomOf([])).toBe(0);
  expect(bottomOf([{ x: 0, y: 3, w: 1, h: 2 }, null, { x: 0, y: 0, w: 1, h: 4 }])).toBe(5);
});
