/** What Electron's listeners get first. */
export type StandInEvent<T extends object = object> = T & {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
};

export function createEvent<T extends object>(details: T): StandInEvent<T> {
  let prevented = false;
  return Object.defineProperties(details, {
    defaultPrevented: { get: () => prevented },
    preventDefault: { value: () => void (prevented = true) },
  }) as StandInEvent<T>;
}
