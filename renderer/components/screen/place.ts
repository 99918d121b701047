const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled)';
/** The focus stays within the one that it was in. */
const REGION = 'main, aside, [role="dialog"]';

/** Place of an element: in each of the elements around it, the innermost first. */
export type Place = readonly { readonly around: Element; readonly at: number }[];

/** Null outside of every region. */
export function placeOf(element: Element): Place | null {
  const region = element.closest(REGION);
  if (!region) return null;
  const place: { around: Element; at: number }[] = [];
  for (let one = element; one !== region && one.parentElement; one = one.parentElement)
    place.push({ around: one.parentElement, at: [...one.parentElement.children].indexOf(one) });
  return place;
}

/** Returns the element to focus where another has gone: of those that moved up, else those before, else further out. */
export function standingAt(place: Place): HTMLElement | null {
  for (const { around, at } of place) {
    if (!around.isConnected) continue;
    const children = [...around.children];
    for (const child of [...children.slice(at), ...children.slice(0, at).toReversed()]) {
      const found = child.matches(FOCUSABLE) ? child : child.querySelector(FOCUSABLE);
      if (found instanceof HTMLElement) return found;
    }
  }
  return null;
}
