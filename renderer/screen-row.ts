import type { ComponentType, FunctionComponent } from 'react';
import type { OperationId } from '#shared/operations/index.ts';
import type { ParametersOf, ScreenPath } from './router.ts';

export type Icon = ComponentType<{ size?: number }>;

/** Row of a screen. `Shown` is the state in its address behind its path. */
export interface ScreenRow<Path extends string, Shown extends object> extends ScreenPath<Path, Shown> {
  readonly title: string;
  /** Draws the name of what it shows, for the trail; while that is not known, the title, its child. */
  readonly name?: FunctionComponent<ParametersOf<Path> & { readonly children: string }>;
  readonly icon: Icon;
  /** Where it can be gone to from any screen: only one that needs no parameter. */
  readonly listed?: unknown extends ParametersOf<Path> ? readonly ('sidebar' | 'palette')[] : never;
  /** Draws how much is in it, behind its title in the sidebar. */
  readonly count?: FunctionComponent;
  /** Operation that the screen needs: without it, or the right to it, there is no such screen. */
  readonly needs?: OperationId;
  /** Whether it is of this machine, whichever service is looked at. */
  readonly isOfMachine?: true;
  /** Whether files that are dropped on it are its own. */
  readonly takesFiles?: boolean;
  readonly component: FunctionComponent<ParametersOf<Path> & NoInfer<Shown>>;
}

export function screen<const Path extends string, Shown extends object = object>(
  row: ScreenRow<Path, Shown>,
) {
  return row;
}
