import { Alert, Button, Group, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { IconDownload, IconInfoCircle, IconWorld } from '@tabler/icons-react';
import { useState } from 'react';
import type { InputOf } from '#shared/operations/index.ts';
import type { DoorName, DoorsNow } from '#shared/operations/service/doors.ts';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { Copyable } from '../../../components/facts/copyable.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { saveFile } from '../../../components/work/save-file.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { doors, status as statusStore } from '../../../stores/service.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { wholeTyped } from '../whole-typed.ts';
import { networkAddresses } from './network-addresses.ts';

const FLAGS: Readonly<Record<DoorName, string>> = {
  network: '--host',
  https_port: '--port',
  http_port: '--http-port',
  mqtt_port: '--mqtt-port',
  mqtts_port: '--mqtts-port',
};

/** The ports that can be typed; the first cannot be shut. */
const PORTS = [
  { name: 'https_port', label: 'HTTPS port', about: 'The base URL of rigs and scripts' },
  { name: 'http_port', label: 'HTTP port', about: 'Plain, this machine only; empty: shut' },
  { name: 'mqtt_port', label: 'MQTT port', about: 'Plain, this machine only; empty: shut' },
  {
    name: 'mqtts_port',
    label: 'MQTT port over TLS',
    about: 'For the network, often 8883; empty: shut',
  },
] as const;
type PortName = (typeof PORTS)[number]['name'];

/** Listeners of the service, changed here at once. */
export function DoorsPart({ status }: { readonly status: ServiceStatus }) {
  doors.useWatch('all');
  const { value, error } = doors.useValue('all');
  if (!value)
    return error === null ? (
      <Loading h={300} label="Loading addresses and ports" />
    ) : (
      <Problem message={error} onRetry={doors.reload} />
    );
  return (
    <Stack gap="md">
      {value.fixed !== null && (
        <Alert variant="light" icon={<IconInfoCircle size={18} />} title="Changed at the start alone">
          {value.fixed}
        </Alert>
      )}
      <Network now={value} />
      <Ports now={value} />
      {status.ca_certificate !== null && <Certificate pem={status.ca_certificate} file={status.ca_file} />}
    </Stack>
  );
}

async function change(given: InputOf<'doors.update'>): Promise<void> {
  await ask('doors.update', given);
  doors.reload();
  statusStore.reload();
}

function Network({ now }: { readonly now: DoorsNow }) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isSaid = now.flags.includes('network');
  const addresses = networkAddresses(now);
  const shut = async () => {
    setIsBusy(true);
    setError(null);
    try {
      await change({ network: false });
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="doors-network">
      <Title order={2} size="h5" mb="xs" id="doors-network">
        Who reaches the service
      </Title>
      <Switch
        label="Let devices and programs on the network in"
        description={
          isSaid
            ? `Set at the start by ${FLAGS.network}, and changed there alone.`
            : 'Over TLS alone: HTTPS, and MQTT over TLS where it has a port. Who has no key or token is refused.'
        }
        checked={now.network}
        disabled={isSaid || isBusy || now.fixed !== null}
        error={error}
        onChange={(event) => {
          if (event.currentTarget.checked) openDialog({ kind: 'open-network' });
          else void shut();
        }}
      />
      <Text size="sm" mt="sm">
        {now.network ? (
          <>
            <IconWorld size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Reached from the network
            {addresses.length > 0 ? ', at the addresses below.' : ', by none of its addresses yet.'}
          </>
        ) : (
          'This machine only: a board in the Wi-Fi cannot reach it.'
        )}
        {now.network && now.mqtts_port === null && ' MQTT over TLS has no port yet.'}
      </Text>
      {now.network && (
        <Stack gap="xs" mt="xs" maw={480}>
          {addresses.map(({ label, url }) => (
            <Copyable key={url} label={label} value={url} />
          ))}
        </Stack>
      )}
    </Paper>
  );
}

type Typed = Readonly<Record<PortName, string>>;

const typedOf = (now: DoorsNow): Typed => ({
  https_port: textOf(now.https_port),
  http_port: textOf(now.http_port),
  mqtt_port: textOf(now.mqtt_port),
  mqtts_port: textOf(now.mqtts_port),
});
const textOf = (port: number | null) => (port === null ? '' : String(port));

/** Form of ports; refused input stays, with the reason at its field. */
function Ports({ now }: { readonly now: DoorsNow }) {
  const before = typedOf(now);
  const [changed, setChanged] = useState<Partial<Typed>>({});
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const names = PORTS.map(({ name }) => name).filter(
    (name) => changed[name] !== undefined && changed[name] !== before[name],
  );
  const errorAt = (name: PortName) => (error?.startsWith(`${name} `) ? error.slice(name.length + 1) : null);
  const isElsewhere = error !== null && !PORTS.some(({ name }) => errorAt(name) !== null);
  const apply = async () => {
    setIsBusy(true);
    setError(null);
    try {
      const given = names.map((name) => {
        const typed = changed[name]?.trim() ?? '';
        return [name, typed === '' ? null : wholeTyped(name, typed, 1, 65_535)];
      });
      await change(Object.fromEntries(given) as InputOf<'doors.update'>);
      setChanged({});
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Paper
      withBorder
      p="md"
      component="form"
      aria-labelledby="doors-ports"
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <Title order={2} size="h5" mb="xs" id="doors-ports">
        Ports
      </Title>
      <Group gap="md" align="flex-start">
        {PORTS.map(({ name, label, about }) => {
          const isSaid = now.flags.includes(name);
          return (
            <TextInput
              key={name}
              w={{ base: '100%', xs: 250 }}
              label={label}
              description={isSaid ? `Set at the start by ${FLAGS[name]}` : about}
              value={changed[name] ?? before[name]}
              onChange={(event) => setChanged({ ...changed, [name]: event.currentTarget.value })}
              inputMode="numeric"
              autoComplete="off"
              disabled={isSaid || now.fixed !== null}
              error={errorAt(name)}
            />
          );
        })}
      </Group>
      {isElsewhere && (
        <Text size="sm" c="danger" role="alert" mt="sm">
          {error}
        </Text>
      )}
      <Group gap="xs" mt="md">
        <Button type="submit" loading={isBusy} disabled={names.length === 0}>
          Apply
        </Button>
        {names.length > 0 && (
          <Button
            variant="default"
            onClick={() => {
              setChanged({});
              setError(null);
            }}
          >
            Leave as it is
          </Button>
        )}
        <Text size="sm" c="dimmed">
          At once, and for later starts. Programs that use an address have to be told the new one.
        </Text>
      </Group>
    </Paper>
  );
}

function Certificate({ pem, file }: { readonly pem: string; readonly file: string | null }) {
  const [error, setError] = useState<string | null>(null);
  const save = async () => {
    setError(null);
    try {
      await saveFile('fieldbench-ca.pem', new Blob([pem], { type: 'application/x-pem-file' }));
    } catch (caught) {
      setError(messageOf(caught));
    }
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="doors-certificate">
      <Title order={2} size="h5" mb="xs" id="doors-certificate">
        Certificate
      </Title>
      <Text size="sm" mb="sm">
        The service signs its own certificate. Browsers, rigs and devices trust it once they are given that of
        its authority, which is no secret{file === null ? '.' : ': it also lies in '}
        {file !== null && (
          <span className="mono" style={{ overflowWrap: 'anywhere' }}>
            {file}
          </span>
        )}
      </Text>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void save()}>
        Save the certificate
      </Button>
      {error !== null && (
        <Text size="sm" c="danger" role="alert" mt="xs">
          {error}
        </Text>
      )}
    </Paper>
  );
}
