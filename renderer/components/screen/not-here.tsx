import { IconMapQuestion } from '@tabler/icons-react';
import { useDistant } from '../../bridge/distant.ts';
import { at } from '../../bridge/place.ts';
import { Empty } from './empty.tsx';

/** Whether it is known by now what the service offers. */
export const useIsKnown = () => useDistant(({ offered }) => at === null || offered.length > 0);

/** Screen of an address that this service lacks; nothing while that is not known. */
export function NotHere() {
  if (!useIsKnown()) return null;
  return (
    <Empty icon={IconMapQuestion} title="There is no such screen here">
      The service that this window looks at does not have it, or its API key may not see it.
    </Empty>
  );
}
