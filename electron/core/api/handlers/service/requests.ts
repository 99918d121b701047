import { MAX_REQUESTS, type SeenRequest } from '#shared/operations/service/requests.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import type { Kept } from '../../../requests/groups.ts';
import { curlOf, ruleOf } from '../../../requests/explain.ts';
import type { RequestsSeen } from '../../../requests/requests-seen.ts';
import { createVerifier, type Verified } from '../../../requests/verify.ts';
import { badRequest, forbidden, notFound } from '../../../base/errors.ts';
import { machineClock } from '../../../base/machine-clock.ts';
import type { Metadata } from '../../../store/metadata/metadata.ts';
import { hashSecret } from '../../../vault/secrets.ts';
import { mayTouch } from '../../authorize.ts';
import type { Principal } from '../../call.ts';
import type { HandlersOf } from '../../context.ts';
import { sendAsDevice } from '../../send-as-device.ts';

/** ms for which requests are gathered before they are looked at. */
const TOGETHER_MS = 10;

export const requestHandlers: HandlersOf<'requests'> = {
  async 'requests.list'({ input, principal, signal }, { requests, metadata }) {
    const { device_id, after, within_ms } = input;
    const look = () => {
      const found: Kept[] = [];
      for (const kept of requests.list(device_id, after)) {
        if (found.length >= Math.min(input.limit, MAX_REQUESTS)) break;
        if (isAsked(kept, input) && maySeeRequest(principal, kept)) found.push(kept);
      }
      return found;
    };
    const found = await until(look, ({ length }) => length > 0, {
      requests,
      withinMs: after === undefined ? 0 : within_ms,
      signal,
    });
    const keys = await namesOfKeys(found, metadata);
    return { data: found.map((kept) => viewOf(kept, keys)) };
  },

  async 'requests.get'({ input, principal }, { requests, metadata, urls }) {
    const kept = requests.list().find(({ id }) => String(id) === input.request_id);
    if (kept === undefined) throw notFound('Request');
    if (!maySeeRequest(principal, kept)) throw forbidden('This API key has no access to this request.');
    const view = viewOf(kept, await namesOfKeys([kept], metadata));
    const { base_url, http_url } = urls();
    const curl = curlOf(kept, (kept.door === 'http' ? http_url : null) ?? base_url);
    return { data: { ...view, rule: ruleOf(kept), curl } };
  },

  async 'requests.verify'({ input, principal, signal }, { requests, metadata }) {
    const { within_ms, ...wanted } = input;
    const verify = createVerifier(wanted);
    const look = () =>
      verify(
        requests
          .list()
          .filter((kept) => maySeeRequest(principal, kept))
          .toReversed(),
      );
    const verified = await until(look, isSettled, { requests, withinMs: within_ms, signal });
    const { matched, count, nearest } = verified;
    if (matched || nearest.length === 0) return { data: { matched, count } };
    const keys = await namesOfKeys(
      nearest.map(({ request }) => request),
      metadata,
    );
    const views = nearest.map(({ request, differs }) => ({
      request: viewOf(request, keys),
      differs: [...differs],
    }));
    return { data: { matched, count, nearest: views } };
  },

  'requests.clear'({ principal }, { requests }) {
    return { data: { cleared: requests.forgetAccount(principal.account_id) } };
  },

  async 'requests.send'({ input, project, device }, context) {
    const token = await context.vault.get({
      kind: 'device-token',
      project_id: project.id,
      device_id: device.id,
    });
    if (token === null || hashSecret(token) !== device.token_hash)
      throw badRequest(
        'The token of this device can no longer be read, so nothing can be sent with it: renew it',
      );
    const payload = { bytes: input.payload, type: input.content_type };
    return { data: await sendAsDevice({ id: device.id, source: device.source, token }, payload, context) };
  },
};

/** Requests of unknown senders are the default account's, in a project that no limited key names. */
function maySeeRequest(principal: Principal, { group, project_id }: Kept): boolean {
  const { account_id, project_id: own } = group.owner;
  return mayTouch(principal, { id: project_id ?? own, account_id });
}

async function namesOfKeys(found: readonly Kept[], metadata: Metadata): Promise<ReadonlyMap<string, string>> {
  return metadata.read(async (tables) => {
    const names = new Map<string, string>();
    for (const { key_id } of found)
      if (key_id !== null && !names.has(key_id))
        names.set(key_id, (await tables.get('api_keys', key_id))?.name ?? '');
    return names;
  });
}

const isSettled = ({ matched, mayMatch }: Verified) => matched || !mayMatch;

/** Looks again as requests come, until what is found settles it, or the time is over. */
async function until<Found>(
  look: () => Found,
  settles: (found: Found) => boolean,
  {
    requests,
    withinMs,
    signal,
  }: {
    readonly requests: Pick<RequestsSeen, 'listen'>;
    readonly withinMs: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Found> {
  const first = look();
  if (settles(first) || withinMs === 0) return first;
  const over = Promise.withResolvers<Found>();
  const lookAgain = (isLast: boolean) => {
    waiting = null;
    try {
      const found = look();
      if (isLast || settles(found)) over.resolve(found);
    } catch (error) {
      over.reject(error);
    }
  };
  let waiting: NodeJS.Timeout | null = null;
  // Those that come together are looked at together.
  const stop = requests.listen(() => (waiting ??= machineClock.after(TOGETHER_MS, () => lookAgain(false))));
  const timer = machineClock.after(withinMs, () => lookAgain(true));
  const onAbort = () => over.reject(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    return await over.promise;
  } finally {
    stop();
    clearTimeout(timer);
    if (waiting !== null) clearTimeout(waiting);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Whether it is among those that are asked for. */
function isAsked(kept: Kept, { door, status, since, before }: CheckedInput<'requests.list'>): boolean {
  if (door !== undefined && kept.door !== door) return false;
  if (since !== undefined && kept.time < since) return false;
  if (before !== undefined && kept.id >= before) return false;
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
    operation: kept.operation,
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
    change: kept.change,
    message: kept.message,
    body: kept.body,
    response_head: kept.response_head,
    fault: kept.fault,
    from: kept.from,
    duration_us: kept.duration_us,
  };
}
