import { assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { Search, type Findable } from '../../../../renderer/frame/palette/rank.ts';

const thing = (name: string, more = '', id = '4f1c77aa'): Findable => ({ name, more, id });

/** Names in the order in which they are found. */
function found(search: string, ...things: readonly Findable[]): string[] {
  return new Search(search).best(things, 100, (each) => each).shown.map(({ name }) => name);
}

test('what people look for comes first: the name, its beginning, beginnings of its words, the rest', () => {
  const things = [
    thing('Spare', 'pt-10'),
    thing('APT-10'),
    thing('Line PT-10'),
    thing('PT-101'),
    thing('PT-10'),
  ];
  expect(found('pt-10', ...things)).toEqual(['PT-10', 'PT-101', 'Line PT-10', 'APT-10', 'Spare']);
});

test('several words may come in any order, each the beginning of a word', () => {
  const things = [thing('Boiler room 3 supply'), thing('Supply pump'), thing('Resupply boiler')];
  expect(found('supply boil', ...things)).toEqual(['Boiler room 3 supply', 'Resupply boiler']);
  expect(found('pt 107', thing('XPT-1070'), thing('PT-107'))).toEqual(['PT-107', 'XPT-1070']);
});

test('case, accents, tags and the beginning of an id count', () => {
  expect(found('deposito', thing('Señal del Depósito'))).toHaveLength(1);
  expect(found('LINE-3 pump', thing('Pump', 'line-3\nAcme'))).toHaveLength(1);
  expect(found('4f1c', thing('Pump'), thing('Valve', '', '99994f1c'))).toEqual(['Pump']);
  expect(found('4f1', thing('Pump'))).toEqual([]);
});

test('says how many there are where not all are shown, and shows all without a search', () => {
  const things = Array.from({ length: 20 }, (_, n) => thing(`PT-${n}`));
  const { shown, found: all } = new Search('pt').best(things, 6, (each) => each);
  expect([shown.length, all]).toEqual([6, 20]);
  expect(new Search('  ').best(things, 3, (each) => each)).toEqual({ shown: things.slice(0, 3), found: 20 });
});

test('finds exactly what has each of the words, whatever is typed', () => {
  const text = string({ unit: constantFrom('a', 'b', 'Ä', '-', ' ', '1', '.', '√'), maxLength: 8 });
  assert(
    property(text, text, text, (name, more, query) => {
      const plain = (of: string) =>
        of
          .normalize('NFD')
          .replace(/\p{Diacritic}/gu, '')
          .toLowerCase();
      const words = plain(query).split(/\s+/).filter(Boolean);
      const has = words.every((word) => plain(`${name}\n${more}`).includes(word));
      expect(new Search(query).rankOf(thing(name, more, 'zzzz')) !== null).toBe(has);
    }),
    { numRuns: 2_000 },
  );
});
