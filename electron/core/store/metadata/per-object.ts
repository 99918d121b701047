/** Memo of a value derived from an immutable object, for as long as that is the same. */
export function perObject<Source extends object, Derived>(
  derive: (source: Source) => Derived,
): (source: Source) => Derived {
  const known = new WeakMap<Source, Derived>();
  return (source) => {
    let derived = known.get(source);
    if (derived === undefined) known.set(source, (derived = derive(source)));
    return derived;
  };
}
