/** A value or a promise of it: `await` takes both. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with what is there: at once, or when it comes. */
export function andThen<T, U>(value: Awaitable<T>, derive: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(derive) : derive(value);
}
