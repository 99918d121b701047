import { randomBytes } from 'node:crypto';
import { PERMISSIONS } from '#shared/schema/schemas.ts';
import type { Host } from '../../../soak/host.ts';
import { createWorld, dataOf, type Asking, type World } from '../../../contract/world.ts';

/** Who asks for much: a key of one project, or its device's token; nobody who is known; or many such keys at once. */
export const WHO = ['one limited key', 'a stranger', 'many limited keys'] as const;
export type Who = (typeof WHO)[number];

const MANY = 16;

/** What is asked for much, and with what. */
export interface Askers {
  readonly world: World;
  /** Where MQTT is spoken with it. */
  readonly mqtt: { readonly id: string; readonly token: string };
  /** A device of another project, which nobody of them may touch; its path, and its token. */
  readonly bystander: { readonly path: string; readonly token: string };
  keysOf(who: Who): readonly string[];
}

/** Asks a service as tests in its process do. */
function askingOf(host: Host): Asking {
  return {
    async request(method, path, { key = host.key, body, raw } = {}) {
      const sent = raw ? raw.bytes : body === undefined ? null : JSON.stringify(body);
      const type = raw?.type ?? 'application/json';
      const response = await fetch(`${host.url}${path}`, {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(sent !== null && { 'content-type': type }),
        },
        ...(sent !== null && { body: sent }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        envelope: JSON.parse(text) as never,
      };
    },
  };
}

export async function createAskers(host: Host): Promise<Askers> {
  const asking = askingOf(host);
  const world = await createWorld(asking);
  const { project_id } = world;
  const keys = await Promise.all(
    Array.from({ length: MANY }, () => world.issueKey(PERMISSIONS, [project_id])),
  );
  const device = async (project: string, source: 'http' | 'mqtt') => {
    const path = `/v2/projects/${project}/devices`;
    const made = await dataOf(asking, 'POST', path, { name: 'One of many', source });
    const { device_token: token } = made['metadata'] as { device_token: string };
    return { id: made.id, path: `${path}/${made.id}`, token };
  };
  const other = await dataOf(asking, 'POST', '/_local/v1/projects', { name: 'Other' });
  const stranger = `fb_${randomBytes(20).toString('hex')}`;
  return {
    world,
    mqtt: await device(project_id, 'mqtt'),
    bystander: await device(other.id, 'http'),
    keysOf: (who) =>
      who === 'a stranger' ? [stranger] : who === 'one limited key' ? keys.slice(0, 1) : keys,
  };
}
