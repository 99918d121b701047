import { Anchor } from '@mantine/core';
import { countOf } from '../../../../format.ts';
import { hrefTo } from '../../../../router.ts';
import { requestsOf } from '../../../../stores/requests/requests.ts';

interface RefusedLatelyProps {
  readonly project_id: string;
  readonly device_id: string;
}

/** Latest refused requests of the device, which may be why its chart is empty; nothing for none. */
export function RefusedLately({ project_id, device_id }: RefusedLatelyProps) {
  requestsOf.useWatch(device_id);
  const refused = requestsOf.useValue(device_id).value?.filter((request) => request.refused) ?? [];
  const [last] = refused;
  if (last === undefined) return null;
  const count = refused.reduce((sum, { more }) => sum + 1 + more, 0);
  return (
    <>
      {' '}
      {countOf(count, 'request was refused', 'requests were refused')} lately; the last: {last.message}{' '}
      <Anchor
        href={hrefTo({ screen: 'device', project_id, device_id, tab: 'connect', refused: true })}
        inherit
        underline="always"
      >
        See Connect
      </Anchor>
    </>
  );
}
