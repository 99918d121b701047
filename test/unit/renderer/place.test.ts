import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hrefAt, placeIn, withoutPlace } from '../../../renderer/bridge/place.ts';

test('an address that was typed wrong is of no service that there is', () => {
  expect(placeIn('#/at/%zz/projects')).toBe('%zz');
});

test('an address says of which service it is, whatever that is called, and leads to the same screen of any', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.webPath(), (id, path) => {
      const address = `#/${path.replace(/^\/+/, '')}`;
      fc.pre(!address.startsWith('#/at/'));
      expect(placeIn(hrefAt(id, address))).toBe(id);
      expect(withoutPlace(hrefAt(id, address))).toBe(address);
      expect(placeIn(hrefAt(null, address))).toBeNull();
      expect(hrefAt(null, address)).toBe(address);
    }),
  );
});
