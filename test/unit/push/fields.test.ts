import { expect, test } from 'vitest';
import { fieldChanges, knownTo } from '#core/push/fields.ts';

test('a field that a lab of an earlier Fieldbench does not know is no difference, and nothing that both have alike', () => {
  const here = { name: 'Field', description: '', reason_required: true };
  const there = { name: 'Field', description: 'by the stairs' };
  expect(fieldChanges(here, there, null, 'here').map(({ field }) => field)).toEqual(['description']);
  expect(knownTo(there, here)).toEqual(['name', 'description']);
  const known = { ...there, reason_required: false };
  expect(fieldChanges(here, known, null, 'here').map(({ field }) => field)).toEqual([
    'description',
    'reason_required',
  ]);
});
