import { create } from 'zustand';
import { may } from '../../../bridge/distant.ts';
import { keep, readKept } from '../../../stores/kept.ts';
import { FIGURES, type FigureColumn } from './figures.ts';

const PLACE = 'legend-figures';

/** Ids of the figures that are shown, in every legend of this browser; null until some are chosen here. */
const useChosen = create<{ readonly ids: readonly string[] | null }>(() => ({ ids: null }));

const idsAtFirst = () =>
  readKept(PLACE)?.split(',') ?? FIGURES.flatMap(({ id, isUsual }) => (isUsual ? id : []));

/** Shows these figures from now on. */
export function chooseFigures(ids: readonly string[]): void {
  useChosen.setState({ ids });
  keep(PLACE, ids.join(','));
}

/** The figures that are shown: none, where the service has no statistics. */
export function useShownFigures(): readonly FigureColumn[] {
  const chosen = useChosen(({ ids }) => ids);
  const ids = chosen ?? idsAtFirst();
  return may('statistics.get') ? FIGURES.filter(({ id }) => ids.includes(id)) : NO_FIGURES;
}

const NO_FIGURES: readonly FigureColumn[] = [];
