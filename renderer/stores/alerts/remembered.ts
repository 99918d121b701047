import { at as place } from '../../bridge/place.ts';
import { keep, readKept } from '../kept.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Log, Logged, Look } from './changes.ts';

/*
 * What a window has of the last readings. The browser keeps when somebody looked and what was wrong then, by ids and keys
 * alone; the tab, for as long as it lasts, also what changed since.
 */

export interface Remembered {
  /** When the list was closed last; of who never did, when the first reading was. */
  readonly lookedAt: Micros;
  /** The last reading. */
  readonly look: Look;
  readonly log: Log;
}

const NAME = `alerts ${place ?? ''}`;
const OF_TAB = `fieldbench.${NAME}`;

/** As text. `v`: of which form it is. */
interface Written {
  readonly v: 1;
  readonly lookedAt: Micros;
  readonly at: Micros;
  readonly isWhole: boolean;
  readonly wrong: [string, { isLate: boolean; outside: string[] }][];
  readonly log: [string, Logged][];
}

/** What this tab remembers, else what the browser does; null for nothing. */
export function readRemembered(): Remembered | null {
  return read(ofTab((storage) => storage.getItem(OF_TAB))) ?? read(readKept(NAME));
}

/** Remembers a reading in this tab. */
export function remember(state: Remembered): void {
  ofTab((storage) => {
    storage.setItem(OF_TAB, written(state));
    return null;
  });
}

/** Remembers for later tabs that somebody looked. */
export function rememberLook(state: Remembered): void {
  remember(state);
  keep(NAME, written({ ...state, log: new Map() }));
}

function written({ lookedAt, look, log }: Remembered): string {
  const { at, isWhole, wrong } = look;
  const all = [...wrong].map(([id, { isLate, outside }]) => [id, { isLate, outside: [...outside] }] as const);
  return JSON.stringify({ v: 1, lookedAt, at, isWhole, wrong: all, log: [...log] });
}

function read(text: string | null): Remembered | null {
  if (text === null) return null;
  try {
    const { v, lookedAt, at, isWhole, wrong, log } = JSON.parse(text) as Written;
    return v === 1 ? { lookedAt, look: { at, isWhole, wrong: new Map(wrong) }, log: new Map(log) } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

function ofTab(use: (storage: Storage) => string | null): string | null {
  try {
    return use(window.sessionStorage);
  } catch (error) {
    // A private window refuses, or it is full: then it lasts as long as the page.
    if (error instanceof DOMException) return null;
    throw error;
  }
}
