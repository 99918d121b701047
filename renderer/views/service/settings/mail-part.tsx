import {
  Button,
  Group,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { InputOf } from '#shared/operations/index.ts';
import { MAIL_SECURITY, type MailSettings } from '#shared/operations/service/settings.ts';
import { ask } from '../../../bridge/ask.ts';
import { errorOf } from '../../../components/dialog/field-error.ts';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { settings } from '../../../stores/storage.ts';
import { wholeTyped } from '../whole-typed.ts';
import { ChangeForm } from './change-form.tsx';

type Now = (MailSettings & { readonly has_password: boolean }) | null;

interface Draft {
  readonly host: string;
  readonly port: string;
  readonly security: MailSettings['security'];
  readonly from: string;
  readonly user: string;
  readonly password: string;
}

const SECURITY: Readonly<Record<MailSettings['security'], string>> = {
  tls: 'TLS from the first byte',
  starttls: 'STARTTLS',
  none: 'None',
};
const PORTS: Readonly<Record<MailSettings['security'], string>> = { tls: '465', starttls: '587', none: '25' };
const NO_DRAFT: Draft = { host: '', port: PORTS.tls, security: 'tls', from: '', user: '', password: '' };
const draftOf = (now: Now): Draft =>
  now === null ? NO_DRAFT : { ...now, port: String(now.port), password: '' };

/** Whether the password that is kept goes with these: it is of a server, a port and a user. */
const losesPassword = (now: Now, { host, port, user, password }: Draft): boolean =>
  now?.has_password === true &&
  password === '' &&
  (host.trim() !== now.host || port.trim() !== String(now.port) || user.trim() !== now.user);

/** The SMTP server by which rules send mails, and a mail to try it. */
export function MailPart({ now }: { readonly now: Now }) {
  const [typed, setTyped] = useState<Draft | null>(null);
  const draft = typed ?? draftOf(now);
  const set = (part: Partial<Draft>) => setTyped({ ...draft, ...part });
  const update = async (mail: InputOf<'settings.update'>['mail']) => {
    await ask('settings.update', { mail });
    setTyped(null);
    settings.reload();
  };
  const save = useSubmit(async () => {
    const { host, port, security, from, user, password } = draft;
    await update({
      host: host.trim(),
      port: wholeTyped('mail.port', port, 1, 65_535),
      security,
      from: from.trim(),
      user: user.trim(),
      ...(password !== '' && { password }),
    });
  });
  const remove = useSubmit(() => update(null));
  const problem = save.error ?? remove.error;
  const faultAt = (field: keyof Draft) => errorOf(problem, `mail.${field}`)?.slice(`mail.${field} `.length);
  const isOfField = Object.keys(draft).some((field) => faultAt(field as keyof Draft) !== undefined);
  const loses = losesPassword(now, draft);
  const text = (field: 'host' | 'port' | 'from' | 'user', label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={draft[field]}
      onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
      error={faultAt(field)}
      autoComplete="off"
      spellCheck={false}
    />
  );
  return (
    <ChangeForm
      title="Mails of rules"
      submit={save}
      isChanged={typed !== null}
      leave="Leave it as it is"
      onLeave={() => setTyped(null)}
      beside={
        now !== null &&
        typed === null && (
          <Button variant="subtle" loading={remove.busy} onClick={remove.run}>
            Send no mails
          </Button>
        )
      }
      below={now !== null && typed === null && <TestMail />}
    >
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
          {text('host', 'SMTP server', 'mail.example.org')}
          {text('port', 'Port', '465')}
          <NativeSelect
            label="Security"
            value={draft.security}
            data={MAIL_SECURITY.map((value) => ({ value, label: SECURITY[value] }))}
            onChange={({ currentTarget }) => {
              const security = currentTarget.value as MailSettings['security'];
              const isUsual = Object.values(PORTS).includes(draft.port);
              set({ security, ...(isUsual && { port: PORTS[security] }) });
            }}
            error={faultAt('security')}
          />
          {text('from', 'From', 'fieldbench@example.org')}
          {text('user', 'User', 'none')}
          <PasswordInput
            label="Password"
            placeholder={now?.has_password && !loses ? 'kept' : 'none'}
            value={draft.password}
            onChange={({ currentTarget }) => set({ password: currentTarget.value })}
            {...(loses && { description: 'The one that is kept goes: write it again.' })}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            error={faultAt('password')}
            autoComplete="new-password"
          />
        </SimpleGrid>
        {problem !== null && !isOfField && <Problem message={problem} />}
      </Stack>
    </ChangeForm>
  );
}

/** Sends a mail to an address by what is saved. */
function TestMail() {
  const [to, setTo] = useState('');
  const [sent, setSent] = useState<string | null>(null);
  const submit = useSubmit(async () => {
    setSent(null);
    const { problem } = await ask('settings.test-mail', { to: to.trim() });
    if (problem !== null) throw new Error(problem);
    setSent(to.trim());
  });
  const ofField = errorOf(submit.error, 'to');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (to.trim() !== '') submit.run();
      }}
    >
      <Group gap="xs" align="flex-start">
        <TextInput
          label="Try it: send a mail to"
          placeholder="name@example.org"
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
          error={ofField?.replace(/^to /, '')}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="default" mt={25} loading={submit.busy} disabled={to.trim() === ''}>
          Send
        </Button>
      </Group>
      {ofField === null && submit.error !== null && <Problem message={submit.error} />}
      <Text size="sm" role="status" mt={4}>
        {sent !== null && `The server took a mail to ${sent}.`}
      </Text>
    </form>
  );
}
