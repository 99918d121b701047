import type { RunningService } from '../../helpers/service/running-service.ts';

type Asking = Pick<RunningService, 'request'>;
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

async function read(service: Asking, path: string, key: string | undefined): Promise<readonly Row[]> {
  const { status, text, envelope } = await service.request('GET', path, key === undefined ? {} : { key });
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return envelope.data as unknown as readonly Row[];
}

/** Everything of a world that its programs can see, as text: equal texts are equal worlds. */
export async function worldText(service: Asking, key?: string): Promise<string> {
  const get = (path: string) => read(service, path, key);
  const found: unknown[] = [];
  for (const path of ['/v2/projects', '/_local/v1/undo', '/_local/v1/views', '/_local/v1/keys'])
    found.push([path, (await get(path)).map(withoutUse)]);
  for (const { id } of await get('/v2/projects')) {
    const local = `/_local/v1/projects/${id}`;
    for (const path of ['functions', 'widgets', 'key-settings', 'alarms'])
      found.push([path, await get(`${local}/${path}`)]);
    for (const device of await get(`/v2/projects/${id}/devices?page=1&limit=100`)) {
      const path = `/v2/projects/${id}/devices/${device.id}`;
      found.push(await get(path), await get(`${local}/devices/${device.id}/notes`));
      for (const what of ['corrections', 'corrections/history'])
        found.push(await get(`${local}/devices/${device.id}/${what}`));
      found.push(await get(`${path}/data?page=1&limit=10000&range=all`));
      found.push(await get(`${local}/devices/${device.id}/summary`));
    }
  }
  const text = JSON.stringify(found, (field, value: unknown) => (field === 'bytes' ? undefined : value), 1);
  // A service has other ports after a restart.
  return text.replaceAll(/127\.0\.0\.1:\d+/g, 'here');
}

/** When a key was used is a fact of today, in whichever world. */
const withoutUse = ({ last_used: _lastUsed, ...row }: Row) => row;
