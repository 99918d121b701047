import { NativeSelect } from '@mantine/core';
import type { Zone } from '../../../time.ts';
import { may } from '../../../bridge/distant.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { goTo } from '../../../router.ts';
import { decoders } from '../../../stores/decoders.ts';
import { deviceKey, type DeviceDetail } from '../../../stores/devices.ts';
import type { DeviceShown, ListShown } from '../device-address.ts';
import { DecoderForm } from './decoder-form.tsx';
import classes from './decoder-panel.module.css';
import { DecoderState } from './decoder-state.tsx';

interface DecoderPanelProps extends Pick<DeviceShown, 'chart'> {
  readonly project_id: string;
  readonly detail: DeviceDetail;
  /** `open` is one of several decoders. */
  readonly list: ListShown;
}

/** What the bytes of a device mean: its decoder, how that does, and what it makes of what came. */
export function DecoderPanel({ project_id, detail: { device }, chart, list }: DecoderPanelProps) {
  const device_id = device.id;
  const zone: Zone = chart?.zone ?? 'local';
  const { value, error } = decoders.useValue(deviceKey(project_id, device_id));
  if (error !== null && !value) return <Problem message={error} onRetry={decoders.reload} />;
  if (!value) return <Loading flex={1} label="Loading the decoder" />;
  const decoder =
    value.find(({ id }) => id === list.open) ??
    value.find(({ enabled, problem }) => enabled && problem === null) ??
    value[0] ??
    null;
  const here = { screen: 'device', project_id, device_id, tab: 'decoder', ...(chart && { chart }) } as const;
  return (
    <div className={classes['panel']}>
      {error !== null && <Problem message={error} onRetry={decoders.reload} />}
      {value.length > 1 && (
        <NativeSelect
          label={`One of ${value.length} decoders of this device`}
          w={320}
          value={decoder?.id}
          onChange={({ currentTarget }) => goTo({ ...here, list: { open: currentTarget.value } })}
          data={value.map(({ id, name, enabled }) => ({
            value: id,
            label: enabled ? name : `${name} (off)`,
          }))}
        />
      )}
      {decoder && may('functions.failures') && (
        <DecoderState key={`state ${decoder.id}`} {...{ decoder, device, zone }} />
      )}
      <DecoderForm
        key={value.length > 1 ? `form ${decoder?.id}` : 'form'}
        {...{ project_id, device_id, decoder }}
        mayChange={may(decoder ? 'functions.update' : 'functions.create')}
      />
    </div>
  );
}
