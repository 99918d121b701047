import { readFile } from 'node:fs/promises';
import { createBridge, type BridgeClient } from '#shared/bridge/bridge-client.ts';
import type { InputOf } from '#shared/operations/index.ts';
import { listenDistant, portTo } from '#shared/bridge/port-to.ts';
import type { Distant } from '#shared/bridge/wire.ts';
import type { RunningService, Window } from './running-service.ts';

/** A service elsewhere, as a window of this machine sees it. */
export interface DistantView {
  readonly bridge: BridgeClient;
  /** How it stands with it, the newest last. */
  readonly told: Distant[];
  /** Resolves once it is in this state. */
  until(state: Distant['state']): Promise<Distant>;
}

/** Looks at a service elsewhere through a window, as the renderer does. */
export function lookThrough(window: Window, at: string): DistantView {
  const told: Distant[] = [];
  const waiting = new Set<() => void>();
  const bridge = createBridge(portTo(window.port, at), () => {});
  listenDistant(window.port, at, (distant) => {
    const before = told.at(-1)?.state;
    told.push(distant);
    if (distant.state === 'connected' && before !== 'connected') bridge.resubscribe();
    if (distant.state !== 'connected') bridge.disconnect(new Error('The connection was lost.'));
    for (const look of waiting) look();
  });
  return {
    bridge,
    told,
    until: (state) =>
      new Promise((resolve) => {
        const look = () => {
          const last = told.at(-1);
          if (last?.state !== state) return;
          waiting.delete(look);
          resolve(last);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** What a person enters to add a service, which is asked over its plain door unless `secure`. */
export async function profileFor(
  service: RunningService,
  change: Partial<InputOf<'other-services.create'>> & { readonly secure?: boolean } = {},
): Promise<InputOf<'other-services.create'>> {
  const { secure = false, ...others } = change;
  const { base_url, http_url, ca_file, api_key } = service.service;
  return {
    name: 'Lab',
    address: secure ? base_url : (http_url ?? base_url),
    certificate: secure && ca_file !== null ? await readFile(ca_file, 'utf8') : null,
    api_key,
    colour: 'teal',
    read_only: false,
    ...others,
  };
}

/** Adds a service; resolves with its id, rejects with the words of a refusal. */
export async function addService(window: Window, given: InputOf<'other-services.create'>): Promise<string> {
  const { data, message } = await window.bridge.call('other-services.create', given);
  if (!data) throw new Error(message);
  return data.service.id;
}
