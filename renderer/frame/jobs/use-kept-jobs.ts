import { useEffect } from 'react';
import { at } from '../../bridge/place.ts';
import { putRow, useJobs, type TrayJob } from '../../stores/jobs.ts';

/** Looking at another service begins the page anew: what ended is remembered for as long as the tab lasts. */
const PLACE = `fieldbench.jobs ${at ?? ''}`;
const MOST = 50;

/** Stored part of a row: its texts, without actions, which only the page that began it has. */
type Kept = Pick<TrayJob, 'verb' | 'about' | 'state' | 'done' | 'total' | 'unit' | 'result' | 'problem'>;

/** Brings back the rows of jobs that ended before this page began, and remembers those that end on it. */
export function useKeptJobs(): void {
  useEffect(() => {
    for (const [place, row] of read().entries()) putRow({ ...row, id: `kept-${place}`, rate: 0 });
    return useJobs.subscribe(({ rows }) => {
      const ended = rows.filter(({ state }) => state !== 'running').slice(-MOST);
      write(ended.map(keptOf));
    });
  }, []);
}

const keptOf = ({ verb, about, state, done, total, unit, result, problem }: TrayJob): Kept => ({
  verb,
  about,
  state,
  done,
  total,
  unit,
  result,
  problem,
});

function read(): readonly Kept[] {
  try {
    return JSON.parse(window.sessionStorage.getItem(PLACE) ?? '[]') as Kept[];
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return [];
    throw error;
  }
}

function write(rows: readonly Kept[]): void {
  try {
    window.sessionStorage.setItem(PLACE, JSON.stringify(rows));
  } catch (error) {
    // A private window refuses, or it is full: then they last as long as the page.
    if (!(error instanceof DOMException)) throw error;
  }
}
