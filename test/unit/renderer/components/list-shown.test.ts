import { expect, test } from 'vitest';
import { listTail } from '../../../../renderer/components/screen/list-shown.ts';
import { serviceTail } from '../../../../renderer/views/service/service-address.ts';

test('a list’s search and order are read from its address as they were written', () => {
  for (const shown of [
    {},
    { find: 'a&b=ü #/?' },
    { find: 'press', sort: { column: 'size', descending: true } },
    { sort: { column: 'what', descending: false } },
  ]) {
    const text = listTail.text(shown);
    expect(listTail.parse([], text.slice(1))).toEqual(shown);
  }
  expect(listTail.parse([], 'sort=-&find=')).toEqual({});
  expect(listTail.parse(['more'], '')).toBeNull();
});

test('of the parts of the service only the refused requests have an order', () => {
  const refused = { part: 'refused', search: 'Zq9k', sort: { column: 'reason', descending: true } } as const;
  expect(serviceTail.text(refused)).toBe('/refused?search=Zq9k&sort=-reason');
  expect(serviceTail.parse(['refused'], 'search=Zq9k&sort=-reason')).toEqual(refused);
  expect(serviceTail.parse(['doors'], 'sort=reason')).toEqual({ part: 'doors' });
});
