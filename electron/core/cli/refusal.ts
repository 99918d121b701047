import type { Envelope } from '#shared/schema/envelope.ts';

/** A command that ends with this exit code and these words. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Returns the end of a command that the service refused: 3; 1 where the service failed; 2 where it refused a value that a
 * flag said, which is then named. `flags`: by field of the operation, the flag that says it.
 */
export function refusal(
  { message, status }: Envelope,
  flags: Readonly<Record<string, string>> = {},
): CommandError {
  const [, field = ''] = /^(\w+)/.exec(message) ?? [];
  const flag = status === 400 ? flags[field] : undefined;
  if (flag !== undefined) return new CommandError(2, `--${flag}${message.slice(field.length)}`);
  return new CommandError(status >= 500 ? 1 : 3, message);
}
