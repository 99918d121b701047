import { Button, ColorSwatch, Group, Input, PasswordInput, Switch, Text, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import {
  SERVICE_COLOURS,
  type OtherService,
  type ServiceColour,
  type ShownCertificate,
} from '#shared/operations/service/other-services.ts';
import { askHome } from '../../bridge/ask.ts';
import { hrefAt } from '../../bridge/place.ts';
import { errorOf } from '../../components/dialog/field-error.ts';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { sayDone } from '../../components/work/notices.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { otherServicesChanged } from '../../stores/other-services.ts';
import { BY_MACHINE, TrustChoice, type Seen } from './trust-choice.tsx';

/** Adds a service or changes one: first who answers is looked at and trusted, then the key signs in. */
export function ServiceDialog({ service }: { readonly service?: OtherService }) {
  const [address, setAddress] = useState(service?.address ?? '');
  const [seen, setSeen] = useState<Seen | null>(null);
  const isKnown = service !== undefined && seen === null && address === service.address;
  const [isLooking, setIsLooking] = useState(!service);
  const look = useSubmit(async () => {
    setSeen(await askHome('other-services.look', { address }));
    setIsLooking(false);
  });
  if (isLooking)
    return (
      <FormDialog
        title={service ? `Trust “${service.name}” anew` : 'Add a service'}
        action="Show its fingerprint"
        submit={look}
        fields={['address']}
        disabled={address.trim() === ''}
      >
        <TextInput
          label="Address"
          description="HTTPS, with its port. Nothing secret is sent yet."
          placeholder="https://lab.example:7443"
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          error={errorOf(look.error, 'address')}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      </FormDialog>
    );
  return (
    <SignIn
      {...(service && { service })}
      address={seen?.address ?? address}
      seen={isKnown ? null : seen}
      onLook={() => setIsLooking(true)}
    />
  );
}

interface SignInProps {
  readonly service?: OtherService;
  readonly address: string;
  /** Null: what is trusted stays. */
  readonly seen: Seen | null;
  readonly onLook: () => void;
}

function SignIn({ service, address, seen, onLook }: SignInProps) {
  const [name, setName] = useState(service?.name ?? new URL(address).hostname);
  const [api_key, setApiKey] = useState('');
  const [colour, setColour] = useState<ServiceColour>(service?.colour ?? 'violet');
  const [read_only, setReadOnly] = useState(service?.read_only ?? false);
  const [fromFile, setFromFile] = useState<ShownCertificate | null>(null);
  const [chosen, setChosen] = useState<string | null>(seen?.trusted ? BY_MACHINE : null);
  const all = [...(seen?.chain ?? []), ...(fromFile ? [fromFile] : [])];
  const certificate = all.find(({ fingerprint }) => fingerprint === chosen)?.certificate ?? null;
  const submit = useSubmit(async () => {
    const fields = { name: name.trim(), colour, read_only };
    if (service) {
      const { name: kept } = await askHome('other-services.update', {
        service_id: service.id,
        ...fields,
        ...(api_key !== '' && { api_key }),
        ...(seen && { address, certificate }),
      });
      otherServicesChanged();
      closeDialog();
      return sayDone('Service changed', `“${kept}” is looked at so from now on.`);
    }
    const { service: made } = await askHome('other-services.create', {
      ...fields,
      address,
      certificate,
      api_key,
    });
    otherServicesChanged();
    closeDialog();
    window.location.hash = hrefAt(made.id);
  });
  const isTrusted = seen === null || seen.is_plain || chosen !== null;
  return (
    <FormDialog
      title={service ? `Edit “${service.name}”` : 'Add a service'}
      action={service ? 'Save' : 'Trust it and sign in'}
      submit={submit}
      fields={['name', 'api_key', 'certificate']}
      size="lg"
      disabled={!isTrusted || (!service && api_key === '')}
    >
      <Group gap="sm" justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{address}</b>
        </Text>
        <Button size="xs" variant="default" onClick={onLook}>
          {service ? 'Address and trust…' : 'Another address…'}
        </Button>
      </Group>
      {seen && (
        <TrustChoice
          seen={seen}
          chosen={chosen}
          onChoose={setChosen}
          fromFile={fromFile}
          onFile={(certificateOfFile) => {
            setFromFile(certificateOfFile);
            setChosen(certificateOfFile.fingerprint);
          }}
        />
      )}
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errorOf(submit.error, 'name')}
        data-autofocus={seen === null ? true : undefined}
      />
      <PasswordInput
        label="API key"
        description={
          service ? 'Empty: the one that is kept stays.' : 'Of that service. It is kept in the vault here.'
        }
        placeholder="fb_…"
        value={api_key}
        onChange={(event) => setApiKey(event.currentTarget.value.trim())}
        error={errorOf(submit.error, 'api_key')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus={seen !== null && (seen.trusted || seen.is_plain) ? true : undefined}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the API key' }}
      />
      <Input.Wrapper label="Colour" labelElement="div" description="On every screen of this service">
        <Group gap={6} mt={6} role="group" aria-label="Colour">
          {SERVICE_COLOURS.map((one) => (
            <ColorSwatch
              key={one}
              component="button"
              type="button"
              size={26}
              color={`var(--mantine-color-${one}-filled)`}
              aria-label={one}
              aria-pressed={one === colour}
              onClick={() => setColour(one)}
              style={{ cursor: 'pointer' }}
            >
              {one === colour && <IconCheck size={16} color="white" aria-hidden />}
            </ColorSwatch>
          ))}
        </Group>
      </Input.Wrapper>
      <Switch
        label="Read-only"
        description="Nothing is changed there from here, whatever the key may."
        checked={read_only}
        onChange={(event) => setReadOnly(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
