import { useEffect } from 'react';
import { placeOf, standingAt, type Place } from '../components/screen/place.ts';
import { focusHeading } from '../components/screen/screen.tsx';
import { useDialog } from '../stores/dialog.ts';

/** ms after a scroll, which takes rows out of the document, in which a lost focus is left alone. */
const SCROLLED_MS = 250;
/** ms for others to move a lost focus first. */
const PATIENCE_MS = 60;

/** Gives the focus to what stands there now where what had it has gone, such as the button of a row that it deleted. */
export function useFocusKept(): void {
  useEffect(() => {
    let last: Element | null = null;
    let place: Place | null = null;
    /** Element focused last within a region; one outside, such as a notice, leaves no trace. */
    let before: HTMLElement | null = null;
    let scrolled: { readonly within: Node; readonly atMs: number } | null = null;
    const remember = (element: Element | null) => {
      if (element === document.body || element === last) return;
      last = element;
      place = element && placeOf(element);
      if (place !== null && element instanceof HTMLElement) before = element;
    };
    const mend = () => {
      if (document.activeElement !== document.body || useDialog.getState().open) return;
      if (last === null || last.isConnected) return;
      const next = place === null ? before : standingAt(place);
      last = null;
      if (next?.isConnected) next.focus({ preventScroll: true });
      else focusHeading();
    };
    const focused = (event: FocusEvent) => remember(event.target as Element);
    const pressed = () => (last = null);
    const clicked = () => remember(document.activeElement);
    const scroll = ({ target }: Event) =>
      (scrolled = target instanceof Node ? { within: target, atMs: performance.now() } : null);
    const isScrolled = () =>
      scrolled !== null &&
      performance.now() - scrolled.atMs < SCROLLED_MS &&
      place?.some(({ around }) => scrolled?.within.contains(around)) === true;
    const observer = new MutationObserver(() => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return;
      if (isScrolled()) last = null;
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
