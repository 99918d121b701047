/** An object as it is, but for what is given in its place. */
export function overlaid<T extends object>(of: T, given: Partial<T>): T {
  return new Proxy(of, {
    get(target, name) {
      if (Object.hasOwn(given, name)) return Reflect.get(given, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
