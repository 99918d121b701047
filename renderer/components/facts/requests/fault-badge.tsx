import { Badge } from '@mantine/core';
import type { SeenRequest } from '#shared/operations/service/requests.ts';

/** Name of the fault that a request met, which made of it what is said of it; nothing for most. */
export function FaultBadge({ request: { fault } }: { readonly request: Pick<SeenRequest, 'fault'> }) {
  if (fault === null) return null;
  return (
    <Badge
      size="xs"
      variant="outline"
      color="yellow"
      tt="none"
      ml={6}
      title="It met a fault that was switched on"
    >
      Fault: {fault}
    </Badge>
  );
}
