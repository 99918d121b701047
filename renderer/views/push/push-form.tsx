import { Checkbox, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import type { OtherService } from '#shared/operations/service/other-services.ts';
import { CertificateFile } from '../../components/dialog/certificate-file.tsx';
import { errorOf } from '../../components/dialog/field-error.ts';
import { LabChoice } from './lab-choice.tsx';
import classes from './push-screen.module.css';

/** Choices before a plan is made. */
export interface Choices {
  /** The id of one of the other services; null: the lab is reached by address and key. */
  readonly service: string | null;
  readonly to: string;
  readonly key: string;
  /** A certificate as PEM, a fingerprint, or nothing. */
  readonly trust: string;
  readonly sendsRemoved: boolean;
  readonly prefersHere: boolean;
}

export const NO_LAB: Choices = {
  service: null,
  to: '',
  key: '',
  trust: '',
  sendsRemoved: false,
  prefersHere: false,
};

interface PushFormProps {
  /** The services that are known here. */
  readonly services: readonly OtherService[];
  readonly value: Choices;
  readonly onChange: (value: Choices) => void;
  readonly error: string | null;
  /** Disables changes; the focus stays. */
  readonly busy: boolean;
  readonly onSubmit: () => void;
}

/** Form of a push: the lab, the key, the trust, and the choice for conflicts. */
export function PushForm({ services, value, onChange, error, busy, onSubmit }: PushFormProps) {
  const change = (part: Partial<Choices>) => onChange({ ...value, ...part });
  return (
    <form
      noValidate
      className={classes['form']}
      aria-label="The lab"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="sm">
        {services.length > 0 && (
          <LabChoice
            services={services}
            value={value.service}
            onChange={(service) => change({ service })}
            error={errorOf(error, 'service')}
            busy={busy}
          />
        )}
        {value.service === null && (
          <>
            <TextInput
              label="Address of the lab"
              placeholder="https://lab.example:7443"
              value={value.to}
              readOnly={busy}
              onChange={({ currentTarget }) => change({ to: currentTarget.value })}
              error={errorOf(error, 'to')}
              autoComplete="url"
            />
            <PasswordInput
              label="API key of the lab"
              description="It is kept nowhere. “write” stores records; new projects and changed fields need “admin”."
              value={value.key}
              readOnly={busy}
              onChange={({ currentTarget }) => change({ key: currentTarget.value })}
              error={errorOf(error, 'key')}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the API key' }}
            />
          </>
        )}
      </Stack>
      {value.service === null && (
        <Stack gap="xs">
          <Textarea
            label="Certificate of the lab"
            description="Its certificate authority as PEM, or the SHA-256 fingerprint of its certificate. Empty: what this system trusts."
            placeholder="-----BEGIN CERTIFICATE-----"
            minRows={3}
            maxRows={3}
            autosize
            spellCheck={false}
            value={value.trust}
            readOnly={busy}
            onChange={({ currentTarget }) => change({ trust: currentTarget.value })}
            error={errorOf(error, 'ca') ?? errorOf(error, 'fingerprint')}
          />
          <CertificateFile onRead={({ certificate }) => change({ trust: certificate })} disabled={busy} />
        </Stack>
      )}
      <Stack gap="xs" justify="center">
        <Checkbox
          label="Also send what was removed in the lab"
          checked={value.sendsRemoved}
          disabled={busy}
          onChange={({ currentTarget }) => change({ sendsRemoved: currentTarget.checked })}
        />
        <Checkbox
          label="Where both changed a name, tag or other field, keep this side’s"
          checked={value.prefersHere}
          disabled={busy}
          onChange={({ currentTarget }) => change({ prefersHere: currentTarget.checked })}
        />
      </Stack>
      <button type="submit" hidden />
    </form>
  );
}
