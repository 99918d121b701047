import { expect, test } from 'vitest';
import { listTail } from '../../../../renderer/components/screen/list-shown.ts';
import { requestsTail } from '../../../../renderer/views/requests/requests-address.ts';
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

test('of the parts of the service only the storage is of a project', () => {
  expect(serviceTail.text({ part: 'storage', of: 'a b' })).toBe('/storage?of=a+b');
  expect(serviceTail.parse(['storage'], 'of=a+b')).toEqual({ part: 'storage', of: 'a b' });
  expect(serviceTail.parse(['doors'], 'of=a')).toEqual({ part: 'doors' });
  expect(serviceTail.text({ part: 'audit', device: 'a b' })).toBe('/audit?device=a+b');
  expect(serviceTail.parse(['audit'], 'device=a+b&by=')).toEqual({ part: 'audit', device: 'a b' });
  expect(serviceTail.parse(['storage'], 'device=a')).toEqual({ part: 'storage' });
  expect(serviceTail.parse(['nowhere'], '')).toBeNull();
});

test('the filter, order and open request of the requests are read from the address as they were written', () => {
  for (const shown of [
    {},
    { find: 'a&b=ü #/?', door: 'mqtts', outcome: 'refused', kind: 'ingest', device: 'id 1', open: '7' },
    { sort: { column: 'took', descending: true } },
  ] as const)
    expect(requestsTail.parse([], requestsTail.text(shown).slice(1))).toEqual(shown);
  expect(requestsTail.parse([], 'door=window&outcome=maybe&open=')).toEqual({});
  expect(requestsTail.parse(['more'], '')).toBeNull();
});
