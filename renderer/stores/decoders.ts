import { DECODER } from '#shared/domain/decoder-names.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { ask } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { may } from '../bridge/distant.ts';
import { deviceKey, deviceOf, type DeviceKey } from './devices.ts';
import { createResource } from './resource.ts';

const NONE: readonly DeviceFunction[] = [];

/** The decoders of a device, by `deviceKey`; none where the service has no such thing. */
export const decoders = createResource<readonly DeviceFunction[], DeviceKey>({
  async read(of) {
    const { project_id, device_id } = deviceOf(of);
    if (!may('functions.list')) return NONE;
    const all = await ask('functions.list', { project_id, device_id });
    return all.filter(({ type }) => type === DECODER);
  },
  changes: (of, changed) => bridge.subscribe('functions.changed', changed, deviceOf(of)),
  restMs: 250,
});

/** The decoders of a device, kept fresh; none until they are known. */
export function useDecoders(project_id: string, device_id: string): readonly DeviceFunction[] {
  const of = deviceKey(project_id, device_id);
  decoders.useWatch(of);
  return decoders.useValue(of).value ?? NONE;
}

type DecoderKey = `${string}/${string}/${string}`;

/** Names a decoder for `failures`. */
export const decoderKey = ({ project_id, device_id, id }: DeviceFunction): DecoderKey =>
  `${project_id}/${device_id}/${id}`;

/** How many payloads a decoder's device has, and how many of them were not decoded; by `decoderKey`. */
export const failures = createResource<OutputOf<'functions.failures'>, DecoderKey>({
  read(of) {
    const [project_id = '', , function_id = ''] = of.split('/');
    return ask('functions.failures', { project_id, function_id });
  },
  changes(of, changed) {
    const [project_id, device_id] = of.split('/');
    const ofDevice = { project_id, device_id };
    const stops = [
      bridge.subscribe('records.stored', changed, ofDevice),
      bridge.subscribe('records.removed', changed, ofDevice),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 1_000,
});
