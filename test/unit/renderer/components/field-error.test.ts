import { expect, test } from 'vitest';
import { errorOf } from '../../../../renderer/components/dialog/field-error.ts';

test('an error belongs to the field that its message begins with', () => {
  expect(errorOf('name must be text of 1 to 100 characters, got ""', 'name')).not.toBeNull();
  expect(errorOf('tags.0 must be …', 'tags')).not.toBeNull();
  expect(errorOf('names must differ', 'name')).toBeNull();
});
