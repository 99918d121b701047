/** A value or a promise of it: `await` takes both. */
export type Awaitable<T> = T | Promise<T>;

/** Derives from a value at once, or from a promise when it resolves. */
export function andThen<T, U>(value: Awaitable<T>, derive: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(derive) : derive(value);
}
