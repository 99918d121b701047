import { expect, test } from 'vitest';
import {
  clockDraftOf,
  clockFields,
  momentsOf,
} from '../../../../../../renderer/views/device/corrections/dialogs/clock-draft.ts';
import { correction } from '../../../chart/corrections/corrections-of.ts';

const HOUR = 3_600e6;
const NONE = momentsOf(undefined);
const draft = clockDraftOf(undefined);

test('a clock that is ahead is moved back, one that is behind forward', () => {
  expect(clockFields({ ...draft, length: '1 h' }, NONE)).toEqual({ fields: { shift_us: -HOUR } });
  expect(clockFields({ ...draft, is: 'behind', length: '2 h 5 min 0.25 s' }, NONE)).toEqual({
    fields: { shift_us: 2 * HOUR + 300.25e6 },
  });
  expect(clockFields({ ...draft, length: 'an hour' }, NONE)).toHaveProperty('problem');
  expect(clockFields({ ...draft, length: '0' }, NONE)).toHaveProperty('problem');
});

test('one moment is a shift, two are a drift', () => {
  const first = { device: 0, right: 5 * HOUR };
  expect(clockFields({ ...draft, way: 'one' }, [first, NONE[1]])).toEqual({ fields: { shift_us: 5 * HOUR } });
  const second = { device: 10 * HOUR, right: 15 * HOUR + 1 };
  expect(clockFields({ ...draft, way: 'two' }, [first, second])).toEqual({
    fields: {
      at: [
        ['1970-01-01T00:00:00.000000Z', '1970-01-01T05:00:00.000000Z'],
        ['1970-01-01T10:00:00.000000Z', '1970-01-01T15:00:00.000001Z'],
      ],
    },
  });
  expect(clockFields({ ...draft, way: 'two' }, [first, { device: 1, right: null }])).toHaveProperty(
    'problem',
  );
  expect(clockFields({ ...draft, way: 'one' }, [{ device: 7, right: 7 }, NONE[1]])).toHaveProperty('problem');
});

test('a correction that is there says itself again', () => {
  // A clock that began in 1970 is off by so much that its last µs would be rounded away.
  for (const shift_us of [-25 * HOUR - 1, 491_000 * HOUR + 7]) {
    const shift = correction('time', { shift_us });
    expect(clockFields(clockDraftOf(shift), momentsOf(shift))).toEqual({ fields: { shift_us } });
  }
  const at: [[string, string], [string, string]] = [
    ['2026-01-01T00:00:03.000000Z', '2026-01-01T00:00:00.000000Z'],
    ['2026-02-01T00:00:40.000000Z', '2026-02-01T00:00:00.000000Z'],
  ];
  const drift = correction('time', { at });
  expect(clockFields(clockDraftOf(drift), momentsOf(drift))).toEqual({ fields: { at } });
});
