import type { ReactNode } from 'react';
import type { OperationId } from '#shared/operations/index.ts';
import { useMay } from '../../bridge/distant.ts';

interface MayProps {
  /** Operation behind it. */
  readonly to: OperationId;
  readonly children: ReactNode;
}

/** Offers something where the service has it and lets this window do it. */
export function May({ to, children }: MayProps) {
  return useMay(to) ? children : null;
}
