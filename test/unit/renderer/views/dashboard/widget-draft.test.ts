import { describe, expect, test } from 'vitest';
import type { Widget } from '#shared/schema/schemas.ts';
import { draftOf, fieldsOf } from '../../../../../renderer/views/dashboard/dialogs/widget-draft.ts';

const WHERE = { place: { x: 1, y: 2, w: 3, h: 4 }, zone: 'utc' } as const;

const widget: Widget = {
  id: 'w',
  project_id: 'p',
  title: 'Supply',
  type: 'chart',
  sources: [
    { device_id: 'a', key: 'bar' },
    { device_id: 'b', key: 'bar' },
    { device_id: 'a', key: 'flow' },
  ],
  layout: { x: 0, y: 0, w: 6, h: 6, of: 'others' },
  range: { last_s: 90 },
};

describe('a widget as it is entered', () => {
  test('is the same where nothing is changed, but that the keys of a device stand together', () => {
    expect(fieldsOf(draftOf(widget, 'utc'), widget, WHERE)).toEqual({
      fields: {
        title: 'Supply',
        type: 'chart',
        sources: [
          { device_id: 'a', key: 'bar' },
          { device_id: 'a', key: 'flow' },
          { device_id: 'b', key: 'bar' },
        ],
        layout: widget.layout,
        range: widget.range,
      },
    });
  });

  test('has a place, a text and no sources where it is a new note', () => {
    const draft = { ...draftOf(undefined, 'utc'), title: ' Rota ', type: 'text', text: 'Monday: Ada' };
    expect(fieldsOf(draft, undefined, WHERE)).toEqual({
      fields: {
        title: 'Rota',
        type: 'text',
        sources: [],
        layout: { x: 1, y: 2, w: 3, h: 4, text: 'Monday: Ada' },
        range: {},
      },
    });
  });

  test('leaves what only its former type had behind, and keeps its place', () => {
    const note = {
      ...widget,
      type: 'text',
      sources: [],
      layout: { x: 0, y: 0, w: 6, h: 6, text: 'old' },
      range: {},
    };
    const found = fieldsOf({ ...draftOf(note, 'utc'), type: 'table', shows: 'records' }, note, WHERE);
    expect(found).toMatchObject({
      fields: { type: 'table', layout: { x: 0, y: 0, w: 6, h: 6, shows: 'records' } },
    });
    expect(JSON.stringify(found)).not.toContain('old');
  });

  test('says what is missing, and which time is wrong', () => {
    const draft = draftOf(widget, 'utc');
    expect(fieldsOf({ ...draft, title: ' ' }, widget, WHERE)).toEqual({
      problem: { field: 'title', text: 'Enter a title.' },
    });
    const fixed = { ...draft, range: 'fixed', from: '2026-01-05 08:00', to: 'soon' };
    expect(fieldsOf(fixed, widget, WHERE)).toMatchObject({ problem: { field: 'to' } });
    expect(fieldsOf({ ...fixed, to: '2026-01-05 09:00' }, widget, WHERE)).toMatchObject({
      fields: { range: { start: '2026-01-05T08:00:00.000000Z' } },
    });
  });

  test('says which device or key is missing, and takes one that has lost its devices as it is', () => {
    const draft = { ...draftOf(undefined, 'utc'), title: 'Supply' };
    const problemOf = (...sources: typeof draft.sources) => {
      const found = fieldsOf({ ...draft, sources }, undefined, WHERE);
      return 'problem' in found ? found.problem : null;
    };
    const whole = { device_id: 'a', keys: ['bar'] };
    const [none, keyless, nameless] = [
      { device_id: '', keys: [] },
      { device_id: 'a', keys: [] },
      { device_id: '', keys: ['bar'] },
    ];
    expect(problemOf(none)).toEqual({ field: 'device', place: 0, text: 'Choose a device.' });
    expect(problemOf(keyless)).toEqual({ field: 'keys', place: 0, text: 'Choose a key.' });
    expect(problemOf(whole, nameless)).toEqual({ field: 'device', place: 1, text: 'Choose a device.' });
    expect(problemOf(whole, none)).toBeNull();
    const alone = { ...widget, sources: [] };
    expect(fieldsOf({ ...draftOf(alone, 'utc'), title: 'Return' }, alone, WHERE)).toMatchObject({
      fields: { title: 'Return', sources: [] },
    });
    expect(fieldsOf({ ...draftOf(widget, 'utc'), sources: [none] }, widget, WHERE)).toMatchObject({
      problem: { field: 'device' },
    });
  });

  test('with a range that is wrong has the one of the dashboard', () => {
    expect(draftOf({ ...widget, range: { last_s: -1 } }, 'utc').range).toBe('dashboard');
  });
});
