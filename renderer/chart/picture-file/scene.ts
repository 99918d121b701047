import type { Zone } from '../../time.ts';
import type { Pane } from '../scale/panes.ts';
import type { Strip } from '../states/strip.ts';
import type { TimeSpan } from '../time/window.ts';

/* What a picture shows: all that is on the screen, as data. */

/** Lines that share a plot. */
export type ScenePane = Pick<Pane, 'lines' | 'drawing' | 'ranges'> & Partial<Pick<Pane, 'behind'>>;

/** A table below the plots: a row a line, cells as they are written. */
export interface SceneLegend {
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly look: number;
    readonly label: string;
    readonly cells: readonly string[];
  }[];
}

/** A note of an instant or, with an end, of a span; in µs. */
export interface SceneNote {
  readonly start: number;
  readonly end: number | null;
  readonly text: string;
  readonly author: string;
}

/** What a key that is no number held when. */
export interface SceneStrip {
  readonly label: string;
  readonly strip: Strip;
}

export interface Scene {
  readonly title: string;
  /** Below the title, such as the project. */
  readonly about: string;
  readonly window: TimeSpan;
  readonly zone: Zone;
  readonly panes: readonly ScenePane[];
  readonly strips: readonly SceneStrip[];
  readonly legend: SceneLegend;
  readonly notes: readonly SceneNote[];
}

/** How a scene is painted. */
export interface SceneLook {
  readonly line: (look: number) => string;
  readonly dash: (look: number) => readonly number[];
  readonly text: string;
  readonly dimmed: string;
  readonly grid: string;
  readonly background: string;
  /** CSS pixels of the whole picture; it is as high as it must be. */
  readonly width: number;
  /** Of each plot. */
  readonly plotHeight: number;
}
