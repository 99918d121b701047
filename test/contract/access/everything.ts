import type { RunningService } from '../../helpers/service/running-service.ts';
import type { World } from '../world.ts';

/** All that can be read of the project and its device, but when it was purged. */
export async function everythingOf(service: RunningService, world: World): Promise<unknown> {
  const project = `/_local/v1/projects/${world.project_id}`;
  const device = `${project}/devices/${world.device_id}`;
  const v2 = `/v2/projects/${world.project_id}`;
  const answers: Record<string, unknown> = {};
  for (const path of [
    v2,
    `${v2}/devices`,
    `${v2}/devices/${world.device_id}`,
    `${v2}/devices/${world.device_id}/data?page=1&limit=100&range=all`,
    `${v2}/devices/${world.device_id}/data/keys`,
    `${project}/functions`,
    `${project}/widgets`,
    `${project}/key-settings`,
    `${device}/notes`,
    `${project}/alarms`,
    `${device}/corrections`,
    `${device}/corrections/history`,
    `${device}/summary`,
  ]) {
    const { envelope } = await service.request('GET', path);
    const text = JSON.stringify(envelope.data).replaceAll(service.service.base_url, 'BASE');
    // How many bytes they take on the disk is not what anybody stored.
    answers[path] = JSON.parse(text.replaceAll(/"bytes":\d+/g, '"bytes":0'));
  }
  return answers;
}
