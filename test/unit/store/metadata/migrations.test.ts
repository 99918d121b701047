import { describe, expect, test } from 'vitest';
import { migrate, type Migration } from '#core/store/metadata/file/migrations.ts';

const steps: readonly Migration[] = [
  ({ title, ...rest }) => ({ ...rest, name: title }),
  ({ name, ...rest }) => ({ ...rest, names: [name] }),
];

describe('migrate', () => {
  test('takes each step from the version of the document on', () => {
    expect(migrate({ version: 1, title: 'Rig' }, steps, 3)).toEqual({ version: 3, names: ['Rig'] });
    expect(migrate({ version: 2, name: 'Rig' }, steps, 3)).toEqual({ version: 3, names: ['Rig'] });
    expect(migrate({ version: 3, names: ['Rig'] }, steps, 3)).toEqual({ version: 3, names: ['Rig'] });
  });

  test('refuses a newer document', () => {
    expect(() => migrate({ version: 4 }, steps, 3)).toThrow(
      'it has format 4, and this Fieldbench reads formats up to 3',
    );
  });

  test.each([null, 7, 'text', [], {}, { version: '1' }, { version: 0 }, { version: 1.5 }])(
    'refuses %j',
    (document) => {
      expect(() => migrate(document, steps, 3)).toThrow(TypeError);
    },
  );
});
