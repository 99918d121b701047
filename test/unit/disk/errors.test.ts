import { describe, expect, test } from 'vitest';
import { changeError, diskError, errorCode, startError } from '#core/disk/errors.ts';
import { Poison } from '#core/disk/poison.ts';
import { StoreError } from '#core/base/errors.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: the system's words`), { code });

const MEANINGS = [
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'read-only'],
  ['EPERM', 'read-only'],
  ['EIO', 'io'],
  ['EMFILE', 'io'],
] as const;

describe('the code of an error', () => {
  test('is the system’s, and nothing where there is none', () => {
    expect(errorCode(systemError('ENOENT'))).toBe('ENOENT');
    for (const other of [
      new Error('plain'),
      Object.assign(new Error('x'), { code: 7 }),
      { code: 'EIO' },
      null,
    ])
      expect(errorCode(other)).toBeUndefined();
  });
});

describe('a failed file operation of a store', () => {
  const said = {
    'disk-full': () =>
      'The disk is full: storing records failed. Nothing stored before is lost. Free some space and try again.',
    'read-only': () =>
      'The data folder cannot be written: storing records failed. Give this user permission to write to it.',
    io: (code: string) => `The disk failed: storing records failed (${code}).`,
  };

  test.each(MEANINGS)('with %s is %s, and says so', (code, meaning) => {
    const cause = systemError(code);
    const error = diskError(cause, 'storing records');
    expect(error).toMatchObject({ name: 'StoreError', code: meaning, message: said[meaning](code) });
    expect(error.cause).toBe(cause);
  });

  test('that was put into words already keeps them', () => {
    const error = new StoreError('closed', 'The record store is closed.');
    expect(diskError(error, 'storing records')).toBe(error);
    expect(changeError(error)).toBe(error);
  });

  test('and nothing else: a bug is thrown again', () => {
    const bug = new TypeError('x is not a function');
    expect(() => diskError(bug, 'storing records')).toThrow(bug);
  });
});

describe('a file that could not be replaced', () => {
  const said = {
    'disk-full': 'The disk is full: nothing was changed. Free some space and try again.',
    'read-only':
      'The data folder is read-only: nothing was changed. Give its user the right to write to it and try again.',
    io: 'The disk failed to write: the change may be lost. Check the disk.',
  };

  test.each(MEANINGS)('for %s is %s, and says so', (code, meaning) => {
    const cause = systemError(code);
    const error = changeError(cause);
    expect(error).toMatchObject({ name: 'StoreError', code: meaning, message: said[meaning] });
    expect(error.cause).toBe(cause);
  });

  test('is a failing disk, too, where the reason is not the system’s', () => {
    expect(changeError('a text')).toMatchObject({ code: 'io', message: said.io, cause: 'a text' });
  });
});

describe('a start that could not write', () => {
  const full = 'The disk of /data is full. Free some space and start again.';
  const refused = (reason: string) =>
    `/data cannot be written to (${reason}). Give this user the right to, or choose another folder with --data.`;

  test.each(MEANINGS)('for %s names the folder', (code, meaning) => {
    const expected =
      meaning === 'disk-full'
        ? { name: 'StartError', code: 'disk-full', message: full }
        : { name: 'StartError', code: 'read-only', message: refused(`${code}: the system's words`) };
    expect(startError(systemError(code), '/data')).toMatchObject(expected);
    expect(startError(changeError(systemError(code)), '/data')).toMatchObject(expected);
  });

  test('gives the reason that there is', () => {
    expect(startError(new StoreError('closed', 'It is closed.'), '/data').message).toBe(
      refused('It is closed.'),
    );
    expect(startError(new Error('no certificate'), '/data').message).toBe(refused('no certificate'));
  });
});

describe('a write that the disk did not confirm', () => {
  test('is said with its first cause, however often it is met', () => {
    const poison = new Poison();
    expect(poison.reason).toBeNull();
    const cause = systemError('EIO');
    const first = poison.by(cause);
    expect(first).toMatchObject({
      name: 'StoreError',
      code: 'poisoned',
      message:
        'The disk did not confirm what was written, so nothing more is stored until the service is restarted. ' +
        'Records acknowledged before are safe; check the disk.',
    });
    expect(first.cause).toBe(cause);
    expect(poison.by(systemError('ENOSPC'))).toBe(first);
    expect(poison.reason).toBe(first);
  });
});
