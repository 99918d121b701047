import { status } from '../../stores/service.ts';
import { Copyable } from './copyable.tsx';
import { networkBase } from './snippets/http-door.ts';

/** HTTP addresses for devices. */
export function HttpFacts() {
  status.useWatch('service');
  const { value } = status.useValue('service');
  if (!value) return null;
  const { base_url, http_url } = value;
  const path = '/integrations/http';
  return (
    <>
      {base_url !== http_url && <Copyable label="Address, over TLS" value={`${networkBase(value)}${path}`} />}
      {http_url !== null && <Copyable label="Address, on this machine only" value={`${http_url}${path}`} />}
    </>
  );
}
