import { useDeferredValue, type ReactNode } from 'react';

/** What stands around a plot, drawn right after it: the picture does not wait for its buttons. */
export function Deferred({ children }: { readonly children: ReactNode }): ReactNode {
  // The same element as before is not drawn anew.
  return useDeferredValue(children);
}
