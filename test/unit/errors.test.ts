import { describe, expect, test } from 'vitest';
import { explain, Refusal, StartError, StoreError, UsageError, VaultError } from '#core/base/errors.ts';

describe('what is said of an error that ended the program', () => {
  test.each([
    new UsageError('There is no command "x".'),
    new StartError('port-busy', 'Port 1 is in use.'),
    new VaultError('locked', 'The keychain is locked.'),
    new StoreError('disk-full', 'The disk is full.'),
  ])('is only its message where it was foreseen: $name', (error) => {
    expect(explain(error)).toBe(error.message);
  });

  test.each([new TypeError('x is not a function'), new Refusal(400, 'A request was wrong.')])(
    'is its stack where nobody expected it: $name',
    (error) => {
      expect(explain(error)).toBe(error.stack);
      expect(explain(error)).toContain('errors.test.ts');
    },
  );

  test('has the words of the system behind a message that leaves them out', () => {
    const cause = new Error("EIO: i/o error, open '/data/x'");
    const error = new StoreError('io', 'The disk failed (EIO).', {
      cause: new StoreError('io', 'Inner.', { cause }),
    });
    expect(explain(error)).toBe("The disk failed (EIO).\n(EIO: i/o error, open '/data/x')");
    // What is said at a start names the folder already.
    expect(explain(new StartError('read-only', '/data cannot be written to.', { cause }))).toBe(
      '/data cannot be written to.',
    );
  });

  test('has the words of the system once where the message has them already', () => {
    const cause = new Error('Cannot autolaunch D-Bus without X11 $DISPLAY');
    const error = new VaultError('no-keychain', `There is no keychain (${cause.message}).`, { cause });
    expect(explain(error)).toBe(error.message);
  });

  test('is the message where there is no stack, and the text of what is no error', () => {
    const bare = new Error('without a stack');
    delete bare.stack;
    expect(explain(bare)).toBe('without a stack');
    expect(explain('a text')).toBe('a text');
    expect(explain(undefined)).toBe('undefined');
  });
});
