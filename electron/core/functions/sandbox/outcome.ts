/** Characters of a script, at most. */
const MOST_SCRIPT = 256 * 1024;
/** Characters of the JSON that a call is handed, at most. */
const MOST_INPUT = 1024 * 1024;
/** Characters of the JSON that a call returns, at most. */
export const MOST_RESULT = 256 * 1024;
/** Characters of a message, at most. */
export const MOST_MESSAGE = 500;

/**
 * `thrown`: the function threw, or returned what JSON cannot say. `late`: it took too many steps or too much processor time.
 * `memory`: it needed more memory than it has. `size`: script, input or result is too long. `crashed`: the engine or its process
 * ended. `syntax`: the script cannot be read. `missing`: it has no such function. `waiting`: it was not called, and may be later.
 */
export type FailureKind =
  | 'thrown'
  | 'late'
  | 'memory'
  | 'size'
  | 'crashed'
  | 'syntax'
  | 'missing'
  | 'waiting';

/** What became of a call; `text` is JSON. */
export type Outcome =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly kind: FailureKind; readonly message: string };

export const failure = (kind: FailureKind, message: string): Outcome => ({
  ok: false,
  kind,
  message: message.slice(0, MOST_MESSAGE),
});

/** Returns why a script or a name cannot be run at all; null where nothing is known against them. */
export function refusalOf(script: string, name: string): Outcome | null {
  if (script.length > MOST_SCRIPT)
    return failure(
      'size',
      `The script has ${script.length} characters; ${MOST_SCRIPT} is the most that a script may have.`,
    );
  return /^[A-Za-z_$][\w$]{0,99}$/.test(name)
    ? null
    : failure(
        'missing',
        `"${name.slice(0, 100)}" is no name of a function: it takes letters, digits, _ and $.`,
      );
}

/** Returns why an input is not handed to a function; null where it is. */
export const inputRefusal = (input: string): Outcome | null =>
  input.length <= MOST_INPUT
    ? null
    : failure(
        'size',
        `The input has ${input.length} characters; ${MOST_INPUT} is the most that a call is handed.`,
      );

export const lateOutcome = (): Outcome =>
  failure('late', 'It took too long: a call has 1,000,000 steps and 100 ms of processor time.');
