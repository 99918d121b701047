import { create } from 'zustand';
import type { OperationId } from '#shared/operations/index.ts';
import type { Distant } from '#shared/bridge/wire.ts';
import { at } from './place.ts';

/** State of the connection to the service elsewhere that the page looks at; unused without one. */
export const useDistant = create<Distant>(() => ({
  state: 'connecting',
  service: null,
  problem: null,
  rights: null,
  offered: [],
}));

/** Whether the service has all of these and lets this window do them: what it does not is not offered. */
export function may(...ids: readonly OperationId[]): boolean {
  return allows(useDistant.getState(), ids);
}

/** As `may`, for components: updated when the rights become known or change. */
export function useMay(...ids: readonly OperationId[]): boolean {
  return useDistant((distant) => allows(distant, ids));
}

const allows = ({ offered }: Distant, ids: readonly OperationId[]) =>
  at === null || ids.every((id) => offered.includes(id));
