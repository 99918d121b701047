import { create } from 'zustand';
import type { Micros } from '#shared/values/time.ts';

/** A stretch of a device's time in which a rule that is being written would have held; a null end: until now. */
export interface TriedSpan {
  readonly from: Micros;
  readonly to: Micros | null;
}

interface Tried {
  readonly device_id: string | null;
  readonly spans: readonly TriedSpan[];
}

const NONE: Tried = { device_id: null, spans: [] };

/** Firings of a rule that is being written, for the chart beside it. */
const useTried = create<Tried>(() => NONE);

const NO_SPANS: readonly TriedSpan[] = [];

export const useTriedSpans = (device_id: string): readonly TriedSpan[] =>
  useTried((tried) => (tried.device_id === device_id ? tried.spans : NO_SPANS));

export const showTried = (device_id: string, spans: readonly TriedSpan[]): void =>
  useTried.setState({ device_id, spans });

export const hideTried = (): void => useTried.setState(NONE);
