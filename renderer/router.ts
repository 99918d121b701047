import { useSyncExternalStore } from 'react';
import { fillPath } from '#shared/schema/path-parameters.ts';
import { at as ofPage, hrefAt, loadAnew, placeIn, withoutPlace } from './bridge/place.ts';

/*
 * Addresses and what they show. Which screens there are is said by the table of screens.tsx alone. That stands above the
 * screens, which link to one another by what is here: so it makes itself known, to the compiler by `Registered` and to
 * the program by `routeBy`.
 */

/** Tail of an address behind a screen's path, as "/table?range=24h" behind that of a device. */
export interface AddressTail<Shown extends object> {
  /** `parts` are decoded; `query` is the text behind the "?". Returns null where they lead nowhere. */
  readonly parse: (parts: readonly string[], query: string) => Shown | null;
  /** The text that `parse` reads again, with its "/" and "?". */
  readonly text: (shown: Shown) => string;
}

/** Path of a screen. */
export interface ScreenPath<Path extends string = string, Shown extends object = object> {
  /** As "/projects/:project_id": what follows a colon is a parameter, and goes to the screen. */
  readonly path: Path;
  /** Other paths that lead there, too, with the same parameters. */
  readonly also?: readonly string[];
  /** Absent: such an address ends with its path. */
  readonly tail?: AddressTail<Shown>;
}

/** The parameters of a path: `{ project_id: string }` of "/projects/:project_id". */
export type ParametersOf<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? ParametersOf<Part> & ParametersOf<Rest>
  : Path extends `:${infer Name}`
    ? { readonly [Parameter in Name]: string }
    : unknown;

/** Props of a screen, of its address. */
export type Told<Row> = Row extends ScreenPath<infer Path, infer Shown> ? ParametersOf<Path> & Shown : never;

/** The type of the table, as `screens`. */
export interface Registered {}

type Table = Registered extends { readonly screens: infer Screens } ? Screens : never;

/** A screen of the table, and what it shows. */
export type KnownRoute = {
  [Name in keyof Table]: { readonly screen: Name } & Told<Table[Name]>;
}[keyof Table];

/** Route of an address, which has it behind "#", so that any server of plain files can hold the app. */
export type Route = KnownRoute | { readonly screen: 'unknown'; readonly address: string };

/** Path of any screen, whatever it shows. */
interface AnyPath extends Omit<ScreenPath, 'tail'> {
  readonly tail?: {
    readonly parse: AddressTail<object>['parse'];
    readonly text: AddressTail<never>['text'];
  };
}

let table: ReadonlyMap<string, AnyPath> = new Map();

/** Sets the screens: an address leads to the first one that fits. */
export function routeBy(screens: Readonly<Record<string, AnyPath>>): void {
  table = new Map(Object.entries(screens));
}

/** Reads an address such as `#/projects/1/devices/2/table`. */
export function parseRoute(hash: string): Route {
  const [path = '', ...query] = withoutPlace(hash).split('?');
  const parts = partsOf(path.replace(/^#?\/?/, '/')).map(decodePart);
  if (parts.every((part) => part !== null))
    for (const [screen, row] of table) {
      const told = toldBy(row, parts, query.join('?'));
      // It is what the row says that its screen is told; the compiler cannot follow that through the table.
      if (told) return { screen, ...told } as KnownRoute;
    }
  return { screen: 'unknown', address: hash };
}

/** Returns the props of a screen by the parts and the query of an address; null for an address of another screen. */
function toldBy({ path, also = [], tail }: AnyPath, parts: readonly string[], query: string): object | null {
  for (const pattern of [path, ...also]) {
    const parameters = fit(pattern, parts);
    if (!parameters) continue;
    const rest = parts.slice(partsOf(pattern).length);
    const shown = tail ? tail.parse(rest, query) : rest.length > 0 ? null : {};
    if (shown) return { ...parameters, ...shown };
  }
  return null;
}

/** The parameters of a path that the parts of an address begin with; null where they begin with another. */
function fit(pattern: string, parts: readonly string[]): Record<string, string> | null {
  const found: Record<string, string> = {};
  for (const [at, wanted] of partsOf(pattern).entries()) {
    const part = parts[at];
    if (part === undefined) return null;
    if (wanted.startsWith(':')) found[wanted.slice(1)] = part;
    else if (part !== wanted) return null;
  }
  return found;
}

/** The address of a screen, of the service that this page looks at. */
export function hrefTo(route: Route): string {
  return route.screen === 'unknown' ? route.address : hrefAt(ofPage, addressOf(route));
}

/** The address of a screen, whichever service it is of: as it is kept there. */
export function addressOf(route: Route): string {
  if (route.screen === 'unknown') return route.address;
  // What the route shows was typed, or parsed, by the row of its screen.
  return placeOf(route) + (table.get(route.screen)?.tail?.text(route as never) ?? '');
}

/** A screen, whatever part or state of it shows: a device's tabs are one. All addresses that lead nowhere are one, too. */
export function placeOf(route: Route): string {
  if (route.screen === 'unknown') return route.screen;
  const parameters: Readonly<Record<string, unknown>> = { ...route };
  const path = table.get(route.screen)?.path ?? '/';
  return `#${fillPath(path, (name) => encodeURIComponent(String(parameters[name])))}`;
}

/**
 * The way to a screen: the screens at the beginnings of its path, and last itself, without the parts behind its path but
 * with its query. What leads nowhere hangs below the first screen of all.
 */
export function trailOf(route: Route): KnownRoute[] {
  const [place, href] = route.screen === 'unknown' ? ['#/', '#/'] : [placeOf(route), addressOf(route)];
  const parts = place.split('/');
  const above = parts.slice(2).map((_, at) => parts.slice(0, at + 2).join('/'));
  const query = href.slice(href.includes('?') ? href.indexOf('?') : href.length);
  return [...above, place + query].map(parseRoute).filter((step) => step.screen !== 'unknown');
}

export function goTo(route: Route): void {
  writeAddress();
  window.location.hash = hrefTo(route);
}

/** Goes to another screen in place of this one, which is then no step to go back to. */
export function goInstead(route: Route): void {
  writeAddress();
  window.location.replace(hrefTo(route));
}

/** An address that is still to be written; browsers let a page write only so many a second. */
let waiting: { readonly href: string; readonly timer: ReturnType<typeof setTimeout> } | null = null;
const WRITE_REST_MS = 250;
/** Address last read or written by the screen; null before that. */
let heard: string | null = null;

/**
 * Keeps in the address what the screen shows by now, in place of what it said: a step of a zoom is no step to go back.
 * Nothing is drawn anew for it.
 */
export function keepAddress(route: Route): void {
  if (waiting) clearTimeout(waiting.timer);
  heard ??= window.location.hash;
  // A click may be on a link, and the way back leads to what was shown by then.
  window.addEventListener('click', writeAddress, { capture: true, once: true });
  waiting = { href: hrefTo(route), timer: setTimeout(writeAddress, WRITE_REST_MS) };
}

/** Returns the present route, also before the address has it. */
export function currentRoute(): Route {
  return parseRoute(waiting?.href ?? window.location.hash);
}

function writeAddress(): void {
  if (!waiting) return;
  const { href, timer } = waiting;
  clearTimeout(timer);
  waiting = null;
  // Somebody has gone elsewhere, and the screen is about to learn of it: what it shows is of no address any more.
  if (window.location.hash !== heard) return;
  window.history.replaceState(window.history.state, '', href);
  heard = window.location.hash;
}

/** Calls `changed` when the address is another one: a link, the way back, or a text typed by hand. */
export function hearAddress(changed: (route: Route) => void): () => void {
  const listener = () => changed(parseRoute(window.location.hash));
  return listenToHash(listener);
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(listenToHash, () => window.location.hash);
  return parseRoute(hash);
}

function listenToHash(changed: () => void): () => void {
  const listener = () => {
    // What is known here is of one service: another one is another page.
    if (placeIn(window.location.hash) !== ofPage) return loadAnew();
    // It was the address of a screen that is gone.
    if (waiting) clearTimeout(waiting.timer);
    waiting = null;
    heard = window.location.hash;
    changed();
  };
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

function partsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
