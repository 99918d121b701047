import { useEffect } from 'react';
import { focusHeading } from '../components/screen/screen.tsx';
import { useDialog } from '../stores/dialog.ts';

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled)';
/** The focus stays within the one that it was in. */
const REGION = 'main, aside, [role="dialog"]';
/** A list that is scrolled takes its rows out of the document: nobody who scrolls waits for the focus. */
const SCROLLED_MS = 250;
/** Who has a better idea where the focus belongs gives it there at once. */
const PATIENCE_MS = 60;

/** Where something stood: in each of the elements around it, the innermost first. */
type Place = readonly { readonly around: Element; readonly at: number }[];

/** Gives the focus to what stands there now where what had it has gone, such as the button of a row that it deleted. */
export function useFocusKept(): void {
  useEffect(() => {
    let last: Element | null = null;
    let place: Place | null = null;
    /** What had it last within a region: what stands outside, such as a notice, goes without a trace. */
    let before: Element | null = null;
    let scrolled = -Infinity;
    const remember = (element: Element | null) => {
      if (element === document.body || element === last) return;
      last = element;
      place = element && placeOf(element);
      if (place !== null) before = element;
    };
    const mend = () => {
      if (document.activeElement !== document.body || useDialog.getState().open) return;
      if (last === null || last.isConnected) return;
      const next = place === null ? before : standingAt(place);
      last = null;
      if (next?.isConnected) (next as HTMLElement).focus({ preventScroll: true });
      else focusHeading();
    };
    const focused = (event: FocusEvent) => remember(event.target as Element);
    const pressed = () => (last = null);
    const clicked = () => remember(document.activeElement);
    const scroll = () => (scrolled = performance.now());
    const observer = new MutationObserver(() => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return;
      if (performance.now() - scrolled < SCROLLED_MS) last = null;
      else setTimeout(mend, PATIENCE_MS);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', focused);
    document.addEventListener('pointerdown', pressed, true);
    document.addEventListener('click', clicked, true);
    document.addEventListener('scroll', scroll, true);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', focused);
      document.removeEventListener('pointerdown', pressed, true);
      document.removeEventListener('click', clicked, true);
      document.removeEventListener('scroll', scroll, true);
    };
  }, []);
}

/** Null outside of every region. */
function placeOf(element: Element): Place | null {
  const region = element.closest(REGION);
  if (!region) return null;
  const place: { around: Element; at: number }[] = [];
  for (let one = element; one !== region && one.parentElement; one = one.parentElement)
    place.push({ around: one.parentElement, at: [...one.parentElement.children].indexOf(one) });
  return place;
}

/** What can have the focus where something else has gone: of what moved up, else of what stood before, else further out. */
function standingAt(place: Place): Element | null {
  for (const { around, at } of place) {
    if (!around.isConnected) continue;
    const children = [...around.children];
    for (const child of [...children.slice(at), ...children.slice(0, at).toReversed()]) {
      const found = child.matches(FOCUSABLE) ? child : child.querySelector(FOCUSABLE);
      if (found) return found;
    }
  }
  return null;
}
