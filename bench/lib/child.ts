/** The child's side of process.ts: answers each message; ends when the channel closes. */
export function answerMessages(answer: (message: never) => Promise<object> | object): void {
  process.on('message', (message) => {
    void Promise.resolve(answer(message as never)).then((value) => process.send?.(value), fail);
  });
}

/** What goes wrong in a child ends it, so that the row that waits for it fails. */
export function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}
