/** What is there at once, or comes later: `await` takes both. */
export type Awaitable<T> = T | Promise<T>;
