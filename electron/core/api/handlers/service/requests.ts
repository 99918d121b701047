import { MAX_REQUESTS, type SeenRequest } from '#shared/operations/service/requests.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import type { Kept } from '../../../requests/groups.ts';
import { badRequest } from '../../../base/errors.ts';
import { hashSecret } from '../../../vault/secrets.ts';
import { mayTouch } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';
import { sendTestReading } from '../../test-reading.ts';

export const requestHandlers: HandlersOf<'requests'> = {
  async 'requests.list'({ input, principal }, { requests, metadata }) {
    const found: Kept[] = [];
    for (const kept of requests.list(input.device_id)) {
      if (found.length >= Math.min(input.limit, MAX_REQUESTS)) break;
      const { account_id, project_id } = kept.group.owner;
      // What is nobody's is the default account's, in a project that no limited key names.
      const id = kept.project_id ?? project_id;
      if (isAsked(kept, input) && mayTouch(principal, { id, account_id })) found.push(kept);
    }
    const keys = await metadata.read(async (tables) => {
      const names = new Map<string, string>();
      for (const { key_id } of found)
        if (key_id !== null && !names.has(key_id))
          names.set(key_id, (await tables.get('api_keys', key_id))?.name ?? '');
      return names;
    });
    return { data: found.map((kept) => viewOf(kept, keys)) };
  },

  async 'requests.send-test'({ project, device }, context) {
    const token = await context.vault.get({
      kind: 'device-token',
      project_id: project.id,
      device_id: device.id,
    });
    if (token === null || hashSecret(token) !== device.token_hash)
      throw badRequest(
        'The token of this device can no longer be read, so nothing can be sent with it: renew it',
      );
    return { data: await sendTestReading({ id: device.id, source: device.source, token }, context) };
  },
};

/** Whether it is among those that are asked for. */
function isAsked(kept: Kept, { door, status, since }: CheckedInput<'requests.list'>): boolean {
  if (door !== undefined && kept.door !== door) return false;
  if (since !== undefined && kept.time < since) return false;
  if (status === 'refused' || status === 'accepted') return kept.isRefused === (status === 'refused');
  return status === undefined || kept.status === status;
}

function viewOf(kept: Kept, keys: ReadonlyMap<string, string>): SeenRequest {
  const { project_id, device_id } = kept.group.owner;
  const { key_id } = kept;
  return {
    id: kept.id,
    time: formatMicros(kept.time),
    door: kept.door,
    method: kept.method,
    path: kept.path,
    status: kept.status,
    refused: kept.isRefused,
    device_id,
    project_id: kept.project_id ?? (project_id === '' ? null : project_id),
    key: key_id === null ? null : { id: key_id, name: keys.get(key_id) ?? '' },
    token: kept.token,
    stored: kept.stored,
    more: kept.more,
    message: kept.message,
    body: kept.body,
    from: kept.from,
    duration_us: kept.duration_us,
  };
}
